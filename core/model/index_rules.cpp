// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/index_rules.h"

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <string_view>

#include <fmt/format.h>

namespace tracedeck {

namespace {

constexpr std::int64_t kGreatestInt32 = std::numeric_limits<std::int32_t>::max();

std::string lowerCase(std::string_view text)
{
    std::string folded(text);
    for (char& c : folded) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return folded;
}

/// `block_table2` is a block table, too.
std::string plainName(std::string_view name)
{
    std::string plain = lowerCase(name);
    while (!plain.empty() && plain.back() >= '0' && plain.back() <= '9') plain.pop_back();
    while (!plain.empty() && plain.back() == '_') plain.pop_back();
    return plain;
}

bool endsWithAny(std::string_view text, std::span<const std::string_view> endings)
{
    return std::any_of(endings.begin(), endings.end(), [text](std::string_view ending) { return text.ends_with(ending); });
}

bool holdsAny(std::string_view text, std::span<const std::string_view> parts)
{
    return std::any_of(parts.begin(), parts.end(), [text](std::string_view part) { return text.find(part) != std::string_view::npos; });
}

/// An axis with the number that the workload gives it.
struct NamedSize {
    std::string name;
    std::int64_t size = 0;
};

/// Finds the rules of one definition with the axes of one workload.
class RuleFinder {
public:
    RuleFinder(const Definition& definition, AxisValues axes, std::vector<Shape> shapes)
        : m_definition(definition), m_axes(std::move(axes)), m_shapes(std::move(shapes))
    {
    }

    [[nodiscard]] std::optional<IndexRule> find(std::size_t index) const
    {
        const TensorSpec& spec = m_definition.inputs[index];
        if (spec.dtype != DType::Int32 && spec.dtype != DType::Int64) return std::nullopt;
        const std::string name = plainName(spec.name);
        const Shape& shape = m_shapes[index];
        if (!shape) return scalarRule(name);
        if (shape->empty()) return std::nullopt;
        for (const auto rule : {&RuleFinder::offsets, &RuleFinder::groupSizes, &RuleFinder::lengths, &RuleFinder::permutation,
                                &RuleFinder::experts, &RuleFinder::positions, &RuleFinder::sparseTokens, &RuleFinder::slots,
                                &RuleFinder::pages, &RuleFinder::topK, &RuleFinder::otherIndexes}) {
            if (auto found = (this->*rule)(index, name)) return found;
        }
        return std::nullopt;
    }

private:
    [[nodiscard]] std::optional<NamedSize> axis(std::string_view name) const
    {
        const auto found = m_axes.find(std::string(name));
        if (found == m_axes.end()) return std::nullopt;
        return NamedSize{found->first, found->second};
    }
    /// The first of several axes that exists.
    [[nodiscard]] std::optional<NamedSize> firstAxis(std::initializer_list<std::string_view> names) const
    {
        for (const std::string_view name : names) {
            if (auto found = axis(name)) return found;
        }
        return std::nullopt;
    }
    [[nodiscard]] const std::vector<std::int64_t>& shapeOf(std::size_t index) const { return *m_shapes[index]; }
    [[nodiscard]] std::string descriptionOf(std::size_t index) const { return lowerCase(m_definition.inputs[index].description.value_or("")); }
    [[nodiscard]] std::optional<std::size_t> findInput(std::initializer_list<std::string_view> endings) const
    {
        for (std::size_t i = 0; i < m_definition.inputs.size(); ++i) {
            if (endsWithAny(plainName(m_definition.inputs[i].name), endings)) return i;
        }
        return std::nullopt;
    }

    static IndexRule numbersBelow(IndexMeaning meaning, const NamedSize& size, std::string_view what)
    {
        IndexRule rule;
        rule.meaning = meaning;
        rule.greatest = size.size - 1;
        rule.text = fmt::format("{} below {} = {}", what, size.name, size.size);
        return rule;
    }
    /// std::nullopt when nothing lies below.
    static std::optional<IndexRule> below(IndexMeaning meaning, const std::optional<NamedSize>& size, std::string_view what)
    {
        if (!size || size->size < 1) return std::nullopt;
        return numbersBelow(meaning, *size, what);
    }

    /// `total == name[-1].item()` in a constraint, either way round.
    [[nodiscard]] std::optional<NamedSize> lastByConstraint(const std::string& input) const
    {
        for (const std::string& constraint : m_definition.constraints) {
            std::string text;
            std::copy_if(constraint.begin(), constraint.end(), std::back_inserter(text), [](char c) { return c != ' '; });
            const auto equals = text.find("==");
            if (equals == std::string::npos) continue;
            const std::string left = text.substr(0, equals);
            const std::string right = text.substr(equals + 2);
            for (const auto& [side, other] : {std::pair(&left, &right), std::pair(&right, &left)}) {
                if (*side != input + "[-1].item()" && *side != input + "[-1]") continue;
                if (auto size = axis(*other)) return size;
            }
        }
        return std::nullopt;
    }
    static bool isOfQueries(std::string_view name) { return name.starts_with("q") || name.ends_with("_q"); }
    static bool isOfKeys(std::string_view name) { return name.starts_with("kv") || name.starts_with("k_") || name.ends_with("_k") || name.ends_with("_kv"); }
    /// The axis that the offsets of this input end at.
    [[nodiscard]] std::optional<NamedSize> totalOf(std::size_t index, const std::string& name) const
    {
        if (auto size = lastByConstraint(m_definition.inputs[index].name)) return size;
        if (isOfQueries(name)) return firstAxis({"total_q", "nnz_qo", "total_tokens", "num_tokens", "total_seq_len"});
        if (isOfKeys(name)) return firstAxis({"num_kv_indices", "total_kv", "total_k", "nnz_kv", "total_tokens", "num_tokens", "total_seq_len"});
        return firstAxis({"total_seq_len", "total_tokens", "num_tokens", "total", "nnz"});
    }
    [[nodiscard]] std::optional<IndexRule> offsets(std::size_t index, const std::string& name) const
    {
        constexpr std::array<std::string_view, 6> kEndings{"indptr", "cu_seqlens", "cu_seq_lens", "row_ptr", "offsets", "cu_lens"};
        const bool isOffsets = endsWithAny(name, kEndings) || name.starts_with("cu_seqlens") || name.starts_with("cu_seq_lens");
        const auto& shape = shapeOf(index);
        if (!isOffsets || shape.size() != 1 || shape.front() < 1) return std::nullopt;
        const auto total = totalOf(index, name);
        if (!total || total->size < 0 || (shape.front() == 1 && total->size != 0)) return std::nullopt;
        IndexRule rule;
        rule.meaning = IndexMeaning::Offsets;
        rule.total = total->size;
        rule.greatest = total->size;
        rule.text = fmt::format("offsets from 0 to {} = {}, never falling", total->name, total->size);
        if (isOfKeys(name)) addQueries(rule, index);
        return rule;
    }
    void addQueries(IndexRule& rule, std::size_t index) const
    {
        for (std::size_t i = 0; i < m_definition.inputs.size(); ++i) {
            const std::string name = plainName(m_definition.inputs[i].name);
            const bool isSameSize = m_shapes[i] && *m_shapes[i] == *m_shapes[index];
            if (i == index || !isSameSize || !isOfQueries(name) || name.find("indptr") == std::string::npos) continue;
            rule.queries = i;
            const auto pageSize = axis("page_size");
            rule.unit = pageSize && findInput({"indices", "table", "tables"}) ? std::max<std::int64_t>(1, pageSize->size) : 1;
            rule.text += "; no sequence has fewer keys than queries where the totals allow it";
        }
    }

    [[nodiscard]] std::optional<IndexRule> groupSizes(std::size_t index, const std::string& name) const
    {
        constexpr std::array<std::string_view, 7> kEndings{"group_sizes", "group_size",      "m_sizes",          "m_splits",
                                                           "expert_counts", "tokens_per_expert", "num_tokens_per_expert"};
        if (!endsWithAny(name, kEndings) || shapeOf(index).size() != 1) return std::nullopt;
        const auto total = firstAxis({"total_tokens", "num_tokens", "total_m", "m_total", "total", "M", "m", "seq_len"});
        if (!total || total->size < 0) return std::nullopt;
        IndexRule rule;
        rule.meaning = IndexMeaning::GroupSizes;
        rule.total = total->size;
        rule.greatest = total->size;
        rule.text = fmt::format("sizes of groups, {} = {} together", total->name, total->size);
        return rule;
    }

    [[nodiscard]] std::optional<IndexRule> lengths(std::size_t index, const std::string& name) const
    {
        constexpr std::array<std::string_view, 2> kLastPage{"last_page_len", "last_page_lens"};
        if (endsWithAny(name, kLastPage)) {
            const auto pageSize = axis("page_size");
            if (!pageSize || pageSize->size < 1) return std::nullopt;
            IndexRule rule;
            rule.meaning = IndexMeaning::LastPageLengths;
            rule.least = 1;
            rule.greatest = pageSize->size;
            rule.unit = pageSize->size;
            rule.pages = findInput({"kv_indptr", "page_indptr"});
            rule.text = fmt::format("lengths from 1 to {} = {}", pageSize->name, pageSize->size);
            return rule;
        }
        constexpr std::array<std::string_view, 8> kLengths{"seq_lens", "seqlens", "seqlen", "seq_len", "context_lens", "kv_lens", "kv_len", "lengths"};
        if (!endsWithAny(name, kLengths) || name.starts_with("cu_")) return std::nullopt;
        const auto most = mostTokens(shapeOf(index));
        if (!most || most->size < 1) return std::nullopt;
        IndexRule rule;
        rule.meaning = IndexMeaning::Lengths;
        rule.least = 1;
        rule.greatest = most->size;
        rule.text = fmt::format("lengths from 1 to {} = {}", most->name, most->size);
        return rule;
    }
    /// As many tokens as one sequence has room for: its row of the page table, or an axis that says so.
    [[nodiscard]] std::optional<NamedSize> mostTokens(const std::vector<std::int64_t>& shape) const
    {
        const auto table = findInput({"block_table", "block_tables", "page_table", "page_tables"});
        const auto pageSize = axis("page_size");
        if (table && pageSize && m_shapes[*table] && m_shapes[*table]->size() == 2 && shape.size() == 1 && m_shapes[*table]->front() == shape.front()) {
            const std::string columns = m_definition.inputs[*table].shape->back();
            return NamedSize{columns + " * page_size", m_shapes[*table]->back() * pageSize->size};
        }
        return firstAxis({"max_seq_len", "max_seqlen", "max_kv_len", "kv_len", "seq_len", "max_len"});
    }

    [[nodiscard]] std::optional<IndexRule> permutation(std::size_t index, const std::string& name) const
    {
        constexpr std::array<std::string_view, 5> kParts{"permutation", "perm_idx", "permute", "sort_ind", "argsort"};
        if (!(holdsAny(name, kParts) || name == "perm" || name.ends_with("_perm"))) return std::nullopt;
        IndexRule rule;
        rule.meaning = IndexMeaning::Permutation;
        rule.greatest = std::max<std::int64_t>(0, shapeOf(index).back() - 1);
        rule.text = fmt::format("a permutation of 0 to {}", rule.greatest);
        return rule;
    }

    [[nodiscard]] std::optional<IndexRule> experts(std::size_t index, const std::string& name) const
    {
        constexpr std::array<std::string_view, 7> kParts{"topk_id", "topk_ind", "top_k_id", "top_k_ind", "expert_id", "expert_ind", "selected_experts"};
        const auto count = firstAxis({"num_experts", "num_routed_experts", "experts", "num_global_experts"});
        if (!count || count->size < 1 || !holdsAny(name, kParts)) return std::nullopt;
        const bool isPacked = descriptionOf(index).find("packed") != std::string::npos && count->size <= 0x7FFF;
        return numbersBelow(isPacked ? IndexMeaning::PackedExperts : IndexMeaning::DistinctInRows, *count,
                            isPacked ? "packed experts with weights, no expert twice in a row," : "experts, none twice in a row,");
    }

    [[nodiscard]] std::optional<IndexRule> positions(std::size_t, const std::string& name) const
    {
        constexpr std::array<std::string_view, 6> kEndings{"positions", "position", "position_ids", "pos_ids", "pos_id", "rope_pos"};
        if (!endsWithAny(name, kEndings)) return std::nullopt;
        auto size = firstAxis({"max_seq_len", "max_position", "max_positions", "max_position_embeddings", "max_seqlen"});
        if (!size) {
            const auto cache = findInput({"cos_sin_cache", "cos_cache", "sin_cache"});
            if (cache && m_shapes[*cache] && !m_shapes[*cache]->empty()) size = NamedSize{"rows of " + m_definition.inputs[*cache].name, m_shapes[*cache]->front()};
        }
        return below(IndexMeaning::Numbers, size, "positions");
    }

    [[nodiscard]] std::optional<IndexRule> sparseTokens(std::size_t index, const std::string& name) const
    {
        if (name.find("sparse_ind") == std::string::npos || shapeOf(index).size() < 2) return std::nullopt;
        const auto pages = firstAxis({"num_pages", "num_blocks"});
        const auto pageSize = axis("page_size");
        if (!pages || !pageSize || pages->size < 1 || pageSize->size < 1 || pages->size > kGreatestInt32 / pageSize->size) return std::nullopt;
        return numbersBelow(IndexMeaning::DistinctInRows, {pages->name + " * page_size", pages->size * pageSize->size},
                            "tokens, none twice in a row and -1 when there are too few,");
    }

    [[nodiscard]] std::optional<IndexRule> slots(std::size_t, const std::string& name) const
    {
        constexpr std::array<std::string_view, 5> kParts{"state_ind", "state_batch_ind", "slot_ind", "slot_mapping", "cache_ind"};
        if (!holdsAny(name, kParts)) return std::nullopt;
        auto size = firstAxis({"pool_size", "state_cache_size", "num_slots", "cache_size", "num_states"});
        if (!size) {
            const auto pages = firstAxis({"num_pages", "num_blocks"});
            const auto pageSize = axis("page_size");
            if (pages && pageSize && pages->size > 0 && pageSize->size > 0 && pages->size <= kGreatestInt32 / pageSize->size) {
                size = NamedSize{pages->name + " * page_size", pages->size * pageSize->size};
            }
        }
        return below(IndexMeaning::DistinctNumbers, size, "distinct slots");
    }

    [[nodiscard]] std::optional<IndexRule> pages(std::size_t index, const std::string& name) const
    {
        constexpr std::array<std::string_view, 9> kEndings{"kv_indices",  "page_indices", "page_ids",    "block_table", "block_tables",
                                                           "page_table", "page_tables",  "block_ids", "block_indices"};
        const bool isPages = endsWithAny(name, kEndings) || (name.ends_with("indices") && descriptionOf(index).find("page") != std::string::npos);
        if (!isPages) return std::nullopt;
        return below(IndexMeaning::DistinctNumbers, firstAxis({"num_pages", "max_num_pages_total", "num_blocks", "total_pages"}), "distinct pages");
    }

    [[nodiscard]] std::optional<IndexRule> topK(std::size_t, const std::string& name) const
    {
        if (name != "top_k" && name != "topk" && !name.ends_with("_top_k")) return std::nullopt;
        const auto size = firstAxis({"vocab_size", "num_experts"});
        if (!size || size->size < 1) return std::nullopt;
        IndexRule rule;
        rule.meaning = IndexMeaning::Numbers;
        rule.least = 1;
        rule.greatest = size->size;
        rule.text = fmt::format("numbers from 1 to {} = {}", size->name, size->size);
        return rule;
    }

    /// What is called an index of something: below the number of those, or below the shortest first axis of all tensors.
    [[nodiscard]] std::optional<IndexRule> otherIndexes(std::size_t index, const std::string& name) const
    {
        constexpr std::array<std::string_view, 10> kEndings{"_ids", "_id", "_idx", "_index", "_indices", "_indexes", "_idxs", "_map", "_mapping", "_slots"};
        const bool isIndex = endsWithAny(name, kEndings) || name == "indices" || name == "index" || name == "idx" || name == "ids";
        if (!isIndex) return std::nullopt;
        const std::string stem = name.substr(0, name.rfind('_') == std::string::npos ? 0 : name.rfind('_'));
        std::optional<NamedSize> size;
        if (stem == "token" || stem == "input") size = axis("vocab_size");
        if (!size && !stem.empty()) size = firstAxis({"num_" + stem + "s", "num_" + stem, stem + "_size", stem + "s", "max_" + stem + "s"});
        if (!size) size = shortestFirstAxis(index);
        return below(IndexMeaning::Numbers, size, "indexes");
    }
    [[nodiscard]] std::optional<NamedSize> shortestFirstAxis(std::size_t index) const
    {
        std::optional<NamedSize> shortest;
        for (std::size_t i = 0; i < m_shapes.size(); ++i) {
            const bool isData = m_definition.inputs[i].dtype != DType::Int32 && m_definition.inputs[i].dtype != DType::Int64;
            if (i == index || !isData || !m_shapes[i] || m_shapes[i]->empty()) continue;
            const std::int64_t size = m_shapes[i]->front();
            if (!shortest || size < shortest->size) shortest = NamedSize{"rows of " + m_definition.inputs[i].name, size};
        }
        return shortest;
    }

    [[nodiscard]] std::optional<IndexRule> scalarRule(const std::string& name) const
    {
        const auto all = axis("num_experts");
        const auto local = axis("num_local_experts");
        if (name != "local_expert_offset" || !all || !local || local->size > all->size) return std::nullopt;
        IndexRule rule;
        rule.meaning = IndexMeaning::Numbers;
        rule.greatest = all->size - local->size;
        rule.text = fmt::format("a number from 0 to num_experts - num_local_experts = {}", rule.greatest);
        return rule;
    }

    const Definition& m_definition;
    AxisValues m_axes;
    std::vector<Shape> m_shapes;
};

}  // namespace

std::vector<std::optional<IndexRule>> indexRules(const Definition& definition, const Workload& workload)
{
    std::vector<std::optional<IndexRule>> rules(definition.inputs.size());
    if (definition.dialect == Dialect::SolExecBench) return rules;
    auto axes = definition.resolveAxes(workload.axes);
    auto shapes = definition.inputShapes(workload.axes);
    if (!axes || !shapes) return rules;   // whoever makes the inputs says what is wrong with them
    const RuleFinder finder(definition, std::move(*axes), std::move(*shapes));
    for (std::size_t i = 0; i < rules.size(); ++i) {
        const WorkloadInput* given = workload.findInput(definition.inputs[i].name);
        if (given == nullptr || std::holds_alternative<RandomInput>(*given)) rules[i] = finder.find(i);
    }
    return rules;
}

}  // namespace tracedeck
