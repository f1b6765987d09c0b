// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "core/model/judge_verdicts.h"

using namespace tracedeck;

class TestJudgeVerdicts : public QObject {
    Q_OBJECT
private slots:
    void readsWhatTheJudgeWrote();
    void leavesOutWhatMakesNoSense_data();
    void leavesOutWhatMakesNoSense();
    void brokenRulesAreToldFromMistakes_data();
    void brokenRulesAreToldFromMistakes();
};

namespace {

Evaluation evaluationWith(const char* keys)
{
    Evaluation evaluation;
    evaluation.unknownKeys = Json::parse(keys);
    return evaluation;
}

}  // namespace

void TestJudgeVerdicts::readsWhatTheJudgeWrote()
{
    const auto verdicts = judgeVerdicts(evaluationWith(R"({"judge": {"verdicts": [{"id": "late.write", "level": "reject", "call": 17, "evidence": "line 3"}, {"id": "drift", "level": "note", "evidence": "slower"}]}})"));
    QCOMPARE(verdicts.size(), std::size_t{2});
    QCOMPARE(verdicts[0].id, std::string("late.write"));
    QCOMPARE(verdicts[0].level, std::string("reject"));
    QCOMPARE(verdicts[0].call, std::int64_t{17});
    QCOMPARE(verdicts[0].evidence, std::string("line 3"));
    QCOMPARE(verdicts[1].call, std::int64_t{-1});
}

void TestJudgeVerdicts::leavesOutWhatMakesNoSense_data()
{
    QTest::addColumn<QString>("keys");
    QTest::addColumn<int>("count");
    QTest::newRow("nothing") << "{}" << 0;
    QTest::newRow("a text") << R"({"judge": "guilty"})" << 0;
    QTest::newRow("no list") << R"({"judge": {"verdicts": {"id": "x"}}})" << 0;
    QTest::newRow("entries of all kinds") << R"({"judge": {"verdicts": [1, null, "late.write", [], {}, {"id": 3}, {"id": ""}, {"id": "x", "level": 1, "call": "two", "evidence": []}]}})" << 1;
}

void TestJudgeVerdicts::leavesOutWhatMakesNoSense()
{
    QFETCH(QString, keys);
    QFETCH(int, count);
    const auto verdicts = judgeVerdicts(evaluationWith(keys.toUtf8().constData()));
    QCOMPARE(verdicts.size(), static_cast<std::size_t>(count));
    if (count == 1) {
        QCOMPARE(verdicts[0].level, std::string());
        QCOMPARE(verdicts[0].call, std::int64_t{-1});
        QVERIFY(verdicts[0].evidence.empty());
    }
}

void TestJudgeVerdicts::brokenRulesAreToldFromMistakes_data()
{
    QTest::addColumn<QString>("id");
    QTest::addColumn<QString>("level");
    QTest::addColumn<bool>("isBroken");
    QTest::newRow("wrote late") << "late.write" << "reject" << true;
    QTest::newRow("faster than physics") << "physics" << "reject" << true;
    QTest::newRow("once only") << "physics" << "warn" << false;
    QTest::newRow("wrong values") << "output.wrong" << "reject" << false;
    QTest::newRow("off by a little") << "redzone" << "reject" << false;
    QTest::newRow("unknown") << "made.up" << "reject" << false;
}

void TestJudgeVerdicts::brokenRulesAreToldFromMistakes()
{
    QFETCH(QString, id);
    QFETCH(QString, level);
    QFETCH(bool, isBroken);
    QCOMPARE(breaksRules({id.toStdString(), level.toStdString(), -1, {}}), isBroken);
}

QTEST_GUILESS_MAIN(TestJudgeVerdicts)
#include "test_judge_verdicts.moc"
