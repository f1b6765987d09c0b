// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window_host.h"

#include "ui/main_window.h"
#include "ui/settings/settings.h"

namespace tracedeck::ui {

WindowHost::WindowHost(const QString& pythonOption, QObject* parent) : QObject(parent), m_window(std::make_unique<MainWindow>(pythonOption)) { listen(); }
WindowHost::~WindowHost() = default;

void WindowHost::listen()
{
    // Not within the signal: its sender goes with the window.
    connect(m_window.get(), &MainWindow::languageChosen, this, &WindowHost::showIn, Qt::QueuedConnection);
}

void WindowHost::showIn(WindowLanguage language)
{
    Settings::setLanguage(language);
    applyLanguage(language);
    auto next = std::make_unique<MainWindow>(*m_window);
    if (m_window->isVisible())
        next->show();   // before the other one goes: the program ends with its last window
    m_window = std::move(next);
    m_window->announce();
    listen();
}

}  // namespace tracedeck::ui
