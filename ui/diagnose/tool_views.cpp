// SPDX-License-Identifier: GPL-3.0-or-later
// Looks with tools of others: compute-sanitizer, cuobjdump, Nsight Compute, CUPTI.
#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QProcess>
#include <QPushButton>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

#include "core/run/diagnosis_tools.h"
#include "ui/diagnose/diagnosis_views.h"
#include "ui/diagnose/plain_table_model.h"
#include "ui/models/number_format.h"
#include "ui/style/flow_layout.h"
#include "ui/style/icons.h"
#include "ui/style/labels.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

constexpr int kKernelWidth = 300;
constexpr int kSpanWidth = 220;

QString utf8(const std::string& text) { return QString::fromStdString(text); }
PlainCell countCell(std::uint64_t count) { return {.text = countText(static_cast<qint64>(count)), .exact = QString::number(count)}; }
PlainCell shareCell(const std::optional<double>& percent)
{
    if (!percent)
        return {.text = QStringLiteral("–")};
    return {.text = QString::number(*percent, 'f', 1), .exact = exactText(*percent)};
}

QWidget* withSummary(WrappedLabel* summary, QWidget* body, QWidget* parent)
{
    auto* result = new QWidget(parent);
    auto* layout = new QVBoxLayout(result);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(summary);
    layout->addWidget(body, 1);
    return result;
}

}  // namespace

SanitizerView::SanitizerView(QWidget* parent)
    : DiagnosisView(QStringLiteral("sanitizerView"),
                    tr("Calls the solution once under NVIDIA's compute-sanitizer, on inputs of the workload, each tensor in an allocation of its own. CUDA code is compiled with line "
                       "numbers. This takes minutes for large kernels."),
                    parent),
      m_summary(new WrappedLabel(this)), m_table(new PlainTableModel(this))
{
    for (const auto& [check, text, tip] : {std::tuple{SanitizerCheck::Memory, tr("&memory"), tr("memcheck: reads and writes out of bounds, misaligned ones")},
                                           std::tuple{SanitizerCheck::Races, tr("r&aces"), tr("racecheck: hazards in shared memory")},
                                           std::tuple{SanitizerCheck::Initialisation, tr("&initialisation"), tr("initcheck: global memory that is read before it was written")},
                                           std::tuple{SanitizerCheck::Synchronisation, tr("s&ynchronisation"), tr("synccheck: barriers that not all threads reach")}}) {
        auto* box = new QCheckBox(text, this);
        box->setToolTip(tip);
        box->setChecked(true);
        box->setObjectName(QString::fromUtf8(toString(check).data(), static_cast<qsizetype>(toString(check).size())));
        options()->addWidget(box);
        m_checks.emplace_back(check, box);
    }
    m_table->setColumns({{tr("Check")}, {tr("Count"), true}, {tr("What")}, {tr("Kernel")}, {tr("Source")}, {tr("Address")}, {tr("First seen")}});
    auto* table = makePlainTable(m_table, QStringLiteral("sanitizerTable"), tr("Findings"), this);
    table->setColumnWidth(2, kKernelWidth);
    table->setColumnWidth(3, kKernelWidth);
    setResult(withSummary(m_summary, table, this));
}

void SanitizerView::start()
{
    std::vector<SanitizerCheck> checks;
    for (const auto& [check, box] : m_checks)
        if (box->isChecked())
            checks.push_back(check);
    if (checks.empty()) {
        showMessage(tr("Tick a check first."));
        return;
    }
    look<std::vector<SanitizerReport>>(
        [checks](const DiagnosisTarget& target, const DiagnosisProgress& progress, std::stop_token stop) { return runSanitizer(target, checks, progress, std::move(stop)); },
        [this](const std::vector<SanitizerReport>& reports) { show(reports); });
}

void SanitizerView::show(const std::vector<SanitizerReport>& reports)
{
    QStringList lines;
    std::vector<std::vector<PlainCell>> rows;
    for (const SanitizerReport& report : reports) {
        const QString name = utf8(std::string(toString(report.check)));
        QString line = report.isClean() ? tr("%1: nothing found").arg(name)
                       : report.output.findings.empty() ? tr("%1: it did not end well: %2").arg(name, utf8(report.error))
                                                        : tr("%1: %2 errors in %3 places").arg(name, countText(static_cast<qint64>(report.output.errors))).arg(report.output.findings.size());
        lines << line;
        for (const SanitizerFinding& finding : report.output.findings) {
            QStringList details;
            for (const std::string& detail : finding.details)
                details << utf8(detail);
            rows.push_back({{.text = name}, countCell(finding.count), {.text = utf8(finding.kind), .tip = utf8(finding.kind) + QLatin1Char('\n') + details.join(QLatin1Char('\n'))},
                            {.text = utf8(finding.kernel)}, {.text = utf8(finding.place())}, {.text = utf8(finding.address)}, {.text = utf8(finding.thread)}});
        }
    }
    if (!reports.empty())
        lines << tr("Confinement of the process: %1").arg(utf8(reports.front().confinement));
    m_summary->setText(lines.join(QLatin1Char('\n')));
    m_table->setRows(std::move(rows));
    showResult();
}

GeneratedCodeView::GeneratedCodeView(QWidget* parent)
    : DiagnosisView(QStringLiteral("generatedCodeView"),
                    tr("What the compiler made of a solution in C++ or CUDA, as a run compiles it: registers, shared memory and spills of each kernel, machine code and PTX. The workload does "
                       "not matter."),
                    parent),
      m_summary(new WrappedLabel(this)), m_table(new PlainTableModel(this)), m_sass(new QPushButton(tr("Sho&w SASS"), this)), m_ptx(new QPushButton(tr("Show PT&X"), this))
{
    m_sass->setToolTip(tr("The machine code in a page of its own"));
    m_ptx->setToolTip(tr("The intermediate code in a page of its own"));
    for (QPushButton* button : {m_sass, m_ptx}) {
        button->setEnabled(false);
        options()->addWidget(button);
    }
    m_table->setColumns({{tr("Kernel")}, {tr("For")}, {tr("Registers"), true}, {tr("Shared (bytes)"), true}, {tr("Stack (bytes)"), true}, {tr("Local loads"), true}, {tr("Local stores"), true},
                         {tr("Instructions"), true}});
    auto* table = makePlainTable(m_table, QStringLiteral("generatedCodeTable"), tr("Kernels"), this);
    table->setColumnWidth(0, kKernelWidth);
    setResult(withSummary(m_summary, table, this));
    connect(m_sass, &QPushButton::clicked, this, [this] { emit textRequested(utf8(m_code.sass), tr("SASS")); });
    connect(m_ptx, &QPushButton::clicked, this, [this] { emit textRequested(utf8(m_code.ptx), tr("PTX")); });
}

void GeneratedCodeView::start()
{
    look<GeneratedCode>([](const DiagnosisTarget& target, const DiagnosisProgress& progress, std::stop_token stop) { return inspectCode(target, {}, progress, std::move(stop)); },
                        [this](const GeneratedCode& code) { show(code); });
}

void GeneratedCodeView::show(const GeneratedCode& code)
{
    m_code = code;
    m_sass->setEnabled(!code.sass.empty());
    m_ptx->setEnabled(!code.ptx.empty());
    const bool spills = std::ranges::any_of(code.kernels, [](const KernelResources& kernel) { return kernel.localLoads + kernel.localStores > 0; });
    QStringList lines;
    if (!code.architecture.empty())
        lines << tr("Compute capability %1").arg(utf8(code.architecture));
    if (!code.note.empty())
        lines << utf8(code.note);
    if (spills)
        lines << tr("Local loads and stores are registers that were spilled, or arrays that found no room in registers.");
    m_summary->setText(lines.join(QLatin1Char('\n')));
    std::vector<std::vector<PlainCell>> rows;
    for (const KernelResources& kernel : code.kernels)
        rows.push_back({{.text = utf8(kernel.name)}, {.text = utf8(kernel.architecture)}, countCell(kernel.registers), countCell(kernel.sharedBytes), countCell(kernel.stackBytes),
                        countCell(kernel.localLoads), countCell(kernel.localStores), countCell(kernel.instructions)});
    m_table->setRows(std::move(rows));
    showResult();
}

ProfileView::ProfileView(QWidget* parent)
    : DiagnosisView(QStringLiteral("profileView"),
                    tr("Profiles one call with NVIDIA's Nsight Compute: how near each kernel comes to what the GPU can do, and what its warps wait for. Kernels are repeated with fixed clocks "
                       "and cold caches: the times are no results."),
                    parent),
      m_set(new QComboBox(this)), m_open(new QPushButton(tr("&Open the report"), this)), m_summary(new WrappedLabel(this)), m_kernels(new PlainTableModel(this)), m_details(new PlainTableModel(this))
{
    for (const ProfileSet& set : profileSets())
        m_set->addItem(QString::fromUtf8(set.title.data(), static_cast<qsizetype>(set.title.size())), QString::fromUtf8(set.name.data(), static_cast<qsizetype>(set.name.size())));
    m_set->setAccessibleName(tr("Set of metrics"));
    m_set->setToolTip(tr("How much is measured; larger sets repeat each kernel more often"));
    m_open->setToolTip(tr("Open the report in Nsight Compute's own window (ncu-ui)"));
    m_open->setEnabled(false);
    options()->addWidget(m_set);
    options()->addWidget(m_open);
    m_kernels->setColumns({{tr("Kernel")}, {tr("µs"), true}, {tr("Compute %"), true}, {tr("Memory %"), true}, {tr("DRAM %"), true}, {tr("Occupancy %"), true}, {tr("possible %"), true},
                           {tr("Registers"), true}, {tr("Grid")}, {tr("Block")}, {tr("Waits for")}});
    m_details->setColumns({{tr("Metric")}, {tr("Value"), true}});
    auto* table = makePlainTable(m_kernels, QStringLiteral("profileTable"), tr("Kernels"), this);
    table->setColumnWidth(0, kKernelWidth);
    auto* details = makePlainTable(m_details, QStringLiteral("profileMetrics"), tr("All metrics of the kernel that is chosen"), this);
    details->setColumnWidth(0, 2 * kKernelWidth);
    auto* splitter = new QSplitter(Qt::Vertical, this);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(table);
    splitter->addWidget(details);
    setResult(withSummary(m_summary, splitter, this));
    connect(m_open, &QPushButton::clicked, this, &ProfileView::openReport);
    connect(table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& current) { showKernel(current.row()); });
}

void ProfileView::start()
{
    m_open->setEnabled(false);
    look<ProfileReport>([set = m_set->currentData().toString().toStdString()](const DiagnosisTarget& target, const DiagnosisProgress& progress,
                                                                              std::stop_token stop) { return profileCall(target, set, {}, progress, std::move(stop)); },
                        [this](const ProfileReport& report) { show(report); });
}

void ProfileView::show(const ProfileReport& report)
{
    m_report = report;
    m_open->setEnabled(!report.report.empty());
    if (report.kernels.empty()) {
        showMessage(tr("There are no figures: %1").arg(utf8(report.error)));
        return;
    }
    QStringList lines;
    if (!report.report.empty())
        lines << tr("Report: %1").arg(utf8(report.report.string()));
    lines << tr("Confinement of the process: %1").arg(utf8(report.confinement));
    m_summary->setText(lines.join(QLatin1Char('\n')));
    std::vector<std::vector<PlainCell>> rows;
    for (const KernelProfile& kernel : report.kernels) {
        QStringList stalls;
        for (const auto& [reason, cycles] : kernel.stalls)
            stalls << QStringLiteral("%1 %2").arg(utf8(reason), QString::number(cycles, 'f', 1));
        rows.push_back({{.text = utf8(kernel.name)},
                        {.text = kernel.durationUs ? significantText(*kernel.durationUs) : QStringLiteral("–")},
                        shareCell(kernel.computePercent),
                        shareCell(kernel.memoryPercent),
                        shareCell(kernel.dramPercent),
                        shareCell(kernel.occupancyPercent),
                        shareCell(kernel.possibleOccupancyPercent),
                        {.text = kernel.registers ? QString::number(*kernel.registers) : QStringLiteral("–")},
                        {.text = utf8(kernel.grid)},
                        {.text = utf8(kernel.block)},
                        {.text = stalls.mid(0, 3).join(QStringLiteral(", ")), .tip = tr("Cycles a warp waits for each instruction:") + QLatin1Char('\n') + stalls.join(QLatin1Char('\n'))}});
    }
    m_kernels->setRows(std::move(rows));
    showKernel(0);
    showResult();
}

void ProfileView::showKernel(int row)
{
    std::vector<std::vector<PlainCell>> rows;
    if (row >= 0 && static_cast<std::size_t>(row) < m_report.kernels.size())
        for (const auto& [metric, value] : m_report.kernels[static_cast<std::size_t>(row)].metrics)
            rows.push_back({{.text = utf8(metric)}, {.text = utf8(value)}});
    m_details->setRows(std::move(rows));
}

void ProfileView::openReport()
{
    const auto program = findTool(DiagnosisTool::NsightComputeWindow);
    if (!program || !QProcess::startDetached(utf8(program->string()), {utf8(m_report.report.string())}))
        m_summary->setText(program ? tr("%1 could not be started.").arg(utf8(program->string())) : utf8(program.error().reason) + QLatin1Char('\n') + tr("Report: %1").arg(utf8(m_report.report.string())));
}

TimelineView::TimelineView(QWidget* parent)
    : DiagnosisView(QStringLiteral("timelineView"), tr("Records what the GPU does in one call, after three to warm up: kernels, copies and fills, how large and when (CUPTI)."), parent),
      m_keep(new QPushButton(tr("&Keep for reports"), this)), m_summary(new WrappedLabel(this)), m_table(new PlainTableModel(this)), m_keepJob(new LatestJob(this))
{
    m_keep->setObjectName(QStringLiteral("keepTimeline"));
    m_keep->setToolTip(tr("Reports on this dataset show it with the solution, in place of an earlier one"));
    m_keep->setEnabled(false);
    options()->addWidget(m_keep);
    connect(m_keep, &QPushButton::clicked, this, &TimelineView::keep);
    m_table->setColumns({{tr("Start (µs)"), true}, {tr("µs"), true}, {tr("When")}, {tr("What")}, {tr("Grid")}, {tr("Block")}, {tr("Registers"), true}, {tr("Shared (bytes)"), true}, {tr("Bytes"), true},
                         {tr("Stream"), true}});
    auto* table = makePlainTable(m_table, QStringLiteral("timelineTable"), tr("What the GPU did"), this);
    table->setItemDelegateForColumn(2, new SpanDelegate(table));
    table->setColumnWidth(2, kSpanWidth);
    table->setColumnWidth(3, kKernelWidth);
    setResult(withSummary(m_summary, table, this));
}

void TimelineView::start()
{
    m_keep->setEnabled(false);
    auto recorded = std::make_shared<DiagnosisTarget>();
    look<Timeline>(
        [recorded](const DiagnosisTarget& target, const DiagnosisProgress& progress, std::stop_token stop) {
            *recorded = target;
            return recordTimeline(target, progress, std::move(stop));
        },
        [this, recorded](const Timeline& timeline) {
            m_recorded = recorded;
            m_timeline = std::make_shared<const Timeline>(timeline);
            show(timeline);
            m_keep->setEnabled(!timeline.entries.empty());
        });
}

void TimelineView::keep()
{
    m_keep->setEnabled(false);
    m_keepJob->start<Result<void>>([recorded = m_recorded, timeline = m_timeline](std::stop_token) { return keepTimelineOf(*recorded, *timeline); },
                                   [this](const Result<void>& kept) {
                                       m_summary->setText(kept ? tr("Kept in the dataset (tracedeck/timelines): reports show it with the solution.") : tr("It could not be kept: %1").arg(utf8(kept.error().toString())));
                                       m_keep->setEnabled(!kept);
                                   });
}

void TimelineView::show(const Timeline& timeline)
{
    if (timeline.entries.empty()) {
        showMessage(tr("There is no timeline: %1").arg(utf8(timeline.error)));
        return;
    }
    m_summary->setText(tr("%1 activities in %2 µs; nothing ran for %3 µs of them.")
                           .arg(countText(static_cast<qint64>(timeline.entries.size())), significantText(timeline.spanUs), significantText(timeline.gapsUs())));
    std::vector<std::vector<PlainCell>> rows;
    const double span = std::max(timeline.spanUs, 1e-9);
    for (const TimelineEntry& entry : timeline.entries) {
        const bool isKernel = entry.kind == TimelineEntry::Kind::Kernel;
        rows.push_back({{.text = QString::number(entry.startUs, 'f', 2), .exact = exactText(entry.startUs)},
                        {.text = QString::number(entry.durationUs, 'f', 2), .exact = exactText(entry.durationUs)},
                        {.tip = tr("%1 µs to %2 µs").arg(entry.startUs, 0, 'f', 2).arg(entry.startUs + entry.durationUs, 0, 'f', 2),
                         .barFrom = entry.startUs / span,
                         .barTo = (entry.startUs + entry.durationUs) / span},
                        {.text = utf8(entry.name)},
                        {.text = QString::fromStdString(launchSizeText(entry.grid))},
                        {.text = QString::fromStdString(launchSizeText(entry.block))},
                        isKernel ? countCell(entry.registers) : PlainCell{},
                        isKernel ? countCell(entry.sharedBytes) : PlainCell{},
                        isKernel ? PlainCell{} : countCell(entry.bytes),
                        countCell(entry.stream)});
    }
    m_table->setRows(std::move(rows));
    showResult();
}

}  // namespace tracedeck::ui
