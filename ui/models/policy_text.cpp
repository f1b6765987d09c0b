// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/policy_text.h"

#include <QCoreApplication>

#include "core/model/timestamp.h"
#include "core/score/policy_view.h"
#include "ui/models/number_format.h"

namespace tracedeck::ui {

QString policyTitle(SelectionPolicy policy)
{
    switch (policy) {
    case SelectionPolicy::Newest: return QCoreApplication::translate("Policy", "Newest");
    case SelectionPolicy::NewestPassing: return QCoreApplication::translate("Policy", "Newest passing");
    case SelectionPolicy::LowestMedian: return QCoreApplication::translate("Policy", "Lowest median");
    case SelectionPolicy::MiddleRun: return QCoreApplication::translate("Policy", "Middle run");
    case SelectionPolicy::Pooled: return QCoreApplication::translate("Policy", "Pooled samples");
    case SelectionPolicy::PinnedRun: return QCoreApplication::translate("Policy", "Pinned run");
    case SelectionPolicy::All: return QCoreApplication::translate("Policy", "All traces");
    }
    return {};
}

QString policyText(SelectionPolicy policy)
{
    switch (policy) {
    case SelectionPolicy::Newest: return QCoreApplication::translate("Policy", "newest per pair");
    case SelectionPolicy::NewestPassing: return QCoreApplication::translate("Policy", "newest passing per pair");
    case SelectionPolicy::LowestMedian: return QCoreApplication::translate("Policy", "lowest median per pair");
    case SelectionPolicy::MiddleRun: return QCoreApplication::translate("Policy", "middle run per pair");
    case SelectionPolicy::Pooled: return QCoreApplication::translate("Policy", "pooled samples per pair");
    case SelectionPolicy::PinnedRun: return QCoreApplication::translate("Policy", "pinned run");
    case SelectionPolicy::All: return QCoreApplication::translate("Policy", "all traces");
    }
    return {};
}

QString policySentence(SelectionPolicy policy)
{
    switch (policy) {
    case SelectionPolicy::Newest:
        return QCoreApplication::translate("Policy", "The newest trace of each solution, workload and GPU counts; a failure after a pass is a failure.");
    case SelectionPolicy::NewestPassing:
        return QCoreApplication::translate("Policy", "The newest trace that passed counts, of each solution, workload and GPU; a failure only where none passed.");
    case SelectionPolicy::LowestMedian:
        return QCoreApplication::translate("Policy", "The trace that passed with the lowest latency, itself a median, counts, of each solution, workload and GPU.");
    case SelectionPolicy::MiddleRun:
        return QCoreApplication::translate("Policy", "Of the traces that passed, the one whose latency is in the middle counts, of each solution, workload and GPU.");
    case SelectionPolicy::Pooled:
        return QCoreApplication::translate("Policy", "Each solution, workload and GPU has one figure from all traces that passed: the median of their samples together, or of their latencies where not all kept samples.");
    case SelectionPolicy::PinnedRun:
        return QCoreApplication::translate("Policy", "Only traces of one run count: the newest one of each solution, workload and GPU. What was not measured in it has no figure.");
    case SelectionPolicy::All: return QCoreApplication::translate("Policy", "Every trace counts by itself.");
    }
    return {};
}

QString runTitle(std::int64_t start) { return runTitle(timestampText(start)); }

QString runTitle(const std::string& timestamp, bool withSeconds)
{
    constexpr qsizetype kToMinute = 16;
    constexpr qsizetype kToSecond = 19;
    return QString::fromStdString(timestamp).left(withSeconds ? kToSecond : kToMinute).replace(QLatin1Char('T'), QLatin1Char(' '));
}

QString policyViewText(const Dataset& dataset)
{
    const PolicyView* view = dataset.policyView();
    if (!view)
        return {};
    if (view->pinnedRun)
        return QCoreApplication::translate("Policy", "Pinned: the run from %1 to %2.").arg(runTitle(view->pinnedRun->start), runTitle(view->pinnedRun->end));
    const PoolCounts counts = countPools(*view);
    return QCoreApplication::translate("Policy", "Pairs measured several times: %1 from the samples of all runs together, %2 from the medians of the runs.")
        .arg(countText(static_cast<qint64>(counts.fromSamples)), countText(static_cast<qint64>(counts.fromMedians)));
}

}  // namespace tracedeck::ui
