// SPDX-License-Identifier: GPL-3.0-or-later
// The page of recorded runs: what each one was, its traces, comparing, repeating, continuing, taking traces out and back.
#include <QAbstractItemModelTester>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStandardPaths>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include "core/run/run_record.h"
#include "core/run/run_settings.h"
#include "core/run/runner.h"
#include "tests/support/gui_test.h"
#include "tests/support/recorded_run.h"
#include "ui/main_window.h"
#include "ui/models/past_runs_model.h"
#include "ui/models/run_queue_model.h"
#include "ui/models/trace_table_model.h"
#include "ui/pages/definition_page.h"
#include "ui/pages/results_page.h"
#include "ui/pages/traces_page.h"
#include "ui/run/past_runs_page.h"
#include "ui/run/run_controller.h"
#include "ui/run/run_panel.h"
#include "ui/run/run_settings.h"
#include "ui/style/labels.h"

using namespace tracedeck;
using namespace tracedeck::ui;
using tracedeck::test::DatasetBuilder;

namespace {

constexpr int kWaitMs = 60'000;

}  // namespace

class TestPastRuns : public QObject {
    Q_OBJECT

    QTemporaryDir m_judgeFolder;
    QString m_python;
    std::unique_ptr<DatasetBuilder> m_builder;
    std::unique_ptr<MainWindow> m_window;

    /// Runs solutions on both workloads without a window; returns the run's id.
    std::string runWithout(const std::set<std::string>& solutions)
    {
        RunRequest request;
        request.dataset = m_builder->load();
        request.solutions = solutions;
        request.python = m_python.toStdString();
        request.recordFolder = runRecordFolder();
        auto runner = Runner::start(request, {});
        if (!runner) qFatal("%s", runner.error().toString().c_str());
        (*runner)->wait();
        return (*runner)->recordId();
    }
    void open()
    {
        m_window = std::make_unique<MainWindow>();
        m_window->runPanel()->setPythonSetting(m_python);
        m_window->resize(1280, 800);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        m_window->openPath(QString::fromStdString(m_builder->root().string()));
        QTRY_VERIFY_WITH_TIMEOUT(m_window->workspace()->isOpen() && m_window->isSettled(), kWaitMs);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->runPanel()->settings()->areDevicesKnown(), kWaitMs);
        m_window->showPage(MainWindow::Page::PastRuns);
        QTRY_VERIFY_WITH_TIMEOUT(page() && !page()->isBusy(), kWaitMs);
    }
    PastRunsPage* page() { return m_window->findChild<PastRunsPage*>(); }
    QPushButton* button(const char* name) { return page()->findChild<QPushButton*>(QString::fromLatin1(name)); }
    void choose(const std::string& id)
    {
        const int row = page()->model()->rowOf(id);
        QVERIFY(row >= 0);
        page()->view()->selectRow(row);
    }
    /// Clicks the button of a question that destroys something.
    void confirm(const char* name)
    {
        auto* question = page()->findChild<QMessageBox*>(QString::fromLatin1(name));
        QVERIFY2(question, name);
        for (QAbstractButton* one : question->buttons())
            if (question->buttonRole(one) == QMessageBox::DestructiveRole) one->click();
        QTRY_VERIFY_WITH_TIMEOUT(!page()->isBusy(), kWaitMs);
    }

private slots:
    void initTestCase()
    {
        test::prepareGuiTest();
        m_python = test::useFakeJudge(m_judgeFolder);
        if (m_python.isEmpty()) QSKIP("there is no python3 to play the judge");
        qputenv("CUDA_VISIBLE_DEVICES", "");
        qputenv("TRACEDECK_PYTHON", "/nonexistent/python");   // else each window would look for PyTorch
    }
    void init()
    {
        QSettings().clear();
        test::failOnQtWarnings();
        std::filesystem::remove_all(userDataFolder());
        m_builder = std::make_unique<DatasetBuilder>();
        m_builder->definition({.name = "gemm_n4"});
        for (const char* name : {"pass_one", "z_fail"}) m_builder->solution({.name = name, .definition = "gemm_n4"});
        for (const char* uuid : {"w0", "w1"}) m_builder->workload({.definition = "gemm_n4", .uuid = uuid});
        m_builder->trace({.definition = "gemm_n4", .solution = "pass_one", .uuid = "w0", .timestamp = "2020-01-01T00:00:00"});
    }
    void cleanup()
    {
        m_window.reset();
        m_builder.reset();
    }

    void withoutRunsThePageSaysSo()
    {
        open();
        QCOMPARE(page()->model()->rowCount(), 0);
        QVERIFY(page()->findChild<WrappedLabel*>(QStringLiteral("pastRunsEmpty"))->isVisible());
        QVERIFY(!button("runRepeat")->isEnabled());
    }

    void runsAreListedWithEverythingThatIsRecorded()
    {
        const std::string id = runWithout({"pass_one", "z_fail"});
        test::leaveBrokenRun("a-crash", m_builder->root(), {{"gemm_n4", "pass_one", "w1"}, {"gemm_n4", "z_fail", "w1"}}, 1, RunRequest());
        open();
        PastRunsModel* model = page()->model();
        const QAbstractItemModelTester tester(model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model->rowCount(), 2);
        QCOMPARE(model->rowOf(id), 0);   // the newest first
        QCOMPARE(model->index(0, PastRunsModel::State).data().toString(), QStringLiteral("done"));
        QCOMPARE(model->index(0, PastRunsModel::Passed).data().toString(), QStringLiteral("2"));
        QCOMPARE(model->index(0, PastRunsModel::Failed).data().toString(), QStringLiteral("2"));
        QCOMPARE(model->index(1, PastRunsModel::State).data().toString(), QStringLiteral("ended by a crash"));
        QCOMPARE(model->index(1, PastRunsModel::NotRun).data().toString(), QStringLiteral("1"));
        model->sort(PastRunsModel::Passed, Qt::AscendingOrder);
        QCOMPARE(model->rowOf("a-crash"), 0);
        choose(id);
        const QString facts = page()->findChild<QPlainTextEdit*>(QStringLiteral("runFacts"))->toPlainText();
        const auto run = findRun(runRecordFolder(), id);
        for (const std::string& part : {id, run->record.seed, run->record.root, std::string("Fake CPU"), std::string("timeout: 300")})
            QVERIFY2(facts.contains(QString::fromStdString(part)), qPrintable(facts));
        QVERIFY(!button("runContinue")->isEnabled());   // nothing is left
        QVERIFY(!button("runStop")->isEnabled());
        choose("a-crash");
        QVERIFY(button("runContinue")->isEnabled());
    }

    void itsTracesAreShownAlone()
    {
        const std::string id = runWithout({"z_fail"});
        // The fake judge's clock stands still: results that belong to the run by their time, and one that does not.
        const auto run = findRun(runRecordFolder(), id);
        m_builder->trace({.definition = "gemm_n4", .solution = "pass_one", .uuid = "w1", .timestamp = run->record.started});
        open();
        choose(id);
        button("runTraces")->click();
        TracesPage* traces = m_window->definitionPage()->tracesPage();
        QTRY_VERIFY_WITH_TIMEOUT(!traces->isBusy() && traces->model()->rowCount() == 1, kWaitMs);
        auto* times = traces->findChild<QPushButton*>(QStringLiteral("traceTimes"));
        QVERIFY(times->isVisible());
        times->click();
        QTRY_VERIFY_WITH_TIMEOUT(!traces->isBusy() && traces->model()->rowCount() == 4, kWaitMs);
        QVERIFY(!times->isVisible());
    }

    void twoRunsAreCompared()
    {
        const std::string first = runWithout({"pass_one"});
        const std::string second = runWithout({"pass_one"});
        open();
        choose(second);
        button("runCompare")->click();   // with the one before
        auto* results = m_window->findChild<ResultsPage*>();
        QVERIFY(results);
        QTRY_VERIFY_WITH_TIMEOUT(!results->isBusy(), kWaitMs);
        const ComparisonChoice choice = results->choice();
        QVERIFY(choice.a.run && choice.b.run);
        QVERIFY(choice.a.run->start < choice.b.run->start);
        QVERIFY(choice.a.folder.isEmpty());
    }

    void aRunIsRepeatedAndOneThatBrokeIsContinued()
    {
        const std::string id = runWithout({"pass_one"});
        RunRequest settings;
        settings.python = m_python.toStdString();
        test::leaveBrokenRun("a-crash", m_builder->root(), {{"gemm_n4", "z_fail", "w0"}, {"gemm_n4", "z_fail", "w1"}}, 1, settings);
        open();
        QSignalSpy finished(m_window->runController(), &RunController::finished);
        choose(id);
        button("runRepeat")->click();
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, kWaitMs);
        QCOMPARE(m_window->runPanel()->queue()->counts().passed, std::size_t(2));
        QTRY_VERIFY_WITH_TIMEOUT(!page()->isBusy() && page()->model()->rowCount() == 3, kWaitMs);
        choose("a-crash");
        button("runContinue")->click();
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 2, kWaitMs);
        QCOMPARE(m_window->runPanel()->queue()->rowCount(), 1);
        QTRY_VERIFY_WITH_TIMEOUT(!page()->isBusy() && page()->model()->rowCount() == 4, kWaitMs);
        QVERIFY(page()->model()->index(page()->model()->rowOf("a-crash"), PastRunsModel::State).data().toString().contains(QStringLiteral("continued")));
    }

    void tracesAreTakenOutAfterAQuestionAndPutBack()
    {
        const std::string id = runWithout({"pass_one"});
        open();
        const auto traces = [this] { return m_builder->load()->traces().size(); };
        QCOMPARE(traces(), std::size_t(3));
        choose(id);
        QVERIFY(!button("runRestoreTraces")->isEnabled());
        button("runRemoveTraces")->click();
        page()->findChild<QMessageBox*>(QStringLiteral("removeTracesQuestion"))->button(QMessageBox::Cancel)->click();
        QTRY_VERIFY(!page()->findChild<QMessageBox*>(QStringLiteral("removeTracesQuestion")));
        QCOMPARE(traces(), std::size_t(3));
        button("runRemoveTraces")->click();
        confirm("removeTracesQuestion");
        QCOMPARE(traces(), std::size_t(1));
        QTRY_VERIFY(button("runRestoreTraces")->isEnabled());
        QTRY_COMPARE_WITH_TIMEOUT(m_window->workspace()->dataset()->traces().size(), std::size_t(1), kWaitMs);   // the window follows
        button("runRestoreTraces")->click();
        QTRY_VERIFY_WITH_TIMEOUT(!page()->isBusy(), kWaitMs);
        QCOMPARE(traces(), std::size_t(3));
        button("runForget")->click();
        confirm("forgetRunQuestion");
        QCOMPARE(page()->model()->rowCount(), 0);
        QCOMPARE(traces(), std::size_t(3));
    }
};

QTEST_MAIN(TestPastRuns)
#include "test_past_runs.moc"
