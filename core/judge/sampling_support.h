// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tracedeck::judge {

/// How a sampling definition narrows the distribution down, by its name (benchmark §4.6).
enum class SamplingMethod { All, TopK, TopP, TopKTopP };
[[nodiscard]] SamplingMethod samplingMethod(const std::string& definition);

/// Which tokens count as right.
enum class SamplingRules {
    Format,   ///< as flashinfer-bench: top-p keeps what adds up to p + 0.05 on the probabilities as they came
    Exact     ///< as the definitions' references draw: top-k, then top-p on what is left, with the token that crosses p
};

/// One row's parameters.
struct SamplingRow {
    std::span<const float> probabilities;
    std::optional<std::int64_t> topK;
    std::optional<float> topP;
};

/// Which tokens may come, one entry a token.
[[nodiscard]] std::vector<bool> samplingMask(const SamplingRow& row, SamplingRules rules);
/// The same for one token, without sorting.
[[nodiscard]] bool isInSupport(const SamplingRow& row, SamplingRules rules, std::size_t token);
/// Probabilities of the tokens that may come, their sum being 1.
[[nodiscard]] std::vector<float> expectedFrequencies(const SamplingRow& row, SamplingRules rules);

/// Where a token that may come lies between 0 and 1 when all of them stand side by side, the likeliest first, each as wide as it is likely;
/// `within` (0 to 1) says where in its own width. For draws that are right the places are spread evenly.
[[nodiscard]] double placeOf(const SamplingRow& row, SamplingRules rules, std::size_t token, double within);
/// The largest difference between the share of places below a value and that value (Kolmogorov and Smirnov).
[[nodiscard]] double distanceFromEven(std::vector<double> places);
/// What that distance exceeds for `count` draws with a probability of 1e-9 at most (Dvoretzky, Kiefer, Wolfowitz).
[[nodiscard]] double boundOfChance(std::size_t count);

/// Total variation distance: half the sum of absolute differences between counted shares and expected ones.
[[nodiscard]] double totalVariation(std::span<const std::uint32_t> counts, double samples, std::span<const float> expected);
/// What that distance is on average when `samples` are drawn from `expected` itself.
[[nodiscard]] double expectedNoise(double samples, std::span<const float> expected);

}  // namespace tracedeck::judge
