// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <optional>

namespace tracedeck::ui {

/// Language of the window. What the core says about files and runs is English in each.
enum class WindowLanguage { System, English, SimplifiedChinese };

/// For settings and the command line: empty for the system's, else `en` or `zh_CN`.
[[nodiscard]] QString toSettingText(WindowLanguage language);
/// nullopt for a text that names none.
[[nodiscard]] std::optional<WindowLanguage> languageFromText(const QString& text);
/// English unless the system speaks Simplified Chinese.
[[nodiscard]] WindowLanguage systemLanguage();

/// Texts that are made from now on are in this language. Windows that are there keep theirs: see WindowHost.
void applyLanguage(WindowLanguage language);

}  // namespace tracedeck::ui
