// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "core/io/json_codec.h"
#include "core/run/near_names.h"
#include "core/run/run_event.h"
#include "core/run/run_request.h"
#include "tests/support/dataset_builder.h"

using namespace tracedeck;

namespace {

/// `solution@uuid` in order.
QStringList texts(const std::vector<RunPair>& pairs)
{
    QStringList list;
    for (const auto& pair : pairs) list << QString::fromStdString(pair.solution + "@" + pair.workloadUuid);
    return list;
}
QStringList texts(const std::set<std::pair<std::string, std::string>>& pairs)
{
    QStringList list;
    for (const auto& [solution, uuid] : pairs) list << QString::fromStdString(solution + "@" + uuid);
    return list;
}
std::set<std::string> names(const QString& text)
{
    std::set<std::string> result;
    for (const auto& name : text.split(' ', Qt::SkipEmptyParts)) result.insert(name.toStdString());
    return result;
}

std::string solutionText(const std::string& name, const std::string& author)
{
    return Json{{"name", name},
                {"definition", "d"},
                {"author", author},
                {"spec", {{"language", "python"}, {"target_hardware", {"cpu"}}, {"entry_point", "main.py::run"}, {"destination_passing_style", false}}},
                {"sources", {{{"path", "main.py"}, {"content", "def run(x):\n    return x\n"}}}}}
        .dump();
}

}  // namespace

class TestRunPlan : public QObject {
    Q_OBJECT

    test::DatasetBuilder m_builder;
    std::shared_ptr<const Dataset> m_dataset;

private slots:
    void initTestCase()
    {
        m_builder.definition({.name = "a_gemm", .opType = "gemm"})
            .definition({.name = "b_norm", .opType = "norm"})
            .definition({.name = "c_empty", .opType = "norm"});
        m_builder.definition({.name = "d_idle", .opType = "gemm"});
        m_builder.solution({.name = "a1", .definition = "a_gemm"})
            .solution({.name = "a2", .definition = "a_gemm", .author = "bob"});
        m_builder.solution({.name = "b1", .definition = "b_norm"});
        m_builder.solution({.name = "c1", .definition = "c_empty"});
        m_builder.solution({.name = "orphan", .definition = "nowhere"});
        m_builder.workload({.definition = "a_gemm", .uuid = "w1"}).workload({.definition = "a_gemm", .uuid = "w2"});
        m_builder.workload({.definition = "b_norm", .uuid = "w3"});
        m_builder.workload({.definition = "d_idle", .uuid = "w4"});
        m_builder.trace({.definition = "a_gemm", .solution = "a1", .uuid = "w1"});
        m_builder.trace({.definition = "a_gemm", .solution = "a2", .uuid = "w2", .status = Status::Timeout});
        m_builder.trace({.definition = "b_norm", .solution = "b1", .uuid = "w3", .evaluated = false});
        m_dataset = m_builder.load();
        QCOMPARE(m_dataset->definitions().size(), std::size_t{4});
    }

    void planIsGroupedByDefinitionThenWorkload_data()
    {
        QTest::addColumn<QString>("definitions");
        QTest::addColumn<QString>("solutions");
        QTest::addColumn<QString>("workloads");
        QTest::addColumn<QString>("opType");
        QTest::addColumn<QStringList>("pairs");
        QTest::newRow("all") << ""
                             << ""
                             << ""
                             << "" << QStringList{"a1@w1", "a2@w1", "a1@w2", "a2@w2", "b1@w3"};
        QTest::newRow("one definition") << "b_norm"
                                        << ""
                                        << ""
                                        << "" << QStringList{"b1@w3"};
        QTest::newRow("one solution") << ""
                                      << "a2"
                                      << ""
                                      << "" << QStringList{"a2@w1", "a2@w2"};
        QTest::newRow("solutions of two definitions") << ""
                                                      << "a2 b1"
                                                      << ""
                                                      << "" << QStringList{"a2@w1", "a2@w2", "b1@w3"};
        QTest::newRow("one workload") << ""
                                      << ""
                                      << "w2"
                                      << "" << QStringList{"a1@w2", "a2@w2"};
        QTest::newRow("solution and workload") << ""
                                               << "a1"
                                               << "w2"
                                               << "" << QStringList{"a1@w2"};
        QTest::newRow("op_type") << ""
                                 << ""
                                 << ""
                                 << "norm" << QStringList{"b1@w3"};
    }
    void planIsGroupedByDefinitionThenWorkload()
    {
        QFETCH(QString, definitions);
        QFETCH(QString, solutions);
        QFETCH(QString, workloads);
        QFETCH(QString, opType);
        QFETCH(QStringList, pairs);
        RunRequest request;
        request.dataset = m_dataset;
        request.definitions = names(definitions);
        request.solutions = names(solutions);
        request.workloads = names(workloads);
        request.opType = opType.toStdString();
        const auto plan = makePlan(request);
        QVERIFY(plan);
        QCOMPARE(texts(plan->pairs), pairs);
        for (const auto& pair : plan->pairs) {
            QCOMPARE(m_dataset->workloadsOf(pair.definition).at(pair.workload).workload.uuid, pair.workloadUuid);
        }
    }

    void exactPairsReplaceTheCrossProduct()
    {
        RunRequest request;
        request.dataset = m_dataset;
        request.pairs = {{"a1", "w2"}, {"b1", "w3"}, {"b1", "w1"}};   // the last one crosses definitions: nothing
        const auto plan = makePlan(request);
        QVERIFY(plan);
        QCOMPARE(texts(plan->pairs), (QStringList{"a1@w2", "b1@w3"}));
    }

    void resumeSkipsWhatHasAnEvaluationWhateverItsStatus()
    {
        RunRequest request;
        request.dataset = m_dataset;
        request.resume = true;
        const auto plan = makePlan(request);
        QVERIFY(plan);
        QCOMPARE(texts(plan->pairs), (QStringList{"a2@w1", "a1@w2", "b1@w3"}));
        QCOMPARE(plan->skippedByResume, std::size_t{2});
    }

    void resumeMakesAgainWhatWasMadeWithAnotherSource_data()
    {
        QTest::addColumn<QStringList>("judged");   // of the traces in their order; "now": the source as it is, "": not said
        QTest::addColumn<bool>("isMadeAgain");
        QTest::newRow("this source") << QStringList{"now"} << false;
        QTest::newRow("not said") << QStringList{""} << false;
        QTest::newRow("another source") << QStringList{"other"} << true;
        QTest::newRow("this one after another") << QStringList{"other", "now"} << false;
        QTest::newRow("this one before another") << QStringList{"now", "other"} << false;
        QTest::newRow("two others") << QStringList{"other", "third"} << true;
    }

    void resumeMakesAgainWhatWasMadeWithAnotherSource()
    {
        QFETCH(QStringList, judged);
        QFETCH(bool, isMadeAgain);
        test::DatasetBuilder builder;
        builder.definition({.name = "a_gemm"}).solution({.name = "a1", .definition = "a_gemm"}).workload({.definition = "a_gemm", .uuid = "w1"});
        const std::string now = builder.load()->findSolution("a1")->contentHash();
        for (const QString& source : judged) {
            const std::string hash = source == "now" ? now : source.toStdString();
            builder.trace({.definition = "a_gemm", .solution = "a1", .uuid = "w1", .judge = hash.empty() ? R"({"version":1})" : R"({"source":")" + hash + R"("})"});
        }
        RunRequest request;
        request.dataset = builder.load();
        request.resume = true;
        const auto plan = makePlan(request);
        QVERIFY(plan);
        QCOMPARE(plan->pairs.size(), std::size_t{isMadeAgain ? 1U : 0U});
        QCOMPARE(plan->renewed, plan->pairs.size());
        QCOMPARE(plan->skippedByResume, 1 - plan->pairs.size());
        QCOMPARE(plan->problems.size(), plan->pairs.size());
        if (isMadeAgain) QVERIFY(plan->problems.front().error.reason.find("solution a1 has changed since it was evaluated: 1 evaluation is made again") != std::string::npos);
    }

    void resumeOfAFinishedRunIsAnEmptyPlanNotAnError()
    {
        RunRequest request;
        request.dataset = m_dataset;
        request.resume = true;
        request.solutions = {"a1"};
        request.workloads = {"w1"};
        const auto plan = makePlan(request);
        QVERIFY(plan);
        QVERIFY(plan->pairs.empty());
        QCOMPARE(plan->skippedByResume, std::size_t{1});
    }

    void idleDefinitionsAndOrphansAreReported()
    {
        RunRequest request;
        request.dataset = m_dataset;
        const auto all = makePlan(request);
        QVERIFY(all);
        QCOMPARE(all->problems.size(), std::size_t{2});
        QVERIFY(all->problems[0].error.reason.find("d_idle has no solutions") !=
                std::string::npos);   // load order: gemm before norm
        QVERIFY(all->problems[1].error.reason.find("c_empty has no workloads") != std::string::npos);

        request.solutions = {"a1", "orphan"};
        const auto some = makePlan(request);
        QVERIFY(some);
        QCOMPARE(some->problems.size(), std::size_t{1});
        QCOMPARE(some->problems[0].error.reason, std::string("solution orphan is for definition nowhere, which is not in the dataset"));
    }

    void unknownNamesAmongKnownOnesAreWrongUsage_data()
    {
        QTest::addColumn<QString>("definitions");
        QTest::addColumn<QString>("solutions");
        QTest::addColumn<QString>("workloads");
        QTest::addColumn<QString>("opType");
        QTest::addColumn<QString>("reason");
        QTest::newRow("definition") << "a_gemm nope" << "" << "" << "" << "there is no definition named nope";
        QTest::newRow("nearly a definition") << "a_gemm B_Nrom" << "" << "" << "" << "there is no definition named B_Nrom (did you mean \"b_norm\"?)";
        QTest::newRow("solution") << "" << "a1 nix_like_that" << "" << "" << "there is no solution named nix_like_that";
        QTest::newRow("workload") << "" << "" << "w1 elsewhere" << "" << "there is no workload with the uuid elsewhere";
        QTest::newRow("op_type") << "" << "" << "" << "GEM" << "there is no definition of op_type GEM (did you mean \"gemm\"?)";
        QTest::newRow("several") << "nope" << "nix_like_that" << "" << ""
                                 << "there is no definition named nope; there is no solution named nix_like_that";
    }
    void unknownNamesAmongKnownOnesAreWrongUsage()
    {
        QFETCH(QString, definitions);
        QFETCH(QString, solutions);
        QFETCH(QString, workloads);
        QFETCH(QString, opType);
        QFETCH(QString, reason);
        RunRequest request;
        request.dataset = m_dataset;
        request.definitions = names(definitions);
        request.solutions = names(solutions);
        request.workloads = names(workloads);
        request.opType = opType.toStdString();
        const auto plan = makePlan(request);
        QVERIFY(!plan);
        QCOMPARE(plan.error().code, ErrorCode::Usage);
        QCOMPARE(QString::fromStdString(plan.error().reason), reason);
    }

    void nearestNames_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("nearest");
        QTest::newRow("a letter too many") << "rmssnorm_h4096" << "rmsnorm_h4096";
        QTest::newRow("capitals") << "RMSNorm_H4096" << "rmsnorm_h4096";
        QTest::newRow("swapped letters") << "gmem_n128" << "gemm_n128";
        QTest::newRow("nothing like it") << "attention" << "";
        QTest::newRow("nothing") << "" << "";
    }
    void nearestNames()
    {
        QFETCH(QString, name);
        QFETCH(QString, nearest);
        QCOMPARE(QString::fromStdString(nearestName(name.toStdString(), {"gemm_n128", "gemm_n256", "rmsnorm_h4096"})), nearest);
        QCOMPARE(nearestName(std::string(100000, 'x'), {"x"}), std::string());
    }

    void whatCannotBeStoredIsLeftOut()
    {
        test::DatasetBuilder builder;
        builder.definition({.name = "d", .opType = "gemm"}).workload({.definition = "d", .uuid = "w1"}).workload({.definition = "d", .uuid = "w2"});
        builder.solution({.name = "good", .definition = "d"});
        builder.file("solutions/climber.json", solutionText("climber", "../up"));
        builder.file("solutions/endless.json", solutionText("endless", std::string(300, 'a')));
        RunRequest request;
        request.dataset = builder.load();
        QCOMPARE(request.dataset->solutions().size(), std::size_t{3});
        const auto plan = makePlan(request);
        QVERIFY(plan);
        QCOMPARE(texts(plan->pairs), (QStringList{"good@w1", "good@w2"}));
        QCOMPARE(plan->leftOut, std::size_t{4});
        QCOMPARE(plan->problems.size(), std::size_t{2});
        const QString climber = QString::fromStdString(plan->problems[0].error.reason);
        QVERIFY2(climber.startsWith("solution climber left out (2 evaluations), as its results could not be stored: the author '../up'"), qPrintable(climber));
        QVERIFY2(climber.contains("--no-save-results"), qPrintable(climber));
        QVERIFY(plan->problems[1].error.reason.find("longer than the name of a file or folder may be (255 bytes)") != std::string::npos);

        request.solutions = {"climber"};
        const auto nothing = makePlan(request);
        QVERIFY(!nothing);
        QCOMPARE(nothing.error().code, ErrorCode::Unsupported);
        request.saveResults = false;
        const auto measured = makePlan(request);
        QVERIFY(measured);
        QCOMPARE(texts(measured->pairs), (QStringList{"climber@w1", "climber@w2"}));
    }

    void nothingToRunIsAnErrorThatSaysWhy_data()
    {
        QTest::addColumn<QString>("definitions");
        QTest::addColumn<QString>("solutions");
        QTest::addColumn<QString>("workloads");
        QTest::addColumn<QString>("opType");
        QTest::addColumn<QString>("phrase");
        QTest::newRow("unknown definition") << "zzz"
                                            << ""
                                            << ""
                                            << ""
                                            << "no definition named zzz";
        QTest::newRow("no workloads") << "c_empty"
                                      << ""
                                      << ""
                                      << ""
                                      << "c_empty has no workloads";
        QTest::newRow("no solutions") << "d_idle"
                                      << ""
                                      << ""
                                      << ""
                                      << "d_idle has no solutions";
        QTest::newRow("solution and workload never meet") << ""
                                                          << "b1"
                                                          << "w1"
                                                          << ""
                                                          << "no solution of the selection meets a workload";
        QTest::newRow("unknown op_type") << ""
                                         << ""
                                         << ""
                                         << "conv"
                                         << "no definition of op_type conv";
        QTest::newRow("orphan") << ""
                                << "orphan"
                                << ""
                                << ""
                                << "nowhere, which is not in the dataset";
    }
    void nothingToRunIsAnErrorThatSaysWhy()
    {
        QFETCH(QString, definitions);
        QFETCH(QString, solutions);
        QFETCH(QString, workloads);
        QFETCH(QString, opType);
        QFETCH(QString, phrase);
        RunRequest request;
        request.dataset = m_dataset;
        request.definitions = names(definitions);
        request.solutions = names(solutions);
        request.workloads = names(workloads);
        request.opType = opType.toStdString();
        const auto plan = makePlan(request);
        QVERIFY(!plan);
        QVERIFY2(QString::fromStdString(plan.error().reason).contains(phrase), plan.error().reason.c_str());
        QCOMPARE(plan.error().code, ErrorCode::Usage);
        request.dataset.reset();
        QCOMPARE(makePlan(request).error().code, ErrorCode::Usage);
    }

    void selectionExpandsByDefinition_data()
    {
        QTest::addColumn<QString>("opTypes");
        QTest::addColumn<QString>("definitions");
        QTest::addColumn<QString>("solutions");
        QTest::addColumn<QString>("workloads");
        QTest::addColumn<QStringList>("pairs");
        QTest::newRow("nothing") << ""
                                 << ""
                                 << ""
                                 << "" << QStringList{};
        QTest::newRow("op_type") << "gemm"
                                 << ""
                                 << ""
                                 << "" << QStringList{"a1@w1", "a1@w2", "a2@w1", "a2@w2"};
        QTest::newRow("definition") << ""
                                    << "b_norm"
                                    << ""
                                    << "" << QStringList{"b1@w3"};
        QTest::newRow("solution means all workloads") << ""
                                                      << ""
                                                      << "a1"
                                                      << "" << QStringList{"a1@w1", "a1@w2"};
        QTest::newRow("workload means all solutions") << ""
                                                      << ""
                                                      << ""
                                                      << "w2" << QStringList{"a1@w2", "a2@w2"};
        QTest::newRow("solution and workload of one definition") << ""
                                                                 << ""
                                                                 << "a1"
                                                                 << "w2" << QStringList{"a1@w2"};
        QTest::newRow("solution here, workload there") << ""
                                                       << ""
                                                       << "a1"
                                                       << "w3" << QStringList{"a1@w1", "a1@w2", "b1@w3"};
        QTest::newRow("definition narrowed by its solution, another one whole")
            << ""
            << "a_gemm b_norm"
            << "a1"
            << "" << QStringList{"a1@w1", "a1@w2", "b1@w3"};
        QTest::newRow("names that are gone") << "x"
                                             << "y"
                                             << "z"
                                             << "u" << QStringList{};
    }
    void selectionExpandsByDefinition()
    {
        QFETCH(QString, opTypes);
        QFETCH(QString, definitions);
        QFETCH(QString, solutions);
        QFETCH(QString, workloads);
        QFETCH(QStringList, pairs);
        QCOMPARE(texts(expandSelection(*m_dataset,
                                       {names(opTypes), names(definitions), names(solutions), names(workloads)})),
                 pairs);
    }

    void stagesHaveNames()
    {
        for (const Stage stage :
             {Stage::Build, Stage::Inputs, Stage::Reference, Stage::Check, Stage::Time, Stage::Verify}) {
            QCOMPARE(stageFromString(toString(stage)), std::optional<Stage>(stage));
        }
        QVERIFY(!stageFromString("Build"));
        QVERIFY(!stageFromString(""));
    }

    void eventsNameTheirPairInFull()
    {
        RunRequest request;
        request.dataset = m_dataset;
        const auto plan = makePlan(request);
        QVERIFY(plan);
        const Json planned = encodeRunEvent(PlanEvent{plan->pairs, 3, {"cpu"}}, *plan);
        QCOMPARE(planned.at("event").get<std::string>(), std::string("plan"));
        QCOMPARE(planned.at("total").get<int>(), 5);
        QCOMPARE(planned.at("skipped_by_resume").get<int>(), 3);
        QCOMPARE(planned.at("left_out").get<int>(), 0);
        QCOMPARE(planned.at("pairs").at(1).at("solution").get<std::string>(), std::string("a2"));
        QCOMPARE(planned.at("problems").size(), std::size_t{2});

        ResultEvent result;
        result.device = "cpu";
        result.pair = 4;
        result.stored = true;
        result.file = "/data/traces/x.jsonl";
        result.byteOffset = 77;
        result.trace = m_dataset->workloadsOf("b_norm").at(0);
        result.trace.solution = "b1";
        Evaluation evaluation;
        evaluation.environment.hardware = "Test CPU";
        evaluation.timestamp = "2026-01-01T00:00:00";
        result.trace.evaluation = evaluation;
        const Json told = encodeRunEvent(result, *plan);
        QCOMPARE(told.at("definition").get<std::string>(), std::string("b_norm"));
        QCOMPARE(told.at("solution").get<std::string>(), std::string("b1"));
        QCOMPARE(told.at("workload_uuid").get<std::string>(), std::string("w3"));
        QCOMPARE(told.at("device").get<std::string>(), std::string("cpu"));
        QCOMPARE(told.at("status").get<std::string>(), std::string("RUNTIME_ERROR"));
        QCOMPARE(told.at("byte_offset").get<int>(), 77);
        QVERIFY(decodeTrace(told.at("trace"), ReadMode::Strict));

        const Json log = encodeRunEvent(LogEvent{"cpu", 0, "a line\n"}, *plan);
        QCOMPARE(log.at("event").get<std::string>(), std::string("log"));
        QCOMPARE(log.at("text").get<std::string>(), std::string("a line\n"));
        const Json stage = encodeRunEvent(StageEvent{"cpu", 0, Stage::Time}, *plan);
        QCOMPARE(stage.at("stage").get<std::string>(), std::string("time"));
        const Json problem = encodeRunEvent(
            ProblemEvent{"cpu", {0, 4}, Error{.reason = "why", .file = "f", .line = 2, .field = "x"}}, *plan);
        QCOMPARE(problem.at("pairs").at(1).at("workload_uuid").get<std::string>(), std::string("w3"));
        QCOMPARE(problem.at("error").at("reason").get<std::string>(), std::string("why"));
        QCOMPARE(problem.at("error").at("line").get<int>(), 2);
        const Json done = encodeRunEvent(
            DoneEvent{.total = 5, .passed = 1, .failed = 2, .notRun = 2, .cancelled = true, .seconds = 1.5}, *plan);
        QCOMPARE(done.at("not_run").get<int>(), 2);
        QVERIFY(done.at("cancelled").get<bool>());
    }
};

QTEST_GUILESS_MAIN(TestRunPlan)
#include "test_run_plan.moc"
