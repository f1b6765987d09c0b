// SPDX-License-Identifier: GPL-3.0-or-later
// Calls on inputs whose rows are repeated many times over, for checks of a distribution (benchmark §4.6).
#include "core/judge/evaluation_run.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/judge/system_random.h"

namespace tracedeck::judge {

namespace {

/// Layouts with `repeats` times as many rows; what has no axis stays. A row of its own becomes one of many.
std::vector<TensorLayout> repeatedLayouts(std::vector<TensorLayout> layouts, std::uint64_t repeats, bool areOutputs)
{
    for (TensorLayout& layout : layouts) {
        const bool isRow = layout.shape.empty() ? areOutputs : layout.name == "probs" && layout.shape.size() == 1;
        if (isRow) {
            layout.shape.insert(layout.shape.begin(), 1);
        }
        if (!layout.shape.empty()) {
            layout.shape.front() *= static_cast<std::int64_t>(repeats);
            layout.elements *= repeats;
        }
    }
    return layouts;
}

}  // namespace

bool EvaluationRun::checkRepeated()
{
    auto wanted = m_evaluator->repeatedCalls(m_session.contentSeed());
    if (!wanted) {
        return fail(Status::RuntimeError, "evaluator", -1, wanted.error().reason);
    }
    if (!*wanted) {
        return true;
    }
    RepeatedCalls calls = **wanted;
    const std::uint64_t samples = calls.calls * calls.repeats;
    std::optional<BufferSet> inputs;
    std::optional<BufferSet> outputs;
    while (!inputs || !outputs) {
        auto repeatedInputs = BufferSet::allocate(m_device, repeatedLayouts(m_inputs->layouts(), calls.repeats, false));
        auto repeatedOutputs = BufferSet::allocate(m_device, repeatedLayouts(m_outputs->layouts(), calls.repeats, true));
        if (repeatedInputs && repeatedOutputs) {
            inputs = std::move(*repeatedInputs);
            outputs = std::move(*repeatedOutputs);
        } else if (calls.repeats == 1) {
            return giveUp(repeatedInputs ? repeatedOutputs.error().reason : repeatedInputs.error().reason);
        } else {
            // Less at a time, and more often.
            calls.repeats /= 2;
            calls.calls = (samples + calls.repeats - 1) / calls.repeats;
        }
    }
    if (calls.repeats != (*wanted)->repeats) {
        m_record.add("sampling.rows", "note", -1,
                     fmt::format("for want of memory each row was repeated {} times in a call, not {} times; the number of samples is the same", calls.repeats,
                                 (*wanted)->repeats));
    }
    if (!bindHost(*inputs, *outputs) || !makeRepeatedCalls(calls, *inputs, *outputs) || !bindHost(*m_inputs, *m_outputs)) {
        return false;
    }
    const CheckFinding finding = m_evaluator->concludeRepeated();
    if (finding.isWrong) {
        failByFinding(finding, -1, "rows repeated many times");   // remembered; the calls that follow may say something worse
    }
    return true;
}

bool EvaluationRun::bindHost(const BufferSet& inputs, const BufferSet& outputs)
{
    LoadParts parts = describeLoad(m_session.plan(), inputs, m_host->pageDescriptor());
    describeOutputs(parts, outputs, m_session.definition());
    if (auto failure = m_host->send({{"op", "bind"}, {"inputs", parts.inputs}, {"outputs", parts.outputs}}, m_deadline, parts.descriptors)) {
        return failByHost(*failure, "preparing calls");
    }
    auto answer = m_host->expect("ready", m_deadline);
    if (const auto* failure = std::get_if<HostFailure>(&answer)) {
        return failByHost(*failure, "preparing calls");
    }
    return true;
}

bool EvaluationRun::makeRepeatedCalls(const RepeatedCalls& wanted, const BufferSet& inputs, const BufferSet& outputs)
{
    if (auto filled = m_session.reference().fill(m_session.contentSeed(), 0); !filled) {
        return giveUp(filled.error().reason);
    }
    const BufferSet& rows = m_session.reference().inputs();
    CallLoop loop(*m_host, m_launcher.processors().yields, m_device.isCuda());
    if (auto failure = loop.begin(static_cast<int>(wanted.calls), false, m_deadline)) {
        return failByHost(*failure, "starting the calls");
    }
    for (std::uint64_t call = 0; call < wanted.calls; ++call) {
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            // Anew for every call: the one before may have written to them.
            if (auto repeated = m_device.repeat(inputs.buffer(i), rows.buffer(i)); !repeated) {
                return giveUp(repeated.error().reason);
            }
        }
        const std::uint64_t pattern = systemRandom();
        outputs.poison(m_device, std::span(&pattern, 1));
        auto outcome = loop.call(m_deadline, [this] { m_device.synchronise(); });
        if (const auto* failure = std::get_if<HostFailure>(&outcome)) {
            return failByHost(*failure, "checking the distribution");
        }
        const TensorLayout& layout = outputs.layouts().front();
        if (std::get<CallOutcome>(outcome).mismatch) {
            return fail(Status::IncorrectShape, "output.shape", -1,
                        fmt::format("on rows repeated {} times the samples do not have the shape [{}]", wanted.repeats, fmt::join(layout.shape, ", ")));
        }
        const CheckFinding finding = m_evaluator->countRepeated(m_device.download(outputs.buffer(0), layout.bytes()), layout.dtype, layout.elements);
        if (finding.status) {
            return failByFinding(finding, -1, fmt::format("call {} on repeated rows", call + 1));
        }
    }
    auto claims = loop.finish(m_deadline);
    if (const auto* failure = std::get_if<HostFailure>(&claims)) {
        return failByHost(*failure, "ending the calls");
    }
    std::vector<SharedBuffer*> all = inputs.all();
    const std::vector<SharedBuffer*> ofOutputs = outputs.all();
    all.insert(all.end(), ofOutputs.begin(), ofOutputs.end());
    const auto broken = std::ranges::find_if(all, [this](const SharedBuffer* buffer) { return !m_device.redZonesIntact(*buffer); });
    return broken == all.end() || fail(Status::RuntimeError, "redzone", -1, "the solution wrote outside its tensors, on rows repeated many times");
}

}  // namespace tracedeck::judge
