// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QSystemTrayIcon;

namespace tracedeck::ui {

/// Tells the desktop what happened while no window of ours was looked at, where the desktop has a place for that.
class RunNotifier : public QObject {
    Q_OBJECT
public:
    explicit RunNotifier(QObject* parent = nullptr);
    void tell(const QString& title, const QString& text);

signals:
    /// Said, whether or not anything shows it.
    void told(const QString& title, const QString& text);
    /// The user wants to see more.
    void activated();

private:
    QSystemTrayIcon* m_icon = nullptr;   ///< made with the first message
};

}  // namespace tracedeck::ui
