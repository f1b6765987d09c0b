// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/device.h"

#include <fmt/format.h>

#include "core/judge/cpu/cpu_device.h"
#include "core/run/devices.h"
#if TRACEDECK_HAS_CUDA
#include "core/judge/cuda/cuda_device.h"
#endif

namespace tracedeck::judge {

Result<std::unique_ptr<Device>> makeDevice(const std::string& name)
{
    if (name == "cpu") {
        return std::unique_ptr<Device>(std::make_unique<CpuDevice>());
    }
    if (const auto index = cudaIndex(name)) {
#if TRACEDECK_HAS_CUDA
        return CudaDevice::create(*index);
#else
        return Error{ErrorCode::Unsupported,
                     fmt::format("`{}` can't be driven: this build has no CUDA support, because nvcc was not found when it was configured "
                                 "(or TRACEDECK_CUDA was OFF)", name),
                     {}, 0, {}};
#endif
    }
    return Error{ErrorCode::Unsupported, fmt::format("there is no device `{}`; the names are `cpu` and `cuda:N`", name), {}, 0, {}};
}

}  // namespace tracedeck::judge
