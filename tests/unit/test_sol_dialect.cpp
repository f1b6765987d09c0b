// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <cmath>

#include "core/io/json_codec.h"
#include "tests/support/codec_cases.h"

using namespace tracedeck;
using tracedeck::test::addChangeColumns;
using tracedeck::test::changed;
using tracedeck::test::fieldOf;
using tracedeck::test::outcome;

namespace {

const ReadPlace kSol{Dialect::SolExecBench, "folder_problem"};

/// A made-up problem with what only SOL-ExecBench has.
Json solDefinition()
{
    return *parseJson(R"({"name":"scaled_rows","description":null,"hf_id":"nobody/model",
        "axes":{"rows":{"type":"var"},"dim":{"type":"const","value":8},"wide":{"type":"expr","expression":"dim * 2","description":"w"}},
        "custom_inputs_entrypoint":"make",
        "inputs":{"x":{"shape":["rows","wide","1"],"dtype":"float64"},"q":{"shape":["dim"],"dtype":"float4_e2m1fn_x2"},
                  "s":{"shape":null,"dtype":"float32"}},
        "outputs":{"y":{"shape":[],"dtype":"float32"}},
        "reference":"def make(a, d):\n    return {}\ndef run(x, q, s):\n    return x.sum() * s\n"})");
}

Json solSolution()
{
    return *parseJson(R"({"name":"fast","definition":"scaled_rows","author":"ann","spec":{"languages":["cutlass","cublas"],
        "target_hardware":["B200"],"entry_point":"k.cu::run","dependencies":["cutlass"],
        "compile_options":{"cuda_cflags":["-O3"]}},"sources":[{"path":"k.cu"},{"path":"h/u.cuh","content":"// u"}]})");
}

Json solTrace()
{
    return *parseJson(R"({"definition":"scaled_rows","workload":{"axes":{"rows":2},"inputs":{"x":{"type":"custom"},"q":{"type":"custom"}},
        "uuid":"w1","tolerance":{"max_atol":0.005,"max_rtol":0.02,"required_matched_ratio":0.99,"max_error_cap":null,"allow_negative_inf":false}},
        "solution":"fast","evaluation":{"status":"PASSED","environment":{"hardware":"NVIDIA B200","libs":{}},"timestamp":"2026-01-01T00:00:00","log":"",
        "correctness":{"max_relative_error":0.5,"max_absolute_error":0.25,"has_nan":false,"has_inf":false,"extra":null},
        "performance":{"latency_ms":0.5,"reference_latency_ms":0.0,"speedup_factor":0.0}}})");
}

QStringList fieldsOfWarnings(const std::vector<Problem>& warnings)
{
    QStringList fields;
    for (const Problem& warning : warnings) fields << QString::fromStdString(warning.error.field);
    return fields;
}

}  // namespace

class TestSolDialect : public QObject {
    Q_OBJECT
private slots:
    void definitionsAreRead()
    {
        const auto decoded = decodeDefinition(solDefinition(), ReadMode::Strict, kSol);
        QVERIFY2(decoded, qPrintable(outcome(decoded)));
        QVERIFY(decoded->warnings.empty());
        const Definition& definition = decoded->value;
        QVERIFY(definition.dialect == Dialect::SolExecBench);
        QVERIFY(!definition.opTypeGiven);
        QVERIFY(definition.opType.empty());
        QVERIFY(definition.axes[2].isExpression() && !definition.axes[2].isConst() && !definition.axes[2].isVariable());
        QVERIFY(definition.varAxes() == std::vector<std::string>{"rows"});
        QVERIFY(definition.inputs[0].dtype == DType::Float64);
        QVERIFY(definition.inputs[1].dtype == DType::Float4E2M1FNx2);
        QCOMPARE(*definition.customInputsEntrypoint, std::string("make"));
        QCOMPARE(*definition.hfId, std::string("nobody/model"));
        QVERIFY(*definition.inputShapes({{"rows", 5}}) ==
                (std::vector<Shape>{Shape(std::vector<std::int64_t>{5, 16, 1}), Shape(std::vector<std::int64_t>{8}), std::nullopt}));
    }

    void definitionsKeepTheirForm()
    {
        for (const char* opType : {"", "\"sampling\"", "null"}) {
            Json json = solDefinition();
            if (*opType != '\0') json["op_type"] = *parseJson(opType);
            json["custom"] = {1, 2};
            const auto decoded = decodeDefinition(json, ReadMode::Tolerant, kSol);
            QVERIFY2(decoded, qPrintable(outcome(decoded)));
            Definition labelled = decoded->value;
            if (!labelled.opTypeGiven) labelled.opType = "L1";   // a label is not written
            Json written = encodeDefinition(labelled);
            if (json["description"].is_null()) json.erase("description");
            for (const auto& [key, value] : json.items()) QVERIFY2(written.contains(key) && written[key] == value, key.c_str());
            QCOMPARE(written.size(), json.size());
            const auto again = decodeDefinition(written, ReadMode::Strict, kSol);
            QVERIFY2(again, qPrintable(outcome(again)));
            QCOMPARE(encodeDefinition(again->value).dump(), written.dump());
        }
    }

    void definitionsAreChecked_data()
    {
        addChangeColumns();
        const auto row = [](const char* name, const char* pointer, const char* value, const char* field) {
            QTest::newRow(name) << pointer << value << field;
        };
        row("as it is", "", "", "");
        row("op_type", "/op_type", "\"x\"", "");
        row("op_type empty", "/op_type", "\"\"", "op_type");
        row("op_type number", "/op_type", "5", "op_type");
        row("axis without type, with an expression", "/axes/wide", R"({"expression":"dim"})", "");
        row("axis without type, with value and expression", "/axes/wide", R"({"expression":"dim","value":3})", "");
        row("expression missing", "/axes/wide/expression", "delete", "axes.wide.expression");
        row("expression number", "/axes/wide/expression", "16", "axes.wide.expression");
        row("expression empty", "/axes/wide/expression", "\"\"", "axes.wide.expression");
        row("expression broken", "/axes/wide/expression", "\"dim *\"", "axes.wide.expression");
        row("expression names nothing that is declared", "/axes/wide/expression", "\"undeclared\"", "");
        row("unknown axis type", "/axes/wide/type", "\"computed\"", "axes.wide.type");
        row("literal 0", "/inputs/x/shape", R"(["0"])", "");
        row("literal of 65 bits", "/inputs/x/shape", R"(["18446744073709551616"])", "inputs.x.shape");
        row("literal with a sign", "/inputs/x/shape", R"(["-1"])", "inputs.x.shape");
        row("literal number", "/inputs/x/shape", "[1]", "inputs.x.shape.0");
        row("unknown axis", "/outputs/y/shape", R"(["K"])", "outputs.y.shape");
        row("entry point number", "/custom_inputs_entrypoint", "5", "custom_inputs_entrypoint");
        row("entry point null", "/custom_inputs_entrypoint", "null", "");
        row("entry point empty", "/custom_inputs_entrypoint", "\"\"", "custom_inputs_entrypoint");
        row("origin number", "/hf_id", "[]", "hf_id");
        row("uint8", "/inputs/x/dtype", "\"uint8\"", "inputs.x.dtype");
        row("constraint that is none", "/constraints", R"(["M = 3"])", "");
        row("input named like an output", "/inputs/y", R"({"shape":null,"dtype":"int32"})", "outputs.y");
        row("reference without run", "/reference", "\"x = 1\"", "reference");
    }
    void definitionsAreChecked()
    {
        QFETCH(QString, pointer);
        QFETCH(QString, value);
        QFETCH(QString, field);
        const auto decoded = decodeDefinition(changed(solDefinition(), pointer, value), ReadMode::Strict, kSol);
        QVERIFY2(fieldOf(decoded) == field, qPrintable(outcome(decoded)));
    }

    void flashInferTraceRefusesOrWarns()
    {
        QCOMPARE(fieldOf(decodeDefinition(solDefinition(), ReadMode::Strict)), "op_type");
        Json json = solDefinition();
        json["op_type"] = "o";
        QCOMPARE(fieldOf(decodeDefinition(json, ReadMode::Strict)), "axes.wide.type");
        const auto decoded = decodeDefinition(solDefinition(), ReadMode::Tolerant);
        QVERIFY2(decoded, qPrintable(outcome(decoded)));
        QVERIFY(decoded->value.dialect == Dialect::SolExecBench);
        QCOMPARE(fieldsOfWarnings(decoded->warnings),
                 (QStringList{"op_type", "axes.wide", "inputs.x.dtype", "inputs.q.dtype", "inputs.x.shape"}));
        // Nothing of SOL-ExecBench is in it: it is a FlashInfer-Trace definition, and an entry point of null is an unknown key.
        json = *parseJson(R"({"name":"n","op_type":"o","axes":{},"inputs":{},"outputs":{},"reference":"def run(): pass",
            "custom_inputs_entrypoint":null,"hf_id":5})");
        const auto plain = decodeDefinition(json, ReadMode::Tolerant);
        QVERIFY2(plain, qPrintable(outcome(plain)));
        QVERIFY(plain->value.dialect == Dialect::FlashInferTrace);
        QVERIFY(plain->warnings.empty());
        QCOMPARE(encodeDefinition(plain->value).dump(), json.dump());
    }

    void languagesAreMapped_data()
    {
        QTest::addColumn<QString>("languages");
        QTest::addColumn<QString>("language");   // empty: refused
        QTest::addColumn<bool>("torchBinding");
        const auto row = [](const char* languages, const char* language, bool torchBinding = false) {
            QTest::newRow(languages) << languages << language << torchBinding;
        };
        row(R"(["pytorch"])", "python");
        row(R"(["cute_dsl"])", "python");
        row(R"(["cutile"])", "python");
        row(R"(["cudnn_frontend"])", "python");
        row(R"(["triton"])", "triton");
        row(R"(["pytorch","triton"])", "triton");
        row(R"(["cutlass"])", "cuda", true);
        row(R"(["cudnn"])", "cuda", true);
        row(R"(["cublas"])", "cuda", true);
        row(R"(["cuda_cpp","cutlass"])", "cuda", true);
        row("[]", "python");
        row(R"(["pytorch","cuda_cpp"])", "");
        row(R"(["python"])", "");
        row(R"(["cuda"])", "");
        row(R"(["PyTorch"])", "");
        row(R"("pytorch")", "");
        row("null", "");
    }
    void languagesAreMapped()
    {
        QFETCH(QString, languages);
        QFETCH(QString, language);
        QFETCH(bool, torchBinding);
        const auto decoded = decodeSolution(changed(solSolution(), "/spec/languages", languages), ReadMode::Tolerant);
        QCOMPARE(decoded.has_value(), !language.isEmpty());
        if (!decoded) {
            QVERIFY2(fieldOf(decoded).startsWith("spec.languages"), qPrintable(outcome(decoded)));
            return;
        }
        const BuildSpec& spec = decoded->value.spec;
        QCOMPARE(std::string(toString(spec.language)), language.toStdString());
        QCOMPARE(spec.binding == Binding::Torch, torchBinding);
        const Json written = encodeSolution(decoded->value);
        QCOMPARE(written["spec"]["languages"], *parseJson(languages.toStdString()));
        QVERIFY(!written["spec"].contains("language"));
        QVERIFY(!written["spec"].contains("binding"));
    }

    void solutionsKeepTheirForm()
    {
        const auto decoded = decodeSolution(solSolution(), ReadMode::Strict, kSol);
        QVERIFY2(decoded, qPrintable(outcome(decoded)));
        QVERIFY(decoded->warnings.empty());
        Solution solution = decoded->value;
        QVERIFY(solution.dialect == Dialect::SolExecBench);
        QVERIFY(solution.sources[0].isSeparateFile && !solution.sources[1].isSeparateFile);
        QCOMPARE(writeLine(encodeSolutionAsGiven(solution)), writeLine(solSolution()));
        solution.sources[0].content = "// k";
        QCOMPARE(encodeSolution(solution)["sources"][0]["content"].get<std::string>(), std::string("// k"));
        QCOMPARE(writeLine(encodeSolutionAsGiven(solution)), writeLine(solSolution()));
        // With both keys FlashInfer-Trace's counts, and the list is kept.
        const auto both = decodeSolution(changed(solSolution(), "/spec/language", "\"cuda\""), ReadMode::Tolerant);
        QVERIFY2(both, qPrintable(outcome(both)));
        QVERIFY(both->value.dialect == Dialect::FlashInferTrace);
        QVERIFY(!both->value.spec.binding);
        QVERIFY(encodeSolution(both->value)["spec"].contains("languages"));
        // FlashInfer-Trace knows neither the list nor sources without text.
        QCOMPARE(fieldOf(decodeSolution(solSolution(), ReadMode::Strict)), "spec.language");
        QCOMPARE(fieldOf(decodeSolution(changed(solSolution(), "/spec/language", "\"cuda\""), ReadMode::Strict)), "sources.0.content");
        QCOMPARE(fieldOf(decodeSolution(changed(solSolution(), "/sources/0/path", "\"../k.cu\""), ReadMode::Tolerant)), "sources.0.path");
    }

    void contentHashIsTheHarnesssOwn()
    {
        Solution solution = decodeSolution(solSolution(), ReadMode::Strict, kSol)->value;
        solution.sources[0].content = "int x;";
        // SHA-1 of "fastscaled_rowscutlasscublask.cu::runcutlassk.cuint x;h/u.cuh// u"
        QCOMPARE(solution.contentHash(), std::string("82f6cc8303e8abb3b505afa6a0198196ba684999"));
        solution.spec.binding = Binding::Torch;
        solution.spec.bindingGiven = true;
        // … with "torch" after "k.cu::run"
        QCOMPARE(solution.contentHash(), std::string("d61e54cefea35f76861748f2a52772ea5b34d07b"));
    }

    void tolerancesAreRead_data()
    {
        addChangeColumns();
        QTest::addColumn<double>("ratio");
        const auto row = [](const char* name, const char* value, const char* field, double ratio = 0.99) {
            QTest::newRow(name) << "/workload/tolerance" << value << field << ratio;
        };
        row("none", "delete", "");
        row("null", "null", "");
        row("empty", "{}", "");
        row("ratio", R"({"required_matched_ratio":0.5})", "", 0.5);
        row("ratio as text", R"({"required_matched_ratio":"0.5"})", "", 0.5);
        row("unknown key", R"({"max_ulp":3})", "");
        row("cap", R"({"max_error_cap":1})", "");
        row("flag", R"({"allow_negative_inf":true})", "");
        row("no object", "5", "workload.tolerance");
        row("negative", R"({"max_atol":-1})", "workload.tolerance.max_atol");
        row("NaN", R"({"max_rtol":NaN})", "workload.tolerance.max_rtol");
        row("null bound", R"({"max_rtol":null})", "workload.tolerance.max_rtol");
        row("flag that is none", R"({"allow_negative_inf":"maybe"})", "workload.tolerance.allow_negative_inf");
    }
    void tolerancesAreRead()
    {
        QFETCH(QString, pointer);
        QFETCH(QString, value);
        QFETCH(QString, field);
        QFETCH(double, ratio);
        const Json json = changed(solTrace(), pointer, value);
        const auto decoded = decodeTrace(json, ReadMode::Tolerant, kSol);
        QVERIFY2(fieldOf(decoded) == field, qPrintable(outcome(decoded)));
        if (!decoded) return;
        const Workload& workload = decoded->value.workload;
        QCOMPARE(workload.tolerance.has_value(), value != "delete" && value != "null");
        QCOMPARE(workload.tolerance.value_or(WorkloadTolerance()).matchedRatio(), ratio);
        // Only what was given is written.
        const Json written = encodeWorkload(workload);
        QCOMPARE(written.contains("tolerance"), value != "delete");
        if (value != "delete" && value != "null") QCOMPARE(written["tolerance"].size(), json["workload"]["tolerance"].size());
        // In FlashInfer-Trace it is an unknown key.
        const auto plain = decodeTrace(changed(json, "/workload/inputs", "{}"), ReadMode::Strict);
        QVERIFY2(plain, qPrintable(outcome(plain)));
        QVERIFY(!plain->value.workload.tolerance);
        QCOMPARE(plain->value.workload.unknownKeys.contains("tolerance"), value != "delete");
    }

    void toleranceHasDefaults()
    {
        const WorkloadTolerance tolerance;
        QCOMPARE(tolerance.atol(), 0.01);
        QCOMPARE(tolerance.rtol(), 0.01);
        QCOMPARE(tolerance.matchedRatio(), 0.99);
        QCOMPARE(tolerance.matchedRatio(MisspeltRatio::Honoured), 0.99);
        QVERIFY(!tolerance.maxErrorCap && !tolerance.allowNegativeInf);
        const auto decoded = decodeTrace(solTrace(), ReadMode::Tolerant, kSol);
        QVERIFY2(decoded, qPrintable(outcome(decoded)));
        QCOMPARE(decoded->value.workload.tolerance->atol(), 0.005);
        QCOMPARE(decoded->value.workload.tolerance->rtol(), 0.02);
    }

    void misspeltRatioIsToldAndIgnored()
    {
        Json json = changed(solTrace(), "/workload/tolerance", R"({"max_atol":0.1,"required_match_ratio":0.95})");
        auto decoded = decodeTrace(json, ReadMode::Tolerant, kSol);
        QVERIFY2(decoded, qPrintable(outcome(decoded)));
        QCOMPARE(fieldsOfWarnings(decoded->warnings), QStringList{"workload.tolerance.required_match_ratio"});
        QVERIFY(QString::fromStdString(decoded->warnings[0].error.reason).contains("default, 0.99"));
        QCOMPARE(decoded->value.workload.tolerance->matchedRatio(), 0.99);
        QCOMPARE(decoded->value.workload.tolerance->matchedRatio(MisspeltRatio::Honoured), 0.95);
        QCOMPARE(encodeWorkload(decoded->value.workload)["tolerance"].dump(), json["workload"]["tolerance"].dump());
        // Beside the right key the wrong one never counts.
        json["workload"]["tolerance"]["required_matched_ratio"] = 0.9;
        decoded = decodeTrace(json, ReadMode::Tolerant, kSol);
        QVERIFY(decoded);
        QCOMPARE(decoded->value.workload.tolerance->matchedRatio(MisspeltRatio::Honoured), 0.9);
        QVERIFY(QString::fromStdString(decoded->warnings[0].error.reason).contains("the other one"));
    }

    void inputKindsFollowTheDialect_data()
    {
        QTest::addColumn<QString>("input");
        QTest::addColumn<QString>("written");   // empty: refused
        const auto row = [](const char* input, const char* written) { QTest::newRow(input) << input << written; };
        row(R"({"type":"custom"})", R"({"type":"custom"})");
        row(R"({"type":"custom","note":1})", R"({"type":"custom","note":1})");
        row(R"({"value":1.5})", R"({"type":"scalar","value":1.5})");
        row(R"({"path":"p","tensor_key":"k"})", R"({"type":"safetensors","path":"p","tensor_key":"k"})");
        row(R"({"path":"p"})", "");   // random in FlashInfer-Trace
        row(R"({})", R"({"type":"random"})");
        row(R"({"type":"made"})", "");
    }
    void inputKindsFollowTheDialect()
    {
        QFETCH(QString, input);
        QFETCH(QString, written);
        const auto decoded = decodeTrace(changed(solTrace(), "/workload/inputs/x", input), ReadMode::Strict, kSol);
        QCOMPARE(decoded.has_value(), !written.isEmpty());
        if (decoded) QCOMPARE(QString::fromStdString(writeLine(encodeWorkload(decoded->value.workload)["inputs"]["x"])), written);
        else QVERIFY2(fieldOf(decoded).startsWith("workload.inputs.x"), qPrintable(outcome(decoded)));
    }

    void bareWorkloadsGetTheDefinitionOfTheirPlace()
    {
        const auto read = [](const char* line, ReadMode mode, const ReadPlace& place) { return decodeTrace(std::string_view(line), mode, place); };
        for (const char* line : {R"({"uuid":"w","axes":{"M":1},"inputs":{"x":{"type":"custom"}},"more":1})", R"({"axes":{"M":1},"inputs":{}})"}) {
            const auto decoded = read(line, ReadMode::Tolerant, kSol);
            QVERIFY2(decoded, qPrintable(outcome(decoded)));
            QVERIFY(decoded->value.isWorkloadTrace());
            QCOMPARE(decoded->value.definition, std::string("folder_problem"));
            QCOMPARE(decoded->value.workload.axes.at("M"), std::int64_t{1});
            QVERIFY(decoded->value.unknownKeys.empty());
            QCOMPARE(fieldOf(read(line, ReadMode::Tolerant, {})), "definition");
            QVERIFY(!read(line, ReadMode::Strict, {}));
        }
        // A trace around the workload says itself whose it is; a line that is neither is an error.
        const auto wrapped = read(R"({"definition":"d","workload":{"axes":{},"inputs":{},"uuid":"w"}})", ReadMode::Tolerant, kSol);
        QVERIFY2(wrapped, qPrintable(outcome(wrapped)));
        QCOMPARE(wrapped->value.definition, std::string("d"));
        QCOMPARE(fieldOf(read(R"({"definition":"d"})", ReadMode::Tolerant, kSol)), "workload");
        QCOMPARE(fieldOf(read(R"({"uuid":"w"})", ReadMode::Tolerant, kSol)), "axes");
    }

    void statusesAreRead_data()
    {
        QTest::addColumn<QString>("status");
        QTest::addColumn<int>("read");            // -1: refused
        QTest::addColumn<bool>("strictInSol");
        QTest::newRow("INVALID_REFERENCE") << "INVALID_REFERENCE" << static_cast<int>(Status::InvalidReference) << true;
        QTest::newRow("REWARD_HACK") << "REWARD_HACK" << static_cast<int>(Status::RewardHack) << true;
        QTest::newRow("reward_hack") << " reward_hack" << static_cast<int>(Status::RewardHack) << false;
        QTest::newRow("unknown") << "Melted" << static_cast<int>(Status::Other) << false;
        QTest::newRow("OTHER") << "OTHER" << static_cast<int>(Status::Other) << false;
        QTest::newRow("empty") << "" << -1 << false;
    }
    void statusesAreRead()
    {
        QFETCH(QString, status);
        QFETCH(int, read);
        QFETCH(bool, strictInSol);
        Json json = solTrace();
        json["evaluation"]["status"] = status.toStdString();
        json["evaluation"]["correctness"] = nullptr;
        json["evaluation"]["performance"] = nullptr;
        json["workload"]["inputs"] = Json::object();
        QCOMPARE(fieldOf(decodeTrace(json, ReadMode::Strict)), "evaluation.status");
        QCOMPARE(decodeTrace(json, ReadMode::Strict, kSol).has_value(), strictInSol);
        const auto decoded = decodeTrace(json, ReadMode::Tolerant);
        QCOMPARE(decoded.has_value(), read >= 0);
        if (!decoded) return;
        const Evaluation& evaluation = *decoded->value.evaluation;
        QCOMPARE(static_cast<int>(evaluation.status), read);
        QVERIFY(!decoded->value.isPassed());
        QCOMPARE(decoded->warnings.empty(), strictInSol);
        if (evaluation.status == Status::Other) {
            // Kept as it was, and nobody knows what belongs to it.
            QCOMPARE(std::string(evaluation.statusName()), status.toStdString());
            QCOMPARE(encodeEvaluation(evaluation)["status"].get<std::string>(), status.toStdString());
            json["evaluation"]["performance"] = Json::object();
            const auto more = decodeTrace(json, ReadMode::Tolerant);
            QVERIFY(more);
            QCOMPARE(more->warnings.size(), std::size_t{1});
        } else {
            QCOMPARE(std::string(evaluation.statusName()), status.trimmed().toUpper().toStdString());
        }
    }

    void newStatusesCarryNeitherCorrectnessNorPerformance()
    {
        for (const char* status : {"INVALID_REFERENCE", "REWARD_HACK"}) {
            Json json = solTrace();
            json["evaluation"]["status"] = status;
            QCOMPARE(fieldOf(decodeTrace(json, ReadMode::Strict, kSol)), "evaluation.correctness");
            json["evaluation"]["correctness"] = nullptr;
            QCOMPARE(fieldOf(decodeTrace(json, ReadMode::Strict, kSol)), "evaluation.performance");
            json["evaluation"].erase("performance");
            QVERIFY(decodeTrace(json, ReadMode::Strict, kSol));
        }
    }

    void errorsUnderAFlagAreNeverExact_data()
    {
        QTest::addColumn<QString>("flags");
        QTest::addColumn<QString>("error");   // nan, inf or a number
        const auto row = [](const char* flags, const char* error) { QTest::newRow(flags) << flags << error; };
        row(R"({})", "0");
        row(R"({"has_nan":false,"has_inf":false})", "0");
        row(R"({"has_nan":true,"has_inf":false})", "nan");
        row(R"({"has_nan":false,"has_inf":true})", "inf");
        row(R"({"has_nan":true,"has_inf":true})", "nan");
        row(R"({"has_nan":true,"max_relative_error":0.5,"max_absolute_error":0.5})", "0.5");
        row(R"({"has_nan":1})", "0");   // no flag: an unknown key
    }
    void errorsUnderAFlagAreNeverExact()
    {
        QFETCH(QString, flags);
        QFETCH(QString, error);
        Json correctness = {{"max_relative_error", 0.0}, {"max_absolute_error", 0.0}};
        correctness.update(*parseJson(flags.toStdString()));
        correctness["extra"] = nullptr;
        Json json = solTrace();
        json["evaluation"]["status"] = "INCORRECT_NUMERICAL";
        json["evaluation"]["correctness"] = correctness;
        json["evaluation"]["performance"] = nullptr;
        const auto decoded = decodeTrace(json, ReadMode::Tolerant);
        QVERIFY2(decoded, qPrintable(outcome(decoded)));
        for (const double found : {decoded->value.evaluation->correctness->maxAbsoluteError, decoded->value.evaluation->correctness->maxRelativeError}) {
            if (error == "nan") QVERIFY(std::isnan(found));
            else if (error == "inf") QVERIFY(std::isinf(found));
            else QCOMPARE(found, error.toDouble());
        }
        // Written as the harness writes it.
        Json written = encodeTrace(decoded->value)["evaluation"]["correctness"];
        for (const auto& [key, value] : correctness.items()) QVERIFY2(written.contains(key) && written[key] == value, key.c_str());
        QCOMPARE(written.size(), correctness.size());
    }

    void tracesKeepTheirForm()
    {
        const auto decoded = decodeTrace(solTrace(), ReadMode::Strict, kSol);
        QVERIFY2(decoded, qPrintable(outcome(decoded)));
        QVERIFY(decoded->warnings.empty());
        // The same members at every depth, in whatever order.
        QCOMPARE(nlohmann::json::parse(writeLine(encodeTrace(decoded->value))), nlohmann::json::parse(writeLine(solTrace())));
    }
};

QTEST_GUILESS_MAIN(TestSolDialect)
#include "test_sol_dialect.moc"
