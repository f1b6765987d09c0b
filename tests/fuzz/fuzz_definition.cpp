// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a definition; shapes are asked for as the runner and the tables ask.

#include "tests/fuzz/fuzz_codec.h"

using namespace tracedeck;
using tracedeck::fuzz::require;

namespace {

/// Shapes of one direction match the declared tensors, and give the axes back.
void checkShapes(const Definition& definition, const AxisValues& values)
{
    const auto inputs = definition.inputShapes(values);
    const auto outputs = definition.outputShapes(values);
    require(inputs.has_value() && outputs.has_value(), "with every axis known there are shapes");
    require(inputs->size() == definition.inputs.size() && outputs->size() == definition.outputs.size(), "one shape a tensor");
    for (std::size_t i = 0; i < inputs->size(); ++i) {
        require((*inputs)[i].has_value() != definition.inputs[i].isScalar(), "a scalar has no shape, a tensor has one");
    }
    const auto found = definition.axesFromShapes(*inputs);
    if (!found) return;   // an axis that no input uses, or one that the inputs contradict
    for (const auto& [axis, value] : *found) require(values.at(axis) == value, "shapes give back the axes that made them", axis);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const auto read = fuzz::checkReaders<Definition>(
        fuzz::textOf(data, size), [](std::string_view text, ReadMode mode) { return decodeDefinition(text, mode); }, encodeDefinition);
    if (!read) return 0;
    const Definition& definition = read->value;
    AxisValues values;
    std::int64_t next = 2;
    for (const std::string& axis : definition.varAxes()) values[axis] = next++;
    checkShapes(definition, values);
    for (const auto& [axis, place] : definition.varAxisBindings()) {
        const TensorSpec* input = definition.findInput(place.first);
        require(input != nullptr && input->shape && input->shape->at(static_cast<std::size_t>(place.second)) == axis, "a binding names the axis' place", axis);
    }
    return 0;
}
