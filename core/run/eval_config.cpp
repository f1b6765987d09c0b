// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/eval_config.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <utility>

#include "core/model/text.h"

namespace tracedeck {

namespace embedded {
extern const std::string_view eval_config_yaml;
}

namespace {

constexpr std::uintmax_t kMaxConfigBytes = 1U << 20U;

/// An error at a place in the file, on its way up to parse().
struct ConfigError {
    Error error;
};

std::string joinField(const std::string& prefix, const std::string& key)
{
    return prefix.empty() ? key : prefix + "." + key;
}

std::string describe(const YAML::Node& node)
{
    if (node.IsNull()) return "null";
    if (node.IsSequence()) return "a list";
    if (node.IsMap()) return "a map";
    return "\"" + node.Scalar() + "\"";
}

/// A number as YAML and the format's coercion write it; 10.0 counts as an integer.
std::optional<double> numberOf(const YAML::Node& node)
{
    double value = 0;
    if (!node.IsScalar() || !YAML::convert<double>::decode(node, value)) return std::nullopt;
    return value;
}

Json scalarToJson(const YAML::Node& node)
{
    // A quoted text carries the tag "!" and stays a text.
    if (node.Tag() != "!") {
        bool flag = false;
        std::int64_t integer = 0;
        double number = 0;
        if (YAML::convert<std::int64_t>::decode(node, integer)) return integer;
        if (YAML::convert<double>::decode(node, number)) {
            // JSON, in which it goes to the judge, has no word for it.
            if (!std::isfinite(number)) throw YAML::Exception(node.Mark(), "a number must be finite, found " + node.Scalar());
            return number;
        }
        if (YAML::convert<bool>::decode(node, flag)) return flag;
    }
    return node.Scalar();
}

Json toJson(const YAML::Node& node, int depth)
{
    constexpr int kMaxDepth = 50;
    if (depth > kMaxDepth) throw YAML::Exception(node.Mark(), "nested too deeply");
    if (node.IsMap()) {
        Json object = Json::object();
        for (const auto& entry : node) object[entry.first.as<std::string>()] = toJson(entry.second, depth + 1);
        return object;
    }
    if (node.IsSequence()) {
        Json array = Json::array();
        for (const auto& item : node) array.push_back(toJson(item, depth + 1));
        return array;
    }
    if (node.IsScalar()) return scalarToJson(node);
    return nullptr;
}

template <class Config>
void overlay(Config& config, const EvalOverrides& above)
{
    if (above.warmupRuns) config.warmupRuns = *above.warmupRuns;
    if (above.iterations) config.iterations = *above.iterations;
    if (above.numTrials) config.numTrials = *above.numTrials;
    if (above.rtol) config.rtol = *above.rtol;
    if (above.atol) config.atol = *above.atol;
    if (above.requiredMatchedRatio) config.requiredMatchedRatio = above.requiredMatchedRatio;
    if (above.validIndexInputs) config.validIndexInputs = *above.validIndexInputs;
    if (above.strictNumerics) config.strictNumerics = *above.strictNumerics;
    if (above.precision) config.precision = *above.precision;
    for (const auto& [key, value] : above.extra.items()) {
        if (!value.is_null()) config.extra[key] = value;
    }
}

Error fieldError(std::string field, std::string reason)
{
    return Error{
        .code = ErrorCode::InvalidInput, .reason = std::move(reason), .file = {}, .line = 0, .field = std::move(field)};
}

}  // namespace

/// Turns one YAML document into an EvalConfigFile.
class EvalConfigParser {
public:
    explicit EvalConfigParser(std::string file) : m_file(std::move(file)) {}

    EvalConfigFile parse(const std::string& yaml)
    {
        const YAML::Node root = YAML::Load(yaml);
        if (root.IsNull()) return {};
        requireMap(root, "");
        for (const auto& entry : root) readTopLevel(entry.first, entry.second);
        return std::move(m_config);
    }

private:
    [[noreturn]] void fail(const YAML::Node& node, const std::string& field, const std::string& reason) const
    {
        Error error = fieldError(field, reason);
        error.file = m_file;
        error.line = node.Mark().is_null() ? 0 : node.Mark().line + 1;
        throw ConfigError{std::move(error)};
    }

    void warnUnknown(const YAML::Node& key, const std::string& field)
    {
        Error error = fieldError(field, "unknown key, ignored");
        error.file = m_file;
        error.line = key.Mark().is_null() ? 0 : key.Mark().line + 1;
        m_config.m_warnings.push_back({Severity::Warning, std::move(error)});
    }

    void requireMap(const YAML::Node& node, const std::string& field) const
    {
        if (!node.IsMap()) fail(node, field, "must be a map of names to values, found " + describe(node));
    }

    std::string keyOf(const YAML::Node& key, const std::string& prefix) const
    {
        if (!key.IsScalar()) fail(key, prefix, "a key must be a plain text, found " + describe(key));
        return key.Scalar();
    }

    int integer(const YAML::Node& node, const std::string& field, int minimum) const
    {
        const auto number = numberOf(node);
        constexpr double kMaximum = 1e9;
        if (!number || *number != std::floor(*number) || *number < minimum || *number > kMaximum) {
            fail(node, field, fmt::format("must be a whole number of at least {}, found {}", minimum, describe(node)));
        }
        return static_cast<int>(*number);
    }

    double positive(const YAML::Node& node, const std::string& field) const
    {
        const auto number = numberOf(node);
        if (!number || !std::isfinite(*number) || *number <= 0) {
            fail(node, field, "must be a number greater than 0, found " + describe(node));
        }
        return *number;
    }

    double ratio(const YAML::Node& node, const std::string& field) const
    {
        const auto number = numberOf(node);
        if (!number || !(*number > 0 && *number <= 1)) {
            fail(node, field, "must be a number greater than 0 and at most 1, found " + describe(node));
        }
        return *number;
    }

    bool boolean(const YAML::Node& node, const std::string& field) const
    {
        bool value = false;
        if (!node.IsScalar() || !YAML::convert<bool>::decode(node, value)) {
            fail(node, field, "must be true or false, found " + describe(node));
        }
        return value;
    }

    std::set<std::string> names(const YAML::Node& node, const std::string& field) const
    {
        if (!node.IsSequence()) fail(node, field, "must be a list of names, found " + describe(node));
        std::set<std::string> result;
        for (const auto& item : node) {
            if (!item.IsScalar() || item.Scalar().empty())
                fail(item, field, "must hold names only, found " + describe(item));
            result.insert(item.Scalar());
        }
        return result;
    }

    /// False when the key is not an evaluation field.
    bool readEvalField(EvalOverrides& target, const std::string& key, const YAML::Node& value, const std::string& field)
    {
        static const std::set<std::string, std::less<>> kFields{
            "warmup_runs", "iterations", "num_trials", "rtol", "atol", "required_matched_ratio", "valid_index_inputs", "strict_numerics", "precision", "extra"};
        if (!kFields.contains(key)) return false;
        if (value.IsNull()) return true;   // null never overrides
        if (key == "warmup_runs") target.warmupRuns = integer(value, field, 0);
        else if (key == "iterations") target.iterations = integer(value, field, 1);
        else if (key == "num_trials") target.numTrials = integer(value, field, 1);
        else if (key == "rtol") target.rtol = positive(value, field);
        else if (key == "atol") target.atol = positive(value, field);
        else if (key == "required_matched_ratio") target.requiredMatchedRatio = ratio(value, field);
        else if (key == "valid_index_inputs") target.validIndexInputs = boolean(value, field);
        else if (key == "strict_numerics") target.strictNumerics = boolean(value, field);
        else if (key == "precision") target.precision = positive(value, field);
        else {
            requireMap(value, field);
            for (const auto& entry : value) target.extra[keyOf(entry.first, field)] = toJson(entry.second, 0);
        }
        return true;
    }

    bool readSystemField(const std::string& key, const YAML::Node& value)
    {
        static const std::set<std::string, std::less<>> kFields{"use_isolated_runner", "definitions",      "solutions",
                                                                "timeout_seconds",     "profile_baseline", "log_dir"};
        if (!kFields.contains(key)) return false;
        if (value.IsNull()) return true;
        SystemConfig& system = m_config.m_system;
        if (key == "use_isolated_runner") system.useIsolatedRunner = boolean(value, key);
        else if (key == "definitions") system.definitions = names(value, key);
        else if (key == "solutions") system.solutions = names(value, key);
        else if (key == "timeout_seconds") system.timeoutSeconds = positive(value, key);
        else if (key == "profile_baseline") system.profileBaseline = boolean(value, key);
        // log_dir: deprecated and without effect in the format as well.
        return true;
    }

    void readLayers(std::map<std::string, EvalOverrides>& layers, const YAML::Node& node, const std::string& field)
    {
        if (node.IsNull()) return;
        requireMap(node, field);
        for (const auto& layer : node) {
            const std::string name = keyOf(layer.first, field);
            const std::string layerField = joinField(field, name);
            if (layer.second.IsNull()) continue;
            requireMap(layer.second, layerField);
            EvalOverrides& target = layers[name];
            for (const auto& entry : layer.second) {
                const std::string key = keyOf(entry.first, layerField);
                if (!readEvalField(target, key, entry.second, joinField(layerField, key))) {
                    warnUnknown(entry.first, joinField(layerField, key));
                }
            }
        }
    }

    void readTopLevel(const YAML::Node& keyNode, const YAML::Node& value)
    {
        const std::string key = keyOf(keyNode, "");
        if (key == "op_type_config") readLayers(m_config.m_byOpType, value, key);
        else if (key == "definition_config") readLayers(m_config.m_byDefinition, value, key);
        else if (key == "sampling_validation_trials" || key == "sampling_tvd_threshold") {
            // Deprecated top-level names of two entries of `extra`.
            if (!value.IsNull()) m_config.m_top.extra[key] = toJson(value, 0);
        } else if (!readEvalField(m_config.m_top, key, value, key) && !readSystemField(key, value)) {
            warnUnknown(keyNode, key);
        }
    }

    std::string m_file;
    EvalConfigFile m_config;
};

Result<EvalConfigFile> EvalConfigFile::parse(const std::string& yaml, const std::string& file)
{
    if (const std::string valid = toValidUtf8(yaml); valid != yaml) {
        const auto bad = std::mismatch(yaml.begin(), yaml.end(), valid.begin(), valid.end()).first;
        return Error{.code = ErrorCode::InvalidInput,
                     .reason = "not valid YAML: the text is not UTF-8; save it as UTF-8",
                     .file = file,
                     .line = std::count(yaml.begin(), bad, '\n') + 1,
                     .field = {}};
    }
    try {
        return EvalConfigParser(file).parse(yaml);
    } catch (const ConfigError& error) {
        return error.error;
    } catch (const YAML::Exception& exception) {
        return Error{.code = ErrorCode::InvalidInput,
                     .reason = "not valid YAML: " + exception.msg,
                     .file = file,
                     .line = exception.mark.is_null() ? 0 : exception.mark.line + 1,
                     .field = {}};
    }
}

Result<EvalConfigFile> EvalConfigFile::load(const std::string& path)
{
    std::error_code failure;
    if (!std::filesystem::is_regular_file(path, failure)) {
        return Error{
            .code = ErrorCode::NotFound, .reason = "there is no such file", .file = path, .line = 0, .field = {}};
    }
    const std::uintmax_t size = std::filesystem::file_size(path, failure);
    if (!failure && size > kMaxConfigBytes) {
        return Error{.code = ErrorCode::InvalidInput,
                     .reason = "larger than 1 MiB: not an evaluation config",
                     .file = path,
                     .line = 0,
                     .field = {}};
    }
    std::ifstream in(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    if (!in.good() && !in.eof()) {
        return Error{.code = ErrorCode::Io,
                     .reason = std::string("cannot be read: ") + std::strerror(errno),
                     .file = path,
                     .line = 0,
                     .field = {}};
    }
    auto parsed = parse(text, path);
    if (parsed) parsed->m_path = path;
    return parsed;
}

EvalConfigFile EvalConfigFile::bundled()
{
    auto parsed = parse(std::string(embedded::eval_config_yaml), "eval_config.yaml (bundled)");
    // A unit test reads the bundled text, so an error here is a broken build; the built-in defaults still hold.
    return parsed ? std::move(*parsed) : EvalConfigFile{};
}

EvalConfig EvalConfigFile::resolve(const std::string& opType, const std::string& definition,
                                   const EvalOverrides& overrides) const
{
    EvalConfig config;
    if (const auto layer = m_byOpType.find(opType); layer != m_byOpType.end()) overlay(config, layer->second);
    if (const auto layer = m_byDefinition.find(definition); layer != m_byDefinition.end())
        overlay(config, layer->second);
    EvalOverrides top = m_top;
    overlay(top, overrides);
    overlay(config, top);
    return config;
}

Result<void> validate(const EvalConfig& config)
{
    if (config.warmupRuns < 0)
        return fieldError("warmup_runs", fmt::format("must be at least 0, is {}", config.warmupRuns));
    if (config.iterations <= 0)
        return fieldError("iterations", fmt::format("must be greater than 0, is {}", config.iterations));
    if (config.numTrials <= 0)
        return fieldError("num_trials", fmt::format("must be greater than 0, is {}", config.numTrials));
    constexpr std::int64_t kMostCalls = 1'000'000'000;
    constexpr double kLeastPrecise = 50;
    const std::int64_t callsATrial = std::int64_t{config.warmupRuns} + config.iterations;
    if (callsATrial > kMostCalls || callsATrial * config.numTrials > kMostCalls)
        return fieldError("num_trials", fmt::format("{} trials of {} calls are too many, {} calls are the most", config.numTrials, callsATrial, kMostCalls));
    if (!(config.rtol > 0) || !std::isfinite(config.rtol))
        return fieldError("rtol", fmt::format("must be greater than 0, is {}", config.rtol));
    if (!(config.atol > 0) || !std::isfinite(config.atol))
        return fieldError("atol", fmt::format("must be greater than 0, is {}", config.atol));
    if (config.requiredMatchedRatio && !(*config.requiredMatchedRatio > 0 && *config.requiredMatchedRatio <= 1)) {
        return fieldError("required_matched_ratio",
                          fmt::format("must be greater than 0 and at most 1, is {}", *config.requiredMatchedRatio));
    }
    if (!(config.precision >= 0 && config.precision <= kLeastPrecise))
        return fieldError("precision", fmt::format("must be from 0 to {} percent, is {}", kLeastPrecise, config.precision));
    return {};
}

Json encodeEvalConfig(const EvalConfig& config)
{
    Json json = {{"warmup_runs", config.warmupRuns},
                 {"iterations", config.iterations},
                 {"num_trials", config.numTrials},
                 {"rtol", config.rtol},
                 {"atol", config.atol},
                 {"required_matched_ratio", nullptr},
                 {"valid_index_inputs", config.validIndexInputs},
                 {"strict_numerics", config.strictNumerics},
                 {"precision", config.precision},
                 {"extra", config.extra}};
    if (config.requiredMatchedRatio) json["required_matched_ratio"] = *config.requiredMatchedRatio;
    return json;
}

Result<void> addExtra(EvalOverrides& overrides, const std::string& entry)
{
    const std::size_t equals = entry.find('=');
    const auto refuse = [&entry](const std::string& reason) {
        Error error = fieldError("extra", "\"" + entry + "\" " + reason);
        error.code = ErrorCode::Usage;
        return error;
    };
    if (equals == std::string::npos || equals == 0) return refuse("has no key: write KEY=VALUE");
    if (toValidUtf8(entry) != entry) return refuse("is not UTF-8");
    try {
        overrides.extra[entry.substr(0, equals)] = toJson(YAML::Load(entry.substr(equals + 1)), 0);
    } catch (const YAML::Exception& exception) {
        return refuse("has no value that can be read: " + exception.msg);
    }
    return {};
}

Result<EvalConfig> decodeEvalConfig(const Json& json)
{
    if (!json.is_object()) return fieldError("config", "must be an object");
    EvalConfig config;
    for (const auto& [key, target] : {std::pair{"warmup_runs", &config.warmupRuns},
                                      {"iterations", &config.iterations},
                                      {"num_trials", &config.numTrials}}) {
        const auto found = json.find(key);
        if (found == json.end() || !found->is_number_integer()) return fieldError(key, "must be an integer");
        const auto value = found->get<std::int64_t>();
        if (value < 0 || value > 1'000'000'000) return fieldError(key, "is out of range");
        *target = static_cast<int>(value);
    }
    for (const auto& [key, target] : {std::pair{"rtol", &config.rtol}, {"atol", &config.atol}}) {
        const auto found = json.find(key);
        if (found == json.end() || !found->is_number()) return fieldError(key, "must be a number");
        *target = found->get<double>();
    }
    if (const auto found = json.find("required_matched_ratio"); found != json.end() && !found->is_null()) {
        if (!found->is_number()) return fieldError("required_matched_ratio", "must be a number or null");
        config.requiredMatchedRatio = found->get<double>();
    }
    if (const auto found = json.find("precision"); found != json.end() && !found->is_null()) {
        if (!found->is_number()) return fieldError("precision", "must be a number");
        config.precision = found->get<double>();
    }
    for (const auto& [key, target] : {std::pair{"valid_index_inputs", &config.validIndexInputs}, {"strict_numerics", &config.strictNumerics}}) {
        const auto found = json.find(key);
        if (found == json.end() || found->is_null()) continue;
        if (!found->is_boolean()) return fieldError(key, "must be true or false");
        *target = found->get<bool>();
    }
    if (const auto found = json.find("extra"); found != json.end() && !found->is_null()) {
        if (!found->is_object()) return fieldError("extra", "must be an object");
        config.extra = *found;
    }
    if (auto valid = validate(config); !valid) return valid.error();
    return config;
}

}  // namespace tracedeck
