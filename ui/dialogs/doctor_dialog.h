// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QPushButton;

namespace tracedeck::ui {

class FindingsList;
class LatestJob;

/// What `tracedeck doctor` says, in a window: what was found, what is missing and how to get it.
class DoctorDialog : public QDialog {
    Q_OBJECT
public:
    DoctorDialog(const QString& pythonSetting, const QString& pythonOption, QWidget* parent = nullptr);
    ~DoctorDialog() override;
    [[nodiscard]] FindingsList* list() const { return m_list; }

private:
    void start();

    QString m_pythonSetting;
    QString m_pythonOption;
    FindingsList* m_list;
    QPushButton* m_again;
    QPushButton* m_copy;
    LatestJob* m_job;
};

}  // namespace tracedeck::ui
