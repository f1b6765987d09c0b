// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>

#include "core/diagnose/duel.h"

class QDoubleSpinBox;
class QListWidget;
class QProgressBar;
class QPushButton;
class QSpinBox;
class QTimer;

namespace tracedeck::ui {

class DuelChart;
class ElidedLabel;
class NameBox;
class LatestJob;
class PlainTableModel;
class WrappedLabel;
class Workspace;

/// Solutions of a definition against each other on one workload, round by round, until it is clear which is faster.
class DuelPage : public QWidget {
    Q_OBJECT
public:
    explicit DuelPage(Workspace* workspace, QWidget* parent = nullptr);
    ~DuelPage() override;

    void setRequestSource(std::function<RunRequest()> source) { m_requestSource = std::move(source); }
    /// Chooses definition, the solutions to tick and the workload; empty: what is there stays.
    void setTarget(const QString& definition, const QStringList& solutions, const QString& workload);
    [[nodiscard]] QStringList ticked() const;
    [[nodiscard]] bool isBusy() const;
    /// What is shown now.
    [[nodiscard]] const std::optional<DuelReport>& report() const { return m_report; }
    [[nodiscard]] QString verdictText() const;
    void setLimits(double seconds, int rounds);

public slots:
    void start();
    void stop();

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Inbox {
        std::mutex mutex;
        std::optional<DuelReport> report;
    };
    void buildTop();
    void fill();
    void look();
    void show(const DuelReport& report);
    void ended();

    Workspace* m_workspace;
    std::function<RunRequest()> m_requestSource;
    QString m_definition;
    ElidedLabel* m_title;
    QListWidget* m_solutions;
    NameBox* m_workloads;
    QSpinBox* m_minutes;
    QDoubleSpinBox* m_margin;
    QPushButton* m_start;
    QPushButton* m_stop;
    QProgressBar* m_bar;
    WrappedLabel* m_verdict;
    WrappedLabel* m_state;
    PlainTableModel* m_table;
    DuelChart* m_chart;
    QTimer* m_timer;
    double m_secondsLimit = 0;   ///< 0: the box's
    int m_mostRounds = 400;
    std::shared_ptr<Inbox> m_inbox;
    std::optional<DuelReport> m_report;
    LatestJob* m_job;
};

/// Each solution's ratio to the leader with its interval, against the margin within which it does not count.
class DuelChart : public QWidget {
    Q_OBJECT
public:
    explicit DuelChart(QWidget* parent = nullptr);
    void setReport(const DuelReport& report);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {160, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    DuelReport m_report;
};

}  // namespace tracedeck::ui
