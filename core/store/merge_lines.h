// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>

#include "core/io/trace_fields.h"
#include "core/model/result.h"
#include "core/model/trace.h"

namespace tracedeck {

/// Takes the lines of a file as texts that may be written again. The texts end with the call.
class LineTextSink {
public:
    virtual ~LineTextSink() = default;
    /// An evaluated trace; `text` is one line that the strict reader takes.
    virtual Result<void> onTraceText(std::string_view text, const TraceFields& fields, std::int64_t line) = 0;
    virtual Result<void> onWorkloadText(std::string_view text, const Trace& trace, std::int64_t line) = 0;
    /// No reader takes it, or only the tolerant one and it cannot be brought up to date. `text` as it stands in the
    /// file.
    virtual Result<void> onRefusedText(std::string_view text, const Error& reason, std::int64_t line) = 0;
    /// An old form was brought up to date.
    virtual void onUpdated(const Problem& warning, std::int64_t line) = 0;
};

/// Reads the lines of a workloads or traces file block by block. Lines that the strict reader takes keep their text;
/// the others are read as the tolerant reader does and written anew. Error: the file cannot be read, the sink refused,
/// or the stop token was set.
[[nodiscard]] Result<void> readLineTexts(const std::filesystem::path& path, LineTextSink& sink,
                                         const std::stop_token& stop);

}  // namespace tracedeck
