// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/build/native_builder.h"
#include "core/model/json.h"
#include "core/model/result.h"

namespace tracedeck {

/// Which Python runs references and Python solutions, and why that one.
struct PythonChoice {
    std::filesystem::path interpreter;   ///< empty: none found
    /// `option` (--python), `setting`, `TRACEDECK_PYTHON`, `VIRTUAL_ENV`, `CONDA_PREFIX`, `private` (packaging/guest-env.sh), `none`
    std::string source;
    std::string explanation;             ///< one sentence for doctor and for errors; says what to do when none was found
};

/// Order: `setting`, `option` (--python), TRACEDECK_PYTHON, active virtual environment, active conda environment, private environment in
/// the user's data folder. The first that is set decides, even when it turns out not to work: the error says so.
[[nodiscard]] PythonChoice choosePython(const std::string& setting, const std::string& option);
/// $XDG_DATA_HOME/tracedeck/guest-env (default ~/.local/share/tracedeck/guest-env).
[[nodiscard]] std::filesystem::path privateEnvironmentFolder();

/// What an interpreter has; found by running it once (isolated mode, 60 s limit). Error Cancelled: `stop` was set before it answered.
struct PythonFacts {
    std::string version;                          ///< 3.11.2
    std::map<std::string, std::string> packages;  ///< torch, numpy, triton, tilelang, apache-tvm-ffi → version, only those present
    std::filesystem::path tvmFfiInclude;          ///< folder with tvm/ffi/c_api.h; empty without apache-tvm-ffi
    std::filesystem::path dlpackInclude;
    std::filesystem::path tvmFfiLibrary;          ///< libtvm_ffi.so
    std::filesystem::path pythonInclude;          ///< where Python.h belongs
    std::filesystem::path torchFolder;            ///< PyTorch's package; empty where it has no C++ headers
    std::string torchCppStandard;                 ///< that its headers need, "c++17"; empty: it doesn't say
};
[[nodiscard]] Result<PythonFacts> inspectPython(const std::filesystem::path& interpreter, const std::stop_token& stop = {});
/// What native solutions are built against in this Python.
[[nodiscard]] BuildOptions buildOptions(const PythonFacts& facts);

/// One line of `tracedeck doctor`.
struct Finding {
    enum class Level { Ok, Warning, Missing } level = Level::Ok;
    std::string subject;   ///< GPU, driver, nvcc, C++ compiler, Python, torch, triton, tvm-ffi, CUPTI, worker, confinement, Compute Sanitizer, Nsight Compute, cuobjdump, caches
    std::string found;
    std::string remedy;    ///< empty when nothing is to be done
};
/// All findings, in the order of the subjects above; none when `stop` is set meanwhile (every program that was asked is killed).
[[nodiscard]] std::vector<Finding> diagnose(const PythonChoice& python, const std::stop_token& stop = {});
/// False for what only looks closer at solutions, or describes what is kept: no run needs it.
[[nodiscard]] bool concernsRuns(const Finding& finding);
/// Those about the walls around solutions alone.
[[nodiscard]] std::vector<Finding> confinementFindings();
/// Subjects of the findings without which nothing can be run at all (Python, torch, worker); empty when something can.
[[nodiscard]] std::vector<std::string> whatPreventsRuns(const std::vector<Finding>& findings);

}  // namespace tracedeck
