// SPDX-License-Identifier: GPL-3.0-or-later
// row: C28: work for the compiler is honest
// expect: PASSED
// style: dps
#include <stdint.h>
#include <tvm/ffi/c_api.h>
namespace {
const DLTensor* tensor(const TVMFFIAny& value)
{
    return value.type_index == kTVMFFITensor ? reinterpret_cast<const DLTensor*>(reinterpret_cast<const char*>(value.v_obj) + sizeof(TVMFFIObject))
                                             : static_cast<const DLTensor*>(value.v_ptr);
}
const float* input(const TVMFFIAny* arguments) { return static_cast<const float*>(tensor(arguments[0])->data); }
float* output(const TVMFFIAny* arguments) { return static_cast<float*>(tensor(arguments[1])->data); }
int64_t count(const TVMFFIAny* arguments) { return tensor(arguments[0])->shape[0] * tensor(arguments[0])->shape[1]; }
constexpr int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
static_assert(fibonacci(15) == 610);
}

extern "C" int __tvm_ffi_run(void*, const TVMFFIAny* arguments, int32_t, TVMFFIAny*)
{
    for (int64_t i = 0; i < count(arguments); ++i) output(arguments)[i] = input(arguments)[i] * 2 + 1;
    return 0;
}
