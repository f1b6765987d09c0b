// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/model/result.h"
#include "core/run/gpu_list.h"
#include "ui/models/device_progress.h"

class QLabel;
class QPlainTextEdit;
class QTimer;
class QToolButton;
class QVBoxLayout;

namespace tracedeck::ui {

class ElidedLabel;
class LatestJob;
class MutedLabel;
class SampleStrip;

/// The six steps of an evaluation, with the one that is done now.
class StageBar : public QWidget {
    Q_OBJECT
public:
    explicit StageBar(QWidget* parent = nullptr);
    void setStage(std::optional<Stage> stage);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::optional<Stage> m_stage;
};

/// Temperature and clock of a device over the last minutes.
class StateStrip : public QWidget {
    Q_OBJECT
public:
    explicit StateStrip(QWidget* parent = nullptr);
    void add(const GpuState& state);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::deque<GpuState> m_states;
};

/// One device of a run: what it does, with what it is busy, what it has done, how it is.
class DeviceCard : public QWidget {
    Q_OBJECT
public:
    explicit DeviceCard(const QString& device, QWidget* parent = nullptr);

    [[nodiscard]] const QString& device() const { return m_device; }
    /// `pairText` says what a pair is.
    void setProgress(const DeviceProgress& progress, const std::function<QString(std::size_t)>& pairText, bool isPaused, bool isRunning);
    /// What it is now, of which it keeps the last minutes.
    void addState(const GpuState& state);

signals:
    void pauseToggled(const QString& device, bool paused);
    void stopRequested(const QString& device);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void showLog();
    QString m_device;
    QLabel* m_name;
    ElidedLabel* m_hardware;
    QLabel* m_state;
    QToolButton* m_pause;
    QToolButton* m_stop;
    QToolButton* m_showLog;
    ElidedLabel* m_pair;
    StageBar* m_stages;
    StateStrip* m_strip;
    ElidedLabel* m_facts;
    ElidedLabel* m_counts;
    ElidedLabel* m_measured;    ///< what the points below it are of
    SampleStrip* m_samples;
    QPlainTextEdit* m_log;
    std::string m_logText;      ///< as it is; shown where somebody looks
    std::string m_shownLog;
    bool m_isPaused = false;
};

/// The cards of all devices of a run. Asks how the devices are once a second while they are seen and the run goes on.
class DeviceCards : public QScrollArea {
    Q_OBJECT
public:
    using Source = std::function<Result<GpuState>(const std::string&)>;
    explicit DeviceCards(QWidget* parent = nullptr);
    ~DeviceCards() override;

    /// Who tells how a device is; deviceState() at first.
    void setSource(Source source);
    /// One card a device, new ones when they are others than before. `pairText` says what a pair is.
    void showDevices(const std::vector<DeviceProgress>& devices, const std::function<QString(std::size_t)>& pairText, const std::function<bool(const std::string&)>& isPaused, bool isRunning);
    [[nodiscard]] const std::vector<DeviceCard*>& cards() const { return m_cards; }

signals:
    void pauseToggled(const QString& device, bool paused);
    void stopRequested(const QString& device);

private:
    void look();

    std::vector<DeviceCard*> m_cards;
    QVBoxLayout* m_layout;
    MutedLabel* m_empty;
    Source m_source;
    QTimer* m_timer;
    LatestJob* m_job;
};

/// "61 °C · 1980 of 1980 MHz · 12.3 GB of 79.6 GB · 412 W · slowed down: hw_thermal_slowdown"; what is not known is left out.
[[nodiscard]] QString deviceFacts(const GpuState& state);

}  // namespace tracedeck::ui
