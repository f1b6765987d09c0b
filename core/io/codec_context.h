// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/json_codec.h"

namespace tracedeck {

/// Where a value stands, as a chain on the stack: turned into text only when something is wrong with it.
struct FieldPath {
    const FieldPath* parent = nullptr;
    std::string_view name;

    /// Dotted, for example `evaluation.performance.latency_ms`.
    [[nodiscard]] std::string toString() const;
};

/// State of one decoding: the mode, the first error (it decides; what is read after it does not matter) and the repairs.
class DecodeContext {
public:
    DecodeContext(ReadMode mode, const ReadPlace& place) : m_mode(mode), m_place(place) {}

    [[nodiscard]] bool isTolerant() const { return m_mode == ReadMode::Tolerant; }
    [[nodiscard]] const ReadPlace& place() const { return m_place; }
    [[nodiscard]] bool isSol() const { return m_place.dialect == Dialect::SolExecBench; }
    /// Whether SOL-ExecBench's own forms are read, or break a rule.
    [[nodiscard]] bool acceptsSol() const { return isTolerant() || isSol(); }
    /// Warns of such a form where FlashInfer-Trace's rules hold; `what` is a noun phrase.
    void warnOfSolForm(const FieldPath& path, const std::string& what);
    [[nodiscard]] bool hasFailed() const { return m_error.has_value(); }
    void fail(const FieldPath& path, std::string reason);
    /// Something was read as other than it says.
    void warn(const FieldPath& path, std::string reason) { addWarning(path, std::move(reason), true); }
    /// Something to know; it was read as it stands.
    void remark(const FieldPath& path, std::string reason) { addWarning(path, std::move(reason), false); }
    [[nodiscard]] const std::optional<Error>& error() const { return m_error; }
    std::vector<Problem> takeWarnings() { return std::move(m_warnings); }

private:
    void addWarning(const FieldPath& path, std::string reason, bool isRepair);

    ReadMode m_mode;
    ReadPlace m_place;
    std::optional<Error> m_error;
    std::vector<Problem> m_warnings;
};

/// The members of one JSON object. Members that nobody asked for are the unknown keys.
class ObjectReader {
public:
    /// Records an error when the value is not an object; then every member is missing without a further error.
    ObjectReader(DecodeContext& context, const Json& value, const FieldPath& path);

    /// The member, or nullptr. From now on its key is a known one.
    const Json* find(std::string_view key);
    /// The same; records an error when it is missing.
    const Json* require(std::string_view key);
    /// Whether the key is there, without making it a known one.
    [[nodiscard]] const Json* peek(std::string_view key) const;
    [[nodiscard]] Json unknownKeys() const;
    [[nodiscard]] bool isObject() const { return m_object != nullptr; }

private:
    DecodeContext& m_context;
    const Json::object_t* m_object = nullptr;
    const FieldPath& m_path;
    std::vector<std::string_view> m_known;
};

/// "null", "a string", "the number 5", … for messages.
[[nodiscard]] std::string describe(const Json& value);

// The coercion table of data model §2.0. The first group says std::nullopt and keeps quiet; the second records an error
// and returns a default.
[[nodiscard]] std::optional<std::int64_t> coerceInt(const Json& value);
[[nodiscard]] std::optional<double> coerceFloat(const Json& value);
[[nodiscard]] std::optional<bool> coerceBool(const Json& value);

std::string readString(DecodeContext& context, const Json& value, const FieldPath& path);
/// Length ≥ 1; blanks count.
std::string readNonEmptyString(DecodeContext& context, const Json& value, const FieldPath& path);
std::int64_t readNonNegativeInt(DecodeContext& context, const Json& value, const FieldPath& path);
double readFloat(DecodeContext& context, const Json& value, const FieldPath& path);
bool readBool(DecodeContext& context, const Json& value, const FieldPath& path);
std::optional<std::string> readNullableString(DecodeContext& context, const Json* value, const FieldPath& path);
enum class EmptyText { Allowed, Refused };
std::vector<std::string> readStringList(DecodeContext& context, const Json& value, const FieldPath& path, EmptyText empty);
/// An optional list whose null is an error, and in tolerant mode an empty list.
std::vector<std::string> readOptionalList(DecodeContext& context, const Json* value, const FieldPath& path);

/// Appends the unknown keys that `json` does not have already.
void appendUnknownKeys(Json& json, const Json& unknownKeys);
/// A float as it may stand in a line: non-finite ones as the strings that readers take back.
[[nodiscard]] Json encodeFloat(double value);

// The parts, one file a type. Each records its errors in the context.
[[nodiscard]] Definition readDefinition(DecodeContext& context, const Json& json);
[[nodiscard]] Solution readSolution(DecodeContext& context, const Json& json);
[[nodiscard]] Workload readWorkload(DecodeContext& context, const Json& json, const FieldPath& path);
[[nodiscard]] Evaluation readEvaluation(DecodeContext& context, const Json& json, const FieldPath& path);
[[nodiscard]] Trace readTrace(DecodeContext& context, const Json& json);

}  // namespace tracedeck
