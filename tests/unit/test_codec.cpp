// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>

#include "core/io/json_codec.h"
#include "tests/support/codec_cases.h"

using namespace tracedeck;
using tracedeck::test::addChangeColumns;
using tracedeck::test::changed;
using tracedeck::test::fieldOf;
using tracedeck::test::outcome;

namespace {

/// The smallest definition and solution of data model §2.0, as values to change.
Json smallDefinition()
{
    return *parseJson(R"({"name":"add_n4","op_type":"elementwise",
        "axes":{"M":{"type":"var"},"N":{"type":"const","value":4}},
        "inputs":{"x":{"shape":["M","N"],"dtype":"float32"},"eps":{"shape":null,"dtype":"float32"}},
        "outputs":{"y":{"shape":["M","N"],"dtype":"float32"}},
        "reference":"def run(x, eps):\n    return x + eps\n"})");
}

Json smallSolution()
{
    return *parseJson(R"({"name":"add_n4_base","definition":"add_n4","author":"baseline",
        "spec":{"language":"python","target_hardware":["cpu"],"entry_point":"main.py::run","destination_passing_style":false},
        "sources":[{"path":"main.py","content":"def run(x, eps):\n    return x + eps\n"}]})");
}

bool hasWarning(const std::vector<Problem>& warnings, const std::string& field)
{
    return std::any_of(warnings.begin(), warnings.end(), [&](const Problem& p) {
        return p.severity == Severity::Warning && p.error.field == field && !p.error.reason.empty();
    });
}

}  // namespace

class TestCodec : public QObject {
    Q_OBJECT
private slots:
    void definitionsAreCheckedStrictly_data();
    void definitionsAreCheckedStrictly();
    void axisKindFollowsTheRule_data();
    void axisKindFollowsTheRule();
    void wholeObjectChecksRunInOrder();
    void errorsCarryLineAndField();
    void definitionsAreReadTolerantly_data();
    void definitionsAreReadTolerantly();
    void tolerantDefinitionGivesCurrentForm();
    void definitionKeepsOrderAndUnknownKeys();

    void solutionsAreCheckedStrictly_data();
    void solutionsAreCheckedStrictly();
    void boolsAreCoerced_data();
    void boolsAreCoerced();
    void solutionsAreReadTolerantly_data();
    void solutionsAreReadTolerantly();
    void solutionKeepsUnknownKeys();
};

void TestCodec::definitionsAreCheckedStrictly_data()
{
    addChangeColumns();
    const auto row = [](const char* name, const char* pointer, const char* value, const char* field) {
        QTest::newRow(name) << pointer << value << field;
    };
    row("as it is", "", "", "");
    row("no name", "/name", "delete", "name");
    row("empty name", "/name", "\"\"", "name");
    row("blank name", "/name", "\" \"", "");
    row("number as name", "/name", "5", "name");
    row("type instead of op_type", "/op_type", "delete", "op_type");
    row("op_type null", "/op_type", "null", "op_type");
    row("op_type empty", "/op_type", "\"\"", "op_type");
    row("op_type of any text", "/op_type", "\"my own/kind\"", "");
    row("no axes key", "/axes", "delete", "axes");
    row("axis that is no object", "/axes/M", "5", "axes.M");
    row("no outputs key", "/outputs", "delete", "outputs");
    row("outputs array", "/outputs", "[]", "outputs");
    row("empty outputs are fine", "/outputs", "{}", "");
    row("inputs null", "/inputs", "null", "inputs");
    row("input that is no object", "/inputs/x", "null", "inputs.x");
    row("axes null", "/axes", "null", "axes");
    row("axes array", "/axes", "[]", "axes");
    row("empty axis name", "/axes/", "{}", "axes");
    row("empty input name", "/inputs/", R"({"shape":null,"dtype":"bool"})", "inputs");
    row("no inputs key", "/inputs", "delete", "inputs");
    row("empty inputs and outputs are fine", "/inputs", "{}", "");
    row("tags null", "/tags", "null", "tags");
    row("tags with an empty text", "/tags", R"(["a",""])", "tags.1");
    row("tags", "/tags", R"(["a"])", "");
    row("description null", "/description", "null", "");
    row("description empty", "/description", "\"\"", "");
    row("description number", "/description", "1", "description");
    row("constraints null", "/constraints", "null", "constraints");
    row("constraint", "/constraints", R"_(["M == 3", "x[-1].item() <= f(a=1)"])_", "");
    row("constraint assigns", "/constraints", R"(["M == 3", "M = 3"])", "constraints.1");
    row("constraint starts with a blank", "/constraints", R"([" M"])", "constraints.0");
    row("constraint does not close", "/constraints", R"(["(M"])", "constraints.0");
    row("constraint with a word walrus", "/constraints", R"(["M := 3"])", "constraints.0");
    row("two constraints in one", "/constraints", R"(["M\nN"])", "constraints.0");
    row("no shape", "/inputs/x/shape", "delete", "inputs.x.shape");
    row("0-D shape", "/inputs/x/shape", "[]", "");
    row("repeated axis", "/inputs/x/shape", R"(["M","M"])", "");
    row("integer in a shape", "/inputs/x/shape", "[4]", "inputs.x.shape.0");
    row("empty name in a shape", "/inputs/x/shape", R"([""])", "inputs.x.shape.0");
    row("unknown axis in an input", "/inputs/x/shape", R"(["K"])", "inputs.x.shape");
    row("unknown axis in an output", "/outputs/y/shape", R"(["K"])", "outputs.y.shape");
    row("shape null", "/inputs/x/shape", "null", "");
    row("shape text", "/inputs/x/shape", "\"M\"", "inputs.x.shape");
    row("digits in a shape", "/inputs/x/shape", R"(["4"])", "inputs.x.shape");
    row("tensor description number", "/inputs/x/description", "7", "inputs.x.description");
    row("tensor description null", "/inputs/x/description", "null", "");
    row("optional", "/inputs/x/optional", "true", "");
    row("dtype null", "/inputs/x/dtype", "null", "inputs.x.dtype");
    row("no dtype", "/inputs/x/dtype", "delete", "inputs.x.dtype");
    row("uint8", "/inputs/x/dtype", "\"uint8\"", "inputs.x.dtype");
    row("float64", "/inputs/x/dtype", "\"float64\"", "inputs.x.dtype");
    row("old float8", "/inputs/x/dtype", "\"float8_e4m3\"", "inputs.x.dtype");
    row("dtype in capitals", "/inputs/x/dtype", "\"FLOAT32\"", "inputs.x.dtype");
    row("bool", "/inputs/x/dtype", "\"bool\"", "");
    row("float4", "/inputs/x/dtype", "\"float4_e2m1\"", "");
    row("input named like an output", "/inputs/y", R"({"shape":null,"dtype":"int32"})", "outputs.y");
    row("axis type expr", "/axes/M/type", "\"expr\"", "axes.M.type");
    row("axis type null", "/axes/M/type", "null", "axes.M.type");
    row("axis value 0", "/axes/N/value", "0", "");
    row("axis value negative", "/axes/N/value", "-1", "axes.N.value");
    row("axis value false", "/axes/N/value", "false", "");
    row("axis value '+5'", "/axes/N/value", "\"+5\"", "");
    row("axis value '5.5'", "/axes/N/value", "\"5.5\"", "axes.N.value");
    row("axis value '1e3'", "/axes/N/value", "\"1e3\"", "axes.N.value");
    row("axis value ''", "/axes/N/value", "\"\"", "axes.N.value");
    row("axis value []", "/axes/N/value", "[5]", "axes.N.value");
    row("axis value '-1'", "/axes/N/value", "\"-1\"", "axes.N.value");
    row("axis description null", "/axes/N/description", "null", "");
    row("axis value true", "/axes/N/value", "true", "");
    row("axis value 5.0", "/axes/N/value", "5.0", "");
    row("axis value 5.5", "/axes/N/value", "5.5", "axes.N.value");
    row("axis value 1e3", "/axes/N/value", "1e3", "");
    row("axis value ' 5 '", "/axes/N/value", "\" 5 \"", "");
    row("axis value '5.0'", "/axes/N/value", "\"5.0\"", "");
    row("axis value '1_000'", "/axes/N/value", "\"1_000\"", "");
    row("axis value '1__000'", "/axes/N/value", "\"1__000\"", "axes.N.value");
    row("axis value '0x5'", "/axes/N/value", "\"0x5\"", "axes.N.value");
    row("axis value null", "/axes/N/value", "null", "axes.N.value");
    row("axis value NaN", "/axes/N/value", "NaN", "axes.N.value");
    row("axis value missing", "/axes/N/value", "delete", "axes.N.value");
    row("largest axis value", "/axes/N/value", "9223372036854775807", "");
    row("axis value of 65 bits", "/axes/N/value", "18446744073709551616", "axes.N.value");
    row("axis value of 64 bits", "/axes/N/value", "9223372036854775808", "axes.N.value");
    row("axis description number", "/axes/N/description", "7", "axes.N.description");
    row("value on a var axis", "/axes/M/value", "\"x\"", "");
    row("no reference", "/reference", "delete", "reference");
    row("reference null", "/reference", "null", "reference");
    row("reference empty", "/reference", "\"\"", "reference");
    row("reference without run", "/reference", "\"def runner(x): pass\"", "reference");
    row("unknown keys", "/unknown", "[1]", "");
}

void TestCodec::definitionsAreCheckedStrictly()
{
    QFETCH(QString, pointer);
    QFETCH(QString, value);
    QFETCH(QString, field);
    const auto decoded = decodeDefinition(changed(smallDefinition(), pointer, value), ReadMode::Strict);
    QVERIFY2(fieldOf(decoded) == field, qPrintable(outcome(decoded)));
    if (decoded) QVERIFY(decoded->warnings.empty());
}

void TestCodec::axisKindFollowsTheRule_data()
{
    QTest::addColumn<QString>("axis");
    QTest::addColumn<int>("value");   // -1: variable
    QTest::newRow("empty") << "{}" << -1;
    QTest::newRow("value alone") << R"({"value":2})" << 2;
    QTest::newRow("value as text") << R"({"value":"2"})" << 2;
    QTest::newRow("negative value") << R"({"value":-3})" << -1;
    QTest::newRow("fractional value") << R"({"value":5.5})" << -1;
    QTest::newRow("var with a value") << R"({"type":"var","value":7})" << -1;
    QTest::newRow("const") << R"({"type":"const","value":7})" << 7;
}

void TestCodec::axisKindFollowsTheRule()
{
    QFETCH(QString, axis);
    QFETCH(int, value);
    const auto decoded = decodeDefinition(changed(smallDefinition(), "/axes/M", axis), ReadMode::Strict);
    QVERIFY2(decoded, qPrintable(outcome(decoded)));
    QCOMPARE(decoded->value.axes.front().value.value_or(-1), std::int64_t{value});
    // What we write always says which kind it is, and means the same.
    const Json encoded = encodeDefinition(decoded->value);
    QCOMPARE(encoded["axes"]["M"]["type"].get<std::string>(), std::string(value < 0 ? "var" : "const"));
    const auto again = decodeDefinition(encoded, ReadMode::Strict);
    QVERIFY(again);
    QCOMPARE(again->value.axes.front().value, decoded->value.axes.front().value);
}

void TestCodec::wholeObjectChecksRunInOrder()
{
    Json json = smallDefinition();
    json["constraints"] = {"M = 3"};
    json["inputs"]["y"] = {{"shape", {"K"}}, {"dtype", "int32"}};
    json["reference"] = "x = 1";
    QCOMPARE(fieldOf(decodeDefinition(json, ReadMode::Strict)), "reference");
    json["reference"] = "def run(): pass";
    QCOMPARE(fieldOf(decodeDefinition(json, ReadMode::Strict)), "outputs.y");
    json["outputs"] = Json::object();
    QCOMPARE(fieldOf(decodeDefinition(json, ReadMode::Strict)), "constraints.0");
    json["constraints"] = Json::array();
    QCOMPARE(fieldOf(decodeDefinition(json, ReadMode::Strict)), "inputs.y.shape");
    json["tags"] = nullptr;
    QCOMPARE(fieldOf(decodeDefinition(json, ReadMode::Strict)), "tags");
}

void TestCodec::errorsCarryLineAndField()
{
    std::string text = writeObjectFile(smallDefinition());
    const auto lineOf = [&text](const std::string& part) {
        return 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(text.find(part)), '\n');
    };
    const auto replace = [&text](const std::string& from, const std::string& to) { text.replace(text.find(from), from.size(), to); };
    replace("\"value\": 4", "\"value\": -4");
    auto decoded = decodeDefinition(text, ReadMode::Strict);
    QVERIFY(!decoded);
    QCOMPARE(decoded.error().field, std::string("axes.N.value"));
    QCOMPARE(decoded.error().line, lineOf("-4"));
    // A missing field has the line of the object that lacks it; an element of an array its own.
    replace("\"value\": -4", "\"note\": NaN");
    decoded = decodeDefinition(text, ReadMode::Strict);
    QVERIFY(!decoded);
    QCOMPARE(decoded.error().field, std::string("axes.N.value"));
    QCOMPARE(decoded.error().line, lineOf("\"N\": {"));
    replace("\"note\": NaN", "\"value\": 4");
    replace("\"N\"\n", "12\n");
    decoded = decodeDefinition(text, ReadMode::Strict);
    QVERIFY(!decoded);
    QCOMPARE(decoded.error().field, std::string("inputs.x.shape.1"));
    QCOMPARE(decoded.error().line, lineOf("12\n"));
    QVERIFY(QString::fromStdString(decoded.error().reason).contains("12"));
}

void TestCodec::definitionsAreReadTolerantly_data()
{
    addChangeColumns();
    QTest::addColumn<bool>("accepted");
    const auto row = [](const char* name, const char* pointer, const char* value, const char* field, bool accepted = true) {
        QTest::newRow(name) << pointer << value << field << accepted;
    };
    row("as it is", "", "", "");
    row("tags null", "/tags", "null", "tags");
    row("constraints null", "/constraints", "null", "constraints");
    row("no dtype", "/inputs/x/dtype", "delete", "inputs.x.dtype");
    row("old float8", "/inputs/x/dtype", "\"float8_e4m3\"", "inputs.x.dtype");
    row("uint8", "/inputs/x/dtype", "\"uint8\"", "inputs.x.dtype");
    row("unknown dtype", "/inputs/x/dtype", "\"unknown\"", "inputs.x.dtype");
    row("input named like an output", "/inputs/y", R"({"shape":null,"dtype":"int32"})", "outputs.y");
    row("axis with a parent", "/axes/M/parent", "\"N\"", "");
    row("dtype that is no text", "/inputs/x/dtype", "5", "inputs.x.dtype", false);
    row("no op_type and no type", "/op_type", "delete", "op_type");
    row("op_type null", "/op_type", "null", "op_type");
    row("op_type number", "/op_type", "5", "op_type", false);
    row("tag with the old dtype name", "/tags", R"(["quantization:float8_e4m3"])", "");
    row("dependency-like null description", "/description", "null", "");
    row("keys of later writers", "/inputs/x/optional", "true", "");
    row("constraint that is none", "/constraints", R"(["M = 3"])", "constraints.0", false);
    row("reference that is none", "/reference", "\"x\"", "reference", false);
    row("unknown axis", "/inputs/x/shape", R"(["K"])", "inputs.x.shape", false);
    row("no name", "/name", "delete", "name", false);
}

void TestCodec::definitionsAreReadTolerantly()
{
    QFETCH(QString, pointer);
    QFETCH(QString, value);
    QFETCH(QString, field);
    QFETCH(bool, accepted);
    const auto decoded = decodeDefinition(changed(smallDefinition(), pointer, value), ReadMode::Tolerant);
    QCOMPARE(decoded.has_value(), accepted);
    if (!accepted) {
        QCOMPARE(fieldOf(decoded), field);
    } else if (field.isEmpty()) {
        QVERIFY(decoded->warnings.empty());
    } else {
        QVERIFY(hasWarning(decoded->warnings, field.toStdString()));
    }
}

void TestCodec::tolerantDefinitionGivesCurrentForm()
{
    Json json = smallDefinition();
    json.erase("op_type");
    json["type"] = "old";
    json["inputs"]["x"].erase("dtype");
    json["inputs"]["eps"]["dtype"] = "float8_e4m3";
    json["outputs"]["y"]["dtype"] = "uint8";
    const auto decoded = decodeDefinition(json, ReadMode::Tolerant);
    QVERIFY(decoded);
    QCOMPARE(decoded->value.opType, std::string("old"));
    QVERIFY(decoded->value.inputs[0].dtype == DType::Float16);
    QVERIFY(decoded->value.inputs[1].dtype == DType::Float8E4M3FN);
    QVERIFY(decoded->value.outputs[0].dtype == DType::Unknown);
    QCOMPARE(decoded->value.outputs[0].dtypeName, std::string("uint8"));
    QVERIFY(!decoded->value.unknownKeys.contains("type"));
    const Json encoded = encodeDefinition(decoded->value);
    QCOMPARE(encoded["op_type"].get<std::string>(), std::string("old"));
    QCOMPARE(encoded["inputs"]["x"]["dtype"].get<std::string>(), std::string("float16"));
    QCOMPARE(encoded["inputs"]["eps"]["dtype"].get<std::string>(), std::string("float8_e4m3fn"));
    QCOMPARE(encoded["outputs"]["y"]["dtype"].get<std::string>(), std::string("uint8"));

    Json clash = smallDefinition();
    clash["inputs"]["y"] = {{"shape", nullptr}, {"dtype", "int32"}};
    const auto invalid = decodeDefinition(clash, ReadMode::Tolerant);
    QVERIFY(invalid);
    QVERIFY(!invalid->value.invalidReason.empty());
}

void TestCodec::definitionKeepsOrderAndUnknownKeys()
{
    const auto decoded = decodeDefinition(R"({"z":1,"reference":"def run(b, a): pass","outputs":{},
        "inputs":{"b":{"dtype":"int8","optional":true,"shape":["Z","A"]},"a":{"shape":null,"dtype":"bool","description":"d"}},
        "axes":{"Z":{"description":"zed","parent":"p"},"A":{"value":3}},"tags":["t"],"name":"n","op_type":"o"})",
                                          ReadMode::Strict);
    QVERIFY2(decoded, qPrintable(outcome(decoded)));
    QCOMPARE(writeLine(encodeDefinition(decoded->value)),
             std::string(R"({"name":"n","op_type":"o","axes":{"Z":{"type":"var","description":"zed","parent":"p"},"A":{"type":"const","value":3}},)"
                         R"("inputs":{"b":{"shape":["Z","A"],"dtype":"int8","optional":true},"a":{"shape":null,"dtype":"bool","description":"d"}},)"
                         R"("outputs":{},"reference":"def run(b, a): pass","tags":["t"],"z":1})"));
}

void TestCodec::solutionsAreCheckedStrictly_data()
{
    addChangeColumns();
    const auto row = [](const char* name, const char* pointer, const char* value, const char* field) {
        QTest::newRow(name) << pointer << value << field;
    };
    row("as it is", "", "", "");
    row("no author", "/author", "delete", "author");
    row("no name", "/name", "delete", "name");
    row("empty name", "/name", "\"\"", "name");
    row("no definition", "/definition", "delete", "definition");
    row("no spec", "/spec", "delete", "spec");
    row("no language", "/spec/language", "delete", "spec.language");
    row("language null", "/spec/language", "null", "spec.language");
    row("triton", "/spec/language", "\"triton\"", "");
    row("cpp", "/spec/language", "\"cpp\"", "");
    row("cuda", "/spec/language", "\"cuda\"", "");
    row("no hardware key", "/spec/target_hardware", "delete", "spec.target_hardware");
    row("hardware number", "/spec/target_hardware", "[1]", "spec.target_hardware.0");
    row("no entry point", "/spec/entry_point", "delete", "spec.entry_point");
    row("empty entry point", "/spec/entry_point", "\"\"", "spec.entry_point");
    row("dependencies", "/spec/dependencies", R"(["cublas"])", "");
    row("dependencies text", "/spec/dependencies", "\"cublas\"", "spec.dependencies");
    row("no style", "/spec/destination_passing_style", "delete", "");
    row("binding tvm-ffi", "/spec/binding", "\"tvm-ffi\"", "");
    row("binding in capitals", "/spec/binding", "\"Torch\"", "spec.binding");
    row("no sources key", "/sources", "delete", "sources");
    row("source that is no object", "/sources/0", "\"main.py\"", "sources.0");
    row("source without a path", "/sources/0/path", "delete", "sources.0.path");
    row("empty path", "/sources/0/path", "\"\"", "sources.0.path");
    row("source without content", "/sources/0/content", "delete", "sources.0.content");
    row("content null", "/sources/0/content", "null", "sources.0.content");
    row("unknown keys", "/spec/build_commands", R"(["make"])", "");
    row("empty definition", "/definition", "\"\"", "definition");
    row("spec null", "/spec", "null", "spec");
    row("language in capitals", "/spec/language", "\"Python\"", "spec.language");
    row("unknown language", "/spec/language", "\"rust\"", "spec.language");
    row("tilelang", "/spec/language", "\"tilelang\"", "");
    row("no hardware", "/spec/target_hardware", "[]", "spec.target_hardware");
    row("empty hardware name", "/spec/target_hardware", R"([""])", "");
    row("hardware null", "/spec/target_hardware", "null", "spec.target_hardware");
    row("dependencies null", "/spec/dependencies", "null", "spec.dependencies");
    row("empty dependency", "/spec/dependencies", R"([""])", "spec.dependencies.0");
    row("style null", "/spec/destination_passing_style", "null", "spec.destination_passing_style");
    row("style 'Yes'", "/spec/destination_passing_style", "\"Yes\"", "");
    row("style ' yes'", "/spec/destination_passing_style", "\" yes\"", "spec.destination_passing_style");
    row("style 1.0", "/spec/destination_passing_style", "1.0", "");
    row("style 2", "/spec/destination_passing_style", "2", "spec.destination_passing_style");
    row("binding null", "/spec/binding", "null", "");
    row("binding torch", "/spec/binding", "\"torch\"", "");
    row("binding unknown", "/spec/binding", "\"pybind\"", "spec.binding");
    row("binding number", "/spec/binding", "1", "spec.binding");
    row("entry point without file", "/spec/entry_point", "\"run\"", "spec.entry_point");
    row("entry point with empty file", "/spec/entry_point", "\"::run\"", "spec.entry_point");
    row("entry point with empty symbol", "/spec/entry_point", "\"main.py::\"", "");
    row("entry point with three colons", "/spec/entry_point", "\"main.py:::run\"", "");
    row("entry point with four colons", "/spec/entry_point", "\"main.py::::run\"", "spec.entry_point");
    row("entry point of another file", "/spec/entry_point", "\"./main.py::run\"", "spec.entry_point");
    row("no sources", "/sources", "[]", "sources");
    row("sources null", "/sources", "null", "sources");
    row("empty source", "/sources/0/content", "\"\"", "sources.0.content");
    row("absolute path", "/sources/0/path", "\"/main.py\"", "sources.0.path");
    row("path with dots", "/sources/0/path", "\"a/../main.py\"", "sources.0.path");
    row("path with dots and backslashes", "/sources/0/path", R"("a\\..\\main.py")", "sources.0.path");
    row("path with a drive", "/sources/0/path", R"("C:\\main.py")", "sources.0.path");
    row("path with a leading backslash", "/sources/0/path", R"("\\main.py")", "sources.0.path");
    row("path that ends with dots", "/sources/0/path", "\"a/..\"", "sources.0.path");
    row("path with NUL", "/sources/0/path", R"("main.py\u0000")", "sources.0.path");
    row("path of dots that is a name", "/sources/1", R"({"path":"a/...","content":"x"})", "");
    row("same path twice", "/sources/1", R"({"path":"main.py","content":"x"})", "sources.1.path");
    row("path that differs by a dot", "/sources/1", R"({"path":"./main.py","content":"x"})", "");
    row("description null", "/description", "null", "");
    row("description array", "/description", "[]", "description");
}

void TestCodec::solutionsAreCheckedStrictly()
{
    QFETCH(QString, pointer);
    QFETCH(QString, value);
    QFETCH(QString, field);
    const auto decoded = decodeSolution(changed(smallSolution(), pointer, value), ReadMode::Strict);
    QVERIFY2(fieldOf(decoded) == field, qPrintable(outcome(decoded)));
}

void TestCodec::boolsAreCoerced_data()
{
    QTest::addColumn<QString>("value");
    QTest::addColumn<int>("flag");   // -1: refused
    const auto row = [](const char* value, int flag) { QTest::newRow(value) << value << flag; };
    for (const char* word : {"true", "1", "1.0", "\"1\"", "\"t\"", "\"TRUE\"", "\"y\"", "\"Yes\"", "\"oN\""}) row(word, 1);
    for (const char* word : {"false", "0", "0.0", "-0.0", "\"0\"", "\"F\"", "\"false\"", "\"n\"", "\"no\"", "\"off\""}) row(word, 0);
    for (const char* word : {"2", "0.5", "NaN", "\"\"", "\"2\"", "\" true\"", "\"yes \"", "[]", "{}", "null"}) row(word, -1);
}

void TestCodec::boolsAreCoerced()
{
    QFETCH(QString, value);
    QFETCH(int, flag);
    const auto decoded = decodeSolution(changed(smallSolution(), "/spec/destination_passing_style", value), ReadMode::Strict);
    QVERIFY2(decoded.has_value() == (flag >= 0), qPrintable(outcome(decoded)));
    if (decoded) QCOMPARE(decoded->value.spec.destinationPassingStyle ? 1 : 0, flag);
}

void TestCodec::solutionsAreReadTolerantly_data()
{
    addChangeColumns();
    QTest::addColumn<bool>("accepted");
    const auto row = [](const char* name, const char* pointer, const char* value, const char* field, bool accepted = true) {
        QTest::newRow(name) << pointer << value << field << accepted;
    };
    row("language in capitals with blanks", "/spec/language", "\" Python \"", "spec.language");
    row("dependencies null", "/spec/dependencies", "null", "spec.dependencies");
    row("style null", "/spec/destination_passing_style", "null", "spec.destination_passing_style");
    row("empty source", "/sources/0/content", "\"\"", "sources.0.content");
    row("entry point without file", "/spec/entry_point", "\"run\"", "spec.entry_point");
    row("build steps", "/spec/build_steps", "[]", "");
    row("no binding and other unknown keys", "/spec/build_commands", R"(["make"])", "");
    row("unknown language", "/spec/language", "\"rust\"", "spec.language", false);
    row("path that escapes", "/sources/0/path", "\"../main.py\"", "sources.0.path", false);
}

void TestCodec::solutionsAreReadTolerantly()
{
    QFETCH(QString, pointer);
    QFETCH(QString, value);
    QFETCH(QString, field);
    QFETCH(bool, accepted);
    const auto decoded = decodeSolution(changed(smallSolution(), pointer, value), ReadMode::Tolerant);
    QCOMPARE(decoded.has_value(), accepted);
    if (!accepted) {
        QCOMPARE(fieldOf(decoded), field);
        return;
    }
    QCOMPARE(decoded->warnings.size(), std::size_t{field.isEmpty() ? 0U : 1U});
    if (!field.isEmpty()) QVERIFY(hasWarning(decoded->warnings, field.toStdString()));
    QVERIFY(decoded->value.spec.language == Language::Python);
    QCOMPARE(decoded->value.spec.entryPoint, std::string("main.py::run"));
    QCOMPARE(decoded->value.spec.destinationPassingStyleGiven, pointer != "/spec/destination_passing_style");
}

void TestCodec::solutionKeepsUnknownKeys()
{
    Json json = smallSolution();
    json["note"] = 1;
    json["spec"]["build_commands"] = {"make"};
    json["sources"][0]["mode"] = "x";
    json["spec"].erase("destination_passing_style");
    const auto decoded = decodeSolution(json, ReadMode::Strict);
    QVERIFY2(decoded, qPrintable(outcome(decoded)));
    QVERIFY(decoded->value.spec.destinationPassingStyle);
    QCOMPARE(writeLine(encodeSolution(decoded->value)), writeLine(json));
}

QTEST_GUILESS_MAIN(TestCodec)
#include "test_codec.moc"
