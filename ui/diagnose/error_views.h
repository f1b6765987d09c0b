// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/model/tensor_difference.h"

namespace tracedeck::ui {

/// Where in a tensor elements are wrong: a cell the redder, the larger the share of its elements that are.
class ErrorMapView : public QWidget {
    Q_OBJECT
public:
    explicit ErrorMapView(QWidget* parent = nullptr);
    void setMap(const ErrorMap& map);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] QRectF mapArea() const;
    [[nodiscard]] QString describe(std::uint32_t row, std::uint32_t column) const;
    ErrorMap m_map;
};

/// How many elements have an error of which power of ten.
class ErrorHistogramView : public QWidget {
    Q_OBJECT
public:
    explicit ErrorHistogramView(QWidget* parent = nullptr);
    /// `atol`: marked, as what counts as wrong begins there at the earliest.
    void setBins(const std::vector<ErrorBin>& bins, double atol);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<ErrorBin> m_bins;   ///< from the first to the last that is not empty
    double m_atol = 0;
};

}  // namespace tracedeck::ui
