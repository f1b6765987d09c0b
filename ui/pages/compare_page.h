// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/model/solution.h"

class QCheckBox;
class QToolButton;

namespace tracedeck::ui {

class DiffView;
class MutedLabel;
class NameBox;
class Workspace;

/// The sources of two solutions side by side.
class ComparePage : public QWidget {
    Q_OBJECT
public:
    ComparePage(Workspace* workspace, const QString& left, const QString& right, QWidget* parent = nullptr);

    [[nodiscard]] QString leftName() const;
    [[nodiscard]] QString rightName() const;
    [[nodiscard]] DiffView* view() const { return m_view; }
    void setNames(const QString& left, const QString& right);

public slots:
    void showFind();

signals:
    /// Another pair was chosen.
    void namesChanged();

private:
    void fillNames(const QString& left, const QString& right);
    void fillFiles();
    void compare();
    void swapSides();
    void showSummary();
    [[nodiscard]] const Solution* solutionIn(const NameBox* box) const;

    Workspace* m_workspace;
    NameBox* m_left;
    NameBox* m_right;
    NameBox* m_file;
    QToolButton* m_swap;
    QToolButton* m_previous;
    QToolButton* m_next;
    QCheckBox* m_blanks;
    MutedLabel* m_summary;
    DiffView* m_view;
};

}  // namespace tracedeck::ui
