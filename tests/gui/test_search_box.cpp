// SPDX-License-Identifier: GPL-3.0-or-later
// Search from the keyboard: what is offered, in which order, and where it leads.
#include <Qsci/qsciscintilla.h>

#include <QAbstractItemModelTester>
#include <QAction>
#include <QFrame>
#include <QListView>
#include <QTest>

#include "tests/support/gui_test.h"
#include "ui/main_window.h"
#include "ui/models/search_model.h"
#include "ui/pages/code_view.h"
#include "ui/pages/dataset_panel.h"
#include "ui/pages/definition_page.h"
#include "ui/pages/search_box.h"
#include "ui/pages/solution_page.h"
#include "ui/pages/trace_details.h"

using namespace tracedeck;
using namespace tracedeck::ui;
using tracedeck::test::DatasetBuilder;

namespace {

constexpr int kWaitMs = 20'000;

}  // namespace

class TestSearchBox : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { test::prepareGuiTest(); }
    void init()
    {
        test::failOnQtWarnings();
        QSettings().clear();
        m_builder = std::make_unique<DatasetBuilder>();
        m_builder->definition({.name = "gemm_a"}).definition({.name = "norm_b", .opType = "rmsnorm"});
        m_builder->solution({.name = "a_fast", .definition = "gemm_a", .author = "ann", .language = "python", .source = "import torch\n\ndef run(a):\n    wavefront = 1\n    return a\n", .sourcePath = "main.py"});
        m_builder->solution({.name = "b_slow", .definition = "norm_b", .author = "bob"});
        m_builder->workload({.definition = "norm_b", .uuid = "uuid-of-norm"});
        m_builder->trace({.definition = "norm_b", .solution = "b_slow", .uuid = "uuid-of-norm", .status = Status::RuntimeError, .log = "step 1\nunspecified launch failure\n"});
        m_window = std::make_unique<MainWindow>();
        m_window->resize(1280, 800);
        m_window->show();
        m_window->openPath(QString::fromStdString(m_builder->root().string()));
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kWaitMs);
        m_search = m_window->findChild<SearchBox*>();
        QVERIFY(m_search);
        QTest::keyClick(m_window.get(), Qt::Key_K, Qt::ControlModifier);
        QTRY_COMPARE(QApplication::focusWidget(), m_search);
    }
    void cleanup() { m_window.reset(); }

    void whatIsFoundLeadsThere_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QStringList>("rows");   // kind and name
        QTest::newRow("a definition") << QStringLiteral("norm_b") << QStringList{QStringLiteral("definition norm_b")};
        QTest::newRow("a solution") << QStringLiteral("a_f") << QStringList{QStringLiteral("solution a_fast")};
        QTest::newRow("an author") << QStringLiteral("ann") << QStringList{QStringLiteral("author ann")};
        QTest::newRow("a workload") << QStringLiteral("uuid-of") << QStringList{QStringLiteral("workload uuid-of-norm")};
        QTest::newRow("a line of source") << QStringLiteral("wavefront") << QStringList{QStringLiteral("source a_fast")};
        QTest::newRow("a line of a log") << QStringLiteral("launch failure") << QStringList{QStringLiteral("log b_slow")};
        QTest::newRow("an action") << QStringLiteral("keyboard map") << QStringList{QStringLiteral("action Keyboard map")};
        QTest::newRow("nothing") << QStringLiteral("zzzz") << QStringList{};
    }
    void whatIsFoundLeadsThere()
    {
        QFETCH(QString, typed);
        QFETCH(QStringList, rows);
        QTest::keyClicks(m_search, typed);
        QTRY_VERIFY_WITH_TIMEOUT(m_search->model()->isComplete(), kWaitMs);
        QVERIFY(m_search->isListShown());
        QStringList found;
        const SearchModel* model = m_search->model();
        for (int row = 0; row < model->rowCount(); ++row) {
            const QModelIndex index = model->index(row);
            found << model->data(index, SearchModel::KindRole).toString() + QLatin1Char(' ') + model->data(index, Qt::DisplayRole).toString();
        }
        QCOMPARE(found, rows);
        if (rows.isEmpty() || rows.front().startsWith(QStringLiteral("action")))
            return;
        QTest::keyClick(m_search, Qt::Key_Return);
        QVERIFY(!m_search->isListShown());
        QCOMPARE(m_search->text(), QString());
        const QString kind = rows.front().section(QLatin1Char(' '), 0, 0);
        if (kind == QStringLiteral("definition"))
            QCOMPARE(m_window->workspace()->currentDefinition(), QStringLiteral("norm_b"));
        if (kind == QStringLiteral("solution") || kind == QStringLiteral("source")) {
            const auto* page = m_window->findChild<SolutionPage*>();
            QVERIFY(page);
            QCOMPARE(page->solutionName(), QStringLiteral("a_fast"));
            if (kind == QStringLiteral("source"))
                QCOMPARE(page->codeView()->editor()->selectedText(), QStringLiteral("    wavefront = 1"));
        }
        if (kind == QStringLiteral("author"))
            QCOMPARE(m_window->datasetPanel()->filterEdit()->text(), QStringLiteral("ann"));
        if (kind == QStringLiteral("workload"))
            QCOMPARE(m_window->definitionPage()->currentTab(), DefinitionPage::Tab::Workloads);
        if (kind == QStringLiteral("log")) {
            QCOMPARE(m_window->currentPage(), MainWindow::Page::Traces);
            QCOMPARE(m_window->workspace()->currentTrace(), 0);
        }
    }

    void actionsAreTriggered()
    {
        auto* action = m_window->findChild<QAction*>(QStringLiteral("goLeaderboard"));
        QSignalSpy triggered(action, &QAction::triggered);
        QTest::keyClicks(m_search, QStringLiteral("leaderb"));
        QTRY_VERIFY(m_search->model()->rowCount() > 0);
        QTest::keyClick(m_search, Qt::Key_Return);
        QTRY_COMPARE(triggered.count(), 1);
        QCOMPARE(m_window->currentPage(), MainWindow::Page::Leaderboard);
    }

    void keysWalkAndClose()
    {
        QTest::keyClicks(m_search, QStringLiteral("a"));
        QTRY_VERIFY(m_search->model()->rowCount() > 3);
        if (const QString pictures = qEnvironmentVariable("TRACEDECK_TEST_PICTURES"); !pictures.isEmpty())
            QVERIFY(m_window->grab().save(QStringLiteral("%1/search.png").arg(pictures)));
        QCOMPARE(m_search->list()->currentIndex().row(), 0);
        QTest::keyClick(m_search, Qt::Key_Down);
        QTest::keyClick(m_search, Qt::Key_Down);
        QCOMPARE(m_search->list()->currentIndex().row(), 2);
        QTest::keyClick(m_search, Qt::Key_Up);
        QCOMPARE(m_search->list()->currentIndex().row(), 1);
        QTest::keyClick(m_search, Qt::Key_PageDown);
        QCOMPARE(m_search->list()->currentIndex().row(), m_search->model()->rowCount() - 1);
        QTest::keyClick(m_search, Qt::Key_Escape);
        QVERIFY(!m_search->isListShown());
        QCOMPARE(m_search->text(), QStringLiteral("a"));
        QTest::keyClick(m_search, Qt::Key_Escape);
        QCOMPARE(m_search->text(), QString());
        // Leaving the field closes the list, too.
        QTest::keyClicks(m_search, QStringLiteral("norm"));
        QTRY_VERIFY(m_search->isListShown());
        m_window->datasetPanel()->filterEdit()->setFocus();
        QTRY_VERIFY(!m_search->isListShown());
    }

    void aReloadWhileTheListIsOpenClosesIt()
    {
        QTest::keyClicks(m_search, QStringLiteral("norm"));
        QTRY_VERIFY(m_search->isListShown());
        m_builder->definition({.name = "norm_c"});
        m_window->workspace()->reload();
        QTRY_VERIFY_WITH_TIMEOUT(m_window->workspace()->dataset()->findDefinition("norm_c") != nullptr, kWaitMs);
        QTRY_VERIFY(!m_search->isListShown());
        QCOMPARE(m_search->model()->rowCount(), 0);
    }

    void theModelIsAModel()
    {
        SearchModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QAction action(QStringLiteral("&Norm things"));
        model.setActions({&action});
        for (const char* text : {"norm", "n", "", "launch", "nor"}) {
            model.search(m_window->workspace()->dataset(), QString::fromLatin1(text));
            QTRY_VERIFY_WITH_TIMEOUT(model.isComplete(), kWaitMs);
        }
        QVERIFY(model.rowCount() > 1);
    }

    void theListStaysInsideTheWindow()
    {
        m_window->resize(900, 400);
        QTest::keyClicks(m_search, QStringLiteral("e"));
        QTRY_VERIFY(m_search->isListShown());
        const auto* frame = m_window->findChild<QFrame*>(QStringLiteral("searchResults"));
        QVERIFY(frame);
        QVERIFY(m_window->rect().contains(frame->geometry()));
        QVERIFY(frame->height() > 50);
    }

private:
    std::unique_ptr<DatasetBuilder> m_builder;
    std::unique_ptr<MainWindow> m_window;
    SearchBox* m_search = nullptr;
};

QTEST_MAIN(TestSearchBox)
#include "test_search_box.moc"
