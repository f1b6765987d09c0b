// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "core/run/caches.h"

class QComboBox;
class QFormLayout;
class QLineEdit;
class QPushButton;

namespace tracedeck::ui {

class LatestJob;
class MutedLabel;
class WrappedLabel;

/// Settings of what runs solutions: the CUDA Toolkit, how far solutions are confined, caches. What is chosen is tried in the background, and applies at once.
class RunningSettings : public QWidget {
    Q_OBJECT
public:
    /// Adds its rows to `form`, whose parent it becomes a child of.
    RunningSettings(QFormLayout* form, QWidget* parent);
    ~RunningSettings() override;

    [[nodiscard]] QString toolkitState() const;
    [[nodiscard]] bool isBusy() const;
    /// While a run is under way nothing can be cleared: a solution whose library vanishes would fail.
    void setRunning(bool running);

private:
    void addToolkit(QFormLayout* form);
    void addConfinement(QFormLayout* form);
    void addCaches(QFormLayout* form);
    void applyToolkit();
    void checkToolkit();
    void checkConfinement();
    void browseToolkit();
    void measureCaches();
    void askToClear(const QString& name);

    struct CacheRow {
        QString name;
        MutedLabel* size;
        QPushButton* clear;
    };
    QLineEdit* m_toolkit = nullptr;
    WrappedLabel* m_toolkitState = nullptr;
    QComboBox* m_confinement = nullptr;
    WrappedLabel* m_confinementState = nullptr;
    std::vector<CacheRow> m_caches;
    bool m_running = false;
    LatestJob* m_toolkitJob;
    LatestJob* m_confinementJob;
    LatestJob* m_cachesJob;
};

}  // namespace tracedeck::ui
