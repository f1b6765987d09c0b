// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/cpu/cpu_device.h"

#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include <fmt/format.h>

#include "core/judge/cpu/available_memory.h"
#include "core/judge/cpu/comparison.h"
#include "core/judge/cpu/random_fill.h"
#include "core/judge/number_formats.h"
#include "core/judge/shared_block.h"
#include "core/judge/system_random.h"
#include "core/run/processor_info.h"

namespace tracedeck::judge {

namespace {

constexpr std::size_t kCacheLineBytes = 64;
constexpr std::size_t kSmallBytes = std::size_t{64} << 20U;   ///< below, asking what is available costs more than it tells

class CpuBuffer final : public SharedBuffer {
public:
    CpuBuffer(SharedBlock block, std::size_t bytes) : m_block(std::move(block)), m_bytes(bytes)
    {
        renewZones();
    }
    /// Gives the red zones, which reach to the guards of the block, new contents. They differ from buffer to buffer, so that one
    /// red zone can't be restored from another, and from call to call: a byte that strays may equal what was there before, but
    /// not in call after call.
    void renewZones()
    {
        if (::getrandom(m_zone.data(), m_zone.size(), 0) != static_cast<ssize_t>(m_zone.size())) {
            m_zone.fill(std::byte{0xC7});
        }
        writeZone(0, kRedZoneBytes);
        writeZone(kRedZoneBytes + m_bytes, m_block.bytes());
    }

    [[nodiscard]] std::size_t bytes() const override { return m_bytes; }
    [[nodiscard]] std::size_t blockBytes() const override { return m_block.bytes(); }
    [[nodiscard]] int descriptor() const override { return m_block.descriptor(); }
    [[nodiscard]] std::span<std::byte> data() const { return {m_block.data() + kRedZoneBytes, m_bytes}; }
    [[nodiscard]] bool intact() const
    {
        return zoneHolds(0, kRedZoneBytes) && zoneHolds(kRedZoneBytes + m_bytes, m_block.bytes());
    }

private:
    void writeZone(std::size_t begin, std::size_t end)
    {
        for (std::size_t i = begin; i < end; ++i) {
            m_block.data()[i] = m_zone[i % m_zone.size()];
        }
    }
    [[nodiscard]] bool zoneHolds(std::size_t begin, std::size_t end) const
    {
        for (std::size_t i = begin; i < end; ++i) {
            if (m_block.data()[i] != m_zone[i % m_zone.size()]) {
                return false;
            }
        }
        return true;
    }

    SharedBlock m_block;
    std::size_t m_bytes;
    std::array<std::byte, 64> m_zone{};
};

class CpuPrivateBuffer final : public PrivateBuffer {
public:
    explicit CpuPrivateBuffer(std::vector<std::byte> data) : m_data(std::move(data)) {}
    [[nodiscard]] std::size_t bytes() const override { return m_data.size(); }
    [[nodiscard]] std::span<const std::byte> data() const { return m_data; }

private:
    std::vector<std::byte> m_data;
};

CpuBuffer& own(SharedBuffer& buffer) { return static_cast<CpuBuffer&>(buffer); }
const CpuBuffer& own(const SharedBuffer& buffer) { return static_cast<const CpuBuffer&>(buffer); }
const CpuPrivateBuffer& own(const PrivateBuffer& buffer) { return static_cast<const CpuPrivateBuffer&>(buffer); }

Error deviceError(ErrorCode code, std::string reason)
{
    return Error{code, std::move(reason), {}, 0, {}};
}

bool hasFlag(const std::string& flags, const char* name)
{
    return (" " + flags + " ").find(fmt::format(" {} ", name)) != std::string::npos;
}

#if defined(__x86_64__)
__attribute__((target("clflushopt"))) void flushLinesOptimised(const std::byte* begin, std::size_t bytes)
{
    for (std::size_t i = 0; i < bytes; i += kCacheLineBytes) {
        // const_cast: the instruction takes a plain pointer and writes nothing.
        _mm_clflushopt(const_cast<std::byte*>(begin) + i);
    }
    _mm_sfence();
}

void flushLines(const std::byte* begin, std::size_t bytes)
{
    static const bool hasOptimised = hasFlag(processorInfo("flags"), "clflushopt");
    if (hasOptimised) {
        flushLinesOptimised(begin, bytes);
        return;
    }
    for (std::size_t i = 0; i < bytes; i += kCacheLineBytes) {
        _mm_clflush(begin + i);
    }
    _mm_mfence();
}
#else
/// Twice the last-level cache, which pushes everything else out of it.
std::size_t evictionBytes()
{
    constexpr long kAssumedCacheBytes = 32L << 20;
    const long lastLevel = std::max(::sysconf(_SC_LEVEL3_CACHE_SIZE), ::sysconf(_SC_LEVEL2_CACHE_SIZE));
    return 2 * static_cast<std::size_t>(lastLevel > 0 ? lastLevel : kAssumedCacheBytes);
}
#endif

}  // namespace

void CpuDevice::look(std::span<const std::byte> data, std::size_t at)
{
    Glimpse glimpse{data.data() + at, std::min(kGlimpsedBytes, data.size() - at), {}, m_glimpsedCalls};
    std::memcpy(glimpse.seen.data(), glimpse.place, glimpse.bytes);
    m_glimpses.push_back(glimpse);
}

void CpuDevice::glimpse(std::span<SharedBuffer* const> outputs)
{
    constexpr std::size_t kMostOutputs = 256;
    outputs = outputs.first(std::min(outputs.size(), kMostOutputs));
    // What is written last is most often the end.
    for (const SharedBuffer* output : outputs) {
        const auto data = own(*output).data();
        if (!data.empty()) {
            look(data, data.size() - std::min(data.size(), kGlimpsedBytes));
        }
    }
    for (const SharedBuffer* output : outputs) {
        const auto data = own(*output).data();
        if (data.size() > kGlimpsedBytes) {
            look(data, systemRandom() % (data.size() - kGlimpsedBytes + 1));
        }
    }
    ++m_glimpsedCalls;
}

void CpuDevice::hideWords(std::span<const HiddenWord> words)
{
    m_hidden.clear();
    for (const HiddenWord& word : words) {
        std::byte* const data = own(*word.buffer).data().data();
        Hidden hidden{data + word.word * sizeof(std::uint32_t), 0};
        std::memcpy(&hidden.truth, hidden.place, sizeof hidden.truth);
        std::memcpy(hidden.place, data + word.decoy * sizeof(std::uint32_t), sizeof hidden.truth);
        m_hidden.push_back(hidden);
    }
}

void CpuDevice::revealWords(std::size_t call, std::size_t count)
{
    const std::size_t begin = std::min(call * count, m_hidden.size());
    const std::size_t end = std::min(begin + count, m_hidden.size());
    // From the last one on: a word may have been hidden twice.
    for (std::size_t i = end; i > begin; --i) {
        std::memcpy(m_hidden[i - 1].place, &m_hidden[i - 1].truth, sizeof(std::uint32_t));
    }
#if defined(__x86_64__)
    for (std::size_t i = begin; i < end; ++i) {
        flushLines(m_hidden[i].place, 1);   // as cold as all the rest
    }
#endif
}

std::vector<bool> CpuDevice::changedSinceGlimpse()
{
    std::vector<bool> changed(m_glimpsedCalls, false);
    if (!m_glimpses.empty()) {
        // Who has said that he is done has this long to be caught writing. Sleeping would let the clocks and caches go.
        const auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(kSettleMicroseconds);
        while (std::chrono::steady_clock::now() < until) {
        }
    }
    for (const Glimpse& glimpse : m_glimpses) {
        if (std::memcmp(glimpse.seen.data(), glimpse.place, glimpse.bytes) != 0) {
            changed[glimpse.call] = true;
        }
    }
    m_glimpses.clear();
    m_glimpsedCalls = 0;
    return changed;
}

std::string cpuModelName()
{
    return processorName();
}

DevicePeaks cpuPeaks(const std::string& flags, unsigned processors)
{
    // Multiplications and additions of one processor in one cycle, of the narrowest numbers; twice as many for whatever comes next.
    const bool isKnown = hasFlag(flags, "sse2");
    const double perCycle = hasFlag(flags, "amx_tile") || !isKnown ? 8192 : hasFlag(flags, "avx512f") ? 512 : 256;
    constexpr double kHighestClock = 7e9;
    constexpr double kHighestBandwidth = 4e12;   // of all sockets and memories that there are
    DevicePeaks peaks{.memoryBytesPerSecond = kHighestBandwidth, .cacheBytes = 1e12};
    for (const DType dtype : {DType::Float64, DType::Float32, DType::Float16, DType::BFloat16, DType::Float8E4M3FN, DType::Float8E5M2, DType::Int8}) {
        peaks.operationsPerSecond[dtype] = perCycle * kHighestClock * std::max(processors, 1U);
    }
    return peaks;
}

CpuDevice::CpuDevice() : m_peaks(cpuPeaks(processorInfo("flags"), std::thread::hardware_concurrency())), m_hardware(cpuModelName()) {}

Result<std::unique_ptr<SharedBuffer>> CpuDevice::allocate(std::size_t bytes)
{
    // The system gives more than it has, and then kills someone.
    if (const auto available = bytes >= kSmallBytes ? availableMemoryBytes() : std::nullopt; available && bytes > *available) {
        return Error{ErrorCode::Unsupported, fmt::format("not enough memory: {} bytes are needed, {} are available", bytes, *available), {}, 0, {}};
    }
    auto block = SharedBlock::create("tracedeck-buffer", bytes + 2 * kRedZoneBytes);
    if (!block) {
        return block.error();
    }
    return std::unique_ptr<SharedBuffer>(std::make_unique<CpuBuffer>(std::move(*block), bytes));
}

Result<void> CpuDevice::fillRandom(SharedBuffer& buffer, DType dtype, std::uint64_t elements, const ContentKey& key)
{
    own(buffer).renewZones();
    return fillRandomCpu(own(buffer).data(), dtype, elements, key);
}

Result<void> CpuDevice::softmaxRows(SharedBuffer& buffer, DType dtype, std::uint64_t rows, std::uint64_t columns)
{
    if (!isFloating(dtype) || dtype == DType::Float4E2M1 || byteSize(dtype, rows * columns) > buffer.bytes()) {
        return deviceError(ErrorCode::Unsupported, fmt::format("probabilities of dtype {} can't be made", toString(dtype)));
    }
    softmaxRowsCpu(own(buffer).data(), dtype, rows, columns);
    return {};
}

Result<void> CpuDevice::upload(SharedBuffer& buffer, std::span<const std::byte> data)
{
    if (data.size() != buffer.bytes()) {
        return deviceError(ErrorCode::InvalidInput, fmt::format("{} bytes for a tensor of {} bytes", data.size(), buffer.bytes()));
    }
    own(buffer).renewZones();
    std::copy(data.begin(), data.end(), own(buffer).data().begin());
    return {};
}

Result<std::unique_ptr<PrivateBuffer>> CpuDevice::snapshot(const SharedBuffer& buffer, std::size_t bytes)
{
    if (bytes > buffer.bytes()) {
        return deviceError(ErrorCode::InvalidInput, "a snapshot is larger than its buffer");
    }
    const auto data = own(buffer).data().first(bytes);
    return std::unique_ptr<PrivateBuffer>(std::make_unique<CpuPrivateBuffer>(std::vector<std::byte>(data.begin(), data.end())));
}

Result<std::unique_ptr<PrivateBuffer>> CpuDevice::zeros(std::size_t bytes)
{
    return std::unique_ptr<PrivateBuffer>(std::make_unique<CpuPrivateBuffer>(std::vector<std::byte>(bytes)));
}

Result<std::unique_ptr<PrivateBuffer>> CpuDevice::snapshotOfDescriptor(int descriptor, std::size_t bytes)
{
    struct stat status{};
    if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size < 0 ||
        static_cast<std::uint64_t>(status.st_size) < bytes) {
        return deviceError(ErrorCode::InvalidInput, "a host sent a block that is smaller than it said");
    }
    std::vector<std::byte> data(bytes);
    std::size_t done = 0;
    while (done < bytes) {
        // The host may shrink the block meanwhile: then the read comes up short, and nothing else happens.
        const ssize_t count = ::pread(descriptor, data.data() + done, bytes - done, static_cast<off_t>(done));
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0) {
            return deviceError(ErrorCode::InvalidInput, "a block that a host sent could not be read in full");
        }
        done += static_cast<std::size_t>(count);
    }
    return std::unique_ptr<PrivateBuffer>(std::make_unique<CpuPrivateBuffer>(std::move(data)));
}

bool CpuDevice::equalContents(const SharedBuffer& one, const SharedBuffer& two) const
{
    return one.bytes() == two.bytes() && (one.bytes() == 0 || std::memcmp(own(one).data().data(), own(two).data().data(), one.bytes()) == 0);
}

bool CpuDevice::equalContents(const PrivateBuffer& one, const PrivateBuffer& two) const
{
    return std::ranges::equal(own(one).data(), own(two).data());
}

void CpuDevice::poison(SharedBuffer& buffer, DType dtype, std::uint64_t pattern)
{
    const std::uint64_t element = poisonElement(dtype, pattern);
    const auto width = static_cast<std::size_t>(std::max(1, bitWidth(dtype) / 8));
    std::array<std::byte, 64> repeated{};
    for (std::size_t i = 0; i < repeated.size(); i += width) {
        std::memcpy(repeated.data() + i, &element, width);   // little endian: the low bytes are the element
    }
    own(buffer).renewZones();
    const std::span<std::byte> data = own(buffer).data();
    for (std::size_t i = 0; i < data.size(); i += repeated.size()) {
        std::memcpy(data.data() + i, repeated.data(), std::min(repeated.size(), data.size() - i));
    }
}

bool CpuDevice::redZonesIntact(const SharedBuffer& buffer) const
{
    return own(buffer).intact();
}

Result<Comparison> CpuDevice::compare(const PrivateBuffer& actual, const PrivateBuffer& expected, DType dtype, std::uint64_t elements,
                                      double atol, double rtol, std::uint64_t poisonPattern)
{
    const std::uint64_t bytes = byteSize(dtype, elements);
    if (dtype == DType::Unknown || bytes > actual.bytes() || bytes > expected.bytes()) {
        return deviceError(ErrorCode::InvalidInput, "two outputs of different size can't be compared");
    }
    return compareCpu(own(actual).data(), own(expected).data(), dtype, elements, atol, rtol, poisonPattern);
}

std::vector<std::byte> CpuDevice::download(const SharedBuffer& buffer, std::size_t bytes) const
{
    const auto data = own(buffer).data().first(std::min(bytes, buffer.bytes()));
    return {data.begin(), data.end()};
}

std::vector<std::byte> CpuDevice::download(const PrivateBuffer& buffer, std::size_t bytes) const
{
    const auto data = own(buffer).data().first(std::min(bytes, buffer.bytes()));
    return {data.begin(), data.end()};
}

Result<void> CpuDevice::copy(SharedBuffer& to, const SharedBuffer& from)
{
    return upload(to, own(from).data());
}

Result<void> CpuDevice::copy(SharedBuffer& to, const PrivateBuffer& from)
{
    return upload(to, own(from).data());
}

Result<void> CpuDevice::repeat(SharedBuffer& to, const SharedBuffer& from)
{
    if (from.bytes() == 0 ? to.bytes() != 0 : to.bytes() % from.bytes() != 0) {
        return deviceError(ErrorCode::InvalidInput, "a buffer is no multiple of what is to fill it");
    }
    own(to).renewZones();
    const std::span<std::byte> data = own(to).data();
    for (std::size_t i = 0; i < data.size(); i += from.bytes()) {
        std::ranges::copy(own(from).data(), data.begin() + static_cast<std::ptrdiff_t>(i));
    }
    return {};
}

Result<void> CpuDevice::mapNormals(SharedBuffer& buffer, DType dtype, std::uint64_t elements, const NormalMap& map)
{
    return mapNormalsCpu(own(buffer).data(), dtype, elements, map);
}

void CpuDevice::evictCaches(const std::vector<SharedBuffer*>& buffers)
{
#if defined(__x86_64__)
    // Flushing a line takes it out of the caches of every core.
    for (const SharedBuffer* buffer : buffers) {
        const auto data = own(*buffer).data();
        flushLines(data.data(), data.size());
    }
#else
    static_cast<void>(buffers);
    if (m_evictionBuffer.empty()) {
        m_evictionBuffer.resize(evictionBytes());
    }
    for (std::size_t i = 0; i < m_evictionBuffer.size(); i += kCacheLineBytes) {
        volatile std::byte& line = m_evictionBuffer[i];
        line = static_cast<std::byte>(std::to_integer<unsigned>(line) + 1U);
    }
#endif
}

}  // namespace tracedeck::judge
