// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <vector>

class QAction;
class QTableView;

namespace tracedeck::ui {

class RunController;
class RunQueueModel;

/// What can be done with pairs of a run's queue: a menu of the table, keys in it, and dragging.
class QueueActions : public QObject {
    Q_OBJECT
public:
    /// The view gets its model by setQueue().
    QueueActions(QTableView* view, RunController* controller, QObject* parent);
    void setQueue(RunQueueModel* queue);

signals:
    /// The trace of a row is wanted.
    void traceWanted(int row);

private:
    QAction* addAction(const char* name, const QString& text, const QString& iconName, const QKeySequence& keys, const QString& tip);
    /// Indexes of the selected pairs, from top to bottom: those that wait, or also the ones that run.
    [[nodiscard]] std::vector<std::size_t> selected(bool withRunning) const;
    void moveUp();
    void moveDown();
    void leaveSolutionAlone();
    void update();

    QTableView* m_view;
    RunController* m_controller;
    RunQueueModel* m_queue = nullptr;
    QAction* m_show;
    QAction* m_first;
    QAction* m_up;
    QAction* m_down;
    QAction* m_last;
    QAction* m_cancel;
    QAction* m_cancelSolution;
};

}  // namespace tracedeck::ui
