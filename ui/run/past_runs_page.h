// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <functional>
#include <optional>
#include <string>

#include "core/run/run_record.h"
#include "ui/models/comparison_choice.h"

class QPlainTextEdit;
class QPushButton;
class QStackedLayout;
class QTableView;
class QTimer;

namespace tracedeck::ui {

class LatestJob;
class MutedLabel;
class PastRunsModel;
class TableTools;
class WrappedLabel;
class Workspace;

/// Runs that were recorded, from a window or the command line: what each one was, and what can be done with it.
class PastRunsPage : public QWidget {
    Q_OBJECT
public:
    explicit PastRunsPage(Workspace* workspace, QWidget* parent = nullptr);
    ~PastRunsPage() override;

    [[nodiscard]] PastRunsModel* model() const { return m_model; }
    [[nodiscard]] QTableView* view() const { return m_view; }
    [[nodiscard]] TableTools* tools() const { return m_tools; }
    [[nodiscard]] bool isBusy() const;
    /// Selects a run's row as soon as it is there.
    void showRun(const std::string& id);

public slots:
    /// Reads the records again.
    void refresh();

signals:
    /// The traces of this run are wanted.
    void tracesRequested(const tracedeck::ListedRun& run);
    void compareRequested(const tracedeck::ui::ComparisonChoice& choice);
    /// What is left of a run, or all of it again, is to be run.
    void runRequested(const tracedeck::ListedRun& run, tracedeck::RunPart part);
    /// There is no run yet: one is to be planned.
    void planRequested();

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void buildTable();
    void buildDetails();
    void buildLayout();
    QPushButton* addButton(const char* name, const QString& text, const QString& iconName, const QString& tip);
    /// From top to bottom.
    [[nodiscard]] std::vector<const ListedRun*> selected() const;
    void showSelected();
    /// What came of the last action.
    void setNote(const QString& text);
    void compareSelected();
    void askToRemove();
    void askToForget();
    /// Asks with these words; the button does `action` with the run's id on a thread.
    void ask(const QString& name, const QString& question, const QString& details, const QString& button, std::function<Result<QString>(const std::string&)> action);
    /// On a thread; what it says is shown, then the records are read again.
    void act(std::function<Result<QString>(const std::string&)> action);
    /// A run as a side of a comparison.
    [[nodiscard]] SideChoice sideOf(const ListedRun& run) const;

    Workspace* m_workspace;
    PastRunsModel* m_model;
    QTableView* m_view = nullptr;
    TableTools* m_tools = nullptr;
    QPlainTextEdit* m_facts = nullptr;
    WrappedLabel* m_note = nullptr;
    WrappedLabel* m_empty = nullptr;
    QStackedLayout* m_stack = nullptr;
    QPushButton* m_plan = nullptr;   ///< where no run is recorded
    QPushButton* m_traces = nullptr;
    QPushButton* m_compare = nullptr;
    QPushButton* m_repeat = nullptr;
    QPushButton* m_continue = nullptr;
    QPushButton* m_stop = nullptr;
    QPushButton* m_remove = nullptr;
    QPushButton* m_restore = nullptr;
    QPushButton* m_forget = nullptr;
    std::string m_wanted;      ///< to select once it is there
    QTimer* m_follow;          ///< while a run goes on somewhere
    LatestJob* m_listJob;
    LatestJob* m_actJob;
};

}  // namespace tracedeck::ui
