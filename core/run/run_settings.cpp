// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <optional>
#include <system_error>

#include "core/io/json_parse.h"
#include "core/io/read_file.h"
#include "core/io/trace_writer.h"
#include "core/build/build_support.h"

namespace tracedeck {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostPresetBytes = 4U << 20U;
constexpr const char* kPresetEnding = ".json";

Error settingError(std::string field, std::string reason)
{
    return Error{.code = ErrorCode::InvalidInput, .reason = std::move(reason), .file = {}, .line = 0, .field = std::move(field)};
}

/// Reads fields of an object; the first that is wrong becomes the error.
class Fields {
public:
    explicit Fields(const Json& object) : m_object(object) {}

    template <class T>
    void read(const char* key, T& target, bool (Json::*isKind)() const noexcept, const char* kind)
    {
        const Json* found = find(key);
        if (found == nullptr) return;
        if (!(found->*isKind)()) fail(key, fmt::format("must be {}", kind));
        else target = found->get<T>();
    }
    void readSeconds(const char* key, double& target)
    {
        double seconds = target;
        read(key, seconds, &Json::is_number, "a number of seconds");
        if (!(seconds > 0) || !std::isfinite(seconds)) fail(key, "must be greater than 0");
        else target = seconds;
    }
    /// The value; null when it isn't there.
    [[nodiscard]] const Json* find(const char* key) const
    {
        const auto found = m_object.find(key);
        return found == m_object.end() || found->is_null() ? nullptr : &*found;
    }
    void fail(const std::string& field, const std::string& reason)
    {
        if (!m_error) m_error = settingError(field, reason);
    }
    [[nodiscard]] const std::optional<Error>& error() const { return m_error; }

private:
    const Json& m_object;
    std::optional<Error> m_error;
};

Result<fs::path> presetFile(const fs::path& folder, const std::string& name)
{
    if (folder.empty()) return Error{.code = ErrorCode::Io, .reason = "there is no folder for presets: set TRACEDECK_DATA_PATH", .file = {}, .line = 0, .field = {}};
    constexpr std::size_t kLongestName = 200;
    const bool isPrintable = std::ranges::none_of(name, [](char letter) { return static_cast<unsigned char>(letter) < 0x20 || letter == 0x7F; });
    if (!isSafePathComponent(name) || name.starts_with('.') || name.size() > kLongestName || !isPrintable)
        return settingError("preset", fmt::format("\"{}\" can't be the name of a preset: it becomes the name of a file", name));
    return folder / (name + kPresetEnding);
}

}  // namespace

Json encodeRunSettings(const RunRequest& request)
{
    Json json = {{"devices", request.devices},
                 {"config", nullptr},
                 {"config_file", nullptr},
                 {"overrides", encodeOverrides(request.overrides)},
                 {"timeout", request.timeoutSeconds},
                 {"build_timeout", request.buildTimeoutSeconds},
                 {"profile_baseline", request.profileBaseline},
                 {"save_results", request.saveResults},
                 {"isolation", request.isolation == Isolation::Solution ? "solution" : "evaluation"},
                 {"confinement", request.confinement},
                 {"host_memory_bytes", request.hostMemoryBytes},
                 {"skip_after", request.skipAfterFailures},
                 {"wait_idle", nullptr},
                 {"seed", nullptr},
                 {"python", request.python.string()}};
    if (const std::string yaml = request.configFile.toYaml(); yaml != EvalConfigFile::bundled().toYaml()) json["config"] = yaml;
    if (!request.configFile.path().empty()) json["config_file"] = request.configFile.path();
    if (request.waitIdle) json["wait_idle"] = {{"celsius", request.waitIdle->mostCelsius}, {"busy_percent", request.waitIdle->mostBusyPercent}};
    // As text: other readers would round it.
    if (request.seed) json["seed"] = std::to_string(*request.seed);
    return json;
}

Result<void> applyRunSettings(const Json& settings, RunRequest& request)
{
    if (!settings.is_object()) return settingError("settings", "must be an object");
    RunRequest changed = request;
    Fields fields(settings);
    if (const Json* devices = fields.find("devices"); devices != nullptr) {
        const bool isList = devices->is_array() && std::ranges::all_of(*devices, [](const Json& device) { return device.is_string(); });
        if (!isList) fields.fail("devices", "must be a list of names");
        else changed.devices = devices->get<std::vector<std::string>>();
    }
    if (const Json* config = fields.find("config"); config != nullptr && config->is_string()) {
        const Json* path = fields.find("config_file");
        const std::string file = path != nullptr && path->is_string() ? path->get<std::string>() : std::string();
        const std::string text = config->get<std::string>();
        // The file itself while it still says the same: a command can name it.
        auto fromFile = file.empty() ? Result<EvalConfigFile>(settingError("config_file", "none")) : EvalConfigFile::load(file);
        auto parsed = fromFile && fromFile->toYaml() == text ? std::move(fromFile) : EvalConfigFile::parse(text, file);
        if (!parsed) return parsed.error();
        changed.configFile = std::move(*parsed);
    } else if (config != nullptr) {
        fields.fail("config", "must be a text");
    } else if (settings.contains("config")) {
        changed.configFile = EvalConfigFile::bundled();
    }
    if (const Json* overrides = fields.find("overrides"); overrides != nullptr) {
        auto decoded = decodeOverrides(*overrides);
        if (!decoded) return decoded.error();
        changed.overrides = std::move(*decoded);
    }
    fields.readSeconds("timeout", changed.timeoutSeconds);
    fields.readSeconds("build_timeout", changed.buildTimeoutSeconds);
    fields.read("profile_baseline", changed.profileBaseline, &Json::is_boolean, "true or false");
    fields.read("save_results", changed.saveResults, &Json::is_boolean, "true or false");
    fields.read("confinement", changed.confinement, &Json::is_string, "a text");
    fields.read("host_memory_bytes", changed.hostMemoryBytes, &Json::is_number_unsigned, "a whole number");
    fields.read("skip_after", changed.skipAfterFailures, &Json::is_number_unsigned, "a whole number");
    std::string text = changed.isolation == Isolation::Solution ? "solution" : "evaluation";
    fields.read("isolation", text, &Json::is_string, "a text");
    if (text != "solution" && text != "evaluation") fields.fail("isolation", "must be evaluation or solution");
    changed.isolation = text == "solution" ? Isolation::Solution : Isolation::Evaluation;
    constexpr std::array kDegrees{"auto", "full", "partial", "none"};
    if (std::ranges::find(kDegrees, changed.confinement) == kDegrees.end()) fields.fail("confinement", "must be auto, full, partial or none");
    if (settings.contains("wait_idle")) changed.waitIdle.reset();
    if (const Json* idle = fields.find("wait_idle"); idle != nullptr) {
        IdleRule rule;
        if (!idle->is_object()) {
            fields.fail("wait_idle", "must be an object");
        } else {
            Fields rules(*idle);
            rules.read("celsius", rule.mostCelsius, &Json::is_number, "a number");
            rules.read("busy_percent", rule.mostBusyPercent, &Json::is_number_unsigned, "a whole number");
            if (rules.error()) fields.fail("wait_idle." + rules.error()->field, rules.error()->reason);
            changed.waitIdle = rule;
        }
    }
    if (settings.contains("seed")) changed.seed.reset();
    if (const Json* seed = fields.find("seed"); seed != nullptr) {
        const std::string digits = seed->is_string() ? seed->get<std::string>() : std::string();
        std::uint64_t number = 0;
        const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
        if (failure != std::errc{} || end != digits.data() + digits.size()) fields.fail("seed", "must be a whole number, as a text");
        else changed.seed = number;
    }
    text.clear();
    fields.read("python", text, &Json::is_string, "a text");
    if (!text.empty()) changed.python = text;
    if (fields.error()) return *fields.error();
    request = std::move(changed);
    return {};
}

fs::path userDataFolder()
{
    if (const std::string path = building::variable("TRACEDECK_DATA_PATH"); !path.empty()) return fs::absolute(path);
    if (const std::string data = building::variable("XDG_DATA_HOME"); data.starts_with('/')) return fs::path(data) / "tracedeck";
    if (const std::string home = building::variable("HOME"); home.starts_with('/')) return fs::path(home) / ".local" / "share" / "tracedeck";
    return {};
}

fs::path presetFolder()
{
    const fs::path folder = userDataFolder();
    return folder.empty() ? folder : folder / "presets";
}

fs::path ceilingsFile()
{
    const fs::path folder = userDataFolder();
    return folder.empty() ? folder : folder / "ceilings.json";
}

std::vector<std::string> presetNames(const fs::path& folder)
{
    std::vector<std::string> names;
    std::error_code failure;
    for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end; entry.increment(failure)) {
        if (entry->path().extension() == kPresetEnding && !entry->path().filename().string().starts_with('.')) names.push_back(entry->path().stem().string());
    }
    std::ranges::sort(names);
    return names;
}

Result<void> savePreset(const fs::path& folder, const std::string& name, const RunRequest& settings)
{
    const auto file = presetFile(folder, name);
    if (!file) return file.error();
    std::error_code failure;
    fs::create_directories(folder, failure);
    if (failure) return systemError(folder, "the folder can't be made", failure.value());
    return writeFileAtomically(*file, encodeRunSettings(settings).dump(2) + "\n");
}

Result<void> applyPreset(const fs::path& folder, const std::string& name, RunRequest& request)
{
    const auto file = presetFile(folder, name);
    if (!file) return file.error();
    const auto text = readWholeFile(*file, kMostPresetBytes);
    if (!text) {
        const std::vector<std::string> names = presetNames(folder);
        if (std::ranges::find(names, name) != names.end()) return text.error();
        return Error{.code = ErrorCode::NotFound,
                     .reason = names.empty() ? fmt::format("there is no preset \"{}\": --save-preset NAME saves one", name)
                                             : fmt::format("there is no preset \"{}\"; there are: {}", name, fmt::join(names, ", ")),
                     .file = {}, .line = 0, .field = "preset"};
    }
    const auto json = parseJsonText(*text, JsonRules{});
    auto applied = json ? applyRunSettings(*json, request) : Result<void>(json.error());
    if (applied) return {};
    Error error = applied.error();
    error.file = file->string();
    return error;
}

Result<void> removePreset(const fs::path& folder, const std::string& name)
{
    const auto file = presetFile(folder, name);
    if (!file) return file.error();
    std::error_code failure;
    if (!fs::remove(*file, failure)) return systemError(*file, "the preset can't be removed", failure ? failure.value() : ENOENT);
    return {};
}

}  // namespace tracedeck
