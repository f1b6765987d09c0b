// SPDX-License-Identifier: GPL-3.0-or-later
// Several folders shown as one dataset.
#include <QTest>
#include <algorithm>
#include <filesystem>
#include <string>

#include "core/store/joined_dataset.h"
#include "core/store/query.h"
#include "tests/support/dataset_builder.h"

using namespace tracedeck;
using tracedeck::test::DatasetBuilder;

namespace {

std::shared_ptr<const Dataset> join(const DatasetBuilder& a, const DatasetBuilder& b) { return joinDatasets({a.load(), b.load()}); }

/// Of each trace its folder's place among the folders, its solution and its workload.
QStringList tracesOf(const Dataset& dataset)
{
    QStringList texts;
    for (const TraceRow& row : dataset.traces().rows()) {
        texts << QStringLiteral("%1 %2 %3").arg(dataset.folderIndexOf(row)).arg(QString::fromStdString(std::string(dataset.traces().solutionName(row))),
                                                                                QString::fromStdString(dataset.traces().workloadUuid(row)));
    }
    return texts;
}

/// The problems that name both of these files, or these texts.
std::size_t problemsNaming(const Dataset& dataset, const std::string& one, const std::string& other, Severity severity)
{
    return static_cast<std::size_t>(std::count_if(dataset.problems().begin(), dataset.problems().end(), [&](const Problem& problem) {
        const std::string text = problem.error.toString();
        return problem.severity == severity && text.find(one) != std::string::npos && text.find(other) != std::string::npos;
    }));
}

std::string inFolder(const DatasetBuilder& builder, const std::string& file) { return (builder.root() / file).string(); }

/// A definition g with a solution, a workload and a trace of it, each named after the folder.
void fill(DatasetBuilder& builder, const std::string& name)
{
    builder.definition({.name = "g"}).solution({.name = "s_" + name, .definition = "g"}).workload({.definition = "g", .uuid = "w_" + name});
    builder.trace({.definition = "g", .solution = "s_" + name, .uuid = "w_" + name});
}

constexpr const char* kDefinition = "definitions/gemm/g.json";
constexpr const char* kTraces = "traces/ann/gemm/g.jsonl";

}  // namespace

class TestJoinedDataset : public QObject {
    Q_OBJECT
private slots:
    void whatIsInEitherFolderIsShown()
    {
        DatasetBuilder a;
        DatasetBuilder b;
        fill(a, "a");
        fill(b, "b");
        b.definition({.name = "h", .opType = "norm"});
        const auto joined = join(a, b);
        QVERIFY(joined->isJoined());
        QCOMPARE(joined->definitions().size(), std::size_t{2});
        QCOMPARE(joined->solutionsOf("g").size(), std::size_t{2});
        QCOMPARE(joined->workloadsOf("g").size(), std::size_t{2});
        QCOMPARE(tracesOf(*joined), QStringList({QStringLiteral("0 s_a w_a"), QStringLiteral("1 s_b w_b")}));
        QCOMPARE(joined->traceRowsOfDefinition("g").size(), std::size_t{2});
        QVERIFY(joined->problems().empty());
        QCOMPARE(rootsOf(*joined), std::vector<std::filesystem::path>({a.root(), b.root()}));
        for (const TraceRow& row : joined->traces().rows()) {
            const auto index = static_cast<std::size_t>(&row - joined->traces().rows().data());
            const auto read = joined->readTrace(index);
            QVERIFY2(read, read ? "" : read.error().toString().c_str());
            QCOMPARE(*read->solution, std::string(joined->traces().solutionName(row)));
            QCOMPARE(joined->folderOf(row), index == 0 ? a.root() : b.root());
        }
    }

    void anotherDefinitionOfTheNameIsLeftOutWithWhatWasMadeWithIt()
    {
        DatasetBuilder a;
        DatasetBuilder b;
        fill(a, "a");
        fill(b, "b");
        b.definition({.name = "g", .reference = "def run(x):\n    return x + 2\n"});
        const auto joined = join(a, b);
        QCOMPARE(joined->findDefinition("g")->sourceFile, inFolder(a, kDefinition));
        QVERIFY(joined->findSolution("s_b") == nullptr);
        QCOMPARE(joined->workloadsOf("g").size(), std::size_t{1});
        QCOMPARE(tracesOf(*joined), QStringList{QStringLiteral("0 s_a w_a")});
        QCOMPARE(problemsNaming(*joined, inFolder(a, kDefinition), inFolder(b, kDefinition), Severity::Error), std::size_t{1});
        QCOMPARE(problemsNaming(*joined, "s_b", inFolder(b, "solutions/ann/gemm/g/s_b.json"), Severity::Error), std::size_t{1});
        QCOMPARE(problemsNaming(*joined, "1 trace is left out", inFolder(b, kTraces), Severity::Error), std::size_t{1});
    }

    void definitionsThatDifferInWordsStayTogether()
    {
        DatasetBuilder a;
        DatasetBuilder b;
        fill(a, "a");
        fill(b, "b");
        b.definition({.name = "g", .opType = "matmul"});
        std::filesystem::remove(b.root() / kDefinition);
        const auto joined = join(a, b);
        QCOMPARE(tracesOf(*joined).size(), 2);
        QCOMPARE(problemsNaming(*joined, inFolder(a, kDefinition), inFolder(b, "definitions/matmul/g.json"), Severity::Warning), std::size_t{1});
    }

    void anotherSolutionOfTheNameIsLeftOutWithItsTraces()
    {
        DatasetBuilder a;
        DatasetBuilder b;
        for (DatasetBuilder* builder : {&a, &b}) {
            builder->definition({.name = "g"}).workload({.definition = "g", .uuid = "w"});
            builder->solution({.name = "s", .definition = "g", .source = builder == &a ? "def run(x):\n    return x + 1\n" : "def run(x):\n    return 1 + x\n"});
        }
        a.trace({.definition = "g", .solution = "s", .uuid = "w", .timestamp = "2026-01-01T00:00:00"});
        b.trace({.definition = "g", .solution = "s", .uuid = "w", .timestamp = "2026-01-02T00:00:00"});
        const auto joined = join(a, b);
        QCOMPARE(tracesOf(*joined), QStringList{QStringLiteral("0 s w")});
        const std::string file = "solutions/ann/gemm/g/s.json";
        QCOMPARE(problemsNaming(*joined, inFolder(a, file), inFolder(b, file), Severity::Error), std::size_t{1});
        QCOMPARE(problemsNaming(*joined, "1 trace is left out", inFolder(b, kTraces), Severity::Error), std::size_t{1});
        QCOMPARE(joined->workloadsOf("g").size(), std::size_t{1});   // identical
    }

    void anotherWorkloadOfTheUuidIsLeftOutWithItsTraces()
    {
        DatasetBuilder a;
        DatasetBuilder b;
        a.definition({.name = "g"}).solution({.name = "s", .definition = "g"}).workload({.definition = "g", .uuid = "w", .axes = {{"M", 1}}});
        b.definition({.name = "g"}).solution({.name = "s", .definition = "g"}).workload({.definition = "g", .uuid = "w", .axes = {{"M", 2}}});
        a.trace({.definition = "g", .solution = "s", .uuid = "w", .axes = {{"M", 1}}});
        b.trace({.definition = "g", .solution = "s", .uuid = "w", .axes = {{"M", 2}}});
        const auto joined = join(a, b);
        QCOMPARE(joined->workloadsOf("g").size(), std::size_t{1});
        QCOMPARE(tracesOf(*joined), QStringList{QStringLiteral("0 s w")});
        const std::string file = "workloads/gemm/g.jsonl";
        QCOMPARE(problemsNaming(*joined, inFolder(a, file), inFolder(b, file), Severity::Error), std::size_t{1});
    }

    void copiesOfATraceAreShownOnceAndToldOf()
    {
        DatasetBuilder a;
        DatasetBuilder b;
        fill(a, "a");
        fill(b, "a");
        b.trace({.definition = "g", .solution = "s_a", .uuid = "w_a", .latencyMs = 3, .timestamp = "2026-02-01T00:00:00"});
        const auto joined = join(a, b);
        QCOMPARE(tracesOf(*joined), QStringList({QStringLiteral("0 s_a w_a"), QStringLiteral("1 s_a w_a")}));
        QCOMPARE(problemsNaming(*joined, inFolder(a, kTraces), inFolder(b, kTraces), Severity::Warning), std::size_t{1});
    }

    void aRunIsForTheFolderThatHasEverything_data()
    {
        QTest::addColumn<QString>("solution");
        QTest::addColumn<QString>("workload");
        QTest::addColumn<int>("folder");   // -1: none
        QTest::newRow("of the first") << "s_a" << "w_a" << 0;
        QTest::newRow("of the second") << "s_b" << "w_b" << 1;
        QTest::newRow("any solution") << "" << "w_b" << 1;
        QTest::newRow("a workload of the one, a solution of the other") << "s_a" << "w_b" << -1;
    }
    void aRunIsForTheFolderThatHasEverything()
    {
        QFETCH(QString, solution);
        QFETCH(QString, workload);
        QFETCH(int, folder);
        DatasetBuilder a;
        DatasetBuilder b;
        fill(a, "a");
        fill(b, "b");
        const auto joined = join(a, b);
        const auto found = folderToRunIn(joined, {{"g", solution.toStdString(), workload.toStdString()}});
        QCOMPARE(static_cast<bool>(found), folder >= 0);
        if (found) {
            QCOMPARE((*found)->root(), folder == 0 ? a.root() : b.root());
            QVERIFY(!(*found)->isJoined());
        } else {
            const std::string reason = found.error().reason;
            for (const JoinedFolder& one : joined->folders()) QVERIFY2(reason.find(one.name) != std::string::npos, reason.c_str());
        }
    }

    void whatLiesInSeveralFoldersIsNotRunAtOnce()
    {
        DatasetBuilder a;
        DatasetBuilder b;
        fill(a, "a");
        fill(b, "b");
        const auto joined = join(a, b);
        const auto found = folderToRunIn(joined, {{"g", "s_a", "w_a"}, {"g", "s_b", "w_b"}});
        QVERIFY(!found);
        QVERIFY2(found.error().reason.find("several folders") != std::string::npos, found.error().reason.c_str());
        const auto alone = a.load();
        QCOMPARE(*folderToRunIn(alone, {{"g", "nobody", "nothing"}}), alone);
    }

    void aReloadReadsWhatChangedAndNothingElse()
    {
        DatasetBuilder a;
        DatasetBuilder b;
        fill(a, "a");
        fill(b, "b");
        const auto loaded = loadFolders({a.root(), b.root()});
        QVERIFY(loaded);
        const auto again = Dataset::reload(*loaded);
        QVERIFY(again && (*again)->hasSameContent(**loaded));   // the files are too young for less than a look
        a.trace({.definition = "g", .solution = "s_a", .uuid = "w_a", .timestamp = "2026-03-01T00:00:00"});
        const auto reloaded = Dataset::reload(*loaded);
        QVERIFY(reloaded);
        QCOMPARE(tracesOf(**reloaded), QStringList({QStringLiteral("0 s_a w_a"), QStringLiteral("0 s_a w_a"), QStringLiteral("1 s_b w_b")}));
        QVERIFY((*reloaded)->folders()[1].dataset->hasSameContent(*(*loaded)->folders()[1].dataset));
        QCOMPARE(&(*reloaded)->workloads(), &(*loaded)->workloads());
        QVERIFY(loadFolders({a.root(), a.root()}).error().code == ErrorCode::Usage);
        QVERIFY(!(*loadFolders({a.root()}))->isJoined());
    }

    void resultsGrowInTheirFolder()
    {
        DatasetBuilder a;
        DatasetBuilder b;
        fill(a, "a");
        fill(b, "b");
        const auto joined = join(a, b);
        const auto offset = std::filesystem::file_size(b.root() / kTraces);
        b.trace({.definition = "g", .solution = "s_b", .uuid = "w_b", .timestamp = "2026-03-01T00:00:00"});
        const Trace added = *b.load()->readTrace(1);
        const auto grown = joined->withTraces({{added, b.root() / kTraces, offset}});
        QCOMPARE(tracesOf(*grown).back(), QStringLiteral("1 s_b w_b"));
        QVERIFY(grown->readTrace(2));
        QVERIFY(!joined->hasRead(b.root() / kTraces, offset));
        QVERIFY((*Dataset::reload(joined))->hasRead(b.root() / kTraces, offset));
    }

    void tracesAreFilteredAndSortedByFolder()
    {
        DatasetBuilder a;
        DatasetBuilder b;
        fill(a, "a");
        fill(b, "b");
        const auto joined = join(a, b);
        const std::string second = joined->folders()[1].name;
        QCOMPARE(filterTraces(*joined, {.folders = {second}}), RowIndex{1});
        QCOMPARE(filterTraces(*joined, {.text = second}), RowIndex{1});
        RowIndex rows{0, 1};
        sortTraces(*joined, rows, {{TraceColumn::Folder, true}});
        const bool isFirstSmaller = joined->folders()[0].name < second;
        QCOMPARE(rows, isFirstSmaller ? RowIndex({1, 0}) : RowIndex({0, 1}));
    }

    void foldersOfOneNameAreToldApart()
    {
        QTemporaryDir parent;
        std::vector<std::shared_ptr<const Dataset>> sources;
        for (const char* name : {"one/data", "two/data", "three/more"}) {
            const auto root = std::filesystem::path(parent.path().toStdString()) / name;
            std::filesystem::create_directories(root / "definitions");
            sources.push_back(*Dataset::load(root));
        }
        const auto joined = joinDatasets(sources);
        QCOMPARE(displayName(*joined), std::string("one/data + two/data + three/more"));
        QCOMPARE(displayName(*joinDatasets({sources[0], sources[2]})), std::string("data + more"));
        QCOMPARE(folderContaining(*joined, joined->folders()[2].dataset->root() / "traces/x.jsonl"), std::size_t{2});
    }

    void workloadsKeepTheFolderOfTheirBlobs()
    {
        DatasetBuilder a;
        DatasetBuilder b;
        fill(a, "a");
        fill(b, "b");
        const auto joined = join(a, b);
        QCOMPARE(folderOfWorkload(*joined, "g", "w_a"), a.root());
        QCOMPARE(folderOfWorkload(*joined, "g", "w_b"), b.root());
    }
};

QTEST_GUILESS_MAIN(TestJoinedDataset)
#include "test_joined_dataset.moc"
