// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QSvgRenderer>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include "core/report/report.h"
#include "tests/support/gui_test.h"
#include "ui/charts/fast_p_chart.h"
#include "ui/models/fast_p_model.h"
#include "ui/pages/fast_p_page.h"
#include "ui/style/labels.h"

#include <QAbstractItemModelTester>

using namespace tracedeck;
using namespace tracedeck::ui;
using tracedeck::test::DatasetBuilder;

namespace {

constexpr int kFastPWaitMs = 20'000;

/// The reference table of viewer features §5.4: baseline B, solution S, workloads w1 to w4.
void fillReferenceTable(DatasetBuilder& builder)
{
    builder.definition({.name = "d"}).solution({.name = "B", .definition = "d", .author = "baseline"}).solution({.name = "S", .definition = "d", .author = "sam"});
    for (const char* uuid : {"w1", "w2", "w3", "w4"}) builder.workload({.definition = "d", .uuid = uuid});
    const auto add = [&builder](const char* solution, const char* uuid, double latencyMs, Status status, const char* time = "2026-01-01T00:00:00") {
        builder.trace({.definition = "d", .solution = solution, .uuid = uuid, .latencyMs = latencyMs, .status = status, .timestamp = time});
    };
    add("B", "w1", 1, Status::Passed);
    add("B", "w2", 2, Status::Passed);
    add("B", "w3", 4, Status::Passed);
    add("B", "w4", 0, Status::RuntimeError);
    add("S", "w1", 0.5, Status::Passed);
    add("S", "w2", 2, Status::Passed);
    add("S", "w3", 0, Status::IncorrectNumerical);
    add("S", "w4", 1, Status::Passed);
    add("S", "w1", 0.8, Status::Passed, "2026-01-02T00:00:00");
}

}  // namespace

class TestFastPPage : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { test::prepareGuiTest(); }
    void init()
    {
        test::failOnQtWarnings();
        QSettings().clear();
        m_builder = std::make_unique<DatasetBuilder>();
        fillReferenceTable(*m_builder);
        m_workspace = std::make_unique<Workspace>();
        QVERIFY(test::openDataset(*m_workspace, m_builder->root()));
        m_workspace->setBaselineAuthor(QStringLiteral("baseline"));
        m_page = std::make_unique<FastPPage>(m_workspace.get());
        m_page->resize(1000, 600);
        m_page->show();
        QVERIFY(isReady());
    }
    void cleanup()
    {
        m_page.reset();
        m_workspace.reset();
        m_builder.reset();
    }

    /// The figures of §5.4.
    void presetsShowTheirOwnShares_data()
    {
        QTest::addColumn<int>("preset");
        QTest::addColumn<double>("p");
        QTest::addColumn<bool>("sampled");
        QTest::addColumn<QString>("share");
        const int site = static_cast<int>(FastPPreset::Site);
        QTest::newRow("site, 0.95") << site << 0.95 << false << "66.7";
        QTest::newRow("site, 1, exactly") << site << 1.0 << false << "66.7";
        QTest::newRow("site, 1, as it samples") << site << 1.0 << true << "33.3";
        QTest::newRow("site, 1.25, exactly") << site << 1.25 << false << "33.3";
        QTest::newRow("site, 1.25, as it samples") << site << 1.25 << true << "0.0";
        QTest::newRow("site, 0") << site << 0.0 << false << "100.0";
        QTest::newRow("script, 1") << static_cast<int>(FastPPreset::WinP) << 1.0 << false << "33.3";
        QTest::newRow("KernelBench, 1") << static_cast<int>(FastPPreset::KernelBench) << 1.0 << false << "25.0";
    }
    void presetsShowTheirOwnShares()
    {
        QFETCH(int, preset);
        QFETCH(double, p);
        QFETCH(bool, sampled);
        QFETCH(QString, share);
        const QAbstractItemModelTester tester(m_page->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        m_page->setPreset(static_cast<FastPPreset>(preset));
        QVERIFY(isReady());
        m_page->setPin(p);
        m_page->findChild<QCheckBox*>(QStringLiteral("fastPSampled"))->setChecked(sampled);
        QCOMPARE(m_page->model()->index(0, FastPModel::Name).data().toString(), QStringLiteral("sam"));
        QCOMPARE(m_page->model()->index(0, FastPModel::Share).data().toString(), share);
    }

    void curvesAreExactSteps()
    {
        const auto pointsOf = [this] {
            QStringList parts;
            for (const QCPGraphData& point : m_page->chart()->drawnPoints(0)) parts << QStringLiteral("%1:%2").arg(point.key, 0, 'g', 4).arg(point.value, 0, 'f', 1);
            return parts.join(QLatin1Char(' '));
        };
        QCOMPARE(pointsOf(), QStringLiteral("0:100.0 1:66.7 1.25:33.3 1.5:0.0"));
        QVERIFY(m_page->chart()->graph(0)->lineStyle() == QCPGraph::lsStepRight);   // ≥ p: up to the ratio
        m_page->setPreset(FastPPreset::WinP);
        QVERIFY(isReady());
        QCOMPARE(pointsOf(), QStringLiteral("0:66.7 1:33.3 2:0.0 2.04:0.0"));
        QVERIFY(m_page->chart()->graph(0)->lineStyle() == QCPGraph::lsStepLeft);    // > p: not at the ratio itself
    }

    void aClickPins()
    {
        FastPChart* chart = m_page->chart();
        chart->replot(QCustomPlot::rpImmediateRefresh);
        const QPoint place(static_cast<int>(chart->xAxis->coordToPixel(1.1)), chart->axisRect()->center().y());
        QTest::mouseClick(chart, Qt::LeftButton, {}, place);
        QVERIFY(std::abs(m_page->findChild<QDoubleSpinBox*>(QStringLiteral("fastPPin"))->value() - 1.1) < 0.02);
        QVERIFY(std::abs(chart->pin() - 1.1) < 0.02);
        QCOMPARE(m_page->model()->index(0, FastPModel::Share).data().toString(), QStringLiteral("33.3"));
    }

    void ticksHideCurves()
    {
        const QModelIndex name = m_page->model()->index(0, FastPModel::Name);
        QCOMPARE(name.data(Qt::CheckStateRole).toInt(), static_cast<int>(Qt::Checked));
        QVERIFY(m_page->model()->setData(name, Qt::Unchecked, Qt::CheckStateRole));
        QVERIFY(!m_page->chart()->graph(0)->visible());
        QVERIFY(m_page->model()->setData(name, Qt::Checked, Qt::CheckStateRole));
        QVERIFY(m_page->chart()->graph(0)->visible());
    }

    void exportsPicturesAndTheScriptsTable()
    {
        m_page->setPreset(FastPPreset::WinP);
        QVERIFY(isReady());
        const QTemporaryDir folder;
        const QString csv = folder.filePath(QStringLiteral("w.csv"));
        QVERIFY(m_page->exportSteps(csv));
        QFile file(csv);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll().toStdString(), winAtPCsv(*m_page->chart()->report()));
        QVERIFY(m_page->exportPicture(folder.filePath(QStringLiteral("w.svg"))));
        QVERIFY(QSvgRenderer(folder.filePath(QStringLiteral("w.svg"))).isValid());
        const QString rule = m_page->findChild<WrappedLabel*>(QStringLiteral("fastPRule"))->text();
        QVERIFY2(rule.contains(QStringLiteral("The rule chooses the traces itself")), qPrintable(rule));   // whatever the status bar says
        QVERIFY2(rule.contains(QStringLiteral("On 1 of them the fastest stands in for the baseline.")), qPrintable(rule));
    }

    void nothingToCompareSaysWhy()
    {
        m_workspace->setBaselineAuthor(QStringLiteral("nobody"));
        QVERIFY(isReady());
        QVERIFY(m_page->findChild<WrappedLabel*>(QStringLiteral("fastPEmpty"))->text().startsWith(QStringLiteral("There is no baseline yet: no author here is called nobody.")));
    }

private:
    bool isReady() { return QTest::qWaitFor([this] { return !m_page->isBusy(); }, kFastPWaitMs); }

    std::unique_ptr<DatasetBuilder> m_builder;
    std::unique_ptr<Workspace> m_workspace;
    std::unique_ptr<FastPPage> m_page;
};

QTEST_MAIN(TestFastPPage)
#include "test_fast_p.moc"
