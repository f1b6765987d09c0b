// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/native_results.h"

#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <span>

#include <fmt/format.h>

#include "core/judge/gpu_library.h"
#include "core/judge/number_formats.h"
#include "core/judge/tvm_ffi_runtime.h"

namespace tracedeck::judge {

namespace {

using namespace tvmffi;

Error resultError(std::string reason)
{
    return Error{ErrorCode::InvalidInput, std::move(reason), {}, 0, {}};
}

/// Calls `copy(offset in elements)` for every element in row order.
template <class Copy>
void forEachElement(const Tensor& tensor, Copy copy)
{
    std::vector<std::int64_t> index(static_cast<std::size_t>(tensor.ndim), 0);
    for (std::int32_t i = 0; i < tensor.ndim; ++i) {
        if (tensor.shape[i] == 0) {
            return;
        }
    }
    while (true) {
        std::int64_t offset = 0;
        for (std::size_t i = 0; i < index.size(); ++i) {
            offset += index[i] * tensor.strides[i];
        }
        copy(offset);
        std::size_t dimension = index.size();
        while (dimension > 0 && ++index[dimension - 1] == tensor.shape[dimension - 1]) {
            index[--dimension] = 0;
        }
        if (dimension == 0) {
            return;
        }
    }
}

bool isContiguous(const Tensor& tensor)
{
    std::int64_t expected = 1;
    for (std::int32_t i = tensor.ndim; i > 0; --i) {
        if (tensor.strides != nullptr && tensor.shape[i - 1] != 1 && tensor.strides[i - 1] != expected) {
            return false;
        }
        expected *= tensor.shape[i - 1];
    }
    return true;
}

bool copyTensor(const Tensor& tensor, const TargetBuffer& target)
{
    const auto* source = static_cast<const std::byte*>(tensor.data) + tensor.byteOffset;
    const std::string name = dtypeName(tensor.dtype);
    if (name == toString(target.dtype)) {
        const std::size_t size = std::size_t{tensor.dtype.bits} * tensor.dtype.lanes / 8;
        if (isContiguous(tensor)) {
            std::memcpy(target.data, source, target.bytes);
            return true;
        }
        std::byte* position = target.data;
        forEachElement(tensor, [&](std::int64_t offset) {
            std::memcpy(position, source + offset * static_cast<std::int64_t>(size), size);
            position += size;
        });
        return true;
    }
    if (name == "float64" && target.dtype == DType::Float32 && isContiguous(tensor)) {
        // Dtypes that the format does not name travel as float32, which is what the comparison sees anyway.
        for (std::size_t i = 0; i < target.bytes / sizeof(float); ++i) {
            double value = 0;
            std::memcpy(&value, source + i * sizeof(double), sizeof(double));
            const auto narrowed = static_cast<float>(value);
            std::memcpy(target.data + i * sizeof(float), &narrowed, sizeof(float));
        }
        return true;
    }
    return false;
}

/// Elements from the lowest to the highest address, and how far the first one lies above the lowest.
struct Extent {
    std::int64_t below = 0;
    std::int64_t elements = 1;
};
Extent extentOf(const Tensor& tensor)
{
    Extent extent;
    for (std::int32_t i = 0; i < tensor.ndim; ++i) {
        if (tensor.shape[i] == 0) {
            return {0, 0};
        }
        const std::int64_t reach = (tensor.shape[i] - 1) * tensor.strides[i];
        extent.elements += std::abs(reach);
        extent.below += reach < 0 ? -reach : 0;
    }
    return extent;
}

Result<bool> copyTensorOnGpu(const Tensor& tensor, const TargetBuffer& target, const GpuLibrary& gpu)
{
    const auto* source = static_cast<const std::byte*>(tensor.data) + tensor.byteOffset;
    if (dtypeName(tensor.dtype) == toString(target.dtype) && isContiguous(tensor)) {
        auto copied = gpu.copy(target.data, source, target.bytes);
        return copied ? Result<bool>(true) : Result<bool>(copied.error());
    }
    // Rare, and not part of the measured span: rearranged in the process's memory.
    const std::size_t size = std::size_t{tensor.dtype.bits} * tensor.dtype.lanes / 8;
    const Extent extent = extentOf(tensor);
    std::vector<std::byte> contents(static_cast<std::size_t>(extent.elements) * size);
    std::vector<std::byte> arranged(target.bytes);
    const std::size_t below = static_cast<std::size_t>(extent.below) * size;
    if (auto read = gpu.read(contents.data(), source - below, contents.size()); !read) {
        return read.error();
    }
    Tensor copy = tensor;
    copy.data = contents.data() + below;
    copy.byteOffset = 0;
    TargetBuffer staging = target;
    staging.data = arranged.data();
    if (!copyTensor(copy, staging)) {
        return false;
    }
    auto written = gpu.write(target.data, arranged.data(), arranged.size());
    return written ? Result<bool>(true) : Result<bool>(written.error());
}

/// Writes a host number as the one element of a 0-d tensor.
void writeNumber(const Any& value, const TargetBuffer& target)
{
    const double number = value.typeIndex == kFloat ? value.number : static_cast<double>(value.integer);
    if (isFloating(target.dtype)) {
        const std::array<float, 1> single{static_cast<float>(number)};
        encodeFromFloat(target.dtype, single, 0, {target.data, target.bytes});
    } else if (target.dtype == DType::Bool) {
        target.data[0] = number != 0 ? std::byte{1} : std::byte{0};
    } else {
        constexpr double kLargest = 9.2e18;
        const bool isRepresentable = std::fabs(number) < kLargest;   // false for NaN
        const std::int64_t integer = value.typeIndex != kFloat ? value.integer : isRepresentable ? static_cast<std::int64_t>(number) : 0;
        std::memcpy(target.data, &integer, target.bytes);   // little endian: the low bytes
    }
}

}  // namespace

Any scalarArgument(const Json& value)
{
    Any any;
    if (value.is_boolean()) {
        any.typeIndex = kBool;
        any.integer = value.get<bool>() ? 1 : 0;
    } else if (value.is_number_integer()) {
        any.typeIndex = kInt;
        any.integer = value.get<std::int64_t>();
    } else {
        any.typeIndex = kFloat;
        any.number = value.is_string() ? std::strtod(value.get<std::string>().c_str(), nullptr) : value.get<double>();
    }
    return any;
}

Result<DeliveredResults> deliverResults(const std::vector<Any>& values, const std::vector<TargetBuffer>& outputs, const GpuLibrary* gpu)
{
    const std::int32_t device = gpu != nullptr ? kCudaDevice : kCpuDevice;
    if (values.size() != outputs.size()) {
        return resultError(fmt::format("the call returned {} values; the definition has {} outputs", values.size(), outputs.size()));
    }
    DeliveredResults delivered;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const Any& value = values[i];
        const TargetBuffer& target = outputs[i];
        if (value.typeIndex == kInt || value.typeIndex == kBool || value.typeIndex == kFloat) {
            const bool isFit = target.shape.empty() && target.declaredDtype == target.resultDtype;
            if (isFit && gpu == nullptr) {
                writeNumber(value, target);
            } else if (isFit) {
                std::vector<std::byte> number(target.bytes);
                TargetBuffer staging = target;
                staging.data = number.data();
                writeNumber(value, staging);
                if (auto written = gpu->write(target.data, number.data(), number.size()); !written) {
                    return written.error();
                }
            }
            delivered.fits = delivered.fits && isFit;
            delivered.description.push_back({{"dtype", target.declaredDtype}, {"shape", Json::array()}});
            continue;
        }
        if (value.typeIndex != kTensor) {
            return resultError(fmt::format("the call returned an object of type {} where a tensor or a number is needed", value.typeIndex));
        }
        const Tensor& tensor = tensorOf(value);
        if (tensor.device.type != device) {
            return resultError(gpu != nullptr ? "the call returned a tensor that is not in the GPU's memory"
                                              : "the call returned a tensor that is not in the CPU's memory");
        }
        const std::vector<std::int64_t> shape(tensor.shape, tensor.shape + tensor.ndim);
        const std::string name = dtypeName(tensor.dtype);
        bool isFit = shape == target.shape && name == target.resultDtype;
        if (isFit && gpu != nullptr) {
            auto copied = copyTensorOnGpu(tensor, target, *gpu);
            if (!copied) {
                return copied.error();
            }
            isFit = *copied;
        } else if (isFit) {
            isFit = copyTensor(tensor, target);
        }
        delivered.fits = delivered.fits && isFit;
        delivered.description.push_back({{"dtype", name}, {"shape", shape}});
    }
    return delivered;
}

}  // namespace tracedeck::judge
