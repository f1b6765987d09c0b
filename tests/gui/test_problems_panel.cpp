// SPDX-License-Identifier: GPL-3.0-or-later
// What is wrong in a dataset is listed, opened at its line, copied and, where that is safe, repaired.
#include <QAbstractItemModelTester>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QMessageBox>
#include <QPushButton>
#include <QTabWidget>
#include <QTest>
#include <QTreeView>
#include <Qsci/qsciscintilla.h>

#include "tests/support/gui_test.h"
#include "tests/support/test_files.h"
#include "ui/main_window.h"
#include "ui/models/problem_tree_model.h"
#include "ui/pages/code_view.h"
#include "ui/pages/problems_panel.h"
#include "ui/pages/viewer_page.h"

using namespace tracedeck;
using namespace tracedeck::ui;
using tracedeck::test::DatasetBuilder;
using tracedeck::test::readBytes;

namespace {

constexpr int kWaitMs = 20'000;
const char* const kTraces = "traces/me/gemm/gemm_a.jsonl";

ProblemItem itemOf(const QString& file, qint64 line, const QString& reason, ProblemItem::Level level = ProblemItem::Level::Error)
{
    ProblemItem item;
    item.level = level;
    item.outcome = level == ProblemItem::Level::Error ? QStringLiteral("left out") : QStringLiteral("doubtful");
    item.reason = reason;
    item.file = file;
    item.line = line;
    return item;
}

}  // namespace

class TestProblemsPanel : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { test::prepareGuiTest(); }
    void init()
    {
        test::failOnQtWarnings();
        QSettings().clear();
        m_builder = std::make_unique<DatasetBuilder>();
        m_builder->definition({.name = "gemm_a"})
            .solution({.name = "mine", .definition = "gemm_a", .author = "me"})
            .workload({.definition = "gemm_a", .uuid = "w1"})
            .trace({.definition = "gemm_a", .solution = "mine", .uuid = "w1", .file = kTraces});
    }
    void cleanup()
    {
        m_window.reset();
        m_builder.reset();
    }

    void problemsAreGrouped()
    {
        ProblemTreeModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setItems({itemOf(QStringLiteral("b.jsonl"), 9, QStringLiteral("later")), itemOf(QStringLiteral("a.json"), 1, QStringLiteral("odd"), ProblemItem::Level::Warning),
                        itemOf(QStringLiteral("b.jsonl"), 2, QStringLiteral("sooner"))});
        QCOMPARE(model.rowCount(), 2);
        // Files with something that was left out come first, their problems in the order of the lines.
        QCOMPARE(model.index(0, 0).data().toString(), QStringLiteral("b.jsonl (2)"));
        QCOMPARE(model.index(0, 0, model.index(0, 0)).data().toString(), QStringLiteral("sooner"));
        QCOMPARE(model.index(1, ProblemTreeModel::LineColumn, model.index(0, 0)).data().toInt(), 9);
        QVERIFY(!model.item(model.index(0, 0)));
        model.setGrouping(ProblemTreeModel::Grouping::Outcome);
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.index(1, 0).data().toString(), QStringLiteral("doubtful (1)"));
        QCOMPARE(model.item(model.index(0, 0, model.index(1, 0)))->file, QStringLiteral("a.json"));
        QVERIFY(model.find(itemOf(QStringLiteral("b.jsonl"), 9, QStringLiteral("later"))).isValid());
        QVERIFY(!model.find(itemOf(QStringLiteral("b.jsonl"), 9, QStringLiteral("never"))).isValid());
        model.refreshLooks();
        model.setItems({});
        QCOMPARE(model.rowCount(), 0);
    }

    void theFileOfAProblemOpensAtItsLine()
    {
        m_builder->file("definitions/gemm/broken.json", "{\n  \"name\": \"x\",\n  oops\n}\n");
        open();
        choose(QStringLiteral("definitions/gemm/broken.json"));
        action("openProblemAction")->trigger();
        auto* page = m_window->findChild<ViewerPage*>();
        QVERIFY(page);
        QTRY_VERIFY_WITH_TIMEOUT(!page->isBusy(), kWaitMs);
        QCOMPARE(page->title(), QStringLiteral("broken.json"));
        int line = -1;
        int column = -1;
        page->code()->editor()->getCursorPosition(&line, &column);
        QCOMPARE(line, 2);   // counted from 0
        QCOMPARE(m_window->currentPage(), MainWindow::Page::Viewer);
    }

    void problemsAreCopied()
    {
        m_builder->file("definitions/gemm/broken.json", "{ not json");
        open();
        QVERIFY(!action("copyProblemAction")->isEnabled());
        choose(QStringLiteral("definitions/gemm/broken.json"));
        action("copyProblemAction")->trigger();
        const QString one = QApplication::clipboard()->text();
        QVERIFY2(one.startsWith(QStringLiteral("definitions/gemm/broken.json:1: ")), qPrintable(one));
        panel()->view()->setCurrentIndex(panel()->view()->currentIndex().parent());
        QApplication::clipboard()->clear();
        action("copyProblemAction")->trigger();
        QCOMPARE(QApplication::clipboard()->text(), one);   // the group has this one
        QVERIFY(!action("openProblemAction")->isEnabled());
    }

    void aTornLineIsMovedAfterAQuestion()
    {
        const std::string whole = readBytes(m_builder->root() / kTraces);
        m_builder->file(kTraces, whole + "{\"definition\":\"gemm_a\",\"wor");
        open();
        choose(QString::fromLatin1(kTraces));
        QVERIFY(action("fixProblemAction")->isEnabled());
        // Who says no changes nothing.
        action("fixProblemAction")->trigger();
        answer(QMessageBox::RejectRole);
        QCOMPARE(readBytes(m_builder->root() / (std::string(kTraces) + ".torn")), std::string());
        action("fixProblemAction")->trigger();
        answer(QMessageBox::AcceptRole);
        QTRY_COMPARE_WITH_TIMEOUT(panel()->problemCount(), qsizetype(0), kWaitMs);
        QCOMPARE(readBytes(m_builder->root() / kTraces), whole);
        QCOMPARE(readBytes(m_builder->root() / (std::string(kTraces) + ".torn")), std::string("{\"definition\":\"gemm_a\",\"wor\n"));
        QVERIFY(!action("fixProblemAction")->isEnabled());
    }

    void aMissingLineEndIsAdded()
    {
        const std::string whole = readBytes(m_builder->root() / kTraces);
        m_builder->file(kTraces, whole.substr(0, whole.size() - 1));
        open();
        QCOMPARE(panel()->problemCount(), qsizetype(1));
        choose(QString::fromLatin1(kTraces));
        action("fixProblemAction")->trigger();
        answer(QMessageBox::AcceptRole);
        QTRY_COMPARE_WITH_TIMEOUT(panel()->problemCount(), qsizetype(0), kWaitMs);
        QCOMPARE(readBytes(m_builder->root() / kTraces), whole);
    }

    void whatCannotBeFixedOffersNoFix()
    {
        m_builder->file("definitions/gemm/broken.json", "{ not json");
        open();
        choose(QStringLiteral("definitions/gemm/broken.json"));
        QVERIFY(!action("fixProblemAction")->isEnabled());
        panel()->fixCurrent();
        QVERIFY(!QApplication::activeModalWidget());
    }

    void aCheckAddsWhatLoadingDoesNotSee()
    {
        // An orphan: a trace of a solution that the dataset does not have.
        m_builder->trace({.definition = "gemm_a", .solution = "gone", .uuid = "w1", .file = kTraces});
        open();
        const qsizetype before = panel()->problemCount();
        QVERIFY(action("checkDatasetAction")->isEnabled());
        QVERIFY(!action("cancelCheckAction")->isEnabled());
        action("checkDatasetAction")->trigger();
        QVERIFY(panel()->isChecking());
        QVERIFY(!action("checkDatasetAction")->isEnabled());
        QVERIFY(action("cancelCheckAction")->isEnabled());
        QTRY_VERIFY_WITH_TIMEOUT(!panel()->isChecking(), kWaitMs);
        QTRY_VERIFY_WITH_TIMEOUT(panel()->problemCount() > before, kWaitMs);
        const auto& items = panel()->model()->items();
        QVERIFY(std::any_of(items.begin(), items.end(), [](const ProblemItem& item) { return item.isFromCheck && item.reason.contains(QStringLiteral("gone")); }));
        QVERIFY(action("checkDatasetAction")->isEnabled());
    }

    void aCheckCanBeStopped()
    {
        open();
        action("checkDatasetAction")->trigger();
        action("cancelCheckAction")->trigger();
        QVERIFY(!panel()->isChecking());
        QVERIFY(action("checkDatasetAction")->isEnabled());
        QVERIFY(!action("cancelCheckAction")->isEnabled());
        QCOMPARE(panel()->problemCount(), qsizetype(0));
    }

    void groupingIsChosenByMenuAndKept()
    {
        m_builder->file("definitions/gemm/broken.json", "{ not json");
        open();
        choose(QStringLiteral("definitions/gemm/broken.json"));
        action("groupByOutcomeAction")->trigger();
        QCOMPARE(panel()->model()->index(0, 0).data().toString(), QStringLiteral("left out (1)"));
        QVERIFY(action("groupByOutcomeAction")->isChecked());
        QVERIFY(panel()->view()->isExpanded(panel()->model()->index(0, 0)));
        QVERIFY(panel()->current());   // what was chosen still is
        QVERIFY(!panel()->view()->isColumnHidden(ProblemTreeModel::FileColumn));
        action("groupByFileAction")->trigger();
        QVERIFY(panel()->view()->isColumnHidden(ProblemTreeModel::FileColumn));   // the groups say it
    }

private:
    void open()
    {
        m_window = std::make_unique<MainWindow>();
        m_window->resize(1280, 800);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        m_window->openPath(QString::fromStdString(m_builder->root().string()));
        QTRY_VERIFY_WITH_TIMEOUT(m_window->workspace()->isOpen() && m_window->isSettled(), kWaitMs);
    }
    [[nodiscard]] ProblemsPanel* panel() const { return m_window->problemsPanel(); }
    [[nodiscard]] QAction* action(const char* name) const { return m_window->findChild<QAction*>(QString::fromLatin1(name)); }
    /// Chooses the first problem of a file.
    void choose(const QString& file)
    {
        for (const ProblemItem& item : panel()->model()->items())
            if (item.file == file) {
                panel()->view()->setCurrentIndex(panel()->model()->find(item));
                return;
            }
        QFAIL(qPrintable(QStringLiteral("no problem in ") + file));
    }
    /// Presses the button of the question that is shown.
    void answer(QMessageBox::ButtonRole role)
    {
        QMessageBox* box = nullptr;
        QTRY_VERIFY_WITH_TIMEOUT((box = m_window->findChild<QMessageBox*>(QStringLiteral("fixQuestion"))) != nullptr, kWaitMs);
        for (QAbstractButton* button : box->buttons())
            if (box->buttonRole(button) == role) {
                button->click();
                break;
            }
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->findChild<QMessageBox*>(QStringLiteral("fixQuestion")), kWaitMs);
    }

    std::unique_ptr<DatasetBuilder> m_builder;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(TestProblemsPanel)
#include "test_problems_panel.moc"
