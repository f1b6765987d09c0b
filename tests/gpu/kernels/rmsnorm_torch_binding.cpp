#include <torch/extension.h>

namespace {

void run(torch::Tensor hidden, torch::Tensor weight, torch::Tensor output)
{
    const torch::Tensor x = hidden.to(torch::kFloat);
    output.copy_(x * torch::rsqrt(x.square().mean(-1, true) + EPSILON) * weight.to(torch::kFloat));
}

}  // namespace

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("run", &run); }
