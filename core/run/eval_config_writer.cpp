// SPDX-License-Identifier: GPL-3.0-or-later
// An evaluation config on its way out: as YAML and, of single layers, as JSON.
#include <yaml-cpp/yaml.h>

#include <fmt/format.h>

#include <utility>

#include "core/run/eval_config.h"

namespace tracedeck {

namespace {

void emitJson(YAML::Emitter& out, const Json& value)
{
    if (value.is_object()) {
        out << YAML::BeginMap;
        for (const auto& [key, item] : value.items()) {
            out << YAML::Key << YAML::DoubleQuoted << key << YAML::Value;
            emitJson(out, item);
        }
        out << YAML::EndMap;
    } else if (value.is_array()) {
        out << YAML::Flow << YAML::BeginSeq;
        for (const Json& item : value) emitJson(out, item);
        out << YAML::EndSeq;
    } else if (value.is_string()) {
        out << YAML::DoubleQuoted << value.get<std::string>();   // one that looks like a number stays a text
    } else {
        out << value.dump();
    }
}

void emitFields(YAML::Emitter& out, const Json& fields)
{
    for (const auto& [key, value] : fields.items()) {
        out << YAML::Key << key << YAML::Value;
        emitJson(out, value);
    }
}

void emitLayers(YAML::Emitter& out, const char* name, const std::map<std::string, EvalOverrides>& layers)
{
    if (layers.empty()) return;
    out << YAML::Key << name << YAML::Value << YAML::BeginMap;
    for (const auto& [key, layer] : layers) {
        out << YAML::Key << YAML::DoubleQuoted << key << YAML::Value << YAML::BeginMap;
        emitFields(out, encodeOverrides(layer));
        out << YAML::EndMap;
    }
    out << YAML::EndMap;
}

void emitNames(YAML::Emitter& out, const char* key, const std::set<std::string>& names)
{
    out << YAML::Key << key << YAML::Value << YAML::BeginSeq;
    for (const std::string& name : names) out << YAML::DoubleQuoted << name;
    out << YAML::EndSeq;
}

}  // namespace

EvalOverrides EvalConfigFile::layer(const ConfigScope& scope) const
{
    if (scope.kind == ConfigScope::Kind::Everything) return m_top;
    const auto& layers = scope.kind == ConfigScope::Kind::OpType ? m_byOpType : m_byDefinition;
    const auto found = layers.find(scope.name);
    return found == layers.end() ? EvalOverrides{} : found->second;
}

void EvalConfigFile::setLayer(const ConfigScope& scope, EvalOverrides values)
{
    if (layer(scope) == values) return;
    m_path.clear();
    if (scope.kind == ConfigScope::Kind::Everything) {
        m_top = std::move(values);
        return;
    }
    auto& layers = scope.kind == ConfigScope::Kind::OpType ? m_byOpType : m_byDefinition;
    if (values == EvalOverrides{}) layers.erase(scope.name);
    else layers[scope.name] = std::move(values);
}

void EvalConfigFile::setSystem(SystemConfig system)
{
    m_system = std::move(system);
    m_path.clear();
}

std::string EvalConfigFile::toYaml() const
{
    YAML::Emitter out;
    out << YAML::BeginMap;
    emitFields(out, encodeOverrides(m_top));
    if (m_system.useIsolatedRunner) out << YAML::Key << "use_isolated_runner" << YAML::Value << *m_system.useIsolatedRunner;
    if (m_system.timeoutSeconds) out << YAML::Key << "timeout_seconds" << YAML::Value << fmt::format("{}", *m_system.timeoutSeconds);
    if (m_system.profileBaseline) out << YAML::Key << "profile_baseline" << YAML::Value << *m_system.profileBaseline;
    if (m_system.definitions) emitNames(out, "definitions", *m_system.definitions);
    if (m_system.solutions) emitNames(out, "solutions", *m_system.solutions);
    emitLayers(out, "op_type_config", m_byOpType);
    emitLayers(out, "definition_config", m_byDefinition);
    out << YAML::EndMap;
    return std::string(out.c_str()) + "\n";
}

Json encodeOverrides(const EvalOverrides& overrides)
{
    Json json = Json::object();
    const auto put = [&json](const char* key, const auto& value) {
        if (value) json[key] = *value;
    };
    put("warmup_runs", overrides.warmupRuns);
    put("iterations", overrides.iterations);
    put("num_trials", overrides.numTrials);
    put("rtol", overrides.rtol);
    put("atol", overrides.atol);
    put("required_matched_ratio", overrides.requiredMatchedRatio);
    put("valid_index_inputs", overrides.validIndexInputs);
    put("strict_numerics", overrides.strictNumerics);
    put("precision", overrides.precision);
    if (!overrides.extra.empty()) json["extra"] = overrides.extra;
    return json;
}

Result<EvalOverrides> decodeOverrides(const Json& json)
{
    // JSON is YAML: one reader checks both.
    auto parsed = EvalConfigFile::parse(json.dump(-1, ' ', false, Json::error_handler_t::replace), "");
    if (!parsed) return parsed.error();
    return parsed->layer({});
}

}  // namespace tracedeck
