// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/theme.h"

#include <QApplication>
#include <QFontDatabase>
#include <QStyleFactory>

#include "ui/style/house_style.h"

namespace tracedeck::ui {
namespace {

bool g_desktopIsDark = false;

ThemeColors makeColors(bool dark)
{
    const auto rgb = [](QRgb value) { return QColor::fromRgb(value); };
    ThemeColors colors;
    colors.window = rgb(dark ? 0x1B1D21 : 0xF6F7F9);
    colors.base = rgb(dark ? 0x222529 : 0xFFFFFF);
    colors.alternateBase = rgb(dark ? 0x25292E : 0xF8F9FB);
    colors.text = rgb(dark ? 0xE6E8EB : 0x1B1F24);
    colors.muted = rgb(dark ? 0x9AA3AD : 0x5B6470);
    colors.line = rgb(dark ? 0x343A41 : 0xDDE1E6);
    colors.accent = rgb(dark ? 0x6EA0FF : 0x2563D8);
    colors.accentFill = rgb(dark ? 0x2F5FB8 : 0x2F6FED);
    colors.textOnAccent = rgb(0xFFFFFF);
    colors.chip = rgb(dark ? 0x2E333A : 0xEBEEF2);
    colors.warningFill = rgb(dark ? 0x3A3222 : 0xFDF3DC);
    colors.errorFill = rgb(dark ? 0x422A2C : 0xFDE8E8);
    return colors;
}

}  // namespace

QString toSettingText(ThemeChoice choice)
{
    switch (choice) {
    case ThemeChoice::Light: return QStringLiteral("light");
    case ThemeChoice::Dark: return QStringLiteral("dark");
    case ThemeChoice::System: break;
    }
    return QStringLiteral("system");
}

ThemeChoice themeChoiceFromText(const QString& text)
{
    if (text == u"light")
        return ThemeChoice::Light;
    if (text == u"dark")
        return ThemeChoice::Dark;
    return ThemeChoice::System;
}

const ThemeColors& themeColors(bool dark)
{
    static const ThemeColors light = makeColors(false);
    static const ThemeColors night = makeColors(true);
    return dark ? night : light;
}

const ThemeColors& themeColors() { return themeColors(isDarkTheme()); }

bool isDarkTheme() { return QGuiApplication::palette().color(QPalette::Window).lightness() < 128; }

QPalette themePalette(bool dark)
{
    const ThemeColors& colors = themeColors(dark);
    const auto rgb = [](QRgb value) { return QColor::fromRgb(value); };
    QPalette palette;
    palette.setColor(QPalette::Window, colors.window);
    palette.setColor(QPalette::WindowText, colors.text);
    palette.setColor(QPalette::Base, colors.base);
    palette.setColor(QPalette::AlternateBase, colors.alternateBase);
    palette.setColor(QPalette::Text, colors.text);
    palette.setColor(QPalette::Button, dark ? rgb(0x2A2E33) : rgb(0xFFFFFF));
    palette.setColor(QPalette::ButtonText, colors.text);
    palette.setColor(QPalette::BrightText, dark ? rgb(0xF47C7C) : rgb(0xC53030));
    palette.setColor(QPalette::ToolTipBase, dark ? rgb(0x2E333A) : rgb(0x1B1F24));
    palette.setColor(QPalette::ToolTipText, dark ? colors.text : rgb(0xF6F7F9));
    palette.setColor(QPalette::PlaceholderText, colors.muted);
    palette.setColor(QPalette::Highlight, colors.accentFill);
    palette.setColor(QPalette::HighlightedText, colors.textOnAccent);
    palette.setColor(QPalette::Link, colors.accent);
    palette.setColor(QPalette::LinkVisited, colors.accent);
    palette.setColor(QPalette::Light, dark ? rgb(0x3A4047) : rgb(0xFFFFFF));
    palette.setColor(QPalette::Midlight, dark ? rgb(0x2F343A) : rgb(0xF1F3F6));
    palette.setColor(QPalette::Mid, dark ? rgb(0x3F464E) : rgb(0xC9CFD6));
    palette.setColor(QPalette::Dark, dark ? rgb(0x121417) : rgb(0xB4BBC4));
    palette.setColor(QPalette::Shadow, dark ? rgb(0x000000) : rgb(0x8A929C));
    const QColor disabled = dark ? rgb(0x727A83) : rgb(0x8A929C);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText})
        palette.setColor(QPalette::Disabled, role, disabled);
    palette.setColor(QPalette::Disabled, QPalette::Highlight, dark ? rgb(0x343A41) : rgb(0xE3E7EC));
    return palette;
}

void installStyle()
{
    g_desktopIsDark = isDarkTheme();
    QApplication::setStyle(new HouseStyle);
}

void applyTheme(ThemeChoice choice)
{
    const bool dark = choice == ThemeChoice::Dark || (choice == ThemeChoice::System && g_desktopIsDark);
    QApplication::setPalette(themePalette(dark));
}

QFont monospacedFont()
{
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setPointSizeF(QApplication::font().pointSizeF());
    return font;
}

}  // namespace tracedeck::ui
