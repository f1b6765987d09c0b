// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSet>
#include <memory>
#include <optional>
#include <vector>

#include "core/score/workbench.h"
#include "ui/charts/zoom_chart.h"
#include "ui/models/chart_board.h"

class QLabel;

namespace tracedeck::ui {

class DenseGraph;
class DenseLayer;
class MeasureTicker;

/// What a latency chart shows.
struct ChartContent {
    std::shared_ptr<const Dataset> dataset;
    std::vector<Series> series;
    ChartMeasure measure = ChartMeasure::LatencyMs;
    QString definition;
    QString axis;        ///< of the abscissa Axis; empty: workloads in file order
    QString hardware;
    QString baseline;    ///< name of the baseline solution; for the ratio
    ChartAbscissa abscissa = ChartAbscissa::Axis;   ///< Axis: `axis`, or workloads where that is empty
    CallTime time = CallTime::Stored;
    std::vector<Roof> roofs{};   ///< what bounds the points, by GPU
    bool showsBand = true;   ///< where the points have one
    /// Of all charts that are to be compared with each other; nothing: this one's own.
    struct Extent {
        double lowX, highX, lowY, highY;
    };
    std::optional<Extent> extent{};

    std::optional<double> tolerance{};   ///< of an error: a line
    [[nodiscard]] bool isError() const { return isErrorMeasure(measure); }
    [[nodiscard]] bool isRatio() const { return measure == ChartMeasure::SpeedupToReference || measure == ChartMeasure::RatioToBaseline; }
};

/// One line a solution across a workload axis. Lines go through the median where several workloads share an x; every
/// trace is a marker; what failed is a cross at the lower edge. Read-out under the pointer, pick by click or Enter.
class LatencyChart : public ZoomChart {
    Q_OBJECT
public:
    explicit LatencyChart(QWidget* parent = nullptr);
    ~LatencyChart() override;

    /// Keeps the zoom while definition, axis and measure stay the same.
    void setContent(ChartContent content);
    [[nodiscard]] const ChartContent& content() const { return m_content; }
    /// Solutions that are switched off.
    void setHidden(const QSet<QString>& solutions);
    [[nodiscard]] const QSet<QString>& hidden() const { return m_hidden; }
    /// Draws one solution strong and the others faint; empty: all strong.
    void setEmphasis(const QString& solution);
    /// Rings around the points of these traces; ascending rows.
    void setMarked(std::shared_ptr<const RowIndex> rows);
    void setNotes(const QList<ChartNote>& notes);
    [[nodiscard]] const QList<ChartNote>& notes() const { return m_notes; }
    /// In the units of the axes: the point that is pointed at, else the middle.
    [[nodiscard]] QPointF pointedPlace() const;
    /// Another line for the tolerance of an error; nothing: none.
    void setTolerance(const std::optional<double>& tolerance);
    /// Traces whose points lie in a box of the widget.
    [[nodiscard]] RowIndex rowsIn(const QRect& box) const;
    /// Log scales hold only where all values are positive.
    void setLogarithmic(bool x, bool y);
    [[nodiscard]] bool canBeLogarithmicX() const;
    /// Title above the picture and a legend beside it, for export.
    void addTitleAndLegend(const QString& title);

    /// Trace nearest to a position of the widget, at most `radius` pixels away.
    struct Hit {
        std::size_t series = 0;
        std::size_t point = 0;
        QPointF position;
    };
    [[nodiscard]] std::optional<Hit> hitAt(const QPointF& position, double radius = 24) const;
    /// Where a point is drawn.
    [[nodiscard]] QPointF positionOf(std::size_t series, std::size_t point) const;
    /// What the read-out says now; empty while it is hidden.
    [[nodiscard]] QString readOut() const;
    /// The values as text, one line a point: what a picture cannot tell a test or a screen reader.
    [[nodiscard]] QString describe() const;

signals:
    /// A point was chosen: its trace's row.
    void tracePicked(quint32 row);
    /// These were marked with a box, or this one with the keyboard.
    void tracesMarked(const tracedeck::RowIndex& rows);
    void markToggled(quint32 row);
    /// The user wants to write a note here.
    void noteWanted(double x, double y);
    void notesEdited(const QList<tracedeck::ui::ChartNote>& notes);

protected:
    void changeEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void rebuildGraphs();
    void addSeries(const Series& series, bool dense, bool pixelwise);
    void addReferenceLine();
    void placeReferenceLine();
    void placeMarks();
    void buildNotes();
    void placeNotes();
    void styleNotes();
    /// Number of the note whose words are there; -1: none.
    [[nodiscard]] int noteAt(const QPointF& position) const;
    /// Logarithms have no place for errors of 0: those lie below all others.
    void liftExactErrors();
    [[nodiscard]] bool isPassed(const SeriesPoint& point) const;
    /// The most that the GPUs can do, in the units of the vertical axis.
    void addRoofs();
    void styleRoofs();
    /// Of a roof at a place of the horizontal axis; NaN where it bounds nothing.
    [[nodiscard]] double roofAt(const Roof& roof, double x) const;
    void applyTheme();
    void applyVisibility();
    void updateHomeRanges();
    void placeFailures();
    /// Titles of the axes as far as they fit into the room there is, and room for the word beside the failures.
    void fitTitles();
    /// Pixels at the lower edge that the failures take; 0 without failures.
    [[nodiscard]] int stripHeight() const;
    /// The point that shows a trace, if any does.
    [[nodiscard]] std::optional<Hit> hitOfRow(std::uint32_t row) const;
    /// Pixel row of the failures of a level.
    [[nodiscard]] double failureY(int level) const;
    void showReadOut(const std::optional<Hit>& hit);
    [[nodiscard]] QString readOutHtml(const Hit& hit) const;
    void stepPoint(int pointStep, int seriesStep);
    [[nodiscard]] bool isShown(const Series& series) const;
    [[nodiscard]] QString valueText(double value) const;
    [[nodiscard]] QString xTitle() const;
    [[nodiscard]] QStringList yTitles() const;

    struct Drawn {
        DenseGraph* line = nullptr;
        DenseGraph* markers = nullptr;
        QCPGraph* failures = nullptr;
        QCPGraph* wrong = nullptr;      ///< of errors: points of what did not pass
        QCPGraph* bandLow = nullptr;    ///< edges of the band, without lines of their own
        QCPGraph* bandHigh = nullptr;
        std::vector<int> failureLevels;   ///< how many failures at the same x lie below, by failure
    };
    DenseLayer* m_dense = nullptr;   ///< of many points
    ChartContent m_content;
    std::vector<Drawn> m_drawn;
    QSet<QString> m_hidden;
    QString m_emphasis;
    QString m_xTitle;
    QStringList m_yTitles;   ///< from the whole sentence to one word
    QSharedPointer<MeasureTicker> m_xTicker;
    QSharedPointer<MeasureTicker> m_yTicker;
    QCPItemStraightLine* m_unity = nullptr;
    QCPItemText* m_unityText = nullptr;
    struct DrawnRoof {
        QCPGraph* line = nullptr;
        QCPItemText* text = nullptr;
    };
    std::vector<DrawnRoof> m_roofs;
    QCPItemText* m_failedText = nullptr;
    QCPItemText* m_nothingText = nullptr;   ///< instead of lines, while all that is shown has failed
    QCPItemEllipse* m_marker = nullptr;
    struct DrawnNote {
        QCPItemText* text = nullptr;
        QCPItemLine* line = nullptr;
    };
    QList<ChartNote> m_notes;
    QList<DrawnNote> m_drawnNotes;
    QCPGraph* m_rings = nullptr;    ///< around what is marked
    std::shared_ptr<const RowIndex> m_marked = std::make_shared<const RowIndex>();
    QLabel* m_card;
    std::optional<Hit> m_hit;
    int m_failureLevels = 0;
    bool m_anyPassed = false;   ///< among the lines that are switched on
};

}  // namespace tracedeck::ui
