// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/inputs.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include <fmt/format.h>

#include "core/io/safetensors.h"
#include "core/judge/cpu/random_fill.h"
#include "core/judge/index_inputs.h"
#include "core/judge/philox.h"
#include "core/judge/system_random.h"

namespace tracedeck::judge {

namespace {

/// Call index of random host numbers, which are drawn once a workload.
constexpr std::uint32_t kScalarCall = 0xFFFFFFFFU;

Error inputError(ErrorCode code, const std::string& input, const std::string& reason)
{
    return Error{code, fmt::format("input `{}`: {}", input, reason), {}, 0, "inputs." + input};
}

std::string describeShape(const std::vector<std::int64_t>& shape)
{
    return fmt::format("[{}]", fmt::join(shape, ", "));
}

/// Opens every file once, however many inputs lie in it.
class BlobReader {
public:
    BlobReader(const std::filesystem::path& root, const std::vector<std::filesystem::path>& roots) : m_root(root), m_roots(roots) {}

    Result<std::shared_ptr<const std::vector<std::byte>>> read(const SafetensorsInput& input, const TensorLayout& layout)
    {
        auto path = m_roots.empty() ? resolveBlobPath(m_root, input.path) : findBlob(m_roots, input.path);
        if (!path) {
            return inputError(path.error().code, layout.name, path.error().toString());
        }
        if (isLfsPointer(*path)) {
            return inputError(ErrorCode::NotFound, layout.name,
                              fmt::format("{} was not downloaded: it is a Git LFS pointer. Run `git lfs pull --include \"{}\"` in the dataset folder",
                                          path->string(), input.path));
        }
        auto& file = m_files[path->string()];
        if (!file) {
            auto opened = SafetensorsFile::open(*path);
            if (!opened) {
                return inputError(opened.error().code, layout.name, opened.error().toString());
            }
            file = std::move(*opened);
        }
        const SafetensorsEntry* entry = file->find(input.tensorKey);
        if (entry == nullptr) {
            return inputError(ErrorCode::NotFound, layout.name, fmt::format("{} holds no tensor `{}`", path->string(), input.tensorKey));
        }
        if (dtypeFromSafetensors(entry->dtype) != layout.dtype) {
            return inputError(ErrorCode::InvalidInput, layout.name,
                              fmt::format("tensor `{}` in {} has dtype {}; the definition says {}", input.tensorKey, path->string(), entry->dtype,
                                          layout.dtypeName));
        }
        if (entry->shape != layout.shape) {
            return inputError(ErrorCode::InvalidInput, layout.name,
                              fmt::format("tensor `{}` in {} has shape {}; the workload's axes make it {}", input.tensorKey, path->string(),
                                          describeShape(entry->shape), describeShape(layout.shape)));
        }
        const auto data = file->data(*entry);
        if (data.size() != layout.bytes()) {
            return inputError(ErrorCode::InvalidInput, layout.name,
                              fmt::format("tensor `{}` in {} has {} bytes instead of {}", input.tensorKey, path->string(), data.size(), layout.bytes()));
        }
        return std::make_shared<const std::vector<std::byte>>(data.begin(), data.end());
    }

private:
    std::filesystem::path m_root;
    std::vector<std::filesystem::path> m_roots;
    std::map<std::string, std::shared_ptr<const SafetensorsFile>> m_files;
};

}  // namespace

Json scalarValue(const ScalarInput& input)
{
    if (const auto* integer = std::get_if<std::int64_t>(&input.value)) {
        return *integer;
    }
    if (const auto* boolean = std::get_if<bool>(&input.value)) {
        return *boolean;
    }
    const double number = std::get<double>(input.value);
    if (std::isfinite(number)) {
        return number;
    }
    // JSON has no such numbers: the hosts turn the text back into one.
    return std::isnan(number) ? "nan" : number > 0 ? "inf" : "-inf";
}

Result<TensorLayout> makeLayout(const TensorSpec& spec, const std::vector<std::int64_t>& shape)
{
    if (spec.dtype == DType::Unknown) {
        return Error{ErrorCode::Unsupported, fmt::format("`{}` has the dtype {}, which can't be run", spec.name, spec.dtypeName), {}, 0, spec.name};
    }
    TensorLayout layout{spec.name, std::string(toString(spec.dtype)), spec.dtype, shape, 1};
    for (const std::int64_t size : shape) {
        if (size < 0 || (size > 0 && layout.elements > (std::uint64_t{1} << 44) / static_cast<std::uint64_t>(size))) {
            return Error{ErrorCode::InvalidInput, fmt::format("`{}` has the impossible shape {}", spec.name, describeShape(shape)), {}, 0, spec.name};
        }
        layout.elements *= static_cast<std::uint64_t>(size);
    }
    return layout;
}

Result<InputPlan> InputPlan::make(const Definition& definition, const Workload& workload, const std::filesystem::path& root, std::uint64_t seed,
                                  const InputOptions& options)
{
    auto resolved = definition.inputShapes(workload.axes);
    if (!resolved) {
        return resolved.error();
    }
    auto rules = options.validIndexes ? indexRules(definition, workload) : std::vector<std::optional<IndexRule>>(definition.inputs.size());
    InputPlan plan;
    BlobReader blobs(root, options.blobRoots);
    for (std::size_t i = 0; i < definition.inputs.size(); ++i) {
        const TensorSpec& spec = definition.inputs[i];
        const WorkloadInput* given = workload.findInput(spec.name);
        const Shape& shape = (*resolved)[i];
        InputSlot slot;
        if (given != nullptr && std::holds_alternative<CustomInput>(*given)) {
            if (!definition.customInputsEntrypoint) {
                return inputError(ErrorCode::InvalidInput, spec.name,
                                  "the workload says that it is custom, but the definition names no function that makes it (custom_inputs_entrypoint)");
            }
            slot.isGenerated = true;
            slot.layout.name = spec.name;   // the rest is known once it was made
            plan.m_isResolved = false;
        } else if (given != nullptr && std::holds_alternative<ScalarInput>(*given)) {
            slot.isScalar = true;
            slot.scalar = scalarValue(std::get<ScalarInput>(*given));
        } else if (!shape) {
            if (given != nullptr && std::holds_alternative<SafetensorsInput>(*given)) {
                return inputError(ErrorCode::InvalidInput, spec.name, "a host scalar can't come from a safetensors file");
            }
            auto drawn = drawScalar(spec.dtype, {seed, kScalarCall, static_cast<std::uint32_t>(i)});
            if (!drawn) {
                return inputError(drawn.error().code, spec.name, drawn.error().reason);
            }
            slot.isScalar = true;
            slot.scalar = std::move(*drawn);
            if (rules[i]) {
                slot.indexRule = rules[i];
                slot.scalar = drawIndexes(*rules[i], {}, {seed, kScalarCall, static_cast<std::uint32_t>(i)}).front();
            }
        } else {
            auto layout = makeLayout(spec, *shape);
            if (!layout) {
                return layout.error();
            }
            slot.layout = std::move(*layout);
            if (given != nullptr && std::holds_alternative<SafetensorsInput>(*given)) {
                auto contents = blobs.read(std::get<SafetensorsInput>(*given), slot.layout);
                if (!contents) {
                    return contents.error();
                }
                slot.fixed = std::move(*contents);
            } else {
                slot.isProbabilities = definition.opType == "sampling" && spec.name == "probs" && !slot.layout.shape.empty();
                slot.indexRule = rules[i];
                if (options.usesNames) {
                    slot.rule = namedInputRule(spec, slot.layout.shape);
                }
                if (given != nullptr && definition.name.starts_with("dsa_topk_indexer") && spec.name == "k_index_cache_fp8") {
                    slot.keyCache = keyCacheShape(spec.dtype, slot.layout.shape);
                }
                if (auto possible = checkRandomFill(spec.dtype, slot.layout.elements, slot.layout.bytes()); !possible) {
                    return inputError(possible.error().code, spec.name, possible.error().reason);
                }
            }
        }
        slot.layout.name = spec.name;
        plan.m_entries.push_back(std::move(slot));
    }
    plan.fixStructures(rules, *resolved, seed, workload.uuid);
    return plan;
}

void InputPlan::fixStructures(const std::vector<std::optional<IndexRule>>& rules, const std::vector<Shape>& shapes, std::uint64_t seed,
                              const std::string& workloadUuid)
{
    // Not secret, and the same in every run: how long a kernel takes depends on it.
    const auto structures = makeStructures(rules, shapes, mixSeed(0, workloadUuid));
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        InputSlot& slot = m_entries[i];
        if (slot.isScalar || !slot.indexRule) {
            continue;
        }
        if (slot.indexRule->isStructure()) {
            slot.fixed = std::make_shared<const std::vector<std::byte>>(encodeIntegers(structures[i], slot.layout.dtype));
        } else if (slot.layout.elements > kMostFreshIndexes) {
            slot.fixed = std::make_shared<const std::vector<std::byte>>(encodeIntegers(
                drawIndexes(*slot.indexRule, slot.layout.shape, {seed, kScalarCall, static_cast<std::uint32_t>(i)}), slot.layout.dtype));
        }
    }
}

Json InputPlan::indexRuleTexts() const
{
    Json texts = Json::object();
    for (const InputSlot& slot : m_entries) {
        if (slot.indexRule) {
            texts[slot.layout.name] = slot.indexRule->text + (slot.fixed ? "; the same in every call" : "");
        }
    }
    return texts;
}

Result<std::vector<std::string>> InputPlan::resolve(const Definition& definition, const std::vector<GeneratedInput>& made)
{
    std::vector<std::string> words;
    std::size_t next = 0;
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        InputSlot& slot = m_entries[i];
        if (!slot.isGenerated) {
            continue;
        }
        const TensorSpec& spec = definition.inputs[i];
        if (next == made.size() || made[next].name != spec.name) {
            return inputError(ErrorCode::InvalidInput, spec.name, "the input function did not make it");
        }
        const GeneratedInput& input = made[next++];
        slot.isScalar = input.number.has_value();
        if (input.number) {
            slot.scalar = *input.number;
            slot.layout = TensorLayout{spec.name, {}, spec.dtype, {}, 0};
            if (spec.shape) {
                words.push_back(fmt::format("the input function made a number of `{}`, which is declared as a tensor", spec.name));
            }
            continue;
        }
        const auto dtype = dtypeFromString(input.dtypeName, Dialect::SolExecBench);
        if (!dtype) {
            return inputError(ErrorCode::Unsupported, spec.name, fmt::format("the input function made a tensor of dtype {}, which can't be run", input.dtypeName));
        }
        TensorSpec actual = spec;
        actual.dtype = *dtype;
        actual.dtypeName = input.dtypeName;
        auto layout = makeLayout(actual, input.shape);
        if (!layout) {
            return layout.error();
        }
        if (*dtype != spec.dtype && !(*dtype == DType::Float4E2M1FNx2 && spec.dtype == DType::Float4E2M1)) {
            words.push_back(fmt::format("the input function made `{}` in {}; {} is declared", spec.name, input.dtypeName, spec.dtypeName));
        }
        slot.layout = std::move(*layout);
    }
    m_isResolved = true;
    return words;
}

double InputPlan::freshShare() const
{
    double fresh = 0;
    double total = 0;
    for (const InputSlot& slot : m_entries) {
        if (!slot.isScalar) {
            total += static_cast<double>(slot.layout.bytes());
            fresh += slot.isFresh() ? static_cast<double>(slot.layout.bytes()) : 0.0;
        }
    }
    return total > 0 ? fresh / total : 0.0;
}

std::vector<Shape> InputPlan::shapes() const
{
    std::vector<Shape> shapes;
    for (const InputSlot& slot : m_entries) {
        shapes.push_back(slot.isScalar ? Shape{} : Shape{slot.layout.shape});
    }
    return shapes;
}

Result<BufferSet> BufferSet::allocate(Device& device, const std::vector<TensorLayout>& layouts, std::size_t slots)
{
    BufferSet set;
    set.m_layouts = layouts;
    set.m_slots = slots;
    for (const TensorLayout& layout : layouts) {
        auto buffers = device.allocateSlots(layout.bytes(), slots);
        if (!buffers) {
            Error error = buffers.error();
            error.reason = fmt::format("no memory for `{}` ({} bytes): {}", layout.name, layout.bytes(), error.reason);
            return error;
        }
        std::ranges::move(*buffers, std::back_inserter(set.m_buffers));
    }
    return set;
}

std::vector<SharedBuffer*> BufferSet::all() const
{
    std::vector<SharedBuffer*> buffers;
    for (const auto& buffer : m_buffers) {
        buffers.push_back(buffer.get());
    }
    return buffers;
}

std::vector<SharedBuffer*> BufferSet::ofSlot(std::size_t slot) const
{
    std::vector<SharedBuffer*> buffers;
    for (std::size_t i = 0; i < size(); ++i) {
        buffers.push_back(&buffer(i, slot));
    }
    return buffers;
}

std::vector<SharedBuffer*> BufferSet::ofTensor(std::size_t index, std::size_t slot, std::size_t count) const
{
    std::vector<SharedBuffer*> buffers;
    for (std::size_t i = 0; i < count; ++i) {
        buffers.push_back(&buffer(index, slot + i));
    }
    return buffers;
}

void BufferSet::poison(Device& device, std::span<const std::uint64_t> patterns) const
{
    for (std::size_t i = 0; i < size(); ++i) {
        device.poison(ofTensor(i, 0, patterns.size()), m_layouts[i].dtype, patterns);
    }
}

std::uint64_t bytesOf(const std::vector<TensorLayout>& layouts)
{
    std::uint64_t bytes = 0;
    for (const TensorLayout& layout : layouts) {
        bytes += layout.bytes();
    }
    return bytes;
}

std::vector<TensorLayout> tensorInputs(const InputPlan& plan)
{
    std::vector<TensorLayout> layouts;
    for (const InputSlot& slot : plan.entries()) {
        if (!slot.isScalar) {
            layouts.push_back(slot.layout);
        }
    }
    return layouts;
}

Result<void> fillInputs(Device& device, const InputPlan& plan, const BufferSet& buffers, std::uint64_t seed, std::uint32_t call, std::size_t place,
                        std::size_t count)
{
    std::size_t index = 0;
    for (std::size_t i = 0; i < plan.entries().size(); ++i) {
        const InputSlot& slot = plan.entries()[i];
        if (slot.isScalar) {
            continue;
        }
        const std::vector<SharedBuffer*> places = buffers.ofTensor(index++, place, count);
        Result<void> filled;
        const bool isDrawn = !slot.fixed && !slot.isGenerated && !slot.keyCache && !slot.indexRule;
        if (isDrawn) {
            filled = device.fillRandom(places, slot.layout.dtype, slot.layout.elements, {seed, call, static_cast<std::uint32_t>(i)});
        }
        std::uint32_t ofPlace = call;
        for (SharedBuffer* buffer : places) {
            const ContentKey key{seed, ofPlace++, static_cast<std::uint32_t>(i)};
            if (filled && slot.fixed) {
                filled = device.upload(*buffer, *slot.fixed);
            } else if (filled && slot.indexRule) {
                filled = device.upload(*buffer, encodeIntegers(drawIndexes(*slot.indexRule, slot.layout.shape, key), slot.layout.dtype));
            } else if (filled && slot.keyCache) {
                filled = device.upload(*buffer, randomKeyCache(*slot.keyCache, key));
            } else if (filled && isDrawn && slot.rule) {
                filled = applyNamedRule(device, *buffer, slot.layout.dtype, slot.layout.shape, *slot.rule);
            } else if (filled && slot.isProbabilities && slot.layout.elements > 0) {
                const auto columns = static_cast<std::uint64_t>(slot.layout.shape.back());
                filled = device.softmaxRows(*buffer, slot.layout.dtype, slot.layout.elements / columns, columns);
            }
        }
        if (!filled) {
            return inputError(filled.error().code, slot.layout.name, filled.error().reason);
        }
    }
    for (std::size_t i = 0; plan.hasGenerated() && i < count; ++i) {
        if (auto made = plan.generator()->generate(buffers, seed, call + static_cast<std::uint32_t>(i), place + i); !made) {
            return made;
        }
    }
    return {};
}

std::vector<HiddenWord> wordsToHide(const InputPlan& plan, const BufferSet& buffers, std::size_t slot)
{
    constexpr std::size_t kWordsOfTensor = 4;
    constexpr std::size_t kMostWords = 16;
    std::vector<HiddenWord> words;
    std::size_t index = 0;
    for (const InputSlot& input : plan.entries()) {
        if (input.isScalar) {
            continue;
        }
        SharedBuffer& buffer = buffers.buffer(index++, slot);
        const std::uint64_t count = input.layout.bytes() / sizeof(std::uint32_t);
        for (std::size_t i = 0; input.isFresh() && count > 1 && i < kWordsOfTensor && words.size() < kMostWords; ++i) {
            words.push_back({&buffer, systemRandom() % count, systemRandom() % count});
        }
    }
    return words;
}

namespace {

/// One tensor, in all its slots.
Json describeBuffer(const BufferSet& buffers, std::size_t index, std::vector<int>& descriptors)
{
    const TensorLayout& layout = buffers.layouts()[index];
    const SharedBuffer& buffer = buffers.buffer(index);
    descriptors.push_back(buffer.descriptor());
    Json offsets = Json::array();
    for (std::size_t slot = 0; slot < buffers.slotCount(); ++slot) {
        offsets.push_back(buffers.buffer(index, slot).dataOffset());
    }
    return {{"name", layout.name},
            {"dtype", std::string(toString(layout.dtype))},   // of the buffer
            {"result_dtype", layout.dtypeName},               // of the tensor, where a result is copied into it
            {"shape", layout.shape},
            {"fd", descriptors.size() - 1},
            {"bytes", buffer.bytes()},
            {"block", buffer.blockBytes()},
            {"offsets", std::move(offsets)}};
}

}  // namespace

LoadParts describeLoad(const InputPlan& plan, const BufferSet& inputs, int pageDescriptor)
{
    LoadParts parts;
    parts.descriptors.push_back(pageDescriptor);
    std::size_t index = 0;
    for (const InputSlot& slot : plan.entries()) {
        if (slot.isScalar) {
            parts.inputs.push_back({{"name", slot.layout.name}, {"shape", nullptr}, {"value", slot.scalar}});
        } else {
            parts.inputs.push_back(describeBuffer(inputs, index++, parts.descriptors));
        }
    }
    return parts;
}

void describeOutputs(LoadParts& parts, const BufferSet& outputs, const Definition& definition)
{
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        Json described = describeBuffer(outputs, i, parts.descriptors);
        described["declared"] = std::string(toString(definition.outputs[i].dtype));
        parts.outputs.push_back(std::move(described));
    }
}

}  // namespace tracedeck::judge
