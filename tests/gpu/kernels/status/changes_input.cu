#include "launch.h"

__global__ void overwrite(float* x) { x[0] = 0; }

void run(tvm::ffi::TensorView x, tvm::ffi::TensorView y)
{
    launchTwice(x, y);
    overwrite<<<1, 1, 0, streamOf(x)>>>(static_cast<float*>(x.data_ptr()));
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
