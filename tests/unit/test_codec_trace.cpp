// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>
#include <limits>

#include "core/io/json_codec.h"
#include "tests/support/codec_cases.h"

using namespace tracedeck;
using tracedeck::test::changed;
using tracedeck::test::fieldOf;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The example line of data model §2.4, as the format's own writer gives it.
constexpr const char* kExampleLine =
    R"({"definition":"d","workload":{"axes":{"M":2},"inputs":{"A":{"type":"random"},"s":{"type":"scalar","value":1e-6}},"uuid":"w"},)"
    R"("solution":"s","evaluation":{"status":"PASSED","environment":{"hardware":"h","libs":{}},"timestamp":"t","log":"",)"
    R"("correctness":{"max_relative_error":"Infinity","max_absolute_error":"NaN","extra":{"tvd":null}},)"
    R"("performance":{"latency_ms":0.5,"reference_latency_ms":1.0,"speedup_factor":2.0}}})";

Json exampleTrace()
{
    return *parseJson(kExampleLine);
}

QString outcome(const Result<Decoded<Trace>>& decoded)
{
    return decoded ? QString("accepted") : QString::fromStdString(decoded.error().field + ": " + decoded.error().reason);
}

bool hasWarning(const Decoded<Trace>& decoded, const QString& field)
{
    return std::any_of(decoded.warnings.begin(), decoded.warnings.end(), [&](const Problem& p) {
        return p.severity == Severity::Warning && p.error.field == field.toStdString();
    });
}

}  // namespace

class TestCodecTrace : public QObject {
    Q_OBJECT
private slots:
    void exampleLineIsWrittenAsTheFormatWritesIt();
    void tracesAreCheckedStrictly_data();
    void tracesAreCheckedStrictly();
    void statusSaysWhatMustBeThere_data();
    void statusSaysWhatMustBeThere();
    void floatsAreCoerced_data();
    void floatsAreCoerced();
    void inputKindFollowsTheRule_data();
    void inputKindFollowsTheRule();
    void tracesAreReadTolerantly_data();
    void tracesAreReadTolerantly();
    void oldStatusIncorrectIsReadAsNumerical();
    void oldWorkloadLineIsReadAsWorkload();
    void missingUuidGetsTheSameStandInForEqualWorkloads();
    void oldLogFormsAreRead();
    void nullMeasuresAreReadAsInfinity();
    void matchedRatioMovesIntoExtra();
    void nonFiniteNumbersAreWrittenSoThatTheyComeBack();
    void unknownKeysSurvive();
    void everyFieldIsWritten();
};

void TestCodecTrace::exampleLineIsWrittenAsTheFormatWritesIt()
{
    const auto decoded = decodeTrace(std::string_view(kExampleLine), ReadMode::Strict);
    QVERIFY2(decoded, qPrintable(outcome(decoded)));
    const Trace& trace = decoded->value;
    QVERIFY(trace.isPassed());
    QCOMPARE(trace.evaluation->correctness->maxRelativeError, kInfinity);
    QVERIFY(std::isnan(trace.evaluation->correctness->maxAbsoluteError));
    QCOMPARE(trace.workload.axes.at("M"), std::int64_t{2});
    std::string expected = kExampleLine;
    expected.replace(expected.find("1e-6"), 4, "1e-06");   // the spelling of floats is free
    QCOMPARE(writeLine(encodeTrace(trace)), expected);
}

void TestCodecTrace::tracesAreCheckedStrictly_data()
{
    QTest::addColumn<QString>("pointer");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("field");
    const auto row = [](const char* name, const char* pointer, const char* value, const char* field) {
        QTest::newRow(name) << pointer << value << field;
    };
    row("as it is", "", "", "");
    row("no definition", "/definition", "delete", "definition");
    row("no workload", "/workload", "delete", "workload");
    row("workload null", "/workload", "null", "workload");
    row("no uuid", "/workload/uuid", "delete", "workload.uuid");
    row("axis 0", "/workload/axes/M", "0", "");
    row("axis negative", "/workload/axes/M", "-1", "workload.axes.M");
    row("axis text", "/workload/axes/M", "\"16\"", "");
    row("axis true", "/workload/axes/M", "true", "");
    row("axis beyond 64 bits", "/workload/axes/M", "1e19", "workload.axes.M");
    row("no axes", "/workload/axes", "delete", "workload.axes");
    row("axes array", "/workload/axes", "[]", "workload.axes");
    row("axes empty", "/workload/axes", "{}", "");
    row("axis fraction", "/workload/axes/M", "1.5", "workload.axes.M");
    row("axis null", "/workload/axes/M", "null", "workload.axes.M");
    row("uuid empty", "/workload/uuid", "\"\"", "workload.uuid");
    row("uuid of any text", "/workload/uuid", "\" \"", "");
    row("uuid number", "/workload/uuid", "5", "workload.uuid");
    row("no inputs key", "/workload/inputs", "delete", "workload.inputs");
    row("definition empty", "/definition", "\"\"", "definition");
    row("definition number", "/definition", "5", "definition");
    row("inputs null", "/workload/inputs", "null", "workload.inputs");
    row("no inputs", "/workload/inputs", "{}", "");
    row("no solution", "/solution", "delete", "");
    row("solution empty", "/solution", "\"\"", "");
    row("solution number", "/solution", "1", "solution");
    row("evaluation null", "/evaluation", "null", "");
    row("evaluation empty", "/evaluation", "{}", "evaluation.status");
    row("status in small letters", "/evaluation/status", "\"passed\"", "evaluation.status");
    row("no status", "/evaluation/status", "delete", "evaluation.status");
    row("status null", "/evaluation/status", "null", "evaluation.status");
    row("status of SOL-ExecBench", "/evaluation/status", "\"REWARD_HACK\"", "evaluation.status");
    row("evaluation array", "/evaluation", "[]", "evaluation");
    row("no environment", "/evaluation/environment", "delete", "evaluation.environment");
    row("environment null", "/evaluation/environment", "null", "evaluation.environment");
    row("hardware empty", "/evaluation/environment/hardware", "\"\"", "evaluation.environment.hardware");
    row("libs array", "/evaluation/environment/libs", "[]", "evaluation.environment.libs");
    row("timestamp of any text", "/evaluation/timestamp", "\"yesterday\"", "");
    row("timestamp number", "/evaluation/timestamp", "5", "evaluation.timestamp");
    row("log number", "/evaluation/log", "5", "evaluation.log");
    row("correctness text", "/evaluation/correctness", "\"x\"", "evaluation.correctness");
    row("performance array", "/evaluation/performance", "[]", "evaluation.performance");
    row("extra object", "/evaluation/correctness/extra", R"({"matched_ratio":1,"any":[1]})", "");
    row("reference latency NaN", "/evaluation/performance/reference_latency_ms", "NaN", "evaluation.performance.reference_latency_ms");
    row("reference latency -0.0", "/evaluation/performance/reference_latency_ms", "-0.0", "");
    row("speedup -Infinity", "/evaluation/performance/speedup_factor", "\"-inf\"", "evaluation.performance.speedup_factor");
    row("no hardware", "/evaluation/environment/hardware", "delete", "evaluation.environment.hardware");
    row("no libs", "/evaluation/environment/libs", "delete", "");
    row("libs null", "/evaluation/environment/libs", "null", "evaluation.environment.libs");
    row("lib number", "/evaluation/environment/libs/torch", "2", "evaluation.environment.libs.torch");
    row("no timestamp", "/evaluation/timestamp", "delete", "evaluation.timestamp");
    row("timestamp empty", "/evaluation/timestamp", "\"\"", "evaluation.timestamp");
    row("no log", "/evaluation/log", "delete", "");
    row("log null", "/evaluation/log", "null", "evaluation.log");
    row("correctness empty", "/evaluation/correctness", "{}", "");
    row("performance empty", "/evaluation/performance", "{}", "");
    row("error null", "/evaluation/correctness/max_relative_error", "null", "evaluation.correctness.max_relative_error");
    row("error negative", "/evaluation/correctness/max_relative_error", "-1e-9", "evaluation.correctness.max_relative_error");
    row("error -Infinity", "/evaluation/correctness/max_absolute_error", "-Infinity", "evaluation.correctness.max_absolute_error");
    row("error -0.0", "/evaluation/correctness/max_absolute_error", "-0.0", "");
    row("error NaN", "/evaluation/correctness/max_absolute_error", "NaN", "");
    row("error Infinity", "/evaluation/correctness/max_absolute_error", "1e999", "");
    row("extra null", "/evaluation/correctness/extra", "null", "");
    row("extra array", "/evaluation/correctness/extra", "[]", "evaluation.correctness.extra");
    row("latency NaN", "/evaluation/performance/latency_ms", "NaN", "evaluation.performance.latency_ms");
    row("latency 'nan'", "/evaluation/performance/latency_ms", "\"nan\"", "evaluation.performance.latency_ms");
    row("latency Infinity", "/evaluation/performance/latency_ms", "\"Infinity\"", "");
    row("latency null", "/evaluation/performance/latency_ms", "null", "evaluation.performance.latency_ms");
    row("speedup negative", "/evaluation/performance/speedup_factor", "-1", "evaluation.performance.speedup_factor");
    row("unknown keys", "/evaluation/judge", "{}", "");
}

void TestCodecTrace::tracesAreCheckedStrictly()
{
    QFETCH(QString, pointer);
    QFETCH(QString, value);
    QFETCH(QString, field);
    const auto decoded = decodeTrace(changed(exampleTrace(), pointer, value), ReadMode::Strict);
    QVERIFY2(fieldOf(decoded) == field, qPrintable(outcome(decoded)));
}

void TestCodecTrace::statusSaysWhatMustBeThere_data()
{
    QTest::addColumn<QString>("status");
    QTest::addColumn<bool>("wantsCorrectness");
    QTest::addColumn<bool>("wantsPerformance");
    for (int i = 0; i < kFormatStatusCount; ++i) {
        const auto status = static_cast<Status>(i);
        const QString name = QString::fromStdString(std::string(toString(status)));
        QTest::newRow(qPrintable(name)) << name << (status == Status::Passed || status == Status::IncorrectNumerical)
                                        << (status == Status::Passed);
    }
}

void TestCodecTrace::statusSaysWhatMustBeThere()
{
    QFETCH(QString, status);
    QFETCH(bool, wantsCorrectness);
    QFETCH(bool, wantsPerformance);
    for (const bool hasCorrectness : {false, true}) {
        for (const bool hasPerformance : {false, true}) {
            Json json = exampleTrace();
            Json& evaluation = json["evaluation"];
            evaluation["status"] = status.toStdString();
            if (!hasCorrectness) evaluation["correctness"] = nullptr;
            if (!hasPerformance) evaluation.erase("performance");
            const bool isRight = hasCorrectness == wantsCorrectness && hasPerformance == wantsPerformance;
            const auto strict = decodeTrace(json, ReadMode::Strict);
            QCOMPARE(strict.has_value(), isRight);
            if (!isRight) {
                QCOMPARE(fieldOf(strict), hasCorrectness != wantsCorrectness ? "evaluation.correctness" : "evaluation.performance");
            }
            // The tolerant reader shows the contradiction and goes on.
            const auto tolerant = decodeTrace(json, ReadMode::Tolerant);
            QVERIFY(tolerant);
            QCOMPARE(tolerant->warnings.empty(), isRight);
            QCOMPARE(tolerant->value.evaluation->correctness.has_value(), hasCorrectness);
            QCOMPARE(tolerant->value.evaluation->performance.has_value(), hasPerformance);
        }
    }
}

void TestCodecTrace::floatsAreCoerced_data()
{
    QTest::addColumn<QString>("value");
    QTest::addColumn<bool>("accepted");
    QTest::addColumn<double>("number");
    const auto row = [](const char* value, bool accepted, double number = 0) { QTest::newRow(value) << value << accepted << number; };
    row("1", true, 1);
    row("0.25", true, 0.25);
    row("true", true, 1);
    row("\"2.5\"", true, 2.5);
    row("\" 1_000.5 \"", true, 1000.5);
    row("\"+3e2\"", true, 300);
    row("\".5\"", true, 0.5);
    row("\"5.\"", true, 5);
    row("\"inf\"", true, kInfinity);
    row("\"+INFINITY\"", true, kInfinity);
    row("\"1e999\"", true, kInfinity);
    row("\"1e-999\"", true, 0);
    row("18446744073709551616", true, 0x1p64);
    row("\"1_\"", false);
    row("\"_1\"", false);
    row("\"0x10\"", false);
    row("\"nan(1)\"", false);
    row("\"\"", false);
    row("\"one\"", false);
    row("[]", false);
    row("{}", false);
    row("null", false);
}

void TestCodecTrace::floatsAreCoerced()
{
    QFETCH(QString, value);
    QFETCH(bool, accepted);
    QFETCH(double, number);
    const auto decoded = decodeTrace(changed(exampleTrace(), "/evaluation/performance/latency_ms", value), ReadMode::Strict);
    QCOMPARE(decoded.has_value(), accepted);
    if (accepted) QCOMPARE(decoded->value.evaluation->performance->latencyMs, number);
}

void TestCodecTrace::inputKindFollowsTheRule_data()
{
    QTest::addColumn<QString>("input");
    QTest::addColumn<QString>("written");   // empty: refused
    const auto row = [](const char* input, const char* written) { QTest::newRow(input) << input << written; };
    row(R"({})", R"({"type":"random"})");
    row(R"({"path":"p"})", R"({"type":"random","path":"p"})");
    row(R"({"path":"p","tensor_key":""})", R"({"type":"random","path":"p","tensor_key":""})");
    row(R"({"path":"p","tensor_key":"k"})", R"({"type":"safetensors","path":"p","tensor_key":"k"})");
    row(R"({"path":"p","tensor_key":"k","value":1})", R"({"type":"safetensors","path":"p","tensor_key":"k","value":1})");
    row(R"({"value":1})", R"({"type":"scalar","value":1})");
    row(R"({"value":1.0})", R"({"type":"scalar","value":1.0})");
    row(R"({"value":true})", R"({"type":"scalar","value":true})");
    row(R"({"value":"1"})", R"({"type":"scalar","value":1})");
    row(R"({"value":"2.0"})", R"({"type":"scalar","value":2})");
    row(R"({"value":"1.5"})", R"({"type":"scalar","value":1.5})");
    row(R"({"value":"t"})", R"({"type":"scalar","value":true})");
    row(R"({"value":"abc"})", R"({"type":"random","value":"abc"})");
    row(R"({"value":null})", R"({"type":"random","value":null})");
    row(R"({"type":"scalar","value":"abc"})", "");
    row(R"({"type":"scalar","value":null})", "");
    row(R"({"type":"scalar"})", "");
    row(R"({"type":"scalar","value":18446744073709551615})", "");
    row(R"({"type":"scalar","value":Infinity})", R"({"type":"scalar","value":"Infinity"})");
    row(R"({"type":"scalar","value":-Infinity})", R"({"type":"scalar","value":"-Infinity"})");
    row(R"({"type":"safetensors","path":"p"})", "");
    row(R"({"type":"safetensors","path":"","tensor_key":"k"})", "");
    row(R"({"type":"random","value":5,"path":1})", R"({"type":"random","value":5,"path":1})");
    row(R"({"type":"custom"})", "");
    row(R"({"type":null})", "");
    row(R"([])", "");
}

void TestCodecTrace::inputKindFollowsTheRule()
{
    QFETCH(QString, input);
    QFETCH(QString, written);
    const auto decoded = decodeTrace(changed(exampleTrace(), "/workload/inputs/A", input), ReadMode::Strict);
    QCOMPARE(decoded.has_value(), !written.isEmpty());
    if (!decoded) {
        QVERIFY2(fieldOf(decoded).startsWith("workload.inputs.A"), qPrintable(outcome(decoded)));
        return;
    }
    QCOMPARE(QString::fromStdString(writeLine(encodeWorkload(decoded->value.workload)["inputs"]["A"])), written);
    const auto again = decodeTrace(writeLine(encodeTrace(decoded->value)), ReadMode::Strict);
    QVERIFY2(again, qPrintable(outcome(again)));
    QVERIFY(*again->value.workload.findInput("A") == *decoded->value.workload.findInput("A"));
}

void TestCodecTrace::tracesAreReadTolerantly_data()
{
    QTest::addColumn<QString>("pointer");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("field");   // of the warning, or of the error
    QTest::addColumn<bool>("accepted");
    const auto row = [](const char* name, const char* pointer, const char* value, const char* field, bool accepted = true) {
        QTest::newRow(name) << pointer << value << field << accepted;
    };
    row("as it is", "", "", "");
    row("status in small letters with blanks", "/evaluation/status", "\" passed \"", "evaluation.status");
    row("libs null", "/evaluation/environment/libs", "null", "evaluation.environment.libs");
    row("lib number", "/evaluation/environment/libs/torch", "2", "evaluation.environment.libs.torch");
    row("no timestamp", "/evaluation/timestamp", "delete", "evaluation.timestamp");
    row("log null", "/evaluation/log", "null", "evaluation.log");
    row("device beside hardware", "/evaluation/environment/device", "\"d\"", "");
    row("seed on a random input", "/workload/inputs/A/seed", "5", "");
    row("key for tensor_key", "/workload/inputs/A", R"({"type":"safetensors","path":"p","key":"k"})", "workload.inputs.A.key");
    row("status number", "/evaluation/status", "5", "evaluation.status", false);
    row("status null", "/evaluation/status", "null", "evaluation.status", false);
    row("workload null", "/workload", "null", "workload", false);
    row("axis text that is no number", "/workload/axes/M", "\"x\"", "workload.axes.M", false);
    row("hardware missing, device there", "/evaluation/environment", R"({"device":"d"})", "evaluation.environment.device");
    row("no hardware and no device", "/evaluation/environment", "{}", "evaluation.environment.hardware", false);
    row("raw NaN and Infinity tokens", "/evaluation/correctness", R"({"max_relative_error":NaN,"max_absolute_error":Infinity})", "");
    row("optional keys null", "/evaluation/correctness/extra", "null", "");
    row("optional keys left out", "/evaluation/correctness", "{}", "");
    row("tolerance that is no object", "/workload/tolerance", "5", "");
    row("timestamp number", "/evaluation/timestamp", "5", "evaluation.timestamp", false);
    row("latency NaN", "/evaluation/performance/latency_ms", "NaN", "evaluation.performance.latency_ms", false);
    row("axis negative", "/workload/axes/M", "-1", "workload.axes.M", false);
    row("empty uuid", "/workload/uuid", "\"\"", "workload.uuid", false);
    row("evaluation empty, solution named", "/evaluation", "{}", "evaluation.status", false);
}

void TestCodecTrace::tracesAreReadTolerantly()
{
    QFETCH(QString, pointer);
    QFETCH(QString, value);
    QFETCH(QString, field);
    QFETCH(bool, accepted);
    const auto decoded = decodeTrace(changed(exampleTrace(), pointer, value), ReadMode::Tolerant);
    QVERIFY2(decoded.has_value() == accepted, qPrintable(outcome(decoded)));
    if (!accepted) {
        QCOMPARE(fieldOf(decoded), field);
        return;
    }
    QCOMPARE(decoded->warnings.size(), std::size_t{field.isEmpty() ? 0U : 1U});
    if (!field.isEmpty()) QVERIFY(hasWarning(*decoded, field));
    // Whatever was repaired is written in a form that everyone reads.
    const auto again = decodeTrace(encodeTrace(decoded->value), ReadMode::Strict);
    QVERIFY2(again, qPrintable(outcome(again)));
}

void TestCodecTrace::oldStatusIncorrectIsReadAsNumerical()
{
    Json json = exampleTrace();
    json["evaluation"]["status"] = "incorrect";
    json["evaluation"]["correctness"] = nullptr;
    const auto decoded = decodeTrace(json, ReadMode::Tolerant);
    QVERIFY(decoded);
    const Evaluation& evaluation = *decoded->value.evaluation;
    QVERIFY(evaluation.status == Status::IncorrectNumerical);
    QVERIFY(!evaluation.performance);
    QVERIFY(evaluation.correctness && std::isnan(evaluation.correctness->maxAbsoluteError) &&
            std::isnan(evaluation.correctness->maxRelativeError));
    QCOMPARE(decoded->warnings.size(), std::size_t{1});
    QVERIFY(decodeTrace(encodeTrace(decoded->value), ReadMode::Strict));
}

void TestCodecTrace::oldWorkloadLineIsReadAsWorkload()
{
    Json json = exampleTrace();
    json["solution"] = "";
    json["evaluation"] = Json::object();
    QVERIFY(!decodeTrace(json, ReadMode::Strict));
    const auto decoded = decodeTrace(json, ReadMode::Tolerant);
    QVERIFY(decoded);
    QVERIFY(decoded->value.isWorkloadTrace());
    QVERIFY(hasWarning(*decoded, "evaluation"));
}

void TestCodecTrace::missingUuidGetsTheSameStandInForEqualWorkloads()
{
    const auto uuidOf = [](const char* axes, const char* inputs) {
        const Json json = *parseJson(std::string(R"({"definition":"d","workload":{"axes":)") + axes + R"(,"inputs":)" + inputs + "}}");
        const auto decoded = decodeTrace(json, ReadMode::Tolerant);
        return decoded && decoded->value.workload.uuidIsSynthetic && hasWarning(*decoded, "workload.uuid") ? decoded->value.workload.uuid
                                                                                                          : std::string();
    };
    const std::string uuid = uuidOf(R"({"M":1,"N":2})", R"({"a":{"type":"random"},"b":{"type":"scalar","value":1}})");
    // First 32 digits of the SHA-1 of {"axes":{"M":1,"N":2},"inputs":{"a":{"type":"random"},"b":{"type":"scalar","value":1}}}
    QCOMPARE(uuid, std::string("c0013f6f199b4df9f457ea23afe0ebe4"));
    QCOMPARE(uuidOf(R"({"N":2,"M":1})", R"({"b":{"value":1},"a":{}})"), uuid);
    QVERIFY(uuidOf(R"({"M":1,"N":3})", R"({"a":{"type":"random"},"b":{"type":"scalar","value":1}})") != uuid);
    QVERIFY(uuidOf(R"({"M":1,"N":2})", R"({"a":{"type":"random"},"b":{"type":"scalar","value":2}})") != uuid);
}

void TestCodecTrace::oldLogFormsAreRead()
{
    Json json = exampleTrace();
    json["evaluation"].erase("log");
    json["evaluation"]["log_file"] = "x.log";
    auto decoded = decodeTrace(json, ReadMode::Tolerant);
    QVERIFY(decoded);
    QVERIFY(decoded->value.evaluation->log.empty());
    QCOMPARE(decoded->value.evaluation->unknownKeys["log_file"].get<std::string>(), std::string("x.log"));
    QVERIFY(hasWarning(*decoded, "evaluation.log_file"));
    json["evaluation"]["error"] = "it broke";
    decoded = decodeTrace(json, ReadMode::Tolerant);
    QVERIFY(decoded);
    QCOMPARE(decoded->value.evaluation->log, std::string("it broke"));
    QVERIFY(hasWarning(*decoded, "evaluation.error"));
    json["evaluation"]["log"] = "the log";
    decoded = decodeTrace(json, ReadMode::Tolerant);
    QVERIFY(decoded);
    QCOMPARE(decoded->value.evaluation->log, std::string("the log"));
    QVERIFY(decoded->warnings.empty());
}

void TestCodecTrace::nullMeasuresAreReadAsInfinity()
{
    Json json = exampleTrace();
    json["evaluation"]["correctness"]["max_absolute_error"] = nullptr;
    json["evaluation"]["performance"]["latency_ms"] = nullptr;
    const auto decoded = decodeTrace(json, ReadMode::Tolerant);
    QVERIFY(decoded);
    QCOMPARE(decoded->value.evaluation->correctness->maxAbsoluteError, kInfinity);
    QCOMPARE(decoded->value.evaluation->performance->latencyMs, kInfinity);
    QCOMPARE(decoded->warnings.size(), std::size_t{2});
}

void TestCodecTrace::matchedRatioMovesIntoExtra()
{
    Json json = exampleTrace();
    json["evaluation"]["correctness"]["matched_ratio"] = 0.5;
    auto decoded = decodeTrace(json, ReadMode::Tolerant);
    QVERIFY(decoded);
    QCOMPARE(decoded->value.evaluation->correctness->extra["matched_ratio"].get<double>(), 0.5);
    QVERIFY(!decoded->value.evaluation->correctness->unknownKeys.contains("matched_ratio"));
    json["evaluation"]["correctness"]["extra"]["matched_ratio"] = 0.75;
    decoded = decodeTrace(json, ReadMode::Tolerant);
    QVERIFY(decoded);
    QCOMPARE(decoded->value.evaluation->correctness->extra["matched_ratio"].get<double>(), 0.75);
    QCOMPARE(decoded->value.evaluation->correctness->unknownKeys["matched_ratio"].get<double>(), 0.5);
}

void TestCodecTrace::nonFiniteNumbersAreWrittenSoThatTheyComeBack()
{
    auto decoded = decodeTrace(std::string_view(kExampleLine), ReadMode::Strict);
    QVERIFY(decoded);
    Trace trace = decoded->value;
    trace.evaluation->performance->latencyMs = kInfinity;
    trace.evaluation->correctness->extra = {{"tvd", kInfinity}};
    trace.workload.inputs[1].second = ScalarInput{std::numeric_limits<double>::quiet_NaN()};
    const std::string line = writeLine(encodeTrace(trace));
    QVERIFY(QString::fromStdString(line).contains(R"("latency_ms":"Infinity")"));
    QVERIFY(QString::fromStdString(line).contains(R"("extra":{"tvd":null})"));
    QVERIFY(QString::fromStdString(line).contains(R"({"type":"scalar","value":"NaN"})"));
    decoded = decodeTrace(line, ReadMode::Strict);
    QVERIFY2(decoded, qPrintable(outcome(decoded)));
    QCOMPARE(decoded->value.evaluation->performance->latencyMs, kInfinity);
    QVERIFY(std::isnan(std::get<double>(std::get<ScalarInput>(decoded->value.workload.inputs[1].second).value)));
}

void TestCodecTrace::unknownKeysSurvive()
{
    Json json = exampleTrace();
    for (const char* place : {"", "/workload", "/workload/inputs/A", "/evaluation", "/evaluation/environment",
                              "/evaluation/correctness", "/evaluation/performance"}) {
        json[Json::json_pointer(std::string(place) + "/unknown")] = {{"kept", {1, 2.5, nullptr}}};
    }
    const auto decoded = decodeTrace(json, ReadMode::Strict);
    QVERIFY(decoded);
    QCOMPARE(encodeTrace(decoded->value).dump(), json.dump());
}

void TestCodecTrace::everyFieldIsWritten()
{
    Trace trace;
    trace.definition = "d";
    trace.workload.uuid = "w";
    trace.workload.axes = {{"M", 1}, {"A", 2}};
    trace.workload.axisOrder = {"M"};
    QCOMPARE(writeLine(encodeTrace(trace)),
             std::string(R"({"definition":"d","workload":{"axes":{"M":1,"A":2},"inputs":{},"uuid":"w"},"solution":null,"evaluation":null})"));
    trace.evaluation = Evaluation{};
    trace.evaluation->environment.hardware = "h";
    const std::string line = writeLine(encodeTrace(trace));
    QVERIFY(QString::fromStdString(line).endsWith(
        R"_("solution":null,"evaluation":{"status":"RUNTIME_ERROR","environment":{"hardware":"h","libs":{}},"timestamp":"(unknown)","log":"","correctness":null,"performance":null}})_"));
    QVERIFY(decodeTrace(line, ReadMode::Strict));
}

QTEST_GUILESS_MAIN(TestCodecTrace)
#include "test_codec_trace.moc"
