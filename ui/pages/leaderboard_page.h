// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QWidget>

#include "core/model/result.h"
#include "core/score/ranking.h"
#include "ui/models/latest_job.h"

class QAction;
class QPlainTextEdit;
class QStackedLayout;
class QTableView;
class QToolButton;

namespace tracedeck::ui {

class BaselineButton;
class GrowthRefresh;
class LeaderboardModel;
class NameBox;
class RunHereButton;
class ShownRefresh;
class TableTools;
class Workspace;
class WrappedLabel;

/// Ranks authors by the format's score against the workspace's baseline author.
class LeaderboardPage : public QWidget {
    Q_OBJECT
public:
    explicit LeaderboardPage(Workspace* workspace, QWidget* parent = nullptr);
    ~LeaderboardPage() override;

    [[nodiscard]] QList<QAction*> exportActions() const;
    /// Writes the table as CSV: rank, author, avg_speedup, success_rate, win_rate, workloads, definitions, best solution.
    [[nodiscard]] Result<void> exportCsv(const QString& path) const;

    [[nodiscard]] LeaderboardModel* model() const { return m_model; }
    [[nodiscard]] QTableView* view() const { return m_view; }
    [[nodiscard]] TableTools* tools() const { return m_tools; }
    /// Of the row that was chosen; empty: none.
    [[nodiscard]] QString currentAuthor() const;
    [[nodiscard]] bool isBusy() const;

signals:
    void rankingShown(int authors);

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Answer;
    void buildControls();
    void rebuildScopes();
    void rebuildBaselines();
    /// What is shown is out of date.
    void refresh();
    void compute();
    void applyAnswer(const Answer& answer);
    void sizeColumns();
    [[nodiscard]] RankingScope scope() const;

    Workspace* m_workspace;
    LeaderboardModel* m_model = nullptr;
    QTableView* m_view = nullptr;
    TableTools* m_tools = nullptr;
    NameBox* m_scopeCombo = nullptr;
    NameBox* m_baselineCombo = nullptr;
    WrappedLabel* m_rule = nullptr;
    QToolButton* m_unscoredButton = nullptr;
    QPlainTextEdit* m_unscored = nullptr;
    WrappedLabel* m_empty = nullptr;
    RunHereButton* m_runHere = nullptr;
    BaselineButton* m_emptyBaseline = nullptr;
    BaselineButton* m_unscoredBaseline = nullptr;
    QStackedLayout* m_stack = nullptr;
    QAction* m_exportCsv = nullptr;
    LatestJob* m_job;
    GrowthRefresh* m_growth;
    ShownRefresh* m_shown;
};

}  // namespace tracedeck::ui
