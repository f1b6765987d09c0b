// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/io/child_process.h"
#include "core/io/frame.h"
#include "core/run/python_environment.h"

namespace tracedeck::test {

/// A judge that a test talks to in frames, as core/judge/protocol.md says.
class JudgeClient {
public:
    struct Options {
        std::string device = "cpu";
        std::filesystem::path python;
        std::filesystem::path tvmFfiLibrary;
        std::optional<std::uint64_t> seed;
        std::chrono::milliseconds pauseBeforeInit{0};   ///< lets a judge that can't start come to that first
    };

    /// Starts tracedeck-worker and sends `init`. `first` is the judge's answer: `hello` or `fatal`.
    static std::unique_ptr<JudgeClient> start(const Options& options, Json& first)
    {
        auto ends = FrameSocket::makePair();
        if (!ends) return nullptr;
        ChildSpec spec;
        spec.command = {TRACEDECK_BIN_DIR "/tracedeck-worker", "judge", options.device};
        spec.descriptors = {{ends->second.get(), 3}};
        spec.standardError = 2;
        auto child = ChildProcess::spawn(spec);
        ends->second.close();
        if (!child) return nullptr;
        std::unique_ptr<JudgeClient> client(new JudgeClient(std::move(*child), FrameSocket(std::move(ends->first), kMaxProgramFrameBytes)));
        const Json init = {{"op", "init"},
                           {"v", kProtocolVersion},
                           {"python", options.python.string()},
                           {"tvm_ffi_library", options.tvmFfiLibrary.string()},
                           {"judge", 0},
                           {"judges", 1},
                           {"seed", options.seed ? Json(std::to_string(*options.seed)) : Json(nullptr)},
                           {"seed_by_user", options.seed.has_value()}};
        std::this_thread::sleep_for(options.pauseBeforeInit);
        if (!client->m_socket.send(init, deadlineAfter(30))) return nullptr;
        auto answer = client->m_socket.receive(deadlineAfter(180));
        if (!answer) return nullptr;
        first = std::move(answer->body);
        return client;
    }

    /// Sends a message and returns its answer; stages are collected in `stages`, texts of `log` in `logs`. Null when the judge is gone or silent.
    Json ask(Json message)
    {
        message["id"] = ++m_lastId;
        stages.clear();
        logs.clear();
        if (!m_socket.send(message, deadlineAfter(30))) return nullptr;
        while (true) {
            auto answer = m_socket.receive(deadlineAfter(120));
            if (!answer || answer->body.value("id", Json()) != m_lastId) return nullptr;
            if (answer->op() == "log") {
                logs.push_back(answer->body.at("text").get<std::string>());
                continue;
            }
            if (answer->op() != "stage") return std::move(answer->body);
            stages.push_back(answer->body.at("stage").get<std::string>());
        }
    }
    /// Sends without waiting for anything.
    bool tell(const Json& message) { return m_socket.send(message, deadlineAfter(30)).has_value(); }
    /// Reads until a `stage` of that name came.
    bool awaitStage(const std::string& stage)
    {
        while (true) {
            auto answer = m_socket.receive(deadlineAfter(120));
            if (!answer) return false;
            if (answer->op() == "stage" && answer->body.at("stage") == stage) return true;
        }
    }
    void closeSocket() { m_socket.close(); }
    ChildProcess& process() { return m_child; }

    std::vector<std::string> stages;
    std::vector<std::string> logs;

private:
    JudgeClient(ChildProcess child, FrameSocket socket) : m_child(std::move(child)), m_socket(std::move(socket)) {}

    ChildProcess m_child;
    FrameSocket m_socket;
    int m_lastId = 0;
};

/// True as soon as `condition` holds; false when it does not within `seconds`.
inline bool eventually(double seconds, const std::function<bool()>& condition)
{
    const Deadline deadline = deadlineAfter(seconds);
    while (!condition()) {
        if (FrameClock::now() >= deadline) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return true;
}

/// An interpreter with torch, or why there is none.
struct TestPython {
    std::filesystem::path interpreter;
    PythonFacts facts;
    std::string missing;   ///< empty: usable

    static TestPython find()
    {
        TestPython found;
        const PythonChoice choice = choosePython("", "");
        if (choice.interpreter.empty()) {
            found.missing = choice.explanation;
            return found;
        }
        auto facts = inspectPython(choice.interpreter);
        if (!facts) {
            found.missing = facts.error().toString();
            return found;
        }
        found.interpreter = choice.interpreter;
        found.facts = std::move(*facts);
        if (!found.facts.packages.contains("torch")) found.missing = choice.interpreter.string() + " has no torch";
        return found;
    }
};

/// JSON of a definition whose tensors have one variable axis N. `inputs` and `outputs`: (name, dtype), dtype with a
/// leading `=` for a host scalar.
inline Json makeDefinition(const std::string& name, const std::vector<std::pair<std::string, std::string>>& inputs,
                           const std::vector<std::pair<std::string, std::string>>& outputs, const std::string& reference,
                           const std::string& opType = "test")
{
    const auto tensors = [](const std::vector<std::pair<std::string, std::string>>& list) {
        Json json = Json::object();
        for (const auto& [tensor, dtype] : list) {
            const bool isScalar = dtype.starts_with('=');
            json[tensor] = {{"shape", isScalar ? Json(nullptr) : Json::array({"N"})}, {"dtype", isScalar ? dtype.substr(1) : dtype}};
        }
        return json;
    };
    return {{"name", name}, {"op_type", opType}, {"axes", {{"N", {{"type", "var"}}}}}, {"inputs", tensors(inputs)},
            {"outputs", tensors(outputs)}, {"reference", reference}};
}

inline Json makeWorkload(int n, const Json& inputs, const std::string& uuid = "6c0ffee0-0000-4000-8000-000000000001")
{
    return {{"uuid", uuid}, {"axes", {{"N", n}}}, {"inputs", inputs}};
}

inline Json makeConfig(int warmupRuns, int iterations, int numTrials)
{
    return {{"warmup_runs", warmupRuns}, {"iterations", iterations}, {"num_trials", numTrials}, {"rtol", 1e-2}, {"atol", 1e-2},
            {"required_matched_ratio", nullptr}, {"extra", Json::object()}};
}

inline Json openMessage(const Json& definition, const Json& workload, const Json& config, const std::string& root = "/nonexistent")
{
    return {{"op", "open"}, {"session", "s"}, {"root", root}, {"definition", definition}, {"workload", workload}, {"config", config}, {"profile_baseline", true}, {"timeout", 120}};
}

inline Json makeSolution(const std::string& definition, const std::string& source, bool destinationPassing, const std::string& entry = "main.py::run",
                         const std::string& language = "python")
{
    const std::string file = entry.substr(0, entry.find("::"));
    return {{"name", "candidate"}, {"definition", definition}, {"author", "tests"},
            {"spec", {{"language", language}, {"target_hardware", {"cpu"}}, {"entry_point", entry}, {"dependencies", Json::array()},
                      {"destination_passing_style", destinationPassing}}},
            {"sources", Json::array({{{"path", file}, {"content", source}}})}};
}

inline Json evaluateMessage(const Json& solution, double timeout, const Json& artifact = nullptr)
{
    return {{"op", "evaluate"}, {"session", "s"}, {"name", "n"}, {"solution", solution}, {"artifact", artifact}, {"build_log", ""}, {"timeout", timeout}};
}

/// True when the record has a verdict of that id.
inline bool hasVerdict(const Json& evaluation, const std::string& id)
{
    for (const Json& verdict : evaluation.at("judge").at("verdicts")) {
        if (verdict.at("id") == id) return true;
    }
    return false;
}

}  // namespace tracedeck::test
