// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <tuple>
#include <vector>

#include "core/run/run_record.h"
#include "core/run/run_settings.h"

namespace tracedeck::test {

/// Definition, solution, workload uuid.
using NamedPair = std::tuple<std::string, std::string, std::string>;

/// Leaves in the user's data folder (of the test) what a run leaves that a crash ended: the first `done` pairs have a result that passed.
inline void leaveBrokenRun(const std::string& id, const std::filesystem::path& root, const std::vector<NamedPair>& pairs, std::size_t done, const RunRequest& settings,
                           const std::string& started = "2026-01-31T12:00:00.000001")
{
    const std::filesystem::path folder = runRecordFolder();
    std::filesystem::create_directories(folder);
    RunRecord record;
    record.id = id;
    record.version = "1";
    record.program = "tracedeck-gui";
    record.root = root.string();
    record.started = started;
    record.settings = encodeRunSettings(settings);
    record.devices = settings.devices;
    record.total = pairs.size();
    if (!saveRunRecord(folder, record)) throw std::runtime_error("the record could not be written");
    Json names = Json::array();
    for (const auto& [definition, solution, uuid] : pairs) names.push_back({definition, solution, uuid});
    std::ofstream journal(folder / (id + ".jsonl"));
    journal << Json{{"plan", names}}.dump() << "\n";
    for (std::size_t i = 0; i < done; ++i)
        journal << Json{{"result", i}, {"status", "PASSED"}, {"timestamp", started}, {"file", nullptr}}.dump() << "\n";
}

}  // namespace tracedeck::test
