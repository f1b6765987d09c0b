// SPDX-License-Identifier: GPL-3.0-or-later
// The nine kinds of Hugging Face's kernels-benchmarks: shapes, sizes and argument order as theirs, so that an implementation written for one
// fits the other.
#include "core/interchange/kernel_kinds.h"

#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tracedeck::embedded {
extern const std::string_view kind_attention;
extern const std::string_view kind_rms_norm;
extern const std::string_view kind_layer_norm;
extern const std::string_view kind_openai_moe;
extern const std::string_view kind_activation;
extern const std::string_view kind_causal_conv1d;
extern const std::string_view kind_relu;
extern const std::string_view kind_rotary;
extern const std::string_view kind_deformable_detr;
}  // namespace tracedeck::embedded

namespace tracedeck {

namespace {

const KindSizes kNormGpuSizes{{"batch", {1}}, {"seq_len", {512, 1024, 2048, 4096}}, {"hidden_dim", {4096, 8192}}};
const KindSizes kNormCpuSizes{{"batch", {1}}, {"seq_len", {128, 256, 512}}, {"hidden_dim", {768, 1024}}};

KernelKind attention()
{
    const std::vector<const char*> shape{"batch", "seq_len", "heads", "head_dim"};
    return {.name = "attention", .title = "Attention",
            .description = "Scaled dot-product attention without a mask, heads third.",
            .axes = {{"batch"}, {"seq_len"}, {"heads"}, {"head_dim"}},
            .inputs = {{"query", shape}, {"key", shape}, {"value", shape}},
            .outputs = {{"output", shape}},
            .gpuSizes = {{"batch", {1}}, {"seq_len", {4224, 4352, 4416, 4480, 4544, 4608}}, {"heads", {24}}, {"head_dim", {128}}},
            .cpuSizes = {{"batch", {1}}, {"seq_len", {128, 256, 320, 384, 448, 512}}, {"heads", {8}}, {"head_dim", {64}}},
            .operations = "4 * batch * heads * seq_len * seq_len * head_dim",
            .hubRepository = "kernels-community/flash-attn2",
            .hubCall = "result = kernel.fwd(query, key, value, is_causal=False)\nreturn result[0] if isinstance(result, (tuple, list)) else result",
            .reference = embedded::kind_attention};
}

KernelKind rmsNorm()
{
    const std::vector<const char*> shape{"batch", "seq_len", "hidden_dim"};
    return {.name = "rms_norm", .title = "RMS norm",
            .description = "Root mean square normalisation over the last axis, epsilon 1e-6, times a weight.",
            .axes = {{"batch"}, {"seq_len"}, {"hidden_dim"}},
            .inputs = {{"x", shape}, {"weight", {"hidden_dim"}}},
            .outputs = {{"output", shape}},
            .gpuSizes = kNormGpuSizes, .cpuSizes = kNormCpuSizes,
            .operations = "4 * batch * seq_len * hidden_dim",
            .hubRepository = "kernels-community/layer-norm",
            .hubCall = "flat = x.view(-1, x.shape[-1])\n"
                       "out = kernel.dropout_add_ln_fwd(input=flat, gamma=weight, beta=None, rowscale=None, colscale=None, x0_subset=None, z_subset=None,\n"
                       "                                dropout_p=0.0, epsilon=1e-6, rowscale_const=1.0, z_numrows=flat.shape[0], gen=None,\n"
                       "                                residual_in_fp32=False, is_rms_norm=True)[0]\n"
                       "return out.view(x.shape)",
            .reference = embedded::kind_rms_norm};
}

KernelKind layerNorm()
{
    const std::vector<const char*> shape{"batch", "seq_len", "hidden_dim"};
    return {.name = "layer_norm", .title = "Layer norm",
            .description = "Layer normalisation over the last axis, epsilon 1e-5, with weight and bias.",
            .axes = {{"batch"}, {"seq_len"}, {"hidden_dim"}},
            .inputs = {{"x", shape}, {"weight", {"hidden_dim"}}, {"bias", {"hidden_dim"}}},
            .outputs = {{"output", shape}},
            .gpuSizes = kNormGpuSizes, .cpuSizes = kNormCpuSizes,
            .operations = "7 * batch * seq_len * hidden_dim",
            .hubRepository = "kernels-community/layer-norm",
            .hubCall = "flat = x.view(-1, x.shape[-1])\n"
                       "out = kernel.dropout_add_ln_fwd(input=flat, gamma=weight, beta=bias, rowscale=None, colscale=None, x0_subset=None, z_subset=None,\n"
                       "                                dropout_p=0.0, epsilon=1e-5, rowscale_const=1.0, z_numrows=flat.shape[0], gen=None,\n"
                       "                                residual_in_fp32=False, is_rms_norm=False)[0]\n"
                       "return out.view(x.shape)",
            .reference = embedded::kind_layer_norm};
}

KernelKind openaiMoe()
{
    return {.name = "openai_moe", .title = "Mixture of experts (gpt-oss)",
            .description = "Experts of gpt-oss: gate and up interleaved, clamped at 7, gate * sigmoid(1.702 gate) * (up + 1), weighted by the router.",
            .gpuDType = "float32",
            .axes = {{"batch"}, {"seq_len"}, {"hidden_dim"}, {"expert_dim"}, {"num_experts"}, {"top_k"}, {"tokens", "batch * seq_len"}, {"half_dim", "expert_dim // 2"}},
            .inputs = {{"hidden_states", {"batch", "seq_len", "hidden_dim"}},
                       {"router_indices", {"tokens", "top_k"}, "int64", "experts of each token, from 0 to num_experts - 1; one may come twice", true},
                       {"routing_weights", {"batch", "seq_len", "num_experts"}, "", "weight of every expert for each token; they add up to 1", true},
                       {"gate_up_proj", {"num_experts", "hidden_dim", "expert_dim"}, "", "columns of gate and up alternate"},
                       {"gate_up_proj_bias", {"num_experts", "expert_dim"}},
                       {"down_proj", {"num_experts", "half_dim", "hidden_dim"}},
                       {"down_proj_bias", {"num_experts", "hidden_dim"}}},
            .outputs = {{"output", {"batch", "seq_len", "hidden_dim"}}},
            .gpuSizes = {{"batch", {1, 4}}, {"seq_len", {512, 1024}}, {"num_experts", {2, 4}}, {"hidden_dim", {2880}}, {"expert_dim", {5760}}, {"top_k", {2}}},
            .cpuSizes = {{"batch", {1}}, {"seq_len", {32, 64}}, {"num_experts", {2, 4}}, {"hidden_dim", {128}}, {"expert_dim", {256}}, {"top_k", {2}}},
            .operations = "3 * batch * seq_len * top_k * hidden_dim * expert_dim",
            .reference = embedded::kind_openai_moe};
}

KernelKind activation()
{
    return {.name = "activation", .title = "Activation (SwiGLU)",
            .description = "silu(first half) * second half of the last axis, computed in float32.",
            .axes = {{"num_tokens"}, {"hidden_dim"}, {"double_dim", "2 * hidden_dim"}},
            .inputs = {{"x", {"num_tokens", "double_dim"}}},
            .outputs = {{"output", {"num_tokens", "hidden_dim"}}},
            .gpuSizes = {{"num_tokens", {512, 1024, 2048, 4096}}, {"hidden_dim", {4096, 8192, 11008}}},
            .cpuSizes = {{"num_tokens", {128, 256, 512}}, {"hidden_dim", {768, 1024, 2048}}},
            .operations = "5 * num_tokens * hidden_dim",
            .hubRepository = "kernels-community/activation",
            .hubCall = "out = torch.empty(x.shape[:-1] + (x.shape[-1] // 2,), dtype=x.dtype, device=x.device)\nkernel.silu_and_mul(out, x)\nreturn out",
            .reference = embedded::kind_activation};
}

KernelKind causalConv1d()
{
    return {.name = "causal_conv1d", .title = "Causal convolution",
            .description = "Depthwise causal convolution along the last axis: out[t] = bias + sum of weight[w] * x[t - (width - 1) + w].",
            .axes = {{"batch"}, {"dim"}, {"seqlen"}, {"width"}},
            .inputs = {{"x", {"batch", "dim", "seqlen"}}, {"weight", {"dim", "width"}, "float32"}, {"bias", {"dim"}, "float32"}},
            .outputs = {{"output", {"batch", "dim", "seqlen"}}},
            .gpuSizes = {{"batch", {2, 4}}, {"dim", {64, 2048}}, {"seqlen", {128, 512, 2048}}, {"width", {2, 4}}},
            .cpuSizes = {{"batch", {2}}, {"dim", {64, 256}}, {"seqlen", {128, 512}}, {"width", {2, 4}}},
            .operations = "2 * batch * dim * seqlen * width",
            .hubRepository = "kernels-community/causal-conv1d",
            .hubCall = "return kernel.causal_conv1d_fn(x, weight, bias)",
            .reference = embedded::kind_causal_conv1d};
}

KernelKind relu()
{
    return {.name = "relu", .title = "ReLU",
            .description = "The greater of 0 and each element.",
            .axes = {{"num_tokens"}, {"hidden_dim"}},
            .inputs = {{"x", {"num_tokens", "hidden_dim"}}},
            .outputs = {{"output", {"num_tokens", "hidden_dim"}}},
            .gpuSizes = {{"num_tokens", {128, 512, 1024, 2048}}, {"hidden_dim", {768, 1024, 2048, 4096}}},
            .cpuSizes = {{"num_tokens", {128, 512}}, {"hidden_dim", {768, 1024, 2048}}},
            .operations = "num_tokens * hidden_dim",
            .hubRepository = "kernels-community/relu",
            .hubCall = "return kernel.relu(x)",
            .reference = embedded::kind_relu};
}

KernelKind rotary()
{
    const std::vector<const char*> shape{"batch", "seqlen", "num_heads", "head_dim"};
    const std::vector<const char*> angles{"seqlen", "one", "rotary_dim"};
    return {.name = "rotary", .title = "Rotary embedding",
            .description = "Rotates the first rotary_dim elements of each head with the next rotary_dim ones, of query and key; the rest stays.",
            .gpuDType = "float32",
            .axes = {{"batch"}, {"seqlen"}, {"num_heads"}, {"head_dim"}, {"rotary_dim", "head_dim // 2"}, {"one", "", 1}},
            .inputs = {{"query", shape}, {"key", shape}, {"cos", angles}, {"sin", angles}},
            .outputs = {{"query_out", shape}, {"key_out", shape}},
            .gpuSizes = {{"batch", {1, 2}}, {"seqlen", {128, 512, 2048}}, {"num_heads", {8, 32}}, {"head_dim", {64, 128}}},
            .cpuSizes = {{"batch", {1, 2}}, {"seqlen", {128, 512}}, {"num_heads", {8}}, {"head_dim", {64, 128}}},
            .operations = "12 * batch * seqlen * num_heads * rotary_dim",
            .hubRepository = "kernels-community/rotary",
            .hubCall = "half = cos.shape[-1]\nresults = []\n"
                       "for tensor in (query, key):\n    out = tensor.clone()\n    first, second = out[..., :half], out[..., half:2 * half]\n"
                       "    kernel.apply_rotary(first, second, cos, sin, first, second, False)\n    results.append(out)\nreturn tuple(results)",
            .reference = embedded::kind_rotary};
}

KernelKind deformableDetr()
{
    return {.name = "deformable_detr", .title = "Deformable attention (DETR)",
            .description = "Multi-scale deformable attention: bilinear samples of a feature pyramid, zero outside, weighted and added.",
            .gpuDType = "float32",
            .axes = {{"batch_size"}, {"num_queries"}, {"num_heads"}, {"embed_dim"}, {"num_levels"}, {"num_points"}, {"channels", "embed_dim // num_heads"}, {"num_values"}, {"two", "", 2}},
            .inputs = {{"value", {"batch_size", "num_values", "num_heads", "channels"}, "", "the levels one after the other, row by row"},
                       {"spatial_shapes", {"num_levels", "two"}, "int64", "height and width of each level", true},
                       {"level_start_index", {"num_levels"}, "int64", "where each level begins", true},
                       {"sampling_locations", {"batch_size", "num_queries", "num_heads", "num_levels", "num_points", "two"}, "", "x, then y, from 0 to 1", true},
                       {"attention_weights", {"batch_size", "num_queries", "num_heads", "num_levels", "num_points"}, "", "those of the points of a level add up to 1", true}},
            .outputs = {{"output", {"batch_size", "num_queries", "embed_dim"}}},
            .gpuSizes = {{"batch_size", {1, 2}}, {"num_queries", {100, 300}}, {"num_heads", {8}}, {"embed_dim", {256}}, {"num_levels", {4}}, {"num_points", {4}}},
            .cpuSizes = {{"batch_size", {1}}, {"num_queries", {100, 300}}, {"num_heads", {8}}, {"embed_dim", {256}}, {"num_levels", {4}}, {"num_points", {4}}},
            .operations = "10 * batch_size * num_queries * embed_dim * num_levels * num_points",
            .hubRepository = "kernels-community/deformable-detr",
            .hubCall = "return kernel.ms_deform_attn_forward(value=value, spatial_shapes=spatial_shapes, level_start_index=level_start_index,\n"
                       "                                     sampling_loc=sampling_locations, attn_weight=attention_weights, im2col_step=64)",
            .reference = embedded::kind_deformable_detr};
}

}  // namespace

const std::vector<KernelKind>& kernelKinds()
{
    static const std::vector<KernelKind> kinds{attention(), rmsNorm(), layerNorm(), openaiMoe(), activation(), causalConv1d(), relu(), rotary(), deformableDetr()};
    return kinds;
}

const KernelKind* findKernelKind(std::string_view name)
{
    constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kShort{{{"attn", "attention"}, {"flash_attn", "attention"}, {"ln", "layer_norm"}, {"rms", "rms_norm"}, {"swiglu", "activation"}, {"moe", "openai_moe"}}};
    for (const auto& [shortName, whole] : kShort) {
        if (name == shortName) name = whole;
    }
    for (const KernelKind& kind : kernelKinds()) {
        if (name == kind.name) return &kind;
    }
    return nullptr;
}

Result<const KernelKind*> kernelKindNamed(std::string_view name)
{
    if (const KernelKind* kind = findKernelKind(name)) return kind;
    std::vector<std::string_view> names;
    for (const KernelKind& kind : kernelKinds()) names.emplace_back(kind.name);
    return Error{ErrorCode::Usage, fmt::format("'{}' is no kind of kernel; there are {}", name, fmt::join(names, ", ")), {}, 0, "kind"};
}

}  // namespace tracedeck
