// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <limits>

#include "core/model/definition.h"
#include "core/model/python_source.h"
#include "core/model/sha1.h"
#include "core/model/solution.h"
#include "core/model/text.h"
#include "core/model/trace.h"

using namespace tracedeck;

namespace {

/// data model §3.8 "Shapes": axes M var, N const 4, U var; inputs A[M,N], s scalar, B[M]; outputs C[M,N], z[].
Definition shapesExample()
{
    Definition definition;
    const auto axis = [](const char* name, std::optional<std::int64_t> value) {
        Axis made;
        made.name = name;
        made.value = value;
        return made;
    };
    const auto tensor = [](const char* name, std::optional<std::vector<std::string>> shape) {
        TensorSpec made;
        made.name = name;
        made.shape = std::move(shape);
        return made;
    };
    definition.name = "shapes";
    definition.axes = {axis("M", std::nullopt), axis("N", 4), axis("U", std::nullopt)};
    definition.inputs = {tensor("A", std::vector<std::string>{"M", "N"}), tensor("s", std::nullopt),
                         tensor("B", std::vector<std::string>{"M"})};
    definition.outputs = {tensor("C", std::vector<std::string>{"M", "N"}), tensor("z", std::vector<std::string>{})};
    return definition;
}

Shape shape(std::vector<std::int64_t> dimensions)
{
    return Shape(std::move(dimensions));
}

Solution hashExample()
{
    Solution solution;
    solution.name = "n1";
    solution.definition = "gemm_n4096";
    solution.author = "a";
    solution.spec.language = Language::Cuda;
    solution.spec.entryPoint = "k.cu::run";
    solution.spec.binding = Binding::Torch;
    solution.spec.dependencies = {"cublas", "cutlass"};
    solution.sources.resize(2);
    solution.sources[0].path = "k.cu";
    solution.sources[0].content = "int x;";
    solution.sources[1].path = "u.h";
    solution.sources[1].content = "\xC3\xA9";
    return solution;
}

std::optional<std::string> problemText(const QString& text, std::optional<std::string> (*check)(std::string_view))
{
    return check(text.toStdString());
}

}  // namespace

class TestModel : public QObject {
    Q_OBJECT
private slots:
    void dtypesHaveNamesAndSizes_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("bits");
        QTest::addColumn<bool>("floating");
        QTest::addColumn<quint64>("bytesOfFive");
        QTest::newRow("float32") << "float32" << 32 << true << quint64{20};
        QTest::newRow("float16") << "float16" << 16 << true << quint64{10};
        QTest::newRow("bfloat16") << "bfloat16" << 16 << true << quint64{10};
        QTest::newRow("float8_e4m3fn") << "float8_e4m3fn" << 8 << true << quint64{5};
        QTest::newRow("float8_e5m2") << "float8_e5m2" << 8 << true << quint64{5};
        QTest::newRow("float4_e2m1") << "float4_e2m1" << 4 << true << quint64{3};
        QTest::newRow("int64") << "int64" << 64 << false << quint64{40};
        QTest::newRow("int32") << "int32" << 32 << false << quint64{20};
        QTest::newRow("int16") << "int16" << 16 << false << quint64{10};
        QTest::newRow("int8") << "int8" << 8 << false << quint64{5};
        QTest::newRow("bool") << "bool" << 8 << false << quint64{5};
        QTest::newRow("float64") << "float64" << 64 << true << quint64{40};
        QTest::newRow("float4_e2m1fn_x2") << "float4_e2m1fn_x2" << 8 << true << quint64{5};
    }
    void dtypesHaveNamesAndSizes()
    {
        QFETCH(QString, name);
        QFETCH(int, bits);
        QFETCH(bool, floating);
        QFETCH(quint64, bytesOfFive);
        const auto dtype = dtypeFromString(name.toStdString(), Dialect::SolExecBench);
        QVERIFY(dtype);
        const bool isSolOnly = name == "float64" || name == "float4_e2m1fn_x2";
        QVERIFY(dtypeFromString(name.toStdString()) == (isSolOnly ? std::nullopt : dtype));
        QCOMPARE(std::string(toString(*dtype)), name.toStdString());
        QCOMPARE(bitWidth(*dtype), bits);
        QCOMPARE(isFloating(*dtype), floating);
        QCOMPARE(quint64{byteSize(*dtype, 5)}, bytesOfFive);
        QCOMPARE(quint64{byteSize(*dtype, 0)}, quint64{0});
    }
    void foreignDtypesAreNotKnown()
    {
        for (const char* name : {"uint8", "float64", "FLOAT32", "float8_e4m3", "unknown", ""}) QVERIFY(!dtypeFromString(name));
        for (const char* name : {"uint8", "FLOAT64", "unknown", ""}) QVERIFY(!dtypeFromString(name, Dialect::SolExecBench));
        QCOMPARE(bitWidth(DType::Unknown), 0);
        QCOMPARE(byteSize(DType::Float32, std::numeric_limits<std::uint64_t>::max()), std::numeric_limits<std::uint64_t>::max());
    }

    void shapesTakeTheirAxes()
    {
        const Definition definition = shapesExample();
        const auto inputs = definition.inputShapes({{"M", 8}, {"N", 99}, {"other", 1}});
        QVERIFY(inputs);
        QVERIFY(*inputs == (std::vector<Shape>{shape({8, 4}), std::nullopt, shape({8})}));
        const auto outputs = definition.outputShapes({{"M", 8}});
        QVERIFY(outputs);
        QVERIFY(*outputs == (std::vector<Shape>{shape({8, 4}), shape({})}));
        const auto missing = definition.inputShapes({});
        QVERIFY(!missing);
        QCOMPARE(missing.error().field, std::string("inputs.A.shape"));
        QVERIFY(definition.constAxes() == std::vector<std::string>{"N"});
        QVERIFY(definition.varAxes() == (std::vector<std::string>{"M", "U"}));
    }
    void axesFollowFromShapes()
    {
        Definition definition = shapesExample();
        const auto unbound = definition.axesFromShapes({shape({8, 4}), std::nullopt, shape({8})});
        QVERIFY(!unbound);
        QCOMPARE(unbound.error().field, std::string("axes.U"));
        definition.axes.pop_back();
        const auto axes = definition.axesFromShapes({shape({8, 77}), shape({1, 2, 3}), shape({8})});
        QVERIFY(axes);   // constant dimensions are not compared, scalars are skipped
        QVERIFY(*axes == (AxisValues{{"M", 8}}));
        QVERIFY(definition.axesFromShapes({shape({8, 4})}));   // stops at the shorter list
        QCOMPARE(definition.axesFromShapes({shape({8}), std::nullopt, shape({8})}).error().field, std::string("inputs.A.shape"));
        QCOMPARE(definition.axesFromShapes({shape({8, 4}), std::nullopt, shape({9})}).error().field, std::string("inputs.B.shape"));
        QCOMPARE(definition.axesFromShapes({std::nullopt}).error().field, std::string("inputs.A.shape"));
    }
    void varAxesAreBoundToTheirFirstInput()
    {
        const auto bindings = shapesExample().varAxisBindings();
        QCOMPARE(bindings.size(), std::size_t{1});
        QVERIFY(bindings.at("M") == std::pair(std::string("A"), 0));
    }
    void elementsAreCounted()
    {
        QCOMPARE(elementCount({}), std::uint64_t{1});
        QCOMPARE(elementCount({3, 4}), std::uint64_t{12});
        QCOMPARE(elementCount({3, 0, std::numeric_limits<std::int64_t>::max()}), std::uint64_t{0});
        constexpr auto kLarge = std::numeric_limits<std::int64_t>::max();
        QCOMPARE(elementCount({kLarge, kLarge}), std::numeric_limits<std::uint64_t>::max());
    }

    void contentHashMatchesTheFormat()
    {
        Solution solution = hashExample();
        QCOMPARE(solution.contentHash(), std::string("48abd207e2a1da1a02bb8c9e1f4f2f643fb91ee0"));   // H1
        solution.name = "n2";
        solution.author = "b";
        solution.spec.targetHardware = {"cpu"};
        solution.spec.destinationPassingStyle = false;
        solution.spec.dependencies = {"cublascutlass"};
        QCOMPARE(solution.contentHash(), std::string("48abd207e2a1da1a02bb8c9e1f4f2f643fb91ee0"));   // H2
        Solution small;
        small.definition = "d";
        small.spec.entryPoint = "main.py::run";
        small.sources.resize(1);
        small.sources[0].path = "main.py";
        small.sources[0].content = "def run():\n    pass\n";
        QCOMPARE(small.contentHash(), std::string("9d6fc38f9c0a3bef6d139003f3aa2f4adeef845c"));   // H3
        QCOMPARE(sha1Hex(""), std::string("da39a3ee5e6b4b0d3255bfef95601890afd80709"));
    }
    void entryPointsFallApart()
    {
        BuildSpec spec;
        spec.entryPoint = "main.py:::run";
        QCOMPARE(spec.entryFile(), std::string("main.py"));
        QCOMPARE(spec.entrySymbol(), std::string(":run"));
        spec.entryPoint = "run";
        QCOMPARE(spec.entryFile(), std::string());
        QCOMPARE(spec.entrySymbol(), std::string("run"));
    }
    void namesComeBack()
    {
        for (int i = 0; i < kStatusCount; ++i) {
            const auto status = static_cast<Status>(i);
            // A text that no dialect knows has no status of its own.
            QCOMPARE(statusFromString(toString(status)) == status, status != Status::Other);
            QCOMPARE(isFormatStatus(status), i < 7);
        }
        QVERIFY(!statusFromString("OTHER"));
        QVERIFY(!statusFromString("INCORRECT"));
        QVERIFY(!statusFromString("passed"));
        for (const Language language : {Language::Python, Language::Triton, Language::Cpp, Language::Cuda, Language::TileLang}) {
            QVERIFY(languageFromString(toString(language)) == language);
        }
        QVERIFY(!languageFromString("Python"));
        for (const Binding binding : {Binding::TvmFfi, Binding::Torch}) QVERIFY(bindingFromString(toString(binding)) == binding);
        QVERIFY(!bindingFromString("tvm_ffi"));
    }

    void referencesAreChecked_data()
    {
        QTest::addColumn<QString>("source");
        QTest::addColumn<bool>("accepted");
        const auto row = [](const char* name, const QString& source, bool accepted) { QTest::newRow(name) << source << accepted; };
        row("plain", "def run(a): pass", true);
        row("decorated", "@torch.no_grad()\ndef run(a):\n    pass\n", true);
        row("after a bracket over lines", "x = [\n1,\n]\ndef run(a): pass", true);
        row("blank before the parenthesis", "def run (a): pass", true);
        row("type parameters", "def run[T](a: T): pass", true);
        row("blanks after def", "def  \t run(a): pass", true);
        row("after CR LF", "import torch\r\ndef run(a): pass\r\n", true);
        row("several", "def run(a): pass\ndef run(b): pass", true);
        row("quotes in quotes", "x = \"it's\"\ny = 'say \\'\"'\ndef run(a): pass", true);
        row("hash in a string", "x = '#('\ndef run(a): pass", true);
        row("bracket in a comment", "# (\ndef run(a): pass", true);
        row("text between triple quotes", "'''\n( [ ' \" \n'''\ndef run(a): pass", true);
        row("async", "async def run(a): pass", false);
        row("between triple quotes", "\"\"\"\ndef run(a): pass\n\"\"\"", false);
        row("under if", "if True:\n    def run(a): pass", false);
        row("another name", "def runner(a): pass", false);
        row("after a comment sign", "#\\\n# def run(a): pass", false);
        row("comment", "#def run(a): pass", false);
        row("lambda", "run = lambda a: a", false);
        row("unterminated string", "def run(a): pass\nx = 'abc\n", false);
        row("unterminated triple quotes", "def run(a): pass\n\"\"\"", false);
        row("unclosed bracket", "def run(a): pass\nx = (1,", false);
        row("closing bracket alone", "def run(a): pass\n)", false);
        row("brackets of two kinds", "def run(a): pass\nx = (1]", false);
        row("inside a bracket", "x = (\ndef run(a): pass)", false);
        row("no parenthesis", "def run: pass", false);
        row("empty", "", false);
        row("string that ends with a backslash", "x = '\\", false);
    }
    void referencesAreChecked()
    {
        QFETCH(QString, source);
        QFETCH(bool, accepted);
        const auto problem = problemText(source, referenceProblem);
        QVERIFY2(problem.has_value() != accepted, problem.value_or("accepted").c_str());
    }

    void constraintsAreChecked_data()
    {
        QTest::addColumn<QString>("expression");
        QTest::addColumn<bool>("accepted");
        const auto row = [](const char* expression, bool accepted) { QTest::newRow(expression) << expression << accepted; };
        row("M == 3", true);
        row("kv_indptr[-1].item() == n", true);
        row("a <= b and c >= d != e", true);
        row("f(x=1)", true);
        row("M << 2", true);
        row("(M\n== 3)", true);
        row("M ", true);
        row("'=' in s", true);
        row("M == 3 # = ", true);
        row("", false);
        row(" M", false);
        row("\tM", false);
        row("M = 3", false);
        row("M += 3", false);
        row("M <<= 3", false);
        row("M := 3", false);
        row("M; N", false);
        row("M\nN", false);
        row("(M", false);
        row("M)", false);
        row("'M", false);
        row("# M", false);
    }
    void constraintsAreChecked()
    {
        QFETCH(QString, expression);
        QFETCH(bool, accepted);
        const auto problem = problemText(expression, constraintProblem);
        QVERIFY2(problem.has_value() != accepted, problem.value_or("accepted").c_str());
    }

    void parametersAreCounted_data()
    {
        QTest::addColumn<QString>("source");
        QTest::addColumn<int>("count");   // -1: not known
        QTest::newRow("none") << "def run(): pass" << 0;
        QTest::newRow("blank") << "def run(  \n ): pass" << 0;
        QTest::newRow("two") << "def run(a, b): pass" << 2;
        QTest::newRow("trailing comma") << "def run(\n    a,\n    b,\n): pass" << 2;
        QTest::newRow("annotations") << "def run(a: Dict[str, int] = {1: 2, 3: 4}, b: \"x, y\" = (1, 2)) -> Tuple[int, int]: pass" << 2;
        QTest::newRow("separators") << "def run(a, /, b, *, c): pass" << 3;
        QTest::newRow("comment in the list") << "def run(a, # first, really\n b): pass" << 2;
        QTest::newRow("any number") << "def run(a, *rest): pass" << -1;
        QTest::newRow("any keywords") << "def run(a, **rest): pass" << -1;
        QTest::newRow("last definition counts") << "def run(a): pass\ndef run(a, b, c): pass" << 3;
        QTest::newRow("another function") << "def go(a): pass" << -1;
        QTest::newRow("not closed") << "def run(a, b" << -1;
    }
    void parametersAreCounted()
    {
        QFETCH(QString, source);
        QFETCH(int, count);
        QCOMPARE(parameterCount(source.toStdString(), "run").value_or(-1), count);
    }

    void unicodeBlanksAreTrimmed()
    {
        QCOMPARE(std::string(trimWhitespace(" \t\r\n\v\f\x1C\xC2\xA0\xE2\x80\xA8{ }\xE3\x80\x80\xC2\x85 ")), std::string("{ }"));
        QCOMPARE(std::string(trimWhitespace("\xE2\x80\x8B x")), std::string("\xE2\x80\x8B x"));   // zero width is not blank
        QCOMPARE(std::string(trimWhitespace("  ")), std::string());
    }
    void badBytesAreReplaced()
    {
        QCOMPARE(toValidUtf8("a\xC3\xA9\xF0\x9F\x98\x80"), std::string("a\xC3\xA9\xF0\x9F\x98\x80"));
        QCOMPARE(toValidUtf8("\xFF/\xC3"), std::string("\xEF\xBF\xBD/\xEF\xBF\xBD"));
        QCOMPARE(toValidUtf8("\xC0\x80\xED\xA0\x80"), std::string("\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"));
    }
};

QTEST_GUILESS_MAIN(TestModel)
#include "test_model.moc"
