// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/policy_text.h"

#include <QCoreApplication>

namespace tracedeck::ui {

QString policyTitle(SelectionPolicy policy)
{
    switch (policy) {
    case SelectionPolicy::Newest: return QCoreApplication::translate("Policy", "Newest");
    case SelectionPolicy::NewestPassing: return QCoreApplication::translate("Policy", "Newest passing");
    case SelectionPolicy::LowestMedian: return QCoreApplication::translate("Policy", "Lowest median");
    case SelectionPolicy::MiddleRun: return QCoreApplication::translate("Policy", "Middle run");
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
    case SelectionPolicy::All: return QCoreApplication::translate("Policy", "Every trace counts by itself.");
    }
    return {};
}

}  // namespace tracedeck::ui
