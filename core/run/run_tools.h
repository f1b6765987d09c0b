// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/build/native_builder.h"
#include "core/model/result.h"
#include "core/run/judge_process.h"
#include "core/run/python_environment.h"
#include "core/run/run_request.h"

namespace tracedeck {

/// What the judges and builders of a request are started with.
struct RunTools {
    PythonFacts python;
    JudgeSettings judge;        ///< without a device; `seed` is the user's, or a secret one
    BuildOptions build;         ///< without a compute capability
    std::string tvmFfiVersion;  ///< empty without
};

/// Looks at the interpreter (a second or so) and finds the worker program, which `request` names then. Error: this machine can't do it; the
/// field `python` when it is the interpreter's fault.
[[nodiscard]] Result<RunTools> findRunTools(RunRequest& request);

}  // namespace tracedeck
