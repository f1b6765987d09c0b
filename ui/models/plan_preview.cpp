// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/plan_preview.h"

#include <QCoreApplication>
#include <QStringList>
#include <utility>

#include "core/model/text.h"
#include "core/run/run_settings.h"
#include "ui/models/number_format.h"
#include "ui/style/text.h"

namespace tracedeck::ui {
namespace {

QString bytesOf(std::uint64_t bytes) { return QString::fromStdString(tracedeck::bytesText(bytes, "B")); }

QString sourceText(EstimateSource source)
{
    switch (source) {
    case EstimateSource::Solution: return QCoreApplication::translate("PlanPreview", "From how long evaluations of the solution took before");
    case EstimateSource::Definition: return QCoreApplication::translate("PlanPreview", "From how long evaluations of the definition took before");
    case EstimateSource::Latency: return QCoreApplication::translate("PlanPreview", "From the latencies of an earlier trace");
    case EstimateSource::Usual: break;
    }
    return QCoreApplication::translate("PlanPreview", "Nothing is known of it: what an evaluation takes as a rule");
}

/// What stands in the last column: done before, or where it does not fit.
QString noteOf(const PairPreview& pair, const std::vector<DevicePreview>& devices)
{
    if (pair.isSkipped)
        return QCoreApplication::translate("PlanPreview", "done before: skipped");
    QStringList tight;
    for (const DevicePreview& device : devices)
        if (device.freeBytes && pair.bytes > *device.freeBytes)
            tight << QString::fromStdString(device.device);
    return tight.isEmpty() ? QString() : QCoreApplication::translate("PlanPreview", "more memory than %1 has free").arg(tight.join(QStringLiteral(", ")));
}

QString memoryText(const RunPreview& preview)
{
    QStringList lines;
    for (const DevicePreview& device : preview.devices) {
        const QString name = device.hardware.empty() ? QString::fromStdString(device.device) : QStringLiteral("%1 (%2)").arg(QString::fromStdString(device.device), QString::fromStdString(device.hardware));
        QString line = device.freeBytes && device.totalBytes
                           ? QCoreApplication::translate("PlanPreview", "%1: %2 of %3 free").arg(name, bytesOf(*device.freeBytes), bytesOf(*device.totalBytes))
                           : QCoreApplication::translate("PlanPreview", "%1: nobody knows how much memory is free").arg(name);
        if (device.tooLarge > 0)
            line += QStringLiteral("; ") + QCoreApplication::translate("PlanPreview", "%1 pairs need more").arg(countText(static_cast<qint64>(device.tooLarge)));
        lines << line;
    }
    if (preview.mostBytes > 0)
        lines << QCoreApplication::translate("PlanPreview", "The largest workload needs %1, and what solutions allocate themselves").arg(bytesOf(preview.mostBytes));
    return lines.join(QLatin1Char('\n'));
}

QString summaryText(const RunPreview& preview)
{
    const auto count = [](std::size_t number) { return countText(static_cast<qint64>(number)); };
    if (preview.plan.pairs.empty())
        return preview.plan.skippedByResume > 0 ? QCoreApplication::translate("PlanPreview", "Nothing is left to do: all %1 pairs are measured already").arg(count(preview.plan.skippedByResume))
                                                : QCoreApplication::translate("PlanPreview", "No pair is what was asked for");
    QStringList parts{QCoreApplication::translate("PlanPreview", "%1 pairs, about %2").arg(count(preview.plan.pairs.size()), spanText(preview.seconds)),
                      QCoreApplication::translate("PlanPreview", "%1 of them by how long earlier ones took").arg(count(preview.estimated))};
    if (preview.plan.skippedByResume > 0)
        parts << QCoreApplication::translate("PlanPreview", "%1 done before").arg(count(preview.plan.skippedByResume));
    if (preview.plan.notWanted > 0)
        parts << QCoreApplication::translate("PlanPreview", "%1 not asked for").arg(count(preview.plan.notWanted));
    if (preview.plan.leftOut > 0)
        parts << QCoreApplication::translate("PlanPreview", "%1 can't be run here").arg(count(preview.plan.leftOut));
    return parts.join(QStringLiteral(" · "));
}

}  // namespace

std::vector<PlainTableModel::Column> planColumns()
{
    return {{QCoreApplication::translate("PlanPreview", "Definition")}, {QCoreApplication::translate("PlanPreview", "Solution")}, {QCoreApplication::translate("PlanPreview", "Axes")},
            {QCoreApplication::translate("PlanPreview", "About"), true}, {QCoreApplication::translate("PlanPreview", "Memory"), true}, {QCoreApplication::translate("PlanPreview", "Note")}};
}

Result<std::shared_ptr<PlanPreview>> planPreview(const RunRequest& request, const std::stop_token& stop)
{
    auto preview = previewRun(request, stop);
    if (!preview)
        return preview.error();
    auto shown = std::make_shared<PlanPreview>();
    shown->preview = std::move(*preview);
    const RunPreview& plan = shown->preview;
    shown->rows.reserve(plan.pairs.size());
    for (const PairPreview& pair : plan.pairs) {
        if (stop.stop_requested())
            return Error{ErrorCode::Cancelled, "cancelled", {}, 0, {}};
        const auto& workloads = request.dataset->workloadsOf(pair.pair.definition);
        const QString axes = pair.pair.workload < workloads.size() ? axesText(workloads[pair.pair.workload].workload) : QString();
        shown->rows.push_back({{.text = QString::fromStdString(pair.pair.definition)},
                               {.text = QString::fromStdString(pair.pair.solution)},
                               {.text = axes, .tip = QString::fromStdString(pair.pair.workloadUuid)},
                               {.text = spanText(pair.seconds), .tip = sourceText(pair.source), .exact = exactText(pair.seconds)},
                               {.text = pair.bytes > 0 ? bytesOf(pair.bytes) : QStringLiteral("–"), .exact = QString::number(pair.bytes)},
                               {.text = noteOf(pair, plan.devices)}});
    }
    shown->summary = summaryText(plan);
    shown->memory = memoryText(plan);
    for (const DevicePreview& device : plan.devices)
        shown->isTight = shown->isTight || device.tooLarge > 0;
    QStringList problems;
    for (const Problem& problem : plan.plan.problems)
        problems << QString::fromStdString(problem.error.toString());
    shown->problems = problems.join(QLatin1Char('\n'));
    shown->command = runCommand(request);
    if (shown->command)
        shown->command->insert(shown->command->begin(), "tracedeck");
    return shown;
}

}  // namespace tracedeck::ui
