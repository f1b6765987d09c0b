// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QWidget>
#include <array>
#include <memory>

#include "core/model/result.h"
#include "core/score/comparison.h"
#include "ui/models/comparison_choice.h"
#include "ui/models/sort_keys.h"

class QAction;
class QComboBox;
class QLineEdit;
class QStackedLayout;
class QTableView;
class QTimer;

namespace tracedeck::ui {

class CautionBar;
class CheckListButton;
class ComparisonModel;
struct PinnedSide;
class ComparisonScatter;
class GrowthRefresh;
class LatestJob;
class MutedLabel;
class RunHereButton;
class ScopeBox;
class SideChooser;
class TableTools;
class TurningSplitter;
class WorkBar;
class Workspace;
class WrappedLabel;

/// The results of two sides (datasets, runs, GPUs, authors, solutions) compared: the same figures as `report compare`.
class ResultsPage : public QWidget {
    Q_OBJECT
public:
    explicit ResultsPage(Workspace* workspace, QWidget* parent = nullptr);
    ~ResultsPage() override;

    [[nodiscard]] ComparisonChoice choice() const;
    /// Shows this comparison.
    void setChoice(const ComparisonChoice& choice);
    /// Shows what a reader most probably wants to compare now (see likelyChoice).
    void chooseLikely();
    [[nodiscard]] ComparisonModel* model() const { return m_model; }
    [[nodiscard]] ComparisonScatter* scatter() const { return m_scatter; }
    [[nodiscard]] QTableView* view() const { return m_view; }
    [[nodiscard]] TableTools* tools() const { return m_tools; }
    [[nodiscard]] QList<QAction*> exportActions() const;
    /// Writes the scatter as it is seen; the form follows the suffix: png, svg or pdf.
    [[nodiscard]] Result<void> exportPicture(const QString& path) const;
    [[nodiscard]] bool isBusy() const;

public slots:
    void showFind();

signals:
    /// The user wants to see a trace of a dataset that is not open: its JSON.
    void textRequested(const QString& text, const QString& title);
    /// Other rows are shown.
    void comparisonShown(int rows);

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    struct Shown;
    /// One of the two sides.
    struct Side {
        SideChooser* chooser = nullptr;
        SideFacts facts;          ///< without a dataset while they are being looked for
        LatestJob* job = nullptr;
        QString failure;          ///< why the folder could not be read
        bool isOfWorkspace = true;
    };

    void buildControls();
    void buildTable();
    void buildActions();
    void rebuildScopes(const ComparisonScope& wanted);
    void rebuildFolders();
    void lookAt(std::size_t side, const QString& folder, const SideChoice& choice);
    void browse(std::size_t side);
    void swapSides();
    void compare();
    void cancel();
    void applyComparison(std::shared_ptr<const Result<Comparison>> comparison);
    void applyFilter();
    [[nodiscard]] PinnedSide pinnedSide() const;
    void showNothing(const QString& why);
    void updateCaution();
    void sizeResultColumns();
    void shareRoom();
    void pickElement(std::size_t element);
    void openElement(std::size_t element, bool ofA);
    [[nodiscard]] ComparisonScope scope() const;

    Workspace* m_workspace;
    std::array<Side, 2> m_sides;
    ScopeBox* m_scope = nullptr;
    CheckListButton* m_verdicts = nullptr;
    CheckListButton* m_opTypes = nullptr;
    QLineEdit* m_text = nullptr;
    QTimer* m_filterTimer = nullptr;
    WorkBar* m_work = nullptr;
    CautionBar* m_caution = nullptr;
    ComparisonModel* m_model = nullptr;
    QTableView* m_view = nullptr;
    TableTools* m_tools = nullptr;
    ComparisonScatter* m_scatter = nullptr;
    TurningSplitter* m_splitter = nullptr;
    bool m_isSplitByHand = false;
    std::vector<int> m_wantedWidths;   ///< of the table's columns
    WrappedLabel* m_footer = nullptr;
    WrappedLabel* m_empty = nullptr;
    RunHereButton* m_runHere = nullptr;
    QStackedLayout* m_stack = nullptr;
    QList<QAction*> m_pictureActions;
    QAction* m_showA = nullptr;
    QAction* m_showB = nullptr;
    std::shared_ptr<const Comparison> m_comparison;         ///< made last; the table may still show the one before
    ComparisonChoice m_shown;                               ///< of m_comparison
    SortKeys m_sort;
    std::array<std::shared_ptr<const Dataset>, 2> m_compared;   ///< of the comparison that is made or was made last
    std::array<std::shared_ptr<const Dataset>, 2> m_datasets;   ///< of the comparison that the table shows
    std::shared_ptr<std::array<std::atomic<std::size_t>, 2>> m_done;   ///< rows compared, and of how many
    QTimer* m_progressTimer = nullptr;
    LatestJob* m_job;
    LatestJob* m_filterJob;
    GrowthRefresh* m_growth = nullptr;
};

}  // namespace tracedeck::ui
