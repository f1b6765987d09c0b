// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QListWidget;
class QListWidgetItem;
class QPushButton;

namespace tracedeck::ui {

class FindingsList;
class LatestJob;
class MutedLabel;

/// Shown while no dataset is open: open a folder, the sample or a recent folder; what this machine can run.
class StartPage : public QWidget {
    Q_OBJECT
public:
    explicit StartPage(QWidget* parent = nullptr);
    ~StartPage() override;

    /// Interpreter options for the check of this machine.
    void setPython(const QString& setting, const QString& option);
    /// The recent list again, from the settings.
    void refreshRecent();
    /// True while the machine or the recent folders are looked at.
    [[nodiscard]] bool isBusy() const;
    [[nodiscard]] QListWidget* recentList() const { return m_recent; }

    /// Folder of the sample: TRACEDECK_SAMPLE, else beside a build tree, else installed; empty when there is none.
    [[nodiscard]] static QString samplePath();

signals:
    void openRequested();
    void openPathRequested(const QString& path);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void checkMachine();

    QPushButton* m_openSample;
    QListWidget* m_recent;
    MutedLabel* m_noRecent;
    FindingsList* m_findings;
    LatestJob* m_machineJob;
    LatestJob* m_recentJob;
    QString m_pythonSetting;
    QString m_pythonOption;
    bool m_checked = false;
};

}  // namespace tracedeck::ui
