// SPDX-License-Identifier: GPL-3.0-or-later
// row: C24: a thread that waits for the next input
// expect: RUNTIME_ERROR
// verdict: late.cpu
// style: dps
#include <stdint.h>
#include <tvm/ffi/c_api.h>
#include <atomic>
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
std::atomic<const float*> watched{nullptr};
std::atomic<int> seen{0};
void watch()
{
    for (float last = 0;;) {
        const volatile float* const x = watched;
        if (x != nullptr && x[0] != last) {
            last = x[0];
            ++seen;
        }
    }
}
std::thread watcher(watch);
}

extern "C" int __tvm_ffi_run(void*, const TVMFFIAny* arguments, int32_t, TVMFFIAny*)
{
    watched = input(arguments);
    for (int64_t i = 0; i < count(arguments); ++i) output(arguments)[i] = input(arguments)[i] * 2 + 1;
    return 0;
}
