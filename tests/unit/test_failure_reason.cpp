// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "core/model/failure_reason.h"

using namespace tracedeck;

class TestFailureReason : public QObject {
    Q_OBJECT

private slots:
    void saysWhatMatters_data()
    {
        QTest::addColumn<QString>("log");
        QTest::addColumn<QString>("judge");
        QTest::addColumn<QString>("reason");
        QTest::newRow("nothing") << "" << "" << "";
        QTest::newRow("blank") << " \n\t\n" << "" << "";
        QTest::newRow("a compiler's first line") << "\nmain.cpp:3: error: no x\nmore\n" << "" << "main.cpp:3: error: no x";
        QTest::newRow("a traceback's last line") << "Traceback (most recent call last):\n  File x\nValueError: no\n\n" << "" << "ValueError: no";
        QTest::newRow("output before the judge's word")
            << "xxxxxxxx\nyyyy\noutput `o`: 0.03 of the elements match" << R"({"verdicts": [{"id": "late", "level": "note", "evidence": "a note"},
               {"id": "wrong", "level": "reject", "evidence": "output `o`: 0.03 of the elements match"}]})"
            << "output `o`: 0.03 of the elements match";
        QTest::newRow("an exception as evidence")
            << "chatter" << R"({"verdicts": [{"level": "reject", "evidence": "Traceback (most recent call last):\n  x\nKeyError: 1"}]})" << "KeyError: 1";
        QTest::newRow("notes decide nothing") << "first line" << R"({"verdicts": [{"level": "note", "evidence": "a note"}]})" << "first line";
        for (const char* odd : {"[]", "3", R"({"verdicts": 3})", R"({"verdicts": [3, {"level": 3}, {"level": "reject", "evidence": 3}]})"}) {
            QTest::newRow(odd) << "first line" << odd << "first line";
        }
        QTest::newRow("long lines are cut") << QString(5'000'000, QLatin1Char('x')) << "" << QString(300, QLatin1Char('x')) + QString::fromUtf8(" …");
    }

    void saysWhatMatters()
    {
        QFETCH(QString, log);
        QFETCH(QString, judge);
        QFETCH(QString, reason);
        Evaluation evaluation;
        evaluation.log = log.toStdString();
        if (!judge.isEmpty()) evaluation.unknownKeys["judge"] = Json::parse(judge.toStdString());
        QCOMPARE(QString::fromStdString(failureReason(evaluation)), reason);
    }

    void cutsBetweenCharacters()
    {
        Evaluation evaluation;
        for (int i = 0; i < 200; ++i) evaluation.log += "ä€";
        QVERIFY(QString::fromUtf8(failureReason(evaluation).c_str()).endsWith(QString::fromUtf8(" …")));
        QCOMPARE(failureReason(evaluation).find("\xEF\xBF\xBD"), std::string::npos);   // no replacement character
    }
};

QTEST_GUILESS_MAIN(TestFailureReason)
#include "test_failure_reason.moc"
