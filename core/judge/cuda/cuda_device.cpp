// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/cuda/cuda_device.h"

#include <sys/random.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "core/io/file_descriptor.h"
#include "core/judge/cpu/random_fill.h"
#include "core/judge/cuda/cuda_memory.h"
#include "core/judge/number_formats.h"
#include "core/run/gpu_list.h"

namespace tracedeck::judge {

namespace {

Error gpuError(ErrorCode code, std::string reason)
{
    return Error{code, std::move(reason), {}, 0, {}};
}

/// Memory of the GPU that hosts can map, for one tensor and nothing else.
class CudaBlock {
public:
    CudaBlock(std::shared_ptr<CudaMemory> memory, cuda::MappedMemory mapped, FileDescriptor descriptor)
        : m_memory(std::move(memory)), m_mapped(std::move(mapped)), m_descriptor(std::move(descriptor))
    {
    }
    ~CudaBlock()
    {
        // Nothing on the stream may still use what is unmapped now. Failure means that the context is gone, and the block with it.
        static_cast<void>(cudaStreamSynchronize(m_memory->stream()));
    }
    CudaBlock(const CudaBlock&) = delete;
    CudaBlock& operator=(const CudaBlock&) = delete;

    [[nodiscard]] std::uint8_t* begin() const { return reinterpret_cast<std::uint8_t*>(m_mapped.address()); }
    [[nodiscard]] std::size_t bytes() const { return m_mapped.bytes(); }
    [[nodiscard]] int descriptor() const { return m_descriptor.get(); }

private:
    std::shared_ptr<CudaMemory> m_memory;
    cuda::MappedMemory m_mapped;
    FileDescriptor m_descriptor;
};

/// Red zone · data · red zone: a block, or a slot of one.
class CudaBuffer final : public SharedBuffer {
public:
    /// Takes bytes [begin, end) of the block.
    CudaBuffer(std::shared_ptr<CudaBlock> block, std::size_t begin, std::size_t end, std::size_t bytes)
        : m_block(std::move(block)), m_begin(begin), m_bytes(bytes)
    {
        m_zones.block = m_block->begin() + begin;
        m_zones.dataBegin = kRedZoneBytes;
        m_zones.dataEnd = kRedZoneBytes + bytes;
        m_zones.blockEnd = end - begin;
        // The pattern differs from buffer to buffer, so that one red zone can't be restored from another.
        if (::getrandom(m_zones.zone.bytes.data(), m_zones.zone.bytes.size(), 0) != static_cast<ssize_t>(m_zones.zone.bytes.size())) {
            m_zones.zone.bytes.fill(0xC7);
        }
    }

    [[nodiscard]] std::size_t bytes() const override { return m_bytes; }
    [[nodiscard]] std::size_t blockBytes() const override { return m_block->bytes(); }
    [[nodiscard]] int descriptor() const override { return m_block->descriptor(); }
    [[nodiscard]] std::size_t dataOffset() const override { return m_begin + kRedZoneBytes; }
    [[nodiscard]] std::uint8_t* data() const { return m_zones.block + m_zones.dataBegin; }
    [[nodiscard]] const CudaBlock* block() const { return m_block.get(); }
    [[nodiscard]] const kernels::RedZones& zones() const { return m_zones; }

private:
    std::shared_ptr<CudaBlock> m_block;
    std::size_t m_begin;
    std::size_t m_bytes;
    kernels::RedZones m_zones{};
};

class CudaPrivateBuffer final : public PrivateBuffer {
public:
    CudaPrivateBuffer(std::shared_ptr<CudaMemory> memory, CudaMemory::Piece piece, std::size_t bytes) : m_memory(std::move(memory)), m_piece(piece), m_bytes(bytes) {}
    ~CudaPrivateBuffer() override { m_memory->free(m_piece); }
    CudaPrivateBuffer(const CudaPrivateBuffer&) = delete;
    CudaPrivateBuffer& operator=(const CudaPrivateBuffer&) = delete;

    [[nodiscard]] std::size_t bytes() const override { return m_bytes; }
    [[nodiscard]] void* data() const { return m_piece.data; }

private:
    std::shared_ptr<CudaMemory> m_memory;
    CudaMemory::Piece m_piece;
    std::size_t m_bytes;
};

const CudaBuffer& onGpu(const SharedBuffer& buffer) { return static_cast<const CudaBuffer&>(buffer); }
const CudaPrivateBuffer& onGpu(const PrivateBuffer& buffer) { return static_cast<const CudaPrivateBuffer&>(buffer); }

/// Buffers that lie at equal distances in one block, as slots do: how many, and how far apart. Otherwise a count of 1.
kernels::Copies copiesOf(std::span<SharedBuffer* const> buffers)
{
    if (buffers.size() < 2 || buffers.size() > kernels::kMostCopies) {
        return {};
    }
    const CudaBuffer& first = onGpu(*buffers[0]);
    const auto stride = onGpu(*buffers[1]).data() - first.data();
    for (std::size_t i = 1; i < buffers.size(); ++i) {
        const CudaBuffer& buffer = onGpu(*buffers[i]);
        if (buffer.block() != first.block() || buffer.bytes() != first.bytes() || stride < 0 ||
            buffer.data() - first.data() != static_cast<std::ptrdiff_t>(i) * stride) {
            return {};
        }
    }
    return {static_cast<unsigned>(buffers.size()), static_cast<std::uint64_t>(stride)};
}

/// The poison of one call, as it repeats.
kernels::Pattern poisonPattern(DType dtype, std::uint64_t pattern)
{
    const std::uint64_t element = poisonElement(dtype, pattern);
    const auto width = static_cast<std::size_t>(std::max(1, bitWidth(dtype) / 8));
    kernels::Pattern repeated{};
    for (std::size_t i = 0; i < repeated.bytes.size(); i += width) {
        std::memcpy(repeated.bytes.data() + i, &element, width);   // little endian: the low bytes are the element
    }
    return repeated;
}

std::vector<std::byte> downloadFrom(const CudaMemory& memory, const void* data, std::size_t bytes)
{
    std::vector<std::byte> contents(bytes);
    if (bytes != 0) {
        checkCuda(cudaMemcpyAsync(contents.data(), data, bytes, cudaMemcpyDeviceToHost, memory.stream()), "reading from the GPU");
        memory.synchronise();
    }
    return contents;
}

Result<void> copyOnGpu(const CudaMemory& memory, void* to, std::size_t bytes, const void* from, std::size_t given)
{
    if (bytes != given) {
        return gpuError(ErrorCode::InvalidInput, fmt::format("{} bytes for a tensor of {} bytes", given, bytes));
    }
    if (bytes != 0) {
        checkCuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, memory.stream()), "copying on the GPU");
    }
    return {};
}

bool equalOnGpu(const CudaMemory& memory, const void* one, const void* two, std::size_t bytes)
{
    checkCuda(kernels::findDifference(memory.launch(), one, two, bytes, memory.preparedWord(0)), "comparing bytes");
    return memory.readWord() == 0;
}

std::uint64_t checksumOnGpu(const CudaMemory& memory, const void* data, std::size_t bytes)
{
    checkCuda(kernels::checksum(memory.launch(), data, bytes, memory.preparedSum()), "summing bytes");
    return memory.readSum() + kernels::mixWord(bytes, std::numeric_limits<std::uint64_t>::max());
}

/// A non-negative float's bits, or those of a NaN.
double errorOfKey(std::uint32_t key)
{
    return key > 0x7F800000U ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(std::bit_cast<float>(key));
}

/// What Comparison::poisoned says of the codes that the kernel counted: as the cpu device does (cpu/comparison.cpp), the narrow
/// integer formats count only when wholly untouched.
std::uint64_t poisonedElements(DType dtype, std::uint64_t elements, std::uint64_t codes)
{
    switch (dtype) {
    case DType::Int16: return codes == elements && elements >= 4 ? codes : 0;
    case DType::Int8:
    case DType::Float4E2M1: {
        const std::uint64_t bytes = byteSize(dtype, elements);
        return codes == bytes && bytes >= 8 ? elements : 0;
    }
    default: return codes;
    }
}

/// "GPU-8a3f…" without what the driver puts before the number.
std::string uuidText(const CUuuid& uuid)
{
    std::string text;
    for (std::size_t i = 0; i < sizeof(uuid.bytes); ++i) {
        text += fmt::format("{}{:02x}", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", static_cast<unsigned char>(uuid.bytes[i]));
    }
    return text;
}

/// Number of the GPU in the CUDA runtime, which hides and orders them by rules of its own.
Result<int> ordinalOf(const cuda::Driver& driver, const GpuInfo& gpu)
{
    int count = 0;
    if (const cudaError_t code = cudaGetDeviceCount(&count); code != cudaSuccess) {
        return gpuError(ErrorCode::Unsupported, fmt::format("CUDA can't be used: {}", cudaGetErrorString(code)));
    }
    const std::string wanted = gpu.visibleName();
    for (int ordinal = 0; ordinal < count; ++ordinal) {
        CUdevice device = 0;
        CUuuid uuid{};
        if (driver.cuDeviceGet(&device, ordinal) == CUDA_SUCCESS && driver.cuDeviceGetUuid(&uuid, device) == CUDA_SUCCESS &&
            wanted.ends_with("-" + uuidText(uuid))) {
            return ordinal;
        }
    }
    if (gpu.migEnabled && wanted.empty()) {
        return gpuError(ErrorCode::Unsupported, fmt::format("cuda:{} ({}) is in MIG mode and has no instance", gpu.index, gpu.name));
    }
    return gpuError(ErrorCode::NotFound, fmt::format("cuda:{} ({}, {}) is there, but CUDA shows this process {} other GPUs only", gpu.index, gpu.name,
                                                      wanted, count));
}

}  // namespace

/// Which GPU it is, beside its memory.
class CudaDeviceIdentity {
public:
    unsigned index = 0;
    std::string visibleName;
    std::string driverVersion;
};

CudaDevice::CudaDevice(std::shared_ptr<CudaMemory> memory, CudaDeviceIdentity identity)
    : m_memory(std::move(memory)), m_identity(std::make_unique<CudaDeviceIdentity>(std::move(identity)))
{
}

CudaDevice::~CudaDevice() = default;

Result<std::unique_ptr<Device>> CudaDevice::create(unsigned index)
{
    const auto driver = cuda::openDriver();
    if (!driver) {
        return driver.error();
    }
    const auto list = listGpus();
    if (!list) {
        return list.error();
    }
    const auto gpu = std::ranges::find(list->gpus, index, &GpuInfo::index);
    if (gpu == list->gpus.end()) {
        return gpuError(ErrorCode::NotFound, fmt::format("there is no device `cuda:{}` among the {} GPUs that this process may use{}", index,
                                                          list->gpus.size(),
                                                          std::getenv("CUDA_VISIBLE_DEVICES") != nullptr ? " (CUDA_VISIBLE_DEVICES is set)" : ""));
    }
    const auto ordinal = ordinalOf(**driver, *gpu);
    if (!ordinal) {
        return ordinal.error();
    }
    auto memory = CudaMemory::open(**driver, *ordinal);
    if (!memory) {
        return memory.error();
    }
    return std::unique_ptr<Device>(new CudaDevice(std::move(*memory), {index, gpu->visibleName(), list->driverVersion}));
}

std::string CudaDevice::name() const
{
    return fmt::format("cuda:{}", m_identity->index);
}

std::string CudaDevice::hardware() const
{
    return m_memory->hardware();
}

std::string CudaDevice::visibleName() const
{
    return m_identity->visibleName;
}

std::map<std::string, std::string> CudaDevice::libs() const
{
    return {{"driver", m_identity->driverVersion}};
}

std::optional<GpuState> CudaDevice::state() const
{
    auto state = gpuClocks(m_identity->index);
    return state ? std::optional<GpuState>(std::move(*state)) : std::nullopt;
}

std::optional<DevicePeaks> CudaDevice::peaks() const
{
    // The driver takes a millisecond to tell its clock rates, which are the highest ones and do not change.
    if (!m_peaks) {
        m_peaks = findPeaks();
    }
    return m_peaks;
}

DevicePeaks CudaDevice::findPeaks() const
{
    const auto attribute = [this](CUdevice_attribute which) {
        int value = 0;
        return m_memory->driver().cuDeviceGetAttribute(&value, which, m_memory->ordinal()) == CUDA_SUCCESS ? static_cast<double>(value) : 0.0;
    };
    constexpr double kHertzOfKilohertz = 1e3;
    constexpr double kTransfersAClock = 2;   // double data rate
    DevicePeaks peaks;
    peaks.memoryBytesPerSecond = attribute(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE) * kHertzOfKilohertz * kTransfersAClock *
                                 attribute(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH) / 8;
    peaks.cacheBytes = attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
    const double clocks = attribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE) * kHertzOfKilohertz * attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    const auto major = static_cast<int>(attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR));
    for (const auto& [dtype, rate] : operationsPerClock(major, static_cast<int>(attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)))) {
        peaks.operationsPerSecond[dtype] = rate * clocks;
    }
    return peaks;
}

void CudaDevice::releaseUnused()
{
    m_memory->releaseUnused();
}

void CudaDevice::synchronise()
{
    m_memory->synchronise();
}

Result<std::unique_ptr<SharedBuffer>> CudaDevice::allocate(std::size_t bytes)
{
    auto slots = allocateSlots(bytes, 1);
    return slots ? Result<std::unique_ptr<SharedBuffer>>(std::move(slots->front())) : Result<std::unique_ptr<SharedBuffer>>(slots.error());
}

Result<std::vector<std::unique_ptr<SharedBuffer>>> CudaDevice::allocateSlots(std::size_t bytes, std::size_t count)
{
    const std::size_t granularity = m_memory->granularity();
    if (count == 0 || bytes > std::numeric_limits<std::size_t>::max() / 4 / count) {
        return m_memory->outOfMemory(bytes);
    }
    // Data begins at multiples of kRedZoneBytes in every slot: where a tensor lies must not show in its time.
    const std::size_t slotBytes = 2 * kRedZoneBytes + (bytes + kRedZoneBytes - 1) / kRedZoneBytes * kRedZoneBytes;
    const std::size_t blockBytes = (count * slotBytes + granularity - 1) / granularity * granularity;
    const cuda::Driver& driver = m_memory->driver();
    cuda::MappedMemory mapped;
    CUresult code = cuda::MappedMemory::create(driver, m_memory->ordinal(), blockBytes, mapped);
    if (code == CUDA_ERROR_OUT_OF_MEMORY) {
        m_memory->releaseUnused();
        code = cuda::MappedMemory::create(driver, m_memory->ordinal(), blockBytes, mapped);
    }
    if (code == CUDA_ERROR_OUT_OF_MEMORY) {
        return m_memory->outOfMemory(blockBytes);
    }
    if (code != CUDA_SUCCESS) {
        throw DeviceFailure(fmt::format("allocating memory to share: {}", driver.describe(code)));
    }
    int descriptor = -1;
    if (code = mapped.exportDescriptor(descriptor); code != CUDA_SUCCESS) {
        return gpuError(ErrorCode::Io, fmt::format("no descriptor for GPU memory: {}", driver.describe(code)));
    }
    auto block = std::make_shared<CudaBlock>(m_memory, std::move(mapped), FileDescriptor(descriptor));
    std::vector<std::unique_ptr<SharedBuffer>> slots;
    for (std::size_t i = 0; i < count; ++i) {
        auto buffer = std::make_unique<CudaBuffer>(block, i * slotBytes, i + 1 == count ? blockBytes : (i + 1) * slotBytes, bytes);
        checkCuda(kernels::writeRedZones(m_memory->launch(), buffer->zones()), "writing red zones");
        slots.push_back(std::move(buffer));
    }
    return slots;
}

std::size_t CudaDevice::slotsFor(std::uint64_t bytesOfCall) const
{
    // As many as the default's warm-ups and counted calls divide into; evaluations that are prepared ahead have theirs, too.
    constexpr std::uint64_t kMostSlots = 30;
    constexpr std::uint64_t kFewestSlots = 3;   // with less, single calls cost no more
    constexpr std::uint64_t kShareOfMemory = 80;
    const std::uint64_t slots = std::min(kMostSlots, m_memory->totalBytes() / kShareOfMemory / std::max<std::uint64_t>(bytesOfCall, 1));
    return slots < kFewestSlots ? 1 : static_cast<std::size_t>(slots);
}

std::size_t CudaDevice::evictBytes() const
{
    return m_memory->sweepBytes();
}

void CudaDevice::hideWords(std::span<const HiddenWord> words)
{
    std::vector<kernels::WordSwap> swaps;
    for (const HiddenWord& hidden : words.first(std::min(words.size(), kernels::kMostHidden))) {
        auto* data = reinterpret_cast<std::uint32_t*>(onGpu(*hidden.buffer).data());
        swaps.push_back({data + hidden.word, data + hidden.decoy});
    }
    m_memory->hideWords(swaps);
}

void CudaDevice::revealWords(std::size_t call, std::size_t count)
{
    m_memory->revealWords(call, count);
}

void CudaDevice::glimpse(std::span<SharedBuffer* const> outputs)
{
    std::vector<Glimpses::Area> areas;
    for (const SharedBuffer* output : outputs) {
        areas.push_back({onGpu(*output).data(), output->bytes()});
    }
    m_memory->glimpses().take(areas);
}

std::vector<bool> CudaDevice::changedSinceGlimpse()
{
    return m_memory->glimpses().changed(m_memory->launch(), m_memory->preparedSum());
}

Result<void> CudaDevice::fillRandom(SharedBuffer& buffer, DType dtype, std::uint64_t elements, const ContentKey& key)
{
    if (auto possible = checkRandomFill(dtype, elements, buffer.bytes()); !possible) {
        return possible;
    }
    checkCuda(kernels::fillRandom(m_memory->launch(), onGpu(buffer).data(), dtype, elements, {key.seed, key.call, key.tensor}, m_memory->tables()),
              "making random contents");
    return {};
}

Result<void> CudaDevice::fillRandom(std::span<SharedBuffer* const> buffers, DType dtype, std::uint64_t elements, ContentKey key)
{
    const kernels::Copies copies = copiesOf(buffers);
    if (copies.count != buffers.size()) {
        return Device::fillRandom(buffers, dtype, elements, key);
    }
    if (auto possible = checkRandomFill(dtype, elements, buffers.front()->bytes()); !possible) {
        return possible;
    }
    checkCuda(kernels::fillRandom(m_memory->launch(), onGpu(*buffers.front()).data(), dtype, elements, {key.seed, key.call, key.tensor},
                                  m_memory->tables(), copies),
              "making random contents");
    return {};
}

Result<void> CudaDevice::softmaxRows(SharedBuffer& buffer, DType dtype, std::uint64_t rows, std::uint64_t columns)
{
    const bool tooMany = columns != 0 && rows > std::numeric_limits<std::uint64_t>::max() / columns;
    if (!isFloating(dtype) || dtype == DType::Float4E2M1 || dtype == DType::Float4E2M1FNx2 || dtype == DType::Float64 || tooMany ||
        byteSize(dtype, rows * columns) > buffer.bytes()) {
        return gpuError(ErrorCode::Unsupported, fmt::format("probabilities of dtype {} can't be made", toString(dtype)));
    }
    checkCuda(kernels::softmaxRows(m_memory->launch(), onGpu(buffer).data(), dtype, rows, columns), "making probabilities");
    return {};
}

Result<void> CudaDevice::upload(SharedBuffer& buffer, std::span<const std::byte> data)
{
    if (data.size() != buffer.bytes()) {
        return gpuError(ErrorCode::InvalidInput, fmt::format("{} bytes for a tensor of {} bytes", data.size(), buffer.bytes()));
    }
    if (!data.empty()) {
        // Pageable memory: the call returns only when the source has been read.
        checkCuda(cudaMemcpyAsync(onGpu(buffer).data(), data.data(), data.size(), cudaMemcpyHostToDevice, m_memory->stream()), "writing to the GPU");
    }
    return {};
}

Result<std::unique_ptr<PrivateBuffer>> CudaDevice::allocatePrivate(std::size_t bytes)
{
    auto memory = m_memory->allocate(bytes);
    if (!memory) {
        return memory.error();
    }
    return std::unique_ptr<PrivateBuffer>(std::make_unique<CudaPrivateBuffer>(m_memory, *memory, bytes));
}

Result<std::unique_ptr<PrivateBuffer>> CudaDevice::snapshot(const SharedBuffer& buffer, std::size_t bytes)
{
    if (bytes > buffer.bytes()) {
        return gpuError(ErrorCode::InvalidInput, "a snapshot is larger than its buffer");
    }
    auto copy = allocatePrivate(bytes);
    if (copy && bytes != 0) {
        checkCuda(cudaMemcpyAsync(onGpu(**copy).data(), onGpu(buffer).data(), bytes, cudaMemcpyDeviceToDevice, m_memory->stream()), "copying on the GPU");
    }
    return copy;
}

Result<std::unique_ptr<PrivateBuffer>> CudaDevice::zeros(std::size_t bytes)
{
    auto buffer = allocatePrivate(bytes);
    if (buffer && bytes != 0) {
        checkCuda(cudaMemsetAsync(onGpu(**buffer).data(), 0, bytes, m_memory->stream()), "clearing memory");
    }
    return buffer;
}

Result<std::unique_ptr<PrivateBuffer>> CudaDevice::snapshotOfDescriptor(int descriptor, std::size_t bytes)
{
    // Memory of a GPU comes as a device file or as a nameless one; everything else would be opened for nothing.
    struct stat status{};
    if (::fstat(descriptor, &status) != 0 || S_ISREG(status.st_mode) || S_ISDIR(status.st_mode) || S_ISFIFO(status.st_mode) ||
        S_ISSOCK(status.st_mode) || S_ISBLK(status.st_mode)) {
        return gpuError(ErrorCode::InvalidInput, "a host sent something else than memory of the GPU");
    }
    auto copy = allocatePrivate(bytes);
    if (!copy || bytes == 0) {
        return copy;
    }
    const std::size_t granularity = m_memory->granularity();
    const std::size_t mapped = (bytes + granularity - 1) / granularity * granularity;
    cuda::MappedMemory block;
    if (const CUresult code = cuda::MappedMemory::import(m_memory->driver(), m_memory->ordinal(), descriptor, mapped, block); code != CUDA_SUCCESS) {
        return gpuError(ErrorCode::InvalidInput, fmt::format("a host sent a block that is no memory of this GPU, or smaller than the {} bytes of its tensor: {}",
                                                              bytes, m_memory->driver().describe(code)));
    }
    checkCuda(cudaMemcpyAsync(onGpu(**copy).data(), reinterpret_cast<const void*>(block.address()), bytes, cudaMemcpyDeviceToDevice, m_memory->stream()),
              "copying a result");
    m_memory->synchronise();   // before the block is unmapped
    return copy;
}

bool CudaDevice::equalContents(const SharedBuffer& one, const SharedBuffer& two) const
{
    return one.bytes() == two.bytes() && equalOnGpu(*m_memory, onGpu(one).data(), onGpu(two).data(), one.bytes());
}

bool CudaDevice::equalContents(const PrivateBuffer& one, const PrivateBuffer& two) const
{
    return one.bytes() == two.bytes() && equalOnGpu(*m_memory, onGpu(one).data(), onGpu(two).data(), one.bytes());
}

void CudaDevice::poison(SharedBuffer& buffer, DType dtype, std::uint64_t pattern)
{
    checkCuda(kernels::fillPattern(m_memory->launch(), onGpu(buffer).data(), buffer.bytes(), poisonPattern(dtype, pattern)), "writing poison");
}

void CudaDevice::poison(std::span<SharedBuffer* const> buffers, DType dtype, std::span<const std::uint64_t> patterns)
{
    const kernels::Copies copies = copiesOf(buffers);
    if (copies.count != buffers.size()) {
        Device::poison(buffers, dtype, patterns);
        return;
    }
    std::vector<kernels::Pattern> repeated;
    for (const std::uint64_t pattern : patterns) {
        repeated.push_back(poisonPattern(dtype, pattern));
    }
    checkCuda(kernels::fillPatterns(m_memory->launch(), onGpu(*buffers.front()).data(), buffers.front()->bytes(), repeated, copies.stride),
              "writing poison");
}

bool CudaDevice::redZonesIntact(const SharedBuffer& buffer) const
{
    m_memory->beginZoneCheck(std::span(&onGpu(buffer).zones(), 1));
    m_memory->synchronise();
    return m_memory->zoneFinding() == CudaMemory::kNoBlock;
}

void CudaDevice::beginRedZoneCheck(std::span<SharedBuffer* const> buffers)
{
    std::vector<kernels::RedZones> zones;
    for (const SharedBuffer* buffer : buffers) {
        zones.push_back(onGpu(*buffer).zones());
    }
    m_memory->beginZoneCheck(zones);
}

int CudaDevice::brokenRedZone() const
{
    const unsigned first = m_memory->zoneFinding();
    return first == CudaMemory::kNoBlock ? -1 : static_cast<int>(first);
}

Result<Comparison> CudaDevice::compare(const PrivateBuffer& actual, const PrivateBuffer& expected, DType dtype, std::uint64_t elements,
                                       double atol, double rtol, std::uint64_t poisonPattern)
{
    const std::uint64_t bytes = byteSize(dtype, elements);
    if (dtype == DType::Unknown || bytes > actual.bytes() || bytes > expected.bytes()) {
        return gpuError(ErrorCode::InvalidInput, "two outputs of different size can't be compared");
    }
    if (dtype == DType::Float64 || dtype == DType::Float4E2M1FNx2) {
        return gpuError(ErrorCode::Unsupported, fmt::format("outputs of dtype {} can't be compared", toString(dtype)));
    }
    checkCuda(kernels::compare(m_memory->launch(), onGpu(actual).data(), onGpu(expected).data(), dtype, elements, static_cast<float>(atol),
                               static_cast<float>(rtol), poisonElement(dtype, poisonPattern), m_memory->partials(), m_memory->total()),
              "comparing outputs");
    const kernels::CompareTotals totals = m_memory->readTotal();
    Comparison result;
    result.maxAbsoluteError = errorOfKey(totals.absoluteKey);
    result.maxRelativeError = errorOfKey(totals.relativeKey);
    if (elements > 0) {
        result.matchedRatio = std::clamp(1.0 - static_cast<double>(totals.bad) / static_cast<double>(elements), 0.0, 1.0);
    }
    result.infinities = totals.infinities;
    result.nans = totals.nans;
    result.poisoned = poisonedElements(dtype, elements, totals.poisoned);
    result.expectedNonFinite = totals.expectedNonFinite;
    result.worstElement = totals.worst;
    return result;
}

void CudaDevice::evictCaches(const std::vector<SharedBuffer*>&)
{
    m_memory->sweepCache();
}

std::vector<std::byte> CudaDevice::download(const SharedBuffer& buffer, std::size_t bytes) const
{
    return downloadFrom(*m_memory, onGpu(buffer).data(), std::min(bytes, buffer.bytes()));
}

std::vector<std::byte> CudaDevice::download(const PrivateBuffer& buffer, std::size_t bytes) const
{
    return downloadFrom(*m_memory, onGpu(buffer).data(), std::min(bytes, buffer.bytes()));
}

Result<void> CudaDevice::copy(SharedBuffer& to, const SharedBuffer& from)
{
    return copyOnGpu(*m_memory, onGpu(to).data(), to.bytes(), onGpu(from).data(), from.bytes());
}

Result<void> CudaDevice::copy(SharedBuffer& to, const PrivateBuffer& from)
{
    return copyOnGpu(*m_memory, onGpu(to).data(), to.bytes(), onGpu(from).data(), from.bytes());
}

Result<void> CudaDevice::repeat(SharedBuffer& to, const SharedBuffer& from)
{
    if (from.bytes() == 0 ? to.bytes() != 0 : to.bytes() % from.bytes() != 0) {
        return gpuError(ErrorCode::InvalidInput, "a buffer is no multiple of what is to fill it");
    }
    // What is there already is copied behind itself: twice as much each time.
    for (std::size_t done = 0; done < to.bytes();) {
        const std::size_t count = done == 0 ? from.bytes() : std::min(done, to.bytes() - done);
        const std::uint8_t* source = done == 0 ? onGpu(from).data() : onGpu(to).data();
        checkCuda(cudaMemcpyAsync(onGpu(to).data() + done, source, count, cudaMemcpyDeviceToDevice, m_memory->stream()), "copying on the GPU");
        done += count;
    }
    return {};
}

Result<void> CudaDevice::mapNormals(SharedBuffer& buffer, DType dtype, std::uint64_t elements, const NormalMap& map)
{
    if (auto possible = checkNormalMap(dtype, elements, buffer.bytes()); !possible) {
        return possible;
    }
    checkCuda(kernels::mapNormals(m_memory->launch(), onGpu(buffer).data(), dtype, elements, map), "changing random contents");
    return {};
}

std::vector<std::byte> CudaDevice::download(const SharedBuffer& buffer) const
{
    return downloadFrom(*m_memory, onGpu(buffer).data(), buffer.bytes());
}

std::vector<std::byte> CudaDevice::download(const PrivateBuffer& buffer) const
{
    return downloadFrom(*m_memory, onGpu(buffer).data(), buffer.bytes());
}

std::uint64_t CudaDevice::checksum(const SharedBuffer& buffer) const
{
    return checksumOnGpu(*m_memory, onGpu(buffer).data(), buffer.bytes());
}

std::uint64_t CudaDevice::checksum(const PrivateBuffer& buffer) const
{
    return checksumOnGpu(*m_memory, onGpu(buffer).data(), buffer.bytes());
}

}  // namespace tracedeck::judge
