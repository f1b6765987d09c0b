// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/definition.h"

#include <algorithm>
#include <limits>

namespace tracedeck {

namespace {

Result<std::vector<Shape>> resolveShapes(const Definition& definition, const std::vector<TensorSpec>& tensors,
                                         const AxisValues& values, const char* section)
{
    std::vector<Shape> shapes;
    shapes.reserve(tensors.size());
    for (const TensorSpec& tensor : tensors) {
        if (tensor.isScalar()) {
            shapes.emplace_back(std::nullopt);
            continue;
        }
        std::vector<std::int64_t> dimensions;
        dimensions.reserve(tensor.shape->size());
        for (const std::string& name : *tensor.shape) {
            const std::string field = std::string(section) + "." + tensor.name + ".shape";
            const Axis* axis = definition.findAxis(name);
            if (axis == nullptr) {
                return Error{ErrorCode::InvalidInput, "the shape uses the axis '" + name + "', which the definition does not declare",
                             definition.sourceFile, 0, field};
            }
            if (axis->isConst()) {
                dimensions.push_back(*axis->value);
                continue;
            }
            const auto found = values.find(name);
            if (found == values.end()) {
                return Error{ErrorCode::InvalidInput, "no value is given for the variable axis '" + name + "'",
                             definition.sourceFile, 0, field};
            }
            dimensions.push_back(found->second);
        }
        shapes.emplace_back(std::move(dimensions));
    }
    return shapes;
}

std::vector<std::string> axisNames(const std::vector<Axis>& axes, bool wantConst)
{
    std::vector<std::string> names;
    for (const Axis& axis : axes) {
        if (axis.isConst() == wantConst) names.push_back(axis.name);
    }
    return names;
}

}  // namespace

const Axis* Definition::findAxis(const std::string& axis) const
{
    const auto found = std::find_if(axes.begin(), axes.end(), [&](const Axis& a) { return a.name == axis; });
    return found == axes.end() ? nullptr : &*found;
}

const TensorSpec* Definition::findInput(const std::string& input) const
{
    const auto found = std::find_if(inputs.begin(), inputs.end(), [&](const TensorSpec& t) { return t.name == input; });
    return found == inputs.end() ? nullptr : &*found;
}

std::vector<std::string> Definition::constAxes() const
{
    return axisNames(axes, true);
}

std::vector<std::string> Definition::varAxes() const
{
    return axisNames(axes, false);
}

Result<std::vector<Shape>> Definition::inputShapes(const AxisValues& values) const
{
    return resolveShapes(*this, inputs, values, "inputs");
}

Result<std::vector<Shape>> Definition::outputShapes(const AxisValues& values) const
{
    return resolveShapes(*this, outputs, values, "outputs");
}

Result<AxisValues> Definition::axesFromShapes(const std::vector<Shape>& shapes) const
{
    AxisValues values;
    const std::size_t count = std::min(inputs.size(), shapes.size());
    for (std::size_t i = 0; i < count; ++i) {
        const TensorSpec& input = inputs[i];
        if (input.isScalar()) continue;
        const std::string field = "inputs." + input.name + ".shape";
        if (!shapes[i] || shapes[i]->size() != input.shape->size()) {
            const std::string got = shapes[i] ? std::to_string(shapes[i]->size()) + " dimensions" : std::string("a scalar");
            return Error{ErrorCode::InvalidInput,
                         "expected " + std::to_string(input.shape->size()) + " dimensions, got " + got, sourceFile, 0, field};
        }
        for (std::size_t d = 0; d < input.shape->size(); ++d) {
            const std::string& axisName = (*input.shape)[d];
            const Axis* axis = findAxis(axisName);
            if (axis == nullptr || axis->isConst()) continue;
            const std::int64_t value = (*shapes[i])[d];
            const auto [known, isNew] = values.emplace(axisName, value);
            if (!isNew && known->second != value) {
                return Error{ErrorCode::InvalidInput,
                             "the axis '" + axisName + "' would be " + std::to_string(value) + " here and " +
                                 std::to_string(known->second) + " in an earlier input",
                             sourceFile, 0, field};
            }
        }
    }
    for (const Axis& axis : axes) {
        if (!axis.isConst() && !values.contains(axis.name)) {
            return Error{ErrorCode::InvalidInput, "no input gives a value to the variable axis '" + axis.name + "'", sourceFile,
                         0, "axes." + axis.name};
        }
    }
    return values;
}

std::map<std::string, std::pair<std::string, int>> Definition::varAxisBindings() const
{
    std::map<std::string, std::pair<std::string, int>> bindings;
    for (const TensorSpec& input : inputs) {
        if (input.isScalar()) continue;
        int dimension = 0;
        for (const std::string& axisName : *input.shape) {
            const Axis* axis = findAxis(axisName);
            if (axis != nullptr && !axis->isConst()) bindings.try_emplace(axisName, input.name, dimension);
            ++dimension;
        }
    }
    return bindings;
}

std::uint64_t elementCount(const std::vector<std::int64_t>& shape)
{
    constexpr std::uint64_t kMaximum = std::numeric_limits<std::uint64_t>::max();
    if (std::any_of(shape.begin(), shape.end(), [](std::int64_t d) { return d <= 0; })) return 0;
    std::uint64_t count = 1;
    for (const std::int64_t dimension : shape) {
        const auto size = static_cast<std::uint64_t>(dimension);
        if (count > kMaximum / size) return kMaximum;
        count *= size;
    }
    return count;
}

}  // namespace tracedeck
