// SPDX-License-Identifier: GPL-3.0-or-later
// Logs of any size and content: what is shown of them, finding, selecting and copying.
#include <QAbstractItemModelTester>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QLineEdit>
#include <QScrollBar>
#include <QTableView>
#include <QTabWidget>
#include <QTest>

#include "tests/support/gui_test.h"
#include "ui/main_window.h"
#include "ui/models/log_text.h"
#include "ui/models/sibling_traces_model.h"
#include "ui/pages/log_panel.h"
#include "ui/pages/log_view.h"
#include "ui/pages/trace_details.h"
#include "ui/style/labels.h"

using namespace tracedeck;
using namespace tracedeck::ui;
using tracedeck::test::DatasetBuilder;
using tracedeck::test::openDataset;

namespace {

constexpr int kWaitMs = 20'000;

std::shared_ptr<const LogText> built(const std::string& log) { return LogText::build(std::make_shared<const std::string>(log)); }

QStringList rowsOf(const LogText& text)
{
    QStringList rows;
    for (int row = 0; row < text.rowCount(); ++row)
        rows << text.row(row);
    return rows;
}

}  // namespace

class TestLogView : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { test::prepareGuiTest(); }
    void init()
    {
        test::failOnQtWarnings();
        QSettings().clear();
    }

    void rowsAreShownHarmlessly_data()
    {
        QTest::addColumn<QByteArray>("log");
        QTest::addColumn<QStringList>("rows");
        const QByteArray nul(1, '\0');
        QTest::newRow("empty") << QByteArray() << QStringList();
        QTest::newRow("one line") << QByteArray("abc") << QStringList{QStringLiteral("abc")};
        QTest::newRow("line end at the end") << QByteArray("abc\n") << QStringList{QStringLiteral("abc")};
        QTest::newRow("only a line end") << QByteArray("\n") << QStringList{QString()};
        QTest::newRow("empty lines stay") << QByteArray("a\n\nb\n\n") << QStringList{QStringLiteral("a"), QString(), QStringLiteral("b"), QString()};
        QTest::newRow("Windows and old Mac line ends") << QByteArray("a\r\nb\rc") << QStringList{QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")};
        QTest::newRow("tab stops") << QByteArray("\tx\nabc\ty") << QStringList{QStringLiteral("        x"), QStringLiteral("abc     y")};
        QTest::newRow("colours are no text") << QByteArray("\x1B[1;31merror\x1B[0m: x") << QStringList{QStringLiteral("error: x")};
        QTest::newRow("cursor moves and titles are no text") << QByteArray("\x1B[2K\x1B]0;title\a50 %\x1B(B") << QStringList{QStringLiteral("50 %")};
        QTest::newRow("an escape without a sequence is seen") << QByteArray("a\x1B\nb\x1B[31") << QStringList{QStringLiteral("a␛"), QStringLiteral("b␛[31")};
        QTest::newRow("control characters are seen") << QByteArray("a" + nul + "b\x07\x7F") << QStringList{QStringLiteral("a␀b␇␡")};
        QTest::newRow("text that turns its direction is seen") << QByteArray("a\xE2\x80\xAE" "b") << QStringList{QStringLiteral("a⟨U+202E⟩b")};
        QTest::newRow("bytes that are no UTF-8 are marked") << QByteArray("a\xFF\xC0\x80\xED\xA0\x80") << QStringList{QStringLiteral("a\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD")};
        QTest::newRow("text cut within a character") << QByteArray("a\xE4\xB8") << QStringList{QStringLiteral("a\uFFFD\uFFFD")};
        QTest::newRow("Chinese and pictures") << QByteArray("编译 \xF0\x9F\x9A\x80") << QStringList{QStringLiteral("编译 🚀")};
    }
    void rowsAreShownHarmlessly()
    {
        QFETCH(QByteArray, log);
        QFETCH(QStringList, rows);
        const auto text = built(log.toStdString());
        QCOMPARE(rowsOf(*text), rows);
        QCOMPARE(text->lineCount(), static_cast<int>(rows.size()));
        QCOMPARE(text->original(), log.toStdString());
    }

    void colorsAreKept()
    {
        const auto text = built("plain \x1B[31mred\x1B[0m\n\x1B[92mgreen\nstill green\x1B[39m no\x1B[38;5;31m no");
        QCOMPARE(text->spans(0).size(), std::size_t(1));
        QCOMPARE(text->spans(0)[0].color, LogText::Color::Red);
        QCOMPARE(int(text->spans(0)[0].start), 6);
        QCOMPARE(int(text->spans(0)[0].length), 3);
        QCOMPARE(text->spans(1).at(0).color, LogText::Color::Green);
        QCOMPARE(text->spans(2).size(), std::size_t(1));
        QCOMPARE(int(text->spans(2)[0].length), 11);
    }

    void longLinesContinueAndStayOneLine()
    {
        const std::string longLine = std::string(2500, 'x') + "needle" + std::string(100, 'y');
        const auto text = built("first\n" + longLine + "\nlast");
        QCOMPARE(text->rowCount(), 5);
        QCOMPARE(text->lineCount(), 3);
        QCOMPARE(text->lineNumber(1), 2);
        QVERIFY(!text->isContinued(1));
        QVERIFY(text->isContinued(2) && text->isContinued(3));
        QCOMPARE(text->lineNumber(3), 2);
        QCOMPARE(text->lineNumber(4), 3);
        QCOMPARE(text->columns(), LogText::kRowColumns);
        QCOMPARE(text->text({1, 0}, {3, 10'000}), QString::fromStdString(longLine));
        QCOMPARE(text->text({0, 2}, {1, 3}), QStringLiteral("rst\nxxx"));
    }

    void findsInAnyCaseAlsoAcrossRows()
    {
        const std::string straddling = std::string(LogText::kRowColumns - 3, '.') + "Needle" + std::string(20, '.');
        const auto text = built("a needle\n" + straddling + "\nNEEDLE needle");
        const auto matches = text->find(QStringLiteral("needle"));
        QCOMPARE(matches.found.size(), std::size_t(4));
        QCOMPARE(matches.found[0].row, 0);
        QCOMPARE(matches.found[0].start, 2);
        QCOMPARE(matches.found[1].row, 1);
        QCOMPARE(matches.found[1].start, LogText::kRowColumns - 3);
        QCOMPARE(matches.found[2].row, 3);
        QCOMPARE(matches.found[3].start, 7);
        QVERIFY(text->find(QStringLiteral("absent")).found.empty());
        QVERIFY(text->find(QString()).found.empty());
        // The view paints and selects the one that straddles two rows.
        LogView view;
        view.resize(400, 200);
        view.setText(text);
        view.setMatches(matches.found);
        view.showMatch(1);
        QCOMPARE(view.selectedText(), QStringLiteral("Needle"));
        QVERIFY(!view.grab().isNull());
    }

    void tooManyMatchesAreCut()
    {
        const auto text = built(std::string(LogText::kMostMatches + 5, 'a'));
        const auto matches = text->find(QStringLiteral("a"));
        QCOMPARE(matches.found.size(), LogText::kMostMatches);
        QVERIFY(matches.isCut);
    }

    void stoppedWorkEndsEarly()
    {
        std::stop_source stop;
        stop.request_stop();
        std::string log;
        for (int i = 0; i < 100'000; ++i)
            log += "a line of the log\n";
        const auto cut = LogText::build(std::make_shared<const std::string>(log), stop.get_token());
        QVERIFY(cut->rowCount() < 100'000);
        const auto whole = built(log);
        QCOMPARE(whole->rowCount(), 100'000);
        QVERIFY(whole->find(QStringLiteral("line"), stop.get_token()).found.size() < 100'000);
    }

    void aLogOfManyMegabytesIsShownAndSearched()
    {
        std::string log;
        for (int i = 1; i <= 400'000; ++i)
            log += "step " + std::to_string(i) + ": compiling the kernel with a flag\n";
        log += "the end\n";
        LogPanel panel;
        panel.resize(500, 300);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        panel.setLog(log);
        QVERIFY(panel.isBusy());   // not on this thread
        QTRY_COMPARE_WITH_TIMEOUT(panel.view()->text().lineCount(), 400'001, kWaitMs);
        QCOMPARE(panel.findChild<ElidedLabel*>(QStringLiteral("logTitle"))->text(), QStringLiteral("Log, 400,001 lines"));
        auto* find = panel.findChild<QLineEdit*>(QStringLiteral("findInLog"));
        auto* count = panel.findChild<QLabel*>(QStringLiteral("findCount"));
        find->setText(QStringLiteral("STEP 39999"));
        QTRY_COMPARE_WITH_TIMEOUT(count->text(), QStringLiteral("1 of 11"), kWaitMs);   // 39999 and 399990 … 399999
        QCOMPARE(panel.view()->selectedText(), QStringLiteral("step 39999"));
        QCOMPARE(panel.view()->cursorPlace().row, 39'998);
        QVERIFY(panel.view()->firstVisibleRow() <= 39'998);
        QTest::keyClick(find, Qt::Key_Return);
        QCOMPARE(count->text(), QStringLiteral("2 of 11"));
        QCOMPARE(panel.view()->cursorPlace().row, 399'989);
        QTest::keyClick(find, Qt::Key_Return, Qt::ShiftModifier);
        QTest::keyClick(find, Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(count->text(), QStringLiteral("11 of 11"));   // once around
        find->setText(QStringLiteral("not in there"));
        QTRY_COMPARE_WITH_TIMEOUT(count->text(), QStringLiteral("not found"), kWaitMs);
        QTest::keyClick(find, Qt::Key_Escape);
        QVERIFY(find->text().isEmpty());
        // The last row can be scrolled to.
        QTest::keyClick(panel.view(), Qt::Key_End, Qt::ControlModifier);
        QCOMPARE(panel.view()->verticalScrollBar()->value(), panel.view()->verticalScrollBar()->maximum());
        QCOMPARE(panel.view()->cursorPlace().row, 400'000);
    }

    void copiesWhatIsSelectedOrEverything()
    {
        LogPanel panel;
        panel.resize(500, 300);
        panel.show();
        QVERIFY(QTest::qWaitForWindowActive(&panel));
        const QString log = QStringLiteral("\x1B[31mone\x1B[0m\ntwo\nthree\n");
        panel.setLog(log.toStdString());
        LogView* view = panel.view();
        view->setFocus();
        QTest::keyClick(view, Qt::Key_Down, Qt::ShiftModifier);
        QTest::keyClick(view, Qt::Key_End, Qt::ShiftModifier);
        QCOMPARE(view->selectedText(), QStringLiteral("one\ntwo"));
        QTest::keyClick(view, Qt::Key_C, Qt::ControlModifier);
        QTRY_COMPARE(QApplication::clipboard()->text(), QStringLiteral("one\ntwo"));
        QTest::keyClick(view, Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_COMPARE(QApplication::clipboard()->text(), log);
        QTest::keyClick(view, Qt::Key_A, Qt::ControlModifier);
        QCOMPARE(view->selectedText(), QStringLiteral("one\ntwo\nthree"));
        // By mouse: a word.
        QTest::mouseDClick(view->viewport(), Qt::LeftButton, {}, QPoint(60, view->fontMetrics().height() / 2));
        QCOMPARE(view->selectedText(), QStringLiteral("one"));
    }

    void hostileLogsAreDrawn_data()
    {
        QTest::addColumn<QByteArray>("log");
        QTest::newRow("nothing") << QByteArray();
        QTest::newRow("zeros") << QByteArray(100'000, '\0');
        QTest::newRow("escapes") << QByteArray(100'000, '\x1B');
        QTest::newRow("colours without text") << QByteArray("\x1B[31m").repeated(50'000);
        QTest::newRow("line ends") << QByteArray(200'000, '\n');
        QTest::newRow("one endless line") << QByteArray(3'000'000, 'x');
        QTest::newRow("combining marks") << QByteArray("\xCC\x81").repeated(20'000);
        QTest::newRow("right to left") << QByteArray("\xD7\x90").repeated(20'000);
        QTest::newRow("no UTF-8") << QByteArray(100'000, '\xFF');
    }
    void hostileLogsAreDrawn()
    {
        QFETCH(QByteArray, log);
        LogPanel panel;
        panel.resize(400, 300);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        panel.setLog(log.toStdString());
        QTRY_VERIFY_WITH_TIMEOUT(!panel.isBusy(), kWaitMs);
        QVERIFY(log.isEmpty() == (panel.view()->text().rowCount() == 0));
        for (const auto key : {Qt::Key_End, Qt::Key_Home, Qt::Key_PageDown, Qt::Key_Left, Qt::Key_Right, Qt::Key_Up, Qt::Key_Down})
            QTest::keyClick(panel.view(), key, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(!panel.grab().isNull());
    }

    void siblingsAreRivalsAndRuns()
    {
        DatasetBuilder builder;
        builder.definition({.name = "gemm_a"})
            .solution({.name = "mine", .definition = "gemm_a", .author = "me"})
            .solution({.name = "fast", .definition = "gemm_a", .author = "you"})
            .solution({.name = "broken", .definition = "gemm_a", .author = "them"})
            .trace({.definition = "gemm_a", .solution = "mine", .uuid = "w1", .latencyMs = 2, .timestamp = "2026-01-01T00:00:00"})
            .trace({.definition = "gemm_a", .solution = "mine", .uuid = "w1", .latencyMs = 4, .timestamp = "2026-01-03T00:00:00"})
            .trace({.definition = "gemm_a", .solution = "mine", .uuid = "w2", .latencyMs = 9})
            .trace({.definition = "gemm_a", .solution = "fast", .uuid = "w1", .latencyMs = 1, .timestamp = "2026-01-02T00:00:00"})
            .trace({.definition = "gemm_a", .solution = "fast", .uuid = "w1", .latencyMs = 5, .timestamp = "2026-01-01T00:00:00"})
            .trace({.definition = "gemm_a", .solution = "fast", .uuid = "w1", .latencyMs = 0.5, .hardware = "Another"})
            .trace({.definition = "gemm_a", .solution = "broken", .uuid = "w1", .status = Status::RuntimeError});
        Workspace workspace;
        QVERIFY(openDataset(workspace, builder.root()));
        const auto dataset = workspace.dataset();
        std::uint32_t row = 0;
        for (std::uint32_t i = 0; i < dataset->traces().size(); ++i)
            if (const auto& r = dataset->traces().row(i); dataset->traces().solutionName(r) == "mine" && r.latencyMs == 2)
                row = i;
        const SiblingTraces siblings = siblingsOf(*dataset, row, SelectionPolicy::Newest);
        QCOMPARE(siblings.runs.size(), std::size_t(2));
        QCOMPARE(siblings.rivals.size(), std::size_t(3));
        QCOMPARE(siblingsOf(*dataset, row, SelectionPolicy::All).rivals.size(), std::size_t(4));

        SiblingTracesModel rivals(SiblingTracesModel::Kind::Rivals);
        QAbstractItemModelTester tester(&rivals, QAbstractItemModelTester::FailureReportingMode::QtTest);
        rivals.show(dataset, row, siblings.rivals);
        const auto text = [](const QAbstractItemModel& model, int r, int column) { return model.index(r, column).data().toString(); };
        QCOMPARE(text(rivals, 0, SiblingTracesModel::NameColumn), QStringLiteral("fast"));
        QCOMPARE(text(rivals, 0, SiblingTracesModel::RatioColumn), QStringLiteral("2.000×"));
        QCOMPARE(text(rivals, 1, SiblingTracesModel::NameColumn), QStringLiteral("broken"));
        QCOMPARE(text(rivals, 1, SiblingTracesModel::LatencyColumn), QString());
        QCOMPARE(text(rivals, 2, SiblingTracesModel::HardwareColumn), QStringLiteral("Another"));
        QCOMPARE(text(rivals, 2, SiblingTracesModel::RatioColumn), QString());   // other hardware is not compared

        SiblingTracesModel runs(SiblingTracesModel::Kind::Runs);
        QAbstractItemModelTester runsTester(&runs, QAbstractItemModelTester::FailureReportingMode::QtTest);
        runs.show(dataset, row, siblings.runs);
        QCOMPARE(text(runs, 0, SiblingTracesModel::NameColumn), QStringLiteral("2026-01-03T00:00:00"));
        QVERIFY(runs.index(1, SiblingTracesModel::NameColumn).data(Qt::FontRole).value<QFont>().bold());   // the one that is shown
        runs.clear();
        QCOMPARE(runs.rowCount(), 0);

        // In the details: a rival is opened by a key.
        TraceDetails details(&workspace);
        details.resize(320, 700);
        details.show();
        QVERIFY(QTest::qWaitForWindowActive(&details));
        workspace.setCurrentTrace(row);
        auto* table = details.findChild<QTableView*>(QStringLiteral("rivalTraces"));
        QTRY_COMPARE_WITH_TIMEOUT(table->model()->rowCount(), 3, kWaitMs);
        auto* parts = details.findChild<QTabWidget*>(QStringLiteral("traceParts"));
        QCOMPARE(parts->tabText(1), QStringLiteral("Rivals 3"));
        QCOMPARE(parts->tabText(2), QStringLiteral("Runs 2"));
        parts->setCurrentIndex(1);
        table->setFocus();
        table->setCurrentIndex(table->model()->index(0, 0));
        QTest::keyClick(table, Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(details.trace() && details.trace()->solution == "fast", kWaitMs);
        QCOMPARE(details.trace()->evaluation->performance->latencyMs, 1.0);
    }

    void findKeysOfTheWindowReachTheLog()
    {
        DatasetBuilder builder;
        builder.definition({.name = "gemm_a"})
            .solution({.name = "mine", .definition = "gemm_a", .author = "me"})
            .trace({.definition = "gemm_a", .solution = "mine", .uuid = "w1", .log = "one fault\ntwo faults\n"});
        MainWindow window;
        window.resize(1280, 800);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        window.openPath(QString::fromStdString(builder.root().string()));
        QTRY_VERIFY_WITH_TIMEOUT(window.workspace()->isOpen() && window.isSettled(), kWaitMs);
        window.workspace()->setCurrentTrace(0);
        LogPanel* log = window.traceDetails()->log();
        QTRY_COMPARE_WITH_TIMEOUT(log->view()->text().lineCount(), 2, kWaitMs);
        QTRY_VERIFY(log->view()->isVisible());
        log->view()->setFocus();
        QTest::keyClick(log->view(), Qt::Key_F, Qt::ControlModifier);
        auto* find = log->findChild<QLineEdit*>(QStringLiteral("findInLog"));
        QTRY_VERIFY(find->hasFocus());
        QTest::keyClicks(find, QStringLiteral("fault"));
        auto* count = log->findChild<QLabel*>(QStringLiteral("findCount"));
        QTRY_COMPARE_WITH_TIMEOUT(count->text(), QStringLiteral("1 of 2"), kWaitMs);
        QTest::keyClick(find, Qt::Key_F3);
        QCOMPARE(count->text(), QStringLiteral("2 of 2"));
        QTest::keyClick(find, Qt::Key_F3, Qt::ShiftModifier);
        QCOMPARE(count->text(), QStringLiteral("1 of 2"));
    }
};

QTEST_MAIN(TestLogView)
#include "test_log_view.moc"
