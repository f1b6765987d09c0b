// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/cuda/kernel_support.cuh"

namespace tracedeck::judge::kernels {

namespace {

template <DType dtype>
__global__ void __launch_bounds__(kThreads) mapKernel(typename Stored<dtype>::Code* data, std::uint64_t elements, NormalMap map)
{
    for (std::uint64_t i = firstOfThread(); i < elements; i += threadsOfGrid()) {
        const float value = mapNormal(map, Stored<dtype>::decode(data[i]), i);
        if constexpr (dtype == DType::Float32) {
            data[i] = __float_as_uint(value);
        } else {
            data[i] = Stored<dtype>::encode(value);
        }
    }
}

template <DType dtype>
cudaError_t launchMap(const Launch& launch, void* data, std::uint64_t elements, const NormalMap& map)
{
    mapKernel<dtype><<<gridFor(launch, elements), kThreads, 0, launch.stream>>>(static_cast<typename Stored<dtype>::Code*>(data), elements, map);
    return cudaGetLastError();
}

}  // namespace

cudaError_t mapNormals(const Launch& launch, void* data, DType dtype, std::uint64_t elements, const NormalMap& map)
{
    if (elements == 0) {
        return cudaSuccess;
    }
    switch (dtype) {
    case DType::Float32: return launchMap<DType::Float32>(launch, data, elements, map);
    case DType::Float16: return launchMap<DType::Float16>(launch, data, elements, map);
    case DType::BFloat16: return launchMap<DType::BFloat16>(launch, data, elements, map);
    default: return cudaErrorInvalidValue;
    }
}

}  // namespace tracedeck::judge::kernels
