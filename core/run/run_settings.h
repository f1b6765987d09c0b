// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/model/json.h"
#include "core/run/run_request.h"

namespace tracedeck {

/// How a run is done, without what is run: devices, evaluation config, limits, isolation. The one form in which presets and the
/// records of runs keep it.
[[nodiscard]] Json encodeRunSettings(const RunRequest& request);
/// Sets what that form says in a request; what it doesn't mention stays. Error InvalidInput naming the field; the request is as it was.
[[nodiscard]] Result<void> applyRunSettings(const Json& settings, RunRequest& request);

/// Where Tracedeck keeps what belongs to the user and to no dataset: TRACEDECK_DATA_PATH, else $XDG_DATA_HOME/tracedeck, else
/// ~/.local/share/tracedeck. Empty when none of them is set.
[[nodiscard]] std::filesystem::path userDataFolder();

// Presets: run settings under a name, one file each in `presets` of the user's data folder (`folder` in tests).
[[nodiscard]] std::filesystem::path presetFolder();
/// What the user knows of GPUs (score/ceilings.h): `ceilings.json` there. Empty when there is no such folder.
[[nodiscard]] std::filesystem::path ceilingsFile();
[[nodiscard]] std::vector<std::string> presetNames(const std::filesystem::path& folder);
/// Error InvalidInput: the name can't be that of a file; Io.
[[nodiscard]] Result<void> savePreset(const std::filesystem::path& folder, const std::string& name, const RunRequest& settings);
/// Error NotFound, with what there is; InvalidInput naming file and field.
[[nodiscard]] Result<void> applyPreset(const std::filesystem::path& folder, const std::string& name, RunRequest& request);
[[nodiscard]] Result<void> removePreset(const std::filesystem::path& folder, const std::string& name);

/// The arguments of `tracedeck` that run what a request runs, with the settings that are not the default ones. The pairs are named by
/// definitions, solutions and workloads where these say them exactly, else one by one. Error Unsupported: its evaluation config is
/// in no file yet, so no command can name it.
[[nodiscard]] Result<std::vector<std::string>> runCommand(const RunRequest& request);
/// One line for a POSIX shell, each word quoted where it needs to be.
[[nodiscard]] std::string shellQuoted(const std::vector<std::string>& words);

}  // namespace tracedeck
