// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/solution.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/model/sha1.h"

namespace tracedeck {

namespace {

constexpr std::array<std::pair<Language, std::string_view>, 5> kLanguages{{{Language::Python, "python"},
                                                                          {Language::Triton, "triton"},
                                                                          {Language::Cpp, "cpp"},
                                                                          {Language::Cuda, "cuda"},
                                                                          {Language::TileLang, "tilelang"}}};
constexpr std::array<std::pair<Binding, std::string_view>, 2> kBindings{
    {{Binding::TvmFfi, "tvm-ffi"}, {Binding::Torch, "torch"}}};

constexpr std::array<std::string_view, 5> kPythonFamily{"pytorch", "triton", "cute_dsl", "cutile", "cudnn_frontend"};
constexpr std::array<std::string_view, 4> kCppFamily{"cutlass", "cudnn", "cublas", "cuda_cpp"};

template <class Table, class Value>
std::string_view nameIn(const Table& table, Value value)
{
    for (const auto& [key, name] : table) {
        if (key == value) return name;
    }
    return {};
}

template <class Value, class Table>
std::optional<Value> valueIn(const Table& table, std::string_view name)
{
    for (const auto& [key, text] : table) {
        if (text == name) return key;
    }
    return std::nullopt;
}

}  // namespace

std::string_view toString(Language language)
{
    return nameIn(kLanguages, language);
}

std::optional<Language> languageFromString(std::string_view name)
{
    return valueIn<Language>(kLanguages, name);
}

std::string_view toString(Binding binding)
{
    return nameIn(kBindings, binding);
}

std::optional<Binding> bindingFromString(std::string_view name)
{
    return valueIn<Binding>(kBindings, name);
}

std::optional<LanguageFamily> languageFamily(std::string_view name)
{
    if (std::find(kPythonFamily.begin(), kPythonFamily.end(), name) != kPythonFamily.end()) return LanguageFamily::Python;
    if (std::find(kCppFamily.begin(), kCppFamily.end(), name) != kCppFamily.end()) return LanguageFamily::Cpp;
    return std::nullopt;
}

std::optional<Language> languageOf(const std::vector<std::string>& languages)
{
    std::optional<LanguageFamily> family;
    for (const std::string& name : languages) {
        const auto found = languageFamily(name);
        if (!found || (family && *family != *found)) return std::nullopt;
        family = found;
    }
    if (family == LanguageFamily::Cpp) return Language::Cuda;
    return std::find(languages.begin(), languages.end(), "triton") != languages.end() ? Language::Triton : Language::Python;
}

bool BuildSpec::isForCpuOnly() const
{
    const auto isCpu = [](const std::string& hardware) { return hardware == "cpu" || hardware == "CPU"; };
    return language == Language::Cpp && !targetHardware.empty() && std::ranges::all_of(targetHardware, isCpu);
}

std::string BuildSpec::entryFile() const
{
    const std::size_t separator = entryPoint.find("::");
    return separator == std::string::npos ? std::string() : entryPoint.substr(0, separator);
}

std::string BuildSpec::entrySymbol() const
{
    const std::size_t separator = entryPoint.find("::");
    return separator == std::string::npos ? entryPoint : entryPoint.substr(separator + 2);
}

std::string Solution::contentHash() const
{
    std::string text;
    if (dialect == Dialect::SolExecBench) {
        text = name + definition;
        for (const std::string& language : spec.languages) text += language;
    } else {
        text = definition;
        text += toString(spec.language);
    }
    text += spec.entryPoint;
    if (spec.binding && spec.bindingGiven) text += toString(*spec.binding);
    for (const std::string& dependency : spec.dependencies) text += dependency;
    for (const SourceFile& source : sources) {
        text += source.path;
        text += source.content;
    }
    return sha1Hex(text);
}

}  // namespace tracedeck
