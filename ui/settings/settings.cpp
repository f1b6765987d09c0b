// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/settings.h"

#include <QCryptographicHash>
#include <QJsonDocument>
#include <QSettings>
#include <QUrl>
#include <algorithm>

namespace tracedeck::ui::Settings {
namespace {

constexpr QLatin1String kTheme("window/theme");
constexpr QLatin1String kLanguage("window/language");
constexpr QLatin1String kFontStep("window/fontStep");
constexpr QLatin1String kPython("run/pythonInterpreter");
constexpr QLatin1String kCudaToolkit("run/cudaToolkit");
constexpr QLatin1String kConfinement("run/confinement");
constexpr QLatin1String kGeometry("window/geometry");
constexpr QLatin1String kLayout("window/layout");
constexpr QLatin1String kDetailsWait("window/detailsWait");
constexpr QLatin1String kSession("window/session");
constexpr QLatin1String kRestoresSession("window/restoresSession");
constexpr QLatin1String kLayouts("layouts");
constexpr QLatin1String kCards("definition/cardsShown");
constexpr int kSmallestFontStep = -2;
constexpr int kLargestFontStep = 8;

QVariant read(QAnyStringView key, const QVariant& fallback) { return QSettings().value(key.toString(), fallback); }

void write(QAnyStringView key, const QVariant& value)
{
    QSettings settings;
    if (settings.value(key.toString()) != value)
        settings.setValue(key.toString(), value);
}

/// Paths may hold characters that mean something in a settings key.
QString datasetKey(const QString& root, QLatin1String name)
{
    const QByteArray hash = QCryptographicHash::hash(root.toUtf8(), QCryptographicHash::Sha1).toHex();
    return QStringLiteral("dataset/%1/%2").arg(QString::fromLatin1(hash), name);
}

/// A column may be named after an axis of a dataset, which may hold anything.
QString columnKey(const QString& table, const QString& column)
{
    return QStringLiteral("columns/%1/%2").arg(table, QString::fromLatin1(QUrl::toPercentEncoding(column)));
}

/// A name may hold anything.
QString layoutKey(const QString& name) { return QStringLiteral("%1/%2").arg(kLayouts, QString::fromLatin1(QUrl::toPercentEncoding(name))); }

}  // namespace

ThemeChoice theme() { return themeChoiceFromText(read(kTheme, QString()).toString()); }
void setTheme(ThemeChoice theme) { write(kTheme, toSettingText(theme)); }

WindowLanguage language() { return languageFromText(read(kLanguage, QString()).toString()).value_or(WindowLanguage::System); }
void setLanguage(WindowLanguage language) { write(kLanguage, toSettingText(language)); }

int fontStep() { return std::clamp(read(kFontStep, 0).toInt(), kSmallestFontStep, kLargestFontStep); }
void setFontStep(int step) { write(kFontStep, std::clamp(step, kSmallestFontStep, kLargestFontStep)); }

QString pythonInterpreter() { return read(kPython, QString()).toString(); }
void setPythonInterpreter(const QString& path) { write(kPython, path); }

QString cudaToolkit() { return read(kCudaToolkit, QString()).toString(); }
void setCudaToolkit(const QString& path) { write(kCudaToolkit, path); }

QString confinement()
{
    const QString degree = read(kConfinement, QString()).toString();
    return degree == u"full" || degree == u"partial" || degree == u"none" ? degree : QStringLiteral("auto");
}
void setConfinement(const QString& degree) { write(kConfinement, degree); }

QByteArray windowGeometry() { return read(kGeometry, QByteArray()).toByteArray(); }
void setWindowGeometry(const QByteArray& geometry) { write(kGeometry, geometry); }
QByteArray windowLayout() { return read(kLayout, QByteArray()).toByteArray(); }
void setWindowLayout(const QByteArray& layout) { write(kLayout, layout); }

bool detailsWait() { return read(kDetailsWait, false).toBool(); }
void setDetailsWait(bool wait) { write(kDetailsWait, wait); }

QStringList layoutNames()
{
    QSettings settings;
    settings.beginGroup(kLayouts);
    QStringList names;
    for (const QString& key : settings.childKeys())
        names << QUrl::fromPercentEncoding(key.toLatin1());
    names.sort(Qt::CaseInsensitive);
    return names;
}
QByteArray layout(const QString& name) { return read(layoutKey(name), QByteArray()).toByteArray(); }
void setLayout(const QString& name, const QByteArray& layout) { write(layoutKey(name), layout); }
void removeLayout(const QString& name) { QSettings().remove(layoutKey(name)); }

QJsonObject session() { return QJsonDocument::fromJson(read(kSession, QByteArray()).toByteArray()).object(); }
void setSession(const QJsonObject& session) { write(kSession, QJsonDocument(session).toJson(QJsonDocument::Compact)); }
bool restoresSession() { return read(kRestoresSession, true).toBool(); }
void setRestoresSession(bool restores) { write(kRestoresSession, restores); }

QString baselineAuthor(const QString& root) { return read(datasetKey(root, QLatin1String("baselineAuthor")), QString()).toString(); }
void setBaselineAuthor(const QString& root, const QString& author)
{
    write(datasetKey(root, QLatin1String("baselineAuthor")), author);
}

QString policy(const QString& root) { return read(datasetKey(root, QLatin1String("policy")), QString()).toString(); }
void setPolicy(const QString& root, const QString& policy) { write(datasetKey(root, QLatin1String("policy")), policy); }
QString hardware(const QString& root) { return read(datasetKey(root, QLatin1String("hardware")), QString()).toString(); }
void setHardware(const QString& root, const QString& hardware) { write(datasetKey(root, QLatin1String("hardware")), hardware); }

QStringList pins(const QString& root) { return read(datasetKey(root, QLatin1String("pins")), QStringList()).toStringList(); }
void setPins(const QString& root, const QStringList& pins) { write(datasetKey(root, QLatin1String("pins")), pins); }

QJsonObject board(const QString& root) { return QJsonDocument::fromJson(read(datasetKey(root, QLatin1String("board")), QByteArray()).toByteArray()).object(); }
void setBoard(const QString& root, const QJsonObject& board) { write(datasetKey(root, QLatin1String("board")), QJsonDocument(board).toJson(QJsonDocument::Compact)); }

bool definitionCardsShown() { return read(kCards, true).toBool(); }
void setDefinitionCardsShown(bool shown) { write(kCards, shown); }

std::optional<bool> columnShown(const QString& table, const QString& column)
{
    const QVariant chosen = read(columnKey(table, column), QVariant());
    return chosen.isValid() ? std::optional(chosen.toBool()) : std::nullopt;
}
void setColumnShown(const QString& table, const QString& column, bool shown) { write(columnKey(table, column), shown); }
void forgetColumns(const QString& table) { QSettings().remove(QStringLiteral("columns/%1").arg(table)); }

}  // namespace tracedeck::ui::Settings
