// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/keyboard_dialog.h"

#include <QAction>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QSet>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

QString plainName(const QAction* action)
{
    QString text = action->text();
    text.remove(QLatin1Char('&'));
    return text.remove(QStringLiteral("…")).trimmed();
}

/// Actions of a menu and its submenus, in their order.
QList<QAction*> actionsOf(const QMenu* menu)
{
    QList<QAction*> all;
    for (QAction* action : menu->actions())
        all << (action->menu() ? actionsOf(action->menu()) : QList<QAction*>{action});
    return all;
}

QString keysOf(const QAction* action)
{
    QStringList keys;
    for (const QKeySequence& sequence : action->shortcuts())
        if (!sequence.isEmpty())
            keys << sequence.toString(QKeySequence::NativeText);
    return keys.join(KeyboardDialog::tr(" or "));
}

/// The part of the window that an action outside the menus belongs to.
QString placeOf(const QAction* action)
{
    for (const QObject* object = action->parent(); object; object = object->parent())
        if (const auto* widget = qobject_cast<const QWidget*>(object); widget && !widget->isWindow() && !widget->accessibleName().isEmpty())
            return widget->accessibleName();
    return {};
}

}  // namespace

KeyboardDialog::KeyboardDialog(const QMenuBar* menus, const QList<QAction*>& actions, QWidget* parent) : QDialog(parent), m_list(new QTreeWidget(this))
{
    setWindowTitle(tr("Keyboard map"));
    resize(520, 560);
    auto* filter = new QLineEdit(this);
    filter->setPlaceholderText(tr("Filter"));
    filter->setAccessibleName(tr("Filter the keyboard map"));
    filter->setClearButtonEnabled(true);
    m_list->setAccessibleName(tr("Actions and their keys"));
    m_list->setColumnCount(2);
    m_list->setHeaderLabels({tr("Action"), tr("Keys")});
    m_list->setRootIsDecorated(false);
    m_list->setIndentation(Space::kWide);
    m_list->setUniformRowHeights(true);
    m_list->header()->setStretchLastSection(false);
    m_list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_list->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    const auto add = [this](QTreeWidgetItem* group, const QString& name, const QString& keys) {
        auto* item = new QTreeWidgetItem(group, {name, keys});
        item->setFont(1, monospacedFont());
        item->setSizeHint(0, QSize(0, kRowHeight));
    };
    const auto addGroup = [this](const QString& title) {
        auto* group = new QTreeWidgetItem(m_list, {title});
        QFont bold = font();
        bold.setBold(true);
        group->setFont(0, bold);
        group->setFirstColumnSpanned(true);
        group->setSizeHint(0, QSize(0, kRowHeight));
        group->setFlags(Qt::ItemIsEnabled);
        return group;
    };
    QSet<const QAction*> listed;
    for (const QAction* menu : menus->actions()) {
        auto* group = menu->menu() ? addGroup(plainName(menu)) : nullptr;
        for (const QAction* action : menu->menu() ? actionsOf(menu->menu()) : QList<QAction*>()) {
            const QString keys = keysOf(action);
            if (keys.isEmpty() || listed.contains(action))
                continue;
            listed.insert(action);
            const bool isPane = qobject_cast<const QDockWidget*>(action->parent());
            add(group, isPane ? tr("Show or hide the pane %1").arg(plainName(action)) : plainName(action), keys);
        }
        if (group && group->childCount() == 0)
            delete group;
    }
    auto* elsewhere = addGroup(tr("Where the keyboard is"));
    for (const QAction* action : actions) {
        const QString keys = keysOf(action);
        if (keys.isEmpty() || listed.contains(action))
            continue;
        const QString place = placeOf(action);
        add(elsewhere, place.isEmpty() ? plainName(action) : tr("%1 (%2)").arg(plainName(action), place), keys);
    }
    add(elsewhere, tr("Open what is selected in a tree or table"), tr("Enter"));
    add(elsewhere, tr("Tick or untick for running"), tr("Space"));
    add(elsewhere, tr("Close the find bar, clear a filter, or go back to the list"), tr("Esc"));
    m_list->expandAll();
    m_list->setItemsExpandable(false);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(filter, &QLineEdit::textChanged, this, &KeyboardDialog::applyFilter);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(filter);
    layout->addWidget(m_list, 1);
    layout->addWidget(buttons);
}

void KeyboardDialog::applyFilter(const QString& text)
{
    for (int i = 0; i < m_list->topLevelItemCount(); ++i) {
        QTreeWidgetItem* group = m_list->topLevelItem(i);
        bool isEmpty = true;
        for (int row = 0; row < group->childCount(); ++row) {
            QTreeWidgetItem* item = group->child(row);
            const bool fits = item->text(0).contains(text, Qt::CaseInsensitive) || item->text(1).contains(text, Qt::CaseInsensitive);
            item->setHidden(!fits);
            isEmpty = isEmpty && !fits;
        }
        group->setHidden(isEmpty);
    }
}

}  // namespace tracedeck::ui
