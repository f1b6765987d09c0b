// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/svg_ink.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "core/report/html_text.h"
#include "core/report/series_palette.h"

namespace tracedeck {

namespace {

struct HeatColors {
    std::uint32_t faster;
    std::uint32_t slower;
    std::uint32_t neutral;
};
// The window's: blue and orange of Okabe and Ito's kind.
constexpr HeatColors kLightHeat{0x005A9C, 0xB34B00, 0xECEDED};
constexpr HeatColors kDarkHeat{0x56B4E9, 0xF28E2B, 0x414447};
constexpr std::array<std::string_view, 5> kDashes{"", "6 3", "2 3", "6 3 2 3", "6 3 2 3 2 3"};

std::uint32_t mixed(std::uint32_t a, std::uint32_t b, double shareOfA)
{
    std::uint32_t result = 0;
    for (const unsigned shift : {16U, 8U, 0U}) {
        const double part = shareOfA * static_cast<double>((a >> shift) & 0xFFU) + (1 - shareOfA) * static_cast<double>((b >> shift) & 0xFFU);
        result |= static_cast<std::uint32_t>(std::lround(part)) << shift;
    }
    return result;
}

std::uint32_t heatColor(const HeatColors& colors, int level)
{
    return mixed(level >= 0 ? colors.faster : colors.slower, colors.neutral, std::abs(level) / static_cast<double>(kHeatLevels));
}

/// Black or white, whichever reads better.
std::uint32_t inkOn(std::uint32_t fill)
{
    const auto linear = [fill](unsigned shift) {
        const double part = static_cast<double>((fill >> shift) & 0xFFU) / 255;
        return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(16) + 0.7152 * linear(8) + 0.0722 * linear(0) > 0.179 ? 0x101418 : 0xFFFFFF;
}

std::string levelName(int level) { return (level < 0 ? "m" : "p") + std::to_string(std::abs(level)); }

std::string themeVariables(const SeriesPalette& series, const HeatColors& heat)
{
    std::string text;
    for (std::size_t i = 0; i < series.size(); ++i) text += fmt::format("--s{}:#{:06x};", i, series[i]);
    for (int level = -kHeatLevels; level <= kHeatLevels; ++level) {
        const std::uint32_t fill = heatColor(heat, level);
        text += fmt::format("--h{0}:#{1:06x};--i{0}:#{2:06x};", levelName(level), fill, inkOn(fill));
    }
    return text;
}

}  // namespace

std::string plotStyle()
{
    std::string text = ":root{" + themeVariables(kLightSeriesColors, kLightHeat) + "}\n";
    text += "@media screen and (prefers-color-scheme:dark){:root{" + themeVariables(kDarkSeriesColors, kDarkHeat) + "}}\n";
    for (int i = 0; i < kReportColorCount; ++i) text += fmt::format(".l{0}{{stroke:var(--s{0})}}.d{0}{{fill:var(--s{0})}}", i);
    for (std::size_t i = 1; i < kDashes.size(); ++i) text += fmt::format(".y{}{{stroke-dasharray:{}}}", i, kDashes[i]);
    for (int level = -kHeatLevels; level <= kHeatLevels; ++level) text += fmt::format(".h{0}{{fill:var(--h{0})}}.i{0}{{fill:var(--i{0})}}", levelName(level));
    return text + "\n";
}

std::string SvgInk::paint(std::string_view name, std::string_view property, std::uint32_t color) const
{
    return m_look == PlotLook::Page ? fmt::format(" class=\"{}\"", name) : fmt::format(" {}=\"#{:06x}\"", property, color);
}

std::string SvgInk::series(std::size_t number) const
{
    const std::size_t color = number % kLightSeriesColors.size();
    const std::size_t dash = number / kLightSeriesColors.size() % kDashes.size();
    if (m_look == PlotLook::Page) return dash == 0 ? fmt::format(" class=\"l{}\"", color) : fmt::format(" class=\"l{} y{}\"", color, dash);
    const std::string dashes = dash == 0 ? std::string() : fmt::format(" stroke-dasharray=\"{}\"", kDashes[dash]);
    return fmt::format(" stroke=\"#{:06x}\"{}", kLightSeriesColors[color], dashes);
}

std::string SvgInk::cross(std::size_t number) const
{
    const std::size_t color = number % kLightSeriesColors.size();
    return m_look == PlotLook::Page ? fmt::format(" class=\"x l{}\"", color) : fmt::format(" fill=\"none\" stroke-width=\"1.6\" stroke=\"#{:06x}\"", kLightSeriesColors[color]);
}

std::string SvgInk::dot(std::size_t number) const
{
    const std::size_t color = number % kLightSeriesColors.size();
    return paint(fmt::format("d{}", color), "fill", kLightSeriesColors[color]);
}

std::string SvgInk::heat(int level) const { return paint("h" + levelName(level), "fill", heatColor(kLightHeat, level)); }

std::string SvgInk::inkOnHeat(int level) const { return paint("i" + levelName(level), "fill", inkOn(heatColor(kLightHeat, level))); }

std::string SvgInk::begin(double width, double height, std::string_view label) const
{
    const std::string size = fmt::format("viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\"", coordinate(width), coordinate(height));
    // A page knows the name space of its svg elements by itself.
    if (m_look == PlotLook::Page) return fmt::format("<svg {} role=\"img\" aria-label=\"{}\">", size, htmlText(label));
    return fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" {} font-family=\"sans-serif\" font-size=\"11\"><title>{}</title>"
                       "<rect width=\"{}\" height=\"{}\" fill=\"#ffffff\"/>",
                       size, htmlText(label), coordinate(width), coordinate(height));
}

std::string coordinate(double value)
{
    std::string text = fmt::format("{:.1f}", value);
    if (text.ends_with(".0")) text.resize(text.size() - 2);
    return text == "-0" ? std::string("0") : text;
}

int heatLevel(double ratio, double greatestDoubling)
{
    const double share = std::clamp(std::log2(ratio) / greatestDoubling, -1.0, 1.0);
    return static_cast<int>(std::lround(share * kHeatLevels));
}

}  // namespace tracedeck
