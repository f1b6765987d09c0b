// SPDX-License-Identifier: GPL-3.0-or-later
// Inputs that a definition's own function makes, in the reference's host (SOL-ExecBench dialect §4.2).
#include "core/judge/reference_runner.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/judge/philox.h"

namespace tracedeck::judge {

namespace {

/// Memory for inputs that are kept.
constexpr std::uint64_t kPoolBytes = std::uint64_t{2} << 30;
constexpr std::size_t kMostInputDimensions = 64;
constexpr std::size_t kMostDtypeBytes = 40;

Error generatedError(const std::string& reason)
{
    return Error{ErrorCode::InvalidInput, reason, {}, 0, "inputs"};
}

Result<GeneratedInput> readGenerated(const Json& entry)
{
    if (!entry.is_object() || !entry.contains("name") || !entry.at("name").is_string()) {
        return generatedError("the reference host's answer about an input has no name");
    }
    GeneratedInput input;
    input.name = entry.at("name").get<std::string>();
    if (const auto value = entry.find("value"); value != entry.end()) {
        if (!value->is_number() && !value->is_boolean() && !value->is_string()) {
            return generatedError("the reference host's answer about an input has no number");
        }
        input.number = *value;
        return input;
    }
    const auto dtype = entry.find("dtype");
    const auto shape = entry.find("shape");
    if (dtype == entry.end() || !dtype->is_string() || dtype->get_ref<const std::string&>().size() > kMostDtypeBytes || shape == entry.end() ||
        !shape->is_array() || shape->size() > kMostInputDimensions) {
        return generatedError("the reference host's answer about an input lacks a dtype or a shape");
    }
    input.dtypeName = dtype->get<std::string>();
    for (const Json& size : *shape) {
        if (!size.is_number_integer() || size.get<std::int64_t>() < 0) {
            return generatedError("the reference host's answer about an input has a dimension that is no size");
        }
        input.shape.push_back(size.get<std::int64_t>());
    }
    return input;
}

/// Seed of the function's random generators for one call. Nothing can be learnt from it about other calls.
std::uint64_t generatorSeed(std::uint64_t seed, std::uint32_t call)
{
    return philoxWord(mixSeed(seed, "input function"), call, 0x67656E6572617465U);
}

}  // namespace

LoadParts ReferenceRunner::inputParts() const
{
    if (m_inputs) {
        return describeLoad(m_plan, *m_inputs, m_host->pageDescriptor());
    }
    LoadParts parts;
    parts.descriptors.push_back(m_host->pageDescriptor());
    return parts;
}

HostResult<std::vector<GeneratedInput>> ReferenceRunner::askForInputs(std::uint64_t seed, std::optional<std::size_t> slot, Deadline deadline)
{
    if (auto failure = ensureHost(deadline)) {
        return std::move(*failure);
    }
    Json names = Json::array();
    for (const InputSlot& input : m_plan.entries()) {
        if (input.isGenerated) {
            names.push_back(input.layout.name);
        }
    }
    const Json message = {{"op", "generate"},
                          {"entry", m_generation.entry},
                          {"seed", seed >> 1},   // torch takes 63 bits
                          {"values", m_generation.values},
                          {"inputs", std::move(names)},
                          {"slot", slot ? Json(*slot) : Json(nullptr)}};
    if (auto failure = m_host->send(message, deadline)) {
        return give(std::move(*failure));
    }
    auto answer = m_host->expect("generated", deadline);
    if (auto* failure = std::get_if<HostFailure>(&answer)) {
        return give(std::move(*failure));
    }
    const auto list = std::get<Frame>(answer).body.find("inputs");
    if (list == std::get<Frame>(answer).body.end() || !list->is_array()) {
        return give({HostFailure::Kind::Protocol, "the reference host's answer names no inputs"});
    }
    std::vector<GeneratedInput> made;
    for (const Json& entry : *list) {
        auto input = readGenerated(entry);
        if (!input) {
            return give({HostFailure::Kind::Protocol, input.error().reason});
        }
        made.push_back(std::move(*input));
    }
    return made;
}

HostResult<std::vector<GeneratedInput>> ReferenceRunner::describeGenerated(std::uint64_t seed, Deadline deadline)
{
    return askForInputs(generatorSeed(seed, 0), std::nullopt, deadline);
}

std::vector<std::size_t> ReferenceRunner::generatedBuffers() const
{
    std::vector<std::size_t> indexes;
    std::size_t index = 0;
    for (const InputSlot& input : m_plan.entries()) {
        if (input.isScalar) {
            continue;
        }
        if (input.isGenerated) {
            indexes.push_back(index);
        }
        ++index;
    }
    return indexes;
}

Result<std::vector<std::unique_ptr<PrivateBuffer>>> ReferenceRunner::copyGenerated()
{
    std::vector<std::unique_ptr<PrivateBuffer>> copies;
    for (const std::size_t index : generatedBuffers()) {
        auto copy = m_device.snapshot(m_inputs->buffer(index), m_inputs->layouts()[index].bytes());
        if (!copy) {
            return copy.error();
        }
        copies.push_back(std::move(*copy));
    }
    m_device.synchronise();
    return copies;
}

std::optional<HostFailure> ReferenceRunner::keepGenerated(std::uint64_t seed, int rounds, Deadline deadline)
{
    const auto ofJudge = [](const Error& error) { return HostFailure{HostFailure::Kind::Internal, error.reason}; };
    if (auto allocated = ensureInputs(); !allocated) {
        return ofJudge(allocated.error());
    }
    if (auto failure = ensureHost(deadline)) {
        return failure;
    }
    // The host was started before it was known what the inputs are.
    const LoadParts parts = inputParts();
    if (auto failure = m_host->send({{"op", "bind"}, {"inputs", parts.inputs}, {"outputs", Json::array()}}, deadline, parts.descriptors)) {
        return give(std::move(*failure));
    }
    if (auto failure = awaitReady(deadline)) {
        return give(std::move(*failure));
    }
    m_knowsOutputs = false;
    std::uint64_t bytes = 1;
    for (const std::size_t index : generatedBuffers()) {
        bytes += m_inputs->layouts()[index].bytes();
    }
    m_poolSeed = seed;
    m_pool.clear();
    const std::uint64_t wanted = std::clamp<std::uint64_t>(kPoolBytes / bytes, 1, static_cast<std::uint64_t>(std::max(rounds, 1)));
    for (std::uint32_t call = 0; call <= wanted; ++call) {
        // The last one is the first one again.
        const std::uint32_t content = call == wanted ? 0 : call;
        auto made = askForInputs(generatorSeed(seed, content), 0, deadline);
        if (auto* failure = std::get_if<HostFailure>(&made)) {
            return std::move(*failure);
        }
        auto copies = copyGenerated();
        if (!copies) {
            return ofJudge(copies.error());
        }
        if (call == wanted) {
            m_generatesAlike = std::ranges::equal(*copies, m_pool.front(), [this](const auto& one, const auto& two) { return m_device.equalContents(*one, *two); });
        } else {
            m_pool.push_back(std::move(*copies));
        }
    }
    return std::nullopt;
}

Result<void> ReferenceRunner::generate(const BufferSet& buffers, std::uint64_t seed, std::uint32_t call, std::size_t slot)
{
    const std::vector<std::size_t> indexes = generatedBuffers();
    const bool isKept = seed == m_poolSeed && call < m_pool.size();
    if (isKept || m_isInRun || !m_generatesAlike) {
        if (m_pool.empty()) {
            return generatedError("the input function has not been called yet");
        }
        const auto& kept = m_pool[call % m_pool.size()];
        for (std::size_t i = 0; i < indexes.size(); ++i) {
            if (auto copied = m_device.copy(buffers.buffer(indexes[i], slot), *kept[i]); !copied) {
                return copied;
            }
        }
        return {};
    }
    const bool isOwn = m_inputs && &buffers == &*m_inputs;
    // The host writes where the judge may still be reading.
    m_device.synchronise();
    auto made = askForInputs(generatorSeed(seed, call), isOwn ? slot : 0, deadlineAfter(m_generation.seconds));
    if (const auto* failure = std::get_if<HostFailure>(&made)) {
        return generatedError("the definition's input function failed: " + failure->message);
    }
    for (const std::size_t index : indexes) {
        if (isOwn) {
            break;
        }
        if (auto copied = m_device.copy(buffers.buffer(index, slot), m_inputs->buffer(index)); !copied) {
            return copied;
        }
    }
    m_device.synchronise();
    return {};
}

}  // namespace tracedeck::judge
