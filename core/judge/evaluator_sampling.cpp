// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator_sampling.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "core/judge/number_formats.h"
#include "core/judge/system_random.h"

namespace tracedeck::judge {

namespace {

constexpr double kDefaultSamples = 500'000;
constexpr double kDefaultRows = 10'000;
constexpr double kDefaultThreshold = 0.2;
constexpr double kDefaultTrials = 100;
/// Samples of timed calls whose place in the distribution is worth a sort each.
constexpr std::size_t kMostPlaces = 200;
/// Entries of the table of counts that is worth its memory (4 bytes each).
constexpr std::uint64_t kMostCounts = std::uint64_t{1} << 30;

/// Valid by needsOfSampling(), or the default.
double numberOf(const EvalConfig& config, const char* key, double otherwise)
{
    const auto number = extraNumber(config, key, otherwise, 0, std::numeric_limits<double>::max());
    return number ? *number : otherwise;
}

std::vector<float> decodeFloats(const HostTensor& tensor)
{
    std::vector<float> values(static_cast<std::size_t>(tensor.layout.elements));
    decodeToFloat(tensor.layout.dtype, tensor.bytes, 0, values);
    return values;
}

/// Tokens or counts: integers as they are, floats cut off.
std::vector<std::int64_t> decodeIntegers(std::span<const std::byte> bytes, DType dtype, std::uint64_t elements)
{
    std::vector<std::int64_t> values(static_cast<std::size_t>(elements));
    if (dtype == DType::Int64) {
        std::memcpy(values.data(), bytes.data(), values.size() * sizeof(std::int64_t));
        return values;
    }
    if (dtype == DType::Int32) {
        for (std::size_t i = 0; i < values.size(); ++i) {
            std::int32_t value = 0;
            std::memcpy(&value, bytes.data() + i * sizeof value, sizeof value);
            values[i] = value;
        }
        return values;
    }
    std::vector<float> floats(values.size());
    decodeToFloat(dtype, bytes, 0, floats);
    std::ranges::transform(floats, values.begin(), [](float value) { return std::fabs(value) < 1e18F ? static_cast<std::int64_t>(value) : std::int64_t{-1}; });
    return values;
}

}  // namespace

Result<EvaluatorNeeds> needsOfSampling(const EvalConfig& config)
{
    const auto trials = extraNumber(config, "sampling_validation_trials", kDefaultTrials, 1, 1e6);
    const auto threshold = extraNumber(config, "sampling_tvd_threshold", kDefaultThreshold, 0, 1);
    const auto samples = extraNumber(config, "sampling_distribution_samples", kDefaultSamples, 1, 1e9);
    const auto rows = extraNumber(config, "sampling_rows", kDefaultRows, 1, 1e9);
    const auto rules = extraWord(config, "sampling_rules", {"format", "exact"});
    for (const Error* error : {trials ? nullptr : &trials.error(), threshold ? nullptr : &threshold.error(), samples ? nullptr : &samples.error(),
                               rows ? nullptr : &rows.error(), rules ? nullptr : &rules.error()}) {
        if (error != nullptr) {
            return *error;
        }
    }
    EvaluatorNeeds needs;
    needs.rounds = static_cast<int>(*trials);
    needs.trials = 1;
    needs.sharesContents = true;
    needs.usesExpected = false;
    needs.convertsResults = true;
    return needs;
}

void addSamplingRules(const EvalConfig& config, Json& rules)
{
    const auto word = extraWord(config, "sampling_rules", {"format", "exact"});
    if (word && *word == "exact") {
        rules["sampling_rules"] = "exact";
    }
    const std::pair<const char*, double> defaults[] = {{"sampling_validation_trials", kDefaultTrials},
                                                       {"sampling_tvd_threshold", kDefaultThreshold},
                                                       {"sampling_distribution_samples", kDefaultSamples},
                                                       {"sampling_rows", kDefaultRows}};
    for (const auto& [key, usual] : defaults) {
        if (const double value = numberOf(config, key, usual); value != usual) {
            rules[key] = value;
        }
    }
}

SamplingEvaluator::SamplingEvaluator(EvaluatorContext context)
    : Evaluator(std::move(context)), m_method(samplingMethod(this->context().definition.name)), m_rules(SamplingRules::Format),
      m_threshold(numberOf(this->context().config, "sampling_tvd_threshold", kDefaultThreshold)),
      m_samples(numberOf(this->context().config, "sampling_distribution_samples", kDefaultSamples)),
      m_mostRows(numberOf(this->context().config, "sampling_rows", kDefaultRows))
{
    const auto word = extraWord(this->context().config, "sampling_rules", {"format", "exact"});
    m_rules = word && *word == "exact" ? SamplingRules::Exact : SamplingRules::Format;
}

SamplingRow SamplingEvaluator::Inputs::row(std::size_t index) const
{
    SamplingRow row;
    row.probabilities = std::span(probabilities).subspan(index * vocabulary, vocabulary);
    if (!topK.empty()) {
        row.topK = topK[topK.size() == 1 ? 0 : index];
    }
    if (!topP.empty()) {
        row.topP = topP[topP.size() == 1 ? 0 : index];
    }
    return row;
}

Result<void> SamplingEvaluator::read(std::uint64_t seed, std::uint32_t call)
{
    if (m_inputs && m_inputs->seed == seed && m_inputs->call == call) {
        return {};
    }
    std::vector<std::string> names{"probs"};
    const bool usesTopK = m_method == SamplingMethod::TopK || m_method == SamplingMethod::TopKTopP;
    const bool usesTopP = m_method == SamplingMethod::TopP || m_method == SamplingMethod::TopKTopP;
    if (usesTopK) {
        names.emplace_back("top_k");
    }
    if (usesTopP) {
        names.emplace_back("top_p");
    }
    auto tensors = context().inputs(names, seed, call);
    if (!tensors) {
        return tensors.error();
    }
    const HostTensor& probabilities = tensors->front();
    const auto& shape = probabilities.layout.shape;
    if (shape.empty() || shape.size() > 2 || !isFloating(probabilities.layout.dtype)) {
        return Error{ErrorCode::InvalidInput, "the input `probs` must be a floating tensor [batch, vocabulary] or [vocabulary]", {}, 0, "inputs.probs"};
    }
    Inputs inputs;
    inputs.seed = seed;
    inputs.call = call;
    inputs.rows = shape.size() == 2 ? static_cast<std::size_t>(shape.front()) : 1;
    inputs.vocabulary = static_cast<std::size_t>(shape.back());
    if (inputs.rows == 0 || inputs.vocabulary == 0) {
        return Error{ErrorCode::InvalidInput, "the input `probs` has no elements: there is nothing to draw from", {}, 0, "inputs.probs"};
    }
    inputs.probabilities = decodeFloats(probabilities);
    if (usesTopK) {
        const HostTensor& topK = (*tensors)[1];
        inputs.topK = decodeIntegers(topK.bytes, topK.layout.dtype, topK.layout.elements);
    }
    if (usesTopP) {
        inputs.topP = decodeFloats(tensors->back());
    }
    for (const auto& [name, count] : {std::pair{"top_k", inputs.topK.size()}, {"top_p", inputs.topP.size()}}) {
        if (count > 1 && count != inputs.rows) {
            return Error{ErrorCode::InvalidInput, fmt::format("the input `{}` has {} values for {} rows of `probs`", name, count, inputs.rows), {}, 0,
                         std::string("inputs.") + name};
        }
    }
    m_inputs = std::move(inputs);
    return {};
}

CheckFinding SamplingEvaluator::check(const JudgedCall& call)
{
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if (auto known = read(call.seed, call.call); !known) {
        return failedCheck(Status::RuntimeError, "evaluator", known.error().reason);
    }
    if (!call.kept.contents.front()) {
        return failedCheck(Status::IncorrectShape, "output.shape",
                           fmt::format("the samples have the shape [{}], which does not hold one for each row", fmt::join(call.actual.front().shape, ", ")));
    }
    const TensorLayout& layout = call.actual.front();
    const std::vector<std::int64_t> samples =
        decodeIntegers(context().device.download(*call.kept.contents.front(), layout.bytes()), layout.dtype, layout.elements);
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const std::size_t row = i % m_inputs->rows;
        if (samples[i] < 0 || samples[i] >= static_cast<std::int64_t>(m_inputs->vocabulary)) {
            return failedValues(kInfinity, "output.wrong",
                                fmt::format("sample {} is {}, which is no token: there are {}", i, samples[i], m_inputs->vocabulary));
        }
        if (!isInSupport(m_inputs->row(row), m_rules, static_cast<std::size_t>(samples[i]))) {
            return failedValues(kInfinity, "output.wrong",
                                fmt::format("row {}: token {} was drawn, which the limits of this row (top_k, top_p) leave out", row, samples[i]));
        }
    }
    if (call.seed != m_checkedSeed) {
        noteTimed(samples);
    }
    return {};
}

void SamplingEvaluator::noteTimed(const std::vector<std::int64_t>& samples)
{
    const bool isFirst = m_timed.empty();
    m_timed.push_back(samples);
    for (std::size_t i = 0; i < samples.size() && m_places.size() < kMostPlaces; ++i) {
        const SamplingRow row = m_inputs->row(i % m_inputs->rows);
        const double within = static_cast<double>(systemRandom() >> 11) * 0x1p-53;
        m_places.push_back(placeOf(row, m_rules, static_cast<std::size_t>(samples[i]), within));
        // The chance that another call gives this sample, too, is at most that of the likeliest token.
        const std::vector<float> expected = expectedFrequencies(row, m_rules);
        m_logCollision += isFirst ? 0.0 : std::log(static_cast<double>(*std::ranges::max_element(expected)));
    }
}

std::size_t SamplingEvaluator::verifiedCalls(std::size_t usual) const
{
    constexpr std::size_t kElements = std::size_t{1} << 27;   // probabilities that are drawn again and looked at
    const std::size_t ofCall = m_inputs ? std::max<std::size_t>(m_inputs->rows * m_inputs->vocabulary, 1) : kElements;
    return std::max(usual, std::min<std::size_t>(kElements / ofCall, kMostPlaces));
}

std::vector<Verdict> SamplingEvaluator::notes()
{
    std::vector<Verdict> notes;
    if (m_places.empty()) {
        return notes;
    }
    // An accepted sampler may be off by the threshold already.
    const double allowed = m_threshold + boundOfChance(m_places.size());
    if (const double distance = distanceFromEven(m_places); distance > allowed) {
        notes.push_back({"sampling.skewed", "warn", -1,
                         fmt::format("in the timed calls the tokens do not come as they should: the distribution of {} samples is off by {:.3f}, chance explains {:.3f}", m_places.size(),
                                     distance, allowed)});
    }
    constexpr double kLogOfUnlikely = -20.7;   // 1e-9
    const bool isSame = m_timed.size() > 1 && std::ranges::all_of(m_timed, [this](const auto& samples) { return samples == m_timed.front(); });
    if (isSame && m_logCollision < kLogOfUnlikely) {
        notes.push_back({"sampling.repeats", "warn", -1, fmt::format("all {} timed calls that were looked at gave the same samples, which chance does not explain", m_timed.size())});
    }
    return notes;
}

Result<std::optional<RepeatedCalls>> SamplingEvaluator::repeatedCalls(std::uint64_t seed)
{
    m_checkedSeed = seed;
    if (auto known = read(seed, 0); !known) {
        return known.error();
    }
    const auto repeats = static_cast<std::uint64_t>(m_mostRows) / m_inputs->rows;
    if (repeats == 0) {
        return Error{ErrorCode::InvalidInput,
                     fmt::format("the workload has {} rows; the distribution of samples can be checked for at most {:.0f} (extra.sampling_rows sets another "
                                 "number)", m_inputs->rows, m_mostRows), {}, 0, "extra.sampling_rows"};
    }
    const std::uint64_t table = std::uint64_t{m_inputs->rows} * m_inputs->vocabulary;
    if (table > kMostCounts) {
        return Error{ErrorCode::Unsupported,
                     fmt::format("{} rows of {} tokens are more than can be counted ({} together)", m_inputs->rows, m_inputs->vocabulary, kMostCounts), {}, 0,
                     "inputs.probs"};
    }
    m_counts.assign(static_cast<std::size_t>(table), 0);
    const auto samples = static_cast<std::uint64_t>(m_samples);
    return std::optional(RepeatedCalls{repeats, (samples + repeats - 1) / repeats});
}

CheckFinding SamplingEvaluator::countRepeated(std::span<const std::byte> contents, DType dtype, std::uint64_t elements)
{
    const std::vector<std::int64_t> samples = decodeIntegers(contents, dtype, elements);
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const std::size_t row = i % m_inputs->rows;
        if (samples[i] < 0 || samples[i] >= static_cast<std::int64_t>(m_inputs->vocabulary)) {
            return failedValues(std::numeric_limits<double>::infinity(), "output.wrong",
                                fmt::format("on rows repeated many times: sample {} is {}, which is no token: there are {}", i, samples[i], m_inputs->vocabulary));
        }
        ++m_counts[row * m_inputs->vocabulary + static_cast<std::size_t>(samples[i])];
    }
    m_drawn += elements / m_inputs->rows;
    return {};
}

CheckFinding SamplingEvaluator::concludeRepeated()
{
    constexpr float kEpsilon = 1e-8F;   // of the format's relative error
    const auto drawn = static_cast<double>(m_drawn);
    double largest = 0;
    double allowed = m_threshold;
    std::size_t worstRow = 0;
    bool isWrong = false;
    for (std::size_t row = 0; row < m_inputs->rows; ++row) {
        const std::vector<float> expected = expectedFrequencies(m_inputs->row(row), m_rules);
        const auto counts = std::span(m_counts).subspan(row * m_inputs->vocabulary, m_inputs->vocabulary);
        for (std::size_t token = 0; token < counts.size(); ++token) {
            const float absolute = std::fabs(static_cast<float>(static_cast<double>(counts[token]) / drawn) - expected[token]);
            m_maxAbsoluteError = std::max(m_maxAbsoluteError, static_cast<double>(absolute));
            m_maxRelativeError = std::max(m_maxRelativeError, static_cast<double>(absolute / (expected[token] + kEpsilon)));
        }
        const double distance = totalVariation(counts, drawn, expected);
        m_distances.push_back(distance);
        // Chance alone gives a distance that grows with the number of tokens; by the format's rule it counts as a fault.
        const double bound = m_threshold + (m_rules == SamplingRules::Exact ? expectedNoise(drawn, expected) : 0.0);
        isWrong = isWrong || distance > bound;
        if (distance > largest) {
            largest = distance;
            worstRow = row;
            allowed = bound;
        }
    }
    CheckFinding finding;
    if (isWrong) {
        finding.isWrong = true;
        finding.verdict = "output.wrong";
        finding.message = fmt::format("the tokens do not come as often as they should: after {} draws of each row the total variation distance is {:.4f} in row {}, "
                                      "at most {:g} is allowed", m_drawn, largest, worstRow, allowed);
    }
    return finding;
}

Correctness SamplingEvaluator::correctness() const
{
    Correctness correctness;
    correctness.maxAbsoluteError = m_maxAbsoluteError;
    correctness.maxRelativeError = m_maxRelativeError;
    if (!m_distances.empty()) {
        correctness.extra = Json{{"tvd", *std::ranges::max_element(m_distances)}, {"tvds_per_batch", m_distances}};
    }
    return correctness;
}

}  // namespace tracedeck::judge
