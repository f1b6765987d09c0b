// SPDX-License-Identifier: GPL-3.0-or-later
// row: C8
// expect: INCORRECT_NUMERICAL
// verdict: output.poisoned|late.write
// style: dps
#include <stdint.h>
#include <tvm/ffi/c_api.h>
#include <chrono>
#include <thread>
namespace {
const DLTensor* tensor(const TVMFFIAny& value)
{
    return value.type_index == kTVMFFITensor ? reinterpret_cast<const DLTensor*>(reinterpret_cast<const char*>(value.v_obj) + sizeof(TVMFFIObject))
                                             : static_cast<const DLTensor*>(value.v_ptr);
}
const float* input(const TVMFFIAny* arguments) { return static_cast<const float*>(tensor(arguments[0])->data); }
float* output(const TVMFFIAny* arguments) { return static_cast<float*>(tensor(arguments[1])->data); }
int64_t count(const TVMFFIAny* arguments) { return tensor(arguments[0])->shape[0] * tensor(arguments[0])->shape[1]; }
}

extern "C" int __tvm_ffi_run(void*, const TVMFFIAny* arguments, int32_t, TVMFFIAny*)
{
    std::thread([x = input(arguments), y = output(arguments), n = count(arguments)] {
        std::this_thread::sleep_for(std::chrono::milliseconds(3));
        for (int64_t i = 0; i < n; ++i) y[i] = x[i] * 2 + 1;
    }).detach();
    return 0;
}
