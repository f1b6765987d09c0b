// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <unordered_set>

#include "core/io/codec_context.h"
#include "core/model/text.h"

namespace tracedeck {

namespace {

/// Why a source path could lead out of the folder that it will be written to, judged with the separators of every
/// system; std::nullopt when it cannot.
std::optional<std::string> sourcePathProblem(std::string_view path)
{
    const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    if (path.find('\0') != std::string_view::npos) return "the path contains a NUL character";
    if (path.starts_with('/') || path.starts_with('\\')) return "the path must be relative";
    if (path.size() >= 2 && isLetter(path[0]) && path[1] == ':') return "the path must be relative, without a drive letter";
    while (true) {
        const std::size_t separator = path.find_first_of("/\\");
        if (path.substr(0, separator) == "..") return "the path must not contain '..'";
        if (separator == std::string_view::npos) return std::nullopt;
        path.remove_prefix(separator + 1);
    }
}

std::size_t countSeparators(const std::string& entryPoint)
{
    std::size_t count = 0;
    for (std::size_t at = entryPoint.find("::"); at != std::string::npos; at = entryPoint.find("::", at + 2)) ++count;
    return count;
}

Language readLanguage(DecodeContext& context, const Json& json, const FieldPath& path)
{
    const std::string name = readString(context, json, path);
    if (const auto language = languageFromString(name)) return *language;
    if (context.isTolerant()) {
        if (const auto language = languageFromString(asciiLower(trimWhitespace(name)))) {
            context.warn(path, "'" + name + "' is read as '" + std::string(toString(*language)) + "'");
            return *language;
        }
    }
    context.fail(path, "expected one of python, triton, cpp, cuda, tilelang, got " + describe(json));
    return Language::Python;
}

/// The list that SOL-ExecBench has in place of one language.
void readLanguages(DecodeContext& context, const Json& json, const FieldPath& path, BuildSpec& spec)
{
    spec.languages = readStringList(context, json, path, EmptyText::Refused);
    if (context.hasFailed()) return;
    if (const auto language = languageOf(spec.languages)) {
        spec.language = *language;
        if (spec.languages.empty()) context.warn(path, "the list is empty; read as Python, which it runs as");
        return;
    }
    for (std::size_t i = 0; i < spec.languages.size(); ++i) {
        if (languageFamily(spec.languages[i])) continue;
        const std::string index = std::to_string(i);
        context.fail(FieldPath{&path, index}, "expected one of pytorch, triton, cute_dsl, cutile, cudnn_frontend, cutlass, cudnn, "
                                              "cublas, cuda_cpp, got " + describe(json[i]));
    }
    context.fail(path, "the list mixes Python and C++ languages");
}

BuildSpec readBuildSpec(DecodeContext& context, const Json& json, const FieldPath& path)
{
    BuildSpec spec;
    ObjectReader object(context, json, path);
    const bool hasList = context.acceptsSol() && object.peek("language") == nullptr && object.peek("languages") != nullptr;
    if (hasList) {
        readLanguages(context, *object.find("languages"), FieldPath{&path, "languages"}, spec);
    } else if (const Json* language = object.require("language")) {
        spec.language = readLanguage(context, *language, FieldPath{&path, "language"});
    }
    const FieldPath hardwarePath{&path, "target_hardware"};
    if (const Json* hardware = object.require("target_hardware")) {
        spec.targetHardware = readStringList(context, *hardware, hardwarePath, EmptyText::Allowed);
        if (spec.targetHardware.empty()) context.fail(hardwarePath, "expected at least one element");
    }
    if (const Json* entryPoint = object.require("entry_point")) {
        spec.entryPoint = readNonEmptyString(context, *entryPoint, FieldPath{&path, "entry_point"});
    }
    spec.dependencies = readOptionalList(context, object.find("dependencies"), FieldPath{&path, "dependencies"});
    const FieldPath stylePath{&path, "destination_passing_style"};
    const Json* style = object.find("destination_passing_style");
    spec.destinationPassingStyleGiven = style != nullptr && !(style->is_null() && context.isTolerant());
    if (spec.destinationPassingStyleGiven) {
        spec.destinationPassingStyle = readBool(context, *style, stylePath);
    } else if (style != nullptr) {
        context.warn(stylePath, "null is read as true, the default");
    }
    if (const Json* binding = object.find("binding"); binding != nullptr && !binding->is_null()) {
        spec.binding = binding->is_string() ? bindingFromString(binding->get_ref<const std::string&>()) : std::nullopt;
        if (!spec.binding) {
            context.fail(FieldPath{&path, "binding"}, "expected 'tvm-ffi', 'torch' or null, got " + describe(*binding));
        }
    }
    if (hasList && spec.language == Language::Cuda && !spec.binding) {
        spec.binding = Binding::Torch;
        spec.bindingGiven = false;
    }
    spec.unknownKeys = object.unknownKeys();
    return spec;
}

SourceFile readSource(DecodeContext& context, const Json& json, const FieldPath& path)
{
    SourceFile source;
    ObjectReader object(context, json, path);
    const FieldPath pathPath{&path, "path"};
    if (const Json* value = object.require("path")) {
        source.path = readNonEmptyString(context, *value, pathPath);
        if (const auto problem = sourcePathProblem(source.path)) context.fail(pathPath, *problem);
    }
    const FieldPath contentPath{&path, "content"};
    if (context.acceptsSol() && object.isObject() && object.peek("content") == nullptr) {
        source.isSeparateFile = true;
    } else if (const Json* value = object.require("content")) {
        source.content = readString(context, *value, contentPath);
        if (source.content.empty()) {
            const std::string reason = "the source file is empty";
            if (context.isTolerant()) {
                context.warn(contentPath, reason);
            } else {
                context.fail(contentPath, reason + ", which the format does not allow");
            }
        }
    }
    source.unknownKeys = object.unknownKeys();
    return source;
}

/// Before the form `file::symbol` an entry point named the function alone: the file is the only source, or main.py.
void repairEntryPoint(DecodeContext& context, const FieldPath& path, Solution& solution)
{
    if (!context.isTolerant() || countSeparators(solution.spec.entryPoint) != 0) return;
    const auto isMain = [](const SourceFile& source) { return source.path == "main.py"; };
    std::string file;
    if (solution.sources.size() == 1) {
        file = solution.sources.front().path;
    } else if (std::any_of(solution.sources.begin(), solution.sources.end(), isMain)) {
        file = "main.py";
    } else {
        return;
    }
    context.warn(path, "'" + solution.spec.entryPoint + "' names no file; read as '" + file + "::" + solution.spec.entryPoint + "'");
    solution.spec.entryPoint = file + "::" + solution.spec.entryPoint;
}

void checkSolution(DecodeContext& context, const FieldPath& root, Solution& solution)
{
    const FieldPath sourcesPath{&root, "sources"};
    std::unordered_set<std::string_view> paths;
    for (std::size_t i = 0; i < solution.sources.size(); ++i) {
        if (paths.insert(solution.sources[i].path).second) continue;
        const std::string index = std::to_string(i);
        const FieldPath sourcePath{&sourcesPath, index};
        context.fail(FieldPath{&sourcePath, "path"}, "another source has the path '" + solution.sources[i].path + "' too");
    }
    const FieldPath specPath{&root, "spec"};
    const FieldPath entryPath{&specPath, "entry_point"};
    repairEntryPoint(context, entryPath, solution);
    if (countSeparators(solution.spec.entryPoint) != 1) {
        context.fail(entryPath, "expected the form 'file::function', got '" + solution.spec.entryPoint + "'");
    } else if (!paths.contains(solution.spec.entryFile())) {
        context.fail(entryPath, "no source has the path '" + solution.spec.entryFile() + "'");
    }
}

}  // namespace

Solution readSolution(DecodeContext& context, const Json& json)
{
    Solution solution;
    const FieldPath root;
    ObjectReader object(context, json, root);
    const auto readName = [&](const char* key) {
        const Json* value = object.require(key);
        return value != nullptr ? readNonEmptyString(context, *value, FieldPath{&root, key}) : std::string();
    };
    solution.name = readName("name");
    solution.definition = readName("definition");
    solution.author = readName("author");
    if (const Json* spec = object.require("spec")) {
        solution.spec = readBuildSpec(context, *spec, FieldPath{&root, "spec"});
        const bool hasList = spec->is_object() && !spec->contains("language") && spec->contains("languages");
        if (hasList) solution.dialect = Dialect::SolExecBench;
    }
    const FieldPath sourcesPath{&root, "sources"};
    if (const Json* sources = object.require("sources")) {
        if (!sources->is_array()) {
            context.fail(sourcesPath, "expected an array of source files, got " + describe(*sources));
        } else if (sources->empty()) {
            context.fail(sourcesPath, "expected at least one source file");
        } else {
            for (std::size_t i = 0; i < sources->size(); ++i) {
                const std::string index = std::to_string(i);
                solution.sources.push_back(readSource(context, (*sources)[i], FieldPath{&sourcesPath, index}));
            }
        }
    }
    solution.description = readNullableString(context, object.find("description"), FieldPath{&root, "description"});
    solution.unknownKeys = object.unknownKeys();
    if (!context.hasFailed()) checkSolution(context, root, solution);
    return solution;
}

Json encodeSolution(const Solution& solution)
{
    const BuildSpec& spec = solution.spec;
    Json json = Json::object();
    json["name"] = solution.name;
    json["definition"] = solution.definition;
    json["author"] = solution.author;
    Json encodedSpec = Json::object();
    if (solution.dialect == Dialect::SolExecBench) encodedSpec["languages"] = spec.languages;
    else encodedSpec["language"] = toString(spec.language);
    encodedSpec["target_hardware"] = spec.targetHardware;
    encodedSpec["entry_point"] = spec.entryPoint;
    if (!spec.dependencies.empty()) encodedSpec["dependencies"] = spec.dependencies;
    if (spec.destinationPassingStyleGiven || !spec.destinationPassingStyle) {
        encodedSpec["destination_passing_style"] = spec.destinationPassingStyle;
    }
    if (spec.binding && spec.bindingGiven) encodedSpec["binding"] = toString(*spec.binding);
    appendUnknownKeys(encodedSpec, spec.unknownKeys);
    json["spec"] = std::move(encodedSpec);
    Json sources = Json::array();
    for (const SourceFile& source : solution.sources) {
        Json entry = Json::object();
        entry["path"] = source.path;
        entry["content"] = source.content;
        appendUnknownKeys(entry, source.unknownKeys);
        sources.push_back(std::move(entry));
    }
    json["sources"] = std::move(sources);
    if (solution.description) json["description"] = *solution.description;
    appendUnknownKeys(json, solution.unknownKeys);
    return json;
}

Json encodeSolutionAsGiven(const Solution& solution)
{
    Json json = encodeSolution(solution);
    for (std::size_t i = 0; i < solution.sources.size(); ++i) {
        if (solution.sources[i].isSeparateFile) json["sources"][i].erase("content");
    }
    return json;
}

}  // namespace tracedeck
