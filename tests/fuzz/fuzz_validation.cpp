// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a validation report, and as the lines of a file that is validated and merged. A report that is accepted
// is written and read back the same; whatever a file holds, each of its bytes ends up in a record, in what is refused,
// or is white space.

#include <cstdint>
#include <string>
#include <string_view>

#include "core/io/fast_trace_line.h"
#include "core/io/json_codec.h"
#include "core/report/validation_report.h"
#include "core/report/validation_scan.h"
#include "core/store/merge_lines.h"
#include "tests/fuzz/fuzz_support.h"

using namespace tracedeck;
using tracedeck::fuzz::require;

namespace {

void checkReport(std::string_view text)
{
    const auto report = parseValidationReport(text);
    if (!report) {
        require(!report.error().reason.empty(), "an error has a reason");
        return;
    }
    const std::string written = validationDocument(*report).dump();
    const auto again = parseValidationReport(written);
    require(again.has_value() && *again == *report, "a report that is written is read back the same");
    const std::string shown = validationText(*report);
    for (const char c : shown) {
        require(c == '\n' || static_cast<unsigned char>(c) >= 0x20, "no control character reaches a terminal");
    }
}

/// Counts what comes out, and checks that the strict reader takes what is to be written.
class CheckingSink : public LineTextSink {
public:
    std::size_t records = 0;
    std::size_t refused = 0;

    Result<void> onTraceText(std::string_view text, const TraceFields& fields, std::int64_t line) override
    {
        const auto read = checked(text, line);
        require(!read.isWorkloadTrace() && read.definition == fields.definition &&
                    read.workload.uuid == fields.workloadUuid,
                "the fields are those of the text");
        return {};
    }
    Result<void> onWorkloadText(std::string_view text, const Trace& trace, std::int64_t line) override
    {
        const auto read = checked(text, line);
        require(read.isWorkloadTrace() && read.workload.uuid == trace.workload.uuid,
                "the workload is that of the text");
        return {};
    }
    Result<void> onRefusedText(std::string_view text, const Error& reason, std::int64_t line) override
    {
        ++refused;
        require(!text.empty() && !reason.reason.empty() && line > 0, "what is refused has a text, a reason and a line");
        return {};
    }
    void onUpdated(const Problem& warning, std::int64_t line) override
    {
        require(!warning.error.reason.empty() && line > 0, "a warning has a reason and a line");
    }

private:
    Trace checked(std::string_view text, std::int64_t line)
    {
        ++records;
        require(line > 0, "a record has a line");
        std::size_t pieces = 0;
        splitPythonLines(text, [&pieces](std::string_view) { ++pieces; });
        require(pieces == 1, "what is written is one line for every reader");
        auto read = decodeTrace(text, ReadMode::Strict);
        require(read.has_value(), "the strict reader takes what is written");
        return std::move(read->value);
    }
};

void checkLines(const std::uint8_t* data, std::size_t size)
{
    const std::string path = fuzz::memoryFile(data, size);
    std::int64_t last = 0;
    std::size_t validated = 0;
    const LinesOutcome outcome =
        readValidatedLines(path,
                           [&](std::string_view text, std::int64_t line) -> std::optional<std::string> {
                               require(line > last && !text.empty(), "lines come in order, without blank ones");
                               last = line;
                               if (!decodeTrace(text, ReadMode::Strict)) return "refused";
                               ++validated;
                               return std::nullopt;
                           },
                           {});
    require(!outcome.isUnreadable, "the file can be read");
    CheckingSink sink;
    require(readLineTexts(path, sink, {}).has_value(), "the lines can be read");
    if (outcome.error.empty()) require(sink.records + sink.refused > 0 || validated == 0, "what is valid is not lost");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    checkReport(std::string_view(reinterpret_cast<const char*>(data), size));
    checkLines(data, size);
    return 0;
}
