// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <filesystem>

#include "core/run/eval_config.h"

using namespace tracedeck;

namespace {

EvalConfigFile parsed(const std::string& yaml)
{
    auto file = EvalConfigFile::parse(yaml, "test.yaml");
    if (!file) {
        qWarning("%s", file.error().toString().c_str());
        return {};
    }
    return *file;
}

}  // namespace

class TestEvalConfig : public QObject {
    Q_OBJECT
private slots:
    void builtInDefaultsAreTheFormats()
    {
        const EvalConfig config = parsed("").resolve("gemm", "g", {});
        QCOMPARE(config.warmupRuns, 10);
        QCOMPARE(config.iterations, 50);
        QCOMPARE(config.numTrials, 3);
        QCOMPARE(config.rtol, 1e-2);
        QCOMPARE(config.atol, 1e-2);
        QVERIFY(!config.requiredMatchedRatio);
        QVERIFY(config.extra.empty());
    }

    void bundledFileLoosensMoeAndSampling()
    {
        const auto file = EvalConfigFile::bundled();
        QVERIFY(file.warnings().empty());
        QCOMPARE(file.resolve("moe", "m", {}).requiredMatchedRatio, std::optional<double>(0.95));
        QVERIFY(!file.resolve("gemm", "g", {}).requiredMatchedRatio);
        const Json extra = file.resolve("sampling", "s", {}).extra;
        QCOMPARE(extra.at("sampling_validation_trials").get<int>(), 100);
        QCOMPARE(extra.at("sampling_tvd_threshold").get<double>(), 0.2);
    }

    void layersOverrideInOrder_data()
    {
        QTest::addColumn<QString>("opType");
        QTest::addColumn<QString>("definition");
        QTest::addColumn<double>("rtol");
        QTest::addColumn<int>("iterations");
        QTest::addColumn<double>("atol");
        QTest::newRow("nothing but the top level") << "other"
                                                   << "x" << 1e-2 << 50 << 0.5;
        QTest::newRow("op_type") << "gemm"
                                 << "x" << 0.1 << 7 << 0.5;
        QTest::newRow("definition over op_type, top level over both") << "gemm"
                                                                      << "special" << 0.2 << 7 << 0.5;
        QTest::newRow("definition alone") << "other"
                                          << "special" << 0.2 << 50 << 0.5;
    }
    void layersOverrideInOrder()
    {
        QFETCH(QString, opType);
        QFETCH(QString, definition);
        const auto file = parsed("op_type_config:\n  gemm: {rtol: 0.1, iterations: 7, atol: 9}\n"
                                 "definition_config:\n  special: {rtol: 0.2, atol: 8, iterations: null}\natol: 0.5\n");
        const EvalConfig config = file.resolve(opType.toStdString(), definition.toStdString(), {});
        QTEST(config.rtol, "rtol");
        QTEST(config.iterations, "iterations");
        QTEST(config.atol, "atol");
    }

    void indexInputsAreValidUnlessALayerSaysOtherwise()
    {
        QVERIFY(parsed("").resolve("gemm", "g", {}).validIndexInputs);
        const auto file = parsed("op_type_config:\n  gqa: {valid_index_inputs: false}\ndefinition_config:\n  d: {valid_index_inputs: true}\n");
        QVERIFY(!file.resolve("gqa", "x", {}).validIndexInputs);
        QVERIFY(file.resolve("gqa", "d", {}).validIndexInputs);
        EvalOverrides raw;
        raw.validIndexInputs = false;
        const EvalConfig config = file.resolve("gqa", "d", raw);
        QVERIFY(!config.validIndexInputs);
        const auto decoded = decodeEvalConfig(encodeEvalConfig(config));
        QVERIFY(decoded);
        QVERIFY(!decoded->validIndexInputs);
        QVERIFY(!EvalConfigFile::parse("valid_index_inputs: 3\n", "test.yaml"));
    }

    void commandLineReplacesTheTopLevelAndBeatsDefinitions()
    {
        const auto file = parsed("definition_config:\n  d: {rtol: 0.2, num_trials: 4}\nrtol: 0.3\n");
        EvalOverrides overrides;
        overrides.rtol = 0.4;
        overrides.warmupRuns = 0;
        const EvalConfig config = file.resolve("gemm", "d", overrides);
        QCOMPARE(config.rtol, 0.4);
        QCOMPARE(config.warmupRuns, 0);
        QCOMPARE(config.numTrials, 4);
    }

    void extraMergesKeyByKey()
    {
        const auto file =
            parsed("op_type_config:\n  o: {extra: {a: 1, b: 2}}\ndefinition_config:\n  d: {extra: {b: 3, text: '7'}}\n"
                   "extra: {c: [1, 2.5, true]}\nsampling_tvd_threshold: 0.1\n");
        const Json extra = file.resolve("o", "d", {}).extra;
        const Json expected = {
            {"a", 1}, {"b", 3}, {"text", "7"}, {"c", {1, 2.5, true}}, {"sampling_tvd_threshold", 0.1}};
        QCOMPARE(nlohmann::json(extra), nlohmann::json(expected));
    }

    // benchmark §4.8, a vector for each rule of precedence: built-in < op_type < definition < top level < command line.
    void everyFieldFollowsTheLayers_data()
    {
        QTest::addColumn<QString>("yaml");
        QTest::addColumn<QString>("extra");        // of the command line, as KEY=VALUE
        QTest::addColumn<QString>("expected");     // as the judge gets it
        const char* plain = R"({"warmup_runs":10,"iterations":50,"num_trials":3,"rtol":0.01,"atol":0.01,"required_matched_ratio":null,"valid_index_inputs":true,"strict_numerics":false,"precision":0.0,"extra":{}})";
        const auto changed = [plain](const Json& fields) {
            Json json = Json::parse(plain);
            for (const auto& [key, value] : fields.items()) json[key] = value;
            return QString::fromStdString(json.dump());
        };
        QTest::newRow("nothing") << "" << "" << plain;
        QTest::newRow("op_type") << "op_type_config: {o: {warmup_runs: 0, strict_numerics: true}}" << "" << changed({{"warmup_runs", 0}, {"strict_numerics", true}});
        QTest::newRow("another op_type") << "op_type_config: {p: {warmup_runs: 0}}" << "" << plain;
        QTest::newRow("definition over op_type") << "op_type_config: {o: {iterations: 2, num_trials: 2}}\ndefinition_config: {d: {iterations: 4}}" << ""
                                                 << changed({{"iterations", 4}, {"num_trials", 2}});
        QTest::newRow("top level over the definition") << "definition_config: {d: {required_matched_ratio: 0.5, strict_numerics: true}}\nrequired_matched_ratio: 0.75\nstrict_numerics: false" << ""
                                                       << changed({{"required_matched_ratio", 0.75}});
        QTest::newRow("null overrides nothing") << "op_type_config: {o: {rtol: 0.5, strict_numerics: true}}\ndefinition_config: {d: {rtol: null, strict_numerics: null}}\nrtol: null" << ""
                                                << changed({{"rtol", 0.5}, {"strict_numerics", true}});
        QTest::newRow("extra, key by key") << "op_type_config: {o: {extra: {a: 1, b: 1, c: 1}}}\ndefinition_config: {d: {extra: {b: 2, c: 2}}}\nextra: {c: 3}" << ""
                                           << changed({{"extra", {{"a", 1}, {"b", 2}, {"c", 3}}}});
        QTest::newRow("extra, null overrides nothing") << "op_type_config: {o: {extra: {a: 1}}}\nextra: {a: null}" << "" << changed({{"extra", {{"a", 1}}}});
        QTest::newRow("the old names at the top level") << "op_type_config: {o: {extra: {sampling_tvd_threshold: 0.3, sampling_validation_trials: 5}}}\nsampling_tvd_threshold: 0.4" << ""
                                                        << changed({{"extra", {{"sampling_tvd_threshold", 0.4}, {"sampling_validation_trials", 5}}}});
        QTest::newRow("the old names, null") << "op_type_config: {o: {extra: {sampling_tvd_threshold: 0.3}}}\nsampling_tvd_threshold: null" << "" << changed({{"extra", {{"sampling_tvd_threshold", 0.3}}}});
        QTest::newRow("command line over all") << "extra: {a: 1, b: 1}\ndefinition_config: {d: {extra: {a: 2}}}" << "a=0.5" << changed({{"extra", {{"a", 0.5}, {"b", 1}}}});
        QTest::newRow("a word of the command line") << "" << "a=exact" << changed({{"extra", {{"a", "exact"}}}});
        QTest::newRow("a truth value of the command line") << "" << "a=true" << changed({{"extra", {{"a", true}}}});
    }
    void everyFieldFollowsTheLayers()
    {
        QFETCH(QString, yaml);
        QFETCH(QString, extra);
        QFETCH(QString, expected);
        EvalOverrides overrides;
        if (!extra.isEmpty()) QVERIFY(addExtra(overrides, extra.toStdString()));
        const Json actual = encodeEvalConfig(parsed(yaml.toStdString()).resolve("o", "d", overrides));
        QCOMPARE(nlohmann::json(actual), nlohmann::json::parse(expected.toStdString()));
    }

    void extraOfACommandLineNeedsAKey_data()
    {
        QTest::addColumn<QByteArray>("entry");
        QTest::newRow("no value") << QByteArray("a");
        QTest::newRow("no key") << QByteArray("=1");
        QTest::newRow("nothing") << QByteArray();
        QTest::newRow("not YAML") << QByteArray("a=[1");
        QTest::newRow("not UTF-8") << QByteArray("a=\xff");
        QTest::newRow("no number") << QByteArray("a=.nan");
    }
    void extraOfACommandLineNeedsAKey()
    {
        QFETCH(QByteArray, entry);
        EvalOverrides overrides;
        const auto added = addExtra(overrides, entry.toStdString());
        QVERIFY(!added);
        QCOMPARE(added.error().code, ErrorCode::Usage);
        QVERIFY(overrides.extra.empty());
    }

    void systemFieldsAreRead()
    {
        const auto file = parsed("timeout_seconds: 12\nprofile_baseline: false\ndefinitions: [a, "
                                 "b]\nuse_isolated_runner: true\nlog_dir: /x\nsolutions: null\n");
        QCOMPARE(file.system().timeoutSeconds, std::optional<double>(12));
        QCOMPARE(file.system().profileBaseline, std::optional<bool>(false));
        QCOMPARE(file.system().useIsolatedRunner, std::optional<bool>(true));
        QVERIFY(file.system().definitions == (std::set<std::string>{"a", "b"}));
        QVERIFY(!file.system().solutions);
        QVERIFY(file.warnings().empty());
    }

    /// Found by fuzzing: such texts were accepted and could not be sent to the judge as they were.
    void textsThatJsonCannotHoldAreRefused_data()
    {
        QTest::addColumn<QByteArray>("yaml");
        QTest::addColumn<int>("line");
        QTest::newRow("not UTF-8") << QByteArray("rtol: 0.1\nextra: {n\xcb: 1}\n") << 2;
        QTest::newRow("not UTF-8 in a comment") << QByteArray("# \xff") << 1;
        QTest::newRow("infinite") << QByteArray("atol: 0.1\n\nextra: {n: [1, .inf]}\n") << 3;
        QTest::newRow("not a number") << QByteArray("extra: {n: .nan}\n") << 1;
    }
    void textsThatJsonCannotHoldAreRefused()
    {
        QFETCH(QByteArray, yaml);
        QFETCH(int, line);
        const auto file = EvalConfigFile::parse(yaml.toStdString(), "test.yaml");
        QVERIFY(!file);
        QCOMPARE(file.error().line, std::int64_t{line});
        QCOMPARE(file.error().file, std::string("test.yaml"));
        QVERIFY(!file.error().reason.empty());
    }

    void unknownKeysAreNamedAndIgnored()
    {
        const auto file = parsed("rtol: 0.3\nwarmups: 3\nop_type_config:\n  gemm:\n    toll: 1\n");
        QCOMPARE(file.warnings().size(), std::size_t{2});
        QCOMPARE(file.warnings()[0].error.field, std::string("warmups"));
        QCOMPARE(file.warnings()[0].error.line, std::int64_t{2});
        QCOMPARE(file.warnings()[1].error.field, std::string("op_type_config.gemm.toll"));
        QCOMPARE(file.warnings()[1].error.line, std::int64_t{5});
        QCOMPARE(file.resolve("gemm", "g", {}).rtol, 0.3);
    }

    void badValuesNameLineAndField_data()
    {
        QTest::addColumn<QString>("yaml");
        QTest::addColumn<int>("line");
        QTest::addColumn<QString>("field");
        QTest::newRow("no iterations") << "rtol: 1\niterations: 0\n" << 2 << "iterations";
        QTest::newRow("fraction of a run") << "warmup_runs: 1.5" << 1 << "warmup_runs";
        QTest::newRow("negative warm-up") << "warmup_runs: -1" << 1 << "warmup_runs";
        QTest::newRow("no trials") << "num_trials: 0" << 1 << "num_trials";
        QTest::newRow("far too many") << "iterations: 1e30" << 1 << "iterations";
        QTest::newRow("word") << "atol: tight" << 1 << "atol";
        QTest::newRow("zero tolerance") << "rtol: 0" << 1 << "rtol";
        QTest::newRow("NaN tolerance") << "rtol: .nan" << 1 << "rtol";
        QTest::newRow("infinite tolerance") << "atol: .inf" << 1 << "atol";
        QTest::newRow("precision of nothing") << "precision: 0" << 1 << "precision";
        QTest::newRow("flag that is a word") << "strict_numerics: very" << 1 << "strict_numerics";
        QTest::newRow("ratio over one") << "definition_config:\n  d:\n    required_matched_ratio: 1.5" << 3
                                        << "definition_config.d.required_matched_ratio";
        QTest::newRow("list for a number")
            << "op_type_config:\n  moe:\n    rtol: [1]" << 3 << "op_type_config.moe.rtol";
        QTest::newRow("layer that is a number") << "op_type_config:\n  moe: 3" << 2 << "op_type_config.moe";
        QTest::newRow("extra that is a number") << "extra: 3" << 1 << "extra";
        QTest::newRow("names that are a text") << "definitions: abc" << 1 << "definitions";
        QTest::newRow("timeout of zero") << "timeout_seconds: 0" << 1 << "timeout_seconds";
        QTest::newRow("flag that is a number") << "profile_baseline: 3" << 1 << "profile_baseline";
        QTest::newRow("a list at the top") << "- 1" << 1 << "";
        QTest::newRow("not YAML") << "rtol: 1\n  atol: [" << 2 << "";
    }
    void badValuesNameLineAndField()
    {
        QFETCH(QString, yaml);
        QFETCH(int, line);
        QFETCH(QString, field);
        const auto file = EvalConfigFile::parse(yaml.toStdString(), "bad.yaml");
        QVERIFY(!file);
        QCOMPARE(file.error().code, ErrorCode::InvalidInput);
        QCOMPARE(file.error().file, std::string("bad.yaml"));
        QCOMPARE(file.error().line, std::int64_t{line});
        QCOMPARE(QString::fromStdString(file.error().field), field);
        QVERIFY(!file.error().reason.empty());
    }

    void loadingNamesTheFile()
    {
        const auto missing = EvalConfigFile::load("/nonexistent/config.yaml");
        QVERIFY(!missing);
        QCOMPARE(missing.error().code, ErrorCode::NotFound);
        QCOMPARE(missing.error().file, std::string("/nonexistent/config.yaml"));

        QTemporaryDir folder;
        QFile file(folder.filePath("c.yaml"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("# a comment\niterations: 5\n");
        file.close();
        const auto loaded = EvalConfigFile::load(file.fileName().toStdString());
        QVERIFY(loaded);
        QCOMPARE(loaded->resolve("o", "d", {}).iterations, 5);
        const auto asFolder = EvalConfigFile::load(folder.path().toStdString());
        QVERIFY(!asFolder);
    }

    void validateNamesTheField_data()
    {
        QTest::addColumn<QString>("field");
        for (const char* field : {"warmup_runs", "iterations", "num_trials", "rtol", "atol", "required_matched_ratio"})
            QTest::newRow(field) << field;
    }
    void validateNamesTheField()
    {
        QFETCH(QString, field);
        EvalConfig config;
        QVERIFY(validate(config));
        if (field == "warmup_runs") config.warmupRuns = -1;
        if (field == "iterations") config.iterations = 0;
        if (field == "num_trials") config.numTrials = 0;
        if (field == "rtol") config.rtol = 0;
        if (field == "atol") config.atol = std::numeric_limits<double>::quiet_NaN();
        if (field == "required_matched_ratio") config.requiredMatchedRatio = 0;
        const auto valid = validate(config);
        QVERIFY(!valid);
        QCOMPARE(QString::fromStdString(valid.error().field), field);
    }

    void messageFormRoundTrips()
    {
        EvalConfig config;
        config.warmupRuns = 1;
        config.iterations = 2;
        config.numTrials = 4;
        config.rtol = 0.25;
        config.atol = 0.125;
        config.requiredMatchedRatio = 0.5;
        config.strictNumerics = true;
        config.precision = 0.5;
        config.extra["k"] = 3;
        const auto again = decodeEvalConfig(Json::parse(encodeEvalConfig(config).dump()));
        QVERIFY(again);
        QCOMPARE(again->warmupRuns, 1);
        QCOMPARE(again->iterations, 2);
        QCOMPARE(again->numTrials, 4);
        QCOMPARE(again->rtol, 0.25);
        QCOMPARE(again->atol, 0.125);
        QCOMPARE(again->requiredMatchedRatio, std::optional<double>(0.5));
        QVERIFY(again->strictNumerics);
        QCOMPARE(again->precision, 0.5);
        QCOMPARE(again->extra.at("k").get<int>(), 3);

        Json broken = encodeEvalConfig(config);
        broken["rtol"] = "x";
        QCOMPARE(decodeEvalConfig(broken).error().field, std::string("rtol"));
        broken = encodeEvalConfig(config);
        broken.erase("iterations");
        QCOMPARE(decodeEvalConfig(broken).error().field, std::string("iterations"));
        QVERIFY(!decodeEvalConfig(Json::array()));
    }
};

QTEST_GUILESS_MAIN(TestEvalConfig)
#include "test_eval_config.moc"
