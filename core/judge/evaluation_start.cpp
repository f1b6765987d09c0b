// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluation_run.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/judge/system_random.h"

namespace tracedeck::judge {

Result<std::vector<TensorLayout>> EvaluationRun::outputLayouts() const
{
    return spec().destinationPassingStyle || !m_session.isOpen() ? m_session.declaredLayouts() : m_session.outputLayouts();
}

bool EvaluationRun::buffersAreStale() const
{
    if (spec().destinationPassingStyle) {
        return false;
    }
    const std::vector<TensorLayout> expected = m_session.outputLayouts();
    return !std::ranges::equal(expected, m_outputs->layouts(), [](const TensorLayout& one, const TensorLayout& two) {
        return one.dtypeName == two.dtypeName && one.shape == two.shape;
    });
}

bool EvaluationRun::prepare()
{
    const Language language = spec().language;
    if (!m_device.isCuda() && (language == Language::Cuda || language == Language::TileLang)) {
        return giveUp(fmt::format("solutions in {} need a CUDA device", toString(language)));
    }
    if (spec().isCompiled() && !m_request.artifact) {
        return fail(Status::CompileError, "load", -1, "the solution was not built");
    }
    if (kind() == HostKind::Native && m_launcher.settings().tvmFfiLibrary.empty()) {
        return giveUp("the Python environment has no apache-tvm-ffi, which native solutions are called through; `tracedeck doctor` says how to get it");
    }
    auto layouts = outputLayouts();
    if (!layouts) {
        return fail(Status::RuntimeError, "output.type", -1, layouts.error().reason);
    }
    const std::vector<TensorLayout> inputLayouts = tensorInputs(m_session.plan());
    std::size_t slots = m_device.slotsFor(bytesOf(inputLayouts) + bytesOf(*layouts));
    auto inputs = BufferSet::allocate(m_device, inputLayouts, slots);
    auto outputs = BufferSet::allocate(m_device, *layouts, slots);
    if ((!inputs || !outputs) && slots > 1) {
        inputs = Error{ErrorCode::Io, {}, {}, 0, {}};   // gives their memory back first
        outputs = Error{ErrorCode::Io, {}, {}, 0, {}};
        inputs = BufferSet::allocate(m_device, inputLayouts);
        outputs = BufferSet::allocate(m_device, *layouts);
    }
    m_lacksMemory = !inputs || !outputs;
    if (m_lacksMemory) {
        return giveUp(inputs ? outputs.error().reason : inputs.error().reason);
    }
    m_inputs = std::move(*inputs);
    m_outputs = std::move(*outputs);
    return true;
}

bool EvaluationRun::startLoading()
{
    if (m_device.isCuda() && !fillForRehearsal()) {
        return false;
    }
    LoadParts parts = describeLoad(m_session.plan(), *m_inputs, -1);
    describeOutputs(parts, *m_outputs, m_session.definition());
    if (m_request.keepHost && takeKeptHost(parts)) {
        return true;
    }
    HostOrder order{kind(), HostRole::Solution, {}};
    if (m_request.artifact) {
        order.readable.push_back(m_request.artifact->library);
    }
    if (const auto folder = kernelFolder(); !folder.empty()) {
        order.readable.push_back(folder);
    }
    auto launched = m_launcher.launch(order, m_deadline);
    if (const auto* failure = std::get_if<HostFailure>(&launched)) {
        // No foreign code has run yet: whatever it is, it is not the solution's doing.
        return failByHost(notTheSolution(*failure), "starting the host");
    }
    m_host = std::move(std::get<std::unique_ptr<HostProcess>>(launched));
    parts.descriptors.front() = m_host->pageDescriptor();
    Json sources = Json::array();
    for (const SourceFile& source : m_request.solution.sources) {
        sources.push_back({{"path", source.path}, {"content", source.content}});
    }
    Json message = {{"op", "load"},
                    {"v", kProtocolVersion},
                    {"role", "solution"},
                    {"style", spec().destinationPassingStyle ? "dps" : "vr"},
                    {"scratch", m_host->scratch().string()},
                    {"gpu", m_launcher.gpuMessage()},
                    {"rehearse", m_device.isCuda()},
                    {"named_results", m_session.definition().dialect == Dialect::SolExecBench},
                    {"fewest_results", m_session.needs().fewestResults},
                    {"convert_results", m_session.needs().convertsResults},
                    {"inputs", std::move(parts.inputs)},
                    {"outputs", std::move(parts.outputs)}};
    if (kind() == HostKind::Native) {
        message["library"] = m_request.artifact->library.string();
        message["symbol"] = m_request.artifact->symbol;
        message["tvm_ffi_library"] = m_launcher.settings().tvmFfiLibrary.string();
    } else {
        message["package"] = "tracedeck_solution";
        message["entry"] = spec().entryPoint;
        if (spec().isCompiled()) {
            message["library"] = m_request.artifact->library.string();
            message["symbol"] = m_request.artifact->symbol;
        }
        message["sources"] = std::move(sources);
        message["interpret_triton"] = isInterpreted();
        message["kernel_cache"] = kernelFolder().string();
    }
    if (auto failure = m_host->send(message, m_deadline, parts.descriptors)) {
        return failByHost(*failure, "loading the solution");
    }
    return true;
}

std::filesystem::path EvaluationRun::kernelFolder() const
{
    // What a native host compiles at run time it keeps itself, in the driver's way.
    return kind() == HostKind::Python && m_device.isCuda() ? m_launcher.kernels().folderOf(m_request.solution) : std::filesystem::path();
}

/// What the host rehearses on: contents like those of any call, and the memory of no other.
bool EvaluationRun::fillForRehearsal()
{
    auto filled = fillInputs(m_device, m_session.plan(), *m_inputs, mixSeed(m_timingSeed, "rehearsal"), 0);
    if (!filled) {
        return giveUp(filled.error().reason);
    }
    const std::uint64_t pattern = systemRandom();
    m_outputs->poison(m_device, std::span(&pattern, 1));
    m_device.synchronise();
    return true;
}

bool EvaluationRun::takeKeptHost(const LoadParts& parts)
{
    m_host = m_launcher.takeKept(m_session.definition().name, hostName(), std::min(m_deadline, deadlineAfter(kFinishSeconds)));
    if (!m_host) {
        return false;
    }
    LoadParts bound = parts;
    bound.descriptors.front() = m_host->pageDescriptor();
    const Json message = {{"op", "bind"}, {"inputs", std::move(bound.inputs)}, {"outputs", std::move(bound.outputs)}};
    if (m_host->send(message, m_deadline, bound.descriptors)) {
        endHost();   // it died meanwhile: a new one takes its place
        return false;
    }
    return true;
}

void EvaluationRun::endHost()
{
    if (m_host) {
        m_launcher.retire(std::move(m_host));
    }
}

bool EvaluationRun::awaitReady()
{
    m_host->followLog(m_liveLog);
    if (const auto failure = m_host->adopt(m_deadline)) {
        return failByHost(notTheSolution(*failure), "starting the host");
    }
    m_record.confinement = m_launcher.walls().level();
    m_record.walls = m_launcher.walls().names();
    auto answer = m_host->expect("ready", m_deadline);
    if (const auto* failure = std::get_if<HostFailure>(&answer)) {
        return failByHost(*failure, "loading the solution");
    }
    const Json& ready = std::get<Frame>(answer).body;
    m_canBatch = evictsCaches(ready);
    if (const auto method = ready.find("method"); m_device.isCuda() && method != ready.end() && method->is_string()) {
        // A word of the host's; only the two that exist are repeated.
        m_record.method = *method == "cupti" ? "cupti" : "cuda_event";
    }
    if (const auto note = ready.find("note"); note != ready.end() && note->is_string() && !note->get_ref<const std::string&>().empty()) {
        m_record.add("timing.fallback", "note", -1, toValidUtf8(note->get<std::string>().substr(0, 500)));
    }
    return true;
}

}  // namespace tracedeck::judge
