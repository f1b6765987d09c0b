// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <filesystem>
#include <functional>

#include "core/io/dataset_scanner.h"
#include "core/io/json_codec.h"
#include "core/report/report.h"
#include "core/run/run_request.h"
#include "core/run/runnable.h"
#include "core/store/query.h"
#include "tests/support/dataset_builder.h"

using namespace tracedeck;

namespace fs = std::filesystem;

namespace {

/// A made-up problem: y = x over `rows` × `dim * 2`.
std::string definitionText(const std::string& name, const std::function<void(Json&)>& change = {})
{
    Json json = {{"name", name},
                 {"axes", {{"rows", {{"type", "var"}}}, {"dim", {{"type", "const"}, {"value", 4}}}, {"wide", {{"type", "expr"}, {"expression", "dim * 2"}}}}},
                 {"inputs", {{"x", {{"shape", {"rows", "wide"}}, {"dtype", "float32"}}}}},
                 {"outputs", {{"y", {{"shape", {"rows", "wide"}}, {"dtype", "float32"}}}}},
                 {"reference", "def run(x):\n    return x\n"}};
    if (change) change(json);
    return json.dump(2);
}

std::string workloadText(const std::string& uuid, const std::string& more = {})
{
    return R"({"uuid":")" + uuid + R"(","axes":{"rows":2},"inputs":{"x":{"type":"random"}})" + more + "}";
}

std::string traceText(const std::string& definition, const std::string& uuid, const std::string& status = "REWARD_HACK", int indent = -1)
{
    const Json json = {{"definition", definition},
                       {"workload", *parseJson(workloadText(uuid, R"(,"tolerance":{"max_atol":0.01})"))},
                       {"solution", "copy"},
                       {"evaluation",
                        {{"status", status},
                         {"environment", {{"hardware", "Test GPU"}, {"libs", Json::object()}}},
                         {"timestamp", "2026-01-01T00:00:00"},
                         {"log", "line\nline { [ \" end"},
                         {"correctness", nullptr},
                         {"performance", nullptr}}}};
    return json.dump(indent);
}

std::string solutionText(const std::string& name, const std::string& definition, const std::string& path = "kernel.py")
{
    return R"({"name":")" + name + R"(","definition":")" + definition + R"(","author":"ann","spec":{"languages":["triton"],"target_hardware":["LOCAL"],)"
           + R"("entry_point":")" + path + R"(::run"},"sources":[{"path":")" + path + R"("}]})";
}

QString problemsOf(const Dataset& dataset)
{
    QStringList texts;
    for (const Problem& problem : dataset.problems()) texts << QString::fromStdString(problem.error.toString());
    return texts.join('\n');
}

bool hasProblem(const Dataset& dataset, Severity severity, const std::string& file, const QString& part, std::int64_t line = -1)
{
    return std::any_of(dataset.problems().begin(), dataset.problems().end(), [&](const Problem& problem) {
        return problem.severity == severity && problem.error.file.ends_with(file) && (line < 0 || problem.error.line == line) &&
               QString::fromStdString(problem.error.field + " " + problem.error.reason).contains(part);
    });
}

}  // namespace

class TestProblemFolders : public QObject {
    Q_OBJECT
private slots:
    void init() { m_builder = std::make_unique<test::DatasetBuilder>(); }

    void problemFoldersAreFound()
    {
        m_builder->file("L1/p2/definition.json", "{}").file("L1/p2/workload.jsonl", "").file("L1/p2/config.json", "{}");
        m_builder->file("L1/p1/definition.json", "{}").file("L1/p1/solution.json", "{}").file("L1/p1/traces.json", "[]");
        m_builder->file("L1/p1/traces.jsonl", "").file("L1/p1/reference.py", "");
        m_builder->file("a/b/c/d/definition.json", "{}").file("a/b/c/d/e/definition.json", "{}").file("a/b/c/x/y/definition.json", "{}");
        m_builder->file("lonely/definition.json", "{}").file("traces/ann/L1/p1.jsonl", "").file("folder/definition.json/x", "");
        const auto scanned = scanDataset(m_builder->root());
        QVERIFY(scanned);
        QVERIFY(scanned->dialect() == Dialect::SolExecBench);
        QVERIFY(scanned->definitions == (std::vector<std::string>{"L1/p1/definition.json", "L1/p2/definition.json", "a/b/c/d/definition.json",
                                                                  "lonely/definition.json"}));
        QVERIFY(scanned->solutions == std::vector<std::string>{"L1/p1/solution.json"});
        QVERIFY(scanned->workloads == std::vector<std::string>{"L1/p2/workload.jsonl"});
        QVERIFY(scanned->traces == (std::vector<std::string>{"L1/p1/traces.json", "L1/p1/traces.jsonl", "traces/ann/L1/p1.jsonl"}));
        QVERIFY(scanned->problems.empty());
        QStringList labels;
        for (const ProblemFolder& folder : scanned->problemFolders) labels << QString::fromStdString(folder.label);
        QCOMPARE(labels, (QStringList{"L1", "L1", "a-b-c", "ungrouped"}));
        QCOMPARE(scanned->problemFolders[1].configFile, std::string("L1/p2/config.json"));
        QVERIFY(scanned->problemFolders[0].configFile.empty());
        QCOMPARE(scanned->problemFolderOf("L1/p2/workload.jsonl")->path, std::string("L1/p2"));
        QVERIFY(scanned->problemFolderOf("traces/ann/L1/p1.jsonl") == nullptr);
        QVERIFY(scanned->problemFolderOf("L1/p2/deeper/workload.jsonl") == nullptr);
    }

    void definitionsFolderMakesItFlashInferTrace()
    {
        m_builder->definition({.name = "d"}).file("L1/p/definition.json", definitionText("p"));
        const auto scanned = scanDataset(m_builder->root());
        QVERIFY(scanned);
        QVERIFY(scanned->dialect() == Dialect::FlashInferTrace);
        QCOMPARE(scanned->definitions.size(), std::size_t{1});
        QCOMPARE(m_builder->load()->definitions().size(), std::size_t{1});
    }

    void linkedFoldersAreNotFollowed()
    {
        m_builder->file("L1/p/definition.json", definitionText("p"));
        fs::create_directory_symlink(m_builder->root() / "L1", m_builder->root() / "again");
        fs::create_directory_symlink(m_builder->root(), m_builder->root() / "L1/loop");
        QCOMPARE(m_builder->load()->definitions().size(), std::size_t{1});
    }

    void oneProblemFolderIsADataset()
    {
        m_builder->file("definition.json", definitionText("p")).line("workload.jsonl", workloadText("w1"));
        const auto dataset = m_builder->load();
        QCOMPARE(dataset->definitions().size(), std::size_t{1});
        QCOMPARE(dataset->workloadsOf("p").size(), std::size_t{1});
        QCOMPARE(dataset->definitions()[0]->opType, std::string("ungrouped"));
        QVERIFY2(dataset->problems().empty(), qPrintable(problemsOf(*dataset)));
    }

    void everythingOfAProblemIsLoaded()
    {
        m_builder->file("L1/p1/definition.json", definitionText("first")).file("L1/p1/config.json", R"({"iterations":7})");
        m_builder->line("L1/p1/workload.jsonl", workloadText("w1")).line("L1/p1/workload.jsonl", "").line("L1/p1/workload.jsonl", workloadText("w2"));
        // Both forms of a workload line may stand in both places.
        m_builder->line("L1/p1/workload.jsonl", R"({"definition":"second","workload":)" + workloadText("w3") + "}");
        m_builder->file("L1/p1/solution.json", solutionText("copy", "first")).file("L1/p1/kernel.py", "def run(x, y):\n    y.copy_(x)\n");
        m_builder->line("L1/p1/traces.jsonl", traceText("first", "w1"));
        m_builder->file("Quant/p2/definition.json", definitionText("second", [](Json& json) { json["op_type"] = "named"; }));
        m_builder->line("traces/ann/Quant/second.jsonl", traceText("second", "w3", "INVALID_REFERENCE"));
        m_builder->file("Quant/p2/traces.json", "[\n" + traceText("second", "w4", "TIMEOUT", 2) + ",\n" + traceText("second", "w5", "MELTED") + "\n]\n");
        const auto dataset = m_builder->load();
        QCOMPARE(dataset->definitions().size(), std::size_t{2});
        const Definition& first = *dataset->findDefinition("first");
        QVERIFY(first.dialect == Dialect::SolExecBench);
        QCOMPARE(first.opType, std::string("L1"));
        QVERIFY(!first.opTypeGiven);
        QVERIFY(first.configFile.ends_with("L1/p1/config.json"));
        QVERIFY(first.sourceFile.ends_with("L1/p1/definition.json"));
        QCOMPARE(dataset->findDefinition("second")->opType, std::string("named"));
        QVERIFY(dataset->opTypes() == (std::map<std::string, std::size_t>{{"L1", 1}, {"named", 1}}));
        QCOMPARE(dataset->workloadsOf("first").size(), std::size_t{2});
        QCOMPARE(dataset->workloadsOf("second").size(), std::size_t{1});
        QCOMPARE(dataset->workloadsOf("first")[1].workload.uuid, std::string("w2"));
        QCOMPARE(dataset->findSolution("copy")->sources[0].content, std::string("def run(x, y):\n    y.copy_(x)\n"));
        QVERIFY(dataset->findSolution("copy")->spec.language == Language::Triton);
        const StatusCounts counts = countStatuses(*dataset);
        QCOMPARE(counts.total(), std::size_t{4});
        QCOMPARE(counts.of(Status::RewardHack), std::size_t{1});
        QCOMPARE(counts.of(Status::InvalidReference), std::size_t{1});
        QCOMPARE(counts.of(Status::Timeout), std::size_t{1});
        QCOMPARE(counts.of(Status::Other), std::size_t{1});
        // Whole traces come back from wherever they stand.
        QStringList uuids;
        for (std::size_t row = 0; row < dataset->traces().size(); ++row) {
            const auto trace = dataset->readTrace(row);
            QVERIFY2(trace, trace ? "" : trace.error().toString().c_str());
            uuids << QString::fromStdString(trace->workload.uuid);
            QVERIFY(trace->workload.tolerance);
        }
        QCOMPARE(uuids, (QStringList{"w1", "w4", "w5", "w3"}));
        QCOMPARE(std::string(dataset->readTrace(2)->evaluation->statusName()), std::string("MELTED"));
        // The first of the two records stands on lines 2 to 30.
        QVERIFY2(hasProblem(*dataset, Severity::Warning, "p2/traces.json", "unknown status", 31), qPrintable(problemsOf(*dataset)));
        QCOMPARE(dataset->problems().size(), std::size_t{1});
        const Json document = infoDocument(*dataset);
        QCOMPARE(document["definitions"].get<int>(), 2);
        QCOMPARE(document["workloads"].get<int>(), 3);
        QCOMPARE(document["solutions"].get<int>(), 1);
        QCOMPARE(document["statuses"]["REWARD_HACK"].get<int>(), 1);
        QCOMPARE(document["statuses"]["OTHER"].get<int>(), 1);
        QCOMPARE(document["statuses"]["PASSED"].get<int>(), 0);
    }

    void traceDocumentsAreReadInEveryForm_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("traces");
        QTest::addColumn<int>("errors");
        const QString one = QString::fromStdString(traceText("d", "w1"));
        const QString two = QString::fromStdString(traceText("d", "w2", "TIMEOUT", 1));
        QTest::newRow("empty") << "" << 0 << 0;
        QTest::newRow("empty array") << " [ ]\n" << 0 << 0;
        QTest::newRow("lines") << one + "\n" + one + "\n" << 2 << 0;
        QTest::newRow("bad line") << one + "\nnonsense\n" + one + "\n" << 2 << 1;
        QTest::newRow("array on one line") << "[" + one + ", " + one + "]" << 2 << 0;
        QTest::newRow("array over lines") << "\n[\n" + two + ",\n" + one + "\n]" << 2 << 0;
        QTest::newRow("one over lines") << two << 1 << 0;
        QTest::newRow("several over lines") << two + "\n" + two + "\n" << 2 << 0;
        QTest::newRow("byte order mark") << QString::fromUtf8("\xEF\xBB\xBF[") + one + "]" << 1 << 0;
        QTest::newRow("array that is cut off") << "[\n" + two + ",\n" + two.left(50) << 1 << 1;
        QTest::newRow("array of other things") << "[1, {\"a\": 2}, " + one + "]" << 1 << 1;
    }
    void traceDocumentsAreReadInEveryForm()
    {
        QFETCH(QString, text);
        QFETCH(int, traces);
        QFETCH(int, errors);
        m_builder->file("p/definition.json", definitionText("d")).file("p/traces.json", text.toStdString());
        const auto dataset = m_builder->load();
        QVERIFY2(static_cast<int>(dataset->traces().size()) == traces, qPrintable(problemsOf(*dataset)));
        const auto isError = [](const Problem& problem) { return problem.severity == Severity::Error; };
        QVERIFY2(std::count_if(dataset->problems().begin(), dataset->problems().end(), isError) == errors, qPrintable(problemsOf(*dataset)));
        for (std::size_t row = 0; row < dataset->traces().size(); ++row) QVERIFY(dataset->readTrace(row));
    }

    void badFilesDoNotStopTheRest()
    {
        m_builder->file("L1/good/definition.json", definitionText("good")).line("L1/good/workload.jsonl", workloadText("w1"));
        m_builder->line("L1/good/workload.jsonl", "nonsense").line("L1/good/workload.jsonl", workloadText("w2", R"(,"tolerance":{"max_atol":-1})"));
        m_builder->file("L1/bad/definition.json", "{").line("L1/bad/workload.jsonl", workloadText("w3"));
        m_builder->file("L1/twice/definition.json", definitionText("good")).line("L1/twice/workload.jsonl", workloadText("w4"));
        m_builder->file("L1/loop/definition.json", definitionText("loop", [](Json& json) { json["axes"]["wide"]["expression"] = "wide +"; }));
        const auto dataset = m_builder->load();
        QCOMPARE(dataset->definitions().size(), std::size_t{1});
        QCOMPARE(dataset->workloadsOf("good").size(), std::size_t{1});   // not those of the other one with that name
        QCOMPARE(dataset->workloadsOf("bad").size(), std::size_t{1});    // kept under the name of the folder
        QVERIFY2(hasProblem(*dataset, Severity::Error, "good/workload.jsonl", "not valid JSON", 2), qPrintable(problemsOf(*dataset)));
        QVERIFY(hasProblem(*dataset, Severity::Error, "good/workload.jsonl", "tolerance.max_atol", 3));
        QVERIFY(hasProblem(*dataset, Severity::Error, "bad/definition.json", "not valid JSON"));
        QVERIFY(hasProblem(*dataset, Severity::Error, "twice/definition.json", "was read from"));
        QVERIFY(hasProblem(*dataset, Severity::Error, "twice/workload.jsonl", "left out"));
        QVERIFY(hasProblem(*dataset, Severity::Error, "loop/definition.json", "axes.wide.expression a value is missing"));
    }

    void separateSourcesStayInTheirFolder()
    {
        m_builder->file("p/definition.json", definitionText("d"));
        m_builder->file("outside.py", "secret").file("solutions/a.json", solutionText("inside", "d", "sub/kernel.py"));
        m_builder->file("solutions/sub/kernel.py", "def run(x, y): pass\n");
        m_builder->file("solutions/b.json", solutionText("above", "d", "../outside.py"));
        m_builder->file("solutions/c.json", solutionText("absolute", "d", (m_builder->root() / "outside.py").string()));
        fs::create_symlink(m_builder->root() / "outside.py", m_builder->root() / "solutions/link.py");
        m_builder->file("solutions/d.json", solutionText("linked", "d", "link.py"));
        m_builder->file("solutions/e.json", solutionText("missing", "d", "nowhere.py"));
        m_builder->file("solutions/binary.py", std::string("a\0b", 3)).file("solutions/f.json", solutionText("binary", "d", "binary.py"));
        const auto dataset = m_builder->load();
        QCOMPARE(dataset->solutions().size(), std::size_t{1});
        QCOMPARE(dataset->findSolution("inside")->sources[0].content, std::string("def run(x, y): pass\n"));
        QVERIFY2(hasProblem(*dataset, Severity::Error, "solutions/b.json", "'..'"), qPrintable(problemsOf(*dataset)));
        QVERIFY(hasProblem(*dataset, Severity::Error, "solutions/c.json", "must be relative"));
        QVERIFY(hasProblem(*dataset, Severity::Error, "solutions/d.json", "sources.0.path"));
        QVERIFY(hasProblem(*dataset, Severity::Error, "solutions/d.json", "through a link"));
        QVERIFY(hasProblem(*dataset, Severity::Error, "solutions/e.json", "No such file"));
        QVERIFY(hasProblem(*dataset, Severity::Error, "solutions/f.json", "not UTF-8 text"));
    }

    void openingTellsWhatIsUnusual()
    {
        m_builder->file("L2/p/definition.json", definitionText("d", [](Json& json) {
            json["custom_inputs_entrypoint"] = "make";
            json["inputs"]["q"] = {{"shape", {"dim"}}, {"dtype", "float4_e2m1fn_x2"}};
        }));
        m_builder->line("L2/p/workload.jsonl", R"({"uuid":"w1","axes":{"rows":1,"more":2},"inputs":{"bias":{"type":"random"}}})");
        m_builder->line("L2/p/workload.jsonl", R"({"uuid":"w2","axes":{"rows":1},"inputs":{"x":{"type":"custom"}},"tolerance":{"required_match_ratio":0.9}})");
        m_builder->line("L2/p/workload.jsonl", R"({"uuid":"w3","axes":{"rows":1},"inputs":{"x":{"type":"custom"}},"tolerance":{"required_match_ratio":0.8}})");
        const auto dataset = m_builder->load();
        QCOMPARE(dataset->workloadsOf("d").size(), std::size_t{3});
        QVERIFY2(hasProblem(*dataset, Severity::Warning, "workload.jsonl", "misspelt", 2), qPrintable(problemsOf(*dataset)));
        QVERIFY(hasProblem(*dataset, Severity::Warning, "workload.jsonl", "(2 times in this file)"));
        QVERIFY(hasProblem(*dataset, Severity::Warning, "", "1 workloads give values to axes"));
        QVERIFY(hasProblem(*dataset, Severity::Warning, "", "d: more"));
        QVERIFY(hasProblem(*dataset, Severity::Warning, "", "d: bias"));
        QVERIFY(hasProblem(*dataset, Severity::Warning, "", "2 workloads need a Python function"));
        QVERIFY(hasProblem(*dataset, Severity::Warning, "", "float4 inputs"));
        QCOMPARE(dataset->problems().size(), std::size_t{5});
    }

    void bareWorkloadsInAFlashInferTraceBelongToTheFilesDefinition()
    {
        m_builder->definition({.name = "d"}).line("workloads/gemm/d.jsonl", R"({"uuid":"w1","axes":{"M":1},"inputs":{}})");
        m_builder->file("definitions/gemm/plain.json", R"({"name":"plain","axes":{},"inputs":{},"outputs":{},"reference":"def run(): pass"})");
        m_builder->file("definitions/flat.json", R"({"name":"flat","axes":{},"inputs":{},"outputs":{},"reference":"def run(): pass"})");
        const auto dataset = m_builder->load();
        QCOMPARE(dataset->workloadsOf("d").size(), std::size_t{1});
        QCOMPARE(dataset->findDefinition("plain")->opType, std::string("gemm"));
        QCOMPARE(dataset->findDefinition("flat")->opType, std::string("ungrouped"));
        QVERIFY2(hasProblem(*dataset, Severity::Warning, "plain.json", "op_type the field is missing"), qPrintable(problemsOf(*dataset)));
    }

    void workloadsThatCannotRunYetAreSkippedForAReason()
    {
        m_builder->file("p/definition.json", definitionText("d"));
        m_builder->line("p/workload.jsonl", workloadText("fine"));
        m_builder->line("p/workload.jsonl", R"({"uuid":"c1","axes":{"rows":1},"inputs":{"x":{"type":"custom"}}})");
        m_builder->line("p/workload.jsonl", R"({"uuid":"c2","axes":{"rows":1},"inputs":{"x":{"type":"custom"}}})");
        m_builder->line("p/workload.jsonl", R"({"uuid":"extra","axes":{"rows":1},"inputs":{"other":{"type":"custom"}}})");
        m_builder->line("p/workload.jsonl", workloadText("t", R"(,"tolerance":{})"));
        m_builder->line("p/workload.jsonl", R"({"uuid":"s","axes":{},"inputs":{}})");
        m_builder->file("p/solution.json", solutionText("copy", "d")).file("p/kernel.py", "def run(x, y): pass\n");
        m_builder->file("double/definition.json", definitionText("double", [](Json& json) { json["outputs"]["y"]["dtype"] = "float64"; }));
        m_builder->line("double/workload.jsonl", workloadText("f"));
        m_builder->file("double/solution.json", solutionText("copy64", "double")).file("double/kernel.py", "def run(x, y): pass\n");
        RunRequest request;
        request.dataset = m_builder->load();
        QCOMPARE(request.dataset->definitions().size(), std::size_t{2});
        const auto plan = makePlan(request);
        QVERIFY(plan);
        std::set<std::string> planned;
        for (const RunPair& pair : plan->pairs) planned.insert(pair.workloadUuid);
        QVERIFY(planned == (std::set<std::string>{"fine", "extra", "t", "s"}));
        QCOMPARE(plan->problems.size(), std::size_t{2});
        const QString custom = QString::fromStdString(plan->problems[1].error.reason);
        QVERIFY2(custom.contains("workloads c1, c2 of definition d skipped: custom inputs (x) need a function of the reference that makes them"), qPrintable(custom));
        const QString dtype = QString::fromStdString(plan->problems[0].error.reason);
        QVERIFY2(dtype.contains("workload f of definition double skipped: not runnable yet: dtype float64 (y)"), qPrintable(dtype));
    }

    void whatNoEvaluatorKnowsIsSkipped_data()
    {
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("obstacle");
        QTest::newRow("nothing") << "" << "";
        QTest::newRow("custom inputs without a function") << "custom" << "custom inputs (x) need a function of the reference that makes them, and the definition names none "
                                                                         "(custom_inputs_entrypoint)";
        QTest::newRow("custom inputs") << "custom,function" << "";
        QTest::newRow("custom input that is no input") << "other" << "";
        QTest::newRow("tolerance") << "tolerance" << "";
        QTest::newRow("dtype") << "dtype" << "not runnable yet: dtype float64 (y)";
        QTest::newRow("random packed input") << "packed" << "not runnable yet: random inputs of dtype float4_e2m1fn_x2 (x)";
        QTest::newRow("packed input that the function makes") << "packed,custom,function" << "";
        QTest::newRow("problem of SOL-ExecBench") << "sol" << "";
    }
    void whatNoEvaluatorKnowsIsSkipped()
    {
        QFETCH(QString, what);
        QFETCH(QString, obstacle);
        Definition definition;
        definition.name = "d";
        definition.inputs = {{.name = "x", .shape = std::vector<std::string>{"M"}, .dtype = DType::Float32, .dtypeName = "float32", .description = {}}};
        definition.outputs = {{.name = "y", .shape = std::vector<std::string>{"M"}, .dtype = DType::Float32, .dtypeName = "float32", .description = {}}};
        Workload workload;
        workload.uuid = "w";
        if (what.contains("custom")) workload.inputs.emplace_back("x", CustomInput{});
        if (what.contains("function")) definition.customInputsEntrypoint = "make";
        if (what.contains("packed")) {
            definition.inputs[0].dtype = DType::Float4E2M1FNx2;
            definition.inputs[0].dtypeName = "float4_e2m1fn_x2";
        }
        if (what == "other") workload.inputs.emplace_back("other", CustomInput{});
        if (what == "tolerance") workload.tolerance.emplace();
        if (what == "sol") definition.dialect = Dialect::SolExecBench;
        if (what == "dtype") {
            definition.outputs[0].dtype = DType::Float64;
            definition.outputs[0].dtypeName = "float64";
        }
        QCOMPARE(QString::fromStdString(runObstacle(definition, workload).value_or("")), obstacle);
    }

    void invalidDefinitionsAreSkipped()
    {
        m_builder->definition({.name = "good"}).solution({.name = "s1", .definition = "good"}).workload({.definition = "good", .uuid = "w1"});
        m_builder->file("definitions/gemm/clash.json", R"({"name":"clash","op_type":"gemm","axes":{"M":{"type":"var"}},
            "inputs":{"x":{"shape":["M"],"dtype":"float32"}},"outputs":{"x":{"shape":["M"],"dtype":"float32"}},"reference":"def run(x):\n    return x\n"})");
        m_builder->solution({.name = "s2", .definition = "clash"}).workload({.definition = "clash", .uuid = "w2"}).workload({.definition = "clash", .uuid = "w3"});
        RunRequest request;
        request.dataset = m_builder->load();
        QVERIFY(!request.dataset->findDefinition("clash")->invalidReason.empty());
        const auto plan = makePlan(request);
        QVERIFY(plan);
        QCOMPARE(plan->pairs.size(), std::size_t{1});
        QCOMPARE(plan->pairs[0].definition, std::string("good"));
        QCOMPARE(plan->problems.size(), std::size_t{1});
        QVERIFY(QString::fromStdString(plan->problems[0].error.reason).contains("definition clash skipped, as it breaks a rule of the format: the name 'x'"));
        request.definitions = {"clash"};
        QVERIFY(!makePlan(request));
    }

private:
    std::unique_ptr<test::DatasetBuilder> m_builder;
};

QTEST_GUILESS_MAIN(TestProblemFolders)
#include "test_problem_folders.moc"
