// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace tracedeck {

/// Random numbers that are the same on every machine, which those of the standard's distributions are not (SplitMix64).
class BootstrapRandom {
public:
    explicit BootstrapRandom(std::uint64_t seed) : m_state(seed) {}

    std::uint64_t next()
    {
        std::uint64_t mixed = m_state += 0x9E3779B97F4A7C15ULL;
        mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9ULL;
        mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBULL;
        return mixed ^ (mixed >> 31);
    }
    /// Less than `count`, which is less than 2^32.
    std::size_t below(std::size_t count) { return static_cast<std::size_t>((next() >> 32) * count >> 32); }
    /// More than 0, at most 1.
    double unit() { return static_cast<double>((next() >> 11) + 1) * 0x1p-53; }

private:
    std::uint64_t m_state;
};

/// How many of `trials` independent events happen, each with the odds `part` ÷ `whole` (part ≤ whole < 2^63): exactly distributed.
[[nodiscard]] std::size_t binomialDraw(std::size_t trials, std::uint64_t part, std::uint64_t whole, BootstrapRandom& random);

/// Medians of bootstrap resamples of times that come in sessions: sessions drawn with replacement, then as many samples as each has
/// within it. A resample is never made: which samples are in the middle of it is drawn from its exact distribution (for one session
/// that of Maritz and Jarrett 1978, and Efron 1979), so that a draw costs next to nothing for one session, and for several a number of
/// steps that grows with the logarithm of the number of samples.
class MedianBootstrap {
public:
    /// At least one session, none of them empty; samples in any order.
    explicit MedianBootstrap(const std::vector<std::vector<double>>& sessions);
    ~MedianBootstrap();

    /// The median of one more resample.
    [[nodiscard]] double draw(BootstrapRandom& random) const;

    struct RankOdds;   ///< of one session of a size

private:
    /// How many samples of each session a resample has within a range of the sorted samples.
    using Counts = std::vector<std::size_t>;
    [[nodiscard]] double drawFromOne(BootstrapRandom& random) const;
    [[nodiscard]] double drawFromSeveral(BootstrapRandom& random) const;
    [[nodiscard]] double select(std::size_t begin, std::size_t end, Counts counts, std::size_t rank, BootstrapRandom& random) const;
    /// Moves those of `counts` that lie from `middle` on to `right`; how many stay.
    std::size_t split(std::size_t begin, std::size_t middle, std::size_t end, Counts& counts, Counts& right, BootstrapRandom& random) const;

    std::vector<double> m_values;                  ///< of all sessions, ascending
    std::vector<std::size_t> m_sizes;              ///< of the sessions
    std::vector<std::vector<std::size_t>> m_before;   ///< by session: how many of its samples are among the first n of all
    std::shared_ptr<const RankOdds> m_odds;        ///< of a single session
};

}  // namespace tracedeck
