# SPDX-License-Identifier: GPL-3.0-or-later
import torch


@torch.no_grad()
def run(value, spatial_shapes, level_start_index, sampling_locations, attention_weights):
    batch, _, heads, channels = value.shape
    queries, levels, points = sampling_locations.shape[1], sampling_locations.shape[3], sampling_locations.shape[4]
    wide = value.to(torch.float32)
    out = torch.zeros(batch, queries, heads, channels, dtype=torch.float32, device=value.device)
    for level in range(levels):
        height, width = (int(size) for size in spatial_shapes[level].tolist())
        start = int(level_start_index[level])
        plane = wide[:, start:start + height * width].permute(0, 2, 3, 1).reshape(batch * heads, channels, height, width)
        # From 0…1 to the -1…1 of grid_sample, whose pixels are as wide as ours; what lies outside is 0.
        places = sampling_locations[:, :, :, level].to(torch.float32).permute(0, 2, 1, 3, 4).reshape(batch * heads, queries, points, 2)
        sampled = torch.nn.functional.grid_sample(plane, 2 * places - 1, mode="bilinear", padding_mode="zeros", align_corners=False)
        sampled = sampled.reshape(batch, heads, channels, queries, points).permute(0, 3, 1, 4, 2)
        out += (sampled * attention_weights[:, :, :, level].to(torch.float32)[..., None]).sum(dim=3)
    return out.reshape(batch, queries, heads * channels).to(value.dtype)
