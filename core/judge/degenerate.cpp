// SPDX-License-Identifier: GPL-3.0-or-later
// tryDegenerate() of difference.h: what passes a workload's check without computing anything.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "core/judge/difference.h"
#include "core/judge/number_formats.h"

namespace tracedeck::judge {

namespace {

constexpr int kMostCalls = 3;
/// Larger outputs are not tried: each candidate takes as much memory again.
constexpr std::uint64_t kMostOutputBytes = std::uint64_t{1} << 30U;

using Bytes = std::vector<std::byte>;

std::vector<float> valuesOf(DType dtype, const Bytes& data, std::uint64_t elements)
{
    std::vector<float> values(static_cast<std::size_t>(elements));
    decodeToFloat(dtype, data, 0, values);
    return values;
}

/// Values as a solution would store them in an output of that dtype; nothing where that is not possible.
std::optional<Bytes> stored(DType dtype, const std::vector<float>& values)
{
    Bytes data(static_cast<std::size_t>(byteSize(dtype, values.size())));
    if (isFloating(dtype)) {
        if (dtype == DType::Float64 || bitWidth(dtype) < 8) {
            return std::nullopt;
        }
        encodeFromFloat(dtype, values, 0, data);
        return data;
    }
    const auto width = static_cast<std::size_t>(bitWidth(dtype) / 8);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double bounded = std::isfinite(values[i]) ? std::clamp(static_cast<double>(values[i]), -1e18, 1e18) : 0;
        const auto whole = static_cast<std::int64_t>(dtype == DType::Bool ? (values[i] != 0 ? 1 : 0) : std::llround(bounded));
        for (std::size_t byte = 0; byte < width; ++byte) {
            data[i * width + byte] = static_cast<std::byte>(static_cast<std::uint64_t>(whole) >> (8 * byte));
        }
    }
    return data;
}

/// What is put in the place of one output, by name.
using Candidates = std::vector<std::pair<std::string, Bytes>>;

class DegenerateTest {
public:
    DegenerateTest(Device& device, WorkloadSession& session, Deadline deadline) : m_device(device), m_session(session), m_deadline(deadline)
    {
        m_report.evaluator = evaluatorName(session.evaluator());
        m_report.atol = session.config().atol;
        m_report.rtol = session.config().rtol;
    }

    ToleranceReport run()
    {
        if (!m_session.needs().usesExpected) {
            m_report.missing = fmt::format("the evaluator `{}` does not compare outputs with expected ones", m_report.evaluator);
            return std::move(m_report);
        }
        const int rounds = std::min(m_session.needs().sharesContents ? 1 : m_session.needs().rounds, kMostCalls);
        for (int round = 0; round < rounds && m_report.missing.empty(); ++round) {
            if (FrameClock::now() >= m_deadline) {
                m_report.missing = round == 0 ? "the time was over before anything was tried" : "";
                break;
            }
            tryRound(round);
        }
        return std::move(m_report);
    }

private:
    void tryRound(int round)
    {
        const auto call = static_cast<std::uint32_t>(round);
        // Copied first: what a workload does not keep lives until the next call of expected().
        auto other = m_session.needs().sharesContents ? std::vector<Bytes>() : contentsOf(static_cast<std::size_t>(round) + 1);
        auto computed = m_session.expected(static_cast<std::size_t>(round), m_deadline);
        if (const auto* failure = std::get_if<HostFailure>(&computed)) {
            m_report.missing = "the reference failed: " + failure->message;
            return;
        }
        const ExpectedOutputs& expected = *std::get<const ExpectedOutputs*>(computed);
        const std::vector<TensorLayout> layouts = layoutsOf(expected);
        std::vector<HostTensor> inputs = readInputs(call);
        ++m_report.calls;
        for (std::size_t i = 0; i < expected.size(); ++i) {
            if (layouts[i].elements == 0 || layouts[i].bytes() > kMostOutputBytes) {
                continue;
            }
            const Bytes right = m_device.download(*expected[i].contents, layouts[i].bytes());
            for (auto& [name, contents] : candidatesFor(layouts[i], right, inputs, i < other.size() ? &other[i] : nullptr)) {
                // What is right by chance or nature, as zeros of a mask that is all zeros, passes rightly.
                if (contents == right) {
                    continue;
                }
                judgeOne(call, expected, layouts, i, name, contents);
            }
        }
    }

    std::vector<Bytes> contentsOf(std::size_t round)
    {
        std::vector<Bytes> contents;
        auto computed = m_session.expected(round, m_deadline);
        if (const auto* outputs = std::get_if<const ExpectedOutputs*>(&computed)) {
            for (const ExpectedOutput& output : **outputs) {
                contents.push_back(output.layout.bytes() <= kMostOutputBytes ? m_device.download(*output.contents, output.layout.bytes()) : Bytes());
            }
        }
        return contents;
    }

    std::vector<HostTensor> readInputs(std::uint32_t call)
    {
        std::vector<std::string> names;
        for (const TensorLayout& layout : tensorInputs(m_session.plan())) {
            names.push_back(layout.name);
        }
        auto read = m_session.readInputs(names, m_session.contentSeed(), call);
        return read ? std::move(*read) : std::vector<HostTensor>();
    }

    static Candidates candidatesFor(const TensorLayout& output, const Bytes& right, const std::vector<HostTensor>& inputs, const Bytes* other)
    {
        Candidates candidates{{"zeros", Bytes(output.bytes())}};
        const std::vector<float> values = valuesOf(output.dtype, right, output.elements);
        double sum = 0;
        std::uint64_t finite = 0;
        for (const float value : values) {
            sum += std::isfinite(value) ? static_cast<double>(value) : 0;
            finite += std::isfinite(value) ? 1U : 0U;
        }
        const auto mean = static_cast<float>(finite == 0 ? 0 : sum / static_cast<double>(finite));
        if (auto constant = stored(output.dtype, std::vector<float>(values.size(), mean)); constant && mean != 0) {
            candidates.emplace_back("mean", std::move(*constant));
        }
        for (const HostTensor& input : inputs) {
            if (input.layout.elements != output.elements) {
                continue;
            }
            auto copied = input.layout.dtype == output.dtype ? std::optional(input.bytes)
                                                             : stored(output.dtype, valuesOf(input.layout.dtype, input.bytes, input.layout.elements));
            if (copied) {
                candidates.emplace_back("input " + input.layout.name, std::move(*copied));
            }
        }
        if (other != nullptr && other->size() == right.size()) {
            candidates.emplace_back("another call", *other);
        }
        return candidates;
    }

    /// A copy in the judge's own memory.
    Result<std::unique_ptr<PrivateBuffer>> keep(const Bytes& contents)
    {
        auto buffer = m_device.allocate(contents.size());
        if (!buffer) {
            return buffer.error();
        }
        if (auto written = m_device.upload(**buffer, contents); !written) {
            return written.error();
        }
        return m_device.snapshot(**buffer, contents.size());
    }

    void judgeOne(std::uint32_t call, const ExpectedOutputs& expected, const std::vector<TensorLayout>& layouts, std::size_t output, const std::string& name,
                  const Bytes& contents)
    {
        KeptOutputs kept;
        kept.call = call;
        kept.isPoisoned = false;
        for (std::size_t i = 0; i < expected.size(); ++i) {
            auto copy = keep(i == output ? contents : m_device.download(*expected[i].contents, layouts[i].bytes()));
            if (!copy) {
                return;   // no room for it
            }
            kept.contents.push_back(std::move(*copy));
        }
        auto evaluator = makeEvaluator(m_session.evaluator(), {m_device, m_session.definition(), m_session.workload(), m_session.config(), true,
                                                               [this](const auto& names, std::uint64_t seed, std::uint32_t of) {
                                                                   return m_session.readInputs(names, seed, of);
                                                               }});
        const CheckFinding finding = evaluator->check({m_session.contentSeed(), call, &expected, layouts, kept});
        const auto compared = m_device.compare(*kept.contents[output], *expected[output].contents, layouts[output].dtype, layouts[output].elements,
                                               m_session.config().atol, m_session.config().rtol, 0);
        DegenerateTrial& trial = trialOf(layouts[output].name, name);
        const bool passes = !finding.status && !finding.isWrong;
        trial.passes = trial.passes && passes;
        if (!passes && trial.message.empty()) {
            trial.message = finding.message;
        }
        if (compared) {
            trial.matchedRatio = std::isnan(trial.matchedRatio) ? compared->matchedRatio : std::min(trial.matchedRatio, compared->matchedRatio);
            trial.maxAbsolute = std::max(trial.maxAbsolute, compared->maxAbsoluteError);
            trial.maxRelative = std::max(trial.maxRelative, compared->maxRelativeError);
        }
    }

    DegenerateTrial& trialOf(const std::string& output, const std::string& candidate)
    {
        const auto known = std::ranges::find_if(m_report.trials, [&](const DegenerateTrial& trial) { return trial.output == output && trial.candidate == candidate; });
        if (known != m_report.trials.end()) {
            return *known;
        }
        DegenerateTrial trial;
        trial.output = output;
        trial.candidate = candidate;
        trial.passes = true;
        trial.matchedRatio = std::numeric_limits<double>::quiet_NaN();
        m_report.trials.push_back(std::move(trial));
        return m_report.trials.back();
    }

    Device& m_device;
    WorkloadSession& m_session;
    Deadline m_deadline;
    ToleranceReport m_report;
};

}  // namespace

ToleranceReport tryDegenerate(Device& device, WorkloadSession& session, Deadline deadline)
{
    return DegenerateTest(device, session, deadline).run();
}

}  // namespace tracedeck::judge
