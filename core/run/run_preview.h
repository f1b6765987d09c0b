// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/run/devices.h"
#include "core/run/run_request.h"

namespace tracedeck {

/// What the time of an evaluation was estimated from, the best first.
enum class EstimateSource {
    Solution,     ///< how long evaluations of the solution took on this hardware before: the time since the trace before it
    Definition,   ///< those of the definition
    Latency,      ///< a start, and trials × (warm-ups + iterations) × the latencies of solution and reference that a trace tells
    Usual         ///< nothing is known: what an evaluation takes as a rule
};
[[nodiscard]] std::string_view toString(EstimateSource source);   ///< lower case

struct PairPreview {
    RunPair pair;
    double seconds = 0;
    EstimateSource source = EstimateSource::Usual;
    std::uint64_t bytes = 0;   ///< see workloadBytes(); 0: unknown
    bool isSkipped = false;    ///< resume skips it
};

/// Memory of a device of the run.
struct DevicePreview {
    std::string device;
    std::string hardware;
    std::optional<std::uint64_t> totalBytes;
    std::optional<std::uint64_t> freeBytes;
    std::size_t tooLarge = 0;   ///< evaluations whose workload needs more than is free
};

/// What a run would do, before it does.
struct RunPreview {
    RunPlan plan;
    std::vector<PairPreview> pairs;       ///< in the order of the run; the skipped ones at the end
    std::vector<DevicePreview> devices;
    double seconds = 0;                   ///< of the whole run, when its devices share it evenly
    std::size_t estimated = 0;            ///< pairs whose time comes from earlier evaluations (Solution or Definition)
    std::uint64_t mostBytes = 0;          ///< of the largest workload
};

/// What a judge holds at least for a workload: its inputs once, its outputs for each trial's expectation, the solution's and the
/// reference's. What solutions allocate themselves comes on top. 0 when the shapes can't be resolved.
[[nodiscard]] std::uint64_t workloadBytes(const Definition& definition, const Workload& workload, const EvalConfig& config);

/// Plans a run and estimates it. Reads the traces of its definitions: not for a thread that paints. Asks the driver and the
/// system what is free. Errors as makePlan() and chooseDevices().
[[nodiscard]] Result<RunPreview> previewRun(RunRequest request, const std::stop_token& stop = {});

/// 0.4s, 12s, 2m05s, 3h02m, 2d04h
[[nodiscard]] std::string shortDuration(double seconds);

}  // namespace tracedeck
