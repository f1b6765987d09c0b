// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QString>
#include <optional>
#include <string>
#include <vector>

#include "core/run/run_event.h"

namespace tracedeck::ui {

/// What a device of a run does, and has done.
struct DeviceProgress {
    std::string device{};
    std::string hardware{};
    std::string state{};                  ///< of its last DeviceEvent; empty: not heard of yet
    std::string message{};                ///< of that event
    std::optional<std::size_t> pair{};    ///< in hand, by index into the run
    std::optional<Stage> stage{};         ///< of that pair
    std::size_t passed = 0;
    std::size_t failed = 0;
    std::size_t problems = 0;             ///< pairs that could not be measured
    double busySeconds = 0;               ///< from a pair's start to its end, summed up
    std::string log{};                    ///< what the solution in hand, or the last one, has printed so far: its end
    std::optional<std::size_t> measured{};   ///< pair that was timed last
    std::vector<double> samplesMs{};      ///< its calls, in their order
    /// Of `log`; a device's card shows a few lines.
    static constexpr std::size_t kMostLogBytes = std::size_t{16} << 10;

    [[nodiscard]] std::size_t ended() const { return passed + failed + problems; }
    /// Nothing more is to be expected of it.
    [[nodiscard]] bool isOver() const { return state == "lost" || state == "stopped" || state == "idle"; }
};

/// The devices of a run, as its events tell of them.
class DeviceProgressList {
public:
    void start(const std::vector<std::string>& devices);
    void apply(const std::vector<RunEvent>& batch);
    [[nodiscard]] const std::vector<DeviceProgress>& devices() const { return m_devices; }

private:
    DeviceProgress* find(const std::string& device);
    void endPair(DeviceProgress& device, std::size_t pair);

    std::vector<DeviceProgress> m_devices;
    std::vector<qint64> m_begun;   ///< when each one's pair in hand began
    QElapsedTimer m_clock;
};

}  // namespace tracedeck::ui
