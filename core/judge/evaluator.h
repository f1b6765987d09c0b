// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/judge/output_check.h"
#include "core/judge/record.h"
#include "core/model/definition.h"
#include "core/model/trace.h"
#include "core/run/eval_config.h"

namespace tracedeck::judge {

/// Who decides whether outputs are right (benchmark §4.2, SOL-ExecBench dialect §5).
enum class EvaluatorKind { Default, LowBit, Sampling, SparseAttention, TopKIndexer, Sol };
/// As the trace names it: `default`, `lowbit`, `sampling`, `dsa_sparse_attention`, `dsa_topk_indexer`, `sol-10-rounds`.
[[nodiscard]] std::string_view evaluatorName(EvaluatorKind kind);

/// The evaluator of a definition: by its dialect, and in FlashInfer-Trace by op_type and name. `extra.evaluator` of the config, `sol` or
/// `fib`, forces either dialect's. Error InvalidInput: more than one fits (the text names them), or that word is unknown.
[[nodiscard]] Result<EvaluatorKind> chooseEvaluator(const Definition& definition, const EvalConfig& config);

/// What an evaluator wants of a workload, before any solution is there.
struct EvaluatorNeeds {
    int rounds = 1;                  ///< checked calls that come before the timed ones
    int trials = 1;                  ///< timed ones: medians of which the mean is the latency
    bool sharesContents = false;     ///< every round has the inputs of call 0
    bool usesExpected = true;        ///< the reference's outputs for each round and for each timed call that is verified
    std::size_t fewestResults = 0;   ///< a value-returning solution may leave out outputs after these; 0: none
    bool convertsResults = false;    ///< a returned tensor of another dtype is converted, since nobody looks at dtypes
};
/// Error InvalidInput: an entry of `extra` that the evaluator reads has a value that it can't have.
[[nodiscard]] Result<EvaluatorNeeds> needsOf(EvaluatorKind kind, const EvalConfig& config);

/// One input in this process's own memory.
struct HostTensor {
    TensorLayout layout;
    std::vector<std::byte> bytes;
};
/// Gives the named inputs as a call had them. Error: one of them is no tensor of the definition.
using InputReader = std::function<Result<std::vector<HostTensor>>(const std::vector<std::string>& names, std::uint64_t seed, std::uint32_t call)>;

/// What an evaluator works with; all of it outlives the evaluator.
struct EvaluatorContext {
    Device& device;
    const Definition& definition;
    const Workload& workload;
    const EvalConfig& config;
    bool isDestinationPassing = true;
    InputReader inputs;
};

/// One call that was made, checked or timed.
struct JudgedCall {
    std::uint64_t seed = 0;                      ///< of its inputs' contents
    std::uint32_t call = 0;
    const ExpectedOutputs* expected = nullptr;   ///< null where the evaluator does not use them
    const std::vector<TensorLayout>& actual;     ///< of each output as it came
    const KeptOutputs& kept;                     ///< contents, null where the layout did not fit
};

/// Calls on inputs that repeat many times over, for checks of a distribution (benchmark §4.6).
struct RepeatedCalls {
    std::uint64_t repeats = 1;   ///< how often each input is repeated along its first axis
    std::uint64_t calls = 1;
};

/// Judges the outputs of one evaluation's calls. The checked rounds and, afterwards, some of the timed calls go through check().
class Evaluator {
public:
    explicit Evaluator(EvaluatorContext context) : m_context(std::move(context)) {}
    virtual ~Evaluator() = default;
    Evaluator(const Evaluator&) = delete;
    Evaluator& operator=(const Evaluator&) = delete;

    virtual CheckFinding check(const JudgedCall& call) = 0;
    /// How many of the counted calls are to be verified; they are chosen in secret.
    [[nodiscard]] virtual std::size_t verifiedCalls(std::size_t usual) const { return usual; }
    /// Over all calls so far, as it is stored; `extra` included.
    [[nodiscard]] virtual Correctness correctness() const = 0;
    /// Whether calls on the repeated inputs of (seed, call 0) are wanted, before the rounds; std::nullopt: no. Error: they are impossible.
    [[nodiscard]] virtual Result<std::optional<RepeatedCalls>> repeatedCalls(std::uint64_t seed)
    {
        static_cast<void>(seed);
        return std::optional<RepeatedCalls>();
    }
    /// Looks at the first output of one of these.
    virtual CheckFinding countRepeated(std::span<const std::byte> contents, DType dtype, std::uint64_t elements)
    {
        static_cast<void>(contents);
        static_cast<void>(dtype);
        static_cast<void>(elements);
        return {};
    }
    /// After the last of them.
    virtual CheckFinding concludeRepeated() { return {}; }
    /// Remarks on a solution that passes.
    [[nodiscard]] virtual std::vector<Verdict> notes() { return {}; }

protected:
    [[nodiscard]] const EvaluatorContext& context() const { return m_context; }

private:
    EvaluatorContext m_context;
};

[[nodiscard]] std::unique_ptr<Evaluator> makeEvaluator(EvaluatorKind kind, EvaluatorContext context);

/// What of the judging is not as the format has it, for the trace's `judge` key: null when nothing is.
[[nodiscard]] Json rulesOf(EvaluatorKind kind, const Definition& definition, const Workload& workload, const EvalConfig& config);

// Entries of `extra`. Error InvalidInput naming the key.
[[nodiscard]] Result<bool> extraFlag(const EvalConfig& config, const char* key, bool otherwise);
[[nodiscard]] Result<double> extraNumber(const EvalConfig& config, const char* key, double otherwise, double least, double most);
[[nodiscard]] Result<std::string> extraWord(const EvalConfig& config, const char* key, const std::vector<std::string>& words);

/// Which distributions random inputs have: SOL-ExecBench's for its own problems, unless `extra.name_heuristics` says otherwise.
[[nodiscard]] Result<bool> usesNameHeuristics(const Definition& definition, const EvalConfig& config);
/// `extra.zero_outputs`: destination buffers are zeroed, not poisoned (dialect §6).
[[nodiscard]] bool zeroesOutputs(const EvalConfig& config);
/// `extra.sol_misspelt_ratio`: `ignored`, as the harness does, or `honoured` (dialect §5.1).
[[nodiscard]] MisspeltRatio misspeltRatio(const EvalConfig& config);

}  // namespace tracedeck::judge
