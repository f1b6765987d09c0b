// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/solution.h"

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
    std::string text = definition;
    text += toString(spec.language);
    text += spec.entryPoint;
    if (spec.binding) text += toString(*spec.binding);
    for (const std::string& dependency : spec.dependencies) text += dependency;
    for (const SourceFile& source : sources) {
        text += source.path;
        text += source.content;
    }
    return sha1Hex(text);
}

}  // namespace tracedeck
