// SPDX-License-Identifier: GPL-3.0-or-later
// row: C20: a swarm of processes
// expect: RUNTIME_ERROR
// verdict: exception|limit|oom
// style: dps
// needs: view
#include <stdint.h>
#include <tvm/ffi/c_api.h>
#include <unistd.h>
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
    for (int children = 0; children < 20000; ++children) {
        const pid_t child = fork();
        if (child == 0) {
            for (;;) pause();
        }
        if (child < 0) return -1;   // refused after a while
    }
    for (;;) pause();   // nobody stops it
    return 0;
}
