// SPDX-License-Identifier: GPL-3.0-or-later
// Merging workloads and traces.
#include <algorithm>

#include "core/io/json_codec.h"
#include "core/io/read_file.h"
#include "core/io/safetensors.h"
#include "core/io/trace_writer.h"
#include "core/model/text.h"
#include "core/store/merger.h"
#include "core/store/same_content.h"

namespace tracedeck {

/// Puts the lines of one file of a source where they belong.
class Merger::LineSink : public LineTextSink {
public:
    LineSink(Merger& merger, std::size_t index, std::string file)
        : m_merger(merger), m_source(merger.m_sources[index]), m_index(index), m_file(std::move(file))
    {
    }

    Result<void> onTraceText(std::string_view text, const TraceFields& fields, std::int64_t) override
    {
        const std::string definition(fields.definition);
        if (!m_merger.isSelected(definition)) return {};
        const std::string solution(fields.solution.value_or(std::string_view()));
        if (m_source.strandedDefinitions.contains(definition)) {
            return aside("trace", text,
                         "it was measured for this source's definition '" + definition + "', which is set aside");
        }
        if (m_source.strandedSolutions.contains(solution)) {
            return aside("trace", text,
                         "it was measured with this source's solution '" + solution + "', which is set aside");
        }
        std::string uuid(fields.workloadUuid);
        if (m_source.strandedWorkloads.contains({definition, uuid})) {
            return aside("trace", text, "it was measured on this source's workload '" + uuid + "', which is set aside");
        }
        const std::string author = m_merger.authorFor(solution, m_file);
        const std::string opType = m_merger.opTypeFor(definition, m_file);
        const auto path = traceFilePath({}, author, opType, definition);
        if (!path) return aside("trace", text, path.error().reason);
        if (m_merger.m_request.isSubset() && !m_merger.m_workloads.contains({definition, uuid})) {
            if (auto added = addBlobsOf(text); !added) return added;
        }
        ++m_merger.m_traceLines[path->string()];
        return m_merger.m_staging.appendLine(path->string(), text);
    }

    Result<void> onWorkloadText(std::string_view text, const Trace& trace, std::int64_t line) override
    {
        if (!m_merger.isSelected(trace.definition)) return {};
        if (m_source.strandedDefinitions.contains(trace.definition)) {
            return aside("workload", text,
                         "it belongs to this source's definition '" + trace.definition + "', which is set aside");
        }
        Trace relative = trace;
        bool isRewritten = false;
        for (auto& [name, input] : relative.workload.inputs) {
            auto* tensor = std::get_if<SafetensorsInput>(&input);
            if (tensor == nullptr) continue;
            const auto placed = placeTensor(name, *tensor, line, isRewritten);
            if (!placed) return placed.error();
            if (placed->empty()) continue;
            m_source.strandedWorkloads.insert({trace.definition, trace.workload.uuid});
            return aside("workload", text, *placed);
        }
        if (!isSafePathComponent(trace.definition)) {
            return aside("workload", text, "the definition's name cannot be that of a file");
        }
        const std::string content = canonicalWorkload(relative.workload);
        const std::string place = m_merger.displayPath(m_index, m_file) + ":" + std::to_string(line);
        const auto [kept, isNew] = m_merger.m_workloads.try_emplace(
            {trace.definition, trace.workload.uuid}, KeptWorkload{content, place, m_index});
        if (!isNew) return addSecond(kept->second, text, trace, content, place);
        ++m_merger.m_report.workloads.written;
        const std::string path =
            "workloads/" + m_merger.opTypeFor(trace.definition, m_file) + "/" + trace.definition + ".jsonl";
        return m_merger.m_staging.appendLine(path, isRewritten ? writeLine(encodeTrace(relative)) : text);
    }

    Result<void> onRefusedText(std::string_view text, const Error& reason, std::int64_t line) override
    {
        Problem problem{Severity::Error, reason};
        problem.error.line = line;
        // In an export the line may belong to something that nobody asked for.
        if (m_merger.m_request.isSubset()) problem.severity = Severity::Warning;
        m_problems.add(std::move(problem));
        return aside("line", text, "flashinfer-bench would refuse to load a dataset with it");
    }

    void onUpdated(const Problem& warning, std::int64_t line) override
    {
        Problem problem = warning;
        problem.error.line = line;
        m_problems.add(std::move(problem));
    }

    [[nodiscard]] ProblemList takeProblems() { return std::move(m_problems); }

private:
    Result<void> aside(const char* kind, std::string_view text, const std::string& reason)
    {
        if (m_merger.m_request.isSubset() && std::string_view(kind) == "line") return {};
        return m_merger.setLineAside(m_index, kind, m_file, text, reason);
    }

    Result<void> addSecond(const KeptWorkload& kept, std::string_view text, const Trace& trace,
                           const std::string& content, const std::string& place)
    {
        if (kept.content == content) {
            ++m_merger.m_report.workloads.identical;
            return {};
        }
        const bool isOwn = kept.source == m_index;
        if (!isOwn) m_source.strandedWorkloads.insert({trace.definition, trace.workload.uuid});
        const std::string asideFile = m_merger.asidePath(m_index, m_file);
        m_merger.addConflict(
            "workload", trace.workload.uuid, kept.place, place, asideFile,
            isOwn ? "one source has both with different axes or inputs: traces are taken to belong to the first"
                  : "they ask for different axes or inputs: traces of this source for this workload are set "
                    "aside with it");
        return m_merger.m_staging.appendLine(asideFile, text);
    }

    /// File of a tensor, relative to the source's root. Error: the path leads out of the source.
    [[nodiscard]] Result<std::string> blobOf(const SafetensorsInput& tensor) const
    {
        const auto resolved = resolveBlobPath(m_source.root, tensor.path);
        if (!resolved) return resolved.error();
        return resolved->lexically_relative(std::filesystem::absolute(m_source.root / "").lexically_normal()).string();
    }

    /// Puts the file of a tensor in place. Returns why the workload cannot be part of the merged dataset; empty when it
    /// can.
    Result<std::string> placeTensor(const std::string& input, SafetensorsInput& tensor, std::int64_t line,
                                    bool& isRewritten)
    {
        const auto path = blobOf(tensor);
        if (!path) return path.error().reason;
        if (std::filesystem::path(tensor.path).is_absolute()) {
            // It would go on naming the source.
            tensor.path = *path;
            isRewritten = true;
        }
        const auto outcome = m_merger.addBlob(m_index, *path);
        if (!outcome) return outcome.error();
        if (*outcome == BlobOutcome::Different) {
            return "its blob '" + *path + "' holds other bytes than the one in the merged dataset";
        }
        if (*outcome == BlobOutcome::Missing) {
            m_problems.add(
                Problem{Severity::Warning, Error{ErrorCode::NotFound,
                                                 "the blob is not in the dataset; the workload is kept without it",
                                                 {},
                                                 line,
                                                 "workload.inputs." + input + ".path"}});
        }
        return std::string();
    }

    /// A trace may be all that is left of its workload.
    Result<void> addBlobsOf(std::string_view text)
    {
        const auto decoded = decodeTrace(text, ReadMode::Strict);
        if (!decoded) return decoded.error();
        for (const auto& [name, input] : decoded->value.workload.inputs) {
            const auto* tensor = std::get_if<SafetensorsInput>(&input);
            if (tensor == nullptr) continue;
            const auto path = blobOf(*tensor);
            if (!path) continue;   // not a file of the dataset
            if (const auto outcome = m_merger.addBlob(m_index, *path); !outcome) return outcome.error();
        }
        return {};
    }

    Merger& m_merger;
    Source& m_source;
    std::size_t m_index;
    std::string m_file;
    ProblemList m_problems;
};

Result<void> Merger::addLines(std::size_t index, const std::string& file)
{
    LineSink sink(*this, index, file);
    const std::filesystem::path path = m_sources[index].root / file;
    const auto read = readLineTexts(path, sink, m_stop);
    std::vector<Problem> problems = sink.takeProblems().take(displayPath(index, file));
    std::move(problems.begin(), problems.end(), std::back_inserter(m_report.problems));
    if (read || read.error().code == ErrorCode::Cancelled) return read;
    // A failure to write ends the merge; what cannot be read is kept as a whole, beside the lines that could.
    const bool isOfSource = read.error().file.empty() || read.error().file == displayPath(index, file);
    if (!isOfSource) return read;
    addProblem(Severity::Error, read.error().code, read.error().reason, displayPath(index, file), read.error().line);
    if (!openForReading(path)) return {};
    const std::string aside = asidePath(index, file) + ".unread";
    countAside("line", displayPath(index, file), aside, "the file could not be read to its end; this is all of it");
    return m_staging.copy(path, aside);
}

}  // namespace tracedeck
