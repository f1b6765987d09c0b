// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>

namespace tracedeck {

// Colours of solutions and authors, as 0xRRGGBB: the same in the window and in reports.

/// Colours before the list starts again with another dash pattern.
inline constexpr int kReportColorCount = 20;
using SeriesPalette = std::array<std::uint32_t, kReportColorCount>;

// The Okabe–Ito hues first (darkened on white, lightened on dark; their black as ink), then hues between them. Every one has a contrast of
// 4.5:1 or more on the base colour of its theme.
inline constexpr SeriesPalette kLightSeriesColors{
    0x0072B2, 0xC25400, 0x00795A, 0xA8347E, 0x7A6A00, 0x26323F, 0xB03A2E, 0x4B7F1D, 0x7B4FC9, 0x8A5A2B,
    0x00798C, 0xD02F6B, 0x3F51A3, 0x9A6700, 0x2F7D32, 0x8E44AD, 0x2B6FD6, 0xA04000, 0x1B7F9E, 0x6B3E75};
inline constexpr SeriesPalette kDarkSeriesColors{
    0x56B4E9, 0xF28E2B, 0x2CC29A, 0xE58FCB, 0xF0E442, 0xE6EBF0, 0xF47C6C, 0xA3D55D, 0xB79CF7, 0xD9A77A,
    0x4DD0D9, 0xFF8FB5, 0x9FB2F0, 0xFFC857, 0x7BD88F, 0xD7A1F0, 0x7FA8FF, 0xFFAD7A, 0x8FD3E8, 0xCDA5D4};

}  // namespace tracedeck
