// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/tvm_ffi_runtime.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace tracedeck::judge {

namespace {

using namespace tvmffi;

struct NamedType {
    const char* name;
    DataType type;
};
constexpr std::array<NamedType, 16> kTypes{{
    {"float32", {2, 32, 1}},        {"float16", {2, 16, 1}},     {"bfloat16", {4, 16, 1}}, {"float8_e4m3fn", {10, 8, 1}},
    {"float8_e5m2", {12, 8, 1}},    {"float4_e2m1", {17, 4, 2}}, {"int64", {0, 64, 1}},    {"int32", {0, 32, 1}},
    {"int16", {0, 16, 1}},          {"int8", {0, 8, 1}},         {"bool", {6, 8, 1}},      {"float64", {2, 64, 1}},
    {"uint8", {1, 8, 1}},           {"uint16", {1, 16, 1}},      {"uint32", {1, 32, 1}},   {"uint64", {1, 64, 1}},
}};

/// A DLPack tensor with room for its shape, and memory of its own when it was allocated for a kernel.
struct OwnedTensor {
    ManagedTensor managed{};
    std::vector<std::int64_t> shape;
    std::vector<std::int64_t> strides;
    void* memory = nullptr;
};

/// Where tensors live that kernels ask for; none: the process's memory. The allocator's callback carries no pointer of ours.
const GpuLibrary* gpuMemory = nullptr;

void deleteOwned(ManagedTensor* self)
{
    auto* owned = static_cast<OwnedTensor*>(self->context);
    if (owned->managed.tensor.device.type == kCudaDevice) {
        if (owned->memory != nullptr) {
            // A failure here means a broken context, which the end of the call reports.
            static_cast<void>(gpuMemory->free(owned->memory));
        }
    } else {
        std::free(owned->memory);
    }
    delete owned;
}

std::unique_ptr<OwnedTensor> makeOwned(std::vector<std::int64_t> shape, DataType type, DeviceId device, void* data)
{
    auto owned = std::make_unique<OwnedTensor>();
    owned->strides.assign(shape.size(), 1);
    for (std::size_t i = shape.size(); i > 1; --i) {
        owned->strides[i - 2] = owned->strides[i - 1] * std::max<std::int64_t>(shape[i - 1], 1);
    }
    owned->shape = std::move(shape);
    // Strides always: a missing pointer makes a callee throw.
    owned->managed = {1, 0, owned.get(), deleteOwned, 0,
                      {data, device, static_cast<std::int32_t>(owned->shape.size()), type, owned->shape.data(), owned->strides.data(), 0}};
    return owned;
}

int allocate(Tensor* prototype, ManagedTensor** out, void* errorContext, SetError setError)
{
    constexpr std::size_t kAlignment = 256;
    try {
        std::vector<std::int64_t> shape(prototype->shape, prototype->shape + prototype->ndim);
        std::uint64_t bits = std::uint64_t{prototype->dtype.bits} * prototype->dtype.lanes;
        for (const std::int64_t size : shape) {
            if (size < 0 || __builtin_mul_overflow(bits, static_cast<std::uint64_t>(size), &bits)) {
                setError(errorContext, "ValueError", "a tensor with an impossible shape was asked for");
                return -1;
            }
        }
        const std::size_t bytes = (bits / 8 + 1 + kAlignment) / kAlignment * kAlignment;
        const bool isOnGpu = gpuMemory != nullptr && prototype->device.type == kCudaDevice;
        if (!isOnGpu && prototype->device.type != kCpuDevice) {
            setError(errorContext, "ValueError", "a tensor on a device that this process does not use was asked for");
            return -1;
        }
        auto onGpu = isOnGpu ? gpuMemory->allocate(bytes) : Result<void*>(nullptr);
        if (!onGpu) {
            setError(errorContext, "MemoryError", onGpu.error().reason.c_str());
            return -1;
        }
        void* memory = isOnGpu ? *onGpu : std::aligned_alloc(kAlignment, bytes);
        if (memory == nullptr) {
            setError(errorContext, "MemoryError", "no memory for a tensor");
            return -1;
        }
        auto owned = makeOwned(std::move(shape), prototype->dtype, {isOnGpu ? kCudaDevice : kCpuDevice, 0}, memory);
        owned->memory = memory;
        *out = &owned.release()->managed;
        return 0;
    } catch (const std::exception& error) {
        setError(errorContext, "MemoryError", error.what());
        return -1;
    }
}

std::string_view text(const ByteArray& bytes)
{
    return bytes.data != nullptr ? std::string_view(bytes.data, bytes.size) : std::string_view{};
}

template <class Function>
bool resolve(void* library, const char* name, Function& function)
{
    // dlsym gives a data pointer; POSIX says that it holds a function.
    function = reinterpret_cast<Function>(::dlsym(library, name));
    return function != nullptr;
}

Error runtimeError(ErrorCode code, std::string reason)
{
    return Error{code, std::move(reason), {}, 0, {}};
}

}  // namespace

std::string dtypeName(const DataType& type)
{
    for (const NamedType& known : kTypes) {
        if (known.type == type) {
            return known.name;
        }
    }
    return fmt::format("{}-{}-{}", type.code, type.bits, type.lanes);
}

DataType dlpackType(DType dtype)
{
    for (const NamedType& known : kTypes) {
        if (known.name == toString(dtype)) {
            return known.type;
        }
    }
    return {3, 64, 1};   // opaque
}

const Tensor& tensorOf(const Any& value)
{
    return *reinterpret_cast<const Tensor*>(static_cast<const std::byte*>(value.object) + sizeof(Object));
}

Result<TvmFfiRuntime> TvmFfiRuntime::open(const std::filesystem::path& library)
{
    void* handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (handle == nullptr) {
        const char* reason = ::dlerror();
        return runtimeError(ErrorCode::Unsupported, fmt::format("libtvm_ffi.so can't be loaded: {}", reason != nullptr ? reason : "unknown reason"));
    }
    TvmFfiRuntime runtime;
    if (!resolve(handle, "TVMFFIObjectIncRef", runtime.m_incRef) || !resolve(handle, "TVMFFIObjectDecRef", runtime.m_decRef) ||
        !resolve(handle, "TVMFFITensorFromDLPackVersioned", runtime.m_fromDlpack) ||
        !resolve(handle, "TVMFFIErrorMoveFromRaised", runtime.m_moveError) ||
        !resolve(handle, "TVMFFIEnvSetDLPackManagedTensorAllocator", runtime.m_setAllocator) ||
        !resolve(handle, "TVMFFIEnvSetStream", runtime.m_setStream) ||
        !resolve(handle, "TVMFFIFunctionGetGlobal", runtime.m_getGlobal) || !resolve(handle, "TVMFFIFunctionCall", runtime.m_call)) {
        return runtimeError(ErrorCode::Unsupported, fmt::format("{} is too old: it lacks functions of apache-tvm-ffi 0.1.2", library.string()));
    }
    return runtime;
}

Result<Any> TvmFfiRuntime::wrapTensor(void* data, DType dtype, const std::vector<std::int64_t>& shape) const
{
    auto owned = makeOwned(shape, dlpackType(dtype), m_device, data);
    Any any;
    any.typeIndex = kTensor;
    constexpr std::int32_t kAnyAlignment = 0;
    constexpr std::int32_t kContiguous = 1;
    ManagedTensor* managed = &owned->managed;
    if (m_fromDlpack(managed, kAnyAlignment, kContiguous, &any.object) != 0) {
        return runtimeError(ErrorCode::ProcessFailed, takeError());
    }
    static_cast<void>(owned.release());   // its deleter runs when the object is released
    return any;
}

Result<void> TvmFfiRuntime::useGpu(const GpuLibrary& gpu)
{
    gpuMemory = &gpu;
    m_device = {kCudaDevice, 0};
    if (m_setStream(kCudaDevice, 0, gpu.stream(), nullptr) != 0) {
        return runtimeError(ErrorCode::ProcessFailed, takeError());
    }
    return {};
}

Result<void> TvmFfiRuntime::installAllocator() const
{
    // For all threads: a solution may allocate in its own.
    if (m_setAllocator(allocate, 1, nullptr) != 0) {
        return runtimeError(ErrorCode::ProcessFailed, takeError());
    }
    return {};
}

std::string TvmFfiRuntime::takeError() const
{
    void* object = nullptr;
    m_moveError(&object);
    if (object == nullptr) {
        return "RuntimeError: the call failed and left no reason";
    }
    const auto& body = *reinterpret_cast<const ErrorBody*>(static_cast<const std::byte*>(object) + sizeof(Object));
    std::string described = fmt::format("{}: {}", text(body.kind), text(body.message));
    if (body.backtrace.size > 0) {
        described += fmt::format("\nCall stack, most recent call first:\n{}", text(body.backtrace));
    }
    m_decRef(object);
    return described;
}

void TvmFfiRuntime::release(const Any& value) const
{
    if (value.typeIndex >= kFirstObject && value.object != nullptr) {
        m_decRef(value.object);
    }
}

Result<std::vector<Any>> TvmFfiRuntime::elements(const Any& value) const
{
    if (value.typeIndex == kNone) {
        return std::vector<Any>{};
    }
    if (value.typeIndex != kArray) {
        if (value.typeIndex >= kFirstObject) {
            m_incRef(value.object);
        }
        return std::vector<Any>{value};
    }
    // By the registered functions: the layout of arrays is the library's own affair.
    const auto call = [this](std::string_view name, std::vector<Any> arguments) -> Result<Any> {
        const ByteArray bytes{name.data(), name.size()};
        void* function = nullptr;
        if (m_getGlobal(&bytes, &function) != 0 || function == nullptr) {
            return runtimeError(ErrorCode::Unsupported, fmt::format("libtvm_ffi.so has no function {}", name));
        }
        Any result;
        const int code = m_call(function, arguments.data(), static_cast<std::int32_t>(arguments.size()), &result);
        m_decRef(function);
        return code == 0 ? Result<Any>(result) : Result<Any>(runtimeError(ErrorCode::ProcessFailed, takeError()));
    };
    auto size = call("ffi.ArraySize", {value});
    if (!size) {
        return size.error();
    }
    std::vector<Any> all;
    for (std::int64_t i = 0; i < size->integer; ++i) {
        Any index;
        index.typeIndex = kInt;
        index.integer = i;
        auto element = call("ffi.ArrayGetItem", {value, index});
        if (!element) {
            std::for_each(all.begin(), all.end(), [this](const Any& taken) { release(taken); });
            return element.error();
        }
        all.push_back(*element);
    }
    return all;
}

}  // namespace tracedeck::judge
