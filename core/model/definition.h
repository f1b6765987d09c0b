// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/model/dtype.h"
#include "core/model/json.h"
#include "core/model/result.h"

namespace tracedeck {

/// Axis name → value.
using AxisValues = std::map<std::string, std::int64_t>;
/// A shape whose axes have numbers; std::nullopt is a host scalar (not a 0-D tensor, which is an empty vector).
using Shape = std::optional<std::vector<std::int64_t>>;

struct Axis {
    std::string name;
    std::optional<std::int64_t> value;   ///< set: constant axis; not set: variable axis
    std::optional<std::string> description;
    Json unknownKeys = Json::object();   ///< kept for a rewrite

    [[nodiscard]] bool isConst() const { return value.has_value(); }
};

struct TensorSpec {
    std::string name;
    std::optional<std::vector<std::string>> shape;   ///< axis names; not set: host scalar
    DType dtype = DType::Float32;
    std::string dtypeName;                           ///< as written, for dtypes that we do not know
    std::optional<std::string> description;
    Json unknownKeys = Json::object();               ///< for example `optional`

    [[nodiscard]] bool isScalar() const { return !shape.has_value(); }
};

/// What a kernel must compute (data model §2.1).
struct Definition {
    std::string name;
    std::string opType;
    std::vector<Axis> axes;           ///< file order
    std::vector<TensorSpec> inputs;   ///< file order = positional parameters
    std::vector<TensorSpec> outputs;  ///< file order = results, or trailing parameters in destination-passing style
    std::string reference;            ///< Python source with a function `run`
    std::vector<std::string> tags;
    std::optional<std::string> description;
    std::vector<std::string> constraints;
    Json unknownKeys = Json::object();
    std::string sourceFile;           ///< path it was loaded from; empty when made in memory
    std::string invalidReason;        ///< not empty: a tolerated breach of the format (an input named like an output); shown, never run

    [[nodiscard]] const Axis* findAxis(const std::string& axis) const;
    [[nodiscard]] const TensorSpec* findInput(const std::string& input) const;
    [[nodiscard]] std::vector<std::string> constAxes() const;
    [[nodiscard]] std::vector<std::string> varAxes() const;
    /// Shapes in input order. Error when a variable axis has no value in `values`.
    [[nodiscard]] Result<std::vector<Shape>> inputShapes(const AxisValues& values) const;
    [[nodiscard]] Result<std::vector<Shape>> outputShapes(const AxisValues& values) const;
    /// Values of all variable axes from actual input shapes (data model §2.1 "get_axes_values").
    [[nodiscard]] Result<AxisValues> axesFromShapes(const std::vector<Shape>& shapes) const;
    /// For each variable axis the first (input name, dimension) that uses it; axes used by no input are absent.
    [[nodiscard]] std::map<std::string, std::pair<std::string, int>> varAxisBindings() const;
};

/// Product of the dimensions; 1 for an empty shape.
[[nodiscard]] std::uint64_t elementCount(const std::vector<std::int64_t>& shape);

}  // namespace tracedeck
