// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QList>

class QAction;
class QMenuBar;
class QTreeWidget;

namespace tracedeck::ui {

/// The keyboard map, made from the actions themselves.
class KeyboardDialog : public QDialog {
    Q_OBJECT
public:
    /// Menu by menu, then the other actions with the place where they act. Those without a shortcut are left out.
    KeyboardDialog(const QMenuBar* menus, const QList<QAction*>& actions, QWidget* parent = nullptr);
    [[nodiscard]] QTreeWidget* list() const { return m_list; }

private:
    void applyFilter(const QString& text);
    QTreeWidget* m_list;
};

}  // namespace tracedeck::ui
