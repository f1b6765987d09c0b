// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/judge/cuda/kernels.h"

namespace tracedeck::judge {

/// Device::glimpse() on addresses. Copies from the GPU by its copy engine need no processor of it, so the context of the host stays
/// where it is and goes on with whatever it had not finished; a kernel of the judge would wait for that.
class Glimpses {
public:
    Glimpses() = default;
    ~Glimpses();
    Glimpses(const Glimpses&) = delete;
    Glimpses& operator=(const Glimpses&) = delete;

    struct Area {
        const std::uint8_t* data = nullptr;
        std::size_t bytes = 0;
    };
    /// Begins to copy the end of each area and some other place of it, as they are now. Areas after the first kMostAreas are left out.
    void take(std::span<const Area> areas);
    /// For each take() since the last call of this: whether these places hold something else once `launch`'s stream has had its turn
    /// on the GPU.
    std::vector<bool> changed(const kernels::Launch& launch, void* scratch);

    static constexpr std::size_t kMostAreas = 4;

private:
    static constexpr std::size_t kPlaceBytes = 1024;
    static constexpr std::size_t kMostPlaces = 256;
    struct Place {
        const std::uint8_t* data;
        std::size_t bytes;
        std::size_t glimpse;   ///< which take() it belongs to
    };
    void add(const std::uint8_t* data, std::size_t bytes);
    [[nodiscard]] std::uint8_t* seen(std::size_t place) const { return m_pinned + place * kPlaceBytes; }
    [[nodiscard]] std::uint8_t* seenLater(std::size_t place) const { return m_pinned + (kMostPlaces + place) * kPlaceBytes; }

    cudaStream_t m_stream = nullptr;
    std::uint8_t* m_pinned = nullptr;   ///< twice kMostPlaces times kPlaceBytes
    std::vector<Place> m_places;
    std::size_t m_count = 0;            ///< calls of take()
};

}  // namespace tracedeck::judge
