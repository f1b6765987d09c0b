// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/score/work_estimate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tracedeck {

namespace {

bool isIndexType(DType dtype)
{
    return dtype == DType::Int32 || dtype == DType::Int64;
}

double bytesOfShape(DType dtype, const std::vector<std::int64_t>& shape)
{
    double elements = 1;
    for (const std::int64_t size : shape) elements *= static_cast<double>(size);
    return elements * static_cast<double>(byteSize(dtype, 8)) / 8;   // packed formats have less than a byte
}

/// Query and key lengths of one sequence.
struct SequenceLengths {
    double queries = 0;
    double keys = 0;
};

/// Pairs of a query with a key that it sees when later keys are masked and the last query sees all keys.
double causalPairs(const SequenceLengths& lengths)
{
    const auto [queries, keys] = lengths;
    if (keys < queries) return keys * (keys + 1) / 2;
    return queries * keys - queries * (queries - 1) / 2;
}

/// Makes the estimate of one definition with resolved shapes.
class Estimator {
public:
    Estimator(const Definition& definition, AxisValues axes, std::vector<Shape> inputs, std::vector<Shape> outputs, const WorkFacts& facts)
        : m_definition(definition), m_axes(std::move(axes)), m_inputs(std::move(inputs)), m_outputs(std::move(outputs)), m_facts(facts)
    {
    }

    WorkEstimate make()
    {
        addOutputs();
        const std::string& opType = m_definition.opType;
        if (opType.starts_with("gemm") || opType == "batched_gemm" || opType == "bmm") matrixProduct();
        else if (opType.starts_with("gqa") || opType.starts_with("mla") || opType.starts_with("mha")) attention();
        else if (opType.starts_with("moe")) experts();
        else if (opType.starts_with("rmsnorm") || opType.starts_with("layernorm") || opType == "activation") allInputs();
        else if (opType.starts_with("rope")) rotation();
        else unknown();
        return std::move(m_work);
    }

private:
    [[nodiscard]] double axis(std::string_view name) const
    {
        const auto found = m_axes.find(std::string(name));
        return found == m_axes.end() ? 0 : static_cast<double>(found->second);
    }
    [[nodiscard]] bool hasAxis(std::string_view name) const { return m_axes.contains(std::string(name)); }
    [[nodiscard]] double bytesOfInput(std::size_t index) const
    {
        return m_inputs[index] ? bytesOfShape(m_definition.inputs[index].dtype, *m_inputs[index]) : 0;
    }
    [[nodiscard]] const std::vector<std::string>* axesOfInput(std::size_t index) const
    {
        const auto& shape = m_definition.inputs[index].shape;
        return shape ? &*shape : nullptr;
    }
    [[nodiscard]] bool uses(std::size_t input, std::string_view name) const
    {
        const auto* axes = axesOfInput(input);
        return axes != nullptr && std::find(axes->begin(), axes->end(), name) != axes->end();
    }
    void addOutputs()
    {
        for (std::size_t i = 0; i < m_outputs.size(); ++i) {
            if (m_outputs[i]) m_work.outputBytes += bytesOfShape(m_definition.outputs[i].dtype, *m_outputs[i]);
        }
    }
    void count(std::size_t input, bool isNeeded)
    {
        const double bytes = bytesOfInput(input);
        m_work.inputBytes += bytes;
        if (isNeeded) m_work.neededInputBytes += bytes;
        if (!isNeeded && bytes > 0) m_work.isUpperEstimate = true;
    }

    void allInputs()
    {
        for (std::size_t i = 0; i < m_inputs.size(); ++i) count(i, true);
    }
    void unknown()
    {
        for (std::size_t i = 0; i < m_inputs.size(); ++i) count(i, false);
    }
    /// What is looked up by position need not be read in full.
    void rotation()
    {
        for (std::size_t i = 0; i < m_inputs.size(); ++i) count(i, !uses(i, "max_seq_len") && !uses(i, "max_position"));
    }

    /// C = A · B in any layout: every axis of A and B once, those that both share in a product too.
    void matrixProduct()
    {
        std::vector<std::size_t> factors;
        for (std::size_t i = 0; i < m_inputs.size(); ++i) {
            count(i, !isIndexType(m_definition.inputs[i].dtype));
            if (m_inputs[i] && m_inputs[i]->size() >= 2 && !isIndexType(m_definition.inputs[i].dtype)) factors.push_back(i);
        }
        std::stable_sort(factors.begin(), factors.end(), [this](std::size_t a, std::size_t b) { return bytesOfInput(a) > bytesOfInput(b); });
        const bool hasIndexes = std::any_of(m_definition.inputs.begin(), m_definition.inputs.end(), [](const TensorSpec& input) { return isIndexType(input.dtype); });
        if (factors.size() < 2 || m_outputs.size() != 1 || hasIndexes) return;   // grouped: sizes lie in the contents
        std::vector<std::string> product;
        for (const std::size_t factor : {factors[0], factors[1]}) {
            for (const std::string& name : *axesOfInput(factor)) {
                if (std::find(product.begin(), product.end(), name) == product.end()) product.push_back(name);
            }
        }
        // Each axis of the result must come from a factor, or this is another kind of product.
        for (const std::string& name : m_definition.outputs.front().shape.value_or(std::vector<std::string>{})) {
            if (std::find(product.begin(), product.end(), name) == product.end()) return;
        }
        double operations = 2;
        for (const std::string& name : product) operations *= isLiteralLength(name) ? static_cast<double>(literalLength(name).value_or(0)) : axis(name);
        std::sort(product.begin(), product.end());
        m_work.operations = operations;
        m_work.operand = m_definition.inputs[factors[0]].dtype;
        m_work.formula = fmt::format("2 * {}", fmt::join(product, " * "));
    }

    [[nodiscard]] const std::vector<std::int64_t>* contents(const std::string& name) const
    {
        const auto found = m_facts.integers.find(name);
        return found == m_facts.integers.end() ? nullptr : &found->second;
    }
    /// Lengths of all sequences; nothing when they lie in contents that are not known.
    [[nodiscard]] std::optional<std::vector<SequenceLengths>> sequences() const
    {
        const auto* keyOffsets = contents("kv_indptr");
        const auto* queryOffsets = contents("qo_indptr");
        const auto* lastPages = contents("kv_last_page_len");
        const bool isPaged = hasAxis("num_kv_indices");
        const double pageSize = isPaged && hasAxis("page_size") ? axis("page_size") : 1;
        const double totalKeys = isPaged ? axis("num_kv_indices") * pageSize : axis("total_kv");
        const bool hasQueryOffsets = m_definition.findInput("qo_indptr") != nullptr;
        const double count = hasAxis("len_indptr") ? axis("len_indptr") - 1 : axis("batch_size");
        if (!hasQueryOffsets && pageSize == 1) {
            return std::vector<SequenceLengths>{{1, totalKeys}};   // one query a sequence: only the sum matters
        }
        if (hasQueryOffsets && count == 1 && pageSize == 1) return std::vector<SequenceLengths>{{axis("total_q"), totalKeys}};
        if (keyOffsets == nullptr || (hasQueryOffsets && queryOffsets == nullptr) || (pageSize > 1 && lastPages == nullptr)) return std::nullopt;
        std::vector<SequenceLengths> lengths;
        for (std::size_t i = 0; i + 1 < keyOffsets->size(); ++i) {
            if ((hasQueryOffsets && i + 1 >= queryOffsets->size()) || (pageSize > 1 && i >= lastPages->size())) return std::nullopt;
            const double pages = static_cast<double>((*keyOffsets)[i + 1] - (*keyOffsets)[i]);
            const double keys = pageSize > 1 ? (pages > 0 ? (pages - 1) * pageSize + static_cast<double>((*lastPages)[i]) : 0) : pages;
            const double queries = hasQueryOffsets ? static_cast<double>((*queryOffsets)[i + 1] - (*queryOffsets)[i]) : 1;
            if (keys < 0 || queries < 0) return std::nullopt;   // not offsets
            lengths.push_back({queries, keys});
        }
        return lengths;
    }

    void attention()
    {
        const auto lengths = sequences();
        double keys = 0;
        double pairs = 0;
        const bool isCausal = m_definition.name.find("causal") != std::string::npos;
        for (const SequenceLengths& sequence : lengths.value_or(std::vector<SequenceLengths>{})) {
            keys += sequence.keys;
            pairs += isCausal ? causalPairs(sequence) : sequence.queries * sequence.keys;
        }
        double dimensions = 0;      // of one product of a query with a key
        double values = m_definition.outputs.empty() || !m_outputs.front() || m_outputs.front()->empty() ? 0 : static_cast<double>(m_outputs.front()->back());
        for (std::size_t i = 0; i < m_inputs.size(); ++i) {
            const TensorSpec& input = m_definition.inputs[i];
            const bool isCache = uses(i, "num_pages");
            if (isCache && lengths && m_inputs[i]->front() > 0) {
                // Of the cache, the tokens that the tables lead to.
                const double ofToken = bytesOfInput(i) / static_cast<double>(m_inputs[i]->front()) / std::max(1.0, hasAxis("page_size") ? axis("page_size") : 1);
                m_work.inputBytes += keys * ofToken;
                if (m_facts.pagesAreDistinct) m_work.neededInputBytes += keys * ofToken;
                else m_work.isUpperEstimate = true;
            } else {
                // Keys that no query sees need not be read: only where each sequence has a query are they all needed.
                count(i, !isCache && !uses(i, "total_kv"));
            }
            if (input.name.starts_with("q") && m_inputs[i] && m_inputs[i]->size() == 3 && !isIndexType(input.dtype)) {
                dimensions += static_cast<double>(m_inputs[i]->back());
                m_work.operand = input.dtype;
            }
        }
        const double heads = axis("num_qo_heads");
        if (!lengths || heads <= 0 || dimensions <= 0 || values <= 0) return;
        m_work.operations = 2 * heads * pairs * (dimensions + values);
        m_work.formula = fmt::format("2 * num_qo_heads * {:.0f} pairs of query and key * ({:.0f} + {:.0f})", pairs, dimensions, values);
    }

    /// Weights of experts that no token is routed to need not be read.
    void experts()
    {
        for (std::size_t i = 0; i < m_inputs.size(); ++i) {
            const bool isOfExperts = m_inputs[i] && m_inputs[i]->size() >= 2 && !axesOfInput(i)->empty() && axesOfInput(i)->front().find("experts") != std::string::npos;
            count(i, !isOfExperts && !isIndexType(m_definition.inputs[i].dtype));
        }
        const double all = hasAxis("num_experts") ? axis("num_experts") : axis("num_local_experts");
        const bool isWhole = !hasAxis("num_local_experts") || axis("num_local_experts") == all;
        const double tokens = hasAxis("seq_len") ? axis("seq_len") : axis("num_tokens");
        if (!isWhole || !hasAxis("top_k") || !hasAxis("hidden_size") || !hasAxis("intermediate_size") || tokens <= 0) return;
        // Two products in (gate and up) and one out.
        m_work.operations = 2 * tokens * axis("top_k") * 3 * axis("hidden_size") * axis("intermediate_size");
        m_work.formula = "2 * tokens * top_k * 3 * hidden_size * intermediate_size";
        if (const TensorSpec* weights = m_definition.findInput("hidden_states")) m_work.operand = weights->dtype;
    }

    const Definition& m_definition;
    AxisValues m_axes;
    std::vector<Shape> m_inputs;
    std::vector<Shape> m_outputs;
    const WorkFacts& m_facts;
    WorkEstimate m_work;
};

}  // namespace

std::optional<WorkEstimate> estimateWork(const Definition& definition, const AxisValues& axes, const WorkFacts& facts)
{
    auto resolved = definition.resolveAxes(axes);
    auto inputs = definition.inputShapes(axes);
    auto outputs = definition.outputShapes(axes);
    if (!resolved || !inputs || !outputs) return std::nullopt;
    return Estimator(definition, std::move(*resolved), std::move(*inputs), std::move(*outputs), facts).make();
}

namespace {

constexpr double kMillisecondsPerSecond = 1e3;

/// Seconds that the operations take at the peak; 0 where that is not known.
double operationSeconds(const WorkEstimate& work, const DevicePeaks& peaks)
{
    const auto peak = peaks.operationsPerSecond.find(work.operand);
    return work.operations && peak != peaks.operationsPerSecond.end() && peak->second > 0 ? *work.operations / peak->second : 0;
}

}  // namespace

double hardFloorMs(const WorkEstimate& work, const DevicePeaks& peaks)
{
    const double bytes = work.neededInputBytes + std::max(0.0, work.outputBytes - peaks.cacheBytes);
    const double memory = peaks.memoryBytesPerSecond > 0 ? bytes / peaks.memoryBytesPerSecond : 0;
    return std::max(memory, operationSeconds(work, peaks) / 2) * kMillisecondsPerSecond;
}

double softFloorMs(const WorkEstimate& work, const DevicePeaks& peaks)
{
    const double bytes = (work.isUpperEstimate ? work.neededInputBytes : work.inputBytes) + work.outputBytes;
    const double memory = peaks.memoryBytesPerSecond > 0 ? bytes / peaks.memoryBytesPerSecond : 0;
    return std::max(memory, operationSeconds(work, peaks)) * kMillisecondsPerSecond;
}

std::map<DType, double> operationsPerClock(int major, int minor)
{
    // NVIDIA's architecture papers: operations of the tensor cores of one processor a clock, a multiplication with its addition
    // counting as two. float32 may run as TF32, whose rate bounds it; a definition does not forbid that.
    struct Rates {
        int major;
        int minor;
        double half;       // float16 and bfloat16
        double tensor32;   // TF32
        double eight;      // float8 and int8
    };
    constexpr std::array<Rates, 6> kRates{{{8, 0, 2048, 1024, 4096}, {8, 6, 1024, 512, 2048}, {8, 9, 1024, 512, 2048}, {9, 0, 4096, 2048, 8192},
                                           {10, 0, 8192, 4096, 16384}, {12, 0, 1024, 512, 2048}}};
    const auto found = std::find_if(kRates.begin(), kRates.end(), [=](const Rates& rates) { return rates.major == major && rates.minor == minor; });
    if (found == kRates.end()) return {};
    return {{DType::Float16, found->half},          {DType::BFloat16, found->half},       {DType::Float32, found->tensor32},
            {DType::Float8E4M3FN, found->eight}, {DType::Float8E5M2, found->eight}, {DType::Int8, found->eight}};
}

}  // namespace tracedeck
