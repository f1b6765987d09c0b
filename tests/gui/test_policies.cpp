// SPDX-License-Identifier: GPL-3.0-or-later
// Pooled samples and a pinned run: what the window shows under these policies.
#include <QMenu>
#include <QPointer>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QToolButton>

#include "tests/support/gui_test.h"
#include "ui/main_window.h"
#include "ui/models/policy_text.h"
#include "ui/models/solution_table_model.h"
#include "ui/models/trace_table_model.h"
#include "ui/pages/definition_page.h"
#include "ui/style/theme.h"

using namespace tracedeck;
using namespace tracedeck::ui;
using tracedeck::test::DatasetBuilder;

namespace {

constexpr int kWaitMs = 20'000;
constexpr qint64 kFirstDay = 1'767'225'600'000'000;   // 2026-01-01, in microseconds

}  // namespace

class TestPolicies : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { test::prepareGuiTest(); }

    void init()
    {
        test::failOnQtWarnings();
        QSettings().clear();
        m_builder = std::make_unique<DatasetBuilder>();
        m_builder->definition({.name = "gemm_a"}).solution({.name = "s", .definition = "gemm_a"}).workload({.definition = "gemm_a", .uuid = "w"});
        // In microseconds: 4000, 1000, 2000, of three days.
        for (const auto& [day, latency] : {std::pair{"01", 4.0}, {"02", 1.0}, {"03", 2.0}})
            m_builder->trace({.definition = "gemm_a", .solution = "s", .uuid = "w", .latencyMs = latency, .timestamp = std::string("2026-01-") + day + "T00:00:00"});
        open();
    }

    void cleanup() { m_window.reset(); }

    void pooledFiguresAreShownAndTracesStayAsTheyAre()
    {
        QCOMPARE(latency(), QStringLiteral("2000"));
        QSignalSpy changed(m_window->workspace(), &Workspace::comparisonChanged);
        m_builder->trace({.definition = "gemm_a", .solution = "s", .uuid = "w", .latencyMs = 9, .timestamp = "2026-01-04T00:00:00"});
        QTRY_COMPARE_WITH_TIMEOUT(m_window->workspace()->dataset()->traces().size(), std::size_t{4}, kWaitMs);
        m_window->workspace()->setPolicy(SelectionPolicy::Pooled);
        QVERIFY(settled());
        QVERIFY(changed.count() > 0);
        QTRY_COMPARE_WITH_TIMEOUT(latency(), QStringLiteral("3000"), kWaitMs);   // of 1, 2, 4, 9
        QCOMPARE(button()->text(), policyText(SelectionPolicy::Pooled));
        QVERIFY2(button()->toolTip().contains(QStringLiteral("1 from the medians")), qPrintable(button()->toolTip()));
        m_window->showPage(MainWindow::Page::Traces);
        QVERIFY(settled());
        auto* traces = m_window->findChild<QTableView*>(QStringLiteral("traceTable"));
        QStringList shown;
        for (int row = 0; row < traces->model()->rowCount(); ++row) {
            const QModelIndex index = traces->model()->index(row, TraceTableModel::columnOf(TraceColumn::Latency));
            shown << index.data().toString();
            QVERIFY(!index.data(Qt::ForegroundRole).isValid());   // each counts
        }
        shown.sort();
        QCOMPARE(shown, QStringList({QStringLiteral("1000"), QStringLiteral("2000"), QStringLiteral("4000"), QStringLiteral("9000")}));
        // A result that comes in is pooled, too.
        m_builder->trace({.definition = "gemm_a", .solution = "s", .uuid = "w", .latencyMs = 8, .timestamp = "2026-01-05T00:00:00"});
        QTRY_COMPARE_WITH_TIMEOUT(m_window->workspace()->dataset()->traces().size(), std::size_t{5}, kWaitMs);
        QTRY_COMPARE_WITH_TIMEOUT(latency(), QStringLiteral("4000"), kWaitMs);
        m_window->workspace()->setPolicy(SelectionPolicy::Newest);
        QVERIFY(settled());
        QTRY_COMPARE_WITH_TIMEOUT(latency(), QStringLiteral("8000"), kWaitMs);
        QCOMPARE(m_window->workspace()->dataset(), m_window->workspace()->plainDataset());
    }

    void aRunIsPinnedFromTheStatusBarAndKept()
    {
        emit button()->menu()->aboutToShow();
        auto* runs = button()->menu()->findChild<QMenu*>(QStringLiteral("runsMenu"));
        QVERIFY(runs);
        emit runs->aboutToShow();
        QTRY_COMPARE_WITH_TIMEOUT(runs->actions().size(), 3, kWaitMs);
        QVERIFY(runs->actions().front()->text().contains(QStringLiteral("2026-01-03")));
        runs->actions().back()->trigger();
        QVERIFY(settled());
        QTRY_COMPARE_WITH_TIMEOUT(latency(), QStringLiteral("4000"), kWaitMs);
        QVERIFY2(button()->text().contains(QStringLiteral("2026-01-01")), qPrintable(button()->text()));
        m_window.reset();
        open();
        QVERIFY(settled());
        QVERIFY(m_window->workspace()->policy() == SelectionPolicy::PinnedRun);
        QTRY_COMPARE_WITH_TIMEOUT(latency(), QStringLiteral("4000"), kWaitMs);
        m_window->workspace()->pinRun(kFirstDay + qint64{24} * 3600 * 1'000'000);
        QVERIFY(settled());
        QTRY_COMPARE_WITH_TIMEOUT(latency(), QStringLiteral("1000"), kWaitMs);
    }

    void aTracePinsItsRun()
    {
        m_window->showPage(MainWindow::Page::Traces);
        QVERIFY(settled());
        auto* traces = m_window->findChild<QTableView*>(QStringLiteral("traceTable"));
        emit traces->customContextMenuRequested(traces->visualRect(traces->model()->index(1, TraceTableModel::columnOf(TraceColumn::Latency))).center());
        QAction* pin = m_window->findChild<QAction*>(QStringLiteral("pinRun"));
        QVERIFY(pin);
        pin->trigger();
        qobject_cast<QMenu*>(pin->parent())->close();
        QVERIFY(settled());
        QTRY_COMPARE_WITH_TIMEOUT(latency(), QStringLiteral("1000"), kWaitMs);
    }

private:
    void open()
    {
        m_window = std::make_unique<MainWindow>(QStringLiteral("/bin/false"));
        m_window->resize(1280, 800);
        m_window->show();
        m_window->openPath(QString::fromStdString(m_builder->root().string()));
        QVERIFY(settled());
    }
    bool settled() { return QTest::qWaitFor([&] { return m_window->workspace()->isOpen() && m_window->isSettled(); }, kWaitMs); }
    QToolButton* button() const { return m_window->findChild<QToolButton*>(QStringLiteral("policyButton")); }
    QString latency() const { return m_window->definitionPage()->solutionTable()->model()->index(0, SolutionTableModel::LatencyColumn).data().toString(); }

    std::unique_ptr<DatasetBuilder> m_builder;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(TestPolicies)
#include "test_policies.moc"
