// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTest>
#include <filesystem>
#include <fstream>

#include "core/io/json_codec.h"
#include "tests/support/dataset_builder.h"
#include "ui/models/workspace.h"

using namespace tracedeck;
using tracedeck::test::DatasetBuilder;
using tracedeck::ui::Workspace;

namespace {

constexpr int kWaitMs = 20'000;

QString rootOf(const DatasetBuilder& builder) { return QString::fromStdString(builder.root().string()); }

/// Two definitions, solutions by two authors, three workloads, one trace.
void fill(DatasetBuilder& builder)
{
    builder.definition({.name = "gemm_a"}).definition({.name = "norm_b", .opType = "rmsnorm"});
    builder.solution({.name = "a_base", .definition = "gemm_a", .author = "baseline"})
        .solution({.name = "a_fast", .definition = "gemm_a", .author = "ann"})
        .solution({.name = "b_base", .definition = "norm_b", .author = "baseline"});
    builder.workload({.definition = "gemm_a", .uuid = "w1", .axes = {{"M", 1}}})
        .workload({.definition = "gemm_a", .uuid = "w2", .axes = {{"M", 2}}})
        .workload({.definition = "norm_b", .uuid = "w3", .axes = {{"M", 3}}});
    builder.trace({.definition = "gemm_a", .solution = "a_base", .uuid = "w1", .hardware = "Card One"});
}

bool openAndWait(Workspace& workspace, const QString& path)
{
    QSignalSpy opened(&workspace, &Workspace::datasetOpened);
    workspace.open(path);
    return QTest::qWaitFor([&] { return opened.count() > 0; }, kWaitMs);
}

}  // namespace

class TestWorkspace : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void init();
    void startsWithAnEmptyDataset();
    void opensInTheBackgroundAndTells();
    void refusesAFolderThatIsNotThereAndKeepsTheOldOne();
    void replacesALoadInProgress();
    void cancellingKeepsWhatWasOpen();
    void canBeDestroyedWhileLoading();
    void reloadKeepsWhatIsLookedAtAndDropsWhatIsGone();
    void anotherFolderStartsAfresh();
    void growsWithResultsThatAreOnDisk();
    void resultsThatARereadHasSeenAreNotDoubled();
    void resultsThatTheWatcherToldOfFirstAreNotDoubled_data();
    void resultsThatTheWatcherToldOfFirstAreNotDoubled();
    void followsWhatOtherProgramsChange();
    void followingKeepsResultsOfARunWhereTheyAre();
    void aRowThatFollowsLeavesTheOthersTheirNumbers();
    void remembersTheBaselineOfEachFolder();
    void currentSolutionBringsItsDefinition();
    void settersTellOnlyWhenSomethingChanges();
};

void TestWorkspace::initTestCase() { QStandardPaths::setTestModeEnabled(true); }
void TestWorkspace::init() { QSettings().clear(); }

void TestWorkspace::startsWithAnEmptyDataset()
{
    Workspace workspace;
    QVERIFY(workspace.dataset());
    QVERIFY(!workspace.isOpen());
    QVERIFY(!workspace.isLoading());
    QCOMPARE(workspace.dataset()->definitions().size(), std::size_t{0});
    QCOMPARE(workspace.currentTrace(), qint64{-1});
}

void TestWorkspace::opensInTheBackgroundAndTells()
{
    DatasetBuilder builder;
    fill(builder);
    Workspace workspace;
    QSignalSpy started(&workspace, &Workspace::loadStarted);
    QSignalSpy opened(&workspace, &Workspace::datasetOpened);
    QSignalSpy changed(&workspace, &Workspace::datasetChanged);
    workspace.open(rootOf(builder));
    QVERIFY(workspace.isLoading());
    QVERIFY(!workspace.isOpen());   // nothing happens before the event loop runs
    QCOMPARE(started.count(), 1);
    QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, kWaitMs);
    QVERIFY(workspace.isOpen());
    QVERIFY(!workspace.isLoading());
    QCOMPARE(changed.count(), 1);
    QCOMPARE(changed.front().front().toBool(), false);
    QCOMPARE(workspace.dataset()->definitions().size(), std::size_t{2});
    QCOMPARE(workspace.dataset()->traces().size(), std::size_t{1});
    QCOMPARE(workspace.hardwareNames(), QStringList{QStringLiteral("Card One")});
    QCOMPARE(workspace.baselineAuthor(), QStringLiteral("baseline"));
}

void TestWorkspace::refusesAFolderThatIsNotThereAndKeepsTheOldOne()
{
    DatasetBuilder builder;
    fill(builder);
    Workspace workspace;
    QVERIFY(openAndWait(workspace, rootOf(builder)));
    const auto before = workspace.dataset();
    QSignalSpy failed(&workspace, &Workspace::loadFailed);
    workspace.open(rootOf(builder) + QStringLiteral("/not_here"));
    QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, kWaitMs);
    QVERIFY(failed.front().at(0).toString().endsWith(QStringLiteral("not_here")));
    QVERIFY(!failed.front().at(1).toString().isEmpty());
    QCOMPARE(workspace.dataset(), before);
    QVERIFY(workspace.isOpen());
    QVERIFY(!workspace.isLoading());
    QVERIFY(!QDir(rootOf(builder) + QStringLiteral("/not_here")).exists());
}

void TestWorkspace::replacesALoadInProgress()
{
    DatasetBuilder first;
    fill(first);
    DatasetBuilder second;
    second.definition({.name = "only"});
    Workspace workspace;
    QSignalSpy opened(&workspace, &Workspace::datasetOpened);
    QSignalSpy failed(&workspace, &Workspace::loadFailed);
    for (int i = 0; i < 5; ++i)
        workspace.open(rootOf(first));
    workspace.open(rootOf(second));
    QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, kWaitMs);
    QCOMPARE(workspace.root(), rootOf(second));
    QCoreApplication::processEvents();
    QCOMPARE(opened.count(), 1);
    QCOMPARE(failed.count(), 0);
}

void TestWorkspace::cancellingKeepsWhatWasOpen()
{
    DatasetBuilder first;
    fill(first);
    DatasetBuilder second;
    second.definition({.name = "only"});
    Workspace workspace;
    QVERIFY(openAndWait(workspace, rootOf(first)));
    QSignalSpy cancelled(&workspace, &Workspace::loadCancelled);
    QSignalSpy opened(&workspace, &Workspace::datasetOpened);
    workspace.open(rootOf(second));
    workspace.cancelLoading();
    QCOMPARE(cancelled.count(), 1);
    QVERIFY(!workspace.isLoading());
    QCOMPARE(workspace.root(), rootOf(first));
    // The load that was given up may still report: opening again proves that it is not taken for the new one.
    QVERIFY(openAndWait(workspace, rootOf(first)));
    QCOMPARE(opened.count(), 1);
    QCOMPARE(workspace.root(), rootOf(first));
    workspace.cancelLoading();
    QCOMPARE(cancelled.count(), 1);
}

void TestWorkspace::canBeDestroyedWhileLoading()
{
    DatasetBuilder builder;
    fill(builder);
    for (int i = 0; i < 10; ++i) {
        Workspace workspace;
        QSignalSpy opened(&workspace, &Workspace::datasetOpened);
        workspace.open(rootOf(builder));
        workspace.open(rootOf(builder));
        QCOMPARE(opened.count(), 0);
    }
}

void TestWorkspace::reloadKeepsWhatIsLookedAtAndDropsWhatIsGone()
{
    DatasetBuilder builder;
    fill(builder);
    Workspace workspace;
    QVERIFY(openAndWait(workspace, rootOf(builder)));
    workspace.setCurrentDefinition(QStringLiteral("gemm_a"));
    workspace.setCurrentSolution(QStringLiteral("a_fast"));
    workspace.setCurrentTrace(0);
    workspace.setHardware(QStringLiteral("Card One"));
    Selection selection;
    selection.solutions = {"a_base", "a_fast"};
    selection.workloads = {"w1", "w2"};
    workspace.setSelection(selection);

    QVERIFY(std::filesystem::remove(builder.root() / "solutions/ann/gemm/gemm_a/a_fast.json"));
    // A trace before the old one: its row number changes, the trace that is looked at does not.
    builder.trace({.definition = "gemm_a", .solution = "a_base", .uuid = "w2", .hardware = "Card One", .file = "traces/0_first/x.jsonl"});
    QSignalSpy opened(&workspace, &Workspace::datasetOpened);
    workspace.reload();
    QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, kWaitMs);
    QCOMPARE(workspace.currentDefinition(), QStringLiteral("gemm_a"));
    QCOMPARE(workspace.currentSolution(), QString());
    QCOMPARE(workspace.hardware(), QStringLiteral("Card One"));
    QCOMPARE(workspace.selection().solutions, (std::set<std::string>{"a_base"}));
    QCOMPARE(workspace.selection().workloads, (std::set<std::string>{"w1", "w2"}));
    QVERIFY(workspace.currentTrace() >= 0);
    const auto& table = workspace.dataset()->traces();
    QCOMPARE(table.size(), std::size_t{2});
    QCOMPARE(table.workloadUuid(table.row(static_cast<std::size_t>(workspace.currentTrace()))), std::string("w1"));
}

void TestWorkspace::anotherFolderStartsAfresh()
{
    DatasetBuilder first;
    fill(first);
    DatasetBuilder second;
    fill(second);
    Workspace workspace;
    QVERIFY(openAndWait(workspace, rootOf(first)));
    workspace.setCurrentSolution(QStringLiteral("a_fast"));
    workspace.setCurrentTrace(0);
    Selection selection;
    selection.definitions = {"gemm_a"};
    workspace.setSelection(selection);
    QVERIFY(openAndWait(workspace, rootOf(second)));
    QCOMPARE(workspace.currentDefinition(), QString());
    QCOMPARE(workspace.currentSolution(), QString());
    QCOMPARE(workspace.currentTrace(), qint64{-1});
    QVERIFY(workspace.selection().empty());
}

void TestWorkspace::growsWithResultsThatAreOnDisk()
{
    DatasetBuilder builder;
    fill(builder);
    Workspace workspace;
    QVERIFY(openAndWait(workspace, rootOf(builder)));
    workspace.setCurrentTrace(0);
    const auto before = workspace.dataset();
    QSignalSpy changed(&workspace, &Workspace::datasetChanged);
    auto trace = before->readTrace(0);
    QVERIFY(trace.has_value());
    trace->solution = "a_fast";
    const std::filesystem::path file = builder.root() / before->traceFile(0);
    workspace.addTraces({{*trace, file, std::filesystem::file_size(file)}});
    QTRY_COMPARE_WITH_TIMEOUT(changed.count(), 1, kWaitMs);
    QCOMPARE(changed.front().front().toBool(), true);
    QCOMPARE(before->traces().size(), std::size_t{1});   // the old snapshot is as it was
    const auto& table = workspace.dataset()->traces();
    QCOMPARE(table.size(), std::size_t{2});
    QCOMPARE(std::string(table.solutionName(table.row(1))), std::string("a_fast"));
    QCOMPARE(workspace.currentTrace(), qint64{0});
    QCOMPARE(workspace.dataset()->traceRowsOfSolution("a_fast").size(), std::size_t{1});
}

void TestWorkspace::resultsThatARereadHasSeenAreNotDoubled()
{
    DatasetBuilder builder;
    fill(builder);
    Workspace workspace;
    QVERIFY(openAndWait(workspace, rootOf(builder)));
    const std::filesystem::path file = builder.root() / workspace.dataset()->traceFile(0);
    const auto offset = std::filesystem::file_size(file);
    auto trace = workspace.dataset()->readTrace(0);
    QVERIFY(trace.has_value());
    trace->solution = "a_fast";
    builder.line(workspace.dataset()->traceFile(0).string(), writeLine(encodeTrace(*trace)));
    QSignalSpy opened(&workspace, &Workspace::datasetOpened);
    workspace.reload();
    workspace.addTraces({{*trace, file, offset}});   // while loading
    QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, kWaitMs);
    QCoreApplication::processEvents();
    QCOMPARE(workspace.dataset()->traces().size(), std::size_t{2});
}

void TestWorkspace::resultsThatTheWatcherToldOfFirstAreNotDoubled_data()
{
    QTest::addColumn<int>("tracesBefore");
    QTest::addColumn<QByteArray>("lineEnd");
    QTest::newRow("few traces") << 1 << QByteArray("\n");
    QTest::newRow("no line end yet") << 1 << QByteArray();
    QTest::newRow("so many that a thread adds them") << 20'001 << QByteArray("\n");
}

void TestWorkspace::resultsThatTheWatcherToldOfFirstAreNotDoubled()
{
    QFETCH(int, tracesBefore);
    QFETCH(QByteArray, lineEnd);
    DatasetBuilder builder;
    fill(builder);
    Workspace workspace;
    {
        const auto loaded = Dataset::load(builder.root());
        QVERIFY(loaded.has_value());
        const auto first = (*loaded)->readTrace(0);
        QVERIFY(first.has_value());
        const std::string line = writeLine(encodeTrace(*first));
        std::string lines;
        for (int i = 1; i < tracesBefore; ++i)
            lines += line;
        std::ofstream(builder.root() / (*loaded)->traceFile(0), std::ios::app | std::ios::binary) << lines;
    }
    QVERIFY(openAndWait(workspace, rootOf(builder)));
    const std::size_t before = workspace.dataset()->traces().size();
    QCOMPARE(before, static_cast<std::size_t>(tracesBefore));
    const std::filesystem::path file = builder.root() / workspace.dataset()->traceFile(0);
    const auto offset = std::filesystem::file_size(file);
    auto trace = workspace.dataset()->readTrace(0);
    QVERIFY(trace.has_value());
    trace->solution = "a_fast";
    std::string line = writeLine(encodeTrace(*trace));
    while (line.ends_with('\n'))
        line.pop_back();
    std::ofstream(file, std::ios::app | std::ios::binary) << line << lineEnd.constData() << std::flush;
    QTRY_COMPARE_WITH_TIMEOUT(workspace.dataset()->traces().size(), before + 1, kWaitMs);

    // The run's own report comes late, together with one of a line that may not have been read yet.
    const auto reported = workspace.dataset()->readTrace(before);
    QVERIFY(reported.has_value());
    trace->solution = "a_base";
    std::ofstream(file, std::ios::app | std::ios::binary) << (lineEnd.isEmpty() ? "\n" : "") << writeLine(encodeTrace(*trace)) << std::flush;
    workspace.addTraces({{*reported, file, offset}, {*trace, file, offset + line.size() + 1}});
    const auto countOf = [&](const std::string& solution) { return workspace.dataset()->traceRowsOfSolution(solution).size(); };
    QTRY_COMPARE_WITH_TIMEOUT(workspace.dataset()->traces().size(), before + 2, kWaitMs);
    // A later change shows that the folder was read once more.
    builder.definition({.name = "later"});
    QTRY_VERIFY_WITH_TIMEOUT(workspace.dataset()->findDefinition("later") != nullptr, kWaitMs);
    QCOMPARE(workspace.dataset()->traces().size(), before + 2);
    QCOMPARE(countOf("a_fast"), std::size_t{1});
    QCOMPARE(countOf("a_base"), before + 1);
}

void TestWorkspace::followsWhatOtherProgramsChange()
{
    DatasetBuilder builder;
    fill(builder);
    Workspace workspace;
    QVERIFY(openAndWait(workspace, rootOf(builder)));
    workspace.setCurrentDefinition(QStringLiteral("gemm_a"));
    workspace.setCurrentSolution(QStringLiteral("a_fast"));
    workspace.setCurrentTrace(0);
    Selection selection;
    selection.solutions = {"a_base", "b_base"};
    workspace.setSelection(selection);
    QSignalSpy opened(&workspace, &Workspace::datasetOpened);
    QSignalSpy started(&workspace, &Workspace::loadStarted);
    QSignalSpy comparison(&workspace, &Workspace::comparisonChanged);

    // A file before the one that is looked at, and a solution less: nobody pressed "Reload".
    builder.trace({.definition = "gemm_a", .solution = "a_base", .uuid = "w2", .hardware = "Card Two", .file = "traces/0_first/x.jsonl"});
    QTRY_COMPARE_WITH_TIMEOUT(workspace.dataset()->traces().size(), std::size_t{2}, kWaitMs);
    QCOMPARE(workspace.currentTrace(), qint64{1});
    QCOMPARE(workspace.currentSolution(), QStringLiteral("a_fast"));
    QVERIFY(std::filesystem::remove(builder.root() / "solutions/baseline/rmsnorm/norm_b/b_base.json"));
    QTRY_COMPARE_WITH_TIMEOUT(workspace.dataset()->solutions().size(), std::size_t{2}, kWaitMs);
    QCOMPARE(workspace.selection().solutions, (std::set<std::string>{"a_base"}));
    QCOMPARE(workspace.currentDefinition(), QStringLiteral("gemm_a"));
    QCOMPARE(workspace.hardwareNames(), (QStringList{QStringLiteral("Card One"), QStringLiteral("Card Two")}));
    // The window was not told of an opened dataset, and no progress bar came up.
    QCOMPARE(opened.count(), 0);
    QCOMPARE(started.count(), 0);
    QCOMPARE(comparison.count(), 0);
}

void TestWorkspace::followingKeepsResultsOfARunWhereTheyAre()
{
    DatasetBuilder builder;
    fill(builder);
    builder.trace({.definition = "norm_b", .solution = "b_base", .uuid = "w3", .file = "traces/zoe/norm_b.jsonl"});
    Workspace workspace;
    QVERIFY(openAndWait(workspace, rootOf(builder)));
    const std::filesystem::path file = builder.root() / workspace.dataset()->traceFile(0);
    const auto offset = std::filesystem::file_size(file);
    auto trace = workspace.dataset()->readTrace(0);
    QVERIFY(trace.has_value());
    trace->solution = "a_fast";
    builder.line(workspace.dataset()->traceFile(0).string(), writeLine(encodeTrace(*trace)));
    workspace.addTraces({{*trace, file, offset}});
    QCOMPARE(workspace.dataset()->traces().size(), std::size_t{3});
    QCOMPARE(std::string(workspace.dataset()->traces().solutionName(workspace.dataset()->traces().row(2))), std::string("a_fast"));
    const auto shown = workspace.dataset();
    // The watcher tells of the line; a later change shows that the folder was read again.
    builder.definition({.name = "later"});
    QTRY_VERIFY_WITH_TIMEOUT(workspace.dataset()->findDefinition("later") != nullptr, kWaitMs);
    QCOMPARE(workspace.dataset()->traces().size(), std::size_t{3});
    QCOMPARE(shown->traces().size(), std::size_t{3});
}

void TestWorkspace::aRowThatFollowsLeavesTheOthersTheirNumbers()
{
    DatasetBuilder builder;
    fill(builder);
    Workspace workspace;
    QVERIFY(openAndWait(workspace, rootOf(builder)));
    QSignalSpy changed(&workspace, &Workspace::datasetChanged);
    builder.trace({.definition = "gemm_a", .solution = "a_fast", .uuid = "w2", .file = "traces/zzz/last.jsonl"});
    QTRY_COMPARE_WITH_TIMEOUT(workspace.dataset()->traces().size(), std::size_t{2}, kWaitMs);
    QCOMPARE(changed.count(), 1);
    QCOMPARE(changed.front().front().toBool(), true);
}

void TestWorkspace::remembersTheBaselineOfEachFolder()
{
    DatasetBuilder first;
    fill(first);
    DatasetBuilder second;
    fill(second);
    {
        Workspace workspace;
        QVERIFY(openAndWait(workspace, rootOf(first)));
        QSignalSpy changed(&workspace, &Workspace::comparisonChanged);
        workspace.setBaselineAuthor(QStringLiteral("ann"));
        QCOMPARE(changed.count(), 1);
        QVERIFY(openAndWait(workspace, rootOf(second)));
        QCOMPARE(workspace.baselineAuthor(), QStringLiteral("baseline"));
    }
    Workspace again;
    QVERIFY(openAndWait(again, rootOf(first)));
    QCOMPARE(again.baselineAuthor(), QStringLiteral("ann"));
}

void TestWorkspace::currentSolutionBringsItsDefinition()
{
    DatasetBuilder builder;
    fill(builder);
    Workspace workspace;
    QVERIFY(openAndWait(workspace, rootOf(builder)));
    workspace.setCurrentSolution(QStringLiteral("b_base"));
    QCOMPARE(workspace.currentDefinition(), QStringLiteral("norm_b"));
    QSignalSpy solution(&workspace, &Workspace::currentSolutionChanged);
    workspace.setCurrentDefinition(QStringLiteral("gemm_a"));
    QCOMPARE(workspace.currentSolution(), QString());
    QCOMPARE(solution.count(), 1);
}

void TestWorkspace::settersTellOnlyWhenSomethingChanges()
{
    DatasetBuilder builder;
    fill(builder);
    Workspace workspace;
    QVERIFY(openAndWait(workspace, rootOf(builder)));
    QSignalSpy comparison(&workspace, &Workspace::comparisonChanged);
    QSignalSpy trace(&workspace, &Workspace::currentTraceChanged);
    QSignalSpy selection(&workspace, &Workspace::selectionChanged);
    workspace.setPolicy(SelectionPolicy::LowestMedian);
    workspace.setPolicy(SelectionPolicy::LowestMedian);
    workspace.setHardware(QString());
    QCOMPARE(comparison.count(), 1);
    workspace.setCurrentTrace(0);
    workspace.setCurrentTrace(0);
    QCOMPARE(trace.count(), 1);
    workspace.setCurrentTrace(99);
    QCOMPARE(workspace.currentTrace(), qint64{-1});
    QCOMPARE(trace.count(), 2);
    workspace.setSelection({});
    QCOMPARE(selection.count(), 0);
}

QTEST_MAIN(TestWorkspace)
#include "test_workspace.moc"
