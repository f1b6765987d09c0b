// SPDX-License-Identifier: GPL-3.0-or-later
// Results of two sides compared: the figures are those of the core, and everything on the page leads on.
#include <QAbstractItemModelTester>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QSvgRenderer>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <QToolButton>

#include "core/report/comparison_report.h"
#include "tests/support/gui_test.h"
#include "ui/charts/comparison_scatter.h"
#include "ui/main_window.h"
#include "ui/models/comparison_model.h"
#include "ui/models/table_roles.h"
#include "ui/pages/check_list_button.h"
#include "ui/pages/results_page.h"
#include "ui/pages/table_tools.h"
#include "ui/pages/viewer_page.h"
#include "ui/pages/work_bar.h"
#include "ui/style/labels.h"
#include "ui/style/name_box.h"

using namespace tracedeck;
using namespace tracedeck::ui;
using tracedeck::test::DatasetBuilder;

namespace {

constexpr int kResultsWaitMs = 20'000;

/// What a judge's record has of 40 times spread evenly by ±1 % around `centreMs`.
std::string recordAround(double centreMs)
{
    Json list = Json::array();
    for (int i = 0; i < 40; ++i) list.push_back(centreMs * 1000 * (0.99 + 0.02 * i / 39));
    return Json{{"version", 1}, {"time", {{"method", "judge"}, {"samples_us", Json::array({list})}}}}.dump();
}

void addResult(DatasetBuilder& builder, const std::string& solution, std::int64_t m, double latencyMs, Status status = Status::Passed, const std::string& torch = "2.9",
               const std::string& timestamp = "2026-01-01T00:00:00")
{
    builder.trace({.definition = solution.substr(0, 6), .solution = solution, .uuid = "w" + std::to_string(m), .latencyMs = latencyMs, .status = status, .axes = {{"M", m}},
                   .timestamp = timestamp, .judge = recordAround(latencyMs), .libs = {{"torch", torch}}});
}

/// On M=1 quick is twice as fast, on 2 a tenth slower, on 16 it fails; on 64 there is only the baseline.
void fillResults(DatasetBuilder& builder)
{
    builder.definition({.name = "gemm_a"}).definition({.name = "norm_b", .opType = "rmsnorm"});
    builder.solution({.name = "gemm_a_base", .definition = "gemm_a", .author = "baseline"}).solution({.name = "gemm_a_quick", .definition = "gemm_a", .author = "ann"});
    builder.solution({.name = "norm_b_base", .definition = "norm_b", .author = "baseline"}).solution({.name = "norm_b_quick", .definition = "norm_b", .author = "ann"});
    for (const std::int64_t m : {1, 2, 16, 64}) addResult(builder, "gemm_a_base", m, 1);
    addResult(builder, "gemm_a_quick", 1, 0.5);
    addResult(builder, "gemm_a_quick", 2, 1.1);
    addResult(builder, "gemm_a_quick", 16, 1, Status::Timeout);
    addResult(builder, "norm_b_base", 1, 1);
    addResult(builder, "norm_b_quick", 1, 1);
}

ComparisonChoice solutionsChoice()
{
    ComparisonChoice choice;
    choice.a.solution = QStringLiteral("gemm_a_base");
    choice.b.solution = QStringLiteral("gemm_a_quick");
    choice.scope.definition = QStringLiteral("gemm_a");
    return choice;
}

bool isShown(ResultsPage& page) { return QTest::qWaitFor([&] { return !page.isBusy(); }, kResultsWaitMs); }

QStringList column(const ComparisonModel* model, int column)
{
    QStringList texts;
    for (int row = 0; row < model->rowCount(); ++row) texts << model->index(row, column).data().toString();
    return texts;
}

}  // namespace

class TestResultsPage : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { test::prepareGuiTest(); }
    void init()
    {
        test::failOnQtWarnings();
        QSettings().clear();
        m_builder = std::make_unique<DatasetBuilder>();
        fillResults(*m_builder);
        m_workspace = std::make_unique<Workspace>();
        QVERIFY(test::openDataset(*m_workspace, m_builder->root()));
        m_page = std::make_unique<ResultsPage>(m_workspace.get());
        m_page->resize(1000, 650);
        m_page->show();
    }
    void cleanup()
    {
        m_page.reset();
        m_workspace.reset();
        m_builder.reset();
    }

    void tableHasTheFiguresOfTheCore()
    {
        const QAbstractItemModelTester tester(m_page->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        m_page->setChoice(solutionsChoice());
        QVERIFY(isShown(*m_page));
        const ComparisonModel* model = m_page->model();
        // What got worse first.
        QCOMPARE(column(model, ComparisonModel::Verdict), (QStringList{QStringLiteral("! now failing"), QStringLiteral("▼ slower"), QStringLiteral("▲ faster"), QStringLiteral("− missing")}));
        QCOMPARE(column(model, ComparisonModel::Axes), (QStringList{QStringLiteral("M=16"), QStringLiteral("M=2"), QStringLiteral("M=1"), QStringLiteral("M=64")}));
        QCOMPARE(column(model, ComparisonModel::LatencyB), (QStringList{QStringLiteral("timeout"), QStringLiteral("1100"), QStringLiteral("500.0"), QString()}));
        QCOMPARE(column(model, ComparisonModel::Change), (QStringList{QString(), QStringLiteral("+10.0"), QStringLiteral("-50.0"), QString()}));
        QCOMPARE(model->index(1, ComparisonModel::Change).data(kCellRole).toDouble(), (1.1 / 1 - 1) * 100);
        QVERIFY(model->index(0, ComparisonModel::Verdict).data(Qt::ToolTipRole).toString().contains(QStringLiteral("A passed, B ended with TIMEOUT")));
        ComparisonSide a{m_workspace->dataset(), {}};
        ComparisonSide b = a;
        a.filter.solutions = {"gemm_a_base"};
        b.filter.solutions = {"gemm_a_quick"};
        const auto expected = compareSides(a, b);
        QVERIFY(expected);
        QCOMPARE(comparisonDocument(*model->comparison()).at("rows").dump(), comparisonDocument(*expected).at("rows").dump());
        const QString footer = m_page->findChild<WrappedLabel*>(QStringLiteral("resultsFooter"))->text();
        QVERIFY2(footer.startsWith(QStringLiteral("1 now failing · 1 slower · 1 faster · 1 missing\nB takes 0.7416× the time of A (95 % interval ")), qPrintable(footer));
        QVERIFY(m_page->findChild<CautionBar*>()->text().isEmpty());
    }

    void sortsByValueNotByLetters()
    {
        m_page->setChoice(solutionsChoice());
        QVERIFY(isShown(*m_page));
        emit m_page->tools()->sortRequested({{ComparisonModel::Axes, Qt::AscendingOrder}});
        QVERIFY(isShown(*m_page));
        QCOMPARE(column(m_page->model(), ComparisonModel::Axes), (QStringList{QStringLiteral("M=1"), QStringLiteral("M=2"), QStringLiteral("M=16"), QStringLiteral("M=64")}));
        emit m_page->tools()->sortRequested({{ComparisonModel::LatencyB, Qt::DescendingOrder}});
        QVERIFY(isShown(*m_page));
        QCOMPARE(column(m_page->model(), ComparisonModel::LatencyB).mid(0, 2), (QStringList{QStringLiteral("1100"), QStringLiteral("500.0")}));
    }

    void sortingHappensOffTheThreadThatPaintsAndKeepsTheCurrentRow()
    {
        const QAbstractItemModelTester tester(m_page->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        m_page->setChoice(solutionsChoice());
        QVERIFY(isShown(*m_page));
        const std::size_t current = m_page->model()->elementAt(1);
        m_page->view()->setCurrentIndex(m_page->model()->index(1, 0));
        QSignalSpy resets(m_page->model(), &QAbstractItemModel::modelReset);
        QSignalSpy reordered(m_page->model(), &QAbstractItemModel::layoutChanged);
        emit m_page->tools()->sortRequested({{ComparisonModel::Axes, Qt::DescendingOrder}});
        QCOMPARE(reordered.count(), 0);   // nothing has happened yet
        QVERIFY(m_page->isBusy());
        QVERIFY(isShown(*m_page));
        QCOMPARE(reordered.count(), 1);
        QCOMPARE(resets.count(), 0);
        QCOMPARE(m_page->model()->elementAt(m_page->view()->currentIndex().row()), current);
        QCOMPARE(column(m_page->model(), ComparisonModel::Axes).front(), QStringLiteral("M=64"));
        // A filter keeps the order.
        m_page->findChild<QLineEdit*>(QStringLiteral("resultsFilter"))->setText(QStringLiteral("m"));
        QVERIFY(isShown(*m_page));
        QCOMPARE(column(m_page->model(), ComparisonModel::Axes).front(), QStringLiteral("M=64"));
    }

    void everyFigureIsInSightInTheSmallestWindow()
    {
        MainWindow window;
        window.resize(1280, 800);
        window.show();
        window.openPath(QString::fromStdString(m_builder->root().string()));
        QTRY_VERIFY_WITH_TIMEOUT(window.workspace()->isOpen() && window.isSettled(), kResultsWaitMs);
        window.compareResults();
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kResultsWaitMs);
        auto* page = window.findChild<ResultsPage*>();
        page->setChoice(solutionsChoice());
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kResultsWaitMs);
        const QTableView* view = page->view();
        const auto right = [view] { return view->columnViewportPosition(ComparisonModel::IntervalHigh) + view->columnWidth(ComparisonModel::IntervalHigh); };
        // The layout has its turn first.
        QVERIFY2(QTest::qWaitFor([&] { return right() <= view->viewport()->width(); }, kResultsWaitMs), qPrintable(QStringLiteral("%1 of %2").arg(right()).arg(view->viewport()->width())));
        QVERIFY(!view->isColumnHidden(ComparisonModel::IntervalLow));
        QVERIFY(page->scatter()->width() >= 240);
    }

    void filtersNarrowTableScatterAndFooter()
    {
        m_page->setChoice(solutionsChoice());
        QVERIFY(isShown(*m_page));
        m_page->findChild<CheckListButton*>(QStringLiteral("resultsVerdicts"))->setChecked({QStringLiteral("SLOWER"), QStringLiteral("NOW_FAILING")});
        QVERIFY(isShown(*m_page));
        QCOMPARE(m_page->model()->rowCount(), 2);
        QCOMPARE(m_page->scatter()->rows().size(), std::size_t{2});
        const QString footer = m_page->findChild<WrappedLabel*>(QStringLiteral("resultsFooter"))->text();
        QVERIFY2(footer.startsWith(QStringLiteral("2 of 4 results shown: 1 now failing · 1 slower\nB takes 1.100×")), qPrintable(footer));
        m_page->findChild<QLineEdit*>(QStringLiteral("resultsFilter"))->setText(QStringLiteral("m=2"));
        QVERIFY(isShown(*m_page));
        QCOMPARE(column(m_page->model(), ComparisonModel::Axes), QStringList{QStringLiteral("M=2")});
    }

    void pointsAndRowsLeadToTheTrace()
    {
        m_page->setChoice(solutionsChoice());
        QVERIFY(isShown(*m_page));
        const ComparisonModel* model = m_page->model();
        const std::size_t slower = model->elementAt(1);
        m_page->scatter()->replot(QCustomPlot::rpImmediateRefresh);
        const auto place = m_page->scatter()->positionOf(slower);
        QVERIFY(place);
        QCOMPARE(m_page->scatter()->rowAt(*place + QPointF(2, 1)), std::optional(slower));
        QTest::mouseClick(m_page->scatter(), Qt::LeftButton, {}, place->toPoint());
        QCOMPARE(m_page->view()->currentIndex().row(), 1);
        QCOMPARE(m_workspace->currentTrace(), static_cast<qint64>(model->comparison()->rows[slower].b->row));
        // Above the diagonal B is slower.
        QVERIFY(place->y() < m_page->scatter()->yAxis->coordToPixel(m_page->scatter()->xAxis->pixelToCoord(place->x())));
        // What only A has lies at the upper edge; its trace is A's.
        const std::size_t missing = model->elementAt(3);
        QVERIFY(m_page->scatter()->positionOf(missing)->y() < m_page->scatter()->axisRect()->top() + 12);
        m_page->view()->setCurrentIndex(model->index(3, 0));
        QCOMPARE(m_workspace->currentTrace(), static_cast<qint64>(model->comparison()->rows[missing].a->row));
    }

    void sidesCanBeSwappedAndMustDiffer()
    {
        m_page->setChoice(solutionsChoice());
        QVERIFY(isShown(*m_page));
        m_page->findChild<QToolButton*>(QStringLiteral("swapResults"))->click();
        QVERIFY(isShown(*m_page));
        QCOMPARE(m_page->choice().a.solution, QStringLiteral("gemm_a_quick"));
        QCOMPARE(column(m_page->model(), ComparisonModel::Verdict), (QStringList{QStringLiteral("▼ slower"), QStringLiteral("▲ faster"), QStringLiteral("✓ now passing"), QStringLiteral("+ new")}));
        ComparisonChoice same = solutionsChoice();
        same.b = same.a;
        m_page->setChoice(same);
        QVERIFY(isShown(*m_page));
        QCOMPARE(m_page->model()->rowCount(), 0);
        QVERIFY(m_page->findChild<WrappedLabel*>(QStringLiteral("resultsEmpty"))->text().startsWith(QStringLiteral("A and B are the same.")));
    }

    void authorsAreComparedOverOneOpType()
    {
        ComparisonChoice choice;
        choice.a.author = QStringLiteral("baseline");
        choice.b.author = QStringLiteral("ann");
        m_page->setChoice(choice);
        QVERIFY(isShown(*m_page));
        QCOMPARE(m_page->model()->rowCount(), 5);
        choice.scope.opType = QStringLiteral("rmsnorm");
        m_page->setChoice(choice);
        QVERIFY(isShown(*m_page));
        QCOMPARE(column(m_page->model(), ComparisonModel::Verdict), QStringList{QStringLiteral("= same")});
    }

    /// Another folder, measured with another library, and its traces, which the window has not open.
    void anotherFolderIsOneSide()
    {
        DatasetBuilder other;
        other.definition({.name = "gemm_a"}).solution({.name = "gemm_a_base", .definition = "gemm_a", .author = "baseline"});
        addResult(other, "gemm_a_base", 1, 2, Status::Passed, "2.10");
        ComparisonChoice choice;
        choice.b.folder = QString::fromStdString(other.root().string());
        choice.a.solution = choice.b.solution = QStringLiteral("gemm_a_base");
        m_page->setChoice(choice);
        QVERIFY(isShown(*m_page));
        QCOMPARE(m_page->model()->rowCount(), 4);
        QCOMPARE(column(m_page->model(), ComparisonModel::Verdict).front(), QStringLiteral("▼ slower"));
        QCOMPARE(m_page->findChild<CautionBar*>()->text(), QStringLiteral("Not the same on both sides, so differences need not come from the code: torch: A 2.9, B 2.10"));
        QSignalSpy texts(m_page.get(), &ResultsPage::textRequested);
        emit m_page->view()->activated(m_page->model()->index(0, 0));
        QCOMPARE(texts.count(), 1);
        QVERIFY(texts[0][0].toString().contains(QStringLiteral("\"latency_ms\": 2")));
        choice.b.folder = QStringLiteral("/no/such/folder");
        m_page->setChoice(choice);
        QVERIFY(isShown(*m_page));
        QVERIFY(m_page->findChild<WrappedLabel*>(QStringLiteral("resultsEmpty"))->text().contains(QStringLiteral("/no/such/folder")));
    }

    void runsOfOneDatasetAreCompared()
    {
        for (const std::int64_t m : {1, 2}) addResult(*m_builder, "gemm_a_base", m, 3, Status::Passed, "2.9", "2026-02-01T00:00:00");
        m_workspace->reload();
        QTRY_COMPARE_WITH_TIMEOUT(m_workspace->dataset()->traces().size(), std::size_t{11}, kResultsWaitMs);
        m_page->chooseLikely();   // no definition is chosen: the last run and the one before
        QVERIFY(isShown(*m_page));
        const QStringList verdicts = column(m_page->model(), ComparisonModel::Verdict);
        QCOMPARE(verdicts.filter(QStringLiteral("slower")).size(), 2);
        QVERIFY(m_page->choice().b.run);
        auto* runs = m_page->findChild<NameBox*>(QStringLiteral("sideBRun"));
        QCOMPARE(runs->count(), 3);
        QCOMPARE(runs->currentText(), QStringLiteral("run of 2026-02-01 00:00 (2)"));
    }

    void exportsTableAndPictures()
    {
        m_page->setChoice(solutionsChoice());
        QVERIFY(isShown(*m_page));
        const QTemporaryDir folder;
        QSignalSpy ended(m_page->tools(), &TableTools::exportEnded);
        m_page->tools()->exportTo(folder.filePath(QStringLiteral("c.json")));
        QTRY_COMPARE_WITH_TIMEOUT(ended.count(), 1, kResultsWaitMs);
        QFile file(folder.filePath(QStringLiteral("c.json")));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QJsonArray rows = QJsonDocument::fromJson(file.readAll()).array();
        QCOMPARE(rows.size(), 4);
        QCOMPARE(rows[1].toObject().value(QStringLiteral("Verdict")).toString(), QStringLiteral("SLOWER"));
        for (const QString& suffix : {QStringLiteral("png"), QStringLiteral("svg"), QStringLiteral("pdf")}) {
            const QString path = folder.filePath(QStringLiteral("s.") + suffix);
            QVERIFY(m_page->exportPicture(path));
            QVERIFY(QFile(path).size() > 1000);
        }
        QVERIFY(QSvgRenderer(folder.filePath(QStringLiteral("s.svg"))).isValid());
        QVERIFY(!m_page->exportPicture(folder.filePath(QStringLiteral("s.gif"))));
    }

    void theWindowHasItInItsMenus()
    {
        MainWindow window;
        window.resize(1280, 800);
        window.show();
        window.openPath(QString::fromStdString(m_builder->root().string()));
        QTRY_VERIFY_WITH_TIMEOUT(window.workspace()->isOpen() && window.isSettled(), kResultsWaitMs);
        window.findChild<QAction*>(QStringLiteral("compareResultsAction"))->trigger();
        QVERIFY(window.currentPage() == MainWindow::Page::Results);
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kResultsWaitMs);
        auto* page = window.findChild<ResultsPage*>();
        QCOMPARE(page->choice().a.solution, QStringLiteral("gemm_a_base"));   // of the definition that is shown
        QCOMPARE(page->model()->rowCount(), 4);
        window.compareResults();   // the same tab again
        QCOMPARE(window.findChildren<ResultsPage*>().size(), 1);
        QVERIFY(window.findChild<QAction*>(QStringLiteral("chooseColumnsAction"))->isEnabled());
    }

private:
    std::unique_ptr<DatasetBuilder> m_builder;
    std::unique_ptr<Workspace> m_workspace;
    std::unique_ptr<ResultsPage> m_page;
};

QTEST_MAIN(TestResultsPage)
#include "test_results_page.moc"
