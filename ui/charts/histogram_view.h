// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <cstdint>
#include <vector>

namespace tracedeck::ui {

/// Bars for counts in equal steps, with the ends of the range below them.
class HistogramView : public QWidget {
    Q_OBJECT
public:
    explicit HistogramView(QWidget* parent = nullptr);
    /// No counts: an empty space.
    void setCounts(std::vector<std::uint64_t> counts, double minimum, double maximum);
    [[nodiscard]] const std::vector<std::uint64_t>& counts() const { return m_counts; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] QRect barArea() const;
    std::vector<std::uint64_t> m_counts;
    double m_minimum = 0;
    double m_maximum = 0;
};

}  // namespace tracedeck::ui
