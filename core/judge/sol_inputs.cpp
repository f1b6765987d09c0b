// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/sol_inputs.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <string>
#include <string_view>

#include "core/judge/number_formats.h"

namespace tracedeck::judge {

namespace {

using MapKind = NormalMap::Kind;

std::string_view withoutDigits(std::string_view name)
{
    while (!name.empty() && name.back() >= '0' && name.back() <= '9') {
        name.remove_suffix(1);
    }
    return name;
}

template <std::size_t count>
bool isOneOf(std::string_view name, const std::array<std::string_view, count>& names)
{
    return std::ranges::find(names, name) != names.end();
}

template <std::size_t count>
bool endsWithOneOf(std::string_view name, const std::array<std::string_view, count>& endings)
{
    return std::ranges::any_of(endings, [name](std::string_view ending) { return name.ends_with(ending); });
}

template <std::size_t count>
bool mentionsOneOf(std::string_view text, const std::array<std::string_view, count>& parts)
{
    return std::ranges::any_of(parts, [text](std::string_view part) { return text.find(part) != std::string_view::npos; });
}

/// `norm_weight`, `post_norm2_weight`, `rmsnorm_weight`: rules 1 and 2, for `what` "weight" and "bias".
bool isOfNorm(std::string_view name, std::string_view what)
{
    const std::string ending = "_" + std::string(what);
    if (!name.ends_with(ending)) {
        return false;
    }
    const std::string_view before = name.substr(0, name.size() - ending.size());
    return before == "norm" || before.ends_with("_norm") || before.ends_with("layernorm") || withoutDigits(before).ends_with("norm");
}

bool isVariance(std::string_view name)
{
    constexpr std::array<std::string_view, 4> kNames{"rstd", "std", "variance", "var"};
    constexpr std::array<std::string_view, 4> kEndings{"_rstd", "_std", "_variance", "_var"};
    constexpr std::array<std::string_view, 3> kEndingsBeforeDigits{"_rstd", "_std", "_var"};
    return isOneOf(name, kNames) || endsWithOneOf(name, kEndings) || isOneOf(withoutDigits(name), kNames) ||
           endsWithOneOf(withoutDigits(name), kEndingsBeforeDigits);
}

bool isWeight(std::string_view name)
{
    constexpr std::array<std::string_view, 7> kEndings{"_weight", "_weights", "_proj", "_projs", "_proj_weight", "_proj_weights", "_weight_matrix"};
    const std::string_view plain = withoutDigits(name);
    return name == "weight" || plain == "weight" || endsWithOneOf(name, kEndings) || endsWithOneOf(plain, kEndings);
}

float lowestOf(DType dtype)
{
    constexpr float kLowestFloat16 = -65504.0F;
    constexpr float kLowestBFloat16 = -3.38953139e38F;
    constexpr float kLowestFloat32 = -3.40282347e38F;
    return dtype == DType::Float16 ? kLowestFloat16 : dtype == DType::BFloat16 ? kLowestBFloat16 : kLowestFloat32;
}

NamedInputRule mapped(int number, NormalMap map)
{
    return {number, map, false, false};
}

}  // namespace

std::optional<NamedInputRule> namedInputRule(const TensorSpec& input, const std::vector<std::int64_t>& shape)
{
    constexpr std::array<std::string_view, 5> kMasks{"x_mask", "text_mask", "aspect_ratio_mask", "drop_mask", "attention_mask"};
    constexpr std::array<std::string_view, 5> kMaskWords{"binary", "{0, 1}", "0 or 1", "1.0 for valid", "0.0 for masked"};
    constexpr std::array<std::string_view, 3> kCosines{"cos", "cos_cached", "rope_cos"};
    constexpr std::array<std::string_view, 3> kSines{"sin", "sin_cached", "rope_sin"};
    constexpr std::array<std::string_view, 3> kProbabilities{"attn_weights", "attention_weights", "routing_weights"};
    if (input.dtype != DType::Float32 && input.dtype != DType::Float16 && input.dtype != DType::BFloat16) {
        return std::nullopt;
    }
    const std::string_view name = input.name;
    std::string description = input.description.value_or("");
    std::ranges::transform(description, description.begin(), [](unsigned char character) { return static_cast<char>(std::tolower(character)); });
    const auto says = [&description](std::string_view part) { return description.find(part) != std::string::npos; };
    const std::size_t rank = shape.size();
    if (isOfNorm(name, "weight")) {
        return mapped(1, {MapKind::Constant, 1.0F});
    }
    if (isOfNorm(name, "bias")) {
        return mapped(2, {MapKind::Constant, 0.0F});
    }
    const bool isSquare = rank >= 2 && shape[rank - 1] == shape[rank - 2] && shape[rank - 1] > 0;
    if (isSquare && (name == "attention_mask" || name == "causal_mask" || (says("attention mask") && says("causal")))) {
        return mapped(3, {MapKind::CausalMask, lowestOf(input.dtype), 0, static_cast<std::uint64_t>(shape[rank - 1])});
    }
    if (isOneOf(name, kMasks) || (name.ends_with("_mask") && mentionsOneOf(description, kMaskWords))) {
        return mapped(4, {MapKind::Coin});
    }
    if (isOneOf(name, kCosines)) {
        return mapped(5, {MapKind::Cosine});
    }
    if (isOneOf(name, kSines)) {
        return mapped(5, {MapKind::Sine});
    }
    if (isVariance(name)) {
        return mapped(6, {MapKind::Magnitude, 0.1F});
    }
    if (name == "A") {
        return mapped(7, {MapKind::Uniform, -1.0F, -0.001F});
    }
    if (name == "A_log") {
        return mapped(7, {MapKind::Uniform, -5.0F, -1.0F});
    }
    if (name == "g") {
        return mapped(7, {MapKind::Uniform, -5.0F, 0.0F});
    }
    if (name == "A_cumsum") {
        return NamedInputRule{7, NormalMap{MapKind::Uniform, -0.1F, 0.0F}, false, true};
    }
    if (isOneOf(name, kProbabilities) || (says("softmax") && says("output"))) {
        return NamedInputRule{8, std::nullopt, true, false};
    }
    if (rank >= 2 && isWeight(name) && shape[rank - 1] > 0) {
        return mapped(9, {MapKind::Scaled, static_cast<float>(1.0 / std::sqrt(static_cast<double>(shape[rank - 1])))});
    }
    return std::nullopt;
}

Result<void> applyNamedRule(Device& device, SharedBuffer& buffer, DType dtype, const std::vector<std::int64_t>& shape, const NamedInputRule& rule)
{
    const std::uint64_t elements = elementCount(shape);
    if (elements == 0) {
        return {};
    }
    if (rule.map) {
        if (auto done = device.mapNormals(buffer, dtype, elements, *rule.map); !done) {
            return done;
        }
    }
    const std::uint64_t columns = shape.empty() ? 1 : static_cast<std::uint64_t>(shape.back());
    if (rule.isSoftmax) {
        return device.softmaxRows(buffer, dtype, elements / columns, columns);
    }
    if (rule.isRunningSum) {
        // Rare and small: done here, whatever the device.
        std::vector<std::byte> data = device.download(buffer, buffer.bytes());
        std::vector<float> row(static_cast<std::size_t>(columns));
        for (std::uint64_t first = 0; first < elements; first += columns) {
            decodeToFloat(dtype, data, static_cast<std::size_t>(first), row);
            double sum = 0;
            for (float& value : row) {
                sum += static_cast<double>(value);
                value = static_cast<float>(sum);
            }
            encodeFromFloat(dtype, row, static_cast<std::size_t>(first), data);
        }
        return device.upload(buffer, data);
    }
    return {};
}

}  // namespace tracedeck::judge
