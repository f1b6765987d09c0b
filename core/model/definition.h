// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/axis_expression.h"
#include "core/model/dialect.h"
#include "core/model/dtype.h"
#include "core/model/json.h"
#include "core/model/result.h"

namespace tracedeck {

/// A shape whose axes have numbers; std::nullopt is a host scalar (not a 0-D tensor, which is an empty vector).
using Shape = std::optional<std::vector<std::int64_t>>;

struct Axis {
    std::string name;
    std::optional<std::int64_t> value;          ///< set: constant axis
    std::optional<AxisExpression> expression;   ///< set: computed from other axes (SOL-ExecBench only)
    std::optional<std::string> description;
    Json unknownKeys = Json::object();          ///< kept for a rewrite

    [[nodiscard]] bool isConst() const { return value.has_value(); }
    [[nodiscard]] bool isExpression() const { return expression.has_value(); }
    [[nodiscard]] bool isVariable() const { return !value && !expression; }
};

struct TensorSpec {
    std::string name;
    std::optional<std::vector<std::string>> shape;   ///< axis names, or digits for a literal length; not set: host scalar
    DType dtype = DType::Float32;
    std::string dtypeName;                           ///< as written, for dtypes that we do not know
    std::optional<std::string> description;
    Json unknownKeys = Json::object();               ///< for example `optional`

    [[nodiscard]] bool isScalar() const { return !shape.has_value(); }
};

/// Whether an entry of a shape is a literal length (SOL-ExecBench dialect §2): ASCII digits alone.
[[nodiscard]] bool isLiteralLength(std::string_view entry);
/// The length; std::nullopt when it does not fit in 64 bits or is no literal.
[[nodiscard]] std::optional<std::int64_t> literalLength(std::string_view entry);

/// What a kernel must compute (data model §2.1, SOL-ExecBench dialect §2).
struct Definition {
    Dialect dialect = Dialect::FlashInferTrace;
    std::string name;
    std::string opType;
    bool opTypeGiven = true;          ///< false: the file names none; `opType` is a label taken from its path
    std::vector<Axis> axes;           ///< file order
    std::vector<TensorSpec> inputs;   ///< file order = positional parameters
    std::vector<TensorSpec> outputs;  ///< file order = results, or trailing parameters in destination-passing style
    std::string reference;            ///< Python source with a function `run`
    std::vector<std::string> tags;
    std::optional<std::string> description;
    std::vector<std::string> constraints;
    std::optional<std::string> customInputsEntrypoint;   ///< function of `reference` that makes inputs (SOL-ExecBench)
    std::optional<std::string> hfId;                     ///< model that the problem comes from (SOL-ExecBench)
    std::string configFile;           ///< config.json of the problem folder, kept aside: its run parameters are not applied
    Json unknownKeys = Json::object();
    std::string sourceFile;           ///< path it was loaded from; empty when made in memory
    std::string invalidReason;        ///< not empty: a tolerated breach of the format (an input named like an output); shown, never run

    [[nodiscard]] const Axis* findAxis(const std::string& axis) const;
    [[nodiscard]] const TensorSpec* findInput(const std::string& input) const;
    [[nodiscard]] std::vector<std::string> constAxes() const;
    [[nodiscard]] std::vector<std::string> varAxes() const;
    /// Every axis that has a value: constants, then what the workload says, then the computed ones in file order, each from
    /// what is known before it, or else from what later ones make known. In the SOL-ExecBench dialect a workload's value
    /// hides a constant and undeclared names count too (dialect §3); in FlashInfer-Trace constants keep their value.
    /// Error: an expression that names an unknown axis, depends on itself, or has no 64-bit integer for a result.
    [[nodiscard]] Result<AxisValues> resolveAxes(const AxisValues& values) const;
    /// Shapes in input order. Error when a variable axis has no value in `values`.
    [[nodiscard]] Result<std::vector<Shape>> inputShapes(const AxisValues& values) const;
    [[nodiscard]] Result<std::vector<Shape>> outputShapes(const AxisValues& values) const;
    /// Values of all variable axes from actual input shapes (data model §2.1 "get_axes_values"). In the SOL-ExecBench dialect
    /// constant, computed and literal dimensions must agree with the shapes.
    [[nodiscard]] Result<AxisValues> axesFromShapes(const std::vector<Shape>& shapes) const;
    /// For each variable axis the first (input name, dimension) that uses it; axes used by no input are absent.
    [[nodiscard]] std::map<std::string, std::pair<std::string, int>> varAxisBindings() const;
};

/// Product of the dimensions; 1 for an empty shape.
[[nodiscard]] std::uint64_t elementCount(const std::vector<std::int64_t>& shape);

}  // namespace tracedeck
