// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/number_format.h"

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>
#include <array>
#include <cmath>

#include "core/report/report.h"

namespace tracedeck::ui {
namespace {

constexpr int kMaximumDecimals = 6;

/// Text for values that are no finite number; empty for finite ones.
QString nonFiniteText(double value)
{
    if (std::isnan(value)) {
        return QStringLiteral("–");
    }
    if (std::isinf(value)) {
        return value > 0 ? QStringLiteral("∞") : QStringLiteral("−∞");
    }
    return {};
}

/// Decimal exponent of the value after rounding to `digits` significant digits.
int roundedExponent(double value, int digits)
{
    const QString text = QString::number(value, 'e', digits - 1);
    return text.mid(text.indexOf(QLatin1Char('e')) + 1).toInt();
}

QString trimZeros(QString text)
{
    if (!text.contains(QLatin1Char('.'))) {
        return text;
    }
    while (text.endsWith(QLatin1Char('0'))) {
        text.chop(1);
    }
    if (text.endsWith(QLatin1Char('.'))) {
        text.chop(1);
    }
    return text;
}

}  // namespace

QString significantText(double value, int digits)
{
    if (const QString text = nonFiniteText(value); !text.isEmpty()) {
        return text;
    }
    if (value == 0) {
        return QStringLiteral("0");
    }
    const int decimals = digits - 1 - roundedExponent(value, digits);
    if (decimals > kMaximumDecimals) {
        return QString::number(value, 'e', digits - 1);
    }
    return QString::number(value, 'f', std::max(decimals, 0));
}

QString microsecondsText(double milliseconds) { return significantText(milliseconds * 1000); }

QString errorText(double value)
{
    if (const QString text = nonFiniteText(value); !text.isEmpty()) {
        return text;
    }
    if (value == 0) {
        return QStringLiteral("0");
    }
    const double size = std::abs(value);
    return size >= 1e-3 && size < 1e4 ? significantText(value) : QString::number(value, 'e', 3);
}

QString scaledText(double value, const QString& unit, int digits)
{
    if (const QString text = nonFiniteText(value); !text.isEmpty()) {
        return text;
    }
    static constexpr std::array kPrefixes{"", "k", "M", "G", "T", "P", "E"};
    std::size_t prefix = 0;
    while (prefix + 1 < kPrefixes.size() && roundedExponent(value, digits) >= 3) {
        value /= 1000;
        ++prefix;
    }
    constexpr QChar kNarrowSpace(0x202F);
    return trimZeros(significantText(value, digits)) + kNarrowSpace + QString::fromLatin1(kPrefixes[prefix]) + unit;
}

QString toleranceText(double value) { return QString::number(value, 'g', 3); }

QString durationText(double milliseconds, int digits)
{
    if (const QString text = nonFiniteText(milliseconds); !text.isEmpty()) {
        return text;
    }
    struct Unit {
        double milliseconds;
        const char16_t* name;
    };
    static constexpr Unit kUnits[] = {{1000, u"s"}, {1, u"ms"}, {1e-3, u"µs"}, {1e-6, u"ns"}};
    const Unit* unit = &kUnits[3];
    for (const Unit& candidate : kUnits) {
        // Half a unit in the last digit below the limit rounds up to it: 999.96 µs reads 1 ms.
        if (std::abs(milliseconds) >= candidate.milliseconds * (1 - 0.5 * std::pow(10.0, -digits))) {
            unit = &candidate;
            break;
        }
    }
    return trimZeros(significantText(milliseconds / unit->milliseconds, digits)) + QChar(0x202F) + QString::fromUtf16(unit->name);
}

QString percentText(double fraction)
{
    if (const QString text = nonFiniteText(fraction); !text.isEmpty()) {
        return text;
    }
    return QString::number(fraction * 100, 'f', 1) + QStringLiteral("\u202F%");
}

QString ratioText(double ratio)
{
    return std::isfinite(ratio) ? significantText(ratio) + QStringLiteral("×") : nonFiniteText(ratio);
}

QString exactText(double value)
{
    return std::isnan(value) ? QString() : QString::fromStdString(shortestNumber(value));
}

QString spanText(double seconds)
{
    const auto whole = static_cast<qint64>(std::llround(std::max(seconds, 0.0)));
    if (whole < 60) {
        return QCoreApplication::translate("Span", "%1 s").arg(whole);
    }
    if (whole < 3600) {
        return QCoreApplication::translate("Span", "%1 min %2 s").arg(whole / 60).arg(whole % 60);
    }
    return QCoreApplication::translate("Span", "%1 h %2 min").arg(whole / 3600).arg(whole % 3600 / 60);
}

QString countText(qint64 count)
{
    QLocale locale;
    locale.setNumberOptions({});
    return locale.toString(count);
}

}  // namespace tracedeck::ui
