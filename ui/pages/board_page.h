// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QWidget>
#include <vector>

#include "core/model/result.h"
#include "ui/models/chart_board.h"

class QAction;
class QGridLayout;
class QLabel;
class QStackedLayout;

namespace tracedeck::ui {

class ChartCard;
class WrappedLabel;
class Workspace;

/// The charts that the user put beside each other, in a grid: to arrange, to open in the workbench, to take away.
class BoardPage : public QWidget {
    Q_OBJECT
public:
    explicit BoardPage(Workspace* workspace, QWidget* parent = nullptr);
    ~BoardPage() override;

    [[nodiscard]] const std::vector<ChartCard*>& cards() const { return m_cards; }
    [[nodiscard]] QList<QAction*> exportActions() const { return m_exportActions; }
    /// Writes all charts into one picture; the form follows the suffix: png, svg or pdf.
    [[nodiscard]] Result<void> exportPicture(const QString& path) const;
    [[nodiscard]] bool isBusy() const;

signals:
    /// The user wants this chart in the workbench.
    void openRequested(const tracedeck::ui::ChartSpec& spec);

private:
    void rebuild();

    Workspace* m_workspace;
    QGridLayout* m_grid;
    QWidget* m_board;
    WrappedLabel* m_empty;
    QStackedLayout* m_stack;
    std::vector<ChartCard*> m_cards;
    QList<QAction*> m_exportActions;
};

}  // namespace tracedeck::ui
