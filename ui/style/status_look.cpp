// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/status_look.h"

#include <QCoreApplication>

#include "ui/style/icons.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

enum class Family { Passed, Wrong, Error, Timeout, Caught };

Family familyOf(Status status)
{
    switch (status) {
    case Status::Passed: return Family::Passed;
    case Status::IncorrectShape:
    case Status::IncorrectNumerical:
    case Status::IncorrectDtype: return Family::Wrong;
    case Status::RuntimeError:
    case Status::CompileError:
    case Status::InvalidReference:
    case Status::Other: return Family::Error;
    case Status::RewardHack: return Family::Caught;
    case Status::Timeout: return Family::Timeout;
    }
    return Family::Error;
}

QString wordOf(Status status)
{
    switch (status) {
    case Status::Passed: return QCoreApplication::translate("StatusLook", "passed");
    case Status::IncorrectShape: return QCoreApplication::translate("StatusLook", "wrong shape");
    case Status::IncorrectNumerical: return QCoreApplication::translate("StatusLook", "wrong values");
    case Status::IncorrectDtype: return QCoreApplication::translate("StatusLook", "wrong dtype");
    case Status::RuntimeError: return QCoreApplication::translate("StatusLook", "runtime error");
    case Status::CompileError: return QCoreApplication::translate("StatusLook", "compile error");
    case Status::Timeout: return QCoreApplication::translate("StatusLook", "timeout");
    case Status::InvalidReference: return QCoreApplication::translate("StatusLook", "reference failed");
    case Status::RewardHack: return QCoreApplication::translate("StatusLook", "reward hack");
    case Status::Other: return QCoreApplication::translate("StatusLook", "unknown status");
    }
    return {};
}

}  // namespace

QColor statusColor(Status status, bool dark)
{
    switch (familyOf(status)) {
    case Family::Passed: return QColor::fromRgb(dark ? 0x4CC38A : 0x157A4C);
    case Family::Wrong: return QColor::fromRgb(dark ? 0xE5B454 : 0x8F5E12);
    case Family::Error: return QColor::fromRgb(dark ? 0xF47C7C : 0xC53030);
    case Family::Timeout: return QColor::fromRgb(dark ? 0xB79CF7 : 0x7C3AED);
    case Family::Caught: return QColor::fromRgb(dark ? 0xF28CC4 : 0xB83280);
    }
    return {};
}

StatusLook statusLook(Status status)
{
    StatusLook look;
    look.word = wordOf(status);
    look.color = statusColor(status, isDarkTheme());
    switch (familyOf(status)) {
    case Family::Passed:
        look.symbol = QStringLiteral("✓");
        look.iconName = QStringLiteral("status-passed");
        break;
    case Family::Wrong:
        look.symbol = QStringLiteral("≠");
        look.iconName = QStringLiteral("status-wrong");
        break;
    case Family::Error:
        look.symbol = QStringLiteral("!");
        look.iconName = QStringLiteral("status-error");
        break;
    case Family::Timeout:
        look.symbol = QStringLiteral("⏱");
        look.iconName = QStringLiteral("status-timeout");
        break;
    case Family::Caught:
        look.symbol = QStringLiteral("⚑");
        look.iconName = QStringLiteral("status-cheat");
        break;
    }
    look.icon = icon(look.iconName, look.color);
    return look;
}

StatusLook caughtLook(const QString& what)
{
    StatusLook look = statusLook(Status::RewardHack);
    look.word = QCoreApplication::translate("StatusLook", "caught: %1").arg(what);
    return look;
}

StatusLook notRunLook()
{
    StatusLook look;
    look.word = QCoreApplication::translate("StatusLook", "not run");
    look.symbol = QStringLiteral("–");
    look.iconName = QStringLiteral("status-none");
    look.color = themeColors().muted;
    look.icon = icon(look.iconName, look.color);
    return look;
}

}  // namespace tracedeck::ui
