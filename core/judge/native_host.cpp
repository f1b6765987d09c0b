// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/native_host.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/io/frame.h"
#include "core/confine/confinement.h"
#include "core/judge/gpu_library.h"
#include "core/judge/native_results.h"
#include "core/judge/page.h"
#include "core/judge/shared_block.h"
#include "core/judge/tvm_ffi_runtime.h"

namespace tracedeck::judge {

namespace {

constexpr int kSocketDescriptor = 3;
constexpr int kLifelineDescriptor = 4;
constexpr double kHostLifeSeconds = 365.0 * 24 * 3600;
constexpr double kStartSeconds = 10;
constexpr int kSpinsBeforeSleep = 20000;
constexpr unsigned kSleepMicroseconds = 50;

/// What the judge says is trusted, but a mistake in it should read better than a crash.
struct ProtocolError {
    std::string reason;
};

class NativeHost {
public:
    NativeHost(std::string role, bool yields) : m_role(std::move(role)), m_yields(yields), m_socket(FileDescriptor(kSocketDescriptor), kMaxProgramFrameBytes) {}

    int serve();

private:
    void load(Frame frame);
    std::optional<std::string> loadLibrary(const Json& message);
    void mapPage(Frame& frame);
    void mapBuffers(Frame& frame);
    /// The tensor in each of its slots.
    std::vector<TargetBuffer> mapBuffer(const Json& spec, std::vector<FileDescriptor>& descriptors);
    void run(int calls);
    /// False: the call raised, and the judge was told.
    bool callOnce(std::uint32_t value);
    /// The same loop on a GPU; the times of the calls, for the judge to check.
    Json runOnGpu(int calls);
    bool callOnGpu();
    void bind(Frame frame);
    Json readyMessage() const;
    std::uint32_t awaitCall(std::uint32_t last) const;
    void awaitGo(std::uint32_t value) const;
    void send(const Json& message) { check(m_socket.send(message, deadlineAfter(kHostLifeSeconds))); }
    void sendError(const char* kind, const std::string& message)
    {
        constexpr std::size_t kMaxText = 150'000;   // at most six bytes each as JSON: the frame stays below 1 MiB
        send({{"op", "error"}, {"kind", kind}, {"message", message.substr(0, kMaxText)}});
    }
    static void check(const Result<void>& result)
    {
        if (!result) {
            throw ProtocolError{result.error().reason};
        }
    }

    std::string m_role;
    bool m_yields;
    FrameSocket m_socket;
    std::optional<GpuLibrary> m_gpu;   ///< where the buffers are on a GPU
    std::optional<TvmFfiRuntime> m_runtime;
    tvmffi::SafeCall m_function = nullptr;
    std::vector<SharedBlock> m_blocks;
    Page* m_page = nullptr;
    bool m_isDestinationPassing = true;
    /// What one call works on: slot by slot.
    struct Slot {
        std::vector<tvmffi::Any> arguments;
        std::vector<TargetBuffer> outputs;
    };
    std::vector<Slot> m_slots;
    [[nodiscard]] int call(Slot& slot, tvmffi::Any& result) const
    {
        return m_function(nullptr, slot.arguments.data(), static_cast<std::int32_t>(slot.arguments.size()), &result);
    }
};

int NativeHost::serve()
{
    while (true) {
        auto frame = m_socket.receive(deadlineAfter(kHostLifeSeconds));
        if (!frame) {
            return frame.error().code == ErrorCode::ProcessFailed ? 0 : 1;
        }
        const std::string op = frame->op();
        if (op == "load") {
            load(std::move(*frame));
        } else if (op == "bind") {
            bind(std::move(*frame));
        } else if (op == "run") {
            Json answer = {{"op", "ran"}};
            const int calls = frame->body.at("calls").get<int>();
            if (m_gpu) {
                answer["times"] = runOnGpu(calls);
            } else {
                run(calls);
            }
            std::fflush(nullptr);
            send(answer);
        } else {
            throw ProtocolError{"unexpected message `" + op + "`"};
        }
    }
}

std::vector<TargetBuffer> NativeHost::mapBuffer(const Json& spec, std::vector<FileDescriptor>& descriptors)
{
    FileDescriptor descriptor = std::move(descriptors.at(spec.at("fd").get<std::size_t>()));
    const auto blockBytes = spec.at("block").get<std::size_t>();
    std::byte* begin = nullptr;
    if (m_gpu) {
        auto mapped = m_gpu->map(descriptor.get(), blockBytes);
        if (!mapped) {
            throw ProtocolError{mapped.error().reason};
        }
        begin = static_cast<std::byte*>(*mapped);
    } else {
        auto block = SharedBlock::map(std::move(descriptor), blockBytes);
        if (!block) {
            throw ProtocolError{block.error().reason};
        }
        begin = block->data();
        m_blocks.push_back(std::move(*block));
    }
    TargetBuffer buffer;
    buffer.bytes = spec.at("bytes").get<std::size_t>();
    buffer.dtype = dtypeFromString(spec.at("dtype").get<std::string>()).value_or(DType::Unknown);
    buffer.resultDtype = spec.at("result_dtype").get<std::string>();
    buffer.shape = spec.at("shape").get<std::vector<std::int64_t>>();
    std::vector<TargetBuffer> slots;
    for (const Json& offset : spec.at("offsets")) {
        slots.push_back(buffer);
        slots.back().data = begin + offset.get<std::size_t>();
    }
    return slots;
}

void NativeHost::mapPage(Frame& frame)
{
    auto page = SharedBlock::map(std::move(frame.descriptors.at(0)), kPageBytes);
    if (!page) {
        throw ProtocolError{page.error().reason};
    }
    m_blocks.push_back(std::move(*page));
    m_page = reinterpret_cast<Page*>(m_blocks.back().data());
    m_isDestinationPassing = frame.body.at("style") == "dps";
}

void NativeHost::mapBuffers(Frame& frame)
{
    // A slot beyond those of some tensor is never called.
    m_slots.clear();
    const auto addTensor = [this](const std::vector<TargetBuffer>& places) {
        for (std::size_t i = 0; i < m_slots.size(); ++i) {
            const TargetBuffer& buffer = places.at(std::min(i, places.size() - 1));
            auto wrapped = m_runtime->wrapTensor(buffer.data, buffer.dtype, buffer.shape);
            if (!wrapped) {
                throw ProtocolError{wrapped.error().reason};
            }
            m_slots[i].arguments.push_back(*wrapped);
        }
    };
    std::size_t slots = 1;
    for (const char* list : {"inputs", "outputs"}) {
        for (const Json& spec : frame.body.at(list)) {
            slots = spec.at("shape").is_null() ? slots : std::max(slots, spec.at("offsets").size());
        }
    }
    m_slots.resize(slots);
    for (const Json& spec : frame.body.at("inputs")) {
        if (spec.at("shape").is_null()) {
            for (Slot& slot : m_slots) {
                slot.arguments.push_back(scalarArgument(spec.at("value")));
            }
        } else {
            addTensor(mapBuffer(spec, frame.descriptors));
        }
    }
    for (const Json& spec : frame.body.at("outputs")) {
        std::vector<TargetBuffer> places = mapBuffer(spec, frame.descriptors);
        for (TargetBuffer& place : places) {
            place.declaredDtype = spec.at("declared").get<std::string>();
        }
        for (std::size_t i = 0; i < m_slots.size(); ++i) {
            m_slots[i].outputs.push_back(places.at(std::min(i, places.size() - 1)));
        }
        if (m_isDestinationPassing) {
            addTensor(places);
        }
    }
}

std::optional<std::string> NativeHost::loadLibrary(const Json& message)
{
    auto runtime = TvmFfiRuntime::open(message.at("tvm_ffi_library").get<std::string>());
    if (!runtime) {
        return runtime.error().reason;
    }
    m_runtime = std::move(*runtime);
    if (m_gpu) {
        check(m_runtime->useGpu(*m_gpu));
    }
    check(m_runtime->installAllocator());
    const auto library = message.at("library").get<std::string>();
    void* handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
        const char* reason = ::dlerror();
        return fmt::format("the built library can't be loaded: {}", reason != nullptr ? reason : "unknown reason");
    }
    const auto symbol = message.at("symbol").get<std::string>();
    m_function = reinterpret_cast<tvmffi::SafeCall>(::dlsym(handle, symbol.c_str()));
    if (m_function == nullptr) {
        constexpr std::string_view kPrefix = "__tvm_ffi_";
        const std::string entry = symbol.starts_with(kPrefix) ? symbol.substr(kPrefix.size()) : symbol;
        return fmt::format("the built library exports no function `{0}`: write TVM_FFI_DLL_EXPORT_TYPED_FUNC({0}, ...)", entry);
    }
    return std::nullopt;
}

void NativeHost::load(Frame frame)
{
    const auto scratch = frame.body.at("scratch").get<std::string>();
    if (::chdir(scratch.c_str()) != 0) {
        throw ProtocolError{"the scratch folder can't be entered"};
    }
    for (const char* name : {"HOME", "TMPDIR", "XDG_CACHE_HOME"}) {
        ::setenv(name, scratch.c_str(), 1);
    }
    mapPage(frame);
    if (const auto gpu = frame.body.find("gpu"); gpu != frame.body.end() && gpu->is_object()) {
        auto opened = GpuLibrary::open(gpu->at("library").get<std::string>(), m_page, kPageBytes, gpu->at("cupti").get<std::string>(),
                                      gpu->at("evict").get<std::size_t>());
        if (!opened) {
            sendError("load", "the GPU can't be used: " + opened.error().reason);
            return;
        }
        m_gpu = std::move(*opened);
    }
    if (m_role != "calibration") {
        if (auto failure = loadLibrary(frame.body)) {
            sendError("load", *failure);
            return;
        }
    }
    mapBuffers(frame);
    if (frame.body.value("rehearse", false)) {
        // What is loaded at the first call is loaded now, while another host is measured.
        tvmffi::Any result;
        if (call(m_slots.front(), result) != 0) {
            sendError("call", m_runtime->takeError());
            return;
        }
        m_runtime->release(result);
        if (auto ended = m_gpu->synchronise(); !ended) {
            sendError("call", "CUDA error in " + ended.error().reason);
            return;
        }
    }
    send(readyMessage());
}

Json NativeHost::readyMessage() const
{
    Json ready = {{"op", "ready"}};
    if (m_gpu) {
        ready["method"] = m_gpu->method();
        ready["note"] = m_gpu->note();
        ready["evicts"] = m_gpu->evicts();
    }
    return ready;
}

void NativeHost::bind(Frame frame)
{
    if (m_gpu) {
        if (auto unmapped = m_gpu->unmapAll(); !unmapped) {
            sendError("call", "CUDA error in " + unmapped.error().reason);
            return;
        }
    }
    m_blocks.erase(m_blocks.begin() + 1, m_blocks.end());   // the page stays
    mapBuffers(frame);
    send(readyMessage());
}

std::uint32_t NativeHost::awaitCall(std::uint32_t last) const
{
    for (int spins = 0;; ++spins) {
        const std::uint32_t value = m_page->call.load(std::memory_order_acquire);
        if (value != last && value != 0) {
            return value;
        }
        if (m_yields || spins > kSpinsBeforeSleep) {
            ::usleep(kSleepMicroseconds);
        }
    }
}

void NativeHost::awaitGo(std::uint32_t value) const
{
    while (m_page->go.load(std::memory_order_acquire) != value) {
        if (m_yields) {
            ::sched_yield();
        }
    }
}

void NativeHost::run(int calls)
{
    std::uint32_t last = 0;
    for (int call = 0; call < calls; ++call) {
        last = awaitCall(last);
        m_page->enqueued.store(last, std::memory_order_release);
        awaitGo(last);
        if (m_role == "calibration") {
            m_page->done.store(last, std::memory_order_release);
        } else if (!callOnce(last)) {
            return;
        }
    }
}

bool NativeHost::callOnce(std::uint32_t value)
{
    tvmffi::Any result;
    const int code = call(m_slots.front(), result);
    m_page->returned.store(value, std::memory_order_release);
    if (code != 0) {
        sendError("call", m_runtime->takeError());
        m_page->failed.store(value, std::memory_order_release);
        return false;
    }
    if (m_isDestinationPassing) {
        m_page->done.store(value, std::memory_order_release);
        m_runtime->release(result);
        return true;
    }
    auto elements = m_runtime->elements(result);
    auto delivered = elements ? deliverResults(*elements, m_slots.front().outputs, nullptr) : Result<DeliveredResults>(elements.error());
    if (delivered && delivered->fits) {
        m_page->done.store(value, std::memory_order_release);
    }
    // The library stays loaded, so deleters that live in it are safe.
    if (elements) {
        for (const tvmffi::Any& element : *elements) {
            m_runtime->release(element);
        }
    }
    m_runtime->release(result);
    if (!delivered) {
        sendError("call", delivered.error().reason);
        m_page->failed.store(value, std::memory_order_release);
        return false;
    }
    if (!delivered->fits) {
        send({{"op", "result"}, {"outputs", delivered->description}});
        m_page->failed.store(value, std::memory_order_release);
    }
    return true;
}

Json NativeHost::runOnGpu(int calls)
{
    Json list = Json::array();
    auto begun = m_gpu->begin(calls);
    for (int call = 0; begun && call < calls; ++call) {
        if (!callOnGpu()) {
            m_gpu->failed();
            return list;
        }
    }
    auto times = begun ? m_gpu->end(calls) : Result<std::vector<TracedeckCallTimes>>(begun.error());
    if (!times) {
        sendError("call", "CUDA error in " + times.error().reason);
        m_gpu->failed();
        return list;
    }
    for (const TracedeckCallTimes& call : *times) {
        list.push_back({call.span, call.sum, call.activities, call.queued});
    }
    return list;
}

bool NativeHost::callOnGpu()
{
    const auto report = [this](const Result<void>& step) {
        if (!step) {
            sendError("call", "CUDA error in " + step.error().reason);
        }
        return static_cast<bool>(step);
    };
    auto next = m_gpu->next();
    if (!next) {
        return report(next.error());
    }
    if (*next >= m_slots.size()) {
        throw ProtocolError{"a call works on a slot that there is not"};
    }
    Slot& slot = m_slots[*next];
    tvmffi::Any result;
    const bool hasCopies = !m_isDestinationPassing && m_role != "calibration";
    if (m_role != "calibration" && call(slot, result) != 0) {
        sendError("call", m_runtime->takeError());
        return false;
    }
    if (!report(m_gpu->returned(hasCopies))) {
        return false;
    }
    bool fits = true;
    if (hasCopies) {
        auto elements = m_runtime->elements(result);
        auto delivered = elements ? deliverResults(*elements, slot.outputs, &*m_gpu) : Result<DeliveredResults>(elements.error());
        // Freed in stream order: the copies above come first.
        if (elements) {
            for (const tvmffi::Any& element : *elements) {
                m_runtime->release(element);
            }
        }
        if (!delivered) {
            sendError("call", delivered.error().reason);
            return false;
        }
        fits = delivered->fits;
        if (!fits) {
            send({{"op", "result"}, {"outputs", delivered->description}});
        }
    }
    if (m_runtime) {
        m_runtime->release(result);
    }
    return report(m_gpu->done(fits));
}

int hostMain(const std::string& role, bool yields, const confine::Plan& plan)
{
    ::close(kLifelineDescriptor);
    ::close_range(kLifelineDescriptor, ~0U, 0);
    std::setvbuf(stdout, nullptr, _IOLBF, 0);   // what was printed before a crash is kept
    if (const auto sealed = confine::sealConfinement(plan); !sealed) {
        std::fprintf(stderr, "tracedeck-worker host: %s\n", sealed.error().reason.c_str());
        return 1;
    }
    try {
        return NativeHost(role, yields).serve();
    } catch (const ProtocolError& error) {
        std::fprintf(stderr, "tracedeck-worker host: %s\n", error.reason.c_str());
    } catch (const std::exception& error) {
        std::fprintf(stderr, "tracedeck-worker host: %s\n", error.what());
    }
    return 1;
}

/// Forks. The child begins a session of its own and ends with the value of `body`; this returns once the session is there: what is
/// left of this process's group is killed when it ends. -1 when the system refuses.
pid_t forkInOwnSession(const std::function<int()>& body)
{
    std::array<int, 2> ready{-1, -1};
    if (::pipe2(ready.data(), O_CLOEXEC) != 0) {
        return -1;
    }
    const FileDescriptor readEnd(ready[0]);
    FileDescriptor writeEnd(ready[1]);
    const pid_t pid = ::fork();
    if (pid == 0) {
        ::setsid();
        writeEnd.close();   // what the parent waits for
        ::_exit(body());
    }
    writeEnd.close();
    char unused = 0;
    while (::read(readEnd.get(), &unused, 1) < 0 && errno == EINTR) {
    }
    return pid;
}

}  // namespace

int runNativeHost(const std::string& role, const std::string& wait, const std::string& planText)
{
    FrameSocket socket(FileDescriptor(kSocketDescriptor), kMaxProgramFrameBytes);
    const auto plan = confine::decodePlan(planText);
    const auto first = plan ? confine::enterConfinement(*plan, kLifelineDescriptor) : Result<pid_t>(plan.error());
    if (!first) {
        static_cast<void>(socket.send({{"op", "unconfined"}, {"message", first.error().reason}}, deadlineAfter(kStartSeconds)));
        ::_exit(1);
    }
    const pid_t host = forkInOwnSession([&] { return hostMain(role, wait == "yield", *plan); });
    const Json init = *first > 0 ? Json(*first) : Json(nullptr);
    const auto sent = host > 0 ? socket.send({{"op", "forked"}, {"v", kProtocolVersion}, {"pid", host}, {"init", init}}, deadlineAfter(kStartSeconds))
                               : Result<void>(confine::systemError("no new process"));
    // Nothing that runs at exit: a sanitizer's leak check would look for threads by the numbers of a process namespace that this
    // process is not in itself, and wait for ever.
    ::_exit(sent ? 0 : 1);
}

}  // namespace tracedeck::judge
