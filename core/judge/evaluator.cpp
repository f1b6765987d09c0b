// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/judge/evaluator_default.h"
#include "core/judge/evaluator_sampling.h"
#include "core/judge/evaluator_sol.h"
#include "core/judge/evaluator_sparse_attention.h"
#include "core/judge/evaluator_topk_indexer.h"

namespace tracedeck::judge {

namespace {

Error extraError(const std::string& key, const std::string& reason)
{
    return Error{ErrorCode::InvalidInput, reason, {}, 0, "extra." + key};
}

const Json* findExtra(const EvalConfig& config, const char* key)
{
    const auto found = config.extra.find(key);
    return found == config.extra.end() || found->is_null() ? nullptr : &*found;
}

bool isSparseAttention(const std::string& name)
{
    constexpr std::string_view kName = "dsa_sparse_attention_h16_ckv512_kpe64_topk2048_ps";
    return name == std::string(kName) + "1" || name == std::string(kName) + "64";
}

}  // namespace

std::string_view evaluatorName(EvaluatorKind kind)
{
    switch (kind) {
    case EvaluatorKind::Default: return "default";
    case EvaluatorKind::LowBit: return "lowbit";
    case EvaluatorKind::Sampling: return "sampling";
    case EvaluatorKind::SparseAttention: return "dsa_sparse_attention";
    case EvaluatorKind::TopKIndexer: return "dsa_topk_indexer";
    case EvaluatorKind::Sol: return "sol-10-rounds";
    }
    return {};
}

Result<bool> extraFlag(const EvalConfig& config, const char* key, bool otherwise)
{
    const Json* value = findExtra(config, key);
    if (value != nullptr && !value->is_boolean()) {
        return extraError(key, fmt::format("must be true or false, is {}", value->dump()));
    }
    return value == nullptr ? otherwise : value->get<bool>();
}

Result<double> extraNumber(const EvalConfig& config, const char* key, double otherwise, double least, double most)
{
    const Json* value = findExtra(config, key);
    if (value == nullptr) {
        return otherwise;
    }
    if (!value->is_number() || !(value->get<double>() >= least && value->get<double>() <= most)) {
        return extraError(key, fmt::format("must be a number from {:g} to {:g}, is {}", least, most, value->dump()));
    }
    return value->get<double>();
}

Result<std::string> extraWord(const EvalConfig& config, const char* key, const std::vector<std::string>& words)
{
    const Json* value = findExtra(config, key);
    if (value == nullptr) {
        return std::string();
    }
    if (!value->is_string() || std::ranges::find(words, value->get<std::string>()) == words.end()) {
        return extraError(key, fmt::format("must be one of {}, is {}", fmt::join(words, ", "), value->dump()));
    }
    return value->get<std::string>();
}

Result<EvaluatorKind> chooseEvaluator(const Definition& definition, const EvalConfig& config)
{
    const auto forced = extraWord(config, "evaluator", {"fib", "sol"});
    if (!forced) {
        return forced.error();
    }
    if (*forced == "sol" || (forced->empty() && definition.dialect == Dialect::SolExecBench)) {
        return EvaluatorKind::Sol;
    }
    std::vector<EvaluatorKind> fitting;
    if (definition.opType == "sampling") {
        fitting.push_back(EvaluatorKind::Sampling);
    }
    if (definition.name.find("moe_fp8_block_scale") != std::string::npos) {
        fitting.push_back(EvaluatorKind::LowBit);
    }
    if (isSparseAttention(definition.name)) {
        fitting.push_back(EvaluatorKind::SparseAttention);
    }
    if (definition.name.starts_with("dsa_topk_indexer")) {
        fitting.push_back(EvaluatorKind::TopKIndexer);
    }
    if (fitting.size() > 1) {
        std::vector<std::string_view> names;
        std::ranges::transform(fitting, std::back_inserter(names), [](EvaluatorKind kind) { return evaluatorName(kind); });
        return Error{ErrorCode::InvalidInput,
                     fmt::format("more than one evaluator fits the definition `{}`: {}. Give it another name or op_type", definition.name, fmt::join(names, " and ")), {},
                     0, "name"};
    }
    return fitting.empty() ? EvaluatorKind::Default : fitting.front();
}

Result<EvaluatorNeeds> needsOf(EvaluatorKind kind, const EvalConfig& config)
{
    const auto zero = extraFlag(config, "zero_outputs", false);
    const auto names = extraFlag(config, "name_heuristics", false);
    const auto misspelt = extraWord(config, "sol_misspelt_ratio", {"ignored", "honoured"});
    for (const Error* error : {zero ? nullptr : &zero.error(), names ? nullptr : &names.error(), misspelt ? nullptr : &misspelt.error()}) {
        if (error != nullptr) {
            return *error;
        }
    }
    EvaluatorNeeds needs;
    needs.rounds = needs.trials = config.numTrials;
    switch (kind) {
    case EvaluatorKind::Default:
    case EvaluatorKind::LowBit:
    case EvaluatorKind::TopKIndexer: return needs;
    case EvaluatorKind::SparseAttention: needs.fewestResults = 1; return needs;
    case EvaluatorKind::Sampling: return needsOfSampling(config);
    case EvaluatorKind::Sol: return needsOfSol(config);
    }
    return needs;
}

std::unique_ptr<Evaluator> makeEvaluator(EvaluatorKind kind, EvaluatorContext context)
{
    switch (kind) {
    case EvaluatorKind::Default: return std::make_unique<DefaultEvaluator>(std::move(context));
    case EvaluatorKind::LowBit: return std::make_unique<LowBitEvaluator>(std::move(context));
    case EvaluatorKind::Sampling: return std::make_unique<SamplingEvaluator>(std::move(context));
    case EvaluatorKind::SparseAttention: return std::make_unique<SparseAttentionEvaluator>(std::move(context));
    case EvaluatorKind::TopKIndexer: return std::make_unique<TopKIndexerEvaluator>(std::move(context));
    case EvaluatorKind::Sol: return std::make_unique<SolEvaluator>(std::move(context));
    }
    return nullptr;
}

Result<bool> usesNameHeuristics(const Definition& definition, const EvalConfig& config)
{
    return extraFlag(config, "name_heuristics", definition.dialect == Dialect::SolExecBench);
}

bool zeroesOutputs(const EvalConfig& config)
{
    const auto zero = extraFlag(config, "zero_outputs", false);
    return zero && *zero;
}

MisspeltRatio misspeltRatio(const EvalConfig& config)
{
    const auto word = extraWord(config, "sol_misspelt_ratio", {"ignored", "honoured"});
    return word && *word == "honoured" ? MisspeltRatio::Honoured : MisspeltRatio::Ignored;
}

Json rulesOf(EvaluatorKind kind, const Definition& definition, const Workload& workload, const EvalConfig& config)
{
    Json rules = Json::object();
    if (config.strictNumerics && (kind == EvaluatorKind::Default || kind == EvaluatorKind::LowBit || kind == EvaluatorKind::SparseAttention)) {
        rules["strict_numerics"] = true;
    }
    if (zeroesOutputs(config)) {
        rules["zero_outputs"] = true;
    }
    const bool isSol = definition.dialect == Dialect::SolExecBench;
    if (const auto names = usesNameHeuristics(definition, config); names && (*names || isSol)) {
        rules["name_heuristics"] = *names;
    }
    if (kind == EvaluatorKind::Sol && workload.tolerance && workload.tolerance->misspeltMatchedRatio) {
        rules["sol_misspelt_ratio"] = misspeltRatio(config) == MisspeltRatio::Honoured ? "honoured" : "ignored";
    }
    if (kind == EvaluatorKind::Sampling) {
        addSamplingRules(config, rules);
    }
    if (kind == EvaluatorKind::Sol) {
        addSolRules(workload, config, rules);
    }
    return rules.empty() ? Json(nullptr) : rules;
}

}  // namespace tracedeck::judge
