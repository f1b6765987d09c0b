// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

namespace tracedeck::ui {

/// Times of the calls of one evaluation: a point a call in their order, the median as a line, and beside them how often each time was
/// taken. Both have the same vertical scale.
class SampleStrip : public QWidget {
    Q_OBJECT
public:
    explicit SampleStrip(QWidget* parent = nullptr);
    /// In milliseconds, in the order of the calls; none: hidden.
    void setSamples(const std::vector<double>& samplesMs);
    [[nodiscard]] const std::vector<double>& samples() const { return m_samples; }
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<double> m_samples;
    double m_median = 0;
    double m_low = 0;    ///< bottom of the picture
    double m_high = 0;   ///< its top: a few stragglers lie on it
};

}  // namespace tracedeck::ui
