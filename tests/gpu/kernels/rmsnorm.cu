#include <cuda_bf16.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/function.h>

namespace {

using tvm::ffi::TensorView;
constexpr int kThreads = 256;

__device__ float valueAt(const __nv_bfloat16* hidden, const __nv_bfloat16* residual, int64_t place)
{
    const float value = __bfloat162float(hidden[place]);
    return residual == nullptr ? value : value + __bfloat162float(residual[place]);
}

/// One block a row; the sum of squares in float32.
__global__ void normaliseRows(const __nv_bfloat16* hidden, const __nv_bfloat16* residual, const __nv_bfloat16* weight, __nv_bfloat16* output, int width)
{
    __shared__ float parts[kThreads / 32];
    const int64_t start = int64_t{blockIdx.x} * width;
    float sum = 0;
    for (int i = threadIdx.x; i < width; i += kThreads) {
        const float value = valueAt(hidden, residual, start + i);
        sum += value * value;
    }
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(0xffffffffU, sum, distance);
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = sum;
    __syncthreads();
    sum = 0;
    for (int i = 0; i < kThreads / 32; ++i) sum += parts[i];
    const float scale = rsqrtf(sum / width + EPSILON);
    for (int i = threadIdx.x; i < width; i += kThreads) {
        output[start + i] = __float2bfloat16(valueAt(hidden, residual, start + i) * scale * __bfloat162float(weight[i]));
    }
}

const __nv_bfloat16* data(TensorView tensor) { return static_cast<const __nv_bfloat16*>(tensor.data_ptr()); }

void launch(TensorView hidden, const __nv_bfloat16* residual, TensorView weight, TensorView output)
{
    const DLDevice device = hidden.device();
    auto* stream = static_cast<cudaStream_t>(TVMFFIEnvGetStream(device.device_type, device.device_id));
    normaliseRows<<<static_cast<unsigned>(hidden.size(0)), kThreads, 0, stream>>>(
        data(hidden), residual, data(weight), static_cast<__nv_bfloat16*>(output.data_ptr()), static_cast<int>(hidden.size(1)));
}

void run(TensorView hidden, TensorView weight, TensorView output) { launch(hidden, nullptr, weight, output); }
void run_fused(TensorView hidden, TensorView residual, TensorView weight, TensorView output) { launch(hidden, data(residual), weight, output); }

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(run_fused, run_fused);
