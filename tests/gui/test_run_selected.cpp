// SPDX-License-Identifier: GPL-3.0-or-later
// What a user does, from end to end: open a folder, tick two solutions, run them, look at table, chart and leaderboard,
// export a CSV. Nothing is faked: the pairs are measured by our own judge, on the cpu device unless TRACEDECK_TEST_DEVICE names
// another one (cuda:0). TRACEDECK_TEST_PICTURES names a folder for pictures of the window afterwards.
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDirIterator>
#include <QFile>
#include <QFileDialog>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <QStyleOptionViewItem>
#include <QTableView>
#include <QTest>
#include <QToolButton>
#include <QTreeView>

#include "tests/support/gui_test.h"
#include "tests/support/program.h"
#include "ui/charts/latency_chart.h"
#include "ui/main_window.h"
#include "ui/models/dataset_tree_model.h"
#include "ui/models/leaderboard_model.h"
#include "ui/models/run_queue_model.h"
#include "ui/models/trace_table_model.h"
#include "ui/pages/charts_page.h"
#include "ui/pages/dataset_panel.h"
#include "ui/pages/definition_page.h"
#include "ui/pages/leaderboard_page.h"
#include "ui/pages/trace_details.h"
#include "ui/pages/traces_page.h"
#include "ui/run/run_controller.h"
#include "ui/run/run_panel.h"
#include "ui/run/run_settings.h"

using namespace tracedeck;
using namespace tracedeck::ui;
using namespace tracedeck::test;

namespace {

constexpr int kRunMilliseconds = 300'000;
constexpr int kWorkloads = 3;

void fill(DatasetBuilder& builder)
{
    builder.definition({.name = "add_n64", .opType = "activation", .constAxes = {{"N", 64}}, .reference = "def run(x):\n    return x + 1\n"});
    builder.solution({.name = "base_add", .definition = "add_n64", .author = "baseline", .source = "def run(x):\n    return x + 1\n"});
    builder.solution({.name = "ann_add", .definition = "add_n64", .author = "ann", .source = "def run(x):\n    return x.add(1)\n"});
    builder.solution({.name = "bob_add", .definition = "add_n64", .author = "bob", .source = "def run(x):\n    return x - 1\n"});
    const std::int64_t sizes[kWorkloads] = {4, 64, 1024};
    for (int i = 0; i < kWorkloads; ++i) {
        builder.workload({.definition = "add_n64", .uuid = "workload-" + std::to_string(i), .axes = {{"M", sizes[i]}}});
    }
}

/// Clicks the check box of a node as a hand would.
void clickCheckBox(QTreeView& tree, const QModelIndex& index)
{
    tree.scrollTo(index);
    QStyleOptionViewItem option;
    option.initFrom(&tree);
    option.rect = tree.visualRect(index);
    option.features = QStyleOptionViewItem::HasCheckIndicator | QStyleOptionViewItem::HasDisplay;
    const QRect box = tree.style()->subElementRect(QStyle::SE_ItemViewItemCheckIndicator, &option, &tree);
    QTest::mouseClick(tree.viewport(), Qt::LeftButton, {}, box.center());
}

/// (solution, workload uuid) → the evaluated trace line on disk.
std::map<std::pair<std::string, std::string>, Json> traceLines(const std::filesystem::path& root)
{
    std::map<std::pair<std::string, std::string>, Json> lines;
    for (const Json& line : traceLinesOnDisk(root)) lines[{line["solution"].get<std::string>(), line["workload"]["uuid"].get<std::string>()}] = line;
    return lines;
}

}  // namespace

class TestRunSelected : public QObject {
    Q_OBJECT

    QString m_whyNot;

private slots:
    void initTestCase()
    {
        QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
        prepareGuiTest();
        if (!qEnvironmentVariableIsSet("TRACEDECK_WORKER")) {
            qputenv("TRACEDECK_WORKER", TRACEDECK_BIN_DIR "/tracedeck-worker");
        }
        m_whyNot = QString::fromStdString(whyNoPython(false));
    }

    void openTickRunLookExport()
    {
        if (!m_whyNot.isEmpty()) QSKIP(qPrintable(QStringLiteral("no Python to run references with: ") + m_whyNot));
        DatasetBuilder builder;
        fill(builder);

        // Open the folder.
        MainWindow window;
        window.resize(1280, 800);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        window.openPath(QString::fromStdString(builder.root().string()));
        QTRY_VERIFY_WITH_TIMEOUT(window.workspace()->isOpen() && window.isSettled(), 30'000);
        QCOMPARE(window.workspace()->dataset()->traces().size(), std::size_t(0));
        QVERIFY(window.select(QStringLiteral("add_n64")));

        // Tick two of the three solutions in the tree.
        QTreeView& tree = *window.datasetPanel()->tree();
        tree.expandAll();
        for (const char* name : {"base_add", "ann_add"}) {
            const QModelIndex index = window.datasetPanel()->model()->indexOfSolution(QString::fromLatin1(name));
            QVERIFY2(index.isValid(), name);
            clickCheckBox(tree, index);
        }
        QCOMPARE(window.workspace()->selection().solutions, (std::set<std::string>{"ann_add", "base_add"}));

        // Click Run selected and wait.
        RunPanel& panel = *window.runPanel();
        QTRY_VERIFY(panel.settings()->areDevicesKnown());
        const QString device = qEnvironmentVariable("TRACEDECK_TEST_DEVICE", QStringLiteral("cpu"));
        auto* devices = panel.findChild<QComboBox*>(QStringLiteral("runDevice"));
        devices->setCurrentText(device);
        QCOMPARE(devices->currentText(), device);
        panel.settings()->setWarmups(2);
        panel.settings()->setIterations(5);
        panel.settings()->setTrials(1);
        auto* run = window.findChild<QPushButton*>(QStringLiteral("runSelectedToolButton"));
        QVERIFY(run && run->isVisible());
        QVERIFY2(run->text().contains(QStringLiteral("(6)")), qPrintable(run->text()));
        QSignalSpy finished(window.runController(), &RunController::finished);
        QSignalSpy refused(window.runController(), &RunController::failedToStart);
        QTest::mouseClick(run, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(finished.count() + refused.count() > 0, kRunMilliseconds);
        const QString problems = panel.findChild<QPlainTextEdit*>(QStringLiteral("runProblems"))->toPlainText();
        QVERIFY2(refused.isEmpty(), qPrintable(problems));
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), 30'000);

        // On disk.
        const auto lines = traceLines(builder.root());
        QCOMPARE(lines.size(), std::size_t(2 * kWorkloads));
        for (const auto& [pair, line] : lines) {
            QVERIFY2(line["evaluation"]["status"] == "PASSED", line.dump().c_str());
            QVERIFY(pair.first != "bob_add");
            const Json& libs = line["evaluation"]["environment"]["libs"];
            QCOMPARE(libs["timing"].get<std::string>() == "tracedeck-cpu", device == QStringLiteral("cpu"));
        }

        // In the table.
        TracesPage& traces = *window.definitionPage()->tracesPage();
        QTRY_COMPARE_WITH_TIMEOUT(traces.model()->rowCount(), 2 * kWorkloads, 10'000);
        QTRY_VERIFY(!traces.isBusy());
        const TraceTable& table = window.workspace()->dataset()->traces();
        for (const std::uint32_t row : traces.model()->rows()) {
            const TraceRow& trace = table.row(row);
            const Json& line = lines.at({std::string(table.solutionName(trace)), table.workloadUuid(trace)});
            QCOMPARE(trace.latencyMs, line["evaluation"]["performance"]["latency_ms"].get<double>());
        }

        // In the chart: two lines over M.
        ChartsPage& charts = *window.definitionPage()->chartsPage();
        QTRY_COMPARE_WITH_TIMEOUT(charts.series().size(), std::size_t(2), 10'000);
        for (const Series& series : charts.chart()->content().series) {
            QCOMPARE(series.points.size(), std::size_t(kWorkloads));
            for (const SeriesPoint& point : series.points) {
                QVERIFY(!point.failed);
                QCOMPARE(point.y, lines.at({series.solution, point.workloadUuid})["evaluation"]["performance"]["latency_ms"].get<double>());
            }
        }

        // On the leaderboard: ann against the baseline.
        window.showPage(MainWindow::Page::Leaderboard);
        LeaderboardModel& board = *window.leaderboardPage()->model();
        QTRY_COMPARE_WITH_TIMEOUT(board.rows().size(), std::size_t(2), 10'000);
        double expected = 0;
        for (int i = 0; i < kWorkloads; ++i) {
            const std::string uuid = "workload-" + std::to_string(i);
            expected += lines.at({"base_add", uuid})["evaluation"]["performance"]["latency_ms"].get<double>() /
                        lines.at({"ann_add", uuid})["evaluation"]["performance"]["latency_ms"].get<double>() / kWorkloads;
        }
        const auto ann = std::find_if(board.rows().begin(), board.rows().end(), [](const auto& row) { return row.author == QLatin1String("ann"); });
        QVERIFY(ann != board.rows().end());
        QCOMPARE(ann->rank, 1);
        QVERIFY2(std::abs(ann->metrics.averageSpeedup / expected - 1) < 1e-9, qPrintable(QString::number(ann->metrics.averageSpeedup)));

        if (const QString pictures = qEnvironmentVariable("TRACEDECK_TEST_PICTURES"); !pictures.isEmpty()) {
            for (const auto& [page, name] : {std::pair{MainWindow::Page::Run, "run"}, std::pair{MainWindow::Page::Charts, "run-charts"}}) {
                window.showPage(page);
                QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), 30'000);
                QVERIFY(window.grab().save(QStringLiteral("%1/%2.png").arg(pictures, QString::fromLatin1(name))));
            }
        }

        // A row of the queue opens its trace in the details.
        auto* queue = window.findChild<QTableView*>(QStringLiteral("runQueue"));
        QCOMPARE(panel.queue()->rowCount(), 2 * kWorkloads);
        QTest::mouseClick(queue->viewport(), Qt::LeftButton, {}, queue->visualRect(panel.queue()->index(0, RunQueueModel::Solution)).center());
        QTRY_VERIFY_WITH_TIMEOUT(window.traceDetails()->trace().has_value(), 10'000);
        QCOMPARE(*window.traceDetails()->trace()->solution, panel.queue()->pairOf(0).solution);

        // Export what the table shows.
        window.showPage(MainWindow::Page::Traces);
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("shown.csv"));
        auto* action = traces.findChild<QAction*>(QStringLiteral("exportShownCsv"));
        QVERIFY(action && action->isEnabled());
        action->trigger();
        QPointer<QFileDialog> dialog;
        QTRY_VERIFY((dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget())));
        dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(path);
        QTest::mouseClick(dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Save), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(path), 10'000);
        compareCsv(path, lines);
    }

private:
    /// Every row of the CSV says what its trace line says, and every line has a row.
    static void compareCsv(const QString& path, const std::map<std::pair<std::string, std::string>, Json>& lines)
    {
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QStringList rows = QString::fromUtf8(file.readAll()).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QCOMPARE(rows.size(), static_cast<qsizetype>(lines.size()) + 1);
        const QStringList header = rows.first().split(QLatin1Char(','));
        QVERIFY(rows.first().startsWith(QStringLiteral("definition,op_type,solution,author,language,workload_uuid,axes,status,latency_ms,")));
        std::set<std::pair<std::string, std::string>> seen;
        for (qsizetype i = 1; i < rows.size(); ++i) {
            const QStringList cells = rows.at(i).split(QLatin1Char(','));
            QCOMPARE(cells.size(), header.size());
            const auto cell = [&](const char* column) { return cells.at(header.indexOf(QLatin1String(column))); };
            const auto pair = std::pair(cell("solution").toStdString(), cell("workload_uuid").toStdString());
            const auto found = lines.find(pair);
            QVERIFY2(found != lines.end(), qPrintable(rows.at(i)));
            seen.insert(pair);
            const Json& line = found->second;
            const Json& evaluation = line["evaluation"];
            QCOMPARE(cell("definition").toStdString(), line["definition"].get<std::string>());
            QCOMPARE(cell("op_type"), QStringLiteral("activation"));
            QCOMPARE(cell("axes").toStdString(), "M=" + line["workload"]["axes"]["M"].dump());
            QCOMPARE(cell("status").toStdString(), evaluation["status"].get<std::string>());
            QCOMPARE(cell("latency_ms").toDouble(), evaluation["performance"]["latency_ms"].get<double>());
            QCOMPARE(cell("reference_latency_ms").toDouble(), evaluation["performance"]["reference_latency_ms"].get<double>());
            QCOMPARE(cell("speedup_factor").toDouble(), evaluation["performance"]["speedup_factor"].get<double>());
            QCOMPARE(cell("timestamp").toStdString(), evaluation["timestamp"].get<std::string>());
        }
        QCOMPARE(seen.size(), lines.size());
    }
};

QTEST_MAIN(TestRunSelected)
#include "test_run_selected.moc"
