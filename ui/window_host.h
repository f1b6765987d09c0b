// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <memory>
#include <vector>

#include "ui/settings/language.h"

namespace tracedeck::ui {

class MainWindow;

/// Has the program's windows, one for each dataset that is open side by side. Another language needs other windows: the datasets,
/// the runs in progress, and what is open in the old ones go over to the new ones.
class WindowHost : public QObject {
    Q_OBJECT
public:
    /// `pythonOption`: as for MainWindow.
    explicit WindowHost(const QString& pythonOption, QObject* parent = nullptr);
    ~WindowHost() override;

    /// The first one.
    [[nodiscard]] MainWindow* window() const { return m_windows.front().get(); }
    /// In the order in which they were made.
    [[nodiscard]] std::vector<MainWindow*> windows() const;

public slots:
    /// The windows that there were before are gone afterwards.
    void showIn(tracedeck::ui::WindowLanguage language);
    /// Opens a folder in a window of its own.
    void openBeside(const QString& path);

private:
    void listen(MainWindow* window);
    /// Lets go of a window that was closed, unless it is the last one.
    void forget(MainWindow* window);

    QString m_pythonOption;
    std::vector<std::unique_ptr<MainWindow>> m_windows;   ///< never empty
};

}  // namespace tracedeck::ui
