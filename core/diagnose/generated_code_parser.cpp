// SPDX-License-Identifier: GPL-3.0-or-later
// The readers of cuobjdump's output in generated_code.h.
#include <cxxabi.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <memory>

#include "core/diagnose/generated_code.h"
#include "core/model/text.h"

namespace tracedeck {

namespace {

constexpr std::size_t kMostKernels = 20000;
constexpr std::size_t kLongestSymbol = 16384;

std::string_view withoutBlanks(std::string_view text)
{
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) text.remove_suffix(1);
    return text;
}

/// Cuts the first line off.
std::string_view takeLine(std::string_view& text)
{
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    return line;
}

/// The number after `REG:`, 0 without.
std::uint64_t valueOf(std::string_view line, std::string_view key)
{
    for (std::size_t at = line.find(key); at != std::string_view::npos; at = line.find(key, at + 1)) {
        if (at > 0 && line[at - 1] != ' ' && line[at - 1] != '\t') continue;
        std::uint64_t value = 0;
        const char* begin = line.data() + at + key.size();
        if (std::from_chars(begin, line.data() + line.size(), value).ec == std::errc()) return value;
    }
    return 0;
}

/// `Function NAME:` or `Function : NAME`.
std::string_view functionIn(std::string_view line)
{
    if (!line.starts_with("Function")) return {};
    line = withoutBlanks(line.substr(std::string_view("Function").size()));
    if (line.starts_with(':')) line.remove_prefix(1);
    if (line.ends_with(':')) line.remove_suffix(1);
    line = withoutBlanks(line);
    return line.size() > kLongestSymbol ? std::string_view() : line;
}

/// `arch = sm_90a` and `code for sm_90a`.
std::string_view architectureIn(std::string_view line)
{
    for (const std::string_view start : {std::string_view("arch = "), std::string_view("code for ")}) {
        if (line.starts_with(start)) return withoutBlanks(line.substr(start.size()));
    }
    return {};
}

/// The instruction of a line `/*0010*/ @P0 LDG.E R0, [R2] ; /* 0x… */`; empty where there is none.
std::string_view instructionIn(std::string_view line)
{
    line = withoutBlanks(line);
    if (!line.starts_with("/*") || line.size() < 4) return {};
    const std::size_t end = line.find("*/");
    if (end == std::string_view::npos || line.substr(0, end).find("0x") != std::string_view::npos) return {};
    line = withoutBlanks(line.substr(end + 2));
    if (const std::size_t encoding = line.rfind("/*"); encoding != std::string_view::npos) line = withoutBlanks(line.substr(0, encoding));
    return line;
}

/// LDL.64 of `@!P0 LDL.64 R2, [R1]`
std::string_view operationOf(std::string_view instruction)
{
    if (instruction.starts_with('@')) instruction = withoutBlanks(instruction.substr(std::min(instruction.find(' '), instruction.size())));
    return instruction.substr(0, instruction.find_first_of(" ;"));
}

}  // namespace

std::string demangled(const std::string& symbol)
{
    if (!symbol.starts_with("_Z") || symbol.size() > kLongestSymbol) return symbol;
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> name(abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), std::free);
    return status == 0 && name ? std::string(name.get()) : symbol;
}

std::vector<KernelResources> parseResourceUsage(std::string_view text)
{
    std::vector<KernelResources> kernels;
    std::string architecture;
    std::string function;
    while (!text.empty() && kernels.size() < kMostKernels) {
        const std::string_view line = withoutBlanks(takeLine(text));
        if (const auto found = architectureIn(line); !found.empty()) {
            architecture = toValidUtf8(std::string(found));
            function.clear();
        } else if (const auto name = functionIn(line); !name.empty()) {
            function = toValidUtf8(std::string(name));
        } else if (!function.empty() && line.starts_with("REG:")) {
            KernelResources kernel;
            kernel.symbol = function;
            kernel.name = demangled(function);
            kernel.architecture = architecture;
            kernel.registers = valueOf(line, "REG:");
            kernel.stackBytes = valueOf(line, "STACK:");
            kernel.sharedBytes = valueOf(line, "SHARED:");
            kernel.localBytes = valueOf(line, "LOCAL:");
            kernel.constantBytes = valueOf(line, "CONSTANT[0]:");
            kernels.push_back(std::move(kernel));
            function.clear();
        }
    }
    return kernels;
}

void countInstructions(std::string_view sass, std::vector<KernelResources>& kernels)
{
    std::string_view architecture;
    KernelResources* kernel = nullptr;
    while (!sass.empty()) {
        const std::string_view line = withoutBlanks(takeLine(sass));
        if (const auto found = architectureIn(line); !found.empty()) {
            architecture = found;
            kernel = nullptr;
        } else if (const auto name = functionIn(line); !name.empty()) {
            const auto known = std::ranges::find_if(kernels, [&](const KernelResources& one) { return one.symbol == name && one.architecture == architecture; });
            kernel = known == kernels.end() ? nullptr : &*known;
        } else if (const auto instruction = instructionIn(line); kernel != nullptr && !instruction.empty()) {
            const std::string_view operation = operationOf(instruction);
            ++kernel->instructions;
            kernel->localLoads += operation == "LDL" || operation.starts_with("LDL.") ? 1U : 0U;
            kernel->localStores += operation == "STL" || operation.starts_with("STL.") ? 1U : 0U;
        }
    }
}

std::string readableSass(std::string_view sass)
{
    std::string text;
    while (!sass.empty()) {
        const std::string_view line = takeLine(sass);
        const std::string_view words = withoutBlanks(line);
        if (const auto name = functionIn(words); !name.empty()) {
            text += "\n" + demangled(std::string(name)) + "\n";
        } else if (const auto found = architectureIn(words); !found.empty() && words.starts_with("code")) {
            text += "\n" + std::string(found) + "\n";
        } else if (const auto instruction = instructionIn(words); !instruction.empty()) {
            text += "    " + std::string(instruction) + "\n";
        } else if (words.starts_with(".L_")) {
            text += "  " + std::string(words) + "\n";
        }
    }
    text.erase(0, text.find_first_not_of('\n'));
    return toValidUtf8(text);
}

}  // namespace tracedeck
