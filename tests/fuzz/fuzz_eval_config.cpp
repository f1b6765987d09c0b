// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as an evaluation config: refused with a reason, or whatever it resolves to can be run and sent to a judge.

#include "core/run/eval_config.h"
#include "tests/fuzz/fuzz_codec.h"

using namespace tracedeck;
using tracedeck::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const auto file = EvalConfigFile::parse(std::string(fuzz::textOf(data, size)), "fuzz.yaml");
    if (!file) {
        require(!file.error().reason.empty() && file.error().file == "fuzz.yaml" && file.error().line >= 0, "a refusal has a reason and a place",
                file.error().toString());
        return 0;
    }
    for (const Problem& warning : file->warnings()) {
        require(!warning.error.reason.empty() && !warning.error.toString().empty(), "a warning has a reason");
    }
    if (file->system().timeoutSeconds) require(*file->system().timeoutSeconds > 0, "a timeout is positive");
    for (const char* name : {"gemm", "moe", "d", ""}) {
        const EvalConfig config = file->resolve(name, name, {});
        const auto valid = validate(config);
        require(valid.has_value(), "what a file resolves to is valid", valid ? "" : valid.error().toString());
        const std::string sent = encodeEvalConfig(config).dump(-1, ' ', false, Json::error_handler_t::replace);
        const auto parsed = parseJson(sent);
        require(parsed.has_value(), "it can be sent as JSON", sent);
        const auto received = decodeEvalConfig(*parsed);
        require(received.has_value(), "the judge takes what a file resolves to", received ? "" : received.error().toString());
        require(encodeEvalConfig(*received).dump(-1, ' ', false, Json::error_handler_t::replace) == sent, "the judge reads what was sent", sent);
    }
    return 0;
}
