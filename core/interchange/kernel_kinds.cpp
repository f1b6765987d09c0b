// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/kernel_kinds.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <random>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/model/sha1.h"

namespace tracedeck {

namespace {

constexpr std::uint32_t kParts = 256;   ///< numbers k/256 are the same in float32, float16 and bfloat16

Error usage(std::string reason, std::string field = {}) { return {ErrorCode::Usage, std::move(reason), {}, 0, std::move(field)}; }

TensorSpec tensorSpec(const KindTensor& tensor, const std::string& dtype)
{
    TensorSpec spec;
    spec.name = tensor.name;
    spec.shape.emplace(tensor.shape.begin(), tensor.shape.end());
    spec.dtypeName = *tensor.dtype != '\0' ? tensor.dtype : dtype;
    spec.dtype = dtypeFromString(spec.dtypeName).value_or(DType::Unknown);
    if (*tensor.description != '\0') spec.description = tensor.description;
    return spec;
}

/// Appends a number that all three dtypes have exactly.
void appendFraction(std::vector<std::byte>& bytes, DType dtype, double value)
{
    const auto append = [&bytes](auto bits) {
        for (std::size_t i = 0; i < sizeof bits; ++i) bytes.push_back(static_cast<std::byte>(bits >> (8 * i)));   // little-endian, as the file is
    };
    const auto wide = std::bit_cast<std::uint32_t>(static_cast<float>(value));
    constexpr std::uint32_t kHalfBias = 112U << 10U;   // float32's exponent bias is 112 greater than float16's
    if (dtype == DType::Float32) append(wide);
    else if (dtype == DType::BFloat16) append(static_cast<std::uint16_t>(wide >> 16U));
    else append(static_cast<std::uint16_t>(value == 0 ? 0U : (wide >> 13U) - kHalfBias));
}

void appendInteger(std::vector<std::byte>& bytes, std::int64_t value)
{
    for (unsigned i = 0; i < sizeof value; ++i) bytes.push_back(static_cast<std::byte>(static_cast<std::uint64_t>(value) >> (8 * i)));
}

/// Fills inputs with numbers of one generator. Its numbers are the same on every machine, unlike those of std::uniform_int_distribution.
class ContentMaker {
public:
    ContentMaker(const Definition& definition, const AxisValues& axes, std::uint64_t seed, std::uint64_t mostBytes) : m_definition(definition), m_axes(axes), m_dice(seed), m_bytesLeft(mostBytes) {}

    [[nodiscard]] Result<std::vector<KindContent>> make(const KernelKind& kind, const SpatialShapes& shapes)
    {
        if (std::string_view(kind.name) == "openai_moe") {
            if (auto made = integers("router_indices", [this] { return below(static_cast<std::uint64_t>(m_axes.at("num_experts"))); }); !made) return made.error();
            if (auto made = shares("routing_weights", static_cast<std::size_t>(m_axes.at("num_experts"))); !made) return made.error();
        } else if (std::string_view(kind.name) == "deformable_detr") {
            std::vector<std::int64_t> sizes;
            std::vector<std::int64_t> starts{0};
            for (const auto& [height, width] : shapes) {
                sizes.insert(sizes.end(), {height, width});
                starts.push_back(starts.back() + height * width);
            }
            std::size_t at = 0;
            if (auto made = integers("spatial_shapes", [&] { return sizes[at++]; }); !made) return made.error();
            at = 0;
            if (auto made = integers("level_start_index", [&] { return starts[at++]; }); !made) return made.error();
            if (auto made = fractions("sampling_locations"); !made) return made.error();
            if (auto made = shares("attention_weights", static_cast<std::size_t>(m_axes.at("num_points"))); !made) return made.error();
        }
        return std::move(m_contents);
    }

private:
    std::int64_t below(std::uint64_t count) { return static_cast<std::int64_t>(m_dice() % count); }

    Result<KindContent*> begin(const char* input)
    {
        const TensorSpec* spec = m_definition.findInput(input);
        KindContent content{input, spec->dtype, {}, {}};
        std::uint64_t elements = 1;
        for (const std::string& axis : *spec->shape) {
            const Axis* known = m_definition.findAxis(axis);
            content.shape.push_back(known->isConst() ? *known->value : m_axes.at(axis));
            const auto length = static_cast<std::uint64_t>(content.shape.back());
            constexpr std::uint64_t kElementBytes = 8;   // of the largest dtype
            if (length > m_bytesLeft / kElementBytes / elements) return usage(fmt::format("the contents of '{}', which are stored in a file, would be too large", input), input);
            elements *= length;
        }
        m_bytesLeft -= elements * 8;
        m_contents.push_back(std::move(content));
        return &m_contents.back();
    }

    template <class Next>
    Result<void> integers(const char* input, Next next)
    {
        auto content = begin(input);
        if (!content) return content.error();
        for (std::uint64_t left = elementCount((*content)->shape); left > 0; --left) appendInteger((*content)->bytes, next());
        return {};
    }

    Result<void> fractions(const char* input)
    {
        auto content = begin(input);
        if (!content) return content.error();
        for (std::uint64_t left = elementCount((*content)->shape); left > 0; --left) {
            appendFraction((*content)->bytes, (*content)->dtype, static_cast<double>(below(kParts)) / kParts);
        }
        return {};
    }

    /// Rows of the last axis add up to 1: `kParts` are dealt out.
    Result<void> shares(const char* input, std::size_t count)
    {
        auto content = begin(input);
        if (!content) return content.error();
        std::vector<std::uint32_t> dealt(count);
        for (std::uint64_t rows = elementCount((*content)->shape) / count; rows > 0; --rows) {
            std::fill(dealt.begin(), dealt.end(), 0U);
            for (std::uint32_t part = 0; part < kParts; ++part) ++dealt[static_cast<std::size_t>(below(count))];
            for (const std::uint32_t share : dealt) appendFraction((*content)->bytes, (*content)->dtype, static_cast<double>(share) / kParts);
        }
        return {};
    }

    const Definition& m_definition;
    const AxisValues& m_axes;
    std::mt19937_64 m_dice;
    std::uint64_t m_bytesLeft;
    std::vector<KindContent> m_contents;
};

/// Sets the levels of a feature pyramid, and the axis that they decide.
Result<void> fitPyramid(AxisValues& axes, SpatialShapes& shapes)
{
    constexpr std::int64_t kFirstSide = 32;
    constexpr std::int64_t kMostLevels = 6;
    const std::int64_t levels = axes.at("num_levels");
    if (shapes.empty()) {
        if (levels > kMostLevels) return usage(fmt::format("a pyramid that begins with 32×32 has at most {} levels", kMostLevels), "num_levels");
        for (std::int64_t level = 0; level < levels; ++level) shapes.emplace_back(kFirstSide >> level, kFirstSide >> level);
    }
    if (static_cast<std::int64_t>(shapes.size()) != levels) return usage(fmt::format("{} levels have {} shapes", levels, shapes.size()), "spatial_shapes");
    constexpr std::int64_t kLongestSide = std::int64_t{1} << 20U;
    std::int64_t values = 0;
    for (const auto& [height, width] : shapes) {
        if (height < 1 || width < 1 || height > kLongestSide || width > kLongestSide) return usage("a level is at least 1×1", "spatial_shapes");
        values += height * width;
    }
    if (const auto given = axes.find("num_values"); given != axes.end() && given->second != values) {
        return usage(fmt::format("the levels have {} values together", values), "num_values");
    }
    axes["num_values"] = values;
    return {};
}

/// Sets the axes that follow from others, and checks those that are given.
Result<void> completeAxes(const KernelKind& kind, AxisValues& axes)
{
    for (const KindAxis& axis : kind.axes) {
        if (*axis.formula == '\0') continue;
        const auto expression = AxisExpression::parse(axis.formula);
        const auto value = expression ? expression->evaluate(axes) : Result<std::int64_t>(expression.error());
        if (!value) return usage(fmt::format("{} = {}: {}", axis.name, axis.formula, value.error().reason), axis.name);
        const auto [place, isNew] = axes.emplace(axis.name, *value);
        // Rotating fewer elements than half a head is a choice; the other formulas are what the shapes mean.
        const bool mayDiffer = std::string_view(axis.name) == "rotary_dim" && place->second > 0 && 2 * place->second <= axes.at("head_dim");
        if (!isNew && place->second != *value && !mayDiffer) return usage(fmt::format("{} is {} = {}", axis.name, axis.formula, *value), axis.name);
        if (place->second < 1) return usage(fmt::format("{} = {} comes to {}; choose greater axes", axis.name, axis.formula, *value), axis.name);
    }
    if (std::string_view(kind.name) == "deformable_detr" && axes.at("embed_dim") % axes.at("num_heads") != 0) return usage("embed_dim must be a multiple of num_heads", "embed_dim");
    if (std::string_view(kind.name) == "openai_moe" && axes.at("expert_dim") % 2 != 0) return usage("expert_dim must be even: gate and up alternate", "expert_dim");
    return {};
}

}  // namespace

std::string uuidOfText(std::string_view text)
{
    std::string hex = sha1Hex(text).substr(0, 32);
    hex[12] = '5';   // the form of a version 5 UUID, which is made from a SHA-1
    hex[16] = "89ab"[static_cast<unsigned char>(hex[16]) % 4];
    return fmt::format("{}-{}-{}-{}-{}", hex.substr(0, 8), hex.substr(8, 4), hex.substr(12, 4), hex.substr(16, 4), hex.substr(20));
}

Result<Definition> kindDefinition(const KernelKind& kind, const std::string& dtype)
{
    if (dtype != "float32" && dtype != "float16" && dtype != "bfloat16") return usage(fmt::format("'{}' is no dtype of a kernel kind; there are float32, float16 and bfloat16", dtype), "dtype");
    Definition definition;
    definition.name = fmt::format("{}_{}", kind.name, dtype);
    definition.opType = kind.name;
    definition.description = kind.description;
    definition.reference = kind.reference;
    definition.tags = {"kernel_kind:" + std::string(kind.name)};
    for (const KindAxis& axis : kind.axes) {
        Axis made;
        made.name = axis.name;
        if (axis.constant >= 0) made.value = axis.constant;
        if (*axis.formula != '\0') {
            made.description = axis.formula;
            if (made.name != "rotary_dim") definition.constraints.push_back(fmt::format("{} == {}", axis.name, axis.formula));
        }
        definition.axes.push_back(std::move(made));
    }
    for (const KindTensor& input : kind.inputs) definition.inputs.push_back(tensorSpec(input, dtype));
    for (const KindTensor& output : kind.outputs) definition.outputs.push_back(tensorSpec(output, dtype));
    return definition;
}

std::vector<AxisValues> kindGrid(const KernelKind& kind, KindSet set)
{
    std::vector<AxisValues> grid{{}};
    for (const auto& [axis, sizes] : set == KindSet::Gpu ? kind.gpuSizes : kind.cpuSizes) {
        std::vector<AxisValues> next;
        for (const AxisValues& values : grid) {
            for (const std::int64_t size : sizes) {
                next.push_back(values);
                next.back()[axis] = size;
            }
        }
        grid = std::move(next);
    }
    return grid;
}

Result<KindWorkload> kindWorkload(const KernelKind& kind, const Definition& definition, AxisValues chosen, SpatialShapes shapes, std::uint64_t mostBytes)
{
    constexpr std::int64_t kGreatest = std::int64_t{1} << 40U;   // far beyond any memory, and products of two fit in 64 bits
    std::set<std::string> known;
    for (const KindAxis& axis : kind.axes) {
        if (axis.constant >= 0) continue;
        known.insert(axis.name);
        const bool isDerived = *axis.formula != '\0' || std::string_view(axis.name) == "num_values";
        const auto given = chosen.find(axis.name);
        if (given == chosen.end() && !isDerived) return usage(fmt::format("the axis '{}' has no value", axis.name), axis.name);
        if (given != chosen.end() && (given->second < 1 || given->second > kGreatest)) return usage(fmt::format("{} is not positive, or too great", given->second), axis.name);
    }
    for (const auto& [axis, value] : chosen) {
        if (!known.contains(axis)) return usage(fmt::format("'{}' is no axis of {}; there are {}", axis, kind.name, fmt::join(known, ", ")), axis);
    }
    if (std::string_view(kind.name) == "deformable_detr") {
        if (auto fitted = fitPyramid(chosen, shapes); !fitted) return fitted.error();
    }
    if (auto completed = completeAxes(kind, chosen); !completed) return completed.error();

    KindWorkload made;
    std::string identity = definition.name;
    for (const KindAxis& axis : kind.axes) {
        if (axis.constant >= 0) continue;
        made.workload.axes[axis.name] = chosen.at(axis.name);
        made.workload.axisOrder.emplace_back(axis.name);
        identity += fmt::format(";{}={}", axis.name, chosen.at(axis.name));
    }
    for (const auto& [height, width] : shapes) identity += fmt::format(";{}x{}", height, width);
    made.workload.uuid = uuidOfText(identity);
    const std::string blob = fmt::format("blob/workloads/{0}/{1}/{1}_{2}.safetensors", definition.opType, definition.name, made.workload.uuid);
    for (const KindTensor& input : kind.inputs) {
        if (input.isStored) made.blob = blob;
        made.workload.inputs.emplace_back(input.name, input.isStored ? WorkloadInput(SafetensorsInput{blob, input.name}) : WorkloadInput(RandomInput{}));
    }
    if (mostBytes == 0) return made;
    constexpr std::uint64_t kSeed = 20251101;
    auto contents = ContentMaker(definition, chosen, kSeed, mostBytes).make(kind, shapes);
    if (!contents) return contents.error();
    made.contents = *std::move(contents);
    return made;
}

}  // namespace tracedeck
