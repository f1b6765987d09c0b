// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window_host.h"

#include <QPointer>
#include <algorithm>
#include <iterator>
#include <utility>

#include "ui/main_window.h"
#include "ui/settings/settings.h"

namespace tracedeck::ui {
namespace {

/// How far a window lies from the one before it, in pixels.
constexpr int kCascade = 32;

}  // namespace

WindowHost::WindowHost(const QString& pythonOption, QObject* parent) : QObject(parent), m_pythonOption(pythonOption)
{
    m_windows.push_back(std::make_unique<MainWindow>(pythonOption));
    listen(m_windows.back().get());
}

WindowHost::~WindowHost() = default;

std::vector<MainWindow*> WindowHost::windows() const
{
    std::vector<MainWindow*> windows;
    std::transform(m_windows.begin(), m_windows.end(), std::back_inserter(windows), [](const auto& window) { return window.get(); });
    return windows;
}

void WindowHost::listen(MainWindow* window)
{
    // Not within the signals: their sender may go with them.
    connect(window, &MainWindow::languageChosen, this, &WindowHost::showIn, Qt::QueuedConnection);
    connect(window, &MainWindow::windowWanted, this, &WindowHost::openBeside, Qt::QueuedConnection);
    connect(window, &MainWindow::closed, this, [this, window = QPointer<MainWindow>(window)] {
        if (window)
            forget(window);
    }, Qt::QueuedConnection);
}

void WindowHost::openBeside(const QString& path)
{
    const MainWindow* last = m_windows.back().get();
    auto window = std::make_unique<MainWindow>(m_pythonOption);
    window->resize(last->size());
    window->move(last->pos() + QPoint(kCascade, kCascade));
    listen(window.get());
    window->show();
    m_windows.push_back(std::move(window));
    m_windows.back()->openPath(path);
}

void WindowHost::forget(MainWindow* window)
{
    if (m_windows.size() == 1 || window->isVisible())
        return;
    std::erase_if(m_windows, [window](const auto& other) { return other.get() == window; });
}

void WindowHost::showIn(WindowLanguage language)
{
    Settings::setLanguage(language);
    applyLanguage(language);
    for (auto& window : m_windows) {
        auto next = std::make_unique<MainWindow>(*window);
        if (window->isVisible())
            next->show();   // before the other one goes: the program ends with its last window
        window = std::move(next);
        window->announce();
        listen(window.get());
    }
}

}  // namespace tracedeck::ui
