// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/diagnose/diagnosis_view.h"

#include <QProgressBar>
#include <QPushButton>
#include <QStackedLayout>
#include <QTimer>
#include <QVBoxLayout>

#include "ui/style/flow_layout.h"
#include "ui/style/icons.h"
#include "ui/style/labels.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

constexpr int kDiagnosisPollMs = 100;
constexpr int kDiagnosisBarWidth = 120;

/// What core says it is busy with, in the window's language where it is one of the usual steps.
QString stepText(const std::string& what)
{
    static const std::pair<const char*, const char*> kSteps[] = {
        {"looking at the Python interpreter", QT_TRANSLATE_NOOP("DiagnosisStep", "looking at the Python interpreter")},
        {"starting the judge", QT_TRANSLATE_NOOP("DiagnosisStep", "starting the judge")},
        {"making the inputs and running the reference", QT_TRANSLATE_NOOP("DiagnosisStep", "making the inputs and running the reference")},
        {"trying what computes nothing", QT_TRANSLATE_NOOP("DiagnosisStep", "trying what computes nothing")},
        {"taking the library apart", QT_TRANSLATE_NOOP("DiagnosisStep", "taking the library apart")},
        {"reading the report", QT_TRANSLATE_NOOP("DiagnosisStep", "reading the report")}};
    for (const auto& [step, text] : kSteps)
        if (what == step)
            return QCoreApplication::translate("DiagnosisStep", text);
    return QString::fromStdString(what);
}

}  // namespace

void DiagnosisView::Progress::set(const std::string& what)
{
    const std::scoped_lock lock(mutex);
    text = what;
}

std::string DiagnosisView::Progress::get()
{
    const std::scoped_lock lock(mutex);
    return text;
}

DiagnosisView::DiagnosisView(const QString& name, const QString& text, QWidget* parent)
    : QWidget(parent), m_progress(std::make_shared<Progress>()), m_options(new FlowLayout), m_start(new QPushButton(icon(QStringLiteral("run")), tr("&Start"), this)),
      m_stop(new QPushButton(icon(QStringLiteral("stop")), tr("S&top"), this)), m_bar(new QProgressBar(this)), m_message(new WrappedLabel(this)), m_body(new QWidget(this)),
      m_stack(new QStackedLayout(m_body)), m_timer(new QTimer(this)), m_job(new LatestJob(this))
{
    setObjectName(name);
    auto* about = new WrappedLabel(this);
    about->setText(text);
    m_start->setObjectName(QStringLiteral("startLook"));
    m_start->setToolTip(tr("Look at the solution and the workload that are chosen above"));
    m_stop->setObjectName(QStringLiteral("stopLook"));
    m_stop->setToolTip(tr("End the look and its processes"));
    m_stop->hide();
    m_bar->setRange(0, 0);
    m_bar->setMaximumWidth(kDiagnosisBarWidth);
    m_bar->setTextVisible(false);
    m_bar->setAccessibleName(tr("At work"));
    m_bar->hide();
    m_options->addWidget(m_start);
    m_options->addWidget(m_stop);
    m_options->addWidget(m_bar);
    m_message->setObjectName(QStringLiteral("lookMessage"));
    m_message->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_message->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto* messagePage = new QWidget(m_body);
    auto* messageLayout = new QVBoxLayout(messagePage);
    messageLayout->setContentsMargins(0, Space::kNormal, 0, 0);
    messageLayout->addWidget(m_message);
    messageLayout->addStretch(1);
    m_stack->addWidget(messagePage);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(Space::kPage, Space::kWide, Space::kPage, Space::kWide);
    layout->setSpacing(Space::kNormal);
    layout->addWidget(about);
    layout->addLayout(m_options);
    layout->addWidget(m_body, 1);
    m_timer->setInterval(kDiagnosisPollMs);
    connect(m_timer, &QTimer::timeout, this, [this] {
        if (const std::string what = m_progress->get(); !what.empty())
            showMessage(tr("%1 …").arg(stepText(what)));
    });
    connect(m_start, &QPushButton::clicked, this, &DiagnosisView::start);
    connect(m_stop, &QPushButton::clicked, this, &DiagnosisView::stop);
}

DiagnosisView::~DiagnosisView() = default;

QString DiagnosisView::message() const { return m_stack->currentIndex() == 0 ? m_message->text() : QString(); }

void DiagnosisView::setResult(QWidget* result) { m_stack->addWidget(result); }

void DiagnosisView::showMessage(const QString& text)
{
    m_message->setText(text);
    m_stack->setCurrentIndex(0);
}

void DiagnosisView::showResult() { m_stack->setCurrentIndex(1); }

std::optional<DiagnosisTarget> DiagnosisView::begin()
{
    auto target = m_targetSource ? m_targetSource() : Result<DiagnosisTarget>(Error{ErrorCode::Usage, "nothing is chosen", {}, 0, {}});
    if (!target) {
        showMessage(QString::fromStdString(target.error().reason));
        return std::nullopt;
    }
    m_progress->set({});
    m_start->hide();
    m_stop->show();
    m_stop->setFocus();
    m_bar->show();
    m_timer->start();
    showMessage(tr("Starting …"));
    emit busyChanged(true);
    return *target;
}

void DiagnosisView::end()
{
    m_timer->stop();
    const bool hadFocus = m_stop->hasFocus();
    m_stop->hide();
    m_bar->hide();
    m_start->show();
    if (hadFocus)
        m_start->setFocus();
    emit busyChanged(false);
}

void DiagnosisView::stop()
{
    if (!m_job->isRunning())
        return;
    m_job->cancel();
    end();
    showMessage(tr("Stopped."));
}

void DiagnosisView::clear()
{
    stop();
    showMessage({});
}

void DiagnosisView::showError(const Error& error)
{
    showMessage(error.code == ErrorCode::Cancelled ? tr("Stopped.") : QString::fromStdString(error.toString()));
}

}  // namespace tracedeck::ui
