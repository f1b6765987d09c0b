// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/language.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>

namespace tracedeck::ui {
QString toSettingText(WindowLanguage language)
{
    switch (language) {
    case WindowLanguage::English: return QStringLiteral("en");
    case WindowLanguage::SimplifiedChinese: return QStringLiteral("zh_CN");
    case WindowLanguage::System: break;
    }
    return {};
}

std::optional<WindowLanguage> languageFromText(const QString& text)
{
    for (const WindowLanguage language : {WindowLanguage::System, WindowLanguage::English, WindowLanguage::SimplifiedChinese})
        if (text == toSettingText(language))
            return language;
    return std::nullopt;
}

WindowLanguage systemLanguage()
{
    const QLocale locale = QLocale::system();
    return locale.language() == QLocale::Chinese && locale.script() == QLocale::SimplifiedHanScript ? WindowLanguage::SimplifiedChinese : WindowLanguage::English;
}

void applyLanguage(WindowLanguage language)
{
    // Children of the application, so that they go with it.
    for (QTranslator* installed : QCoreApplication::instance()->findChildren<QTranslator*>(QStringLiteral("language"))) {
        QCoreApplication::removeTranslator(installed);
        delete installed;
    }
    if ((language == WindowLanguage::System ? systemLanguage() : language) == WindowLanguage::English)
        return;
    const auto install = [](QTranslator* translator, const QString& name, const QString& folder) {
        translator->setObjectName(QStringLiteral("language"));
        if (translator->load(name, folder))
            QCoreApplication::installTranslator(translator);
        else
            delete translator;
    };
    // Qt's own texts, for example of its file dialog, are there where its translations are installed.
    install(new QTranslator(QCoreApplication::instance()), QStringLiteral("qtbase_zh_CN"), QLibraryInfo::path(QLibraryInfo::TranslationsPath));
    install(new QTranslator(QCoreApplication::instance()), QStringLiteral("tracedeck_zh_CN"), QStringLiteral(":/i18n"));
}

}  // namespace tracedeck::ui
