// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a file of another program's results: what is taken is what a strict reader of the format takes.
#include <cstdint>

#include "core/interchange/import_assembly.h"
#include "core/io/trace_writer.h"
#include "core/model/name_rules.h"
#include "tests/fuzz/fuzz_support.h"

using namespace tracedeck;
using tracedeck::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string text(fuzz::textOf(data, size));
    for (const auto& [read, name] : {std::pair{&importKernelsBenchmarks, "attention.jsonl"}, std::pair{&importNvBench, "results.json"}}) {
        ImportAssembly assembly;
        read(assembly, std::filesystem::path("/nowhere") / name, text, ImportRequest{});
        for (const ImportedResult& result : assembly.results()) {
            const Trace trace{result.definition, result.workload, "solution", result.evaluation, Json::object()};
            const auto line = resultLine(trace);
            require(line.has_value(), "a strict reader takes what was imported", line ? "" : line.error().toString());
            require(assembly.findDefinition(result.definition) != nullptr, "the definition is there");
            for (const std::string& part : {result.definition, result.author, safeName(result.implementation)}) {
                require(fileNameFault(part).empty() && displayFault(part).empty() && part.size() < 120, "names are safe", part);
            }
        }
        for (const Problem& problem : assembly.takeProblems()) require(!problem.error.reason.empty() && problem.error.line >= 0, "a problem says what and where");
    }
    return 0;
}
