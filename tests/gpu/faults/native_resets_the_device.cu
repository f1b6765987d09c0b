// SPDX-License-Identifier: GPL-3.0-or-later
// row: C20: its own context, nobody else's
// expect: RUNTIME_ERROR
// verdict: exception|call|signal|exit
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
    launch(x, y, streamOf(x));
    cudaDeviceReset();
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
