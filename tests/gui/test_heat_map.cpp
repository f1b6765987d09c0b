// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QFile>
#include <QImage>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QTest>

#include "tests/support/gui_test.h"
#include "ui/charts/heat_map_view.h"
#include "ui/pages/heat_map_page.h"
#include "ui/style/labels.h"
#include "ui/style/theme.h"

using namespace tracedeck;
using namespace tracedeck::ui;
using tracedeck::test::DatasetBuilder;

namespace {

constexpr int kHeatWaitMs = 20'000;

void fillHeat(DatasetBuilder& builder)
{
    builder.definition({.name = "gemm_a"}).definition({.name = "norm_b", .opType = "rmsnorm"});
    builder.solution({.name = "base_gemm_a", .definition = "gemm_a", .author = "a_base"}).solution({.name = "quick_gemm_a", .definition = "gemm_a", .author = "ann"});
    for (const std::int64_t m : {1, 16, 256}) {
        builder.workload({.definition = "gemm_a", .uuid = "w" + std::to_string(m), .axes = {{"M", m}}});
        builder.trace({.definition = "gemm_a", .solution = "base_gemm_a", .uuid = "w" + std::to_string(m), .latencyMs = 1, .axes = {{"M", m}}});
    }
    builder.trace({.definition = "gemm_a", .solution = "quick_gemm_a", .uuid = "w1", .latencyMs = 0.25, .axes = {{"M", 1}}});
    builder.trace({.definition = "gemm_a", .solution = "quick_gemm_a", .uuid = "w16", .status = Status::Timeout, .axes = {{"M", 16}}});
}

}  // namespace

class TestHeatMapPage : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { test::prepareGuiTest(); }
    void init()
    {
        test::failOnQtWarnings();
        m_builder = std::make_unique<DatasetBuilder>();
        fillHeat(*m_builder);
        m_workspace = std::make_unique<Workspace>();
        QVERIFY(test::openDataset(*m_workspace, m_builder->root()));
        m_workspace->setBaselineAuthor(QStringLiteral("a_base"));
        m_page = std::make_unique<HeatMapPage>(m_workspace.get());
        m_page->resize(900, 500);
        m_page->show();
        m_workspace->setCurrentDefinition(QStringLiteral("gemm_a"));
        QTRY_VERIFY_WITH_TIMEOUT(!m_page->isBusy(), kHeatWaitMs);
    }
    void cleanup()
    {
        ui::applyTheme(ThemeChoice::Light);
        m_page.reset();
        m_workspace.reset();
        m_builder.reset();
    }

    void cellsSayHowMuchAndLeadToTheTrace()
    {
        HeatMapView* view = m_page->view();
        QCOMPARE(view->map()->solutions.size(), std::size_t{2});
        QVERIFY(view->describe({0, 1}).contains(QStringLiteral("4.000× against the baseline")));
        QVERIFY(view->describe({1, 1}).contains(QStringLiteral("timeout")));
        QVERIFY(view->describe({2, 1}).contains(QStringLiteral("not run")));
        QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, view->cellRect({0, 1}).center());
        QCOMPARE(m_workspace->currentTrace(), static_cast<qint64>(*view->map()->at(0, 1).row));
        QVERIFY(view->current() == (HeatMapView::Place{0, 1}));
        // Keys: down to the failure, Enter opens it.
        QTest::keyClick(view, Qt::Key_Down);
        QVERIFY(view->current() == (HeatMapView::Place{1, 1}));
        QTest::keyClick(view, Qt::Key_Return);
        QCOMPARE(m_workspace->currentTrace(), static_cast<qint64>(*view->map()->at(1, 1).row));
        QTest::keyClick(view, Qt::Key_End);
        QTest::keyClick(view, Qt::Key_Home, Qt::ControlModifier);
        QCOMPARE(view->current()->workload, view->order().workloads.front());
    }

    void coloursDivergeAndCanBeToldApart()
    {
        for (const ThemeChoice theme : {ThemeChoice::Light, ThemeChoice::Dark}) {
            ui::applyTheme(theme);
            const QColor faster = HeatMapView::colorOf(4, 2);
            const QColor slower = HeatMapView::colorOf(0.25, 2);
            const QColor even = HeatMapView::colorOf(1, 2);
            QVERIFY(faster.blue() > faster.red() && slower.red() > slower.blue());   // blue and orange: seen by nearly everyone
            QVERIFY(std::abs(even.red() - even.blue()) < 30);
            QCOMPARE(HeatMapView::colorOf(100, 2), faster);   // beyond the scale
            const QImage image = m_page->view()->grab().toImage();
            const QRect rect = m_page->view()->cellRect({0, 1});
            QCOMPARE(image.pixelColor(rect.left() + 3, rect.top() + 3), HeatMapView::colorOf(4, m_page->view()->map()->greatestDoubling()));
        }
    }

    void titlesSort()
    {
        HeatMapView* view = m_page->view();
        // Right from the start by geometric mean, greatest first.
        QCOMPARE(view->order().solutions, (std::vector<std::size_t>{1, 0}));
        const QRect first = view->cellRect({view->order().workloads.front(), 1});
        QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, QPoint(first.center().x(), first.top() - 8));
        QCOMPARE(m_page->findChild<QComboBox*>(QStringLiteral("heatWorkloadOrder"))->currentText(), QStringLiteral("by one solution"));
        QCOMPARE(view->order().workloads, (std::vector<std::size_t>{0, 1, 2}));
        const QRect cell = view->cellRect({0, view->order().solutions.front()});
        QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, QPoint(cell.left() - 8, cell.center().y()));
        QCOMPARE(view->order().solutions, (std::vector<std::size_t>{1, 0}));
        QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, QPoint(cell.left() - 8, cell.center().y()));   // the other way round
        QCOMPARE(view->order().solutions, (std::vector<std::size_t>{0, 1}));
    }

    void exportsPicturesAndData()
    {
        const QTemporaryDir folder;
        for (const QString& suffix : {QStringLiteral("png"), QStringLiteral("svg"), QStringLiteral("pdf")}) {
            const QString path = folder.filePath(QStringLiteral("h.") + suffix);
            QVERIFY(m_page->exportPicture(path));
            QVERIFY(QFile(path).size() > 1000);
        }
        QVERIFY(QSvgRenderer(folder.filePath(QStringLiteral("h.svg"))).isValid());
        QVERIFY(m_page->exportCsv(folder.filePath(QStringLiteral("h.csv"))));
        QFile file(folder.filePath(QStringLiteral("h.csv")));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("axes,workload_uuid,quick_gemm_a,base_gemm_a\nM=1,w1,4,1\nM=16,w16,TIMEOUT,1\nM=256,w256,,1\n"));
    }

    void withoutABaselineTheFastestIsIt()
    {
        m_workspace->setBaselineAuthor(QStringLiteral("nobody"));
        QTRY_VERIFY_WITH_TIMEOUT(!m_page->isBusy(), kHeatWaitMs);
        QVERIFY(m_page->view()->map()->question.measure == HeatMeasure::Best);
        QCOMPARE(m_page->findChild<QComboBox*>(QStringLiteral("heatMeasure"))->currentText(), QStringLiteral("against the fastest"));
        QVERIFY(m_page->findChild<WrappedLabel*>(QStringLiteral("heatNote"))->text().contains(QStringLiteral("no baseline here")));
        m_workspace->setBaselineAuthor(QStringLiteral("a_base"));
        QTRY_VERIFY_WITH_TIMEOUT(!m_page->isBusy(), kHeatWaitMs);
        QVERIFY(m_page->view()->map()->question.measure == HeatMeasure::Baseline);
    }

    void emptyMapsSayWhy()
    {
        m_workspace->setCurrentDefinition(QStringLiteral("norm_b"));
        QTRY_VERIFY_WITH_TIMEOUT(!m_page->isBusy(), kHeatWaitMs);
        auto* empty = m_page->findChild<WrappedLabel*>(QStringLiteral("heatEmpty"));
        QVERIFY(!empty->text().isEmpty());
        m_workspace->setCurrentDefinition({});
        QTRY_VERIFY_WITH_TIMEOUT(!m_page->isBusy(), kHeatWaitMs);
        QVERIFY(empty->text().startsWith(QStringLiteral("Choose a definition")));
    }

private:
    std::unique_ptr<DatasetBuilder> m_builder;
    std::unique_ptr<Workspace> m_workspace;
    std::unique_ptr<HeatMapPage> m_page;
};

QTEST_MAIN(TestHeatMapPage)
#include "test_heat_map.moc"
