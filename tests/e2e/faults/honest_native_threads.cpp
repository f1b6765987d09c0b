// SPDX-License-Identifier: GPL-3.0-or-later
// row: honest: compiled, with threads
// expect: PASSED
// style: dps
#include <stdint.h>
#include <tvm/ffi/c_api.h>
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
    const int64_t half = count(arguments) / 2;
    const auto part = [arguments](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) output(arguments)[i] = input(arguments)[i] * 2 + 1;
    };
    std::thread other(part, half, count(arguments));
    part(0, half);
    other.join();
    return 0;
}
