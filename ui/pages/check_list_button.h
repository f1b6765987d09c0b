// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QStringList>
#include <QToolButton>
#include <vector>

namespace tracedeck::ui {

/// A button with a menu of check marks: a quick filter. None checked means that nothing is filtered. The menu stays open
/// while marks are set.
class CheckListButton : public QToolButton {
    Q_OBJECT
public:
    struct Entry {
        QString key;
        QString text;
        QIcon icon;
    };

    /// `title` is shown while nothing is checked.
    CheckListButton(const QString& title, QWidget* parent = nullptr);

    void setTitle(const QString& title);
    /// Keeps the marks of keys that are still there; emits nothing.
    void setEntries(const std::vector<Entry>& entries);
    /// Keys without an entry are ignored. Emits checkedChanged when something changes.
    void setChecked(const QStringList& keys);
    [[nodiscard]] QStringList checked() const;

signals:
    void checkedChanged();

private:
    void updateText();

    QString m_title;
    QMenu* m_menu;
};

}  // namespace tracedeck::ui
