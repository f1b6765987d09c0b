// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "ui/settings/language.h"
#include "ui/style/theme.h"

class QComboBox;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace tracedeck::ui {

class LatestJob;
class RunningSettings;
class WrappedLabel;

/// Looks and the Python interpreter. Every change applies at once; there is nothing to confirm.
class SettingsDialog : public QDialog {
    Q_OBJECT
public:
    /// `pythonOption`: the interpreter of --python, which counts when the setting is empty.
    SettingsDialog(const QString& pythonOption, QWidget* parent = nullptr);
    ~SettingsDialog() override;

    [[nodiscard]] QLineEdit* pythonEdit() const { return m_python; }
    /// What was found out about the interpreter that would be used.
    [[nodiscard]] QString pythonState() const;
    [[nodiscard]] RunningSettings* running() const { return m_running; }

signals:
    void themeChanged(tracedeck::ui::ThemeChoice theme);
    /// The dialog goes with the window that is made anew.
    void languageChanged(tracedeck::ui::WindowLanguage language);
    void fontStepChanged(int step);
    void pythonChanged(const QString& interpreter);

private:
    void applyPython();
    void checkPython();
    void browsePython();

    QString m_pythonOption;
    QComboBox* m_theme;
    QComboBox* m_language;
    QSpinBox* m_fontStep;
    QLineEdit* m_python;
    QPushButton* m_browse;
    WrappedLabel* m_pythonState;
    RunningSettings* m_running = nullptr;
    LatestJob* m_job;
};

}  // namespace tracedeck::ui
