// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>
#include <QMap>
#include <QObject>
#include <QStringList>
#include <vector>

#include "core/score/workbench.h"

namespace tracedeck::ui {

class Workspace;

/// A chart of the workbench without its data.
struct ChartSpec {
    QString definition;
    ChartAbscissa abscissa = ChartAbscissa::Workload;
    QString axis;             ///< of ChartAbscissa::Axis
    ChartMeasure measure = ChartMeasure::LatencyMs;
    CallTime time = CallTime::Stored;
    QString hardware;         ///< empty: whatever the window shows
    QStringList hidden;       ///< solutions that are switched off
    bool logX = false;
    bool logY = false;
    bool band = true;

    /// What charts with the same axes have in common: their notes.
    [[nodiscard]] QString key() const;
    bool operator==(const ChartSpec&) const = default;
};
[[nodiscard]] QJsonObject encodeChartSpec(const ChartSpec& spec);
/// What makes no sense becomes as it is in an empty one.
[[nodiscard]] ChartSpec decodeChartSpec(const QJsonObject& json);

/// Words at a place of a chart, in the units of its axes.
struct ChartNote {
    double x = 0;
    double y = 0;
    QString text;

    bool operator==(const ChartNote&) const = default;
};

/// The charts that the user keeps beside each other, and the notes on charts, for each dataset.
class ChartBoard : public QObject {
    Q_OBJECT
public:
    /// More charts than these on one board nobody looks at.
    static constexpr std::size_t kMostCharts = 24;
    static constexpr qsizetype kLongestNote = 200;

    explicit ChartBoard(Workspace* workspace);

    [[nodiscard]] const std::vector<ChartSpec>& charts() const { return m_charts; }
    [[nodiscard]] QList<ChartNote> notes(const QString& chartKey) const { return m_notes.value(chartKey); }

public slots:
    /// At the end, unless it is there already or the board is full.
    void add(const tracedeck::ui::ChartSpec& spec);
    void remove(std::size_t index);
    /// Changes places with the one `step` before or behind it.
    void move(std::size_t index, int step);
    void setNotes(const QString& chartKey, const QList<tracedeck::ui::ChartNote>& notes);

signals:
    void chartsChanged();
    void notesChanged(const QString& chartKey);

private:
    void readStored();
    void store() const;

    Workspace* m_workspace;
    QString m_root;
    std::vector<ChartSpec> m_charts;
    QMap<QString, QList<ChartNote>> m_notes;
};

}  // namespace tracedeck::ui
