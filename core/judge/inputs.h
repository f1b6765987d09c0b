// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/judge/device.h"
#include "core/judge/packed_keys.h"
#include "core/judge/sol_inputs.h"
#include "core/model/definition.h"
#include "core/model/index_rules.h"
#include "core/model/json.h"
#include "core/model/result.h"
#include "core/model/trace.h"

namespace tracedeck::judge {

/// One tensor as it lies in a buffer.
struct TensorLayout {
    std::string name;
    std::string dtypeName;   ///< as declared, or as a reference returned it
    DType dtype = DType::Float32;
    std::vector<std::int64_t> shape;
    std::uint64_t elements = 0;

    bool operator==(const TensorLayout&) const = default;
    [[nodiscard]] std::size_t bytes() const { return static_cast<std::size_t>(byteSize(dtype, elements)); }
};
/// Error Unsupported for a dtype that the format does not name, InvalidInput for a shape that no memory can hold.
[[nodiscard]] Result<TensorLayout> makeLayout(const TensorSpec& spec, const std::vector<std::int64_t>& shape);

class BufferSet;

/// Makes the inputs that a definition's own function draws (SOL-ExecBench dialect §4.2).
class InputGenerator {
public:
    virtual ~InputGenerator() = default;
    /// Writes those of one call into a slot of `buffers`, which were allocated for tensorInputs(plan).
    virtual Result<void> generate(const BufferSet& buffers, std::uint64_t seed, std::uint32_t call, std::size_t slot) = 0;
};

/// Where one input comes from (benchmark §1.1).
struct InputSlot {
    bool isScalar = false;
    Json scalar;                                            ///< host number, when isScalar
    TensorLayout layout;                                    ///< otherwise
    std::shared_ptr<const std::vector<std::byte>> fixed;    ///< contents of a safetensors entry; none: drawn for every call
    bool isProbabilities = false;                           ///< softmax over the last axis after drawing
    std::optional<IndexRule> indexRule;                     ///< what its integers obey
    std::optional<NamedInputRule> rule;                     ///< what SOL-ExecBench makes of it after drawing
    std::optional<KeyCacheShape> keyCache;                  ///< drawn as a validly packed cache instead
    bool isGenerated = false;                               ///< made by the definition's input function, which says whether it is a number

    /// Whether its contents are drawn anew for every call.
    [[nodiscard]] bool isFresh() const { return !isScalar && !fixed && !(rule && rule->isFixed()); }
};

/// How a workload's inputs are understood.
struct InputOptions {
    /// SOL-ExecBench's distributions by name (dialect §4.4).
    bool usesNames = false;
    /// Folders in which safetensors files are looked for (dialect §4.3); empty: below the root, by the format's own rule.
    std::vector<std::filesystem::path> blobRoots;
    /// Random integers that a kernel uses as indexes are drawn by their rules (index_rules.h), not as the format says.
    bool validIndexes = true;
};

/// What an input function made of one input.
struct GeneratedInput {
    std::string name;
    std::optional<Json> number;              ///< a host number
    std::string dtypeName;                   ///< otherwise
    std::vector<std::int64_t> shape;
};

/// The inputs of one workload, in definition order.
class InputPlan {
public:
    /// Resolves shapes and reads safetensors entries below `root`. Error: names the input and says what is wrong with it.
    static Result<InputPlan> make(const Definition& definition, const Workload& workload, const std::filesystem::path& root, std::uint64_t seed,
                                  const InputOptions& options = {});

    /// Whether some inputs come from the definition's input function.
    [[nodiscard]] bool hasGenerated() const { return std::ranges::any_of(m_entries, &InputSlot::isGenerated); }
    /// Whether it is known what these are; always true where there are none.
    [[nodiscard]] bool isResolved() const { return m_isResolved; }
    /// Takes what the input function made, in the order of the generated inputs: what it returns is what the inputs are. Gives words about
    /// each that the definition declares otherwise. Error: something that can't be run.
    Result<std::vector<std::string>> resolve(const Definition& definition, const std::vector<GeneratedInput>& made);
    void setGenerator(InputGenerator* generator) { m_generator = generator; }
    [[nodiscard]] InputGenerator* generator() const { return m_generator; }

    [[nodiscard]] const std::vector<InputSlot>& entries() const { return m_entries; }
    /// The rules by which inputs were made, in words, by input name.
    [[nodiscard]] Json indexRuleTexts() const;
    /// Share of the input bytes that is drawn anew for every call; 0 without tensors.
    [[nodiscard]] double freshShare() const;
    /// Shapes as a call sees them: none for host numbers.
    [[nodiscard]] std::vector<Shape> shapes() const;

private:
    void fixStructures(const std::vector<std::optional<IndexRule>>& rules, const std::vector<Shape>& shapes, std::uint64_t seed,
                       const std::string& workloadUuid);

    std::vector<InputSlot> m_entries;
    InputGenerator* m_generator = nullptr;
    bool m_isResolved = true;
};

/// Shared buffers for a list of tensors, in one slot or several: each slot holds the tensors of one call.
class BufferSet {
public:
    static Result<BufferSet> allocate(Device& device, const std::vector<TensorLayout>& layouts, std::size_t slotCount = 1);

    [[nodiscard]] const std::vector<TensorLayout>& layouts() const { return m_layouts; }
    [[nodiscard]] SharedBuffer& buffer(std::size_t index, std::size_t slot = 0) const { return *m_buffers[index * m_slots + slot]; }
    /// Tensors.
    [[nodiscard]] std::size_t size() const { return m_layouts.size(); }
    [[nodiscard]] std::size_t slotCount() const { return m_slots; }
    /// Every buffer, those of one tensor side by side: number i belongs to tensor i / slotCount().
    [[nodiscard]] std::vector<SharedBuffer*> all() const;
    /// Those of one tensor in `count` slots.
    [[nodiscard]] std::vector<SharedBuffer*> ofTensor(std::size_t index, std::size_t slot, std::size_t count) const;
    /// Those of one slot.
    [[nodiscard]] std::vector<SharedBuffer*> ofSlot(std::size_t slot) const;
    /// A pattern for each of the first slots.
    void poison(Device& device, std::span<const std::uint64_t> patterns) const;

private:
    std::vector<TensorLayout> m_layouts;
    std::size_t m_slots = 1;
    std::vector<std::unique_ptr<SharedBuffer>> m_buffers;
};
/// Bytes of one call's tensors together.
[[nodiscard]] std::uint64_t bytesOf(const std::vector<TensorLayout>& layouts);

/// A literal as it goes to a host; numbers that JSON lacks as text.
[[nodiscard]] Json scalarValue(const ScalarInput& input);
/// Layouts of the tensor inputs, leaving out host numbers.
[[nodiscard]] std::vector<TensorLayout> tensorInputs(const InputPlan& plan);
/// Writes the contents of `call` into a slot of `buffers`, which were allocated for tensorInputs(plan), and those of the following
/// calls into the following slots.
Result<void> fillInputs(Device& device, const InputPlan& plan, const BufferSet& buffers, std::uint64_t seed, std::uint32_t call,
                        std::size_t slot = 0, std::size_t count = 1);
/// Words of the drawn inputs of one slot to hide until its call, chosen at random; the same number in every slot.
[[nodiscard]] std::vector<HiddenWord> wordsToHide(const InputPlan& plan, const BufferSet& buffers, std::size_t slot);

/// `inputs` and `outputs` of a `load` message, and the descriptors that go with it; descriptor 0 is the page.
struct LoadParts {
    Json inputs = Json::array();
    Json outputs = Json::array();
    std::vector<int> descriptors;
};
[[nodiscard]] LoadParts describeLoad(const InputPlan& plan, const BufferSet& inputs, int pageDescriptor);
/// Adds output buffers to `parts`, with the dtypes that the definition declares.
void describeOutputs(LoadParts& parts, const BufferSet& outputs, const Definition& definition);

}  // namespace tracedeck::judge
