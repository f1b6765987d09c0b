#include <c10/cuda/CUDAStream.h>
#include <torch/extension.h>

namespace {

/// One warp a row.
__global__ void normaliseRows(const c10::BFloat16* hidden, const c10::BFloat16* weight, c10::BFloat16* output, int64_t rows, int width)
{
    const int64_t row = int64_t{blockIdx.x} * (blockDim.x / 32) + threadIdx.x / 32;
    if (row >= rows) return;
    const int lane = static_cast<int>(threadIdx.x % 32);
    float sum = 0;
    for (int i = lane; i < width; i += 32) {
        const float value = static_cast<float>(hidden[row * width + i]);
        sum += value * value;
    }
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(0xffffffffU, sum, distance);
    const float scale = rsqrtf(sum / static_cast<float>(width) + EPSILON);
    for (int i = lane; i < width; i += 32) {
        output[row * width + i] = static_cast<c10::BFloat16>(static_cast<float>(hidden[row * width + i]) * scale * static_cast<float>(weight[i]));
    }
}

void run(torch::Tensor hidden, torch::Tensor weight, torch::Tensor output)
{
    constexpr int kWarps = 8;
    const int64_t rows = hidden.size(0);
    normaliseRows<<<static_cast<unsigned>((rows + kWarps - 1) / kWarps), kWarps * 32, 0, c10::cuda::getCurrentCUDAStream()>>>(
        hidden.data_ptr<c10::BFloat16>(), weight.data_ptr<c10::BFloat16>(), output.data_ptr<c10::BFloat16>(), rows, static_cast<int>(hidden.size(1)));
}

}  // namespace

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("run", &run); }
