// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractScrollArea>
#include <memory>
#include <optional>

#include "core/report/heat_map_report.h"
#include "core/score/heat_map.h"

namespace tracedeck::ui {

/// A matrix of coloured cells, one row a workload, one column a solution. Colours diverge from 1 (blue: faster, orange: slower) and can be told
/// apart by everyone; what failed is hatched with the sign of its status, what was not run is blank. Arrows move, Enter opens, a click on a
/// title sorts by that row or column.
class HeatMapView : public QAbstractScrollArea {
    Q_OBJECT
public:
    /// A cell by its numbers in the map.
    struct Place {
        std::size_t workload = 0;
        std::size_t solution = 0;
        bool operator==(const Place&) const = default;
    };

    explicit HeatMapView(QWidget* parent = nullptr);
    ~HeatMapView() override;

    /// Keeps the current cell where the same workload and solution are there.
    void setMap(std::shared_ptr<const HeatMap> map, HeatMapOrder order);
    [[nodiscard]] const std::shared_ptr<const HeatMap>& map() const { return m_map; }
    [[nodiscard]] const HeatMapOrder& order() const { return m_order; }
    void setOrder(HeatMapOrder order);
    [[nodiscard]] std::optional<Place> current() const { return m_current; }
    void setCurrent(const Place& place);
    /// Where a cell lies in the viewport; it may be out of sight.
    [[nodiscard]] QRect cellRect(const Place& place) const;
    [[nodiscard]] std::optional<Place> placeAt(const QPoint& position) const;
    /// What is to be said about a cell, on several lines.
    [[nodiscard]] QString describe(const Place& place) const;
    /// Size of the whole picture with its title and scale, and its drawing: for export.
    [[nodiscard]] QSize pictureSize() const;
    void paintPicture(QPainter& painter, const QString& title) const;
    /// Fill of a ratio, given the greatest |log2| of the scale.
    [[nodiscard]] static QColor colorOf(double ratio, double greatestDoubling);

signals:
    void currentChanged(const tracedeck::ui::HeatMapView::Place& place);
    /// By click, Enter or double click.
    void activated(const tracedeck::ui::HeatMapView::Place& place);
    /// A title was clicked.
    void solutionTitleClicked(std::size_t solution);
    void workloadTitleClicked(std::size_t workload);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    /// Where things lie in a picture of some width.
    struct Layout {
        int labels = 0;       ///< pixels for the names of the workloads
        int titles = 0;       ///< pixels for the names of the solutions
        bool isUpright = false;   ///< names of the solutions stand on their ends
        int cellWidth = 0;
        int cellHeight = 0;
    };
    /// For a picture of some width; cells grow with the height as far as they may.
    [[nodiscard]] Layout layoutFor(int width, int height) const;
    void updateLayout();
    void paintCells(QPainter& painter, const Layout& layout, const QRect& area, const QPoint& offset, bool isPicture) const;
    void paintCell(QPainter& painter, const QRect& rect, const HeatMapCell& cell) const;
    void paintTitles(QPainter& painter, const Layout& layout, const QRect& area, const QPoint& offset) const;
    [[nodiscard]] QPoint scrolled() const;
    [[nodiscard]] QString titleOf(std::size_t solution) const;
    [[nodiscard]] QString labelOf(std::size_t workload) const;
    [[nodiscard]] std::optional<std::pair<std::size_t, std::size_t>> orderPlace(const Place& place) const;
    void moveBy(int rows, int columns);

    std::shared_ptr<const HeatMap> m_map;
    HeatMapOrder m_order;
    Layout m_layout;
    double m_doubling = 1;
    std::optional<Place> m_current;
};

/// The colours of a heat map with what they mean.
class HeatMapScale : public QWidget {
    Q_OBJECT
public:
    explicit HeatMapScale(QWidget* parent = nullptr);
    void setDoubling(double greatest);
    [[nodiscard]] QSize sizeHint() const override;
    /// Draws it at the left end of a rectangle.
    static void paintScale(QPainter& painter, const QRect& rect, double greatest);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    double m_doubling = 1;
};

}  // namespace tracedeck::ui
