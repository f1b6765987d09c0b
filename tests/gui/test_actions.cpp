// SPDX-License-Identifier: GPL-3.0-or-later
// Everything that the window can do is in a menu, says what it does, and can be reached without a mouse.
#include <QAction>
#include <QHash>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QTest>

#include "tests/support/gui_test.h"
#include "ui/main_window.h"
#include "ui/pages/charts_page.h"
#include "ui/pages/definition_page.h"
#include "ui/pages/leaderboard_page.h"
#include "ui/pages/traces_page.h"

using namespace tracedeck;
using namespace tracedeck::ui;
using tracedeck::test::DatasetBuilder;

namespace {

constexpr int kWaitMs = 20'000;

QString plainText(QString text) { return text.remove(QRegularExpression(QStringLiteral("&(?!&)"))); }

/// The letter that a text underlines, in lower case; null when it has none.
QChar mnemonicOf(const QString& text)
{
    static const QRegularExpression kMnemonic(QStringLiteral("(?<!&)&([^&])"));
    const auto match = kMnemonic.match(text);
    return match.hasMatch() ? match.captured(1).front().toLower() : QChar();
}

void collect(const QMenu* menu, QList<QMenu*>& menus, QList<QAction*>& actions)
{
    for (QAction* action : menu->actions()) {
        if (action->isSeparator())
            continue;
        if (action->menu()) {
            menus << action->menu();
            collect(action->menu(), menus, actions);
        } else {
            actions << action;
        }
    }
}

}  // namespace

class TestActions : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { test::prepareGuiTest(); }
    void init()
    {
        QSettings().clear();
        m_builder = std::make_unique<DatasetBuilder>();
        m_builder->definition({.name = "gemm_a"})
            .solution({.name = "a_base", .definition = "gemm_a", .author = "baseline"})
            .workload({.definition = "gemm_a", .uuid = "w1"})
            .trace({.definition = "gemm_a", .solution = "a_base", .uuid = "w1"});
        m_window = std::make_unique<MainWindow>();
        m_window->resize(1280, 800);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        m_window->openPath(QString::fromStdString(m_builder->root().string()));
        QTRY_VERIFY_WITH_TIMEOUT(m_window->workspace()->isOpen() && m_window->isSettled(), kWaitMs);
        m_menus.clear();
        m_actions.clear();
        for (QAction* action : m_window->menuBar()->actions()) {
            QVERIFY(action->menu());
            m_menus << action->menu();
            collect(action->menu(), m_menus, m_actions);
        }
    }
    void cleanup()
    {
        m_window.reset();
        m_builder.reset();
    }

    void actionsOfMenusSayWhatTheyDo()
    {
        QVERIFY(m_actions.size() > 30);
        for (const QAction* action : std::as_const(m_actions)) {
            QVERIFY2(!action->text().trimmed().isEmpty(), qPrintable(action->objectName()));
            // Without one of its own, an action's tool tip is its text: that says nothing more.
            QVERIFY2(!action->toolTip().isEmpty() && action->toolTip() != plainText(action->text()).remove(QStringLiteral("…")),
                     qPrintable(action->text()));
        }
    }

    void menusCanBeWalkedByLetters()
    {
        for (const QMenu* menu : std::as_const(m_menus)) {
            QHash<QChar, QString> used;
            for (const QAction* action : menu->actions()) {
                const QChar letter = mnemonicOf(action->text());
                if (letter.isNull())
                    continue;
                QVERIFY2(!used.contains(letter), qPrintable(QStringLiteral("%1: %2 and %3").arg(menu->title(), used.value(letter), action->text())));
                used.insert(letter, action->text());
            }
            QVERIFY2(!mnemonicOf(menu->title()).isNull(), qPrintable(menu->title()));
        }
    }

    void shortcutsAreUnique()
    {
        QHash<QString, QString> used;
        for (const QAction* action : m_window->findChildren<QAction*>())
            for (const QKeySequence& keys : action->shortcuts()) {
                // Keys of one pane act only while the focus is in it.
                if (keys.isEmpty() || action->shortcutContext() == Qt::WidgetShortcut || action->shortcutContext() == Qt::WidgetWithChildrenShortcut)
                    continue;
                QVERIFY2(!used.contains(keys.toString()),
                         qPrintable(QStringLiteral("%1: %2 and %3").arg(keys.toString(), used.value(keys.toString()), action->text())));
                used.insert(keys.toString(), action->text());
            }
        QVERIFY(used.size() > 20);
    }

    void everyNamedActionIsInAMenu()
    {
        // The File > Export menu follows the page: visit those that export.
        QSet<QAction*> reachable(m_actions.begin(), m_actions.end());
        for (const MainWindow::Page page : {MainWindow::Page::Charts, MainWindow::Page::Leaderboard, MainWindow::Page::Traces}) {
            m_window->showPage(page);
            QList<QMenu*> menus;
            QList<QAction*> actions;
            for (QAction* action : m_window->menuBar()->actions())
                collect(action->menu(), menus, actions);
            reachable.unite(QSet<QAction*>(actions.begin(), actions.end()));
        }
        QList<QAction*> wanted = m_window->definitionPage()->chartsPage()->exportActions() + m_window->definitionPage()->tracesPage()->exportActions() +
                                 m_window->leaderboardPage()->exportActions() + m_window->definitionPage()->tracesPage()->view()->actions();
        for (QAction* action : m_window->findChildren<QAction*>(QString(), Qt::FindDirectChildrenOnly))
            if (!action->objectName().isEmpty() && !action->menu())
                wanted << action;
        for (QAction* action : std::as_const(wanted))
            QVERIFY2(reachable.contains(action), qPrintable(action->objectName() + QLatin1Char(' ') + action->text()));
    }

    void tabKeyReachesTheMainControls()
    {
        m_window->showPage(MainWindow::Page::Traces);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kWaitMs);
        QSet<QString> visited;
        QWidget* first = QApplication::focusWidget();
        constexpr int kMostSteps = 200;
        for (int step = 0; step < kMostSteps; ++step) {
            QWidget* focused = QApplication::focusWidget();
            if (focused)
                visited.insert(focused->objectName());
            if (step > 0 && focused == first)
                break;
            QTest::keyClick(focused ? focused : m_window.get(), Qt::Key_Tab);
        }
        for (const char* name : {"searchEdit", "baselineBox", "policyBox", "datasetFilter", "datasetTree", "traceScope", "traceFilter", "traceStatusFilter",
                                 "traceTable", "runAllButton"})
            QVERIFY2(visited.contains(QString::fromLatin1(name)), name);
    }

private:
    std::unique_ptr<DatasetBuilder> m_builder;
    std::unique_ptr<MainWindow> m_window;
    QList<QMenu*> m_menus;
    QList<QAction*> m_actions;
};

QTEST_MAIN(TestActions)
#include "test_actions.moc"
