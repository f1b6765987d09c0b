// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <fcntl.h>
#include <sys/stat.h>
#include <utime.h>

#include "core/io/json_codec.h"
#include "core/io/trace_writer.h"
#include "core/store/dataset.h"
#include "core/store/dataset_loader.h"
#include "core/store/query.h"
#include "tests/support/dataset_builder.h"

using namespace tracedeck;
using tracedeck::test::DatasetBuilder;

namespace fs = std::filesystem;

namespace {

/// Everything that a snapshot shows, as text: two snapshots are equal when these are.
QStringList contentOf(const Dataset& dataset)
{
    QStringList lines;
    const auto add = [&lines](const std::string& text) { lines << QString::fromStdString(text); };
    for (const auto& definition : dataset.definitions()) {
        add("definition " + definition->name + " " + definition->opType + " " + definition->sourceFile + " " + definition->reference);
        for (const Solution* solution : dataset.solutionsOf(definition->name)) add("  has " + solution->name);
        for (const Trace& workload : dataset.workloadsOf(definition->name)) add("  workload " + writeLine(encodeTrace(workload)));
    }
    for (const auto& solution : dataset.solutions()) {
        add("solution " + solution->name + " " + solution->author + " " + solution->sourceFile + " " + solution->sources.front().content);
    }
    for (const auto& [definition, workloads] : dataset.workloads()) add("workloads of " + definition + ": " + std::to_string(workloads.size()));
    const TraceTable& table = dataset.traces();
    for (std::size_t i = 0; i < table.size(); ++i) {
        const TraceRow& row = table.row(i);
        add("trace " + dataset.traceFile(i).string() + "@" + std::to_string(TraceTable::offsetOf(row)) + " " + table.definitionName(row) + " " +
            table.workloadUuid(row) + " " + table.axesText(row) + " " + std::string(table.solutionName(row)) + " " +
            std::string(table.hardwareName(row)) + " " + std::string(table.timestamp(row)) + " " + std::string(toString(row.status)) + " " +
            std::to_string(row.flags) + " " + std::to_string(row.latencyMs) + " " + std::to_string(row.referenceLatencyMs));
    }
    const auto addRows = [&add](const std::string& name, const std::vector<std::uint32_t>& rows) {
        std::string text = "rows of " + name + ":";
        for (const std::uint32_t row : rows) text += " " + std::to_string(row);
        add(text);
    };
    for (std::uint32_t i = 0; i < 12; ++i) {
        addRows("d" + std::to_string(i), dataset.traceRowsOfDefinition("d" + std::to_string(i)));
        addRows("s" + std::to_string(i), dataset.traceRowsOfSolution("s" + std::to_string(i)));
        for (const std::int64_t value : axisValuesOf(dataset, "d" + std::to_string(i), "M")) add("axis " + std::to_string(value));
    }
    for (const std::string& name : hardwareOf(dataset)) add("hardware " + name);
    for (const Problem& problem : dataset.problems()) {
        add(std::string(problem.severity == Severity::Error ? "error " : "warning ") + problem.error.toString());
    }
    return lines;
}

/// The first line in which two contents differ; empty when there is none.
QString difference(const QStringList& a, const QStringList& b)
{
    for (qsizetype i = 0; i < std::max(a.size(), b.size()); ++i) {
        const QString left = i < a.size() ? a[i] : QStringLiteral("(nothing)");
        const QString right = i < b.size() ? b[i] : QStringLiteral("(nothing)");
        if (left != right) return QStringLiteral("line %1: '%2' against '%3'").arg(QString::number(i), left, right);
    }
    return {};
}

std::shared_ptr<const Dataset> valueOf(const Result<std::shared_ptr<const Dataset>>& result)
{
    if (!result) throw std::runtime_error(result.error().toString());
    return *result;
}

/// A reload with small limits, so that files of a few lines are read in parts and from the middle on.
std::shared_ptr<const Dataset> reloadWithSmallLimits(const std::shared_ptr<const Dataset>& old)
{
    DatasetLoader loader(old->root(), old->loaded() ? old->loaded() : old, {}, nullptr, 2);
    loader.setLimits({.partBytes = 700, .wholeFileBytes = 600, .openLineNs = 0});
    return valueOf(loader.load());
}

void fill(DatasetBuilder& builder)
{
    builder.definition({.name = "d0"}).definition({.name = "d1", .opType = "norm"});
    builder.solution({.name = "s0", .definition = "d0", .author = "baseline"}).solution({.name = "s1", .definition = "d1", .author = "zoe"});
    builder.workload({.definition = "d0", .uuid = "w0"}).workload({.definition = "d1", .uuid = "w1"});
    builder.trace({.definition = "d0", .solution = "s0", .uuid = "w0", .hardware = "Card A"})
        .trace({.definition = "d1", .solution = "s1", .uuid = "w1", .hardware = "Card B"});
}

constexpr const char* kFirstFile = "traces/baseline/gemm/d0.jsonl";
constexpr const char* kLastFile = "traces/zoe/norm/d1.jsonl";

/// Random changes of a dataset folder, of every kind that programs and people make.
class RandomEditor {
public:
    RandomEditor(DatasetBuilder& builder, unsigned seed) : m_builder(builder), m_random(seed) {}

    QString edit()
    {
        switch (below(16)) {
        case 0: m_builder.definition({.name = name("d"), .reference = "def run(x):\n    return x + " + number(9) + "\n"}); return "definition";
        case 1: m_builder.solution({.name = name("s"), .definition = name("d"), .author = author(), .source = "def run(x):\n    return " + number(99) + "\n"}); return "solution";
        case 2: m_builder.workload({.definition = name("d"), .uuid = number(999), .axes = {{"M", below(9)}}}); return "workload";
        case 3:
        case 4:
        case 5:
        case 6: appendTrace(); return "trace appended";
        case 7: remove(); return "file removed";
        case 8: overwriteInPlace(); return "rewritten in place";
        case 9: cut(); return "cut";
        case 10: m_builder.line(traceFile(), "{\"definition\": 1}"); return "bad line";
        case 11: appendRaw(traceFile(), "{\"definition\":\"d0\",\"work"); return "torn line";
        case 12: appendRaw(traceFile(), "\n"); return "line end";
        case 13: replaceFile(); return "replaced by another file";
        case 14: m_builder.file("definitions/" + name("x") + ".json", below(2) == 0 ? "{" : "[]"); return "broken definition";
        default: touch(); return "touched";
        }
    }

private:
    std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(m_random() % limit); }
    std::string number(std::uint32_t limit) { return std::to_string(below(limit)); }
    std::string name(const char* prefix) { return prefix + number(6); }
    std::string author() { return std::string(1, static_cast<char>('a' + below(4))); }
    std::string traceFile() { return "traces/" + author() + "/gemm/" + name("d") + ".jsonl"; }

    void appendTrace()
    {
        const std::uint32_t count = 1 + below(4);
        const std::string file = below(5) == 0 ? "workloads/gemm/" + name("d") + ".jsonl" : traceFile();
        for (std::uint32_t i = 0; i < count; ++i) {
            m_builder.trace({.definition = name("d"), .solution = name("s"), .uuid = "u" + number(20), .latencyMs = 0.25 * (1 + below(9)),
                             .status = below(4) == 0 ? Status::RuntimeError : Status::Passed, .axes = {{"M", below(9)}},
                             .hardware = "Card " + number(3), .timestamp = "2026-01-01T00:00:" + std::to_string(10 + below(50)),
                             .log = std::string(below(40), 'x'), .file = file});
        }
    }
    std::vector<fs::path> files()
    {
        std::vector<fs::path> found;
        for (const auto& entry : fs::recursive_directory_iterator(m_builder.root())) {
            if (entry.is_regular_file()) found.push_back(entry.path());
        }
        std::sort(found.begin(), found.end());
        return found;
    }
    fs::path anyFile()
    {
        const auto all = files();
        return all.empty() ? fs::path() : all[below(static_cast<std::uint32_t>(all.size()))];
    }
    void remove()
    {
        const fs::path file = anyFile();
        if (!file.empty()) fs::remove(file);
    }
    void appendRaw(const std::string& file, const std::string& text)
    {
        fs::create_directories((m_builder.root() / file).parent_path());
        std::ofstream(m_builder.root() / file, std::ios::app | std::ios::binary) << text;
    }
    static std::string read(const fs::path& file)
    {
        std::ifstream in(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    /// Same file, same size, other digits.
    void overwriteInPlace()
    {
        const fs::path file = anyFile();
        if (file.empty()) return;
        std::string text = read(file);
        const auto digit = text.find_first_of("123456", below(static_cast<std::uint32_t>(text.size()) + 1));
        if (digit == std::string::npos) return;
        text[digit] = static_cast<char>('1' + below(9));
        std::fstream(file, std::ios::in | std::ios::out | std::ios::binary) << text;
    }
    void cut()
    {
        const fs::path file = anyFile();
        if (!file.empty()) fs::resize_file(file, below(static_cast<std::uint32_t>(fs::file_size(file)) + 1));
    }
    void replaceFile()
    {
        const fs::path file = anyFile();
        const fs::path other = anyFile();
        if (file.empty() || file == other || file.extension() != other.extension()) return;
        fs::rename(other, file);
    }
    void touch()
    {
        const fs::path file = anyFile();
        if (!file.empty()) ::utime(file.c_str(), nullptr);
    }

    DatasetBuilder& m_builder;
    std::mt19937 m_random;
};

}  // namespace

/// A SOL-ExecBench problem whose solution has its source in a file of its own.
constexpr const char* kProblemDefinition = R"({"name":"NAME","axes":{"M":{"type":"var"}},"inputs":{"x":{"shape":["M"],"dtype":"float32"}},)"
                                           R"("outputs":{"y":{"shape":["M"],"dtype":"float32"}},"reference":"def run(x):\n    return x\n"})";
constexpr const char* kSeparateSolution = R"({"name":"s0","definition":"d0","author":"ann","spec":{"languages":["triton"],"target_hardware":["LOCAL"],)"
                                          R"("entry_point":"kernel.py::run"},"sources":[{"path":"kernel.py"}]})";

std::string problemDefinition(const std::string& name)
{
    std::string text = kProblemDefinition;
    return text.replace(text.find("NAME"), 4, name);
}

class TestReload : public QObject {
    Q_OBJECT
private slots:
    void equalsAFreshLoadAfterAnyEdit_data()
    {
        QTest::addColumn<unsigned>("seed");
        for (unsigned seed = 1; seed <= 12; ++seed) QTest::addRow("seed %u", seed) << seed;
    }
    void equalsAFreshLoadAfterAnyEdit()
    {
        QFETCH(unsigned, seed);
        DatasetBuilder builder;
        fill(builder);
        RandomEditor editor(builder, seed);
        auto dataset = builder.load();
        std::size_t rows = 0;
        for (int step = 0; step < 60; ++step) {
            QStringList edits;
            for (int i = 0; i <= step % 3; ++i) edits << editor.edit();
            dataset = reloadWithSmallLimits(dataset);
            const auto fresh = builder.load();
            const QString differs = difference(contentOf(*dataset), contentOf(*fresh));
            QVERIFY2(differs.isEmpty(), qPrintable(QStringLiteral("step %1 (%2): %3").arg(QString::number(step), edits.join(", "), differs)));
            for (std::size_t row = 0; row < dataset->traces().size(); row += 7) {
                const auto trace = dataset->readTrace(row);
                QVERIFY2(trace.has_value(), trace.has_value() ? "" : trace.error().toString().c_str());
            }
            rows = std::max(rows, dataset->traces().size());
        }
        QVERIFY(rows > 10);   // the edits made something to compare
    }

    void givesTheSameSnapshotWhenNothingChanged()
    {
        DatasetBuilder builder;
        fill(builder);
        auto dataset = builder.load();
        // Files that were written a moment ago are read again, as their times may hide a later change.
        const auto again = valueOf(Dataset::reload(dataset));
        QVERIFY(difference(contentOf(*again), contentOf(*dataset)).isEmpty());
        QVERIFY(again->hasSameContent(*dataset));
        // Once they have settled, nothing is read.
        QTRY_VERIFY_WITH_TIMEOUT((dataset = valueOf(Dataset::reload(dataset))) == valueOf(Dataset::reload(dataset)), 10'000);
        builder.trace({.definition = "d0", .solution = "s0", .uuid = "w0"});
        QVERIFY(valueOf(Dataset::reload(dataset)) != dataset);
    }

    void keepsWhatDidNotChange()
    {
        DatasetBuilder builder;
        fill(builder);
        const auto before = builder.load();
        builder.trace({.definition = "d1", .solution = "s1", .uuid = "w9"});
        const auto after = valueOf(Dataset::reload(before));
        QCOMPARE(after->traces().size(), std::size_t{3});
        QCOMPARE(before->traces().size(), std::size_t{2});
        QVERIFY(!after->hasSameContent(*before));
        // The same objects, not equal ones; rows that follow go to the memory that is there.
        QVERIFY(after->findDefinition("d0") == before->findDefinition("d0"));
        QVERIFY(after->findSolution("s1") == before->findSolution("s1"));
        QVERIFY(&after->workloads() == &before->workloads());
        QVERIFY(after->traces().rows().data() == before->traces().rows().data());
        QVERIFY(difference(contentOf(*after), contentOf(*builder.load())).isEmpty());
    }

    void namesOfRemovedTracesAreGone()
    {
        DatasetBuilder builder;
        fill(builder);
        const auto before = builder.load();
        QCOMPARE(hardwareOf(*before).size(), std::size_t{2});
        fs::remove(builder.root() / kLastFile);
        const auto after = valueOf(Dataset::reload(before));
        QCOMPARE(hardwareOf(*after), std::vector<std::string>{"Card A"});
        QCOMPARE(after->traces().names().find("Card B"), StringPool::kNone);
        QVERIFY(axisValuesOf(*after, "d1", "M") == axisValuesOf(*builder.load(), "d1", "M"));
    }

    void noticesARewriteOfTheSameSizeWithTheSameTime()
    {
        DatasetBuilder builder;
        fill(builder);
        const fs::path file = builder.root() / kFirstFile;
        struct stat times {};
        QCOMPARE(::stat(file.c_str(), &times), 0);
        const auto before = builder.load();
        std::ifstream in(file, std::ios::binary);
        std::string text{std::istreambuf_iterator<char>(in), {}};
        const auto place = text.find("Card A");
        QVERIFY(place != std::string::npos);
        text.replace(place, 6, "Card C");
        std::fstream(file, std::ios::in | std::ios::out | std::ios::binary) << text;
        const timespec back[] = {times.st_atim, times.st_mtim};
        QCOMPARE(::utimensat(AT_FDCWD, file.c_str(), back, 0), 0);
        const auto after = valueOf(Dataset::reload(before));
        QCOMPARE(hardwareOf(*after), (std::vector<std::string>{"Card B", "Card C"}));
    }

    void aLastLineThatIsStillWrittenIsNoProblemYet()
    {
        DatasetBuilder builder;
        fill(builder);
        auto dataset = builder.load();
        QVERIFY(dataset->problems().empty());
        const fs::path file = builder.root() / kFirstFile;
        std::ifstream in(file, std::ios::binary);
        std::string line;
        std::getline(in, line);
        const std::string half = line.substr(0, line.size() / 2);
        std::ofstream(file, std::ios::app | std::ios::binary) << half;
        dataset = valueOf(Dataset::reload(dataset));
        QCOMPARE(dataset->problems().size(), std::size_t{0});
        QCOMPARE(dataset->traces().size(), std::size_t{2});
        QCOMPARE(dataset->growingFiles(), std::vector<fs::path>{kFirstFile});
        // A full load tells: nobody may come back to it.
        QCOMPARE(builder.load()->problems().size(), std::size_t{1});
        // The rest of the line comes, and the beginning of another one.
        std::ofstream(file, std::ios::app | std::ios::binary) << line.substr(half.size()) << "\n" << half;
        dataset = valueOf(Dataset::reload(dataset));
        QCOMPARE(dataset->problems().size(), std::size_t{0});
        QCOMPARE(dataset->traces().size(), std::size_t{3});
        QVERIFY(dataset->readTrace(1).has_value());
        // It stays: now it is a problem, although nothing changed on disk.
        DatasetLoader loader(dataset->root(), dataset, {}, nullptr, 1);
        loader.setLimits({.openLineNs = 0});
        dataset = valueOf(loader.load());
        QCOMPARE(dataset->problems().size(), std::size_t{1});
        QVERIFY(dataset->problems().front().error.reason.find("cut off") != std::string::npos);
        QCOMPARE(dataset->problems().front().error.line, std::int64_t{3});
        QVERIFY(dataset->growingFiles().empty());
    }

    void resultsOfARunThatAreInTheSnapshotAreNotDoubled()
    {
        DatasetBuilder builder;
        fill(builder);
        const auto before = builder.load();
        auto trace = before->readTrace(0);
        QVERIFY(trace.has_value());
        TraceWriter writer(builder.root());
        const auto stored = writer.append(*trace, "baseline", "gemm");
        QVERIFY2(stored.has_value(), stored.has_value() ? "" : stored.error().toString().c_str());
        const auto grown = before->withTraces({{*trace, stored->file, stored->byteOffset}});
        QCOMPARE(grown->traces().size(), std::size_t{3});
        QVERIFY(grown->loaded() == before);
        const auto after = valueOf(Dataset::reload(grown));
        QVERIFY(difference(contentOf(*after), contentOf(*builder.load())).isEmpty());
        QCOMPARE(after->traces().size(), std::size_t{3});
    }

    void cancellingAndAVanishedFolderAreErrors()
    {
        DatasetBuilder builder;
        fill(builder);
        const auto dataset = builder.load();
        std::stop_source stop;
        stop.request_stop();
        const auto cancelled = Dataset::reload(dataset, stop.get_token());
        QVERIFY(!cancelled.has_value());
        QCOMPARE(cancelled.error().code, ErrorCode::Cancelled);
        fs::remove_all(builder.root());
        const auto gone = Dataset::reload(dataset);
        QVERIFY(!gone.has_value());
        QCOMPARE(gone.error().code, ErrorCode::NotFound);
    }

    void separateSourcesAreReadAgain()
    {
        DatasetBuilder builder;
        fill(builder);
        builder.file("solutions/ann/a.json", kSeparateSolution);
        fs::remove(builder.root() / "solutions/baseline/gemm/d0/s0.json");
        auto dataset = builder.load();
        const auto reloadAndCompare = [&](const char* what) {
            dataset = valueOf(Dataset::reload(dataset));
            const QString differs = difference(contentOf(*dataset), contentOf(*builder.load()));
            QVERIFY2(differs.isEmpty(), qPrintable(what + (": " + differs)));
        };
        QVERIFY(dataset->findSolution("s0") == nullptr);   // its source is not there yet
        builder.file("solutions/ann/kernel.py", "def run(x, y): pass\n");
        reloadAndCompare("made");
        QVERIFY(dataset->findSolution("s0") != nullptr);
        const auto before = dataset;
        reloadAndCompare("nothing");
        QVERIFY(dataset->findSolution("s0") == before->findSolution("s0"));
        QVERIFY(dataset->hasSameContent(*before));
        builder.file("solutions/ann/kernel.py", "def run(x, y): return\n");
        reloadAndCompare("changed");
        QCOMPARE(dataset->findSolution("s0")->sources.front().content, std::string("def run(x, y): return\n"));
        fs::remove(builder.root() / "solutions/ann/kernel.py");
        reloadAndCompare("removed");
        QVERIFY(dataset->findSolution("s0") == nullptr);
    }

    void problemFoldersEqualAFreshLoad()
    {
        DatasetBuilder builder;
        builder.file("L1/p/definition.json", problemDefinition("d0"));
        builder.line("L1/p/workload.jsonl", R"({"uuid":"w0","axes":{"M":2},"inputs":{"x":{"type":"random"}}})");
        builder.file("L1/p/solution.json", kSeparateSolution).file("L1/p/kernel.py", "def run(x, y): pass\n");
        auto dataset = builder.load();
        QVERIFY(dataset->findSolution("s0") != nullptr);
        const auto reloadAndCompare = [&](const char* what) {
            dataset = valueOf(Dataset::reload(dataset));
            const QString differs = difference(contentOf(*dataset), contentOf(*builder.load()));
            QVERIFY2(differs.isEmpty(), qPrintable(what + (": " + differs)));
        };
        reloadAndCompare("nothing");
        builder.file("L1/p/kernel.py", "def run(x, y): return\n");
        reloadAndCompare("source changed");
        QCOMPARE(dataset->findSolution("s0")->sources.front().content, std::string("def run(x, y): return\n"));
        // The file of the workloads does not change, but whose they are does.
        builder.file("L1/p/definition.json", problemDefinition("d1"));
        reloadAndCompare("definition renamed");
        QCOMPARE(dataset->workloadsOf("d1").size(), std::size_t{1});
        QVERIFY(dataset->workloadsOf("d0").empty());
        builder.file("L0/p/definition.json", problemDefinition("d1"));
        builder.line("L0/p/workload.jsonl", R"({"uuid":"w1","axes":{"M":3},"inputs":{"x":{"type":"custom"}}})");
        reloadAndCompare("another of that name before it");
        QCOMPARE(dataset->workloadsOf("d1").front().workload.uuid, std::string("w1"));
        builder.trace({.definition = "d1", .solution = "s0", .uuid = "w1", .file = "traces/ann/L0/d1.jsonl"});
        reloadAndCompare("a result");
        QCOMPARE(dataset->traces().size(), std::size_t{1});
        builder.file("L0/p/traces.json", "[\n]\n");
        reloadAndCompare("a document of traces");
        // With this folder it is a dataset of the other layout, and without it no more.
        builder.definition({.name = "d2"});
        reloadAndCompare("the other layout");
        QCOMPARE(dataset->definitions().size(), std::size_t{1});
        fs::remove_all(builder.root() / "definitions");
        reloadAndCompare("back again");
        QVERIFY(dataset->findDefinition("d1") != nullptr);
        QCOMPARE(dataset->findDefinition("d1")->opType, std::string("L0"));
    }

    void aSnapshotThatWasNeverLoadedIsLoaded()
    {
        const auto empty = std::make_shared<const Dataset>();
        const auto reloaded = Dataset::reload(empty);
        QVERIFY(!reloaded.has_value());   // it has no folder
        QVERIFY(!reloaded.error().reason.empty());
    }
};

QTEST_GUILESS_MAIN(TestReload)
#include "test_reload.moc"
