// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/validation_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/io/json_codec.h"
#include "core/report/text_table.h"

namespace tracedeck {

namespace {

constexpr std::array<std::string_view, 8> kCheckNames{"layout", "definition", "workload",  "solution",
                                                      "trace",  "baseline",   "benchmark", "dataset"};
constexpr std::array<std::string_view, 3> kLevelNames{"info", "warning", "error"};
constexpr std::array<std::string_view, 3> kStatusNames{"ok", "warning", "error"};

std::string nameIn(const std::array<std::string_view, 3>& names, CheckLevel level)
{
    return std::string(names.at(static_cast<std::size_t>(level)));
}

Json checkDocument(const std::optional<CheckResult>& result)
{
    if (!result) return nullptr;
    Json messages = Json::array();
    for (const CheckMessage& message : result->messages) {
        Json entry = {{"level", nameIn(kLevelNames, message.level)}, {"message", message.text}};
        if (!message.file.empty()) {
            entry["file"] = message.file;
            entry["line"] = message.line;
            entry["field"] = message.field;
        }
        messages.push_back(std::move(entry));
    }
    return {{"status", nameIn(kStatusNames, result->status)}, {"messages", std::move(messages)}};
}

Json datasetCheckDocument(const std::optional<DatasetCheckResult>& result)
{
    if (!result) return nullptr;
    Json messages = Json::array();
    for (const DatasetFinding& finding : result->findings) {
        messages.push_back({{"level", nameIn(kLevelNames, finding.level)},
                            {"kind", finding.kind},
                            {"file", finding.file},
                            {"line", finding.line},
                            {"field", finding.field},
                            {"message", finding.reason}});
    }
    return {{"status", nameIn(kStatusNames, result->status)}, {"messages", std::move(messages)}};
}

/// Reads the members of a report; keeps the first thing that is wrong.
class ReportParser {
public:
    Result<ValidationReport> parse(const Json& json)
    {
        ValidationReport report;
        if (const Json* config = member(json, "", "config", Json::value_t::object)) {
            report.dataset = text(*config, "config", "dataset");
            report.checks = texts(*config, "config", "checks");
            const Json* disableGpu = member(*config, "config", "disable_gpu", Json::value_t::boolean);
            report.disableGpu = disableGpu != nullptr && disableGpu->get<bool>();
            report.opTypes = texts(*config, "config", "op_types");
            report.definitions = texts(*config, "config", "definitions");
        }
        if (const Json* definitions = member(json, "", "definitions", Json::value_t::object)) {
            for (const auto& [name, value] : definitions->items()) {
                report.reports[name] = definitionReport(value, "definitions." + name);
            }
        }
        if (json.is_object() && json.contains("tracedeck")) parseOwn(json, report);
        if (m_error) return *m_error;
        return report;
    }

private:
    void fail(const std::string& field, const std::string& reason)
    {
        if (!m_error) m_error = Error{ErrorCode::InvalidInput, reason, {}, 0, field};
    }

    const Json* member(const Json& object, const std::string& path, const std::string& key, Json::value_t kind)
    {
        const std::string field = path.empty() ? key : path + "." + key;
        if (!object.is_object()) {
            fail(path, "this is not a validation report: expected an object");
            return nullptr;
        }
        const auto found = object.find(key);
        if (found == object.end()) {
            fail(field, "this is not a validation report: the field is missing");
            return nullptr;
        }
        if (found->type() != kind) {
            fail(field, "this is not a validation report: the field has the wrong type");
            return nullptr;
        }
        return &*found;
    }
    std::string text(const Json& object, const std::string& path, const std::string& key)
    {
        const Json* value = member(object, path, key, Json::value_t::string);
        return value != nullptr ? value->get<std::string>() : std::string();
    }
    std::vector<std::string> texts(const Json& object, const std::string& path, const std::string& key)
    {
        std::vector<std::string> result;
        const Json* array = member(object, path, key, Json::value_t::array);
        if (array == nullptr) return result;
        for (const Json& value : *array) {
            if (value.is_string()) result.push_back(value.get<std::string>());
            else fail(path + "." + key, "expected an array of strings");
        }
        return result;
    }
    CheckLevel level(const Json& object, const std::string& path, const std::string& key,
                     const std::array<std::string_view, 3>& names)
    {
        const std::string name = text(object, path, key);
        const auto found = std::find(names.begin(), names.end(), name);
        if (found != names.end()) return static_cast<CheckLevel>(found - names.begin());
        fail(path + "." + key, fmt::format("expected {}, {} or {}", names[0], names[1], names[2]));
        return CheckLevel::Info;
    }
    DefinitionReport definitionReport(const Json& json, const std::string& path)
    {
        DefinitionReport report;
        report.status = level(json, path, "status", kStatusNames);
        for (std::size_t i = 0; i < kDefinitionCheckCount && json.is_object(); ++i) {
            const auto found = json.find(std::string(kCheckNames.at(i)));
            if (found == json.end() || found->is_null()) continue;
            report.checks.at(i) = checkResult(*found, path + "." + std::string(kCheckNames.at(i)));
        }
        return report;
    }
    CheckResult checkResult(const Json& json, const std::string& path)
    {
        CheckResult result;
        result.status = level(json, path, "status", kStatusNames);
        if (const Json* messages = member(json, path, "messages", Json::value_t::array)) {
            for (const Json& message : *messages) {
                CheckMessage parsed{level(message, path + ".messages", "level", kLevelNames),
                                    text(message, path + ".messages", "message")};
                parsed.file = textMember(message, "file");
                parsed.field = textMember(message, "field");
                parsed.line = optionalLine(message);
                result.messages.push_back(std::move(parsed));
            }
        }
        return result;
    }
    void parseOwn(const Json& json, ValidationReport& report)
    {
        const Json* own = member(json, "", "tracedeck", Json::value_t::object);
        if (own == nullptr) return;
        report.notRun = texts(*own, "tracedeck", "not_run");
        if (!own->contains("dataset") || own->at("dataset").is_null()) return;
        const std::string path = "tracedeck.dataset";
        const Json& check = own->at("dataset");
        DatasetCheckResult result;
        result.status = level(check, path, "status", kStatusNames);
        if (const Json* messages = member(check, path, "messages", Json::value_t::array)) {
            for (const Json& message : *messages) {
                DatasetFinding finding;
                finding.level = level(message, path + ".messages", "level", kLevelNames);
                finding.kind = text(message, path + ".messages", "kind");
                finding.file = text(message, path + ".messages", "file");
                finding.reason = text(message, path + ".messages", "message");
                finding.line = optionalLine(message);
                finding.field = textMember(message, "field");
                result.findings.push_back(std::move(finding));
            }
        }
        report.datasetCheck = std::move(result);
    }

    static std::int64_t optionalLine(const Json& object)
    {
        const auto found = object.is_object() ? object.find("line") : object.end();
        return object.is_object() && found != object.end() && found->is_number_integer() ? found->get<std::int64_t>() : 0;
    }

    std::optional<Error> m_error;
};

void addLine(std::string& text, const std::string& line)
{
    text += printable(line) + "\n";
}

std::string joined(const std::vector<std::string>& texts)
{
    return fmt::format("{}", fmt::join(texts, ", "));
}

std::string place(const std::string& file, std::int64_t line, const std::string& field)
{
    std::string text;
    if (!file.empty()) text = line > 0 ? fmt::format("{}:{}: ", file, line) : file + ": ";
    return field.empty() ? text : text + field + ": ";
}

void addDefinition(std::string& text, const std::string& name, const DefinitionReport& report)
{
    std::string status = nameIn(kStatusNames, report.status);
    std::transform(status.begin(), status.end(), status.begin(),
                   [](char c) { return static_cast<char>(c - 'a' + 'A'); });
    addLine(text, fmt::format("--- {} [{}] ---", name, status));
    for (std::size_t i = 0; i < kDefinitionCheckCount; ++i) {
        const auto& result = report.checks.at(i);
        const std::string label = std::string(kCheckNames.at(i)) + ":";
        addLine(text,
                fmt::format("  {:12} {}", label, result ? nameIn(kStatusNames, result->status) : "None (skipped)"));
        if (!result) continue;
        for (const CheckMessage& message : result->messages) {
            addLine(text, "    - " + place(message.file, message.line, message.field) + message.text);
        }
    }
    text += "\n";
}

}  // namespace

std::string_view toString(Check check)
{
    return kCheckNames.at(static_cast<std::size_t>(check));
}

std::optional<Check> checkFromString(std::string_view name)
{
    const auto found = std::find(kCheckNames.begin(), kCheckNames.end(), name);
    if (found == kCheckNames.end()) return std::nullopt;
    return static_cast<Check>(found - kCheckNames.begin());
}

CheckResult makeCheckResult(std::vector<CheckMessage> messages)
{
    CheckResult result;
    for (const CheckMessage& message : messages) result.status = std::max(result.status, message.level);
    result.messages = std::move(messages);
    return result;
}

CheckLevel ValidationReport::status() const
{
    CheckLevel worst = datasetCheck ? datasetCheck->status : CheckLevel::Info;
    for (const auto& [name, report] : reports) worst = std::max(worst, report.status);
    return worst;
}

Json validationDocument(const ValidationReport& report)
{
    Json definitions = Json::object();
    // Names are distinct: the map's own insertion would compare each with all before it.
    auto& members = static_cast<Json::object_t::Container&>(definitions.get_ref<Json::object_t&>());
    for (const auto& [name, definition] : report.reports) {
        Json entry = {{"status", nameIn(kStatusNames, definition.status)}};
        for (std::size_t i = 0; i < kDefinitionCheckCount; ++i) {
            entry[std::string(kCheckNames.at(i))] = checkDocument(definition.checks.at(i));
        }
        members.emplace_back(name, std::move(entry));
    }
    return {{"config",
             {{"dataset", report.dataset},
              {"checks", report.checks},
              {"disable_gpu", report.disableGpu},
              {"op_types", report.opTypes},
              {"definitions", report.definitions}}},
            {"definitions", std::move(definitions)},
            {"tracedeck", {{"not_run", report.notRun}, {"dataset", datasetCheckDocument(report.datasetCheck)}}}};
}

Result<ValidationReport> parseValidationReport(std::string_view text)
{
    const auto json = parseJson(text);
    if (!json) return json.error();
    return ReportParser().parse(*json);
}

std::string validationText(const ValidationReport& report)
{
    std::string text;
    addLine(text, "=== Dataset Validation Report ===");
    addLine(text, "dataset:       " + report.dataset);
    addLine(text, "checks:        " + joined(report.checks));
    addLine(text, std::string("disable_gpu:   ") + (report.disableGpu ? "True" : "False"));
    addLine(text, "op_types:      " + (report.opTypes.empty() ? "(all)" : joined(report.opTypes)));
    addLine(text, "definitions:   " + (report.definitions.empty() ? "(all)" : joined(report.definitions)));
    std::array<std::size_t, 3> counts{};
    for (const auto& [name, definition] : report.reports) ++counts.at(static_cast<std::size_t>(definition.status));
    text += fmt::format("\n{} definitions: {} ok, {} warning, {} error\n\n", report.reports.size(), counts[0],
                        counts[1], counts[2]);
    for (const auto& [name, definition] : report.reports) addDefinition(text, name, definition);
    if (!report.notRun.empty() || report.datasetCheck) addLine(text, "=== Further checks by Tracedeck ===");
    for (const std::string& check : report.notRun) addLine(text, "not run: " + check);
    if (report.datasetCheck) {
        addLine(text, "dataset: " + nameIn(kStatusNames, report.datasetCheck->status));
        for (const DatasetFinding& finding : report.datasetCheck->findings) {
            addLine(text, "  - " + nameIn(kLevelNames, finding.level) + ": " + place(finding.file, finding.line, finding.field) + finding.reason);
        }
    }
    // The lines are joined by line ends: the empty last one gives none of its own.
    if (report.notRun.empty() && !report.datasetCheck) text.pop_back();
    return text;
}

}  // namespace tracedeck
