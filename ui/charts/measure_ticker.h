// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

#include <vector>

namespace tracedeck::ui {

/// Ticks for the quantities of our charts: round numbers on linear and logarithmic axes, at any zoom, with the unit that
/// suits the number (12 µs, 1.5 ms, 3 GB/s), or moments in seconds since 1970. Where the data has few distinct values, the ticks sit exactly on them.
class MeasureTicker : public QCPAxisTicker {
public:
    enum class Kind { Count, DurationMs, Ratio, Bytes, Operations, Bandwidth, Throughput, Share, Intensity, Moment, Error };

    explicit MeasureTicker(const QCPAxis* axis);

    void setKind(Kind kind) { m_kind = kind; }
    /// Values to put ticks on while at least two of them are in sight; ascending.
    void setDataValues(std::vector<double> values) { m_values = std::move(values); }
    /// Pixels above the lower end of a vertical axis that stay without ticks: something else is drawn there.
    void setClearStrip(int pixels) { m_clearStrip = pixels; }
    [[nodiscard]] QString label(double value) const;

    void generate(const QCPRange& range, const QLocale& locale, QChar formatChar, int precision, QVector<double>& ticks,
                  QVector<double>* subTicks, QVector<QString>* tickLabels) override;

private:
    /// Empties the labels that would lie over the one before.
    void dropOverlapping(const QVector<double>& ticks, QVector<QString>& labels) const;
    [[nodiscard]] QVector<double> valueTicks(const QCPRange& range) const;
    void momentTicks(const QCPRange& range, QVector<double>& ticks);
    void linearTicks(const QCPRange& range, QVector<double>& ticks, QVector<double>* subTicks) const;
    void logarithmicTicks(const QCPRange& range, QVector<double>& ticks, QVector<double>* subTicks) const;

    const QCPAxis* m_axis;
    Kind m_kind = Kind::Count;
    std::vector<double> m_values;
    int m_clearStrip = 0;
    QString m_momentFormat = QStringLiteral("yyyy-MM-dd HH:mm");   ///< of what the steps between ticks need
};

}  // namespace tracedeck::ui
