// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/keyboard_dialog.h"

#include <QAction>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLineEdit>
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

}  // namespace

KeyboardDialog::KeyboardDialog(const QList<QAction*>& actions, QWidget* parent) : QDialog(parent), m_list(new QTreeWidget(this))
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
    m_list->setUniformRowHeights(true);
    m_list->header()->setStretchLastSection(false);
    m_list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_list->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    const auto add = [this](const QString& name, const QString& keys) {
        auto* item = new QTreeWidgetItem(m_list, {name, keys});
        item->setFont(1, monospacedFont());
        item->setSizeHint(0, QSize(0, kRowHeight));
    };
    for (const QAction* action : actions) {
        QStringList keys;
        for (const QKeySequence& sequence : action->shortcuts())
            if (!sequence.isEmpty())
                keys << sequence.toString(QKeySequence::NativeText);
        if (!keys.isEmpty())
            add(plainName(action), keys.join(tr(" or ")));
    }
    add(tr("Open what is selected in a tree or table"), tr("Enter"));
    add(tr("Tick or untick for running"), tr("Space"));
    add(tr("Close the find bar, clear a filter, or go back to the list"), tr("Esc"));
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
    for (int row = 0; row < m_list->topLevelItemCount(); ++row) {
        QTreeWidgetItem* item = m_list->topLevelItem(row);
        item->setHidden(!item->text(0).contains(text, Qt::CaseInsensitive) && !item->text(1).contains(text, Qt::CaseInsensitive));
    }
}

}  // namespace tracedeck::ui
