// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/cuda/cuda_memory.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "core/judge/device.h"

namespace tracedeck::judge {

namespace {

constexpr std::size_t kPrivateGranularity = 1024;
/// Private memory that is kept for the next snapshot: allocating and freeing stops the whole GPU for some 100 µs.
constexpr std::size_t kMostUnusedBytes = std::size_t{512} << 20;
constexpr std::uint64_t kUnusedShare = 32;   // or this part of the GPU's memory, if that is more
/// So much larger may a piece be than what is needed, or a quarter.
constexpr std::size_t kSmallWaste = std::size_t{1} << 20;
constexpr std::size_t kSweepFactor = 2;                          // sizes of the L2 cache
constexpr std::size_t kAssumedL2Bytes = std::size_t{64} << 20;   // where the runtime tells none

std::size_t roundedUp(std::size_t bytes, std::size_t granularity)
{
    return std::max<std::size_t>(1, (bytes + granularity - 1) / granularity) * granularity;
}

Error unusableGpu(std::string reason)
{
    return Error{ErrorCode::Unsupported, std::move(reason), {}, 0, {}};
}

}  // namespace

void checkCuda(cudaError_t code, std::string_view what)
{
    if (code != cudaSuccess) {
        throw DeviceFailure(fmt::format("{}: {} ({})", what, cudaGetErrorString(code), cudaGetErrorName(code)));
    }
}

Result<std::shared_ptr<CudaMemory>> CudaMemory::open(const cuda::Driver& driver, int ordinal)
{
    std::shared_ptr<CudaMemory> memory(new CudaMemory(driver, ordinal));
    try {
        if (auto prepared = memory->prepare(); !prepared) {
            return prepared.error();
        }
    } catch (const DeviceFailure& failure) {
        return unusableGpu(failure.what());
    }
    return memory;
}

Result<void> CudaMemory::prepare()
{
    checkCuda(cudaSetDevice(m_ordinal), "making a context on the GPU");
    cudaDeviceProp properties{};
    checkCuda(cudaGetDeviceProperties(&properties, m_ordinal), "asking for the GPU's properties");
    m_hardware = properties.name;
    int sharesMemory = 0;
    CUdevice device = 0;
    if (m_driver.cuDeviceGet(&device, m_ordinal) != CUDA_SUCCESS ||
        m_driver.cuDeviceGetAttribute(&sharesMemory, CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED, device) != CUDA_SUCCESS ||
        sharesMemory == 0) {
        return unusableGpu(fmt::format("{} can't share memory between processes by descriptors", m_hardware));
    }
    const CUmemAllocationProp shared = cuda::sharedMemoryProperties(m_ordinal);
    if (const CUresult code = m_driver.cuMemGetAllocationGranularity(&m_granularity, &shared, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
        code != CUDA_SUCCESS || m_granularity == 0) {
        return unusableGpu(fmt::format("{} does not say in what sizes it shares memory: {}", m_hardware, m_driver.describe(code)));
    }
    m_launch.blocks = kernels::blocksFor(properties.multiProcessorCount);
    checkCuda(cudaStreamCreateWithFlags(&m_launch.stream, cudaStreamNonBlocking), "making a stream");
    checkCuda(cudaMalloc(reinterpret_cast<void**>(&m_partials), (m_launch.blocks + 1) * sizeof(kernels::CompareTotals)), "allocating scratch memory");
    checkCuda(cudaMalloc(reinterpret_cast<void**>(&m_word), sizeof(*m_word)), "allocating scratch memory");
    checkCuda(cudaMallocHost(&m_pinned, std::max(sizeof(kernels::CompareTotals), sizeof(*m_word))), "allocating pinned memory");
    checkCuda(cudaMalloc(reinterpret_cast<void**>(&m_zoneWord), sizeof(*m_zoneWord)), "allocating scratch memory");
    checkCuda(cudaMallocHost(reinterpret_cast<void**>(&m_zoneFinding), sizeof(*m_zoneFinding)), "allocating pinned memory");
    *m_zoneFinding = kNoBlock;
    checkCuda(cudaMallocHost(reinterpret_cast<void**>(&m_swaps), kernels::kMostHidden * sizeof(*m_swaps)), "allocating pinned memory");
    checkCuda(cudaMallocHost(reinterpret_cast<void**>(&m_hiddenValues), kernels::kMostHidden * sizeof(*m_hiddenValues)), "allocating pinned memory");
    m_totalBytes = properties.totalGlobalMem;
    const std::size_t cacheBytes = properties.l2CacheSize > 0 ? static_cast<std::size_t>(properties.l2CacheSize) : kAssumedL2Bytes;
    m_sweepBytes = roundedUp(kSweepFactor * cacheBytes, kPrivateGranularity);
    checkCuda(cudaMalloc(&m_sweep, m_sweepBytes), "allocating memory to evict the cache with");
    checkCuda(cudaMalloc(&m_tables, sizeof(NormalTables)), "allocating tables of random values");
    checkCuda(cudaMemcpy(m_tables, &normalTables(), sizeof(NormalTables), cudaMemcpyHostToDevice), "writing tables of random values");
    // The judge's own lines never persist; a host's are reset before each call. Not every GPU has this limit.
    if (cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0) != cudaSuccess) {
        static_cast<void>(cudaGetLastError());
    }
    // One small kernel: a build without code for this GPU fails here.
    const cudaError_t launched = kernels::fillPattern(m_launch, m_word, sizeof(*m_word), {});
    const cudaError_t finished = launched == cudaSuccess ? cudaStreamSynchronize(m_launch.stream) : launched;
    if (finished != cudaSuccess) {
        return unusableGpu(fmt::format("the judge's kernels don't run on {} (compute capability {}.{}): {}", m_hardware, properties.major,
                                       properties.minor, cudaGetErrorString(finished)));
    }
    return {};
}

CudaMemory::~CudaMemory()
{
    // Failures here mean that the context is gone, and the memory with it.
    if (m_launch.stream != nullptr) {
        static_cast<void>(cudaStreamSynchronize(m_launch.stream));
    }
    releaseUnused();
    static_cast<void>(cudaFree(m_tables));
    static_cast<void>(cudaFree(m_sweep));
    static_cast<void>(cudaFree(m_zoneWord));
    static_cast<void>(cudaFreeHost(m_zoneFinding));
    static_cast<void>(cudaFreeHost(m_swaps));
    static_cast<void>(cudaFreeHost(m_hiddenValues));
    static_cast<void>(cudaFreeHost(m_pinned));
    static_cast<void>(cudaFree(m_word));
    static_cast<void>(cudaFree(m_partials));
    if (m_launch.stream != nullptr) {
        static_cast<void>(cudaStreamDestroy(m_launch.stream));
    }
}

void CudaMemory::synchronise() const
{
    checkCuda(cudaStreamSynchronize(m_launch.stream), "waiting for the GPU");
}

Result<CudaMemory::Piece> CudaMemory::allocate(std::size_t bytes)
{
    Piece piece{nullptr, roundedUp(bytes, kPrivateGranularity)};
    // Workloads of a definition differ in size: a piece that is somewhat larger does as well.
    const auto unused = m_unused.lower_bound(piece.capacity);
    if (unused != m_unused.end() && unused->first - piece.capacity <= std::max(piece.capacity / 4, kSmallWaste)) {
        piece = {unused->second, unused->first};
        m_unused.erase(unused);
        m_unusedBytes -= piece.capacity;
    } else {
        cudaError_t code = cudaMalloc(&piece.data, piece.capacity);
        if (code == cudaErrorMemoryAllocation) {
            static_cast<void>(cudaGetLastError());
            releaseUnused();
            code = cudaMalloc(&piece.data, piece.capacity);
        }
        if (code == cudaErrorMemoryAllocation) {
            static_cast<void>(cudaGetLastError());
            return outOfMemory(bytes);
        }
        checkCuda(code, "allocating memory");
    }
    // Kernels read whole vectors: what is beyond the end decides nothing, but it is never undefined.
    if (piece.capacity != bytes) {
        checkCuda(cudaMemsetAsync(static_cast<std::byte*>(piece.data) + bytes, 0, std::min<std::size_t>(piece.capacity - bytes, 16), m_launch.stream),
                  "clearing memory");
    }
    return piece;
}

void CudaMemory::free(Piece piece) noexcept
{
    // Giving memory back waits for the whole GPU.
    if (m_unusedBytes + piece.capacity <= std::max<std::uint64_t>(kMostUnusedBytes, m_totalBytes / kUnusedShare)) {
        try {
            m_unused.emplace(piece.capacity, piece.data);
            m_unusedBytes += piece.capacity;
            return;
        } catch (const std::bad_alloc&) {
            // Not kept, then.
        }
    }
    static_cast<void>(cudaFree(piece.data));
}

void CudaMemory::releaseUnused() noexcept
{
    for (const auto& [bytes, memory] : m_unused) {
        static_cast<void>(cudaFree(memory));
    }
    m_unused.clear();
    m_unusedBytes = 0;
}

Error CudaMemory::outOfMemory(std::size_t bytes) const
{
    std::size_t free = 0;
    std::size_t total = 0;
    checkCuda(cudaMemGetInfo(&free, &total), "asking for the free memory");
    return Error{ErrorCode::Io,
                 fmt::format("out of memory on {}: {} bytes needed, {} of {} bytes free", m_hardware, bytes, free, total), {}, 0, {}};
}

void CudaMemory::beginZoneCheck(std::span<const kernels::RedZones> blocks)
{
    checkCuda(cudaMemsetAsync(m_zoneWord, 0xFF, sizeof(*m_zoneWord), m_launch.stream), "preparing a result");   // kNoBlock
    for (std::size_t begin = 0; begin < blocks.size(); begin += kernels::kRedZoneBatch) {
        const auto batch = blocks.subspan(begin, std::min(kernels::kRedZoneBatch, blocks.size() - begin));
        checkCuda(kernels::checkRedZones(m_launch, batch, static_cast<unsigned>(begin), m_zoneWord), "checking red zones");
    }
    checkCuda(cudaMemcpyAsync(m_zoneFinding, m_zoneWord, sizeof(*m_zoneWord), cudaMemcpyDeviceToHost, m_launch.stream), "reading a result");
}

unsigned* CudaMemory::preparedWord(unsigned before) const
{
    std::memcpy(m_pinned, &before, sizeof(before));
    checkCuda(cudaMemcpyAsync(m_word, m_pinned, sizeof(before), cudaMemcpyHostToDevice, m_launch.stream), "preparing a result");
    return reinterpret_cast<unsigned*>(m_word);
}

unsigned CudaMemory::readWord() const
{
    unsigned word = 0;
    checkCuda(cudaMemcpyAsync(m_pinned, m_word, sizeof(word), cudaMemcpyDeviceToHost, m_launch.stream), "reading a result");
    synchronise();
    std::memcpy(&word, m_pinned, sizeof(word));
    return word;
}

unsigned long long* CudaMemory::preparedSum() const
{
    checkCuda(cudaMemsetAsync(m_word, 0, sizeof(*m_word), m_launch.stream), "preparing a result");
    return m_word;
}

std::uint64_t CudaMemory::readSum() const
{
    std::uint64_t sum = 0;
    static_assert(sizeof(sum) == sizeof(*m_word));
    checkCuda(cudaMemcpyAsync(m_pinned, m_word, sizeof(sum), cudaMemcpyDeviceToHost, m_launch.stream), "reading a result");
    synchronise();
    std::memcpy(&sum, m_pinned, sizeof(sum));
    return sum;
}

kernels::CompareTotals CudaMemory::readTotal() const
{
    kernels::CompareTotals result{};
    checkCuda(cudaMemcpyAsync(m_pinned, total(), sizeof(result), cudaMemcpyDeviceToHost, m_launch.stream), "reading a result");
    synchronise();
    std::memcpy(&result, m_pinned, sizeof(result));
    return result;
}

void CudaMemory::hideWords(std::span<const kernels::WordSwap> words)
{
    // The kernel that read them last must be through before they are written.
    if (!m_hidden.empty()) {
        synchronise();
    }
    m_hidden.clear();
    for (std::size_t i = 0; i < words.size(); ++i) {
        m_swaps[i] = words[i];
        m_hidden.push_back(reinterpret_cast<CUdeviceptr>(words[i].word));
    }
    checkCuda(kernels::hideWords(m_launch, m_swaps, m_hiddenValues, words.size()), "hiding words of the inputs");
}

void CudaMemory::revealWords(std::size_t call, std::size_t count)
{
    if (count == 0) {
        return;
    }
    // Memory operations of a stream need no processor of the GPU: the host's context stays where it is.
    std::vector<CUstreamBatchMemOpParams> operations;
    const auto write = [&](std::size_t word, std::uint32_t value) {
        CUstreamBatchMemOpParams& operation = operations.emplace_back();
        operation.writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
        operation.writeValue.address = m_hidden.at(word);
        operation.writeValue.value = value;
        operation.writeValue.flags = CU_STREAM_WRITE_VALUE_DEFAULT;
    };
    for (std::size_t word = call * count; word < (call + 1) * count; ++word) {
        write(word, m_hiddenValues[word].truth);
    }
    for (std::size_t word = call == 0 ? 0 : (call - 1) * count; word < call * count; ++word) {
        write(word, m_hiddenValues[word].decoy);
    }
    const CUresult code =
        m_driver.cuStreamBatchMemOp(m_launch.stream, static_cast<unsigned>(operations.size()), operations.data(), 0);
    if (code != CUDA_SUCCESS) {
        throw DeviceFailure(fmt::format("revealing words of the inputs: {}", m_driver.describe(code)));
    }
    synchronise();
}

void CudaMemory::sweepCache()
{
    checkCuda(cudaCtxResetPersistingL2Cache(), "resetting persisting cache lines");
    checkCuda(kernels::fillPattern(m_launch, m_sweep, m_sweepBytes, {}), "evicting the cache");
}

}  // namespace tracedeck::judge
