// SPDX-License-Identifier: GPL-3.0-or-later
// parseSanitizerOutput() of sanitizer.h.
#include <algorithm>
#include <charconv>
#include <optional>

#include "core/diagnose/sanitizer.h"
#include "core/model/text.h"

namespace tracedeck {

namespace {

constexpr std::string_view kMark = "========= ";
constexpr std::size_t kMostFindings = 10000;
constexpr std::size_t kMostDetails = 20;
constexpr std::size_t kLongestLine = 4000;

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) text.remove_suffix(1);
    return text;
}

std::uint64_t firstNumber(std::string_view text)
{
    const std::size_t begin = text.find_first_of("0123456789");
    std::uint64_t number = 0;
    if (begin != std::string_view::npos) std::from_chars(text.data() + begin, text.data() + text.size(), number);
    return number;
}

/// Sources are compiled in a private folder `…/sources/`; what stands below it is the solution's own name for them.
std::string shortFile(std::string_view file)
{
    constexpr std::string_view kFolder = "/sources/";
    const std::size_t at = file.rfind(kFolder);
    return std::string(at == std::string_view::npos ? file : file.substr(at + kFolder.size()));
}

/// Takes `FILE:LINE` from the end of a text, or from its beginning up to a further colon. False when there is none.
bool takePlace(std::string_view text, SanitizerFinding& finding, std::string_view* rest)
{
    // The last `:digits` that is followed by the end or by `:`; a name of a file may have colons itself.
    for (std::size_t colon = text.rfind(':'); colon != std::string_view::npos && colon > 0; colon = text.rfind(':', colon - 1)) {
        int line = 0;
        const char* begin = text.data() + colon + 1;
        const char* end = text.data() + text.size();
        const auto [stop, failure] = std::from_chars(begin, end, line);
        if (failure == std::errc() && stop != begin && line > 0 && (stop == end || *stop == ':' || *stop == ' ')) {
            finding.file = shortFile(trimmed(text.substr(0, colon)));
            finding.line = line;
            if (rest != nullptr) *rest = stop == end ? std::string_view() : text.substr(static_cast<std::size_t>(stop - text.data()) + 1);
            return true;
        }
    }
    return false;
}

/// `at kernel(float *)+0x70 in kernel.cu:12`, `at 0x70 in kernel.cu:12:kernel(float *)` and `at 0x70 in kernel(float *)`.
void takeFunction(std::string_view text, SanitizerFinding& finding)
{
    if (text.starts_with("0x")) {   // of older versions
        const std::size_t in = text.find(" in ");
        if (in == std::string_view::npos) return;
        const std::string_view after = text.substr(in + 4);
        std::string_view kernel = after;
        if (takePlace(after.substr(0, after.find('(')), finding, &kernel)) {
            const std::size_t begin = static_cast<std::size_t>(kernel.data() - after.data());
            kernel = kernel.data() == nullptr ? std::string_view() : after.substr(begin);
        }
        finding.kernel = std::string(trimmed(kernel));
        return;
    }
    std::string_view kernel = text;
    if (const std::size_t in = text.rfind(" in "); in != std::string_view::npos && takePlace(text.substr(in + 4), finding, nullptr)) kernel = text.substr(0, in);
    if (const std::size_t offset = kernel.rfind("+0x"); offset != std::string_view::npos) kernel = kernel.substr(0, offset);
    finding.kernel = std::string(trimmed(kernel));
}

class OutputReader {
public:
    SanitizerOutput read(std::string_view text)
    {
        while (!text.empty()) {
            const std::size_t end = text.find('\n');
            readLine(text.substr(0, end));
            text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        }
        finishFinding();
        return std::move(m_output);
    }

private:
    void readLine(std::string_view line)
    {
        line = line.substr(0, kLongestLine);
        if (!line.starts_with("=========")) return;   // the program's own
        if (!line.starts_with(kMark)) return finishFinding();
        const std::string_view body = line.substr(kMark.size());
        const bool isContinued = body.starts_with("    ") || body.starts_with("\t");
        const std::string_view words = trimmed(body);
        if (words.empty()) return finishFinding();
        if (isContinued && m_finding) return continueFinding(words);
        if (isContinued) return;
        finishFinding();
        startBlock(words);
    }

    void startBlock(std::string_view words)
    {
        if (words.find("SUMMARY:") != std::string_view::npos) {
            m_output.hasSummary = true;
            // `ERROR SUMMARY: 3 errors`, `RACECHECK SUMMARY: 2 hazards displayed (1 error, 1 warning)`
            if (words.find("not printed") == std::string_view::npos) m_output.errors += firstNumber(words.substr(words.find("SUMMARY:")));
            return;
        }
        if (words.starts_with("COMPUTE-SANITIZER") || words.starts_with("LEAK") || words.starts_with("Generated") || words.starts_with("Saved")) return;
        for (const std::string_view trouble : {"Target application terminated before first instrumented API call", "Target application returned an error", "Error: No attachable process found",
                                               "Unable to", "Internal Sanitizer Error", "Internal Memcheck Error", "Fatal", "Device not supported",
                                               "Error: Target", "No CUDA"}) {
            if (words.find(trouble) != std::string_view::npos) {
                m_output.problems.push_back(toValidUtf8(std::string(words)));
                return;
            }
        }
        m_finding.emplace();
        // `Error: Race reported between Write access at kernel(int *)+0x50 in race.cu:10`: the place is of the first access.
        if (const std::size_t at = words.find(" access at "); at != std::string_view::npos) {
            takeFunction(words.substr(at + std::string_view(" access at ").size()), *m_finding);
            words = words.substr(0, at + std::string_view(" access").size());
        }
        m_finding->kind = std::string(words);
    }

    void continueFinding(std::string_view words)
    {
        SanitizerFinding& finding = *m_finding;
        if (words.starts_with("at ") && finding.kernel.empty() && !m_inBacktrace) {
            takeFunction(words.substr(3), finding);
            return;
        }
        if (words.starts_with("by thread ") && finding.thread.empty()) {
            finding.thread = std::string(words.substr(3));
            return;
        }
        if (words.starts_with("Address ") && finding.address.empty()) {
            const std::string_view address = words.substr(8);
            finding.address = std::string(address.substr(0, address.find_first_of(" ,")));
        }
        if (words.find("acktrace") != std::string_view::npos || words.starts_with("Host Frame") || words.starts_with("Device Frame")) {
            m_inBacktrace = true;
            return;   // of Python and the driver: says nothing about the kernel
        }
        if (!m_inBacktrace && finding.details.size() < kMostDetails) finding.details.emplace_back(words);
    }

    void finishFinding()
    {
        m_inBacktrace = false;
        if (!m_finding) return;
        SanitizerFinding finding = std::move(*m_finding);
        m_finding.reset();
        for (std::string* text : {&finding.kind, &finding.kernel, &finding.file, &finding.thread, &finding.address}) *text = toValidUtf8(*text);
        for (std::string& detail : finding.details) detail = toValidUtf8(detail);
        const auto alike = std::ranges::find_if(m_output.findings, [&](const SanitizerFinding& known) {
            return known.kind == finding.kind && known.kernel == finding.kernel && known.file == finding.file && known.line == finding.line;
        });
        if (alike != m_output.findings.end()) ++alike->count;
        else if (m_output.findings.size() < kMostFindings) m_output.findings.push_back(std::move(finding));
    }

    SanitizerOutput m_output;
    std::optional<SanitizerFinding> m_finding;
    bool m_inBacktrace = false;
};

}  // namespace

std::string SanitizerFinding::place() const
{
    return file.empty() ? std::string() : file + ":" + std::to_string(line);
}

SanitizerOutput parseSanitizerOutput(std::string_view text)
{
    return OutputReader().read(text);
}

}  // namespace tracedeck
