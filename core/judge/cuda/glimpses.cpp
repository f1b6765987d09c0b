// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/cuda/glimpses.h"

#include <algorithm>
#include <cstring>

#include "core/judge/cuda/cuda_memory.h"
#include "core/judge/system_random.h"

namespace tracedeck::judge {

Glimpses::~Glimpses()
{
    // Failures here mean that the context is gone.
    if (m_stream != nullptr) {
        static_cast<void>(cudaStreamSynchronize(m_stream));
        static_cast<void>(cudaStreamDestroy(m_stream));
    }
    static_cast<void>(cudaFreeHost(m_pinned));
}

void Glimpses::add(const std::uint8_t* data, std::size_t bytes)
{
    if (bytes == 0 || m_places.size() == kMostPlaces) {
        return;
    }
    m_places.push_back({data, bytes, m_count});
    checkCuda(cudaMemcpyAsync(seen(m_places.size() - 1), data, bytes, cudaMemcpyDeviceToHost, m_stream), "looking at outputs");
}

void Glimpses::take(std::span<const Area> areas)
{
    if (m_stream == nullptr) {
        checkCuda(cudaStreamCreateWithFlags(&m_stream, cudaStreamNonBlocking), "making a stream");
        checkCuda(cudaMallocHost(reinterpret_cast<void**>(&m_pinned), 2 * kMostPlaces * kPlaceBytes), "allocating pinned memory");
    }
    areas = areas.first(std::min(areas.size(), kMostAreas));
    // What is written last is most often the end, and the first copy is the one that comes in time.
    for (const Area& area : areas) {
        const std::size_t bytes = std::min(area.bytes, kPlaceBytes);
        add(area.data + (area.bytes - bytes), bytes);
    }
    for (const Area& area : areas) {
        if (area.bytes > 2 * kPlaceBytes) {
            constexpr std::size_t kWord = 4;
            const std::size_t words = (area.bytes - 2 * kPlaceBytes) / kWord;
            add(area.data + systemRandom() % (words + 1) * kWord, kPlaceBytes);
        }
    }
    ++m_count;
}

std::vector<bool> Glimpses::changed(const kernels::Launch& launch, void* scratch)
{
    std::vector<bool> changed(m_count, false);
    if (!m_places.empty()) {
        checkCuda(cudaStreamSynchronize(m_stream), "looking at outputs");
        // A kernel first: its turn comes when the host's work has had its own.
        checkCuda(kernels::fillPattern(launch, scratch, sizeof(std::uint64_t), {}), "looking at outputs again");
        for (std::size_t i = 0; i < m_places.size(); ++i) {
            checkCuda(cudaMemcpyAsync(seenLater(i), m_places[i].data, m_places[i].bytes, cudaMemcpyDeviceToHost, launch.stream), "looking at outputs again");
        }
        checkCuda(cudaStreamSynchronize(launch.stream), "looking at outputs again");
    }
    for (std::size_t i = 0; i < m_places.size(); ++i) {
        if (std::memcmp(seen(i), seenLater(i), m_places[i].bytes) != 0) {
            changed[m_places[i].glimpse] = true;
        }
    }
    m_places.clear();
    m_count = 0;
    return changed;
}

}  // namespace tracedeck::judge
