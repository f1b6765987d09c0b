// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/comparison_look.h"

#include <QCoreApplication>

#include "ui/style/status_look.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

QColor colorOf(ComparisonVerdict verdict)
{
    const bool dark = isDarkTheme();
    switch (verdict) {
    case ComparisonVerdict::Faster:
    case ComparisonVerdict::NowPassing: return statusColor(Status::Passed, dark);
    case ComparisonVerdict::Slower:
    case ComparisonVerdict::NowFailing: return statusColor(Status::RuntimeError, dark);
    case ComparisonVerdict::CannotTell: return statusColor(Status::IncorrectNumerical, dark);
    case ComparisonVerdict::New: return themeColors().accent;
    case ComparisonVerdict::Same:
    case ComparisonVerdict::Missing:
    case ComparisonVerdict::StillFailing: break;
    }
    return themeColors().muted;
}

}  // namespace

ComparisonLook comparisonLook(ComparisonVerdict verdict)
{
    const QColor color = colorOf(verdict);
    switch (verdict) {
    case ComparisonVerdict::Same:
        return {QCoreApplication::translate("ComparisonLook", "same"), QStringLiteral("="), QCoreApplication::translate("ComparisonLook", "The whole interval lies within the margin"), color};
    case ComparisonVerdict::Faster:
        return {QCoreApplication::translate("ComparisonLook", "faster"), QStringLiteral("▲"), QCoreApplication::translate("ComparisonLook", "B takes less time than A, with certainty"), color};
    case ComparisonVerdict::Slower:
        return {QCoreApplication::translate("ComparisonLook", "slower"), QStringLiteral("▼"), QCoreApplication::translate("ComparisonLook", "B takes more time than A, with certainty"), color};
    case ComparisonVerdict::CannotTell:
        return {QCoreApplication::translate("ComparisonLook", "can't tell"), QStringLiteral("?"), QCoreApplication::translate("ComparisonLook", "The times are too noisy, too few, or of different kinds"), color};
    case ComparisonVerdict::New:
        return {QCoreApplication::translate("ComparisonLook", "new"), QStringLiteral("+"), QCoreApplication::translate("ComparisonLook", "Only B has a result"), color};
    case ComparisonVerdict::Missing:
        return {QCoreApplication::translate("ComparisonLook", "missing"), QStringLiteral("−"), QCoreApplication::translate("ComparisonLook", "Only A has a result"), color};
    case ComparisonVerdict::NowFailing:
        return {QCoreApplication::translate("ComparisonLook", "now failing"), QStringLiteral("!"), QCoreApplication::translate("ComparisonLook", "A passed, B did not"), color};
    case ComparisonVerdict::NowPassing:
        return {QCoreApplication::translate("ComparisonLook", "now passing"), QStringLiteral("✓"), QCoreApplication::translate("ComparisonLook", "B passed, A did not"), color};
    case ComparisonVerdict::StillFailing: break;
    }
    return {QCoreApplication::translate("ComparisonLook", "still failing"), QStringLiteral("✕"), QCoreApplication::translate("ComparisonLook", "Neither A nor B passed"), color};
}

}  // namespace tracedeck::ui
