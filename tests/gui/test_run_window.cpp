// SPDX-License-Identifier: GPL-3.0-or-later
// Planning, watching and steering runs in the window, and what becomes of them when it closes or crashed; the judge is played by
// tests/support/fake_judge.py. TRACEDECK_TEST_PICTURES names a folder for pictures of what is built.
#include <QAbstractItemModelTester>
#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMessageBox>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStandardPaths>
#include <QTableView>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include "core/run/run_record.h"
#include "core/run/run_settings.h"
#include "tests/support/gui_test.h"
#include "tests/support/recorded_run.h"
#include "ui/diagnose/plain_table_model.h"
#include "ui/dialogs/plan_settings.h"
#include "ui/dialogs/run_plan_dialog.h"
#include "ui/main_window.h"
#include "ui/models/device_progress.h"
#include "ui/models/plan_preview.h"
#include "ui/models/run_queue_model.h"
#include "ui/pages/notice_bar.h"
#include "ui/run/device_cards.h"
#include "ui/run/run_controller.h"
#include "ui/run/run_notifier.h"
#include "ui/run/run_panel.h"
#include "ui/run/run_settings.h"
#include "ui/run/sample_strip.h"
#include "ui/style/labels.h"

using namespace tracedeck;
using namespace tracedeck::ui;
using tracedeck::test::DatasetBuilder;

namespace {

constexpr int kWaitMs = 60'000;

Selection solutionsOnly(std::set<std::string> names)
{
    Selection selection;
    selection.solutions = std::move(names);
    return selection;
}

}  // namespace

class TestRunWindow : public QObject {
    Q_OBJECT

    QTemporaryDir m_judgeFolder;
    QString m_python;
    std::unique_ptr<DatasetBuilder> m_builder;
    std::unique_ptr<MainWindow> m_window;

    template <class Widget> Widget* find(const char* name) { return m_window->findChild<Widget*>(QString::fromLatin1(name)); }

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
    }
    RunPlanDialog* plan()
    {
        find<QAction>("planRunAction")->trigger();
        auto* dialog = m_window->findChild<RunPlanDialog*>();
        const bool isThere = QTest::qWaitFor([dialog] { return dialog && !dialog->isBusy() && dialog->preview(); }, kWaitMs);
        return isThere ? dialog : nullptr;
    }
    /// In both themes, for people.
    void takePictures(QWidget* widget, const char* name) const
    {
        const QString folder = qEnvironmentVariable("TRACEDECK_TEST_PICTURES");
        if (folder.isEmpty()) return;
        for (const auto& [theme, suffix] : {std::pair{ThemeChoice::Light, "light"}, std::pair{ThemeChoice::Dark, "dark"}}) {
            applyTheme(theme);
            QTest::qWait(100);
            QVERIFY(widget->grab().save(QStringLiteral("%1/%2-%3.png").arg(folder, QString::fromLatin1(name), QString::fromLatin1(suffix))));
        }
        applyTheme(ThemeChoice::Light);
    }
    static std::vector<std::string> orderOf(const RunQueueModel& queue)
    {
        std::vector<std::string> order;
        for (int row = 0; row < queue.rowCount(); ++row) order.push_back(queue.pairOf(row).workloadUuid);
        return order;
    }

private slots:
    void initTestCase()
    {
        test::prepareGuiTest();
        m_python = test::useFakeJudge(m_judgeFolder);
        if (m_python.isEmpty()) QSKIP("there is no python3 to play the judge");
        qputenv("CUDA_VISIBLE_DEVICES", "");
        qputenv("TRACEDECK_PYTHON", "/nonexistent/python");   // else each window would look for PyTorch
        qputenv("TRACEDECK_COMMAND", TRACEDECK_BIN_DIR "/tracedeck");
    }
    void init()
    {
        QSettings().clear();
        test::failOnQtWarnings();
        std::filesystem::remove_all(userDataFolder());
        m_builder = std::make_unique<DatasetBuilder>();
        m_builder->definition({.name = "gemm_n4"});
        for (const char* name : {"pass_one", "z_fail", "chatty_two", "silent_three"}) m_builder->solution({.name = name, .definition = "gemm_n4"});
        for (int i = 0; i < 4; ++i) m_builder->workload({.definition = "gemm_n4", .uuid = "w" + std::to_string(i), .axes = {{"M", 1 << i}}});
        m_builder->trace({.definition = "gemm_n4", .solution = "pass_one", .uuid = "w0"});
        m_builder->trace({.definition = "gemm_n4", .solution = "z_fail", .uuid = "w0", .status = Status::RuntimeError});
    }
    void cleanup()
    {
        m_window.reset();
        m_builder.reset();
    }

    void planShowsWhatWouldBeRunAndRunsThat()
    {
        open();
        m_window->workspace()->setSelection(solutionsOnly({"pass_one", "z_fail"}));
        RunPlanDialog* dialog = plan();
        QVERIFY(dialog);
        auto* model = qobject_cast<PlainTableModel*>(dialog->findChild<QTableView*>(QStringLiteral("planTable"))->model());
        const QAbstractItemModelTester tester(model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model->rowCount(), 8);
        QVERIFY2(dialog->preview()->summary.startsWith(QStringLiteral("8 pairs")), qPrintable(dialog->preview()->summary));
        QVERIFY2(dialog->preview()->memory.contains(QStringLiteral("cpu")), qPrintable(dialog->preview()->memory));

        // What is measured is skipped, and shown so.
        dialog->findChild<QCheckBox*>(QStringLiteral("planResume"))->click();
        QTRY_VERIFY_WITH_TIMEOUT(!dialog->isBusy() && dialog->preview(), kWaitMs);
        QCOMPARE(dialog->preview()->preview.plan.pairs.size(), std::size_t(6));
        QCOMPARE(model->rowCount(), 8);
        QVERIFY(model->index(7, 5).data().toString().contains(QStringLiteral("skipped")));
        takePictures(dialog, "plan");

        // Failed: of the whole dataset, and no longer without what is measured.
        dialog->findChild<QCheckBox*>(QStringLiteral("planFailed"))->click();
        QVERIFY(!dialog->findChild<QCheckBox*>(QStringLiteral("planResume"))->isChecked());
        QTRY_VERIFY_WITH_TIMEOUT(!dialog->isBusy() && dialog->preview(), kWaitMs);
        QCOMPARE(dialog->preview()->preview.plan.pairs.size(), std::size_t(1));

        // The command that does the same.
        dialog->findChild<QLineEdit*>(QStringLiteral("planIterations"))->setText(QStringLiteral("7"));
        QTest::keyClicks(dialog->findChild<QLineEdit*>(QStringLiteral("planSeed")), QStringLiteral("42"));
        QTRY_VERIFY_WITH_TIMEOUT(!dialog->isBusy() && dialog->preview(), kWaitMs);
        dialog->findChild<QPushButton*>(QStringLiteral("copyCommand"))->click();
        const QString command = QApplication::clipboard()->text();
        QVERIFY2(command.startsWith(QStringLiteral("tracedeck run --local ")), qPrintable(command));
        for (const char* part : {"--only failed", "--iterations 7", "--seed 42", "--solutions pass_one z_fail", "--device cpu"})
            QVERIFY2(command.contains(QLatin1String(part)), qPrintable(command));

        QSignalSpy finished(m_window->runController(), &RunController::finished);
        QPushButton* run = dialog->findChild<QPushButton*>(QStringLiteral("planRun"));
        QVERIFY2(run->text().contains(QStringLiteral("(1)")), qPrintable(run->text()));
        run->click();
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, kWaitMs);
        QCOMPARE(m_window->runPanel()->queue()->rowCount(), 1);
        QCOMPARE(m_window->runPanel()->queue()->pairOf(0).solution, std::string("z_fail"));
        // It is recorded with its settings.
        const RunList runs = listRuns(runRecordFolder());
        QCOMPARE(runs.runs.size(), std::size_t(1));
        QCOMPARE(runs.runs.front().record.program, std::string("tracedeck-gui"));
        QCOMPARE(runs.runs.front().record.settings.at("overrides").at("iterations"), Json(7));
        QCOMPARE(runs.runs.front().record.settings.at("seed"), Json("42"));
    }

    void planRefusesWhatIsNoValue()
    {
        open();
        RunPlanDialog* dialog = plan();
        QVERIFY(dialog);
        QCOMPARE(dialog->preview()->preview.plan.pairs.size(), std::size_t(16));   // nothing is selected: the whole dataset
        auto* rtol = dialog->findChild<QLineEdit*>(QStringLiteral("planRtol"));
        QTest::keyClicks(rtol, QStringLiteral("much"));
        QTRY_VERIFY_WITH_TIMEOUT(!dialog->isBusy(), kWaitMs);
        QVERIFY(!dialog->preview());
        QVERIFY(!dialog->findChild<QPushButton*>(QStringLiteral("planRun"))->isEnabled());
        QVERIFY(dialog->findChild<WrappedLabel*>(QStringLiteral("planSummary"))->text().contains(QStringLiteral("rtol")));
        rtol->clear();
        QTest::keyClicks(rtol, QStringLiteral("0.5"));
        QTRY_VERIFY_WITH_TIMEOUT(!dialog->isBusy() && dialog->preview(), kWaitMs);
        QCOMPARE(dialog->request()->overrides.rtol.value_or(0), 0.5);
        auto* devices = dialog->findChild<QListWidget*>(QStringLiteral("planDevices"));
        QCOMPARE(devices->count(), 1);
        devices->item(0)->setCheckState(Qt::Unchecked);
        QTRY_VERIFY_WITH_TIMEOUT(!dialog->isBusy(), kWaitMs);
        QVERIFY(!dialog->preview());   // no device is chosen
    }

    void planKeepsValuesForAnOpTypeAndPresets()
    {
        open();
        m_window->workspace()->setSelection(solutionsOnly({"pass_one"}));
        RunPlanDialog* dialog = plan();
        QVERIFY(dialog);
        auto* scope = dialog->findChild<QComboBox*>(QStringLiteral("planScope"));
        auto* trials = dialog->findChild<QLineEdit*>(QStringLiteral("planTrials"));
        const int opType = scope->findText(QStringLiteral("op_type gemm"));
        QVERIFY(opType > 0);
        scope->setCurrentIndex(opType);
        emit scope->activated(opType);
        QTest::keyClicks(trials, QStringLiteral("5"));
        scope->setCurrentIndex(0);
        emit scope->activated(0);
        QVERIFY(trials->text().isEmpty());
        auto request = dialog->request();
        QVERIFY(request);
        QCOMPARE(request->configFile.resolve("gemm", "gemm_n4", request->overrides).numTrials, 5);
        QCOMPARE(request->configFile.resolve("other", "x", request->overrides).numTrials, EvalConfigFile::bundled().resolve("other", "x", {}).numTrials);

        // Under a name, and back again.
        QTest::keyClicks(dialog->findChild<QLineEdit*>(QStringLiteral("planPrecision")), QStringLiteral("2.5"));
        dialog->findChild<QPushButton*>(QStringLiteral("savePreset"))->click();
        auto* name = dialog->findChild<QInputDialog*>(QStringLiteral("presetName"));
        QVERIFY(name);
        name->setTextValue(QStringLiteral("weekend"));
        name->accept();
        auto* preset = dialog->findChild<QComboBox*>(QStringLiteral("planPreset"));
        QTRY_COMPARE_WITH_TIMEOUT(preset->currentData().toString(), QStringLiteral("weekend"), kWaitMs);
        QCOMPARE(presetNames(presetFolder()), std::vector<std::string>{"weekend"});
        dialog->close();
        QTRY_VERIFY(!m_window->findChild<RunPlanDialog*>());
        dialog = plan();
        QVERIFY(dialog);
        QVERIFY(!dialog->request()->overrides.precision);
        preset = dialog->findChild<QComboBox*>(QStringLiteral("planPreset"));
        const int found = preset->findData(QStringLiteral("weekend"));
        QVERIFY(found > 0);
        preset->setCurrentIndex(found);
        emit preset->activated(found);
        QTRY_COMPARE_WITH_TIMEOUT(dialog->request()->overrides.precision.value_or(0), 2.5, kWaitMs);
        request = dialog->request();
        QCOMPARE(request->configFile.resolve("gemm", "gemm_n4", request->overrides).numTrials, 5);
        // Such values are in no file yet: a command can't name them.
        QTRY_VERIFY_WITH_TIMEOUT(!dialog->isBusy() && dialog->preview(), kWaitMs);
        QVERIFY(!dialog->preview()->command);
    }

    void devicesTellWhatTheyDo()
    {
        DeviceProgressList list;
        list.start({"cpu", "cuda:0"});
        ResultEvent passed;
        passed.device = "cpu";
        passed.pair = 3;
        passed.trace.evaluation = Evaluation();
        passed.trace.evaluation->status = Status::Passed;
        list.apply({DeviceEvent{"cpu", "ready", "A processor", {}}, StartEvent{"cpu", 3}, StageEvent{"cpu", 3, Stage::Check}, DeviceEvent{"cuda:0", "waiting", "A GPU", "80 °C, waits for 65 °C"}});
        QCOMPARE(list.devices()[0].pair, std::optional<std::size_t>(3));
        QCOMPARE(list.devices()[0].stage, std::optional(Stage::Check));
        QCOMPARE(list.devices()[1].message, std::string("80 °C, waits for 65 °C"));
        list.apply({passed, StageEvent{"cpu", 3, Stage::Time}, ProblemEvent{"cpu", {4, 5}, Error{}, {}}});
        QCOMPARE(list.devices()[0].passed, std::size_t(1));
        QCOMPARE(list.devices()[0].problems, std::size_t(2));
        QVERIFY(!list.devices()[0].pair && !list.devices()[0].stage);
        GpuState state;
        state.temperatureCelsius = 61;
        state.smClockMhz = 1500;
        state.maxSmClockMhz = 1980;
        state.totalBytes = 80ULL << 30U;
        state.freeBytes = 60ULL << 30U;
        state.throttleReasons = 0x4;   // the software's power cap
        const QString facts = deviceFacts(state);
        for (const char* part : {"61 °C", "1500 of 1980 MHz", "memory 20", "slowed down: sw_power_cap"}) QVERIFY2(facts.contains(QString::fromUtf8(part)), qPrintable(facts));
        QVERIFY(deviceFacts(GpuState()).isEmpty());

        DeviceCards cards;
        cards.resize(420, 300);
        cards.setSource([](const std::string& device) -> Result<GpuState> {
            if (device == "cpu") return Error{ErrorCode::Unsupported, "nobody knows", {}, 0, {}};
            GpuState one;
            one.temperatureCelsius = 80;
            return one;
        });
        cards.show();
        QVERIFY(QTest::qWaitForWindowExposed(&cards));
        cards.showDevices(list.devices(), [](std::size_t pair) { return QString::number(pair); }, [](const std::string& device) { return device == "cpu"; }, true);
        QCOMPARE(cards.cards().size(), std::size_t(2));
        QCOMPARE(cards.cards()[1]->findChild<QLabel*>(QStringLiteral("deviceState"))->text(), QStringLiteral("waiting"));
        QCOMPARE(cards.cards()[1]->findChild<ElidedLabel*>(QStringLiteral("devicePair"))->text(), QString::fromUtf8("80 °C, waits for 65 °C"));
        QTRY_COMPARE_WITH_TIMEOUT(cards.cards()[1]->findChild<ElidedLabel*>(QStringLiteral("deviceFacts"))->text(), QString::fromUtf8("80 °C"), kWaitMs);
        QSignalSpy paused(&cards, &DeviceCards::pauseToggled);
        cards.cards()[0]->findChild<QToolButton*>(QStringLiteral("pauseDevice"))->click();
        QCOMPARE(paused.value(0), (QList<QVariant>{QStringLiteral("cpu"), false}));   // it is paused: on with it
    }

    void aCardShowsTheLogAsItGrowsAndTheTimesMeasuredLast()
    {
        DeviceProgressList list;
        list.start({"cpu"});
        list.apply({StartEvent{"cpu", 1}, LogEvent{"cpu", 2, "of another pair\n"}, LogEvent{"cpu", 1, "compiling\n"}});
        QCOMPARE(list.devices()[0].log, std::string("compiling\n"));
        DeviceCards cards;
        cards.resize(420, 400);
        cards.show();
        QVERIFY(QTest::qWaitForWindowExposed(&cards));
        const auto show = [&] { cards.showDevices(list.devices(), [](std::size_t pair) { return QStringLiteral("pair %1").arg(pair); }, [](const std::string&) { return false; }, true); };
        show();
        DeviceCard* card = cards.cards().front();
        auto* log = card->findChild<QPlainTextEdit*>(QStringLiteral("deviceLog"));
        auto* strip = card->findChild<SampleStrip*>();
        QVERIFY(log->isHidden() && strip->isHidden());
        card->findChild<QToolButton*>(QStringLiteral("showDeviceLog"))->click();
        QTRY_VERIFY_WITH_TIMEOUT(log->isVisible(), kWaitMs);
        QCOMPARE(log->toPlainText(), QStringLiteral("compiling\n"));
        list.apply({LogEvent{"cpu", 1, "done\n"}});
        show();
        QCOMPARE(log->toPlainText(), QStringLiteral("compiling\ndone\n"));
        // A flood stays bounded, and its end is what is seen.
        for (int i = 0; i < 2000; ++i)
            list.apply({LogEvent{"cpu", 1, "line " + std::to_string(i) + " of many\n"}});
        show();
        QVERIFY(list.devices()[0].log.size() <= DeviceProgress::kMostLogBytes);
        QVERIFY(list.devices()[0].log.starts_with("line "));
        QVERIFY(log->toPlainText().endsWith(QStringLiteral("line 1999 of many\n")));
        ResultEvent result;
        result.device = "cpu";
        result.pair = 1;
        result.trace.evaluation = Evaluation();
        result.trace.evaluation->unknownKeys["judge"] = {{"time", {{"samples_us", Json::array({Json::array({10.0, 12.0}), Json::array({11.0})})}}}};
        list.apply({result});
        show();
        QCOMPARE(strip->samples(), (std::vector<double>{0.010, 0.012, 0.011}));
        QTRY_VERIFY_WITH_TIMEOUT(strip->isVisible(), kWaitMs);
        QVERIFY2(strip->toolTip().contains(QStringLiteral("3 call")), qPrintable(strip->toolTip()));
        const QString measured = card->findChild<ElidedLabel*>(QStringLiteral("deviceMeasured"))->text();
        QVERIFY2(measured.contains(QStringLiteral("pair 1")) && measured.contains(QStringLiteral("11")), qPrintable(measured));
        // The log stays until the next pair begins; so do the times until others are known.
        QVERIFY(!log->toPlainText().isEmpty());
        list.apply({StartEvent{"cpu", 2}});
        show();
        QVERIFY(log->toPlainText().isEmpty());
        QVERIFY(strip->isVisible());
        takePictures(&cards, "cards");
    }

    void theLogOfARunComesWhileItRuns()
    {
        m_builder->solution({.name = "prints_until", .definition = "gemm_n4"});
        open();
        RunPanel* panel = m_window->runPanel();
        panel->run(solutionsOnly({"prints_until"}));
        QTRY_COMPARE_WITH_TIMEOUT(panel->cards()->cards().size(), std::size_t(1), kWaitMs);
        DeviceCard* card = panel->cards()->cards().front();
        card->findChild<QToolButton*>(QStringLiteral("showDeviceLog"))->click();
        auto* log = card->findChild<QPlainTextEdit*>(QStringLiteral("deviceLog"));
        QTRY_COMPARE_WITH_TIMEOUT(log->toPlainText(), QStringLiteral("one\ntwo\n"), kWaitMs);
        QVERIFY(m_window->runController()->isRunning());
        QSignalSpy finished(m_window->runController(), &RunController::finished);
        QFile sign(m_judgeFolder.filePath(QStringLiteral("go on")));
        QVERIFY(sign.open(QIODevice::WriteOnly));
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, kWaitMs);
        QCOMPARE(card->findChild<SampleStrip*>()->samples().size(), std::size_t(4));
    }

    void cardsFollowARunAndPauseTheirDevice()
    {
        open();
        RunPanel* panel = m_window->runPanel();
        panel->run(solutionsOnly({"chatty_two"}));
        QTRY_COMPARE_WITH_TIMEOUT(panel->cards()->cards().size(), std::size_t(1), kWaitMs);
        DeviceCard* card = panel->cards()->cards().front();
        QTRY_VERIFY_WITH_TIMEOUT(card->findChild<ElidedLabel*>(QStringLiteral("devicePair"))->text().contains(QStringLiteral("chatty_two")), kWaitMs);
        card->findChild<QToolButton*>(QStringLiteral("pauseDevice"))->click();
        QVERIFY(m_window->runController()->isPaused("cpu"));
        QVERIFY(m_window->runController()->isPaused());   // there is no other one
        QTRY_COMPARE_WITH_TIMEOUT(card->findChild<QLabel*>(QStringLiteral("deviceState"))->text(), QStringLiteral("paused"), kWaitMs);
        QVERIFY2(m_window->windowTitle().contains(QStringLiteral(" % · ")), qPrintable(m_window->windowTitle()));
        QSignalSpy told(m_window->findChild<RunNotifier*>(), &RunNotifier::told);
        QSignalSpy finished(m_window->runController(), &RunController::finished);
        card->findChild<QToolButton*>(QStringLiteral("stopDevice"))->click();   // the last one: the run is cancelled
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, kWaitMs);
        QCOMPARE(told.count(), 1);
        QVERIFY(told.value(0).value(1).toString().contains(QStringLiteral("not run")));
        QVERIFY(!m_window->windowTitle().contains(QStringLiteral(" % · ")));
    }

    void queueIsSteeredByItsMenu()
    {
        open();
        RunPanel* panel = m_window->runPanel();
        RunQueueModel* queue = panel->queue();
        const QAbstractItemModelTester tester(queue, QAbstractItemModelTester::FailureReportingMode::QtTest);
        auto* view = find<QTableView>("runQueue");
        panel->run(solutionsOnly({"silent_three"}));   // the first pair takes as long as it is let
        QTRY_VERIFY_WITH_TIMEOUT(queue->runningRow() == 0, kWaitMs);
        QCOMPARE(orderOf(*queue), (std::vector<std::string>{"w0", "w1", "w2", "w3"}));
        const auto trigger = [view](const char* name) {
            auto* action = view->findChild<QAction*>(QString::fromLatin1(name));
            QVERIFY2(action && action->isEnabled(), name);
            action->trigger();
        };
        view->selectRow(3);
        trigger("queueFirst");
        QTRY_COMPARE(orderOf(*queue), (std::vector<std::string>{"w0", "w3", "w1", "w2"}));
        QCOMPARE(view->currentIndex().row(), 1);   // what is selected goes with its pair
        trigger("queueDown");
        QTRY_COMPARE(orderOf(*queue), (std::vector<std::string>{"w0", "w1", "w3", "w2"}));
        trigger("queueUp");
        QTRY_COMPARE(orderOf(*queue), (std::vector<std::string>{"w0", "w3", "w1", "w2"}));
        trigger("queueLast");
        QTRY_COMPARE(orderOf(*queue), (std::vector<std::string>{"w0", "w1", "w2", "w3"}));
        // Dragged.
        const std::unique_ptr<QMimeData> dragged(queue->mimeData({queue->index(3, 0)}));
        QVERIFY(!(queue->flags(queue->index(0, 0)) & Qt::ItemIsDragEnabled));   // it runs
        QVERIFY(queue->flags(queue->index(3, 0)) & Qt::ItemIsDragEnabled);
        QVERIFY(!queue->dropMimeData(dragged.get(), Qt::MoveAction, 1, 0, {}));
        QTRY_COMPARE(orderOf(*queue), (std::vector<std::string>{"w0", "w3", "w1", "w2"}));
        takePictures(m_window.get(), "steering");
        // Left out.
        view->selectRow(3);
        trigger("queueCancel");
        QTRY_VERIFY(queue->stateOf(3) == RunQueueModel::PairState::Skipped);
        QCOMPARE(queue->counts().skipped, std::size_t(1));
        // More pairs: of another solution, and some that wait already.
        m_window->workspace()->setSelection(solutionsOnly({"pass_one", "silent_three"}));
        auto* run = find<QPushButton>("runSelectedToolButton");
        QVERIFY(run->isEnabled());
        QVERIFY2(run->text().contains(QStringLiteral("Add")), qPrintable(run->text()));
        run->click();
        QTRY_COMPARE_WITH_TIMEOUT(queue->rowCount(), 4 + 5, kWaitMs);   // w2 was left out, and may come again
        QSignalSpy finished(m_window->runController(), &RunController::finished);
        view->selectRow(1);
        trigger("queueCancelSolution");
        QTRY_COMPARE(queue->counts().skipped, std::size_t(4));
        view->selectRow(0);
        trigger("queueCancel");   // the one that runs
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, kWaitMs);
        QCOMPARE(queue->counts().passed, std::size_t(4));   // those of the other solution
        QCOMPARE(queue->counts().skipped, std::size_t(5));
    }

    void lastLogIsShown()
    {
        open();
        QSignalSpy finished(m_window->runController(), &RunController::finished);
        m_window->runPanel()->run(solutionsOnly({"z_fail"}));
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, kWaitMs);
        find<QTabWidget>("runSide")->setCurrentIndex(2);
        QVERIFY2(find<QLabel>("runLogTitle")->text().contains(QStringLiteral("z_fail")), qPrintable(find<QLabel>("runLogTitle")->text()));
    }

    void closingAsksAndCanLeaveTheRunGoing()
    {
        open();
        RunPanel* panel = m_window->runPanel();
        panel->run(solutionsOnly({"chatty_two"}));
        QTRY_VERIFY_WITH_TIMEOUT(panel->queue()->runningRow() >= 0, kWaitMs);
        QVERIFY(!m_window->close());
        auto* question = find<QMessageBox>("closeQuestion");
        QVERIFY(question);
        takePictures(question, "closing");
        // Stay.
        question->escapeButton()->click();
        QTRY_VERIFY(!find<QMessageBox>("closeQuestion"));
        QVERIFY(m_window->isVisible() && m_window->runController()->isRunning() && !m_window->runController()->isCancelling());
        // Keep it going.
        QVERIFY(!m_window->close());
        auto* keep = find<QPushButton>("keepGoing");
        QVERIFY(keep && keep->isEnabled());
        keep->click();
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->isVisible(), kWaitMs);
        const auto successor = []() -> std::optional<ListedRun> {
            for (const ListedRun& run : listRuns(runRecordFolder()).runs)
                if (!run.record.continues.empty()) return run;
            return std::nullopt;
        };
        QTRY_VERIFY_WITH_TIMEOUT(successor() && successor()->state == RunState::Done, kWaitMs);
        QCOMPARE(successor()->record.program, std::string("tracedeck"));
        // Every pair has one result, whoever measured it.
        std::map<std::string, int> results;
        const auto dataset = m_builder->load();
        for (const TraceRow& row : dataset->traces().rows())
            if (dataset->traces().solutionName(row) == "chatty_two") ++results[dataset->traces().workloadUuid(row)];
        QCOMPARE(results, (std::map<std::string, int>{{"w0", 1}, {"w1", 1}, {"w2", 1}, {"w3", 1}}));
    }

    void closingCanCancelTheRun()
    {
        open();
        m_window->runPanel()->run(solutionsOnly({"silent_three"}));
        QTRY_VERIFY_WITH_TIMEOUT(m_window->runPanel()->queue()->runningRow() >= 0, kWaitMs);
        QVERIFY(!m_window->close());
        auto* question = find<QMessageBox>("closeQuestion");
        for (QAbstractButton* button : question->buttons())
            if (question->buttonRole(button) == QMessageBox::DestructiveRole) button->click();
        QTRY_VERIFY(!m_window->isVisible());
        m_window.reset();
        QVERIFY(listRuns(runRecordFolder()).runs.front().state == RunState::Cancelled);
    }

    void afterACrashTheRunIsOffered()
    {
        RunRequest settings;
        settings.python = m_python.toStdString();
        settings.overrides.iterations = 9;
        test::leaveBrokenRun("a-crash", m_builder->root(), {{"gemm_n4", "pass_one", "w1"}, {"gemm_n4", "pass_one", "w2"}, {"gemm_n4", "pass_one", "w3"}}, 1, settings);
        m_window = std::make_unique<MainWindow>();
        m_window->runPanel()->setPythonSetting(m_python);
        m_window->resize(1280, 800);
        m_window->show();
        m_window->offerToResume();
        auto* bar = find<NoticeBar>("offerBar");
        QTRY_VERIFY_WITH_TIMEOUT(bar->isVisible(), kWaitMs);
        QVERIFY2(bar->text().contains(QStringLiteral("1 of 3")), qPrintable(bar->text()));
        QTRY_VERIFY_WITH_TIMEOUT(m_window->runPanel()->settings()->areDevicesKnown(), kWaitMs);
        takePictures(m_window.get(), "offer");
        // Its dataset is opened, and the rest of it run with its settings.
        QSignalSpy finished(m_window->runController(), &RunController::finished);
        bar->findChild<QPushButton*>(QStringLiteral("resumeRunButton"))->click();
        QVERIFY(!bar->isVisible());
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, kWaitMs);
        QCOMPARE(m_window->runPanel()->queue()->counts().passed, std::size_t(2));
        const auto before = findRun(runRecordFolder(), "a-crash");
        QVERIFY(before && !before->record.continuedBy.empty());
        const auto after = findRun(runRecordFolder(), before->record.continuedBy);
        QVERIFY(after);
        QCOMPARE(after->record.settings.at("overrides").at("iterations"), Json(9));
        // It is not offered twice.
        m_window->offerToResume();
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kWaitMs);   // the records were looked through
        QVERIFY(!bar->isVisible());
    }

    void anOfferThatIsDismissedDoesNotComeAgain()
    {
        test::leaveBrokenRun("a-crash", m_builder->root(), {{"gemm_n4", "pass_one", "w1"}}, 0, RunRequest());
        open();
        m_window->offerToResume();
        auto* bar = find<NoticeBar>("offerBar");
        QTRY_VERIFY_WITH_TIMEOUT(bar->isVisible(), kWaitMs);
        bar->findChild<QPushButton*>(QStringLiteral("dismissRunButton"))->click();
        QTRY_VERIFY_WITH_TIMEOUT(findRun(runRecordFolder(), "a-crash")->record.isDismissed, kWaitMs);
        m_window->offerToResume();
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kWaitMs);   // the records were looked through
        QVERIFY(!bar->isVisible());
    }
};

QTEST_MAIN(TestRunWindow)
#include "test_run_window.moc"
