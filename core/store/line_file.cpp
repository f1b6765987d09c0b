// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/line_file.h"

#include <exception>

namespace tracedeck {

namespace {

/// A trace without log takes 640 bytes and more.
constexpr std::uint64_t kBytesOfShortLine = 600;

/// Collects what the lines of one part hold.
class LinePartSink : public TraceLineSink {
public:
    LinePartSink(LinePart& part, bool isTraceFolder, std::atomic<std::uint64_t>* traceCount)
        : m_part(part), m_isTraceFolder(isTraceFolder), m_traceCount(traceCount)
    {
    }
    ~LinePartSink() override { report(); }
    LinePartSink(const LinePartSink&) = delete;
    LinePartSink& operator=(const LinePartSink&) = delete;

    void onTrace(const TraceFields& fields, std::uint64_t byteOffset, std::int64_t line) override
    {
        m_part.traces.append(fields, TraceTable::makeLocation(0, byteOffset));
        if (!m_isTraceFolder) warn(line, "an evaluated trace stands in the workloads folder; it is read as a trace");
        if (++m_unreported == kReportEvery) report();
    }
    void onWorkload(Trace workload, std::int64_t line) override
    {
        m_part.workloads.push_back(std::move(workload));
        if (m_isTraceFolder) warn(line, "a workload stands in the traces folder; it is read as a workload");
    }
    void onProblem(Problem problem) override { problems().add(std::move(problem)); }
    void onUnterminatedLine(std::uint64_t byteOffset, std::int64_t lines, std::string_view before) override
    {
        m_part.openLine = LinePart::OpenLine{lines, m_part.traces.size(), m_part.workloads.size(), {}};
        m_part.resumeAt = byteOffset;
        m_part.bytesBeforeResume = before;
    }
    void onFileEnd(std::uint64_t byteOffset, std::string_view before) override
    {
        if (m_part.openLine) return;
        m_part.resumeAt = byteOffset;
        m_part.bytesBeforeResume = before;
    }

private:
    static constexpr std::uint64_t kReportEvery = 4096;

    [[nodiscard]] ProblemList& problems() { return m_part.openLine ? m_part.openLine->problems : m_part.problems; }
    void warn(std::int64_t line, const char* reason)
    {
        problems().add(Problem{Severity::Warning, Error{ErrorCode::InvalidInput, reason, {}, line, {}}});
    }
    void report()
    {
        if (m_traceCount != nullptr) *m_traceCount += m_unreported;
        m_unreported = 0;
    }

    LinePart& m_part;
    bool m_isTraceFolder;
    std::atomic<std::uint64_t>* m_traceCount;
    std::uint64_t m_unreported = 0;
};

}  // namespace

bool isReadByLines(const std::filesystem::path& file)
{
    return file.extension() == ".jsonl";
}

void readLinePart(const LineSource& source, LinePart& part, std::uint64_t sizeHint, TraceReaderMemory& memory, const std::stop_token& stop,
                  std::atomic<std::uint64_t>* traceCount)
{
    const auto fail = [&part](Error error) { part.problems.add(Problem{Severity::Error, std::move(error)}); };
    try {
        if (source.isTraceFolder && sizeHint > 0) part.traces.reserve(static_cast<std::size_t>(sizeHint / kBytesOfShortLine) + 1);
        LinePartSink sink(part, source.isTraceFolder, traceCount);
        const auto lines = isReadByLines(source.path) ? readTraceLines(source.path, part.range, sink, memory, stop, source.place)
                                                      : readTraceDocument(source.path, sink, memory, stop, source.place);
        if (lines) {
            part.lines = *lines;
            part.isComplete = true;
        } else if (lines.error().code != ErrorCode::Cancelled) {
            fail(lines.error());
        }
    } catch (const std::exception& error) {
        fail(Error{ErrorCode::Io, std::string("the file cannot be read: ") + error.what(), {}, 0, {}});
    }
}

}  // namespace tracedeck
