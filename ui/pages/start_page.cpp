// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/start_page.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include "core/run/python_environment.h"
#include "ui/models/latest_job.h"
#include "ui/models/number_format.h"
#include "ui/pages/findings_list.h"
#include "ui/pages/recent_delegate.h"
#include "ui/settings/recent_datasets.h"
#include "ui/style/chips.h"
#include "ui/style/icons.h"
#include "ui/style/labels.h"
#include "ui/style/primary_button.h"
#include "ui/style/status_look.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

constexpr int kColumnWidth = 760;
constexpr int kLogoSize = 56;

QWidget* makeHead(QWidget* parent)
{
    auto* head = new QWidget(parent);
    auto* logo = new QLabel(head);
    logo->setPixmap(applicationIcon().pixmap(kLogoSize, kLogoSize));
    auto* title = new QLabel(QStringLiteral("Tracedeck"), head);
    QFont font = headingFont();
    font.setPointSizeF(font.pointSizeF() * 1.4);
    title->setFont(font);
    auto* text = new MutedLabel(StartPage::tr("Explore FlashInfer-Trace datasets: definitions, solutions, workloads and measured traces. "
                                              "Compare latencies and speedups in charts and rankings. "
                                              "Run solutions on your own machine; every result is checked and stored as it lands."),
                                head);
    text->setWordWrap(true);
    auto* words = new QVBoxLayout;
    words->setSpacing(Space::kTight);
    words->addWidget(title);
    words->addWidget(text);
    auto* layout = new QHBoxLayout(head);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Space::kPage);
    layout->addWidget(logo, 0, Qt::AlignTop);
    layout->addLayout(words, 1);
    return head;
}

struct RecentState {
    RecentDataset dataset;
    bool exists = false;
};

}  // namespace

StartPage::StartPage(QWidget* parent)
    : QWidget(parent), m_openSample(new QPushButton(tr("Open the &sample"), this)), m_recent(new QListWidget(this)),
      m_noRecent(new MutedLabel(tr("Folders that you open are listed here. You can also drop a folder anywhere in this window."), this)),
      m_findings(new FindingsList(this)), m_machineJob(new LatestJob(this)),
      m_recentJob(new LatestJob(this))
{
    auto* open = new PrimaryButton(icon(QStringLiteral("open")), tr("&Open a dataset folder"), this);
    open->setObjectName(QStringLiteral("startOpenButton"));
    open->setToolTip(tr("Choose a folder with definitions, solutions, workloads and traces (Ctrl+O)"));
    m_openSample->setObjectName(QStringLiteral("startSampleButton"));
    m_openSample->setIcon(icon(QStringLiteral("sample")));
    const bool hasSample = !samplePath().isEmpty();
    m_openSample->setEnabled(hasSample);
    m_openSample->setToolTip(hasSample ? tr("A small dataset that comes with Tracedeck")
                                       : tr("The sample dataset was not found; set TRACEDECK_SAMPLE to its folder"));
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(open);
    buttons->addWidget(m_openSample);
    buttons->addStretch(1);

    m_recent->setObjectName(QStringLiteral("recentList"));
    m_recent->setAccessibleName(tr("Recent datasets"));
    m_recent->setItemDelegate(new RecentDelegate(m_recent));
    m_recent->setFrameShape(QFrame::NoFrame);
    m_recent->setMouseTracking(true);
    m_noRecent->setWordWrap(true);
    auto* recentCard = new Card(tr("Recent"), this);
    auto* recentContent = new QWidget(recentCard);
    auto* recentLayout = new QVBoxLayout(recentContent);
    recentLayout->setContentsMargins(0, 0, 0, 0);
    recentLayout->addWidget(m_noRecent);
    recentLayout->addWidget(m_recent);
    recentCard->setContent(recentContent);

    auto* machineCard = new Card(tr("This machine"), this);
    m_findings->showMessage(tr("Looking at what this machine can run …"));
    machineCard->setContent(m_findings);

    auto* column = new QWidget(this);
    column->setMaximumWidth(kColumnWidth);
    auto* columnLayout = new QVBoxLayout(column);
    columnLayout->setContentsMargins(Space::kPage, 2 * Space::kPage, Space::kPage, Space::kPage);
    columnLayout->setSpacing(Space::kPage);
    columnLayout->addWidget(makeHead(column));
    columnLayout->addLayout(buttons);
    columnLayout->addWidget(recentCard);
    columnLayout->addWidget(machineCard);
    columnLayout->addStretch(1);

    auto* scrolled = new QWidget(this);
    auto* centre = new QHBoxLayout(scrolled);
    centre->setContentsMargins(0, 0, 0, 0);
    centre->addStretch(1);
    centre->addWidget(column, 10);
    centre->addStretch(1);
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(scrolled);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(scroll);

    connect(open, &QPushButton::clicked, this, &StartPage::openRequested);
    connect(m_openSample, &QPushButton::clicked, this, [this] { emit openPathRequested(samplePath()); });
    connect(m_recent, &QListWidget::itemActivated, this, [this](const QListWidgetItem* item) {
        emit openPathRequested(item->data(RecentDelegate::PathRole).toString());
    });
    refreshRecent();
}

StartPage::~StartPage() = default;

QString StartPage::samplePath()
{
    const QString chosen = qEnvironmentVariable("TRACEDECK_SAMPLE");
    if (!chosen.isEmpty())
        return QFileInfo(chosen).isDir() ? chosen : QString();
    const QString program = QCoreApplication::applicationDirPath();
    for (const char* place : {"../../../resources/sample", "../share/tracedeck/sample"}) {
        const QString path = QDir::cleanPath(program + QLatin1Char('/') + QString::fromLatin1(place));
        if (QFileInfo(path + QStringLiteral("/definitions")).isDir())
            return path;
    }
    return {};
}

void StartPage::setPython(const QString& setting, const QString& option)
{
    if (setting == m_pythonSetting && option == m_pythonOption)
        return;
    m_pythonSetting = setting;
    m_pythonOption = option;
    m_checked = false;
    if (isVisible())
        checkMachine();
}

bool StartPage::isBusy() const { return m_machineJob->isRunning() || m_recentJob->isRunning(); }

void StartPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    refreshRecent();
    checkMachine();
}

void StartPage::refreshRecent()
{
    // A folder on a network drive that is gone may take seconds to say so.
    using Answer = std::vector<RecentState>;
    m_recentJob->start<Answer>(
        [list = RecentDatasets::all()](std::stop_token stop) {
            Answer answer;
            for (const RecentDataset& recent : list) {
                if (stop.stop_requested())
                    break;
                answer.push_back({recent, QFileInfo(recent.path).isDir()});
            }
            return answer;
        },
        [this](const Answer& answer) {
            m_recent->clear();
            for (const auto& [recent, exists] : answer) {
                auto* item = new QListWidgetItem(visibleText(QFileInfo(recent.path).fileName()), m_recent);
                item->setData(RecentDelegate::PathRole, recent.path);
                item->setData(RecentDelegate::CountsRole,
                              exists ? tr("%1 definitions · %2 solutions · %3 traces").arg(countText(recent.definitions), countText(recent.solutions), countText(recent.traces))
                                     : tr("folder not found"));
                const QString share = recent.traces > 0 ? tr("%1 passed").arg(percentText(static_cast<double>(recent.passed()) / static_cast<double>(recent.traces))) : QString();
                if (exists) {
                    item->setData(RecentDelegate::StatusesRole, QVariant::fromValue(QList<qint64>(recent.statuses.begin(), recent.statuses.end())));
                    item->setData(RecentDelegate::ShareRole, share);
                }
                item->setData(RecentDelegate::MissingRole, !exists);
                QStringList lines{recent.path};
                for (int status = 0; status < kStatusCount; ++status)
                    if (const qint64 count = recent.statuses[static_cast<std::size_t>(status)]; count > 0)
                        lines << tr("%1 %2").arg(countText(count), statusLook(static_cast<Status>(status)).word);
                item->setToolTip(plainToolTip(lines.join(QLatin1Char('\n'))));
                item->setData(Qt::AccessibleDescriptionRole, lines.join(QStringLiteral(", ")));
                if (!exists)
                    item->setFlags(item->flags() & ~Qt::ItemIsEnabled);
            }
            const int shown = std::min(m_recent->count(), 6);
            m_recent->setVisible(shown > 0);
            m_noRecent->setVisible(shown == 0);
            if (shown > 0)
                m_recent->setFixedHeight(shown * m_recent->sizeHintForRow(0) + 2);
        });
}

void StartPage::checkMachine()
{
    if (m_checked)
        return;
    m_checked = true;
    using Answer = std::vector<Finding>;
    m_machineJob->start<Answer>(
        [setting = m_pythonSetting.toStdString(), option = m_pythonOption.toStdString()](std::stop_token stop) {
            Answer findings = diagnose(choosePython(setting, option), stop);
            std::erase_if(findings, [](const Finding& finding) { return !concernsRuns(finding); });
            return findings;
        },
        [this](const Answer& findings) { m_findings->showFindings(findings); });
}

}  // namespace tracedeck::ui
