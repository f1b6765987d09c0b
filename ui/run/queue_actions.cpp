// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/queue_actions.h"

#include <QAction>
#include <QItemSelectionModel>
#include <QTableView>
#include <algorithm>

#include "ui/models/run_queue_model.h"
#include "ui/run/run_controller.h"
#include "ui/style/icons.h"

namespace tracedeck::ui {

QueueActions::QueueActions(QTableView* view, RunController* controller, QObject* parent) : QObject(parent), m_view(view), m_controller(controller)
{
    m_view->setContextMenuPolicy(Qt::ActionsContextMenu);
    m_view->setDragDropMode(QAbstractItemView::DragDrop);
    m_view->setDefaultDropAction(Qt::MoveAction);
    m_view->setDragDropOverwriteMode(false);
    m_view->setDropIndicatorShown(true);
    m_show = addAction("queueShowTrace", tr("&Show the trace"), QStringLiteral("details"), {}, tr("Show the result in the Details pane"));
    m_first = addAction("queueFirst", tr("To the &front"), {}, QKeySequence(Qt::ALT | Qt::Key_Home), tr("Run the selected pairs next"));
    m_up = addAction("queueUp", tr("&Up"), QStringLiteral("up"), QKeySequence(Qt::ALT | Qt::Key_Up), tr("Run the selected pairs one place earlier"));
    m_down = addAction("queueDown", tr("&Down"), QStringLiteral("down"), QKeySequence(Qt::ALT | Qt::Key_Down), tr("Run the selected pairs one place later"));
    m_last = addAction("queueLast", tr("To the &end"), {}, QKeySequence(Qt::ALT | Qt::Key_End), tr("Run the selected pairs last"));
    m_cancel = addAction("queueCancel", tr("&Cancel these pairs"), QStringLiteral("stop"), QKeySequence(Qt::Key_Delete), tr("Don't run the selected pairs; the others go on"));
    m_cancelSolution = addAction("queueCancelSolution", tr("&Leave their solutions alone"), {}, {}, tr("Don't run any pair of these solutions that still waits"));
    connect(m_show, &QAction::triggered, this, [this] { emit traceWanted(m_view->currentIndex().row()); });
    connect(m_first, &QAction::triggered, this, [this] { m_controller->moveFirst(selected(false)); });
    connect(m_up, &QAction::triggered, this, &QueueActions::moveUp);
    connect(m_down, &QAction::triggered, this, &QueueActions::moveDown);
    connect(m_last, &QAction::triggered, this, [this] { m_controller->moveLast(selected(false)); });
    connect(m_cancel, &QAction::triggered, this, [this] { m_controller->cancelPairs(selected(true)); });
    connect(m_cancelSolution, &QAction::triggered, this, &QueueActions::leaveSolutionAlone);
    for (const auto signal : {&RunController::started, &RunController::cancelled})
        connect(m_controller, signal, this, &QueueActions::update);
    connect(m_controller, &RunController::finished, this, &QueueActions::update);
}

QAction* QueueActions::addAction(const char* name, const QString& text, const QString& iconName, const QKeySequence& keys, const QString& tip)
{
    auto* action = new QAction(text, m_view);
    action->setObjectName(QString::fromLatin1(name));
    if (!iconName.isEmpty())
        action->setIcon(icon(iconName));
    action->setShortcut(keys);
    action->setShortcutContext(Qt::WidgetShortcut);
    action->setToolTip(keys.isEmpty() ? tip : tr("%1 (%2)").arg(tip, keys.toString(QKeySequence::NativeText)));
    m_view->addAction(action);
    return action;
}

void QueueActions::setQueue(RunQueueModel* queue)
{
    if (m_queue)
        disconnect(m_queue, nullptr, this, nullptr);
    m_queue = queue;
    m_view->setModel(queue);
    connect(queue, &RunQueueModel::moveRequested, this, [this](const std::vector<std::size_t>& pairs, std::optional<std::size_t> before) {
        before ? m_controller->moveBefore(pairs, *before) : m_controller->moveLast(pairs);
    });
    connect(queue, &QAbstractItemModel::dataChanged, this, &QueueActions::update);
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this, &QueueActions::update);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this, &QueueActions::update);
    update();
}

std::vector<std::size_t> QueueActions::selected(bool withRunning) const
{
    QModelIndexList rows = m_view->selectionModel()->selectedRows();
    std::ranges::sort(rows, {}, &QModelIndex::row);
    std::vector<std::size_t> pairs;
    for (const QModelIndex& index : rows) {
        const auto state = m_queue->stateOf(index.row());
        if (state == RunQueueModel::PairState::Queued || (withRunning && state == RunQueueModel::PairState::Running))
            pairs.push_back(m_queue->indexOf(index.row()));
    }
    return pairs;
}

void QueueActions::moveUp()
{
    const std::vector<std::size_t> pairs = selected(false);
    if (pairs.empty())
        return;
    // Before the one that waits above them.
    for (int row = m_queue->rowOf(pairs.front()) - 1; row >= 0; --row)
        if (m_queue->stateOf(row) == RunQueueModel::PairState::Queued) {
            m_controller->moveBefore(pairs, m_queue->indexOf(row));
            return;
        }
    m_controller->moveFirst(pairs);
}

void QueueActions::moveDown()
{
    const std::vector<std::size_t> pairs = selected(false);
    if (pairs.empty())
        return;
    int passed = 0;
    for (int row = m_queue->rowOf(pairs.back()) + 1; row < m_queue->rowCount(); ++row)
        if (m_queue->stateOf(row) == RunQueueModel::PairState::Queued && ++passed == 2) {
            m_controller->moveBefore(pairs, m_queue->indexOf(row));
            return;
        }
    m_controller->moveLast(pairs);
}

void QueueActions::leaveSolutionAlone()
{
    std::set<std::string> solutions;
    for (const QModelIndex& index : m_view->selectionModel()->selectedRows())
        solutions.insert(m_queue->pairOf(index.row()).solution);
    std::vector<std::size_t> pairs;
    for (int row = 0; row < m_queue->rowCount(); ++row)
        if (m_queue->stateOf(row) == RunQueueModel::PairState::Queued && solutions.contains(m_queue->pairOf(row).solution))
            pairs.push_back(m_queue->indexOf(row));
    m_controller->cancelPairs(pairs);
}

void QueueActions::update()
{
    const int current = m_view->currentIndex().row();
    m_show->setEnabled(current >= 0 && m_queue->resultOf(current).has_value());
    bool waits = false;
    bool runs = false;
    constexpr int kMostLookedAt = 1000;   // of what is selected: a menu's state is no reason to look at everything, with each event
    int looked = 0;
    for (const QItemSelectionRange& range : m_view->selectionModel()->selection())
        for (int row = range.top(); row <= range.bottom() && looked++ < kMostLookedAt && !waits; ++row) {
            waits = m_queue->stateOf(row) == RunQueueModel::PairState::Queued;
            runs = runs || m_queue->stateOf(row) == RunQueueModel::PairState::Running;
        }
    const bool isSteerable = m_controller->isSteerable();
    for (QAction* action : {m_first, m_up, m_down, m_last})
        action->setEnabled(isSteerable && waits);
    m_cancel->setEnabled(isSteerable && (waits || runs));
    m_cancelSolution->setEnabled(isSteerable && m_view->selectionModel()->hasSelection());
}

}  // namespace tracedeck::ui
