#include "launch.h"

__global__ void spin(volatile float* y)
{
    while (y[0] < 1e30F) y[1] = y[1] + 1;
}

void run(tvm::ffi::TensorView x, tvm::ffi::TensorView y)
{
    spin<<<1, 1, 0, streamOf(x)>>>(target(y));
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
