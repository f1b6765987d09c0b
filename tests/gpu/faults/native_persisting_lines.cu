// SPDX-License-Identifier: GPL-3.0-or-later
// row: C23: its input is to stay in the cache
// expect: PASSED
// least: 0.85 of honest_native
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/function.h>

static __global__ void affine(const float* x, float* y, int64_t count)
{
    for (int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += int64_t{gridDim.x} * blockDim.x) y[i] = x[i] * 2 + 1;
}

static cudaStream_t streamOf(tvm::ffi::TensorView tensor)
{
    return static_cast<cudaStream_t>(TVMFFIEnvGetStream(tensor.device().device_type, tensor.device().device_id));
}

static void launch(tvm::ffi::TensorView x, tvm::ffi::TensorView y, cudaStream_t stream)
{
    affine<<<1056, 256, 0, stream>>>(static_cast<const float*>(x.data_ptr()), static_cast<float*>(y.data_ptr()), x.size(0) * x.size(1));
}

void run(tvm::ffi::TensorView x, tvm::ffi::TensorView y)
{
    cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, size_t{32} << 20);
    cudaStreamAttrValue window{};
    window.accessPolicyWindow.base_ptr = x.data_ptr();
    window.accessPolicyWindow.num_bytes = size_t{32} << 20;
    window.accessPolicyWindow.hitRatio = 1;
    window.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
    window.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
    cudaStreamSetAttribute(streamOf(x), cudaStreamAttributeAccessPolicyWindow, &window);
    launch(x, y, streamOf(x));
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
