// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/tensor_difference.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace tracedeck {

namespace {

/// More than a judge ever sends.
constexpr std::size_t kMostListed = 4096;

/// JSON has no NaN and no infinity: these go as text.
Json number(double value)
{
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    return value;
}

Json numbers(const std::vector<double>& values)
{
    Json list = Json::array();
    for (const double value : values) list.push_back(number(value));
    return list;
}

/// Reads members of one object; the first that is not as it should be is remembered.
class Fields {
public:
    Fields(const Json& json, std::string place) : m_json(json), m_place(std::move(place))
    {
        if (!json.is_object()) blame({}, "must be an object");
    }

    void read(const char* name, std::string& value) { take(name, value, &Json::is_string, "a text"); }
    void read(const char* name, bool& value) { take(name, value, &Json::is_boolean, "true or false"); }
    void read(const char* name, std::uint64_t& value) { take(name, value, &Json::is_number_unsigned, "a number from 0 on"); }
    void read(const char* name, std::uint32_t& value)
    {
        std::uint64_t wide = 0;
        read(name, wide);
        if (wide > std::numeric_limits<std::uint32_t>::max()) blame(name, "is too large");
        value = static_cast<std::uint32_t>(wide);
    }
    void read(const char* name, int& value)
    {
        std::int64_t wide = 0;
        take(name, wide, &Json::is_number_integer, "a whole number");
        if (wide < -1 || wide > std::numeric_limits<int>::max()) blame(name, "is out of range");
        value = static_cast<int>(wide);
    }
    void read(const char* name, double& value)
    {
        const Json* field = find(name);
        if (field != nullptr && !numberOf(*field, value)) blame(name, "must be a number");
    }
    void read(const char* name, std::vector<double>& values)
    {
        const Json* list = listOf(name);
        for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
            values.push_back(0);
            if (!numberOf((*list)[i], values.back())) return blame(name, "must be a list of numbers");
        }
    }
    void read(const char* name, std::vector<std::int64_t>& values)
    {
        const Json* list = listOf(name);
        for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
            if (!(*list)[i].is_number_integer()) return blame(name, "must be a list of whole numbers");
            values.push_back((*list)[i].get<std::int64_t>());
        }
    }
    template <class Item, class Read>
    void readList(const char* name, std::vector<Item>& items, Read readItem)
    {
        const Json* list = listOf(name);
        for (std::size_t i = 0; list != nullptr && i < list->size() && !m_error; ++i) {
            Fields inner((*list)[i], m_place + name + "." + std::to_string(i) + ".");
            Item item;
            readItem(inner, item);
            if (!m_error) m_error = inner.m_error;
            items.push_back(std::move(item));
        }
    }
    template <class Read>
    void readObject(const char* name, Read readInner)
    {
        const Json* object = find(name);
        if (object == nullptr) return;
        Fields inner(*object, m_place + name + ".");
        readInner(inner);
        if (!m_error) m_error = inner.m_error;
    }
    void blame(const std::string& name, const std::string& reason)
    {
        if (!m_error) m_error = Error{ErrorCode::InvalidInput, reason, {}, 0, m_place + name};
    }
    [[nodiscard]] const std::optional<Error>& error() const { return m_error; }

private:
    static bool numberOf(const Json& json, double& value)
    {
        if (json.is_number()) {
            value = json.get<double>();
            return true;
        }
        if (json == "nan") value = std::numeric_limits<double>::quiet_NaN();
        else if (json == "inf") value = std::numeric_limits<double>::infinity();
        else if (json == "-inf") value = -std::numeric_limits<double>::infinity();
        else return false;
        return true;
    }
    const Json* find(const char* name)
    {
        if (m_error) return nullptr;
        const auto field = m_json.find(name);
        if (field != m_json.end()) return &*field;
        blame(name, "is missing");
        return nullptr;
    }
    const Json* listOf(const char* name)
    {
        const Json* list = find(name);
        if (list != nullptr && (!list->is_array() || list->size() > kMostListed)) {
            blame(name, "must be a list of a sane length");
            return nullptr;
        }
        return list;
    }
    template <class Value>
    void take(const char* name, Value& value, bool (Json::*isRight)() const noexcept, const char* what)
    {
        const Json* field = find(name);
        if (field == nullptr) return;
        if (!(field->*isRight)()) return blame(name, std::string("must be ") + what);
        value = field->get<Value>();
    }

    const Json& m_json;
    std::string m_place;
    std::optional<Error> m_error;
};

void readMap(Fields& fields, ErrorMap& map)
{
    fields.read("rows", map.rows);
    fields.read("columns", map.columns);
    fields.read("cell_rows", map.cellRows);
    fields.read("cell_columns", map.cellColumns);
    fields.read("wrong_share", map.wrongShare);
    fields.read("largest", map.largest);
    const std::uint64_t cells = std::uint64_t{map.cellRows} * map.cellColumns;
    if (map.wrongShare.size() != cells || map.largest.size() != cells) fields.blame("largest", "must have one number a cell");
}

void readWorst(Fields& fields, WorstElement& worst)
{
    fields.read("element", worst.element);
    fields.read("index", worst.index);
    fields.read("expected", worst.expected);
    fields.read("got", worst.got);
    fields.read("absolute", worst.absolute);
    fields.read("relative", worst.relative);
    fields.read("wrong", worst.isWrong);
}

void readDifference(Fields& fields, TensorDifference& difference)
{
    fields.read("output", difference.output);
    fields.read("dtype", difference.dtype);
    fields.read("shape", difference.shape);
    fields.read("elements", difference.elements);
    fields.read("looked_at", difference.lookedAt);
    fields.read("atol", difference.atol);
    fields.read("rtol", difference.rtol);
    fields.read("wrong", difference.wrong);
    fields.read("equal", difference.equal);
    fields.read("not_finite", difference.notFinite);
    fields.read("unwritten", difference.unwritten);
    fields.read("max_absolute", difference.maxAbsolute);
    fields.read("max_relative", difference.maxRelative);
    fields.read("mean_absolute", difference.meanAbsolute);
    fields.read("bias", difference.bias);
    fields.readList("worst", difference.worst, readWorst);
    fields.readObject("map", [&](Fields& inner) { readMap(inner, difference.map); });
    fields.readList("histogram", difference.histogram, [](Fields& inner, ErrorBin& bin) {
        inner.read("low", bin.low);
        inner.read("high", bin.high);
        inner.read("count", bin.count);
    });
}

template <class Value>
Result<Value> finished(const Fields& fields, Value value)
{
    if (fields.error()) return *fields.error();
    return value;
}

}  // namespace

Json encodeTensorDifference(const TensorDifference& difference)
{
    Json worst = Json::array();
    for (const WorstElement& element : difference.worst) {
        worst.push_back({{"element", element.element},
                         {"index", element.index},
                         {"expected", number(element.expected)},
                         {"got", number(element.got)},
                         {"absolute", number(element.absolute)},
                         {"relative", number(element.relative)},
                         {"wrong", element.isWrong}});
    }
    Json bins = Json::array();
    for (const ErrorBin& bin : difference.histogram) bins.push_back({{"low", number(bin.low)}, {"high", number(bin.high)}, {"count", bin.count}});
    const ErrorMap& map = difference.map;
    return {{"output", difference.output},
            {"dtype", difference.dtype},
            {"shape", difference.shape},
            {"elements", difference.elements},
            {"looked_at", difference.lookedAt},
            {"atol", difference.atol},
            {"rtol", difference.rtol},
            {"wrong", difference.wrong},
            {"equal", difference.equal},
            {"not_finite", difference.notFinite},
            {"unwritten", difference.unwritten},
            {"max_absolute", number(difference.maxAbsolute)},
            {"max_relative", number(difference.maxRelative)},
            {"mean_absolute", number(difference.meanAbsolute)},
            {"bias", number(difference.bias)},
            {"worst", std::move(worst)},
            {"map",
             {{"rows", map.rows},
              {"columns", map.columns},
              {"cell_rows", map.cellRows},
              {"cell_columns", map.cellColumns},
              {"wrong_share", numbers(map.wrongShare)},
              {"largest", numbers(map.largest)}}},
            {"histogram", std::move(bins)}};
}

Result<TensorDifference> decodeTensorDifference(const Json& json)
{
    Fields fields(json, {});
    TensorDifference difference;
    readDifference(fields, difference);
    return finished(fields, std::move(difference));
}

Json encodeDifferenceReport(const DifferenceReport& report)
{
    Json outputs = Json::array();
    for (const TensorDifference& output : report.outputs) outputs.push_back(encodeTensorDifference(output));
    return {{"status", report.status}, {"log", report.log}, {"trial", report.trial}, {"missing", report.missing}, {"outputs", std::move(outputs)}};
}

Result<DifferenceReport> decodeDifferenceReport(const Json& json)
{
    Fields fields(json, {});
    DifferenceReport report;
    fields.read("status", report.status);
    fields.read("log", report.log);
    fields.read("trial", report.trial);
    fields.read("missing", report.missing);
    fields.readList("outputs", report.outputs, readDifference);
    return finished(fields, std::move(report));
}

std::vector<std::string> ToleranceReport::weakOutputs() const
{
    std::vector<std::string> weak;
    for (const DegenerateTrial& trial : trials) {
        if (trial.passes && std::ranges::find(weak, trial.output) == weak.end()) weak.push_back(trial.output);
    }
    return weak;
}

bool ToleranceReport::provesNothing() const
{
    std::set<std::string> outputs;
    for (const DegenerateTrial& trial : trials) outputs.insert(trial.output);
    return !outputs.empty() && weakOutputs().size() == outputs.size();
}

Json encodeToleranceReport(const ToleranceReport& report)
{
    Json trials = Json::array();
    for (const DegenerateTrial& trial : report.trials) {
        trials.push_back({{"output", trial.output},
                          {"candidate", trial.candidate},
                          {"passes", trial.passes},
                          {"matched_ratio", number(trial.matchedRatio)},
                          {"max_absolute", number(trial.maxAbsolute)},
                          {"max_relative", number(trial.maxRelative)},
                          {"message", trial.message}});
    }
    return {{"evaluator", report.evaluator}, {"atol", report.atol},       {"rtol", report.rtol},
            {"calls", report.calls},         {"missing", report.missing}, {"trials", std::move(trials)}};
}

Result<ToleranceReport> decodeToleranceReport(const Json& json)
{
    Fields fields(json, {});
    ToleranceReport report;
    fields.read("evaluator", report.evaluator);
    fields.read("atol", report.atol);
    fields.read("rtol", report.rtol);
    fields.read("calls", report.calls);
    fields.read("missing", report.missing);
    fields.readList("trials", report.trials, [](Fields& inner, DegenerateTrial& trial) {
        inner.read("output", trial.output);
        inner.read("candidate", trial.candidate);
        inner.read("passes", trial.passes);
        inner.read("matched_ratio", trial.matchedRatio);
        inner.read("max_absolute", trial.maxAbsolute);
        inner.read("max_relative", trial.maxRelative);
        inner.read("message", trial.message);
    });
    return finished(fields, std::move(report));
}

}  // namespace tracedeck
