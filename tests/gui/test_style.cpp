// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTabBar>
#include <QAccessible>
#include <QAction>
#include <QApplication>
#include <QDir>
#include <QSettings>
#include <QSet>
#include <QStandardPaths>
#include <QTest>
#include <cmath>

#include "tests/support/dataset_builder.h"
#include "ui/main_window.h"
#include "ui/models/workspace.h"
#include "ui/pages/code_colors.h"
#include "ui/style/icons.h"
#include "ui/style/series_colors.h"
#include "ui/style/status_look.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

using namespace tracedeck;
using namespace tracedeck::ui;

namespace {

constexpr double kReadable = 4.5;

/// Relative luminance and contrast as in WCAG 2.1.
double luminance(const QColor& color)
{
    const auto linear = [](double part) { return part <= 0.03928 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

double contrast(const QColor& a, const QColor& b)
{
    const double x = luminance(a);
    const double y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

/// Controls that can take the focus but have no name for a screen reader.
QStringList unnamedControls(const QWidget* root)
{
    QStringList unnamed;
    for (QWidget* widget : root->findChildren<QWidget*>()) {
        if (widget->focusPolicy() == Qt::NoFocus || !widget->isVisibleTo(root) || widget->objectName().startsWith(QStringLiteral("qt_")))
            continue;
        // A tab bar speaks the name of its current tab; one that Qt keeps for docks that are hidden has none to speak of.
        if (auto* bar = qobject_cast<QTabBar*>(widget); bar && bar->currentIndex() < 0) continue;
        QAccessibleInterface* interface = QAccessible::queryAccessibleInterface(widget);
        if (!interface || interface->text(QAccessible::Name).trimmed().isEmpty())
            unnamed << QString::fromLatin1(widget->metaObject()->className()) + QLatin1Char('/') + widget->objectName() + QStringLiteral(" in ") +
                           (widget->parentWidget() ? QString::fromLatin1(widget->parentWidget()->metaObject()->className()) : QString());
    }
    return unnamed;
}

}  // namespace

class TestStyle : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void init();
    void textIsReadable_data();
    void textIsReadable();
    void firstSeriesColoursAreFarApart();
    void seriesColoursDifferAndStay();
    void membersOfAGroupGetTheirOwnColoursInOrder();
    void namesLeaveOutTheirDefinition_data();
    void namesLeaveOutTheirDefinition();
    void everyStatusHasWordIconAndColour();
    void everyIconInTheResourcesCanBeDrawn();
    void iconsFollowThePalette();
    void palettesDifferInLightness();
    void toolTipsShowTagsAsTheyAre();
    void namesSortByTheirNumbers();
    void noTwoActionsShareAShortcut();
    void everyActionSaysWhatItDoes();
    void everyControlHasAName();
};

void TestStyle::initTestCase()
{
    QStandardPaths::setTestModeEnabled(true);
    installStyle();
}

void TestStyle::init()
{
    QSettings().clear();
    applyTheme(ThemeChoice::Light);
}

void TestStyle::textIsReadable_data()
{
    QTest::addColumn<QColor>("text");
    QTest::addColumn<QColor>("background");
    for (const bool dark : {false, true}) {
        const ThemeColors& colors = themeColors(dark);
        const QPalette palette = themePalette(dark);
        const QByteArray theme = dark ? "dark: " : "light: ";
        const auto add = [&theme](const char* name, const QColor& text, const QColor& background) {
            QTest::newRow((theme + name).constData()) << text << background;
        };
        for (const auto& [place, background] : {std::pair{" on base", colors.base}, std::pair{" on window", colors.window},
                                                std::pair{" on alternate rows", colors.alternateBase}}) {
            const auto on = [&, where = place, fill = background](const char* name, const QColor& text) {
                add((QByteArray(name) + where).constData(), text, fill);
            };
            on("text", colors.text);
            on("muted", colors.muted);
            on("accent", colors.accent);
            on("placeholder", palette.color(QPalette::PlaceholderText));
            on("not run", colors.muted);
            for (int status = 0; status < kStatusCount; ++status)
                on(std::string(toString(static_cast<Status>(status))).c_str(), statusColor(static_cast<Status>(status), dark));
        }
        for (int slot = 0; slot < kSeriesColorCount; ++slot)
            add(("series " + QByteArray::number(slot)).constData(), seriesColorAt(slot, dark), colors.base);
        add("selected text", palette.color(QPalette::HighlightedText), palette.color(QPalette::Highlight));
        add("primary button", colors.textOnAccent, colors.accentFill);
        add("button", palette.color(QPalette::ButtonText), palette.color(QPalette::Button));
        add("tool tip", palette.color(QPalette::ToolTipText), palette.color(QPalette::ToolTipBase));
        add("chip", colors.text, colors.chip);
        add("error bar", colors.text, colors.errorFill);
        add("warning bar", colors.text, colors.warningFill);
        const CodeColors& code = codeColors(dark);
        add("code: comment", code.comment, colors.base);
        add("code: keyword", code.keyword, colors.base);
        add("code: string", code.text, colors.base);
        add("code: number", code.number, colors.base);
        add("code: function", code.function, colors.base);
        add("code: type", code.type, colors.base);
        add("code: decorator", code.decorator, colors.base);
    }
}

void TestStyle::textIsReadable()
{
    QFETCH(QColor, text);
    QFETCH(QColor, background);
    const double measured = contrast(text, background);
    QVERIFY2(measured >= kReadable, qPrintable(QStringLiteral("%1 on %2: %3").arg(text.name(), background.name()).arg(measured)));
}

void TestStyle::firstSeriesColoursAreFarApart()
{
    // In CIE L*a*b*, where 2.3 is just noticeable; also as an eye without the red or the green receptor sees them
    // (Viénot, Brettel, Mollon 1999: in linear light, one of the two is lost in their mean).
    const auto linear = [](double value) { return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4); };
    const auto lab = [&](const QColor& color, bool withoutRedGreen) {
        double red = linear(color.redF());
        double green = linear(color.greenF());
        const double blue = linear(color.blueF());
        if (withoutRedGreen)
            red = green = 0.2927 * red + 0.7073 * green;
        const auto curve = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
        const double x = curve((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505);
        const double y = curve(0.2126 * red + 0.7152 * green + 0.0722 * blue);
        const double z = curve((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089);
        return std::array{116 * y - 16, 500 * (x - y), 200 * (y - z)};
    };
    for (const bool dark : {false, true}) {
        for (int one = 0; one < 6; ++one) {
            for (int two = 0; two < one; ++two) {
                for (const bool withoutRedGreen : {false, true}) {
                    const auto a = lab(seriesColorAt(one, dark), withoutRedGreen);
                    const auto b = lab(seriesColorAt(two, dark), withoutRedGreen);
                    const double distance = std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
                    QVERIFY2(distance > (withoutRedGreen ? 8 : 25), qPrintable(QStringLiteral("%1 and %2, dark %3, red-green blind %4: %5")
                                                                                 .arg(one).arg(two).arg(dark).arg(withoutRedGreen).arg(distance)));
                }
            }
        }
    }
}

void TestStyle::seriesColoursDifferAndStay()
{
    for (const bool dark : {false, true}) {
        QSet<QRgb> seen;
        for (int slot = 0; slot < kSeriesColorCount; ++slot)
            seen.insert(seriesColorAt(slot, dark).rgb());
        QCOMPARE(seen.size(), qsizetype{kSeriesColorCount});
    }
    const QColor first = seriesColor(QStringLiteral("style test entity"), false);
    const Qt::PenStyle pen = seriesPenStyle(QStringLiteral("style test entity"));
    QSet<QString> looks;
    for (int i = 0; i < 3 * kSeriesColorCount; ++i) {
        const QString entity = QStringLiteral("entity %1").arg(i);
        looks.insert(seriesColor(entity, false).name() + QString::number(static_cast<int>(seriesPenStyle(entity))));
    }
    QCOMPARE(looks.size(), qsizetype{3 * kSeriesColorCount});   // a repeated colour has another dash
    QCOMPARE(seriesColor(QStringLiteral("style test entity"), false), first);
    QCOMPARE(seriesPenStyle(QStringLiteral("style test entity")), pen);
}

void TestStyle::membersOfAGroupGetTheirOwnColoursInOrder()
{
    const QStringList group{QStringLiteral("group a"), QStringLiteral("group b"), QStringLiteral("group c")};
    assignSeriesColors(group);
    for (int i = 0; i < 3; ++i)
        QCOMPARE(seriesColor(group[i], false), seriesColorAt(i, false));
    // One that comes later, even first in the list, takes a free colour and leaves the others theirs.
    assignSeriesColors(QStringList{QStringLiteral("group new")} + group);
    QCOMPARE(seriesColor(QStringLiteral("group new"), false), seriesColorAt(3, false));
    QCOMPARE(seriesColor(group[0], false), seriesColorAt(0, false));
    // Other groups start anew.
    assignSeriesColors({QStringLiteral("elsewhere")});
    QCOMPARE(seriesColor(QStringLiteral("elsewhere"), true), seriesColorAt(0, true));
}

void TestStyle::namesLeaveOutTheirDefinition_data()
{
    QTest::addColumn<QString>("solution");
    QTest::addColumn<QString>("definition");
    QTest::addColumn<QString>("shown");
    QTest::newRow("in the middle") << "ada_gemm_n4096_tiled" << "gemm_n4096" << QStringLiteral("ada_…_tiled");
    QTest::newRow("at the start") << "gemm_n4096_tiled" << "gemm_n4096" << QStringLiteral("…_tiled");
    QTest::newRow("nothing else") << "gemm_n4096" << "gemm_n4096" << "gemm_n4096";
    QTest::newRow("another definition") << "ada_rope" << "gemm_n4096" << "ada_rope";
    QTest::newRow("no definition") << "ada_rope" << "" << "ada_rope";
    QTest::newRow("too short to be worth it") << "ada_mm_x" << "mm" << "ada_mm_x";
}

void TestStyle::namesLeaveOutTheirDefinition()
{
    QFETCH(QString, solution);
    QFETCH(QString, definition);
    QFETCH(QString, shown);
    QCOMPARE(nameWithoutDefinition(solution, definition), shown);
}

void TestStyle::everyStatusHasWordIconAndColour()
{
    QSet<QString> words;
    for (int i = 0; i < kStatusCount; ++i) {
        const StatusLook look = statusLook(static_cast<Status>(i));
        QVERIFY(!look.word.isEmpty());
        QVERIFY(!look.symbol.isEmpty());
        QVERIFY(!look.icon.isNull());
        QVERIFY(look.color.isValid());
        words.insert(look.word);
    }
    QCOMPARE(words.size(), qsizetype{kStatusCount});
    QVERIFY(!words.contains(notRunLook().word));
    QVERIFY(!notRunLook().icon.isNull());
}

void TestStyle::everyIconInTheResourcesCanBeDrawn()
{
    const QStringList files = QDir(QStringLiteral(":/icons")).entryList();
    QVERIFY(files.size() >= 30);
    for (const QString& file : files) {
        const QImage picture = icon(file.chopped(4)).pixmap(24, 24).toImage();
        QVERIFY2(!picture.isNull(), qPrintable(file));
        bool anyInk = false;
        for (int y = 0; y < picture.height() && !anyInk; ++y)
            for (int x = 0; x < picture.width() && !anyInk; ++x)
                anyInk = qAlpha(picture.pixel(x, y)) > 128;
        QVERIFY2(anyInk, qPrintable(file));
    }
    QVERIFY(icon(QStringLiteral("no such icon")).isNull());
}

void TestStyle::iconsFollowThePalette()
{
    const QIcon open = icon(QStringLiteral("stop"));
    const auto ink = [&open] {
        const QImage picture = open.pixmap(48, 48).toImage();
        int lightest = 0;
        for (int y = 0; y < picture.height(); ++y)
            for (int x = 0; x < picture.width(); ++x)
                if (qAlpha(picture.pixel(x, y)) > 250)
                    lightest = std::max(lightest, qGray(picture.pixel(x, y)));
        return lightest;
    };
    const int onLight = ink();
    applyTheme(ThemeChoice::Dark);
    const int onDark = ink();
    QVERIFY2(onLight < 100 && onDark > 180, qPrintable(QStringLiteral("%1 %2").arg(onLight).arg(onDark)));
}

void TestStyle::palettesDifferInLightness()
{
    applyTheme(ThemeChoice::Dark);
    QVERIFY(isDarkTheme());
    applyTheme(ThemeChoice::Light);
    QVERIFY(!isDarkTheme());
    QCOMPARE(themeChoiceFromText(toSettingText(ThemeChoice::Dark)), ThemeChoice::Dark);
    QCOMPARE(themeChoiceFromText(toSettingText(ThemeChoice::System)), ThemeChoice::System);
    QCOMPARE(themeChoiceFromText(QStringLiteral("nonsense")), ThemeChoice::System);
}

void TestStyle::toolTipsShowTagsAsTheyAre()
{
    const QString tip = plainToolTip(QStringLiteral("<img src='file:///etc/passwd'>&"));
    QVERIFY(!tip.contains(QStringLiteral("<img")));
    QVERIFY(tip.contains(QStringLiteral("&lt;img")));
    QVERIFY(plainToolTip(QString()).isEmpty());
}

void TestStyle::namesSortByTheirNumbers()
{
    QVERIFY(naturallyLess("k2", "k10"));
    QVERIFY(!naturallyLess("k10", "k2"));
    QVERIFY(naturallyLess("gemm_n128_k2048", "gemm_n2048_k128"));
    QVERIFY(naturallyLess("A", "b"));
    QVERIFY(naturallyLess("a", "a1"));
    QVERIFY(!naturallyLess("a", "a"));
    QVERIFY(naturallyLess("k007", "k8"));
    QVERIFY(naturallyLess("k99999999999999999999", "k100000000000000000000"));
}

void TestStyle::noTwoActionsShareAShortcut()
{
    MainWindow window;
    QHash<QString, QList<const QAction*>> owners;
    QStringList clashes;
    const auto isWide = [](const QAction* action) {
        return action->shortcutContext() == Qt::WindowShortcut || action->shortcutContext() == Qt::ApplicationShortcut;
    };
    // Two actions compete when both can be reached from one focus: everywhere, or in one widget and what it is in.
    const auto compete = [&isWide](const QAction* a, const QAction* b) {
        if (isWide(a) || isWide(b))
            return true;
        const auto* x = qobject_cast<const QWidget*>(a->parent());
        const auto* y = qobject_cast<const QWidget*>(b->parent());
        return !x || !y || x == y || x->isAncestorOf(y) || y->isAncestorOf(x);
    };
    for (const QAction* action : window.findChildren<QAction*>()) {
        // Keys that work in one field only win over nothing else.
        if (action->shortcutContext() == Qt::WidgetShortcut)
            continue;
        for (const QKeySequence& keys : action->shortcuts()) {
            if (keys.isEmpty())
                continue;
            QList<const QAction*>& others = owners[keys.toString()];
            for (const QAction* other : std::as_const(others))
                if (compete(action, other))
                    clashes << QStringLiteral("%1: %2 and %3").arg(keys.toString(), other->text(), action->text());
            others << action;
        }
    }
    QVERIFY2(clashes.isEmpty(), qPrintable(clashes.join(QLatin1Char('\n'))));
    QVERIFY(owners.size() >= 25);
    for (const char* keys : {"Ctrl+O", "Ctrl+F", "Ctrl+R", "Ctrl+.", "F5", "F1", "Ctrl+1", "Ctrl+6", "Alt+Left", "Alt+Right", "Ctrl+K"})
        QVERIFY2(owners.contains(QString::fromLatin1(keys)), keys);
}

void TestStyle::everyActionSaysWhatItDoes()
{
    MainWindow window;
    QStringList silent;
    for (const QAction* action : window.findChildren<QAction*>())
        if (!action->shortcut().isEmpty() && (action->text().isEmpty() || action->toolTip().isEmpty()))
            silent << action->objectName();
    QVERIFY2(silent.isEmpty(), qPrintable(silent.join(QLatin1Char('\n'))));
}

void TestStyle::everyControlHasAName()
{
    test::DatasetBuilder builder;
    builder.definition({.name = "gemm_a"}).solution({.name = "a_base", .definition = "gemm_a", .author = "baseline"});
    builder.workload({.definition = "gemm_a", .uuid = "w1"}).trace({.definition = "gemm_a", .solution = "a_base", .uuid = "w1"});
    MainWindow window;
    window.show();
    QStringList unnamed = unnamedControls(&window);
    window.openPath(QString::fromStdString(builder.root().string()));
    QTRY_VERIFY_WITH_TIMEOUT(window.workspace()->isOpen() && window.isSettled(), 20'000);
    for (const auto page : {MainWindow::Page::Overview, MainWindow::Page::Code, MainWindow::Page::Workloads, MainWindow::Page::Traces,
                            MainWindow::Page::Charts, MainWindow::Page::Leaderboard, MainWindow::Page::Run}) {
        window.showPage(page);
        // The tab bar of docks that share a place is made, and named, a pass of the event loop later.
        QTRY_VERIFY2((unnamed = unnamedControls(&window)).isEmpty(), qPrintable(unnamed.join(QLatin1Char('\n'))));
    }
}

QTEST_MAIN(TestStyle)
#include "test_style.moc"
