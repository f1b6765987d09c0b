#include "launch.h"

/// Beside the output, where nothing of this call's is.
__global__ void writeBeside(float* y, int64_t count) { y[count + 16] = 1; }

void run(tvm::ffi::TensorView x, tvm::ffi::TensorView y)
{
    launchTwice(x, y);
    writeBeside<<<1, 1, 0, streamOf(x)>>>(target(y), x.size(0));
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
