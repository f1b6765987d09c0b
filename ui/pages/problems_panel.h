// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>

#include "core/report/validation_report.h"
#include "ui/models/problem_tree_model.h"

class QComboBox;
class QHBoxLayout;
class QProgressBar;
class QTreeView;

namespace tracedeck::ui {

class ElidedLabel;
class EmptyHint;
class LatestJob;
class Workspace;

/// Everything that could not be loaded or looks wrong, and what a check of the dataset found; opens, copies and repairs it.
class ProblemsPanel : public QWidget {
    Q_OBJECT
public:
    explicit ProblemsPanel(Workspace* workspace, QWidget* parent = nullptr);

    [[nodiscard]] ProblemTreeModel* model() const { return m_model; }
    [[nodiscard]] QTreeView* view() const { return m_view; }
    [[nodiscard]] qsizetype problemCount() const { return static_cast<qsizetype>(m_model->items().size()); }
    /// Problems are being gathered. A check that is under way does not count.
    [[nodiscard]] bool isBusy() const;
    [[nodiscard]] bool isChecking() const;
    /// The problem that is chosen; nullptr while none is.
    [[nodiscard]] const ProblemItem* current() const;
    [[nodiscard]] bool canOpen() const;
    [[nodiscard]] bool canFix() const;
    /// Offers an action as a button and in the context menu.
    void offer(QAction* action);

public slots:
    void openCurrent();
    /// The chosen problem as one line; of a group all of them.
    void copyCurrent();
    /// Asks, then repairs the end of the file.
    void fixCurrent();
    /// Looks at the whole dataset as `tracedeck validate --disable-gpu` does.
    void checkDataset();
    void cancelCheck();
    void setGrouping(tracedeck::ui::ProblemTreeModel::Grouping grouping);

signals:
    /// The user wants to see the text of a file, at a line when it is not 0.
    void openRequested(const QString& path, qint64 line);
    /// What is listed or chosen, or what is going on, is another.
    void stateChanged();
    /// A repair did not work.
    void failed(const QString& text);

protected:
    void changeEvent(QEvent* event) override;

private:
    void gather();
    void showItems();
    void showGroups(const std::optional<ProblemItem>& chosen);
    void updateSummary();
    /// What was found in one folder; `folder` is empty when there is one only.
    struct FolderReport;
    using Checked = Result<std::vector<FolderReport>>;
    void showReport(const Checked& reports);
    void fix(const ProblemItem& problem);

    Workspace* m_workspace;
    ProblemTreeModel* m_model;
    QTreeView* m_view;
    EmptyHint* m_hint;
    ElidedLabel* m_summary;
    QHBoxLayout* m_buttons;
    QComboBox* m_groupingBox;
    QProgressBar* m_progress;
    std::vector<ProblemItem> m_loading;
    std::vector<ProblemItem> m_checked;
    bool m_wasChecked = false;
    QString m_notRun;
    LatestJob* m_gatherJob;
    LatestJob* m_checkJob;
    LatestJob* m_fixJob;
};

}  // namespace tracedeck::ui
