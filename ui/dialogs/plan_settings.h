// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "core/run/run_request.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLineEdit;
class QListWidget;
class QPushButton;
class QSpinBox;

namespace tracedeck::ui {

class LatestJob;
class NameBox;
class OverridesForm;
class WrappedLabel;

/// How a planned run is done: presets, devices, the values of evaluations for everything, an op_type or a definition, limits.
class PlanSettings : public QWidget {
    Q_OBJECT
public:
    explicit PlanSettings(QWidget* parent = nullptr);
    ~PlanSettings() override;

    /// Offers these devices; before, the request's own ones are all that there are.
    void setDevices(const std::vector<std::string>& devices);
    void setRequest(const RunRequest& request);
    /// What was set with all that is chosen here. Error Usage, with the field, where that is no value.
    [[nodiscard]] Result<RunRequest> request() const;
    /// Asks for a file to keep the values of evaluations in.
    void saveYaml();
    [[nodiscard]] bool isBusy() const;

signals:
    void changed();
    /// A preset or file could not be read or written.
    void failed(const QString& reason);

private:
    void addPresets(QFormLayout* form);
    void addEvaluation(QFormLayout* form);
    void addLimits(QFormLayout* form);
    void fillPresets(const QString& chosen);
    void fillScopes();
    void usePreset();
    void askForPresetName();
    void removePresetInHand();
    void loadYaml();
    /// Reads a file of such values; writes it first when `write`.
    void useYaml(const QString& path, bool write);
    /// Takes what the form says into the scope that it is about.
    void takeScope();
    void showScope();

    RunRequest m_request;
    ConfigScope m_scope;         ///< of what the form shows
    bool m_showing = false;
    std::vector<std::string> m_devicesKnown;
    NameBox* m_preset = nullptr;
    QPushButton* m_removePreset = nullptr;
    QListWidget* m_devices = nullptr;
    NameBox* m_scopes = nullptr;
    OverridesForm* m_overrides = nullptr;
    QDoubleSpinBox* m_timeout = nullptr;
    QDoubleSpinBox* m_buildTimeout = nullptr;
    QLineEdit* m_seed = nullptr;
    QSpinBox* m_skipAfter = nullptr;
    QCheckBox* m_waitIdle = nullptr;
    QDoubleSpinBox* m_celsius = nullptr;
    QComboBox* m_isolation = nullptr;
    QCheckBox* m_baseline = nullptr;
    QCheckBox* m_save = nullptr;
    LatestJob* m_listJob;
    LatestJob* m_fileJob;
};

}  // namespace tracedeck::ui
