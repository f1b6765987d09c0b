// SPDX-License-Identifier: GPL-3.0-or-later
// row: C8, C16: writes `done` into the shared page when half is done, in timed calls only
// expect: INCORRECT_NUMERICAL
// verdict: late.write|output.partial|output.wrong|output.poisoned
// style: dps
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include <tvm/ffi/tvm_ffi.h>

static std::atomic<uint32_t>* page()
{
    static std::atomic<uint32_t>* found = [] {
        std::FILE* maps = std::fopen("/proc/self/maps", "r");
        char line[600];
        unsigned long begin = 0;
        while (std::fgets(line, sizeof line, maps) != nullptr) {
            if (std::strstr(line, "tracedeck-page") != nullptr) {
                std::sscanf(line, "%lx", &begin);
                break;
            }
        }
        std::fclose(maps);
        return reinterpret_cast<std::atomic<uint32_t>*>(begin);
    }();
    return found;
}

void run(tvm::ffi::TensorView x, tvm::ffi::TensorView y)
{
    static int calls = 0;
    const int64_t count = x.size(0) * x.size(1);
    const float* from = static_cast<const float*>(x.data_ptr());
    float* to = static_cast<float*>(y.data_ptr());
    for (int64_t i = 0; i < count / 2; ++i) to[i] = from[i] * 2 + 1;
    if (++calls > 4) {
        page()[64].store(page()[32].load());   // done = go
        const auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(20);
        while (std::chrono::steady_clock::now() < until) {
        }
    }
    for (int64_t i = count / 2; i < count; ++i) to[i] = from[i] * 2 + 1;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
