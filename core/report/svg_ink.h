// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/report/svg_plots.h"

namespace tracedeck {

/// Levels of the heat map's scale on each side of "as fast".
constexpr int kHeatLevels = 8;

/// Attributes that colour an element: a class in a page, colours in a file.
class SvgInk {
public:
    explicit SvgInk(PlotLook look) : m_look(look) {}

    [[nodiscard]] std::string text() const { return paint("tx", "fill", 0x5B6470); }
    [[nodiscard]] std::string strongText() const { return paint("tt", "fill", 0x1B1F24); }
    [[nodiscard]] std::string grid() const { return paint("gr", "stroke", 0xDDE1E6); }
    [[nodiscard]] std::string axis() const { return paint("ax", "stroke", 0x5B6470); }
    [[nodiscard]] std::string series(std::size_t number) const;   ///< a line: with its dash pattern
    [[nodiscard]] std::string cross(std::size_t number) const;    ///< a thin stroke in its colour, without one
    [[nodiscard]] std::string dot(std::size_t number) const;
    [[nodiscard]] std::string heat(int level) const;              ///< -kHeatLevels … kHeatLevels
    [[nodiscard]] std::string inkOnHeat(int level) const;
    [[nodiscard]] std::string failedCell() const { return paint("hf", "fill", 0xFDE8E8); }
    [[nodiscard]] std::string failedText() const { return paint("ht", "fill", 0xC53030); }
    [[nodiscard]] std::string emptyCell() const { return paint("he", "fill", 0xF8F9FB); }
    /// `<svg …>` with a label for who cannot see it; in a file with a white ground.
    [[nodiscard]] std::string begin(double width, double height, std::string_view label) const;

private:
    [[nodiscard]] std::string paint(std::string_view name, std::string_view property, std::uint32_t color) const;

    PlotLook m_look;
};

/// A coordinate with one decimal at most.
[[nodiscard]] std::string coordinate(double value);
/// The level of a ratio on a scale that ends at `greatestDoubling`.
[[nodiscard]] int heatLevel(double ratio, double greatestDoubling);

}  // namespace tracedeck
