// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/check_list_button.h"

#include <QAction>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QSignalBlocker>

#include "ui/style/text.h"

namespace tracedeck::ui {
namespace {

constexpr int kMaximumTextLength = 28;
/// Letters of a line of the menu.
constexpr qsizetype kLongestEntry = 80;

/// A menu that stays open while check marks are toggled.
class StickyMenu : public QMenu {
public:
    using QMenu::QMenu;

protected:
    void mouseReleaseEvent(QMouseEvent* event) override
    {
        QAction* action = actionAt(event->position().toPoint());
        if (action && action->isCheckable() && action->isEnabled()) {
            action->trigger();
            return;
        }
        QMenu::mouseReleaseEvent(event);
    }
    void keyPressEvent(QKeyEvent* event) override
    {
        QAction* action = activeAction();
        if (event->key() == Qt::Key_Space && action && action->isCheckable()) {
            action->trigger();
            return;
        }
        QMenu::keyPressEvent(event);
    }
};

}  // namespace

CheckListButton::CheckListButton(const QString& title, QWidget* parent)
    : QToolButton(parent), m_title(title), m_menu(new StickyMenu(this))
{
    setPopupMode(QToolButton::InstantPopup);
    setToolButtonStyle(Qt::ToolButtonTextOnly);
    setFocusPolicy(Qt::TabFocus);
    setMenu(m_menu);
    updateText();
}

void CheckListButton::setTitle(const QString& title)
{
    m_title = title;
    updateText();
}

void CheckListButton::setEntries(const std::vector<Entry>& entries)
{
    const QStringList kept = checked();
    m_menu->clear();
    QAction* all = m_menu->addAction(tr("Show all"));
    connect(all, &QAction::triggered, this, [this] { setChecked({}); });
    m_menu->addSeparator();
    for (const Entry& entry : entries) {
        QAction* action = m_menu->addAction(entry.icon, withoutMnemonic(shortened(visibleText(entry.text), kLongestEntry)));
        action->setData(entry.key);
        action->setCheckable(true);
        action->setChecked(kept.contains(entry.key));
        connect(action, &QAction::toggled, this, [this] {
            updateText();
            emit checkedChanged();
        });
    }
    setEnabled(!entries.empty());
    updateText();
}

void CheckListButton::setChecked(const QStringList& keys)
{
    const QStringList before = checked();
    for (QAction* action : m_menu->actions()) {
        if (action->isCheckable()) {
            const QSignalBlocker blocker(action);
            action->setChecked(keys.contains(action->data().toString()));
        }
    }
    updateText();
    if (before != checked()) {
        emit checkedChanged();
    }
}

QStringList CheckListButton::checked() const
{
    QStringList keys;
    for (const QAction* action : m_menu->actions()) {
        if (action->isCheckable() && action->isChecked()) {
            keys << action->data().toString();
        }
    }
    return keys;
}

void CheckListButton::updateText()
{
    QStringList names;
    for (const QAction* action : m_menu->actions()) {
        if (action->isCheckable() && action->isChecked()) {
            names << QString(action->text()).replace(QLatin1String("&&"), QLatin1String("&"));
        }
    }
    QString text = m_title;
    if (names.size() == 1) {
        text = tr("%1: %2").arg(m_title, names.front());
    } else if (names.size() > 1) {
        text = tr("%1: %2 chosen").arg(m_title).arg(names.size());
    }
    if (text.size() > kMaximumTextLength) {
        text = text.left(kMaximumTextLength - 1) + QStringLiteral("…");
    }
    setText(text);
    setAccessibleName(names.isEmpty() ? tr("%1: all").arg(m_title) : tr("%1: %2").arg(m_title, names.join(QStringLiteral(", "))));
    setToolTip(names.isEmpty() ? tr("Choose which of these to show") : plainToolTip(names.join(QLatin1Char('\n'))));
}

}  // namespace tracedeck::ui
