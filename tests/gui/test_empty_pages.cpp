// SPDX-License-Identifier: GPL-3.0-or-later
// Pages that have nothing to show say what is missing and offer what helps: a baseline, a run, the viewer.
#include <QAction>
#include <QFileDialog>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

#include "tests/support/gui_test.h"
#include "ui/main_window.h"
#include "ui/pages/notice_bar.h"
#include "ui/models/failure_table_model.h"
#include "ui/models/solution_table_model.h"
#include "ui/pages/baseline_button.h"
#include "ui/pages/charts_page.h"
#include "ui/pages/definition_page.h"
#include "ui/pages/fast_p_page.h"
#include "ui/pages/heat_map_page.h"
#include "ui/pages/leaderboard_page.h"
#include "ui/pages/run_here_button.h"

using namespace tracedeck;
using namespace tracedeck::ui;
using tracedeck::test::DatasetBuilder;

namespace {

constexpr int kWaitMs = 20'000;

}  // namespace

class TestEmptyPages : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
        test::prepareGuiTest();
    }

    void init()
    {
        test::failOnQtWarnings();
        QSettings().clear();
        m_builder = std::make_unique<DatasetBuilder>();
        m_builder->definition({.name = "gemm_a"}).definition({.name = "norm_b", .opType = "rmsnorm"});
        for (const char* name : {"a_ann", "a_bob"})
            m_builder->solution({.name = name, .definition = "gemm_a", .author = name + 2});
        m_builder->solution({.name = "b_ann", .definition = "norm_b", .author = "ann"});
        for (const std::int64_t m : {1, 2}) {
            const std::string uuid = "w" + std::to_string(m);
            m_builder->workload({.definition = "gemm_a", .uuid = uuid, .axes = {{"M", m}}});
            m_builder->trace({.definition = "gemm_a", .solution = "a_ann", .uuid = uuid, .latencyMs = 2, .axes = {{"M", m}}});
            m_builder->trace({.definition = "gemm_a", .solution = "a_bob", .uuid = uuid, .latencyMs = 1, .axes = {{"M", m}}});
        }
        m_builder->trace({.definition = "norm_b", .solution = "b_ann", .uuid = "v"});
        m_window = std::make_unique<MainWindow>(QStringLiteral("/bin/false"));
        m_window->resize(1280, 800);
        m_window->show();
        open(*m_builder);
        m_window->workspace()->setCurrentDefinition(QStringLiteral("gemm_a"));
        QVERIFY(settled());
    }

    void cleanup() { m_window.reset(); }

    void everyPageOffersOne_data()
    {
        QTest::addColumn<int>("page");
        QTest::newRow("leaderboard") << static_cast<int>(MainWindow::Page::Leaderboard);
        QTest::newRow("charts") << static_cast<int>(MainWindow::Page::Charts);
        QTest::newRow("heat map") << static_cast<int>(MainWindow::Page::HeatMap);
        QTest::newRow("fast_p") << static_cast<int>(MainWindow::Page::FastP);
    }

    void everyPageOffersOne()
    {
        QFETCH(int, page);
        m_window->showPage(static_cast<MainWindow::Page>(page));
        if (static_cast<MainWindow::Page>(page) == MainWindow::Page::Charts)
            m_window->definitionPage()->chartsPage()->setMeasure(ChartMeasure::RatioToBaseline);
        QVERIFY(settled());
        BaselineButton* button = shownButton();
        QVERIFY(button);
        const QList<QAction*> authors = button->menu()->actions();
        QCOMPARE(authors.size(), 2);
        QVERIFY2(authors.front()->text().startsWith(QStringLiteral("ann")), qPrintable(authors.front()->text()));
        authors.back()->trigger();
        QCOMPARE(m_window->workspace()->baselineAuthor(), QStringLiteral("bob"));
        QVERIFY(settled());
        if (static_cast<MainWindow::Page>(page) != MainWindow::Page::Leaderboard && static_cast<MainWindow::Page>(page) != MainWindow::Page::FastP) {
            QVERIFY(!shownButton());
            return;
        }
        // norm_b has no solution by bob: it is left out, and the way to another baseline stays.
        QVERIFY(shownButton());
        shownButton()->menu()->actions().front()->trigger();
        QCOMPARE(m_window->workspace()->baselineAuthor(), QStringLiteral("ann"));
        QVERIFY(settled());
        QVERIFY(!shownButton());
    }

    void nothingMeasuredIsSaidWithItsReason_data()
    {
        QTest::addColumn<int>("page");
        QTest::addColumn<QString>("label");
        using Page = MainWindow::Page;
        for (const auto& [page, label] : {std::pair{Page::Leaderboard, "leaderboardEmpty"}, {Page::Charts, "chartEmpty"}, {Page::HeatMap, "heatEmpty"}, {Page::FastP, "fastPEmpty"},
                                          {Page::History, "historyEmpty"}, {Page::Failures, "failuresEmpty"}, {Page::Results, "resultsEmpty"}, {Page::Traces, "tracesEmpty"}})
            QTest::newRow(label) << static_cast<int>(page) << QString::fromLatin1(label);
    }

    void nothingMeasuredIsSaidWithItsReason()
    {
        QFETCH(int, page);
        QFETCH(QString, label);
        const auto text = [&] {
            const auto labels = m_window->findChildren<QLabel*>(label);
            return labels.isEmpty() ? QString() : labels.front()->text();
        };
        DatasetBuilder bare;
        bare.definition({.name = "gemm_a"}).workload({.definition = "gemm_a", .uuid = "w1"});
        open(bare);
        m_window->showPage(static_cast<MainWindow::Page>(page));
        QVERIFY(settled());
        QVERIFY2(text().contains(QStringLiteral("no solutions")), qPrintable(text()));
        QVERIFY(!shown<RunHereButton>());
        QVERIFY(!shown<BaselineButton>());

        DatasetBuilder ready;
        ready.definition({.name = "gemm_a"}).workload({.definition = "gemm_a", .uuid = "w1"}).solution({.name = "s", .definition = "gemm_a"});
        open(ready);
        m_window->showPage(static_cast<MainWindow::Page>(page));
        QVERIFY(settled());
        QVERIFY2(text().contains(QStringLiteral("no traces")), qPrintable(text()));
        auto* run = shown<RunHereButton>();
        QVERIFY(run);
        QSignalSpy wanted(m_window->workspace(), &Workspace::runWanted);
        run->click();
        QCOMPARE(wanted.count(), 1);
        QCOMPARE(wanted.front().front().value<Selection>().definitions, std::set<std::string>{"gemm_a"});
    }

    void aDuelAndADiagnosisSayWhatTheyLack()
    {
        DatasetBuilder bare;
        bare.definition({.name = "gemm_a"}).workload({.definition = "gemm_a", .uuid = "w1"});
        open(bare);
        m_window->showPage(MainWindow::Page::Duel);
        QVERIFY2(m_window->findChild<QLabel*>(QStringLiteral("duelVerdict"))->text().contains(QStringLiteral("two solutions")), "");
        QVERIFY(!m_window->findChild<QPushButton*>(QStringLiteral("startDuel"))->isEnabled());
        m_window->showPage(MainWindow::Page::Diagnose);
        auto* lack = m_window->findChild<QLabel*>(QStringLiteral("diagnoseLack"));
        QVERIFY(lack->isVisible());
        QVERIFY(lack->text().contains(QStringLiteral("no solutions")));
        open(*m_builder);
        m_window->showPage(MainWindow::Page::Diagnose);
        QVERIFY(!m_window->findChild<QLabel*>(QStringLiteral("diagnoseLack"))->isVisible());
    }

    void aFolderOfSingleResultsLeadsToTheViewer()
    {
        DatasetBuilder files;
        files.file("eval_1.json", "{}");
        m_window->openPath(QString::fromStdString(files.root().string()));
        const auto help = [this] { return m_window->findChild<QPushButton*>(QStringLiteral("noticeHelp")); };
        QTRY_VERIFY_WITH_TIMEOUT(help() && help()->isVisible(), kWaitMs);
        help()->click();
        auto* chooser = m_window->findChild<QFileDialog*>(QStringLiteral("viewFileChooser"));
        QVERIFY(chooser);
        QCOMPARE(chooser->directory().absolutePath(), QString::fromStdString(files.root().string()));
        chooser->close();
        m_window->openPath(QStringLiteral("/not/there"));
        QTRY_VERIFY_WITH_TIMEOUT(m_window->findChild<NoticeBar*>()->text().contains(QStringLiteral("/not/there")) && !help(), kWaitMs);
    }

    void tablesNeedNoSidewaysScrolling_data()
    {
        QTest::addColumn<int>("page");
        QTest::addColumn<QString>("table");
        QTest::newRow("solutions") << static_cast<int>(MainWindow::Page::Overview) << QStringLiteral("solutionTable");
        QTest::newRow("failures") << static_cast<int>(MainWindow::Page::Failures) << QStringLiteral("failuresTable");
    }

    void tablesNeedNoSidewaysScrolling()
    {
        QFETCH(int, page);
        QFETCH(QString, table);
        m_builder->trace({.definition = "gemm_a", .solution = "a_bob", .uuid = "w1", .status = Status::RuntimeError, .timestamp = "2026-04-01T00:00:00",
                          .log = "RuntimeError: CUDA error: an illegal memory access was encountered while the kernel was launched with a grid of 4096 blocks"});
        open(*m_builder);
        m_window->workspace()->setCurrentDefinition(QStringLiteral("gemm_a"));
        m_window->showPage(static_cast<MainWindow::Page>(page));
        if (table == QLatin1String("solutionTable"))
            m_window->definitionPage()->showTab(DefinitionPage::Tab::Solutions);
        QVERIFY(settled());
        auto* view = m_window->findChild<QTableView*>(table);
        QTRY_COMPARE_WITH_TIMEOUT(view->horizontalScrollBar()->maximum(), 0, kWaitMs);
        const int status = table == QLatin1String("failuresTable") ? int(FailureTableModel::StatusColumn) : int(SolutionTableModel::PassedColumn);
        QTRY_VERIFY_WITH_TIMEOUT(view->columnWidth(status) >= view->fontMetrics().horizontalAdvance(view->model()->index(0, status).data().toString()), kWaitMs);
        QTRY_COMPARE_WITH_TIMEOUT(view->horizontalScrollBar()->maximum(), 0, kWaitMs);
        for (int column = 0; column < view->model()->columnCount(); ++column) {
            const QString title = view->model()->headerData(column, Qt::Horizontal).toString();
            if (!view->isColumnHidden(column))
                QVERIFY2(view->columnWidth(column) >= view->horizontalHeader()->fontMetrics().horizontalAdvance(title), qPrintable(title));
        }
    }

private:
    void open(const DatasetBuilder& builder)
    {
        QSignalSpy shownAgain(m_window.get(), &MainWindow::datasetShown);
        m_window->openPath(QString::fromStdString(builder.root().string()));
        QTRY_VERIFY_WITH_TIMEOUT(shownAgain.count() > 0, kWaitMs);
        QVERIFY(settled());
    }
    template <class Button> Button* shown() const
    {
        for (Button* button : m_window->findChildren<Button*>())
            if (button->isVisible())
                return button;
        return nullptr;
    }
    bool settled() { return QTest::qWaitFor([&] { return m_window->workspace()->isOpen() && m_window->isSettled(); }, kWaitMs); }
    BaselineButton* shownButton() const { return shown<BaselineButton>(); }

    std::unique_ptr<DatasetBuilder> m_builder;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(TestEmptyPages)
#include "test_empty_pages.moc"
