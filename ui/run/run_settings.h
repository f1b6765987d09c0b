// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/run/run_request.h"
#include "ui/models/latest_job.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QSpinBox;

namespace tracedeck::ui {

/// Device and measuring settings of the next run, on one line. "auto" leaves a number to the evaluation config, which may
/// differ between definitions.
class RunSettings : public QWidget {
    Q_OBJECT
public:
    explicit RunSettings(QWidget* parent = nullptr);
    ~RunSettings() override;

    /// Fills devices, overrides, time limit and resume.
    void applyTo(RunRequest& request) const;
    /// The device list is found on a thread; true once it is there.
    [[nodiscard]] bool areDevicesKnown() const { return m_devicesKnown; }

    /// The values chosen there.
    void takeOver(const RunSettings& predecessor);
    void setIterations(int iterations);
    void setWarmups(int warmups);
    void setTrials(int trials);

signals:
    void devicesKnown();

private:
    void findDevices();

    QComboBox* m_device;
    QSpinBox* m_warmups;
    QSpinBox* m_iterations;
    QSpinBox* m_trials;
    QDoubleSpinBox* m_timeout;
    QCheckBox* m_resume;
    bool m_devicesKnown = false;
    LatestJob* m_job;
};

}  // namespace tracedeck::ui
