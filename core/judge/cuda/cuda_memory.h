// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/judge/cuda/driver.h"
#include "core/judge/cuda/glimpses.h"
#include "core/judge/cuda/kernels.h"
#include "core/model/result.h"

namespace tracedeck::judge {

/// Throws DeviceFailure unless the call succeeded.
void checkCuda(cudaError_t code, std::string_view what);

/// The judge's stream on one GPU, its scratch memory, and the private memory that it reuses.
class CudaMemory {
public:
    /// Makes the context of the GPU with this ordinal of the CUDA runtime. Error Unsupported when the build has no code for it.
    static Result<std::shared_ptr<CudaMemory>> open(const cuda::Driver& driver, int ordinal);
    ~CudaMemory();
    CudaMemory(const CudaMemory&) = delete;
    CudaMemory& operator=(const CudaMemory&) = delete;

    [[nodiscard]] const cuda::Driver& driver() const { return m_driver; }
    [[nodiscard]] int ordinal() const { return m_ordinal; }
    [[nodiscard]] const std::string& hardware() const { return m_hardware; }
    [[nodiscard]] const kernels::Launch& launch() const { return m_launch; }
    [[nodiscard]] cudaStream_t stream() const { return m_launch.stream; }
    /// Multiple that shared memory comes in.
    [[nodiscard]] std::size_t granularity() const { return m_granularity; }
    void synchronise() const;

    /// Private memory: at least as much as was asked for.
    struct Piece {
        void* data = nullptr;
        std::size_t capacity = 0;
    };
    /// Uninitialised but for the bytes that fill up a vector. Error Io when the GPU has too little left.
    Result<Piece> allocate(std::size_t bytes);
    /// Takes back what allocate() gave. Work on the stream may still use it: the next owner's comes after.
    void free(Piece piece) noexcept;
    /// Gives unused private memory back to the GPU.
    void releaseUnused() noexcept;
    /// How much is missing: the error of an allocation that failed for lack of memory.
    [[nodiscard]] Error outOfMemory(std::size_t bytes) const;

    /// A number in device memory that a kernel changes, set to `before`, and its value after all work so far.
    [[nodiscard]] unsigned* preparedWord(unsigned before) const;
    [[nodiscard]] unsigned readWord() const;
    /// The same for 64 bits, set to 0.
    [[nodiscard]] unsigned long long* preparedSum() const;
    [[nodiscard]] std::uint64_t readSum() const;
    [[nodiscard]] kernels::CompareTotals* partials() const { return m_partials; }
    [[nodiscard]] kernels::CompareTotals* total() const { return m_partials + m_launch.blocks; }
    [[nodiscard]] kernels::CompareTotals readTotal() const;

    /// Starts looking for the first block with a broken red zone; zoneFinding() tells it once the stream has been waited for.
    void beginZoneCheck(std::span<const kernels::RedZones> blocks);
    /// Its index, or kNoBlock.
    [[nodiscard]] unsigned zoneFinding() const { return *m_zoneFinding; }
    static constexpr unsigned kNoBlock = ~0U;

    /// Copy of normalTables() on the GPU.
    [[nodiscard]] const NormalTables* tables() const { return static_cast<const NormalTables*>(m_tables); }

    /// Fills a buffer of twice the L2 cache's size with zeros, as flashinfer-bench does (benchmark §3.2): whether the lines that push
    /// the inputs out are clean or have to be written back shows in times of a few microseconds, so that another way to evict would
    /// give figures that can't be compared.
    void sweepCache();
    [[nodiscard]] std::size_t sweepBytes() const { return m_sweepBytes; }
    [[nodiscard]] std::uint64_t totalBytes() const { return m_totalBytes; }

    /// Device::hideWords() and revealWords() on addresses.
    void hideWords(std::span<const kernels::WordSwap> words);
    void revealWords(std::size_t call, std::size_t count);
    [[nodiscard]] Glimpses& glimpses() { return m_glimpses; }

private:
    CudaMemory(const cuda::Driver& driver, int ordinal) : m_driver(driver), m_ordinal(ordinal) {}
    Result<void> prepare();

    const cuda::Driver& m_driver;
    int m_ordinal;
    std::string m_hardware;
    kernels::Launch m_launch;
    std::size_t m_granularity = 0;
    kernels::CompareTotals* m_partials = nullptr;   ///< one a block, and the total
    unsigned long long* m_word = nullptr;           ///< device memory
    void* m_pinned = nullptr;                       ///< host memory for results
    unsigned* m_zoneWord = nullptr;                 ///< device memory, for red zones alone
    unsigned* m_zoneFinding = nullptr;              ///< host memory that it is copied to
    void* m_tables = nullptr;
    void* m_sweep = nullptr;
    std::size_t m_sweepBytes = 0;
    std::uint64_t m_totalBytes = 0;
    kernels::WordSwap* m_swaps = nullptr;           ///< pinned host memory, kMostHidden of them
    kernels::HiddenValue* m_hiddenValues = nullptr; ///< the same
    std::vector<CUdeviceptr> m_hidden;              ///< their places
    Glimpses m_glimpses;
    std::multimap<std::size_t, void*> m_unused;     ///< by capacity
    std::size_t m_unusedBytes = 0;
};

}  // namespace tracedeck::judge
