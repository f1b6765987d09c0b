// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace tracedeck {

/// Finds the dense number of a thing by its hash: one block of memory, where a map would have one for each thing. A dataset has a
/// table a file while it is read, and getting and giving back memory was a tenth of the time of that.
class IdIndex {
public:
    static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

    /// `isIt(id)`: whether that one is meant. kNone: none with this hash is.
    template <class IsIt>
    [[nodiscard]] std::uint32_t find(std::size_t hash, const IsIt& isIt) const
    {
        if (m_slots.empty()) return kNone;
        const std::uint32_t part = partOf(hash);
        for (std::size_t at = part & mask();; at = (at + 1) & mask()) {
            const Slot& slot = m_slots[at];
            if (slot.id == kNone || (slot.hash == part && isIt(slot.id))) return slot.id;
        }
    }
    /// Adds one that find() does not find.
    void add(std::size_t hash, std::uint32_t id)
    {
        if (2 * (m_count + 1) > m_slots.size()) grow();
        place({partOf(hash), id});
        ++m_count;
    }
    [[nodiscard]] std::size_t capacityBytes() const { return m_slots.capacity() * sizeof(Slot); }

private:
    struct Slot {
        std::uint32_t hash = 0;
        std::uint32_t id = kNone;
    };

    static std::uint32_t partOf(std::size_t hash) { return static_cast<std::uint32_t>(hash ^ (hash >> 32U)); }
    [[nodiscard]] std::size_t mask() const { return m_slots.size() - 1; }
    void place(const Slot& slot)
    {
        std::size_t at = slot.hash & mask();
        while (m_slots[at].id != kNone) at = (at + 1) & mask();
        m_slots[at] = slot;
    }
    void grow()
    {
        constexpr std::size_t kFirst = 64;
        std::vector<Slot> old(m_slots.empty() ? kFirst : 2 * m_slots.size());   // a power of two
        old.swap(m_slots);
        for (const Slot& slot : old) {
            if (slot.id != kNone) place(slot);
        }
    }

    std::vector<Slot> m_slots;
    std::size_t m_count = 0;
};

}  // namespace tracedeck
