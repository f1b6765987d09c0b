// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/run_notifier.h"

#include <QApplication>
#include <QSystemTrayIcon>
#include <QTimer>

#include "ui/style/icons.h"

namespace tracedeck::ui {
namespace {

constexpr int kMessageMs = 10'000;

}  // namespace

RunNotifier::RunNotifier(QObject* parent) : QObject(parent) {}

void RunNotifier::tell(const QString& title, const QString& text)
{
    emit told(title, text);
    if (QApplication::activeWindow() || !QSystemTrayIcon::isSystemTrayAvailable() || !QSystemTrayIcon::supportsMessages())
        return;
    if (!m_icon) {
        m_icon = new QSystemTrayIcon(applicationIcon(), this);
        m_icon->setToolTip(QStringLiteral("Tracedeck"));
        connect(m_icon, &QSystemTrayIcon::messageClicked, this, &RunNotifier::activated);
        connect(m_icon, &QSystemTrayIcon::activated, this, &RunNotifier::activated);
    }
    m_icon->show();   // a message needs its icon
    m_icon->showMessage(title, text, applicationIcon(), kMessageMs);
    QTimer::singleShot(kMessageMs, m_icon, &QSystemTrayIcon::hide);
}

}  // namespace tracedeck::ui
