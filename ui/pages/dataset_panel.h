// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSet>
#include <QWidget>

class QLineEdit;
class QModelIndex;
class QPushButton;
class QTimer;
class QTreeView;

namespace tracedeck::ui {

class DatasetTreeModel;
class ElidedLabel;
class EmptyHint;
class Workspace;

/// The left pane: a filter box over the dataset tree, and what is ticked for a run below it.
class DatasetPanel : public QWidget {
    Q_OBJECT
public:
    explicit DatasetPanel(Workspace* workspace, QWidget* parent = nullptr);

    [[nodiscard]] DatasetTreeModel* model() const { return m_model; }
    [[nodiscard]] QTreeView* tree() const { return m_tree; }
    [[nodiscard]] QLineEdit* filterEdit() const { return m_filter; }
    /// Makes the definition visible and current in the tree.
    void revealDefinition(const QString& name);
    void revealSolution(const QString& name);
    /// What is open in the tree, by keys that a reload keeps.
    [[nodiscard]] QStringList expandedKeys();
    void setExpandedKeys(const QStringList& keys);
    [[nodiscard]] QSize sizeHint() const override;

public slots:
    void focusFilter();
    void clearRunSelection();

signals:
    /// Enter or a double click: show it and go there.
    void definitionActivated(const QString& name);
    void solutionActivated(const QString& name);
    void workloadActivated(const QString& definition, const QString& uuid);
    void tracesActivated(const QString& definition);
    /// One of the parts of a definition became current in the tree.
    void solutionsChosen(const QString& definition);
    void workloadChosen(const QString& definition, const QString& uuid);

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// Makes an entry current without taking it for the user's choice; an invalid index changes nothing.
    void reveal(const QModelIndex& index);
    void applyFilter();
    void onCurrentChanged(const QModelIndex& index);
    void onActivated(const QModelIndex& index);
    void rememberState();
    void restoreState();
    void expandForFilter();
    void updateSummary();
    void sizeCounts();
    void showMenu(const QPoint& position);

    Workspace* m_workspace;
    DatasetTreeModel* m_model;
    QLineEdit* m_filter;
    QTreeView* m_tree;
    ElidedLabel* m_summary;
    QPushButton* m_clear;
    QTimer* m_filterTimer;
    QSet<QString> m_expanded;
    EmptyHint* m_hint = nullptr;
    QString m_currentKey;
    bool m_restoring = false;
    bool m_wasFiltered = false;
};

}  // namespace tracedeck::ui
