// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFont>
#include <QPalette>
#include <QString>

namespace tracedeck::ui {

/// What the user chose; System follows the palette that the desktop gave the program at start.
enum class ThemeChoice { System, Light, Dark };

[[nodiscard]] QString toSettingText(ThemeChoice choice);
[[nodiscard]] ThemeChoice themeChoiceFromText(const QString& text);

/// Colours beyond the palette's roles. Every text colour has a contrast of 4.5:1 or more on `window` and `base`.
struct ThemeColors {
    QColor window;
    QColor base;
    QColor alternateBase;
    QColor text;
    QColor muted;    ///< secondary text
    QColor line;     ///< separators and frames
    QColor accent;   ///< links, focus, selected tab
    QColor accentFill;      ///< filled buttons and selections
    QColor textOnAccent;
    QColor chip;     ///< background of tags and counters
    QColor warningFill;
    QColor errorFill;
};

/// The colours in use now: light or dark, decided by the application's palette.
[[nodiscard]] const ThemeColors& themeColors();
[[nodiscard]] const ThemeColors& themeColors(bool dark);
/// True when the application shows the dark palette.
[[nodiscard]] bool isDarkTheme();
[[nodiscard]] QPalette themePalette(bool dark);

/// Sets the application's palette; windows hear of it by QEvent::PaletteChange. Call installStyle first.
void applyTheme(ThemeChoice choice);
/// Fusion with the house's spacing, once at start; remembers whether the desktop is dark.
void installStyle();

/// Distances in device-independent pixels: the only ones used in layouts.
namespace Space {
inline constexpr int kTight = 4;
inline constexpr int kNormal = 8;
inline constexpr int kWide = 12;
inline constexpr int kPage = 16;
}  // namespace Space
/// Height of a table or tree row at the normal font size.
inline constexpr int kRowHeight = 24;

/// Monospaced face at the application's font size: code, hashes, names and numbers in tables.
[[nodiscard]] QFont monospacedFont();

}  // namespace tracedeck::ui
