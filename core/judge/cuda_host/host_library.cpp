// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/cuda_host/host_api.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

#include "core/judge/cuda_host/activity_recorder.h"
#include "core/judge/cuda_host/call_times.h"
#include "core/judge/cuda_host/driver_functions.h"
#include "core/judge/page.h"

namespace tracedeck::cudahost {

namespace {

using judge::Page;

constexpr const char* kSwitchInKernel = "tracedeck_host_switch_in";
constexpr const char* kEvictKernel = "tracedeck_host_evict";
/// Compiled by the driver, so that this library needs no compiler for kernels. The second one writes zeros to `vectors` times 16
/// bytes, as the judge's own sweep does (cuda/cuda_memory.h).
constexpr const char* kKernelSource = R"(.version 6.4
.target sm_75
.address_size 64
.visible .entry tracedeck_host_switch_in()
{
    ret;
}
.visible .entry tracedeck_host_evict(.param .u64 data, .param .u64 vectors)
{
    .reg .pred %p;
    .reg .b32 %r<6>;
    .reg .b64 %d<7>;
    ld.param.u64 %d1, [data];
    ld.param.u64 %d2, [vectors];
    cvta.to.global.u64 %d1, %d1;
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %tid.x;
    mov.u32 %r4, %nctaid.x;
    mul.wide.u32 %d3, %r1, %r2;
    cvt.u64.u32 %d4, %r3;
    add.u64 %d3, %d3, %d4;
    mul.wide.u32 %d5, %r4, %r2;
    mov.u32 %r5, 0;
more:
    setp.ge.u64 %p, %d3, %d2;
    @%p bra done;
    shl.b64 %d6, %d3, 4;
    add.u64 %d6, %d1, %d6;
    st.global.v4.u32 [%d6], {%r5, %r5, %r5, %r5};
    add.u64 %d3, %d3, %d5;
    bra more;
done:
    ret;
}
)";
constexpr unsigned kEvictBlocks = 1056;
constexpr unsigned kEvictThreads = 256;
constexpr std::size_t kVectorBytes = 16;
constexpr int kSpinsBeforeSleep = 200'000;
constexpr useconds_t kSleepMicroseconds = 50;

struct MappedBlock {
    CUdeviceptr reserved = 0;
    std::size_t reservedBytes = 0;
    CUdeviceptr address = 0;
    std::size_t bytes = 0;
};

/// All that this library knows; there is one device and one judge for a process.
class Host {
public:
    int open(void* page, std::size_t pageBytes, const char* cupti, std::size_t evictBytes);
    int map(int descriptor, std::size_t blockBytes, void** address);
    int unmapAll();
    int exportCopy(const void* source, std::size_t bytes, int* descriptor);
    int begin(int calls);
    int next(std::uint32_t* slot);
    [[nodiscard]] bool evicts() const { return m_evictBytes != 0; }
    int returned(bool hasCopies);
    int done(bool fits);
    void failed();
    int end(TracedeckCallTimes* times, int capacity);
    int check(CUresult result, const char* what);
    int fail(std::string text)
    {
        m_error = std::move(text);
        return 1;
    }

    const DriverFunctions* driver = nullptr;
    CUstream stream = nullptr;
    std::string m_error;
    std::string m_note;
    bool hasCupti = false;

private:
    int evictCache();
    int enqueueQueued();
    int enqueueSwitchIn() { return check(driver->cuLaunchKernel(m_switchIn, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr), "the switch-in kernel"); }
    void recordEvent(std::vector<CUevent>& events);
    CUdeviceptr word(const std::atomic<std::uint32_t>& member) const
    {
        return m_pageOnDevice + static_cast<std::size_t>(reinterpret_cast<const std::byte*>(&member) - reinterpret_cast<const std::byte*>(m_page));
    }
    static void awaitWord(const std::atomic<std::uint32_t>& word, std::uint32_t value)
    {
        while (word.load(std::memory_order_acquire) != value) {
        }
    }
    CUmemAllocationProp blockProperties() const;

    CUdevice m_device = 0;
    CUcontext m_context = nullptr;
    CUfunction m_switchIn = nullptr;
    CUfunction m_evict = nullptr;
    CUdeviceptr m_evictMemory = 0;
    std::size_t m_evictBytes = 0;
    Page* m_page = nullptr;
    CUdeviceptr m_pageOnDevice = 0;
    std::size_t m_granularity = 0;
    std::vector<MappedBlock> m_blocks;
    std::uint32_t m_value = 0;
    bool m_isQueued = false;
    bool m_isBatched = false;   ///< this host evicts the caches
    std::vector<CallWindow> m_calls;
    std::vector<CUevent> m_starts;   ///< one pair a call, where events stand in for CUPTI
    std::vector<CUevent> m_ends;
};

Host& host()
{
    static Host instance;
    return instance;
}

int Host::check(CUresult result, const char* what)
{
    if (result == CUDA_SUCCESS) {
        return 0;
    }
    const char* name = nullptr;
    const char* text = nullptr;
    driver->cuGetErrorName(result, &name);
    driver->cuGetErrorString(result, &text);
    m_error = std::string(what) + ": " + (name != nullptr ? name : "unknown CUDA error") + (text != nullptr ? std::string(" (") + text + ")" : "");
    return static_cast<int>(result);
}

int Host::open(void* page, std::size_t pageBytes, const char* cupti, std::size_t evictBytes)
{
    if (pageBytes < sizeof(Page)) {
        return fail("the shared page is too small");
    }
    std::string reason;
    driver = openDriver(reason);
    if (driver == nullptr) {
        return fail(std::move(reason));
    }
    hasCupti = ActivityRecorder::open(pathsIn(cupti), m_note);
    m_page = static_cast<Page*>(page);
    CUmodule module = nullptr;
    if (check(driver->cuInit(0), "starting CUDA") != 0 || check(driver->cuDeviceGet(&m_device, 0), "finding the device") != 0 ||
        check(driver->cuDevicePrimaryCtxRetain(&m_context, m_device), "making the context") != 0 ||
        check(driver->cuCtxSetCurrent(m_context), "making the context current") != 0 ||
        // A blocking stream: work on the legacy default stream keeps its order with it.
        check(driver->cuStreamCreate(&stream, CU_STREAM_DEFAULT), "making the stream") != 0 ||
        check(driver->cuModuleLoadData(&module, kKernelSource), "loading the host's own kernels") != 0 ||
        check(driver->cuModuleGetFunction(&m_switchIn, module, kSwitchInKernel), "finding the switch-in kernel") != 0 ||
        check(driver->cuModuleGetFunction(&m_evict, module, kEvictKernel), "finding the kernel that evicts") != 0 ||
        check(driver->cuMemHostRegister(page, pageBytes, CU_MEMHOSTREGISTER_DEVICEMAP), "registering the shared page") != 0 ||
        check(driver->cuMemHostGetDevicePointer(&m_pageOnDevice, page, 0), "mapping the shared page") != 0) {
        return 1;
    }
    const CUmemAllocationProp properties = blockProperties();
    if (check(driver->cuMemGetAllocationGranularity(&m_granularity, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM), "asking for the block size") != 0) {
        return 1;
    }
    // Memory that a solution gives back stays with the process, or every call would pay for it anew.
    CUmemoryPool pool = nullptr;
    cuuint64_t keepAll = ~cuuint64_t{0};
    if (check(driver->cuDeviceGetDefaultMemPool(&pool, m_device), "finding the memory pool") != 0 ||
        check(driver->cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &keepAll), "setting up the memory pool") != 0) {
        return 1;
    }
    // Without this memory every call is prepared on its own: slower, but no reason to fail. So it is without CUPTI, since events
    // can't tell gaps between kernels from work.
    if (hasCupti && evictBytes >= kVectorBytes && driver->cuMemAlloc(&m_evictMemory, evictBytes) == CUDA_SUCCESS) {
        m_evictBytes = evictBytes;
    }
    return 0;
}

int Host::evictCache()
{
    // Lines that a solution lets persist would survive. The limit is 0 unless it has set it, and asking costs nothing.
    std::size_t persisting = 0;
    if (driver->cuCtxGetLimit(&persisting, CU_LIMIT_PERSISTING_L2_CACHE_SIZE) == CUDA_SUCCESS && persisting != 0) {
        driver->cuCtxResetPersistingL2Cache();
    }
    std::uint64_t vectors = m_evictBytes / kVectorBytes;
    void* arguments[] = {&m_evictMemory, &vectors};
    return check(driver->cuLaunchKernel(m_evict, kEvictBlocks, 1, 1, kEvictThreads, 1, 1, 0, stream, arguments, nullptr), "evicting the cache");
}

CUmemAllocationProp Host::blockProperties() const
{
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, {m_device}};
    return properties;
}

int Host::map(int descriptor, std::size_t blockBytes, void** address)
{
    CUmemGenericAllocationHandle handle = 0;
    if (check(driver->cuMemImportFromShareableHandle(&handle, reinterpret_cast<void*>(static_cast<std::intptr_t>(descriptor)),
                                                     CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR),
              "importing a block of the judge") != 0) {
        return 1;
    }
    MappedBlock block{0, blockBytes + 2 * m_granularity, 0, blockBytes};
    CUmemAccessDesc access{};
    access.location = {CU_MEM_LOCATION_TYPE_DEVICE, {m_device}};
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    int failure = check(driver->cuMemAddressReserve(&block.reserved, block.reservedBytes, 0, 0, 0), "reserving addresses");
    if (failure == 0) {
        block.address = block.reserved + m_granularity;
        failure = check(driver->cuMemMap(block.address, blockBytes, 0, handle, 0), "mapping a block of the judge");
    }
    if (failure == 0) {
        failure = check(driver->cuMemSetAccess(block.address, blockBytes, &access, 1), "opening a block of the judge");
    }
    driver->cuMemRelease(handle);   // the mapping keeps it
    if (failure == 0) {
        m_blocks.push_back(block);
        *address = reinterpret_cast<void*>(block.address);
    }
    return failure;
}

int Host::unmapAll()
{
    int failure = check(driver->cuCtxSynchronize(), "waiting for earlier work");
    for (const MappedBlock& block : m_blocks) {
        driver->cuMemUnmap(block.address, block.bytes);
        driver->cuMemAddressFree(block.reserved, block.reservedBytes);
    }
    m_blocks.clear();
    return failure;
}

int Host::exportCopy(const void* source, std::size_t bytes, int* descriptor)
{
    const std::size_t blockBytes = std::max((bytes + m_granularity - 1) / m_granularity, std::size_t{1}) * m_granularity;
    const CUmemAllocationProp properties = blockProperties();
    CUmemGenericAllocationHandle handle = 0;
    CUdeviceptr address = 0;
    CUmemAccessDesc access{};
    access.location = {CU_MEM_LOCATION_TYPE_DEVICE, {m_device}};
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    int failure = check(driver->cuMemCreate(&handle, blockBytes, &properties, 0), "making a block for a result");
    if (failure == 0) {
        failure = check(driver->cuMemAddressReserve(&address, blockBytes, 0, 0, 0), "reserving addresses");
    }
    bool isMapped = false;
    if (failure == 0) {
        failure = check(driver->cuMemMap(address, blockBytes, 0, handle, 0), "mapping a result");
        isMapped = failure == 0;
    }
    if (failure == 0) {
        failure = check(driver->cuMemSetAccess(address, blockBytes, &access, 1), "opening a result");
    }
    if (failure == 0 && bytes > 0) {
        failure = check(driver->cuMemcpyDtoDAsync(address, reinterpret_cast<CUdeviceptr>(source), bytes, stream), "copying a result");
    }
    if (failure == 0) {
        failure = check(driver->cuStreamSynchronize(stream), "copying a result");
    }
    if (failure == 0) {
        failure = check(driver->cuMemExportToShareableHandle(descriptor, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0), "sharing a result");
    }
    if (isMapped) {
        driver->cuMemUnmap(address, blockBytes);
    }
    if (address != 0) {
        driver->cuMemAddressFree(address, blockBytes);
    }
    if (handle != 0) {
        driver->cuMemRelease(handle);
    }
    return failure;
}

int Host::begin(int calls)
{
    m_calls.clear();
    m_calls.reserve(static_cast<std::size_t>(calls));
    m_value = 0;
    if (hasCupti) {
        if (const int failure = check(driver->cuCtxSynchronize(), "waiting for earlier work"); failure != 0) {
            return failure;
        }
        ActivityRecorder::take();   // what loading did
        return 0;
    }
    for (auto* events : {&m_starts, &m_ends}) {
        while (events->size() < static_cast<std::size_t>(calls)) {
            CUevent event = nullptr;
            if (const int failure = check(driver->cuEventCreate(&event, CU_EVENT_DEFAULT), "making an event"); failure != 0) {
                return failure;
            }
            events->push_back(event);
        }
    }
    return 0;
}

void Host::recordEvent(std::vector<CUevent>& events)
{
    if (!hasCupti && m_calls.size() < events.size()) {
        driver->cuEventRecord(events[m_calls.size()], stream);
    }
}

int Host::next(std::uint32_t* slot)
{
    std::uint32_t call = 0;
    for (int spins = 0; (call = m_page->call.load(std::memory_order_acquire)) == m_value || call == 0; ++spins) {
        if (spins > kSpinsBeforeSleep) {
            ::usleep(kSleepMicroseconds);
        }
    }
    m_value = call;
    *slot = m_page->slot.load(std::memory_order_relaxed);
    const std::uint32_t mode = m_page->mode.load(std::memory_order_relaxed);
    m_isQueued = (mode & judge::kQueuedCall) != 0;
    m_isBatched = (mode & judge::kHostEvicts) != 0;
    if (m_isBatched && m_evictBytes == 0) {
        return fail("the judge asks for a cache eviction that this host can't make");
    }
    if (m_isQueued) {
        const int failure = enqueueQueued();
        recordEvent(m_starts);
        return failure;
    }
    int failure = 0;
    if (m_isBatched) {
        failure = evictCache();
        if (failure == 0) {
            failure = check(driver->cuStreamSynchronize(stream), "evicting the cache");
        }
        m_page->enqueued.store(call, std::memory_order_release);
    } else {
        m_page->enqueued.store(call, std::memory_order_release);
        awaitWord(m_page->arm, call);
        failure = enqueueSwitchIn();
        if (failure == 0) {
            failure = check(driver->cuStreamSynchronize(stream), "the switch-in kernel");
        }
        m_page->switchedIn.store(call, std::memory_order_release);
    }
    awaitWord(m_page->go, call);
    recordEvent(m_starts);
    return failure;
}

int Host::enqueueQueued()
{
    int failure = 0;
    if (m_isBatched) {
        failure = evictCache();
    } else {
        failure = check(driver->cuStreamWaitValue32(stream, word(m_page->arm), m_value, CU_STREAM_WAIT_VALUE_EQ), "blocking the stream");
        if (failure == 0) {
            failure = enqueueSwitchIn();
        }
    }
    if (failure == 0) {
        failure = check(driver->cuStreamWriteValue32(stream, word(m_page->switchedIn), m_value, CU_STREAM_WRITE_VALUE_DEFAULT), "writing to the page");
    }
    if (failure == 0) {
        failure = check(driver->cuStreamWaitValue32(stream, word(m_page->go), m_value, CU_STREAM_WAIT_VALUE_EQ), "blocking the stream");
    }
    return failure;
}

int Host::returned(bool hasCopies)
{
    CallWindow window;
    window.queued = m_isQueued;
    window.hasCopies = hasCopies;
    m_page->returned.store(m_value, std::memory_order_release);
    recordEvent(m_ends);
    if (hasCopies && !m_isQueued) {
        // The copies of the results must begin later than everything of the call.
        if (const int failure = check(driver->cuCtxSynchronize(), "the call"); failure != 0) {
            return failure;
        }
        window.returned = hasCupti ? ActivityRecorder::now() : 0;
    }
    m_calls.push_back(window);
    return 0;
}

int Host::done(bool fits)
{
    if (m_isQueued && fits) {
        if (const int failure = check(driver->cuStreamWriteValue32(stream, word(m_page->done), m_value, CU_STREAM_WRITE_VALUE_DEFAULT), "writing to the page");
            failure != 0) {
            return failure;
        }
    }
    if (m_isQueued) {
        m_page->enqueued.store(m_value, std::memory_order_release);
    }
    if (const int failure = check(driver->cuCtxSynchronize(), "the call"); failure != 0) {
        return failure;
    }
    if (!m_calls.empty()) {
        m_calls.back().finished = hasCupti ? ActivityRecorder::now() : 0;
    }
    if (!fits) {
        failed();
    } else if (!m_isQueued) {
        m_page->done.store(m_value, std::memory_order_release);
    }
    return 0;
}

void Host::failed()
{
    m_page->failed.store(m_value, std::memory_order_release);
}

int Host::end(TracedeckCallTimes* times, int capacity)
{
    std::vector<TracedeckCallTimes> measured;
    if (hasCupti) {
        measured = timesOfCalls(m_calls, ActivityRecorder::take());
    } else {
        for (std::size_t i = 0; i < m_calls.size(); ++i) {
            float milliseconds = 0;
            if (check(driver->cuEventElapsedTime(&milliseconds, m_starts[i], m_ends[i]), "reading events") != 0) {
                return -1;
            }
            measured.push_back({static_cast<double>(milliseconds) * 1e6, 0, 1, m_calls[i].queued ? 1U : 0U});
        }
    }
    const int count = std::min(capacity, static_cast<int>(measured.size()));
    std::copy_n(measured.begin(), count, times);
    return count;
}

}  // namespace

}  // namespace tracedeck::cudahost

using tracedeck::cudahost::host;

extern "C" {

int tracedeck_cuda_open(void* page, std::size_t pageBytes, const char* cupti, std::size_t evictBytes)
{
    return host().open(page, pageBytes, cupti, evictBytes);
}
int tracedeck_cuda_evicts() { return host().evicts() ? 1 : 0; }
const char* tracedeck_cuda_method() { return host().hasCupti ? "cupti" : "cuda_event"; }
const char* tracedeck_cuda_note() { return host().m_note.c_str(); }
const char* tracedeck_cuda_error() { return host().m_error.c_str(); }
void* tracedeck_cuda_stream() { return host().stream; }
int tracedeck_cuda_map(int descriptor, std::size_t blockBytes, void** address) { return host().map(descriptor, blockBytes, address); }
int tracedeck_cuda_unmap_all() { return host().unmapAll(); }
int tracedeck_cuda_export(const void* source, std::size_t bytes, int* descriptor) { return host().exportCopy(source, bytes, descriptor); }

int tracedeck_cuda_copy(void* target, const void* source, std::size_t bytes)
{
    return host().check(host().driver->cuMemcpyDtoDAsync(reinterpret_cast<CUdeviceptr>(target), reinterpret_cast<CUdeviceptr>(source), bytes, host().stream),
                        "copying a result");
}

int tracedeck_cuda_read(void* target, const void* source, std::size_t bytes)
{
    const int failure = host().check(host().driver->cuStreamSynchronize(host().stream), "waiting for the call");
    return failure != 0 ? failure : host().check(host().driver->cuMemcpyDtoH(target, reinterpret_cast<CUdeviceptr>(source), bytes), "reading memory");
}

int tracedeck_cuda_write(void* target, const void* source, std::size_t bytes)
{
    return host().check(host().driver->cuMemcpyHtoD(reinterpret_cast<CUdeviceptr>(target), source, bytes), "writing memory");
}

int tracedeck_cuda_allocate(std::size_t bytes, void** address)
{
    CUdeviceptr memory = 0;
    const int failure = host().check(host().driver->cuMemAllocAsync(&memory, std::max<std::size_t>(bytes, 1), host().stream), "memory for a tensor");
    *address = reinterpret_cast<void*>(memory);
    return failure;
}

int tracedeck_cuda_free(void* address)
{
    return host().check(host().driver->cuMemFreeAsync(reinterpret_cast<CUdeviceptr>(address), host().stream), "freeing a tensor");
}

int tracedeck_cuda_begin(int calls) { return host().begin(calls); }
int tracedeck_cuda_next(std::uint32_t* slot) { return host().next(slot); }
int tracedeck_cuda_returned(int hasCopies) { return host().returned(hasCopies != 0); }
int tracedeck_cuda_done(int fits) { return host().done(fits != 0); }
void tracedeck_cuda_failed() { host().failed(); }
int tracedeck_cuda_end(TracedeckCallTimes* times, int capacity) { return host().end(times, capacity); }
int tracedeck_cuda_synchronise() { return host().check(host().driver->cuCtxSynchronize(), "the call"); }

}  // extern "C"
