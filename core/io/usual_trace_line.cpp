// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/usual_trace_line.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/io/line_cursor.h"

namespace tracedeck {

namespace {

/// What stands in an object behind `{`: calls `passMember` behind the opening quote of each key.
template <class PassMember>
bool passMembers(LineCursor& line, PassMember passMember)
{
    if (line.pass("}")) return true;
    if (!line.pass("\"")) return false;
    do {
        if (!passMember()) return false;
    } while (line.pass(",\""));
    return line.pass("}");
}

bool passAxes(LineCursor& line, TraceFields& fields)
{
    auto& axes = fields.axes;
    const bool isPassed = passMembers(line, [&] {
        auto& [name, value] = axes.emplace_back();
        return line.passText(name) && line.pass(":") && line.passInteger(value);
    });
    if (!isPassed) return false;
    std::sort(axes.begin(), axes.end());
    // A name that comes twice is left to the codec.
    return std::adjacent_find(axes.begin(), axes.end(), [](const auto& a, const auto& b) { return a.first == b.first; }) == axes.end();
}

bool passInput(LineCursor& line)
{
    std::string_view text;
    if (!line.passText(text) || !line.pass(":{\"type\":\"")) return false;
    if (line.pass("random\"}")) return true;
    if (line.pass("safetensors\",\"path\":\"")) {
        return line.passText(text) && line.pass(",\"tensor_key\":\"") && line.passText(text) && line.pass("}");
    }
    if (!line.pass("scalar\",\"value\":")) return false;
    if (line.pass("true}") || line.pass("false}")) return true;
    double number = 0;
    (void)line.pass("-");   // a scalar may have any sign
    return line.passNumber(number) && line.pass("}");
}

bool passWorkload(LineCursor& line, TraceFields& fields, RepeatedTexts& repeats)
{
    const char* const start = line.place();
    if (line.move(repeats.findWorkload(start, line.end(), fields))) return true;
    if (!line.pass("{\"axes\":{") || !passAxes(line, fields) || !line.pass(",\"inputs\":{") ||
        !passMembers(line, [&line] { return passInput(line); }) || !line.pass(",\"uuid\":\"") || !line.passText(fields.workloadUuid) ||
        !line.pass("}")) {
        return false;
    }
    repeats.addWorkload(std::string_view(start, static_cast<std::size_t>(line.place() - start)), fields);
    return true;
}

bool passEnvironment(LineCursor& line, TraceFields& fields, RepeatedTexts& repeats)
{
    const char* const start = line.place();
    if (line.move(repeats.findEnvironment(start, line.end(), fields))) return true;
    const auto passLibrary = [&line] { return line.passString() && line.pass(":\"") && line.passString(); };
    if (!line.pass("{\"hardware\":\"") || !line.passText(fields.hardware) || !line.pass(",\"libs\":{") || !passMembers(line, passLibrary) ||
        !line.pass("}")) {
        return false;
    }
    repeats.addEnvironment(std::string_view(start, static_cast<std::size_t>(line.place() - start)), fields);
    return true;
}

bool passStatus(LineCursor& line, TraceFields& fields)
{
    if (line.pass("PASSED\"")) {
        fields.status = Status::Passed;
        return true;
    }
    std::string_view name;
    if (!line.passText(name)) return false;
    const auto status = statusFromString(name);
    if (!status || !isFormatStatus(*status)) return false;
    fields.status = *status;
    return true;
}

bool passCorrectness(LineCursor& line, TraceFields& fields)
{
    if (line.pass("null")) return true;
    fields.hasCorrectness = true;
    return line.pass("{\"max_relative_error\":") && line.passNumber(fields.maxRelativeError) && line.pass(",\"max_absolute_error\":") &&
           line.passNumber(fields.maxAbsoluteError) && line.pass(",\"extra\":null}");
}

bool passPerformance(LineCursor& line, TraceFields& fields)
{
    if (line.pass("null")) return true;
    fields.hasPerformance = true;
    return line.pass("{\"latency_ms\":") && line.passNumber(fields.latencyMs) && line.pass(",\"reference_latency_ms\":") &&
           line.passNumber(fields.referenceLatencyMs) && line.pass(",\"speedup_factor\":") && line.passNumber(fields.speedupFactor) &&
           line.pass("}");
}

}  // namespace

std::size_t UsualTraceLine::read(std::string_view text, TraceFields& fields, RepeatedTexts& repeats)
{
    LineCursor line(text);
    std::string_view solution;
    if (!line.pass("{\"definition\":\"") || !line.passText(fields.definition, m_definition) || !line.pass(",\"workload\":") ||
        !passWorkload(line, fields, repeats) || !line.pass(",\"solution\":\"") || !line.passText(solution, m_solution) ||
        !line.pass(",\"evaluation\":{\"status\":\"") || !passStatus(line, fields) || !line.pass(",\"environment\":") ||
        !passEnvironment(line, fields, repeats) || !line.pass(",\"timestamp\":\"") || !line.passText(fields.timestamp) ||
        !line.pass(",\"log\":\"") || !line.passString() || !line.pass(",\"correctness\":") || !passCorrectness(line, fields) ||
        !line.pass(",\"performance\":") || !passPerformance(line, fields) || !line.pass("}}")) {
        return 0;
    }
    fields.solution = solution;
    fields.hasEvaluation = true;
    return fields.isInconsistent() ? 0 : static_cast<std::size_t>(line.place() - text.data());
}

}  // namespace tracedeck
