// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <vector>

#include "core/run/python_environment.h"

class QPushButton;
class QTreeWidget;

namespace tracedeck::ui {

class LatestJob;

/// What `tracedeck doctor` says, in a window: what was found, what is missing and how to get it.
class DoctorDialog : public QDialog {
    Q_OBJECT
public:
    DoctorDialog(const QString& pythonSetting, const QString& pythonOption, QWidget* parent = nullptr);
    ~DoctorDialog() override;
    [[nodiscard]] QTreeWidget* list() const { return m_list; }

private:
    void start();
    void showFindings(const std::vector<Finding>& findings);
    void copy() const;

    QString m_pythonSetting;
    QString m_pythonOption;
    QTreeWidget* m_list;
    QPushButton* m_again;
    LatestJob* m_job;
};

}  // namespace tracedeck::ui
