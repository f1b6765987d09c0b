// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <memory>

#include "ui/settings/language.h"

namespace tracedeck::ui {

class MainWindow;

/// Has the program's window. Another language needs another window: the dataset, the run in progress, and what is open in the
/// old one go over to the new one.
class WindowHost : public QObject {
    Q_OBJECT
public:
    /// `pythonOption`: as for MainWindow.
    explicit WindowHost(const QString& pythonOption, QObject* parent = nullptr);
    ~WindowHost() override;

    [[nodiscard]] MainWindow* window() const { return m_window.get(); }

public slots:
    /// The window that window() gave before is gone afterwards.
    void showIn(tracedeck::ui::WindowLanguage language);

private:
    void listen();
    std::unique_ptr<MainWindow> m_window;
};

}  // namespace tracedeck::ui
