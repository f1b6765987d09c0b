#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/function.h>

#include <cstdlib>

/// y = 2 x, the right answer; what each file beside this one does instead, or as well, is its own.
static __global__ void twice(const float* x, float* y, int64_t count)
{
    const int64_t place = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (place < count) y[place] = 2 * x[place];
}

inline cudaStream_t streamOf(tvm::ffi::TensorView tensor)
{
    return static_cast<cudaStream_t>(TVMFFIEnvGetStream(tensor.device().device_type, tensor.device().device_id));
}

inline const float* source(tvm::ffi::TensorView x) { return static_cast<const float*>(x.data_ptr()); }
inline float* target(tvm::ffi::TensorView y) { return static_cast<float*>(y.data_ptr()); }

inline void launchTwice(tvm::ffi::TensorView x, tvm::ffi::TensorView y)
{
    twice<<<static_cast<unsigned>((x.size(0) + 255) / 256), 256, 0, streamOf(x)>>>(source(x), target(y), x.size(0));
}
