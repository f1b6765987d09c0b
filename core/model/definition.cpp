// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/definition.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <unordered_map>
#include <unordered_set>

namespace tracedeck {

namespace {

Error shapeError(const Definition& definition, const char* section, const TensorSpec& tensor, std::string reason)
{
    return Error{ErrorCode::InvalidInput, std::move(reason), definition.sourceFile, 0,
                 std::string(section) + "." + tensor.name + ".shape"};
}

Result<std::vector<Shape>> resolveShapes(const Definition& definition, const std::vector<TensorSpec>& tensors,
                                         const AxisValues& values, const char* section)
{
    const auto resolved = definition.resolveAxes(values);
    if (!resolved) return resolved.error();
    std::unordered_set<std::string_view> declared;
    for (const Axis& axis : definition.axes) declared.insert(axis.name);
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
            const auto fail = [&](std::string reason) { return shapeError(definition, section, tensor, std::move(reason)); };
            std::optional<std::int64_t> length;
            if (!declared.contains(name)) {
                if (!isLiteralLength(name)) return fail("the shape uses the axis '" + name + "', which the definition does not declare");
                length = literalLength(name);
                if (!length) return fail("the length " + name + " does not fit in 64 bits");
            } else if (const auto found = resolved->find(name); found != resolved->end()) {
                length = found->second;
            } else {
                return fail("no value is given for the variable axis '" + name + "'");
            }
            if (*length < 0) return fail("the axis '" + name + "' is " + std::to_string(*length) + ", and no length is negative");
            dimensions.push_back(*length);
        }
        shapes.emplace_back(std::move(dimensions));
    }
    return shapes;
}

/// Computed axes that wait for a name, and what happens when it gets a value.
class ExpressionResolver {
public:
    ExpressionResolver(const Definition& definition, AxisValues& values) : m_definition(definition), m_values(values) {}

    std::optional<Error> resolve()
    {
        for (const Axis& axis : m_definition.axes) {
            if (!axis.isExpression()) continue;
            std::size_t missing = 0;
            for (const std::string& name : axis.expression->names()) {
                if (m_values.contains(name)) continue;
                ++missing;
                m_waiting[name].push_back(&axis);
            }
            if (missing > 0) {
                m_missing[&axis] = missing;
            } else if (auto error = define(axis)) {
                return error;
            }
        }
        return m_missing.empty() ? std::nullopt : std::optional(describeMissing());
    }

private:
    /// Computes the axis and then, one after the other, those that waited for nothing else.
    std::optional<Error> define(const Axis& first)
    {
        std::vector<const Axis*> ready{&first};
        while (!ready.empty()) {
            const Axis& axis = *ready.back();
            ready.pop_back();
            auto value = axis.expression->evaluate(m_values);
            if (!value) {
                Error error = value.error();
                error.reason = "'" + axis.expression->text() + "': " + error.reason;
                return placed(std::move(error), axis);
            }
            m_values[axis.name] = *value;
            const auto waiting = m_waiting.extract(axis.name);
            if (waiting.empty()) continue;
            for (const Axis* waiter : waiting.mapped()) {
                if (--m_missing[waiter] > 0) continue;
                m_missing.erase(waiter);
                ready.push_back(waiter);
            }
        }
        return std::nullopt;
    }

    [[nodiscard]] Error placed(Error error, const Axis& axis) const
    {
        error.file = m_definition.sourceFile;
        error.field = "axes." + axis.name + ".expression";
        return error;
    }

    /// The first axis that could not be computed, and why.
    [[nodiscard]] Error describeMissing() const
    {
        std::unordered_map<std::string_view, const Axis*> declared;
        for (const Axis& axis : m_definition.axes) declared.emplace(axis.name, &axis);
        const Axis* cyclic = nullptr;
        for (const Axis& axis : m_definition.axes) {
            if (!m_missing.contains(&axis)) continue;
            if (cyclic == nullptr) cyclic = &axis;
            for (const std::string& name : axis.expression->names()) {
                if (m_values.contains(name)) continue;
                const auto named = declared.find(name);
                if (named != declared.end() && named->second->isExpression()) continue;
                return placed({ErrorCode::InvalidInput,
                               named != declared.end()
                                   ? "'" + axis.expression->text() + "': no value is given for the variable axis '" + name + "'"
                                   : "'" + axis.expression->text() + "': there is no axis '" + name + "'",
                               {}, 0, {}},
                              axis);
            }
        }
        return placed({ErrorCode::InvalidInput, "'" + cyclic->expression->text() + "' depends on itself", {}, 0, {}},
                      *cyclic);
    }

    const Definition& m_definition;
    AxisValues& m_values;
    std::unordered_map<std::string, std::vector<const Axis*>> m_waiting;   ///< name without a value → who needs it
    std::unordered_map<const Axis*, std::size_t> m_missing;                ///< how many names an axis still needs
};

std::vector<std::string> axisNames(const std::vector<Axis>& axes, bool (Axis::*isWanted)() const)
{
    std::vector<std::string> names;
    for (const Axis& axis : axes) {
        if ((axis.*isWanted)()) names.push_back(axis.name);
    }
    return names;
}

/// The dimensions that no variable axis decides must be what the definition says.
std::optional<Error> checkFixedDimensions(const Definition& definition, const std::vector<Shape>& shapes, const AxisValues& values)
{
    const auto expected = definition.inputShapes(values);
    if (!expected) return expected.error();
    for (std::size_t i = 0; i < std::min(expected->size(), shapes.size()); ++i) {
        const TensorSpec& input = definition.inputs[i];
        if (input.isScalar()) continue;
        for (std::size_t d = 0; d < input.shape->size(); ++d) {
            const std::int64_t wanted = (*(*expected)[i])[d];
            const std::int64_t got = (*shapes[i])[d];
            if (wanted == got) continue;
            return shapeError(definition, "inputs", input,
                              "dimension " + std::to_string(d) + " ('" + (*input.shape)[d] + "') must be " + std::to_string(wanted) +
                                  ", got " + std::to_string(got));
        }
    }
    return std::nullopt;
}

}  // namespace

bool isLiteralLength(std::string_view entry)
{
    return !entry.empty() && entry.find_first_not_of("0123456789") == std::string_view::npos;
}

std::optional<std::int64_t> literalLength(std::string_view entry)
{
    std::int64_t length = 0;
    if (!isLiteralLength(entry)) return std::nullopt;
    if (std::from_chars(entry.data(), entry.data() + entry.size(), length).ec != std::errc()) return std::nullopt;
    return length;
}

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
    return axisNames(axes, &Axis::isConst);
}

std::vector<std::string> Definition::varAxes() const
{
    return axisNames(axes, &Axis::isVariable);
}

Result<AxisValues> Definition::resolveAxes(const AxisValues& values) const
{
    AxisValues resolved = values;
    for (const Axis& axis : axes) {
        if (!axis.isConst()) continue;
        if (dialect == Dialect::SolExecBench) resolved.try_emplace(axis.name, *axis.value);
        else resolved[axis.name] = *axis.value;
    }
    if (auto error = ExpressionResolver(*this, resolved).resolve()) return *error;
    return resolved;
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
            if (axis == nullptr || !axis->isVariable()) continue;
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
        if (axis.isVariable() && !values.contains(axis.name)) {
            return Error{ErrorCode::InvalidInput, "no input gives a value to the variable axis '" + axis.name + "'", sourceFile,
                         0, "axes." + axis.name};
        }
    }
    if (dialect == Dialect::SolExecBench) {
        if (auto error = checkFixedDimensions(*this, shapes, values)) return *error;
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
            if (axis != nullptr && axis->isVariable()) bindings.try_emplace(axisName, input.name, dimension);
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
