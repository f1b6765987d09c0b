// SPDX-License-Identifier: GPL-3.0-or-later
// What the tests of core/build share.
#pragma once

#include <string>
#include <utility>

#include "core/build/native_builder.h"
#include "core/run/python_environment.h"

namespace tracedeck::test {

inline SourceFile sourceFile(std::string path, std::string content)
{
    SourceFile file;
    file.path = std::move(path);
    file.content = std::move(content);
    return file;
}

/// A solution of one source whose entry is `run` in it.
inline Solution nativeSolution(const std::string& source, const std::string& path = "main.cpp", Language language = Language::Cpp)
{
    Solution result;
    result.name = "s";
    result.definition = "d";
    result.author = "ann";
    result.spec.language = language;
    result.spec.targetHardware = {"cpu"};
    result.spec.entryPoint = path + "::run";
    result.sources.push_back(sourceFile(path, source));
    return result;
}

/// What the Python that runs would use has to build against. Gives why nothing can be built, empty when all is well.
inline std::string takePython(BuildOptions& options, PythonChoice* choice = nullptr)
{
    const PythonChoice python = choosePython("", "");
    if (python.interpreter.empty()) return python.explanation;
    const auto facts = inspectPython(python.interpreter);
    if (!facts) return facts.error().toString();
    if (facts->tvmFfiLibrary.empty()) return "this Python has no apache-tvm-ffi";
    options = buildOptions(*facts);
    options.timeoutSeconds = 250;
    options.worker = TRACEDECK_BIN_DIR "/tracedeck-worker";   // compilers are confined, as in a run
    if (choice != nullptr) *choice = python;
    return {};
}

}  // namespace tracedeck::test
