// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/io/trace_fields.h"

namespace tracedeck {

/// A part of a line that comes again and again, with what was found in it. Places count from its start.
struct RepeatedText {
    std::string text;
    struct Place {
        std::uint32_t offset = 0;
        std::uint32_t size = 0;
        [[nodiscard]] std::string_view in(const char* start) const { return {start + offset, size}; }
    };
    Place name;   ///< the uuid of a workload, the hardware of an environment
    std::vector<std::pair<Place, std::int64_t>> axes;
    std::uint32_t next = 0;   ///< number of the one that followed last time

    /// Whether it stands at `start`. Equal bytes from the start of a JSON object on are an equal object.
    [[nodiscard]] bool isAt(const char* start, const char* end) const
    {
        return !text.empty() && static_cast<std::size_t>(end - start) >= text.size() && std::memcmp(start, text.data(), text.size()) == 0;
    }
    [[nodiscard]] static Place placeOf(std::string_view part, const char* start)
    {
        return {static_cast<std::uint32_t>(part.data() - start), static_cast<std::uint32_t>(part.size())};
    }
};

/// The workloads and environments that lines before had: most lines name one of them in the very same words, often in the
/// order in which they came before, and comparing bytes takes a fraction of reading them.
class RepeatedTexts {
public:
    /// Bytes that a known workload takes at `start`, which is then in the fields; 0: none is there.
    std::size_t findWorkload(const char* start, const char* end, TraceFields& fields)
    {
        if (m_workloadCount == 0) return 0;
        // Runs go through the workloads of a definition, or through the solutions of a workload.
        for (const std::uint32_t number : {m_workloads[m_lastWorkload].next, m_lastWorkload}) {
            const RepeatedText& known = m_workloads[number];
            if (!known.isAt(start, end)) continue;
            fields.workloadUuid = known.name.in(start);
            for (const auto& [name, value] : known.axes) fields.axes.emplace_back(name.in(start), value);
            use(number, fields);
            return known.text.size();
        }
        return 0;
    }
    /// `text`: a workload without escapes that was just read into the fields.
    void addWorkload(std::string_view text, TraceFields& fields)
    {
        if (!isWorthKeeping(text)) return;
        const auto known = m_workloadByUuid.find(fields.workloadUuid);
        if (known != m_workloadByUuid.end() && m_workloads[known->second].text == text) {
            use(known->second, fields);
            return;
        }
        if (m_workloadCount == kMaximumCount) return;
        const std::uint32_t number = m_workloadCount++;
        if (number == m_workloads.size()) m_workloads.emplace_back();
        RepeatedText& added = m_workloads[number];
        added.text = text;
        added.name = RepeatedText::placeOf(fields.workloadUuid, text.data());
        added.axes.clear();
        for (const auto& [name, value] : fields.axes) added.axes.emplace_back(RepeatedText::placeOf(name, text.data()), value);
        added.next = 0;
        m_workloadByUuid.insert_or_assign(added.name.in(added.text.data()), number);
        use(number, fields);
    }
    /// Numbers of workloads start anew; keeps its memory.
    void forgetWorkloads()
    {
        m_workloadByUuid.clear();
        m_workloadCount = 0;
        m_lastWorkload = 0;
    }
    std::size_t findEnvironment(const char* start, const char* end, TraceFields& fields)
    {
        for (const RepeatedText& known : m_environments) {
            if (!known.isAt(start, end)) continue;
            fields.hardware = known.name.in(start);
            return known.text.size();
        }
        return 0;
    }
    void addEnvironment(std::string_view text, const TraceFields& fields)
    {
        if (!isWorthKeeping(text)) return;
        RepeatedText& added = m_environments[m_nextEnvironment++ % m_environments.size()];
        added.text = text;
        added.name = RepeatedText::placeOf(fields.hardware, text.data());
    }

private:
    static constexpr std::size_t kMaximumBytes = 16'384;
    static constexpr std::size_t kMaximumCount = 4096;

    /// Texts with line ends must not be found where one line is sought.
    static bool isWorthKeeping(std::string_view text)
    {
        return text.size() <= kMaximumBytes && text.find('\n') == std::string_view::npos && text.find('\r') == std::string_view::npos;
    }

    void use(std::uint32_t number, TraceFields& fields)
    {
        fields.workloadRepeat = number;
        m_workloads[m_lastWorkload].next = number;
        m_lastWorkload = number;
    }

    std::deque<RepeatedText> m_workloads;   ///< a deque, so that the keys below stay valid
    std::uint32_t m_workloadCount = 0;      ///< the first ones of them; the memory of the others is used again
    std::unordered_map<std::string_view, std::uint32_t> m_workloadByUuid;
    std::uint32_t m_lastWorkload = 0;
    std::array<RepeatedText, 4> m_environments{};
    std::size_t m_nextEnvironment = 0;
};

}  // namespace tracedeck
