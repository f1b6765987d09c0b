// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QFile>
#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include "tests/support/gui_test.h"
#include "ui/models/leaderboard_model.h"
#include "ui/pages/leaderboard_page.h"

using namespace tracedeck;
using namespace tracedeck::ui;
using namespace tracedeck::test;

namespace {

void fill(DatasetBuilder& builder)
{
    builder.definition({.name = "gemm_n4"}).definition({.name = "norm_h8", .opType = "rmsnorm"}).definition({.name = "orphan", .opType = "moe"});
    builder.solution({.name = "gemm_base", .definition = "gemm_n4", .author = "baseline"});
    builder.solution({.name = "norm_base", .definition = "norm_h8", .author = "baseline"});
    for (const char* author : {"ann", "bob", "cat", "dan"}) {
        builder.solution({.name = std::string(author) + "_gemm", .definition = "gemm_n4", .author = author});
    }
    builder.solution({.name = "ann_norm", .definition = "norm_h8"});
    builder.solution({.name = "ann_orphan", .definition = "orphan"});
    const auto measure = [&](const std::string& definition, const std::string& solution, double latencyMs, Status status = Status::Passed) {
        builder.trace({.definition = definition, .solution = solution, .uuid = "w-" + definition, .latencyMs = latencyMs, .status = status});
    };
    measure("gemm_n4", "gemm_base", 4);
    measure("gemm_n4", "ann_gemm", 1);    // 4×
    measure("gemm_n4", "bob_gemm", 2);    // 2×
    measure("gemm_n4", "cat_gemm", 2);    // 2×
    measure("gemm_n4", "dan_gemm", 1, Status::RuntimeError);   // 0
    measure("norm_h8", "norm_base", 1);
    measure("norm_h8", "ann_norm", 0.5);  // 2×
    measure("orphan", "ann_orphan", 1);
}

QString text(const QTableView& view, int row, int column) { return view.model()->index(row, column).data().toString(); }

bool settled(const LeaderboardPage& page)
{
    return QTest::qWaitFor([&] { return !page.isBusy(); }, 20'000);
}

QStringList authors(const QTableView& view)
{
    QStringList names;
    for (int row = 0; row < view.model()->rowCount(); ++row) {
        names << text(view, row, LeaderboardModel::Rank) + u' ' + text(view, row, LeaderboardModel::Author);
    }
    return names;
}

}  // namespace

class TestLeaderboard : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { prepareGuiTest(); }
    void init() { failOnQtWarnings(); }

    void equalScoresShareARank()
    {
        Ranking ranking;
        const auto add = [&](const std::string& author, double score) {
            SpeedupMetrics metrics;
            metrics.averageSpeedup = score;
            ranking.authors.emplace_back(author, metrics);
        };
        add("a", 3);
        add("b", 2);
        add("c", 2);
        add("d", 2);
        add("e", 0.5);
        LeaderboardModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.show(ranking, QStringLiteral("base"), {});
        QStringList ranks;
        for (int row = 0; row < model.rowCount(); ++row) {
            ranks << model.index(row, LeaderboardModel::Rank).data().toString();
        }
        QCOMPARE(ranks, (QStringList{QStringLiteral("1"), QStringLiteral("2="), QStringLiteral("2="), QStringLiteral("2="), QStringLiteral("–"), QStringLiteral("5")}));
        QCOMPARE(model.index(4, LeaderboardModel::Author).data().toString(), QStringLiteral("base (baseline)"));
        QCOMPARE(model.csv(), QStringLiteral("rank,author,avg_speedup,success_rate,win_rate,workloads,definitions,best_solution\n"
                                             "1,a,3,0,0,0,0,\n2,b,2,0,0,0,0,\n2,c,2,0,0,0,0,\n2,d,2,0,0,0,0,\n5,e,0.5,0,0,0,0,\n"));
        model.show({}, QStringLiteral("base"), {});
        QCOMPARE(model.rowCount(), 0);
    }

    void ranksAuthorsAgainstTheBaseline()
    {
        DatasetBuilder builder;
        fill(builder);
        Workspace workspace;
        LeaderboardPage page(&workspace);
        page.resize(1000, 500);
        page.show();
        QVERIFY(openDataset(workspace, builder.root()));
        QVERIFY(settled(page));
        QCOMPARE(workspace.baselineAuthor(), QStringLiteral("baseline"));
        QTableView& view = *page.view();
        QCOMPARE(authors(view), (QStringList{QStringLiteral("1 ann"), QStringLiteral("2= bob"), QStringLiteral("2= cat"), QStringLiteral("4 dan"), QStringLiteral("– baseline (baseline)")}));
        QCOMPARE(text(view, 0, LeaderboardModel::Speedup), QStringLiteral("3.000"));   // mean of 4 and 2
        QCOMPARE(text(view, 0, LeaderboardModel::Definitions), QStringLiteral("2"));
        QCOMPARE(text(view, 3, LeaderboardModel::Success), QStringLiteral("0.0"));
        // Sorting by another column keeps the ranks.
        view.sortByColumn(LeaderboardModel::Author, Qt::DescendingOrder);
        QCOMPARE(authors(view).first(), QStringLiteral("4 dan"));
    }

    void theSelectionPolicyDecidesWhichTracesAreRanked()
    {
        DatasetBuilder builder;
        fill(builder);
        builder.trace({.definition = "gemm_n4", .solution = "ann_gemm", .uuid = "w-gemm_n4", .latencyMs = 2, .timestamp = "2026-02-01T00:00:00"});
        Workspace workspace;
        LeaderboardPage page(&workspace);
        page.resize(1000, 500);
        page.show();
        QVERIFY(openDataset(workspace, builder.root()));
        const auto scoreOfAnn = [&] {
            if (!settled(page)) {
                return QString();
            }
            for (int row = 0; row < page.view()->model()->rowCount(); ++row) {
                if (text(*page.view(), row, LeaderboardModel::Author) == QStringLiteral("ann")) {
                    return text(*page.view(), row, LeaderboardModel::Speedup);
                }
            }
            return QString();
        };
        QCOMPARE(scoreOfAnn(), QStringLiteral("2.000"));   // newest: mean of 2 and 2
        workspace.setPolicy(SelectionPolicy::LowestMedian);
        QCOMPARE(scoreOfAnn(), QStringLiteral("3.000"));   // mean of 4 and 2
        QVERIFY(page.findChild<QLabel*>(QStringLiteral("leaderboardRule"))->text().contains(QStringLiteral("lowest latency")));
    }

    void columnsFitIntoASmallWindow()
    {
        DatasetBuilder builder;
        fill(builder);
        Workspace workspace;
        LeaderboardPage page(&workspace);
        page.resize(700, 500);   // what the docks leave of 1280 pixels
        page.show();
        QVERIFY(openDataset(workspace, builder.root()));
        QVERIFY(settled(page));
        QCoreApplication::processEvents();
        QCOMPARE(page.view()->horizontalScrollBar()->maximum(), 0);
        const QFontMetrics metrics(page.view()->horizontalHeader()->font());
        for (int column = 0; column < LeaderboardModel::ColumnCount; ++column) {
            const QString title = page.model()->headerData(column, Qt::Horizontal).toString();
            QVERIFY2(page.view()->isColumnHidden(column) || page.view()->columnWidth(column) > metrics.horizontalAdvance(title), qPrintable(title));
        }
    }

    void unrankedDefinitionsAreListedWithReasons()
    {
        DatasetBuilder builder;
        fill(builder);
        Workspace workspace;
        LeaderboardPage page(&workspace);
        page.resize(1000, 500);
        page.show();
        QVERIFY(openDataset(workspace, builder.root()));
        QVERIFY(settled(page));
        auto* button = page.findChild<QToolButton*>(QStringLiteral("leaderboardUnscoredButton"));
        auto* reasons = page.findChild<QPlainTextEdit*>(QStringLiteral("leaderboardUnscored"));
        QVERIFY(button->isVisible());
        QVERIFY(!reasons->isVisible());
        button->click();
        QVERIFY(reasons->isVisible());
        QVERIFY2(reasons->toPlainText().contains(QStringLiteral("orphan")), qPrintable(reasons->toPlainText()));
        QVERIFY(page.findChild<QLabel*>(QStringLiteral("leaderboardRule"))->text().contains(QStringLiteral("format's score")));
    }

    void scopeOfOneDefinitionNamesTheBestSolution()
    {
        DatasetBuilder builder;
        fill(builder);
        Workspace workspace;
        LeaderboardPage page(&workspace);
        page.resize(1000, 500);
        page.show();
        QVERIFY(openDataset(workspace, builder.root()));
        workspace.setCurrentDefinition(QStringLiteral("gemm_n4"));
        auto* scope = page.findChild<QComboBox*>(QStringLiteral("leaderboardScope"));
        scope->setCurrentIndex(scope->findText(QStringLiteral("this definition: gemm_n4")));
        QVERIFY(settled(page));
        QVERIFY(!page.view()->isColumnHidden(LeaderboardModel::BestSolution));
        QCOMPARE(text(*page.view(), 0, LeaderboardModel::BestSolution), QStringLiteral("ann_gemm"));
        QCOMPARE(text(*page.view(), 0, LeaderboardModel::Speedup), QStringLiteral("4.000"));
        emit page.view()->activated(page.view()->model()->index(0, 0));
        QCOMPARE(workspace.currentSolution(), QStringLiteral("ann_gemm"));
        // The scope follows the definition that is looked at.
        workspace.setCurrentDefinition(QStringLiteral("norm_h8"));
        QVERIFY(settled(page));
        QCOMPARE(text(*page.view(), 0, LeaderboardModel::BestSolution), QStringLiteral("ann_norm"));
    }

    void anotherBaselineRanksAnew()
    {
        DatasetBuilder builder;
        fill(builder);
        Workspace workspace;
        LeaderboardPage page(&workspace);
        QVERIFY(openDataset(workspace, builder.root()));
        QVERIFY(settled(page));
        auto* baseline = page.findChild<QComboBox*>(QStringLiteral("leaderboardBaseline"));
        baseline->setCurrentIndex(baseline->findText(QStringLiteral("bob")));
        QVERIFY(settled(page));
        QCOMPARE(workspace.baselineAuthor(), QStringLiteral("bob"));
        QCOMPARE(authors(*page.view()).first(), QStringLiteral("1 ann"));
        QCOMPARE(text(*page.view(), 0, LeaderboardModel::Speedup), QStringLiteral("2.000"));
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("ranking.csv"));
        QVERIFY(page.exportCsv(path));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(QString::fromUtf8(file.readAll()), page.model()->csv());
        QVERIFY(page.model()->csv().contains(QStringLiteral("1,ann,2,1,1,1,1,")));
    }

    void mixedMachinesAreSaid()
    {
        DatasetBuilder builder;
        fill(builder);
        builder.trace({.definition = "gemm_n4", .solution = "bob_gemm", .uuid = "w-gemm_n4", .latencyMs = 0.1, .hardware = "Other GPU"});
        Workspace workspace;
        LeaderboardPage page(&workspace);
        QVERIFY(openDataset(workspace, builder.root()));
        QVERIFY(settled(page));
        const auto* rule = page.findChild<QLabel*>(QStringLiteral("leaderboardRule"));
        QVERIFY2(rule->text().contains(QStringLiteral("mixed")), qPrintable(rule->text()));
        workspace.setHardware(QStringLiteral("Test CPU"));
        QVERIFY(settled(page));
        QVERIFY(!rule->text().contains(QStringLiteral("mixed")));
        QCOMPARE(authors(*page.view()).first(), QStringLiteral("1 ann"));
    }
};

QTEST_MAIN(TestLeaderboard)
#include "test_leaderboard.moc"
