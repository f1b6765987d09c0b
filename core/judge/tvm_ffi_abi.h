// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

/// The part of apache-tvm-ffi's C ABI that calling a solution needs (benchmark §6.6; 64-bit little endian, stable from
/// 0.1.2 on). Declared here so that building needs no headers of it; the library is opened at run time.
namespace tracedeck::judge::tvmffi {

/// `type_index` of an Any.
enum TypeIndex : std::int32_t {
    kNone = 0,
    kInt = 1,
    kBool = 2,
    kFloat = 3,
    kFirstObject = 64,
    kError = 67,
    kTensor = 70,
    kArray = 71
};

struct Any {
    std::int32_t typeIndex = kNone;
    std::uint32_t zeroPadding = 0;
    union {
        std::int64_t integer;
        double number;
        void* object;
    };
    Any() : integer(0) {}
};
static_assert(sizeof(Any) == 16);

struct ByteArray {
    const char* data;
    std::size_t size;
};

/// Header of every reference-counted object.
struct Object {
    std::uint64_t counts;
    std::int32_t typeIndex;
    std::uint32_t padding;
    void (*deleter)(void*, int);
};
static_assert(sizeof(Object) == 24);

/// First fields of an error object, behind its header.
struct ErrorBody {
    ByteArray kind;
    ByteArray message;
    ByteArray backtrace;   ///< most recent call first
};

struct DataType {
    std::uint8_t code;
    std::uint8_t bits;
    std::uint16_t lanes;
    bool operator==(const DataType&) const = default;
};
struct DeviceId {
    std::int32_t type;
    std::int32_t id;
};
inline constexpr std::int32_t kCpuDevice = 1;
inline constexpr std::int32_t kCudaDevice = 2;

struct Tensor {
    void* data;
    DeviceId device;
    std::int32_t ndim;
    DataType dtype;
    std::int64_t* shape;
    std::int64_t* strides;   ///< in elements
    std::uint64_t byteOffset;
};
static_assert(sizeof(Tensor) == 48);

struct ManagedTensor {
    std::uint32_t majorVersion;
    std::uint32_t minorVersion;
    void* context;
    void (*deleter)(ManagedTensor*);
    std::uint64_t flags;
    Tensor tensor;
};
static_assert(sizeof(ManagedTensor) == 80);

using SafeCall = int (*)(void* self, const Any* arguments, std::int32_t count, Any* result);
using SetError = void (*)(void* context, const char* kind, const char* message);
using Allocator = int (*)(Tensor* prototype, ManagedTensor** out, void* errorContext, SetError setError);

}  // namespace tracedeck::judge::tvmffi
