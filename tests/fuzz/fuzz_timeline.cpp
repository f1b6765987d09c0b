// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as the records of a call and as the judge's summaries of differences: the process of a solution can write what it likes.
#include <cstdint>

#include "core/diagnose/timeline.h"
#include "core/model/tensor_difference.h"
#include "core/report/svg_plots.h"
#include "tests/fuzz/fuzz_support.h"

using namespace tracedeck;
using tracedeck::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const Json json = Json::parse(fuzz::textOf(data, size), nullptr, false);
    if (json.is_discarded()) return 0;
    if (auto timeline = decodeTimeline(json)) {
        require(timeline->busyUs <= timeline->spanUs * (1 + 1e-9), "nothing is busy for longer than the whole takes");
        for (const TimelineEntry& entry : timeline->entries) require(entry.startUs >= 0 && entry.durationUs >= 0, "time goes forward");
        static_cast<void>(timelineText(*timeline));
        const Json encoded = encodeTimeline(*timeline);
        require(!encoded.dump().empty(), "what was read is valid UTF-8");
        const auto again = timelineFromJson(encoded);
        require(again && encodeTimeline(*again) == encoded, "what is kept can be read again");
    }
    if (auto timeline = timelineFromJson(json)) static_cast<void>(timelineSvg(*timeline, PlotLook::File));
    if (auto report = decodeDifferenceReport(json)) {
        auto again = decodeDifferenceReport(encodeDifferenceReport(*report));
        require(again && again->outputs.size() == report->outputs.size(), "what was read can be written and read again");
    }
    if (auto report = decodeToleranceReport(json)) {
        require(decodeToleranceReport(encodeToleranceReport(*report)).has_value(), "what was read can be written and read again");
    }
    return 0;
}
