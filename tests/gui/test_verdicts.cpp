// SPDX-License-Identifier: GPL-3.0-or-later
// What the judge noticed, in the details of a trace.
#include <QDirIterator>
#include <QFile>
#include <QLabel>
#include <QRegularExpression>
#include <QTest>

#include "tests/support/gui_test.h"
#include "ui/models/verdict_text.h"
#include "ui/models/workspace.h"
#include "ui/pages/trace_details.h"
#include "ui/pages/trace_facts.h"

using namespace tracedeck;
using namespace tracedeck::ui;
using tracedeck::test::DatasetBuilder;

class TestVerdicts : public QObject {
    Q_OBJECT
private slots:
    void everyVerdictOfTheJudgeIsExplained();
    void unknownVerdictsKeepTheirName();
    void theDetailsSayWhatWasNoticed_data();
    void theDetailsSayWhatWasNoticed();
};

/// Ids as they stand in the judge's sources.
void TestVerdicts::everyVerdictOfTheJudgeIsExplained()
{
    static const QRegularExpression kGiven(QStringLiteral(R"re((?:record\.add\(|fail\(Status::\w+, |failedCheck\(Status::\w+, |failedValues\([^;]*?, |push_back\(\{)"([a-z]+(?:\.[a-z_]+)?|host_sync|fixed_inputs)")re"));
    QSet<QString> ids;
    QDirIterator files(QStringLiteral(TRACEDECK_SOURCE_DIR "/core/judge"), {QStringLiteral("*.cpp")}, QDir::Files);
    while (files.hasNext()) {
        QFile file(files.next());
        QVERIFY(file.open(QIODevice::ReadOnly));
        auto found = kGiven.globalMatch(QString::fromUtf8(file.readAll()));
        while (found.hasNext())
            ids.insert(found.next().captured(1));
    }
    QVERIFY2(ids.size() >= 25, qPrintable(QStringList(ids.values()).join(QLatin1Char(' '))));
    QVERIFY(ids.contains(QStringLiteral("late.write")) && ids.contains(QStringLiteral("host_sync")));
    QStringList unexplained;
    for (const QString& id : ids) {
        if (verdictText({id.toStdString(), "note", -1, {}}).explanation.isEmpty())
            unexplained << id;
    }
    QVERIFY2(unexplained.isEmpty(), qPrintable(unexplained.join(QLatin1Char(' '))));
}

void TestVerdicts::unknownVerdictsKeepTheirName()
{
    const VerdictText text = verdictText({"made.up", "warn", -1, "because"});
    QCOMPARE(text.title, QStringLiteral("made.up"));
    QVERIFY(text.explanation.isEmpty());
    QCOMPARE(text.symbol, QStringLiteral("⚠"));
}

void TestVerdicts::theDetailsSayWhatWasNoticed_data()
{
    QTest::addColumn<QString>("status");
    QTest::addColumn<QString>("verdict");
    QTest::addColumn<QString>("level");
    QTest::addColumn<QString>("header");
    QTest::addColumn<QString>("entry");
    QTest::newRow("caught") << "INCORRECT_NUMERICAL" << "late.write" << "reject" << "⚑ caught: wrote after the end" << "⚑ wrote after the end";
    QTest::newRow("a mistake") << "INCORRECT_NUMERICAL" << "output.wrong" << "reject" << "≠ wrong values" << "! wrong values";
    QTest::newRow("a remark") << "PASSED" << "time.claimed_only" << "note" << "✓ passed" << "i time not confirmed";
}

void TestVerdicts::theDetailsSayWhatWasNoticed()
{
    QFETCH(QString, status);
    QFETCH(QString, verdict);
    QFETCH(QString, level);
    QFETCH(QString, header);
    QFETCH(QString, entry);
    DatasetBuilder builder;
    builder.definition({.name = "add_one"}).solution({.name = "s", .definition = "add_one"}).workload({.definition = "add_one", .uuid = "w"});
    const Json judge = {{"verdicts", {{{"id", verdict.toStdString()}, {"level", level.toStdString()}, {"evidence", "seen in call 7"}}}}};
    builder.trace({.definition = "add_one", .solution = "s", .uuid = "w", .status = *statusFromString(status.toStdString()), .judge = judge.dump()});
    Workspace workspace;
    TraceDetails details(&workspace);
    QVERIFY(test::openDataset(workspace, builder.root()));
    QCOMPARE(workspace.dataset()->traces().size(), std::size_t{1});
    QSignalSpy shown(&details, &TraceDetails::traceShown);
    workspace.setCurrentTrace(0);
    QTRY_COMPARE(shown.size(), 1);
    QVERIFY2(details.trace().has_value(), "the trace was not read");
    QCOMPARE(details.findChild<QLabel*>(QStringLiteral("traceStatus"))->text(), header);
    const auto* facts = details.findChild<TraceFacts*>();
    const QTreeWidgetItem* first = facts->topLevelItem(0);
    QCOMPARE(first->childCount(), 1);
    QCOMPARE(first->child(0)->text(0), entry);
    QCOMPARE(first->child(0)->text(1), QStringLiteral("seen in call 7"));
    QVERIFY(first->child(0)->toolTip(0).contains(QStringLiteral("seen in call 7")));
    QVERIFY(first->child(0)->toolTip(0).size() > 40);
}

QTEST_MAIN(TestVerdicts)
#include "test_verdicts.moc"
