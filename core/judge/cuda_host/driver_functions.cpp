// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/cuda_host/driver_functions.h"

#include <dlfcn.h>

namespace tracedeck::cudahost {

const DriverFunctions* openDriver(std::string& reason)
{
    static DriverFunctions functions;
    void* library = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
    if (library == nullptr) {
        const char* text = ::dlerror();
        reason = std::string("the NVIDIA driver's library can't be loaded: ") + (text != nullptr ? text : "unknown reason");
        return nullptr;
    }
    const char* missing = nullptr;
    const auto resolve = [&](auto& function, const char* symbol) {
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(library, symbol));
        if (function == nullptr && missing == nullptr) {
            missing = symbol;
        }
    };
#define X(name, symbol) resolve(functions.name, symbol);
    TRACEDECK_DRIVER_FUNCTIONS(X)
#undef X
    if (missing != nullptr) {
        reason = std::string("the NVIDIA driver is too old: it has no ") + missing;
        return nullptr;
    }
    return &functions;
}

}  // namespace tracedeck::cudahost
