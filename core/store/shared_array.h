// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>

#include "core/store/large_memory.h"

namespace tracedeck {

/// An array that only grows. Copies share its memory: a copy costs nothing, and the one that first grows beyond the common
/// end goes on in the same memory, so that a snapshot with a few more elements never copies the rest. Elements are
/// never changed once they are in, hence readers of older copies on other threads are safe.
template <class T>
class SharedArray {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T> && alignof(T) <= alignof(std::max_align_t));

public:
    [[nodiscard]] std::size_t size() const { return m_size; }
    [[nodiscard]] bool empty() const { return m_size == 0; }
    [[nodiscard]] const T& operator[](std::size_t index) const { return m_memory->elements()[index]; }
    [[nodiscard]] std::span<const T> span() const { return m_memory ? std::span<const T>(m_memory->elements(), m_size) : std::span<const T>(); }

    void reserve(std::size_t capacity)
    {
        if (capacity > (m_memory ? m_memory->capacity : 0)) moveTo(capacity);
    }
    void append(std::span<const T> elements)
    {
        if (elements.empty()) return;
        const std::span<T> room = grow(elements.size());
        std::copy(elements.begin(), elements.end(), room.begin());
    }
    /// Adds elements that the caller writes at once, before anyone else sees this copy.
    [[nodiscard]] std::span<T> grow(std::size_t count)
    {
        if (count == 0) return {};
        const bool fits = m_memory && m_memory->capacity - m_size >= count && take(count);
        if (!fits) {
            moveTo(std::max(m_size + count, 2 * m_size));
            m_memory->used = m_size + count;
        }
        const std::span<T> room(m_memory->elements() + m_size, count);
        m_size += count;
        return room;
    }
    /// Bytes of the memory that this copy keeps alive.
    [[nodiscard]] std::size_t capacityBytes() const { return m_memory ? m_memory->capacity * sizeof(T) : 0; }
    void push_back(const T& element) { append(std::span<const T>(&element, 1)); }

private:
    struct Memory {
        explicit Memory(std::size_t size) : bytes(allocateLarge(size * sizeof(T))), capacity(size) {}
        /// Elements beyond `used` were never written, and there is nothing in them to construct.
        [[nodiscard]] T* elements() const { return reinterpret_cast<T*>(bytes.get()); }
        LargeMemory bytes;
        std::size_t capacity;
        std::atomic<std::size_t> used{0};   ///< elements that some copy has
    };

    /// Whether this copy is the one that goes on in the common memory.
    bool take(std::size_t count)
    {
        std::size_t end = m_size;
        if (m_memory.use_count() > 1) return m_memory->used.compare_exchange_strong(end, m_size + count);
        // Nobody else has it, and only this copy could give it to somebody.
        if (m_memory->used.load(std::memory_order_relaxed) != m_size) return false;
        m_memory->used.store(m_size + count, std::memory_order_relaxed);
        return true;
    }
    void moveTo(std::size_t capacity)
    {
        auto memory = std::make_shared<Memory>(capacity);
        const std::span<const T> old = span();
        std::copy(old.begin(), old.end(), memory->elements());
        memory->used = m_size;
        m_memory = std::move(memory);
    }

    std::shared_ptr<Memory> m_memory;
    std::size_t m_size = 0;
};

}  // namespace tracedeck
