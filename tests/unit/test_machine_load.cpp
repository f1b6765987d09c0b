// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "core/judge/machine_load.h"

using namespace tracedeck::judge;

class TestMachineLoad : public QObject {
    Q_OBJECT
private slots:
    void countsWhatTheKernelWrites()
    {
        const auto load = parseMachineLoad("cpu  100 20 30 4000 500 6 7 8 9 10\ncpu0 1 2 3 4\n", 100);
        QVERIFY(load);
        QCOMPARE(load->busySeconds, 1.71);
        QCOMPARE(load->idleSeconds, 45.0);
    }
    void refusesWhatItIsNot_data()
    {
        QTest::addColumn<QByteArray>("text");
        for (const char* text : {"", "cpu", "cpu ", "cpu0 1 2 3 4 5 6 7 8", "cpu  1 2 3", "cpu  1 2 x 4 5 6 7 8", "cpu  1 -2 3 4 5 6 7 8", "intr 5"}) QTest::newRow(text) << QByteArray(text);
    }
    void refusesWhatItIsNot()
    {
        QFETCH(QByteArray, text);
        QVERIFY(!parseMachineLoad(text.toStdString(), 100));
    }
    void thisMachineTellsSomething()
    {
        const auto load = machineLoad();
        QVERIFY(load);
        QVERIFY(load->busySeconds > 0);
    }
    void othersAreToldOnlyWhereTheyTakeWhatIsNeeded_data()
    {
        QTest::addColumn<double>("busy");
        QTest::addColumn<double>("idle");
        QTest::addColumn<double>("own");
        QTest::addColumn<double>("wall");
        QTest::addColumn<QString>("text");
        QTest::newRow("alone") << 4.0 << 0.0 << 3.9 << 2.0 << "";
        QTest::newRow("others beside idle processors") << 6.0 << 26.0 << 4.0 << 2.0 << "";
        QTest::newRow("others on all processors") << 3.8 << 0.2 << 1.0 << 2.0
                                                  << "other programs used 1.4 processors while this was measured, and 0.1 were idle: the times may be too long";
        QTest::newRow("too short to tell") << 0.38 << 0.0 << 0.1 << 0.19 << "";
    }
    void othersAreToldOnlyWhereTheyTakeWhatIsNeeded()
    {
        QFETCH(double, busy);
        QFETCH(double, idle);
        QFETCH(double, own);
        QFETCH(double, wall);
        QFETCH(QString, text);
        QCOMPARE(QString::fromStdString(busyMachineText({100, 1000}, {100 + busy, 1000 + idle}, own, wall)), text);
    }
};

QTEST_GUILESS_MAIN(TestMachineLoad)
#include "test_machine_load.moc"
