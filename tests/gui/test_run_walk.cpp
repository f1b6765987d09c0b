// SPDX-License-Identifier: GPL-3.0-or-later
// A day with the window: run a definition's solutions, cancel half-way, resume, let two of them fight a duel, look closer at one. Nothing is
// faked. Without more words on a small dataset on the cpu device. TRACEDECK_TEST_WALK names a folder with a real dataset (it gets traces), in which
// TRACEDECK_TEST_DEFINITION is run on TRACEDECK_TEST_DEVICE. On a GPU compute-sanitizer must find what the solution that TRACEDECK_TEST_STRAY names
// writes where it must not, and Nsight Compute must tell what an honest one does. TRACEDECK_TEST_PICTURES names a folder for pictures.
#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QElapsedTimer>
#include <QHeaderView>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QTableView>
#include <QTest>
#include <unistd.h>

#include "core/diagnose/duel.h"
#include "tests/support/gui_test.h"
#include "tests/support/program.h"
#include "ui/diagnose/diagnose_page.h"
#include "ui/diagnose/diagnosis_views.h"
#include "ui/diagnose/duel_page.h"
#include "ui/diagnose/plain_table_model.h"
#include "ui/main_window.h"
#include "ui/models/run_queue_model.h"
#include "ui/pages/definition_page.h"
#include "ui/run/run_controller.h"
#include "ui/run/run_panel.h"
#include "ui/run/run_settings.h"
#include "ui/settings/settings.h"

using namespace tracedeck;
using namespace tracedeck::ui;
using namespace tracedeck::test;

namespace {

constexpr int kRunMilliseconds = 300'000;
constexpr int kWorkloads = 4;

void fill(DatasetBuilder& builder)
{
    builder.definition({.name = "add_n64", .opType = "activation", .constAxes = {{"N", 64}}});
    builder.solution({.name = "ann_add", .definition = "add_n64", .author = "ann"});
    builder.solution({.name = "bob_add", .definition = "add_n64", .author = "bob", .source = "import time\ndef run(x):\n    time.sleep(0.02)\n    return x + 1\n"});
    builder.solution({.name = "cid_add", .definition = "add_n64", .author = "cid", .source = "import time\ndef run(x):\n    time.sleep(0.05)\n    return x + 1\n"});
    for (int i = 0; i < kWorkloads; ++i) builder.workload({.definition = "add_n64", .uuid = "workload-" + std::to_string(i), .axes = {{"M", 16 << i}}});
}

/// How often each (solution, workload) of a definition stands in the trace files.
std::map<std::pair<std::string, std::string>, int> tracesOnDisk(const std::filesystem::path& root, const std::string& definition)
{
    std::map<std::pair<std::string, std::string>, int> found;
    for (const Json& line : traceLinesOnDisk(root)) {
        if (line["definition"] == definition) ++found[{line["solution"].get<std::string>(), line["workload"]["uuid"].get<std::string>()}];
    }
    return found;
}

}  // namespace

class TestRunWalk : public QObject {
    Q_OBJECT

    std::unique_ptr<DatasetBuilder> m_builder;
    std::filesystem::path m_root;
    QString m_definition;
    QString m_device;
    QString m_whyNot;
    bool m_isReal = false;
    std::unique_ptr<MainWindow> m_window;
    std::set<std::string> m_solutions;
    std::size_t m_pairs = 0;

    RunPanel& panel() { return *m_window->runPanel(); }
    [[nodiscard]] bool isGpu() const { return m_device != QStringLiteral("cpu"); }
    void takePicture(const char* name)
    {
        const QString pictures = qEnvironmentVariable("TRACEDECK_TEST_PICTURES");
        if (!pictures.isEmpty()) QVERIFY(m_window->grab().save(QStringLiteral("%1/walk-%2.png").arg(pictures, QString::fromLatin1(name))));
    }
    /// Clicks Run selected; false with a reason when nothing runs.
    bool startRun(QString& reason)
    {
        QSignalSpy started(m_window->runController(), &RunController::started);
        QSignalSpy refused(m_window->runController(), &RunController::failedToStart);
        QTest::mouseClick(m_window->findChild<QPushButton*>(QStringLiteral("runSelectedToolButton")), Qt::LeftButton);
        const bool isDecided = QTest::qWaitFor([&] { return started.count() + refused.count() > 0; }, kRunMilliseconds);
        reason = refused.isEmpty() ? QStringLiteral("nothing started") : refused.front().front().toString();
        return isDecided && !started.isEmpty();
    }
    DiagnosisView* look(DiagnosePage::Look which, const char* action, const std::string& solution, const QString& definition = {})
    {
        auto* page = m_window->findChild<DiagnosePage*>();
        if (page == nullptr) {
            m_window->findChild<QAction*>(QString::fromLatin1(action))->trigger();
            page = m_window->findChild<DiagnosePage*>();
        }
        if (page == nullptr) return nullptr;
        if (!QTest::qWaitFor([page] { return !page->isBusy(); }, kRunMilliseconds)) return nullptr;
        m_window->showPage(MainWindow::Page::Diagnose);
        page->setTarget(definition.isEmpty() ? m_definition : definition, QString::fromStdString(solution), {});
        page->showLook(which);
        DiagnosisView* view = page->view(which);
        if (!view->isBusy()) view->findChild<QPushButton*>(QStringLiteral("startLook"))->click();
        return view;
    }

private slots:
    void initTestCase()
    {
        prepareGuiTest();
        if (!qEnvironmentVariableIsSet("TRACEDECK_WORKER")) qputenv("TRACEDECK_WORKER", TRACEDECK_BIN_DIR "/tracedeck-worker");
        m_whyNot = QString::fromStdString(whyNoPython(false));
        m_device = qEnvironmentVariable("TRACEDECK_TEST_DEVICE", QStringLiteral("cpu"));
        m_definition = qEnvironmentVariable("TRACEDECK_TEST_DEFINITION", QStringLiteral("add_n64"));
        m_isReal = qEnvironmentVariableIsSet("TRACEDECK_TEST_WALK");
        if (m_isReal) {
            m_root = qEnvironmentVariable("TRACEDECK_TEST_WALK").toStdString();
        } else {
            m_builder = std::make_unique<DatasetBuilder>();
            fill(*m_builder);
            m_root = m_builder->root();
        }
    }
    void init()
    {
        if (!m_whyNot.isEmpty()) QSKIP(qPrintable(QStringLiteral("no Python to run references with: ") + m_whyNot));
        if (QString::fromLatin1(QTest::currentTestFunction()) != QStringLiteral("opensAndSelects") && m_pairs == 0) QSKIP("the dataset was not opened");
    }

    void opensAndSelects()
    {
        m_window = std::make_unique<MainWindow>();
        m_window->resize(1280, 800);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        m_window->openPath(QString::fromStdString(m_root.string()));
        QTRY_VERIFY_WITH_TIMEOUT(m_window->workspace()->isOpen() && m_window->isSettled(), 30'000);
        QVERIFY(m_window->select(m_definition));
        const auto dataset = m_window->workspace()->dataset();
        Selection selection;
        for (const auto& solution : dataset->solutions()) {
            if (solution->definition == m_definition.toStdString()) selection.solutions.insert(solution->name);
        }
        m_solutions = selection.solutions;
        QVERIFY(m_solutions.size() >= 2);
        m_window->workspace()->setSelection(selection);
        QTRY_VERIFY(panel().settings()->areDevicesKnown());
        auto* devices = panel().findChild<QComboBox*>(QStringLiteral("runDevice"));
        devices->setCurrentText(m_device);
        QCOMPARE(devices->currentText(), m_device);
        if (!m_isReal) {
            panel().settings()->setWarmups(1);
            panel().settings()->setIterations(4);
            panel().settings()->setTrials(1);
        }
        QTRY_VERIFY(panel().selectedPairs() > 0);
        m_pairs = panel().selectedPairs();
    }

    void isCancelledHalfWay()
    {
        QSignalSpy finished(m_window->runController(), &RunController::finished);
        QString reason;
        QVERIFY2(startRun(reason), qPrintable(reason));
        const auto isHalfWay = [this] { return panel().queue()->counts().ended() >= m_pairs / 3; };
        m_window->showPage(MainWindow::Page::Run);
        QTRY_VERIFY_WITH_TIMEOUT(isHalfWay() || !finished.isEmpty(), kRunMilliseconds);
        QVERIFY2(finished.isEmpty(), qPrintable(panel().findChild<QPlainTextEdit*>(QStringLiteral("runProblems"))->toPlainText()));
        takePicture("half-way");
        // Who is measured can be read without scrolling.
        auto* queue = panel().findChild<QTableView*>(QStringLiteral("runQueue"));
        QCOMPARE(queue->horizontalScrollBar()->maximum(), 0);
        QVERIFY2(queue->columnWidth(RunQueueModel::Solution) > 110, qPrintable(QString::number(queue->columnWidth(RunQueueModel::Solution))));
        for (const int column : {RunQueueModel::Latency, RunQueueModel::Speedup, RunQueueModel::Seconds}) {
            const QString title = queue->model()->headerData(column, Qt::Horizontal).toString();
            QVERIFY2(queue->columnWidth(column) >= queue->horizontalHeader()->fontMetrics().horizontalAdvance(title), qPrintable(title));
        }
        QElapsedTimer clock;
        clock.start();
        QTest::mouseClick(panel().findChild<QPushButton*>(QStringLiteral("cancelRunButton")), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!finished.isEmpty(), kRunMilliseconds);
        qInfo("cancelled within %lld ms", clock.elapsed());
        // The promise is two seconds; a loaded machine without a GPU proves nothing about it.
        if (isGpu()) QVERIFY2(clock.elapsed() < 2000, qPrintable(QString::number(clock.elapsed())));
        const auto done = finished.front().front().value<DoneEvent>();
        QVERIFY(done.cancelled);
        QVERIFY(done.notRun > 0);
        QCOMPARE(done.total, m_pairs);
        QCOMPARE(done.failed, std::size_t(0));
        const auto stored = tracesOnDisk(m_root, m_definition.toStdString());
        QCOMPARE(stored.size(), done.passed);
        takePicture("cancelled");
    }

    void goesOnWhereItStopped()
    {
        const std::size_t had = tracesOnDisk(m_root, m_definition.toStdString()).size();
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), 30'000);
        auto* resume = panel().findChild<QCheckBox*>(QStringLiteral("runResume"));
        QVERIFY(resume);
        resume->setChecked(true);
        QSignalSpy finished(m_window->runController(), &RunController::finished);
        QString reason;
        QVERIFY2(startRun(reason), qPrintable(reason));
        QTRY_VERIFY_WITH_TIMEOUT(!finished.isEmpty(), kRunMilliseconds);
        const auto done = finished.front().front().value<DoneEvent>();
        QVERIFY2(!done.cancelled && done.failed == 0, qPrintable(panel().findChild<QPlainTextEdit*>(QStringLiteral("runProblems"))->toPlainText()));
        QCOMPARE(done.passed, m_pairs - had);
        const auto stored = tracesOnDisk(m_root, m_definition.toStdString());
        QCOMPARE(stored.size(), m_pairs);
        for (const auto& [pair, count] : stored) QVERIFY2(count == 1, pair.first.c_str());
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), 30'000);
        takePicture("resumed");
        m_window->showPage(MainWindow::Page::Charts);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), 30'000);
        takePicture("charts");
    }

    void twoFightADuel()
    {
        m_window->findChild<QAction*>(QStringLiteral("duelAction"))->trigger();
        auto* page = m_window->findChild<DuelPage*>();
        QVERIFY(page);
        QStringList sides;
        for (const std::string& name : m_solutions) {
            if (sides.size() < 2) sides << QString::fromStdString(name);
        }
        page->setTarget(m_definition, sides, {});
        QCOMPARE(page->ticked(), sides);
        page->setLimits(120, m_isReal ? 40 : 6);
        page->start();
        QVERIFY2(page->isBusy(), qPrintable(page->verdictText()));
        QTRY_VERIFY_WITH_TIMEOUT(!page->isBusy(), kRunMilliseconds);
        QVERIFY2(page->report(), qPrintable(page->verdictText()));
        QVERIFY(page->report()->rounds >= 2);
        QVERIFY(!page->verdictText().isEmpty());
        qInfo("duel: %s", qPrintable(page->verdictText()));
        takePicture("duel");
    }

    void aTraceIsLookedInto()
    {
        auto* view = static_cast<DifferenceView*>(look(DiagnosePage::Look::Difference, "diagnoseDifference", *m_solutions.begin()));
        QVERIFY(view);
        QTRY_VERIFY_WITH_TIMEOUT(!view->isBusy(), kRunMilliseconds);
        QVERIFY2(view->message().isEmpty(), qPrintable(view->message()));
        takePicture("difference");
    }

    void theSanitizerFindsTheStrayWrite()
    {
        const std::string stray = qEnvironmentVariable("TRACEDECK_TEST_STRAY").toStdString();
        if (!isGpu() || stray.empty()) QSKIP("needs a GPU and a solution that writes where it must not");
        const auto& solutions = m_window->workspace()->dataset()->solutions();
        const auto found = std::find_if(solutions.begin(), solutions.end(), [&stray](const auto& solution) { return solution->name == stray; });
        QVERIFY2(found != solutions.end(), stray.c_str());
        // As root the tool works behind no wall, and says so.
        const QString before = Settings::confinement();
        if (::geteuid() == 0) Settings::setConfinement(QStringLiteral("none"));
        auto* view = static_cast<SanitizerView*>(look(DiagnosePage::Look::Sanitizer, "diagnoseSanitizer", stray, QString::fromStdString((*found)->definition)));
        QVERIFY(view);
        QTRY_VERIFY_WITH_TIMEOUT(!view->isBusy(), kRunMilliseconds);
        Settings::setConfinement(before);
        QVERIFY2(view->message().isEmpty(), qPrintable(view->message()));
        QVERIFY(view->table()->rowCount() > 0);
        bool isFound = false;
        for (int row = 0; row < view->table()->rowCount(); ++row) {
            isFound = isFound || (view->table()->index(row, 0).data().toString() == QStringLiteral("memcheck") && view->table()->index(row, 2).data().toString().contains(QStringLiteral("write")));
        }
        takePicture("sanitizer");
        QVERIFY(isFound);
    }

    void nsightComputeTellsTheKeyFigures()
    {
        if (!isGpu()) QSKIP("needs a GPU");
        const QString before = Settings::confinement();
        if (::geteuid() == 0) Settings::setConfinement(QStringLiteral("none"));
        auto* view = static_cast<ProfileView*>(look(DiagnosePage::Look::Profile, "diagnoseProfile", *m_solutions.begin()));
        QVERIFY(view);
        QTRY_VERIFY_WITH_TIMEOUT(!view->isBusy(), kRunMilliseconds);
        Settings::setConfinement(before);
        takePicture("profile");
        QVERIFY2(view->message().isEmpty(), qPrintable(view->message()));
        QVERIFY(view->table()->rowCount() > 0);
        QVERIFY(view->table()->index(0, 1).data().toString().toDouble() > 0);
    }

    void theTimelineOfACallIsShown()
    {
        if (!isGpu()) QSKIP("needs a GPU");
        auto* view = static_cast<TimelineView*>(look(DiagnosePage::Look::Timeline, "diagnoseTimeline", *m_solutions.begin()));
        QVERIFY(view);
        QTRY_VERIFY_WITH_TIMEOUT(!view->isBusy(), kRunMilliseconds);
        QVERIFY2(view->message().isEmpty(), qPrintable(view->message()));
        QVERIFY(view->table()->rowCount() > 0);
        takePicture("timeline");
    }

    void cleanupTestCase() { m_window.reset(); }
};

QTEST_MAIN(TestRunWalk)
#include "test_run_walk.moc"
