// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <array>
#include <atomic>
#include <memory>

class QStackedLayout;
class QTableView;
class QTimer;

namespace tracedeck::ui {

class FailureTableModel;
class GrowthRefresh;
class LatestJob;
class RunHereButton;
class ScopeBox;
class ShownRefresh;
class TableTools;
class WorkBar;
class Workspace;
class WrappedLabel;

/// Which failures are the same one, by status and by what their logs say: the same figures as `report failures`.
class FailuresPage : public QWidget {
    Q_OBJECT
public:
    explicit FailuresPage(Workspace* workspace, QWidget* parent = nullptr);
    ~FailuresPage() override;

    [[nodiscard]] FailureTableModel* model() const { return m_model; }
    [[nodiscard]] QTableView* view() const { return m_view; }
    [[nodiscard]] TableTools* tools() const { return m_tools; }
    [[nodiscard]] bool isBusy() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Answer;
    void buildControls();
    /// What is shown is out of date.
    void refresh();
    void compute();
    void applyAnswer(const Answer& answer);

    Workspace* m_workspace;
    FailureTableModel* m_model;
    QTableView* m_view = nullptr;
    TableTools* m_tools = nullptr;
    ScopeBox* m_scope = nullptr;
    WrappedLabel* m_note = nullptr;
    WrappedLabel* m_empty = nullptr;
    RunHereButton* m_runHere = nullptr;
    WorkBar* m_work = nullptr;
    QStackedLayout* m_stack = nullptr;
    QTimer* m_progressTimer;
    std::shared_ptr<std::array<std::atomic<std::size_t>, 2>> m_done;   ///< failures read, and of how many
    LatestJob* m_job;
    GrowthRefresh* m_growth;
    ShownRefresh* m_shown;
};

}  // namespace tracedeck::ui
