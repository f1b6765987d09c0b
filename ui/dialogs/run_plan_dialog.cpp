// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/run_plan_dialog.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QTableView>
#include <QTimer>
#include <QVBoxLayout>
#include <array>
#include <utility>

#include "core/run/run_settings.h"
#include "core/run/runner.h"
#include "ui/diagnose/plain_table_model.h"
#include "ui/dialogs/plan_settings.h"
#include "ui/models/latest_job.h"
#include "ui/models/number_format.h"
#include "ui/models/plan_preview.h"
#include "ui/pages/work_bar.h"
#include "ui/run/run_controller.h"
#include "ui/style/icons.h"
#include "ui/style/labels.h"
#include "ui/style/primary_button.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

/// A pause in typing after which the plan is made anew.
constexpr int kPlanDebounceMs = 200;
constexpr int kSettingsWidth = 400;
constexpr int kPlanProblemsHeight = 84;
constexpr QSize kPlanSize{1120, 700};

enum Source { kSelected, kEverything };

struct PlanDevices {
    std::vector<std::string> available;
    std::vector<std::string> standard;
};

}  // namespace

RunPlanDialog::RunPlanDialog(const RunRequest& request, RunController* controller, QWidget* parent)
    : QDialog(parent), m_base(request), m_controller(controller), m_settings(new PlanSettings(this)), m_model(new PlainTableModel(this)), m_debounce(new QTimer(this)),
      m_job(new LatestJob(this)), m_devicesJob(new LatestJob(this))
{
    setObjectName(QStringLiteral("runPlanDialog"));
    setWindowTitle(tr("Plan run"));
    auto* scroll = new QScrollArea(this);
    scroll->setWidget(m_settings);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFixedWidth(kSettingsWidth);
    auto* right = new QVBoxLayout;
    right->setSpacing(Space::kNormal);
    auto* columns = new QHBoxLayout;
    columns->setSpacing(Space::kPage);
    columns->addWidget(scroll);
    columns->addLayout(right, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(Space::kWide);
    layout->addLayout(columns, 1);
    buildChoice(right);
    buildPreview(right);
    buildButtons(layout);
    resize(kPlanSize);
    m_debounce->setSingleShot(true);
    m_debounce->setInterval(kPlanDebounceMs);
    connect(m_debounce, &QTimer::timeout, this, &RunPlanDialog::startPreview);
    connect(m_settings, &PlanSettings::changed, this, &RunPlanDialog::requestPreview);
    connect(m_settings, &PlanSettings::failed, this, &RunPlanDialog::showFailure);
    for (const auto signal : {&RunController::started, &RunController::cancelled})
        connect(controller, signal, this, &RunPlanDialog::updateButtons);
    connect(controller, &RunController::finished, this, &RunPlanDialog::updateButtons);
    m_settings->setRequest(request);
    m_devicesJob->start<PlanDevices>([](std::stop_token) { return PlanDevices{availableDevices(), defaultDevices()}; }, [this](const PlanDevices& found) {
        if (auto now = m_settings->request()) {   // what was chosen meanwhile
            if (now->devices.empty())
                now->devices = found.standard;
            m_settings->setRequest(*now);
        }
        m_settings->setDevices(found.available);
    });
    updateButtons();
}

RunPlanDialog::~RunPlanDialog() = default;

bool RunPlanDialog::isBusy() const { return m_debounce->isActive() || m_job->isRunning() || m_devicesJob->isRunning() || m_settings->isBusy(); }

void RunPlanDialog::buildChoice(QBoxLayout* right)
{
    m_source = new QComboBox(this);
    m_source->setObjectName(QStringLiteral("planSource"));
    m_source->addItem(tr("What is selected: %1 pairs").arg(countText(static_cast<qint64>(m_base.pairs.size()))), kSelected);
    m_source->addItem(tr("The whole dataset"), kEverything);
    m_source->setCurrentIndex(m_base.pairs.empty() ? kEverything : kSelected);
    m_source->setToolTip(tr("Which pairs of a solution and a workload are considered"));
    m_source->setAccessibleName(tr("Pairs that are considered"));
    const auto check = [this](const char* name, const QString& text, const QString& tip) {
        auto* box = new QCheckBox(text, this);
        box->setObjectName(QString::fromLatin1(name));
        box->setToolTip(tip);
        connect(box, &QCheckBox::toggled, this, &RunPlanDialog::requestPreview);
        return box;
    };
    m_failed = check("planFailed", tr("&failed"), tr("Pairs whose newest evaluation did not pass"));
    m_neverRun = check("planNeverRun", tr("&never run here"), tr("Pairs without an evaluation on the hardware of the chosen devices"));
    m_outdated = check("planOutdated", tr("&outdated"), tr("Pairs whose newest evaluation judged another source than the solution has now"));
    m_resume = check("planResume", tr("s&kip what is measured"), tr("Leave out pairs that have a result already, whatever it is"));
    m_resume->setChecked(m_base.resume);
    auto* row = new QHBoxLayout;
    row->setSpacing(Space::kNormal);
    row->addWidget(m_source);
    row->addWidget(new QLabel(tr("only"), this));
    for (QCheckBox* box : {m_failed, m_neverRun, m_outdated})
        row->addWidget(box);
    row->addStretch(1);
    row->addWidget(m_resume);
    right->addLayout(row);
    connect(m_source, &QComboBox::activated, this, &RunPlanDialog::requestPreview);
    // "Failed" and "skip what is measured" would leave nothing.
    for (QCheckBox* box : {m_failed, m_neverRun, m_outdated})
        connect(box, &QCheckBox::toggled, this, [this](bool on) {
            if (on)
                m_resume->setChecked(false);
        });
    connect(m_resume, &QCheckBox::toggled, this, [this](bool on) {
        for (QCheckBox* box : {m_failed, m_neverRun, m_outdated})
            if (on)
                box->setChecked(false);
    });
}

void RunPlanDialog::buildPreview(QBoxLayout* right)
{
    m_work = new WorkBar(this);
    m_model->setColumns(planColumns());
    m_view = makePlainTable(m_model, QStringLiteral("planTable"), tr("Pairs that would be run"), this);
    m_view->setTextElideMode(Qt::ElideMiddle);
    m_view->horizontalHeader()->setStretchLastSection(false);
    m_view->horizontalHeader()->setSectionResizeMode(1, QHeaderView::Stretch);
    constexpr std::array kWidths{140, 140, 100, 64, 76, 180};
    for (int column = 0; column < static_cast<int>(kWidths.size()); ++column)
        m_view->setColumnWidth(column, kWidths[static_cast<std::size_t>(column)]);
    m_summary = new WrappedLabel(this);
    m_summary->setObjectName(QStringLiteral("planSummary"));
    m_summary->setMuted(false);
    m_memory = new WrappedLabel(this);
    m_memory->setObjectName(QStringLiteral("planMemory"));
    m_problems = new QPlainTextEdit(this);
    m_problems->setObjectName(QStringLiteral("planProblems"));
    m_problems->setAccessibleName(tr("What is left out, and why"));
    m_problems->setReadOnly(true);
    m_problems->setMaximumHeight(kPlanProblemsHeight);
    m_problems->hide();
    right->addWidget(m_work);
    right->addWidget(m_view, 1);
    right->addWidget(m_summary);
    right->addWidget(m_memory);
    right->addWidget(m_problems);
    connect(m_work, &WorkBar::cancelRequested, this, [this] {
        m_job->cancel();
        m_work->stop();
        m_summary->setText(tr("The plan was not made: change something to make it."));
    });
}

void RunPlanDialog::buildButtons(QBoxLayout* below)
{
    m_note = new WrappedLabel(this);
    m_note->setObjectName(QStringLiteral("planNote"));
    m_copy = new QPushButton(icon(QStringLiteral("copy")), tr("Copy as co&mmand"), this);
    m_copy->setObjectName(QStringLiteral("copyCommand"));
    m_copy->setToolTip(tr("The line for a shell that runs the same with the same settings"));
    auto* close = new QPushButton(tr("&Close"), this);
    close->setToolTip(tr("Run nothing"));
    m_run = new PrimaryButton(icon(QStringLiteral("run")), tr("&Run"), this);
    m_run->setObjectName(QStringLiteral("planRun"));
    m_run->setDefault(true);
    auto* row = new QHBoxLayout;
    row->setSpacing(Space::kNormal);
    row->addWidget(m_note, 1);
    row->addWidget(m_copy);
    row->addWidget(close);
    row->addWidget(m_run);
    below->addLayout(row);
    connect(m_copy, &QPushButton::clicked, this, &RunPlanDialog::copyCommand);
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_run, &QPushButton::clicked, this, &RunPlanDialog::run);
}

Result<RunRequest> RunPlanDialog::request() const
{
    auto request = m_settings->request();
    if (!request)
        return request;
    if (m_source->currentData().toInt() == kEverything)
        request->pairs.clear();
    else if (request->pairs.empty())
        return Error{ErrorCode::Usage, tr("Nothing is selected in the window: choose the whole dataset, or tick something in the tree first").toStdString(), {}, 0, {}};
    request->only.clear();
    for (const auto& [box, only] : {std::pair{m_failed, RunOnly::Failed}, {m_neverRun, RunOnly::NeverRun}, {m_outdated, RunOnly::Outdated}})
        if (box->isChecked())
            request->only.insert(only);
    request->resume = m_resume->isChecked();
    return request;
}

void RunPlanDialog::requestPreview()
{
    m_preview.reset();
    m_job->cancel();
    m_debounce->start();
    updateButtons();
}

void RunPlanDialog::startPreview()
{
    auto wanted = request();
    if (!wanted) {
        showPreview(wanted.error());
        return;
    }
    m_previewed = *wanted;
    m_work->start(tr("Looking at what was measured before …"));
    m_job->start<Result<std::shared_ptr<PlanPreview>>>([request = std::move(*wanted)](std::stop_token stop) { return planPreview(request, stop); },
                                                             [this](const Result<std::shared_ptr<PlanPreview>>& preview) { showPreview(preview); });
}

void RunPlanDialog::showPreview(const Result<std::shared_ptr<PlanPreview>>& preview)
{
    m_work->stop();
    // Ten thousand rows are not copied.
    m_model->setRows(preview ? std::exchange((*preview)->rows, {}) : std::vector<std::vector<PlainCell>>());
    m_preview = preview ? *preview : nullptr;
    m_summary->setText(m_preview ? m_preview->summary : QString::fromStdString(preview.error().toString()));
    m_memory->setText(m_preview ? m_preview->memory : QString());
    m_memory->setMuted(!(m_preview && m_preview->isTight));
    const QString problems = m_preview ? m_preview->problems : QString();
    m_problems->setPlainText(visibleLines(problems));
    m_problems->setVisible(!problems.isEmpty());
    updateButtons();
}

void RunPlanDialog::showFailure(const QString& reason) { m_note->setText(reason); }

void RunPlanDialog::copyCommand()
{
    if (!m_preview)
        return;
    if (!m_preview->command) {
        m_note->setText(QString::fromStdString(m_preview->command.error().reason));
        if (m_preview->command.error().field == "config")
            m_settings->saveYaml();
        return;
    }
    QApplication::clipboard()->setText(QString::fromStdString(shellQuoted(*m_preview->command)));
    m_note->setText(tr("Copied."));
}

void RunPlanDialog::run()
{
    if (!m_preview || m_preview->preview.plan.pairs.empty())
        return;
    RunRequest request = m_previewed;
    request.pairs.clear();
    for (const RunPair& pair : m_preview->preview.plan.pairs)
        request.pairs.emplace(pair.solution, pair.workloadUuid);
    request.only.clear();
    request.resume = false;
    emit runRequested(request);
    accept();
}

void RunPlanDialog::updateButtons()
{
    const std::size_t pairs = m_preview ? m_preview->preview.plan.pairs.size() : 0;
    const bool isRunning = m_controller->isRunning();
    const QString number = countText(static_cast<qint64>(pairs));
    m_run->setText(isRunning ? tr("&Add to the run (%1)").arg(number) : tr("&Run (%1)").arg(number));
    m_run->setEnabled(pairs > 0 && (!isRunning || m_controller->isSteerable()));
    m_copy->setEnabled(m_preview != nullptr && pairs > 0);
    m_note->setText(isRunning ? tr("A run is on: these pairs are added to it, and its settings hold for them.") : QString());
}

}  // namespace tracedeck::ui
