// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QDir>
#include <QImage>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "core/report/html_report.h"
#include "tests/support/gui_test.h"
#include "tests/support/test_files.h"
#include "ui/models/workspace.h"
#include "ui/pages/report_exporter.h"
#include "ui/pages/report_pdf.h"

using namespace tracedeck;
using namespace tracedeck::ui;
using tracedeck::test::DatasetBuilder;

namespace {
constexpr int kReportWaitMs = 20'000;
}

class TestReportExporter : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        test::prepareGuiTest();
        m_builder.definition({.name = "g"}).definition({.name = "h"});
        m_builder.solution({.name = "base", .definition = "g", .author = "baseline"}).solution({.name = "fast", .definition = "g", .author = "ann"});
        for (int i = 1; i <= 3; ++i) {
            const std::string uuid = "w" + std::to_string(i);
            m_builder.trace({.definition = "g", .solution = "base", .uuid = uuid, .latencyMs = 1, .axes = {{"M", i}}});
            m_builder.trace({.definition = "g", .solution = "fast", .uuid = uuid, .latencyMs = 0.25, .axes = {{"M", i}}});
        }
    }
    void writesEachForm_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("definition");
        QTest::addColumn<QString>("start");
        QTest::addColumn<QString>("part");
        QTest::newRow("page") << "r.html" << "" << "<!DOCTYPE html>" << "Scope: the whole dataset";
        QTest::newRow("page of a definition") << "r.html" << "g" << "<!DOCTYPE html>" << "Scope: definition g";
        QTest::newRow("Markdown") << "r.md" << "" << "# Benchmark report" << "| 4.000 |";
        QTest::newRow("PDF") << "r.pdf" << "" << "%PDF-1." << "%%EOF";
    }
    void writesEachForm()
    {
        QFETCH(QString, name);
        QFETCH(QString, definition);
        QFETCH(QString, start);
        QFETCH(QString, part);
        Workspace workspace;
        QWidget window;
        ReportExporter exporter(&workspace, &window);
        QVERIFY(!exporter.datasetAction()->isEnabled());
        workspace.open(QString::fromStdString(m_builder.root().string()));
        QTRY_VERIFY_WITH_TIMEOUT(workspace.isOpen(), kReportWaitMs);
        QVERIFY(exporter.datasetAction()->isEnabled());
        workspace.setCurrentDefinition(QStringLiteral("g"));
        QVERIFY(exporter.definitionAction()->isEnabled());
        QTemporaryDir place;
        const QString path = place.filePath(name);
        const QSignalSpy ends(&exporter, &ReportExporter::finished);
        exporter.write(definition, path);
        QTRY_COMPARE_WITH_TIMEOUT(ends.count(), 1, kReportWaitMs);
        QVERIFY(ends[0][1].toBool());
        const std::string bytes = test::readBytes(path.toStdString());
        QVERIFY(bytes.starts_with(start.toStdString()));
        QVERIFY(bytes.find(part.toStdString()) != std::string::npos);
        QCOMPARE(QDir(place.path()).entryList(QDir::Files), QStringList{name});
    }
    void theWindowsChoicesCount()
    {
        Workspace workspace;
        QWidget window;
        const ReportExporter exporter(&workspace, &window);
        workspace.open(QString::fromStdString(m_builder.root().string()));
        QTRY_VERIFY_WITH_TIMEOUT(workspace.isOpen(), kReportWaitMs);
        workspace.setBaselineAuthor(QStringLiteral("ann"));
        workspace.setPolicy(SelectionPolicy::LowestMedian);
        const ReportQuestion question = exporter.question(QStringLiteral("g"));
        QCOMPARE(question.baselineAuthor, std::string("ann"));
        QCOMPARE(question.definition, std::string("g"));
        QVERIFY(question.policy == SelectionPolicy::LowestMedian);
    }
    void picturesBecomePixels()
    {
        const auto report = datasetReport(m_builder.load(), {});
        QVERIFY(report);
        QTemporaryDir place;
        const auto pictures = reportPictures(*report);
        for (const PagePicture& picture : pictures) test::writeBytes(place.filePath(QString::fromStdString(picture.name)).toStdString(), picture.svg);
        QVERIFY(rasterizeFolder(place.path()));
        const QStringList files = QDir(place.path()).entryList({QStringLiteral("*.png")}, QDir::Files);
        QCOMPARE(files.size(), static_cast<qsizetype>(pictures.size()));
        const QImage image(place.filePath(QStringLiteral("latency-g-on-Test-CPU.png")));
        QVERIFY(image.width() > 2000);
        // Something is drawn in the colour of the first line.
        bool hasLine = false;
        for (int y = 0; y < image.height() && !hasLine; ++y) {
            for (int x = 0; x < image.width() && !hasLine; ++x) hasLine = image.pixelColor(x, y) == QColor(0x00, 0x72, 0xB2);
        }
        QVERIFY(hasLine);
    }
    void aFolderWithoutAReportIsAnError()
    {
        QTemporaryDir place;
        const auto printed = printReportFolder(place.path(), place.filePath(QStringLiteral("x.pdf")));
        QVERIFY(!printed);
        QVERIFY(printed.error().reason.find("report.html") != std::string::npos);
    }

private:
    DatasetBuilder m_builder;
};

QTEST_MAIN(TestReportExporter)
#include "test_report_exporter.moc"
