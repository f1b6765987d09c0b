// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/measure_ticker.h"

#include <QDateTime>
#include <QFontMetrics>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "ui/models/number_format.h"

namespace tracedeck::ui {
namespace {

constexpr int kLinearTicks = 6;
/// Values closer than this many pixels share one tick.
constexpr double kMinimumTickPixels = 44;
/// Pixels between the labels of a horizontal axis.
constexpr int kLabelGap = 6;
/// Below this many decades a logarithmic axis is labelled like a linear one.
constexpr double kFewDecades = 0.7;

/// 1, 2 or 5 times a power of ten, so that about `count` of them fill `span`.
double niceStep(double span, int count)
{
    const double raw = span / count;
    const double power = std::pow(10.0, std::floor(std::log10(raw)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (raw <= factor * power) {
            return factor * power;
        }
    }
    return 10 * power;
}

}  // namespace

MeasureTicker::MeasureTicker(const QCPAxis* axis) : m_axis(axis) {}

QString MeasureTicker::label(double value) const
{
    switch (m_kind) {
    case Kind::DurationMs: return value == 0 ? QStringLiteral("0") : durationText(value);
    case Kind::Ratio: return QString::number(value, 'g', 6) + QStringLiteral("×");
    case Kind::Bytes: return scaledText(value, QStringLiteral("B"));
    case Kind::Operations: return scaledText(value, QStringLiteral("FLOP"));
    case Kind::Bandwidth: return scaledText(value, QStringLiteral("B/s"));
    case Kind::Throughput: return scaledText(value, QStringLiteral("FLOP/s"));
    case Kind::Share: return QString::number(100 * value, 'g', 6) + QStringLiteral(" %");
    case Kind::Intensity: return QString::number(value, 'g', 4);
    case Kind::Moment: return QDateTime::fromSecsSinceEpoch(static_cast<qint64>(value), Qt::UTC).toString(m_momentFormat);
    case Kind::Error: return toleranceText(value);
    case Kind::Count: break;
    }
    return std::abs(value) < 1e9 ? QString::number(value, 'g', 10) : QString::number(value, 'e', 2);
}

void MeasureTicker::generate(const QCPRange& range, const QLocale&, QChar, int, QVector<double>& ticks, QVector<double>* subTicks,
                             QVector<QString>* tickLabels)
{
    if (m_kind == Kind::Moment) {
        momentTicks(range, ticks);
        if (subTicks) {
            subTicks->clear();
        }
        if (tickLabels) {
            tickLabels->clear();
            for (const double tick : std::as_const(ticks)) {
                tickLabels->append(label(tick));
            }
            dropOverlapping(ticks, *tickLabels);
        }
        return;
    }
    ticks = valueTicks(range);
    if (subTicks) {
        subTicks->clear();
    }
    const bool onlyValue = m_values.size() == 1 && ticks.size() == 1;
    if (ticks.size() < 2 && !onlyValue) {
        ticks.clear();
        const bool logarithmic = m_axis->scaleType() == QCPAxis::stLogarithmic && range.lower > 0;
        if (logarithmic && std::log10(range.upper / range.lower) >= kFewDecades) {
            logarithmicTicks(range, ticks, subTicks);
        } else {
            linearTicks(range, ticks, subTicks);
        }
    }
    // Times, ratios and sizes start at zero: what lies below is only room for failures.
    const auto isNegative = [](double tick) { return tick < 0; };
    ticks.erase(std::remove_if(ticks.begin(), ticks.end(), isNegative), ticks.end());
    if (subTicks) {
        subTicks->erase(std::remove_if(subTicks->begin(), subTicks->end(), isNegative), subTicks->end());
    }
    if (m_clearStrip > 0) {
        const double lowest = m_axis->pixelToCoord(m_axis->axisRect()->bottom() - m_clearStrip);
        const auto isInStrip = [lowest](double tick) { return tick < lowest; };
        ticks.erase(std::remove_if(ticks.begin(), ticks.end(), isInStrip), ticks.end());
        if (subTicks) {
            subTicks->erase(std::remove_if(subTicks->begin(), subTicks->end(), isInStrip), subTicks->end());
        }
    }
    if (tickLabels) {
        tickLabels->clear();
        for (const double tick : std::as_const(ticks)) {
            tickLabels->append(label(tick));
        }
        dropOverlapping(ticks, *tickLabels);
    }
}

void MeasureTicker::dropOverlapping(const QVector<double>& ticks, QVector<QString>& labels) const
{
    const QFontMetrics metrics(m_axis->tickLabelFont());
    const bool horizontal = m_axis->orientation() == Qt::Horizontal;
    double lastEnd = -std::numeric_limits<double>::infinity();
    for (qsizetype i = 0; i < ticks.size(); ++i) {
        const double half = (horizontal ? metrics.horizontalAdvance(labels[i]) + kLabelGap : metrics.height()) / 2.0;
        // Along the axis: to the right, or upwards.
        const double at = horizontal ? m_axis->coordToPixel(ticks[i]) : -m_axis->coordToPixel(ticks[i]);
        if (at - half < lastEnd) {
            labels[i].clear();
        } else {
            lastEnd = at + half;
        }
    }
}

QVector<double> MeasureTicker::valueTicks(const QCPRange& range) const
{
    QVector<double> ticks;
    double lastPixel = -1e9;
    for (auto value = std::lower_bound(m_values.begin(), m_values.end(), range.lower); value != m_values.end() && *value <= range.upper;
         ++value) {
        const double pixel = m_axis->coordToPixel(*value);
        if (std::abs(pixel - lastPixel) >= kMinimumTickPixels) {
            ticks.append(*value);
            lastPixel = pixel;
        }
    }
    return ticks;
}

void MeasureTicker::momentTicks(const QCPRange& range, QVector<double>& ticks)
{
    constexpr double kMinute = 60;
    constexpr double kHour = 60 * kMinute;
    constexpr double kDay = 24 * kHour;
    constexpr int kTicks = 5;
    static constexpr std::array kSteps{1.0, 2.0, 5.0, 10.0, 15.0, 30.0, kMinute, 2 * kMinute, 5 * kMinute, 10 * kMinute, 15 * kMinute, 30 * kMinute, kHour, 2 * kHour, 3 * kHour,
                                       6 * kHour, 12 * kHour, kDay, 2 * kDay, 7 * kDay, 14 * kDay, 28 * kDay, 91 * kDay, 182 * kDay, 364 * kDay};
    const auto fitting = std::find_if(kSteps.begin(), kSteps.end(), [&range](double step) { return range.size() / step <= kTicks; });
    const double step = fitting == kSteps.end() ? niceStep(range.size(), kTicks) : *fitting;
    m_momentFormat = step >= kDay ? QStringLiteral("yyyy-MM-dd") : step >= kMinute ? QStringLiteral("MM-dd HH:mm") : QStringLiteral("HH:mm:ss");
    ticks.clear();
    for (double tick = std::ceil(range.lower / step) * step; tick <= range.upper && ticks.size() < 4 * kTicks; tick += step) {
        ticks.append(tick);
    }
}

void MeasureTicker::linearTicks(const QCPRange& range, QVector<double>& ticks, QVector<double>* subTicks) const
{
    double step = niceStep(range.size(), kLinearTicks);
    if (m_kind == Kind::Count || m_kind == Kind::Bytes || m_kind == Kind::Operations) {
        step = std::max(step, 1.0);   // axis values and positions are whole numbers
    }
    constexpr int kMaximumTicks = 64;
    const double first = std::ceil(range.lower / step);
    for (int i = 0; i < kMaximumTicks && (first + i) * step <= range.upper; ++i) {
        ticks.append((first + i) * step);
    }
    if (subTicks && !ticks.isEmpty()) {
        const double half = step / 2;
        for (double tick = ticks.front() - half; tick <= range.upper && subTicks->size() < kMaximumTicks; tick += step) {
            if (tick >= range.lower) {
                subTicks->append(tick);
            }
        }
    }
}

void MeasureTicker::logarithmicTicks(const QCPRange& range, QVector<double>& ticks, QVector<double>* subTicks) const
{
    const int firstPower = static_cast<int>(std::floor(std::log10(range.lower)));
    const int lastPower = static_cast<int>(std::ceil(std::log10(range.upper)));
    const double decades = std::log10(range.upper / range.lower);
    constexpr double kDecadesWithFives = 2.2;
    constexpr int kMostPowers = 8;
    const int powerStep = std::max(1, (lastPower - firstPower + kMostPowers - 1) / kMostPowers);
    for (int power = firstPower; power <= lastPower; ++power) {
        for (int digit = 1; digit < 10; ++digit) {
            const double value = digit * std::pow(10.0, power);
            if (value < range.lower || value > range.upper) {
                continue;
            }
            const bool labelled = digit == 1 ? power % powerStep == 0 : decades < kDecadesWithFives && (digit == 2 || digit == 5);
            if (labelled) {
                ticks.append(value);
            } else if (subTicks && powerStep == 1) {
                subTicks->append(value);
            }
        }
    }
}

}  // namespace tracedeck::ui
