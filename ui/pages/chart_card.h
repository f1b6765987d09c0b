// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

#include "ui/models/chart_board.h"

class QToolButton;

namespace tracedeck::ui {

class ElidedLabel;
class GrowthRefresh;
class LatencyChart;
class LatestJob;
class WrappedLabel;
class Workspace;

/// One chart of the board with its title and what can be done with it.
class ChartCard : public QFrame {
    Q_OBJECT
public:
    ChartCard(Workspace* workspace, const ChartSpec& spec, QWidget* parent = nullptr);
    ~ChartCard() override;

    [[nodiscard]] const ChartSpec& spec() const { return m_spec; }
    [[nodiscard]] LatencyChart* chart() const { return m_chart; }
    [[nodiscard]] QString title() const;
    [[nodiscard]] bool isBusy() const;
    /// Whether it can go to the left and to the right.
    void setMovable(bool left, bool right);

signals:
    void openRequested();
    void removeRequested();
    void moveRequested(int step);

private:
    void refresh();
    void showNotes();

    Workspace* m_workspace;
    ChartSpec m_spec;
    ElidedLabel* m_title;
    LatencyChart* m_chart;
    WrappedLabel* m_empty;
    QToolButton* m_left;
    QToolButton* m_right;
    LatestJob* m_job;
    GrowthRefresh* m_growth;
};

}  // namespace tracedeck::ui
