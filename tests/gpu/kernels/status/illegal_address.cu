#include "launch.h"

__global__ void writeNowhere() { *reinterpret_cast<volatile float*>(0x10) = 1; }

void run(tvm::ffi::TensorView x, tvm::ffi::TensorView y)
{
    writeNowhere<<<1, 1, 0, streamOf(x)>>>();
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
