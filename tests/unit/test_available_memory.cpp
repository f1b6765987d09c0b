// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <filesystem>
#include <fstream>

#include "core/judge/cpu/available_memory.h"
#include "core/judge/cpu/cpu_device.h"

using namespace tracedeck;
using namespace tracedeck::judge;
namespace fs = std::filesystem;

class TestAvailableMemory : public QObject {
    Q_OBJECT

private slots:
    void theLesserOfSystemAndContainerCounts_data()
    {
        QTest::addColumn<QString>("meminfo");
        QTest::addColumn<QString>("limit");
        QTest::addColumn<QString>("current");
        QTest::addColumn<QString>("stat");
        QTest::addColumn<qlonglong>("bytes");   // -1: not known
        QTest::newRow("system alone") << "MemTotal: 9 kB\nMemAvailable:    5 kB\n" << "" << "" << "" << 5120LL;
        QTest::newRow("no limit") << "MemAvailable: 5 kB\n" << "max\n" << "1\n" << "" << 5120LL;
        QTest::newRow("container") << "MemAvailable: 5 kB\n" << "4000\n" << "1500\n" << "anon 3\ninactive_file 500\n" << 3000LL;
        QTest::newRow("container over its limit") << "MemAvailable: 5 kB\n" << "4000\n" << "4500\n" << "inactive_file 0\n" << 0LL;
        QTest::newRow("odd numbers") << "MemAvailable: 5 kB\n" << "4000\n" << "100\n" << "inactive_file 700\n" << 4000LL;
        QTest::newRow("container alone") << "" << "4000\n" << "1000\n" << "" << 3000LL;
        QTest::newRow("nothing") << "" << "" << "" << "" << -1LL;
        QTest::newRow("rubbish") << "MemAvailable: many\n" << "x\n" << "y\n" << "z" << -1LL;
    }
    void theLesserOfSystemAndContainerCounts()
    {
        QFETCH(QString, meminfo);
        QFETCH(QString, limit);
        QFETCH(QString, current);
        QFETCH(QString, stat);
        QFETCH(qlonglong, bytes);
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        std::ofstream(root / "meminfo") << meminfo.toStdString();
        std::ofstream(root / "memory.max") << limit.toStdString();
        std::ofstream(root / "memory.current") << current.toStdString();
        std::ofstream(root / "memory.stat") << stat.toStdString();
        const auto available = availableMemoryBytes(root, root);
        QCOMPARE(available ? static_cast<qlonglong>(*available) : -1LL, bytes);
    }

    void bufferThatDoesNotFitIsRefusedWithItsSize()
    {
        CpuDevice device;
        const auto buffer = device.allocate(std::size_t{1} << 50U);
        QVERIFY(!buffer);
        QVERIFY2(buffer.error().reason.find("not enough memory: 1125899906842624 bytes are needed") == 0, buffer.error().reason.c_str());
    }
};

QTEST_GUILESS_MAIN(TestAvailableMemory)
#include "test_available_memory.moc"
