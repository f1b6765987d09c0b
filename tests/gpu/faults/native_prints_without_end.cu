// SPDX-License-Identifier: GPL-3.0-or-later
// row: C20: the text of kernels
// expect: PASSED
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

#include <cstdio>

static __global__ void talk()
{
    printf("block %d has much to say, all of it of no use to anybody who reads a log\n", static_cast<int>(blockIdx.x));
}

void run(tvm::ffi::TensorView x, tvm::ffi::TensorView y)
{
    launch(x, y, streamOf(x));
    talk<<<2000, 1, 0, streamOf(x)>>>();
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
