// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/judge/random_values.h"

namespace tracedeck::judge {

/// Philox 4x32 with kPhiloxRounds rounds: a counter-based generator. Same key and counter, same four words; no state.
inline std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::uint64_t key)
{
    auto low = static_cast<std::uint32_t>(key);
    auto high = static_cast<std::uint32_t>(key >> 32);
    for (int round = 0; round < kPhiloxRounds; ++round) {
        const std::uint64_t first = std::uint64_t{0xD2511F53U} * counter[0];
        const std::uint64_t second = std::uint64_t{0xCD9E8D57U} * counter[2];
        counter = {static_cast<std::uint32_t>(second >> 32) ^ counter[1] ^ low, static_cast<std::uint32_t>(second),
                   static_cast<std::uint32_t>(first >> 32) ^ counter[3] ^ high, static_cast<std::uint32_t>(first)};
        low += 0x9E3779B9U;
        high += 0xBB67AE85U;
    }
    return counter;
}

/// One 64-bit word of the generator at a position.
inline std::uint64_t philoxWord(std::uint64_t key, std::uint64_t position, std::uint64_t stream)
{
    const auto words = philox({static_cast<std::uint32_t>(position), static_cast<std::uint32_t>(position >> 32),
                               static_cast<std::uint32_t>(stream), static_cast<std::uint32_t>(stream >> 32)}, key);
    return std::uint64_t{words[1]} << 32 | words[0];
}

/// Folds a text (a workload's uuid) into a seed, eight bytes at a time.
inline std::uint64_t mixSeed(std::uint64_t seed, std::string_view text)
{
    std::uint64_t state = philoxWord(seed, text.size(), 0x7465787473656564U);
    for (std::size_t begin = 0; begin < text.size(); begin += 8) {
        std::uint64_t part = 0;
        for (const char character : text.substr(begin, 8)) {
            part = part << 8 | static_cast<unsigned char>(character);
        }
        state = philoxWord(state, part, begin + 1);
    }
    return state;
}

}  // namespace tracedeck::judge
