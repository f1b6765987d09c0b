// SPDX-License-Identifier: GPL-3.0-or-later
// A run as the command that does the same.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "core/run/run_settings.h"

namespace tracedeck {

namespace {

using Pairs = std::set<std::pair<std::string, std::string>>;
using Words = std::vector<std::string>;

/// What --definitions, --solutions and --workloads select; empty: all.
struct Narrowing {
    std::set<std::string> definitions{};
    std::set<std::string> solutions{};
    std::set<std::string> workloads{};
};

bool takes(const std::set<std::string>& names, const std::string& name)
{
    return names.empty() || names.contains(name);
}

bool selectsExactly(const Dataset& dataset, const Narrowing& by, const Pairs& pairs)
{
    std::size_t found = 0;
    for (const auto& definition : dataset.definitions()) {
        if (!takes(by.definitions, definition->name)) continue;
        for (const Solution* solution : dataset.solutionsOf(definition->name)) {
            if (!takes(by.solutions, solution->name)) continue;
            for (const Trace& workload : dataset.workloadsOf(definition->name)) {
                if (!takes(by.workloads, workload.workload.uuid)) continue;
                if (!pairs.contains({solution->name, workload.workload.uuid})) return false;
                ++found;
            }
        }
    }
    return found >= pairs.size();
}

void append(Words& words, const char* option, const std::set<std::string>& values)
{
    if (values.empty()) return;
    words.emplace_back(option);
    words.insert(words.end(), values.begin(), values.end());
}

void appendPairs(Words& words, const Dataset& dataset, const Pairs& pairs)
{
    Narrowing exact;
    for (const auto& [solution, uuid] : pairs) {
        exact.solutions.insert(solution);
        exact.workloads.insert(uuid);
        if (const Solution* found = dataset.findSolution(solution)) exact.definitions.insert(found->definition);
    }
    for (const Narrowing& by : {Narrowing{}, Narrowing{.definitions = exact.definitions}, Narrowing{.solutions = exact.solutions},
                                Narrowing{.definitions = exact.definitions, .workloads = exact.workloads},
                                Narrowing{.solutions = exact.solutions, .workloads = exact.workloads}}) {
        if (!selectsExactly(dataset, by, pairs)) continue;
        append(words, "--definitions", by.definitions);
        append(words, "--solutions", by.solutions);
        append(words, "--workloads", by.workloads);
        return;
    }
    for (const auto& [solution, uuid] : pairs) {
        words.emplace_back("--pair");
        words.push_back(solution + ":" + uuid);
    }
}

void appendOverrides(Words& words, const EvalOverrides& overrides)
{
    const auto put = [&words](const char* option, const auto& value) {
        if (!value) return;
        words.emplace_back(option);
        words.push_back(fmt::format("{}", *value));
    };
    put("--warmup-runs", overrides.warmupRuns);
    put("--iterations", overrides.iterations);
    put("--num-trials", overrides.numTrials);
    put("--rtol", overrides.rtol);
    put("--atol", overrides.atol);
    put("--required-matched-ratio", overrides.requiredMatchedRatio);
    put("--precision", overrides.precision);
    if (overrides.validIndexInputs == false) words.emplace_back("--raw-index-inputs");
    if (overrides.strictNumerics == true) words.emplace_back("--strict-numerics");
    for (const auto& [key, value] : overrides.extra.items()) {
        words.emplace_back("--extra");
        words.push_back(key + "=" + value.dump());
    }
}

}  // namespace

Result<Words> runCommand(const RunRequest& request)
{
    const RunRequest standard;
    Words words{"run"};
    if (request.dataset) words.insert(words.end(), {"--local", std::filesystem::absolute(request.dataset->root()).string()});
    append(words, "--definitions", request.definitions);
    append(words, "--solutions", request.solutions);
    append(words, "--workloads", request.workloads);
    if (!request.opType.empty()) words.insert(words.end(), {"--op-type", request.opType});
    if (!request.pairs.empty() && request.dataset) appendPairs(words, *request.dataset, request.pairs);
    for (const RunOnly only : request.only) words.insert(words.end(), {"--only", std::string(toString(only))});
    for (const std::string& device : request.devices) words.insert(words.end(), {"--device", device});
    if (request.resume) words.emplace_back("--resume");
    if (!request.configFile.path().empty()) {
        words.insert(words.end(), {"--config", std::filesystem::absolute(request.configFile.path()).string()});
    } else if (request.configFile.toYaml() != EvalConfigFile::bundled().toYaml()) {
        return Error{.code = ErrorCode::Unsupported,
                     .reason = "the values for single op_types and definitions are in no file that a command could name: save them as YAML first",
                     .file = {}, .line = 0, .field = "config"};
    }
    appendOverrides(words, request.overrides);
    const auto putNumber = [&words](const char* option, auto value, auto usual) {
        if (value != usual) words.insert(words.end(), {option, fmt::format("{}", value)});
    };
    // The file's limit wins over the default, so it has to be said either way.
    putNumber("--timeout", request.timeoutSeconds, request.configFile.system().timeoutSeconds.value_or(standard.timeoutSeconds));
    putNumber("--build-timeout", request.buildTimeoutSeconds, standard.buildTimeoutSeconds);
    if (request.isolation == Isolation::Solution) words.insert(words.end(), {"--isolation", "solution"});
    if (request.confinement != standard.confinement) words.insert(words.end(), {"--confinement", request.confinement});
    constexpr double kGib = 1024.0 * 1024 * 1024;
    putNumber("--host-memory", static_cast<double>(request.hostMemoryBytes) / kGib, 0.0);
    putNumber("--skip-after", request.skipAfterFailures, standard.skipAfterFailures);
    if (request.waitIdle) words.insert(words.end(), {"--wait-idle", fmt::format("{}", request.waitIdle->mostCelsius)});
    if (request.seed) words.insert(words.end(), {"--seed", std::to_string(*request.seed)});
    if (!request.profileBaseline) words.emplace_back("--no-profile-baseline");
    if (!request.saveResults) words.emplace_back("--no-save-results");
    if (!request.python.empty()) words.insert(words.end(), {"--python", request.python.string()});
    return words;
}

std::string shellQuoted(const std::vector<std::string>& words)
{
    constexpr std::string_view kPlain = "_-./:=@%+,";
    std::string line;
    for (const std::string& word : words) {
        const bool isPlain = !word.empty() && std::ranges::all_of(word, [&](char letter) {
            return (static_cast<unsigned char>(letter) < 0x80 && std::isalnum(static_cast<unsigned char>(letter)) != 0) || kPlain.find(letter) != std::string_view::npos;
        });
        std::string quoted = word;
        if (!isPlain) {
            quoted = "'";
            for (const char letter : word) quoted += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
            quoted += "'";
        }
        line += (line.empty() ? "" : " ") + quoted;
    }
    return line;
}

}  // namespace tracedeck
