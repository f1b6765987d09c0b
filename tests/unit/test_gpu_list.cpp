// SPDX-License-Identifier: GPL-3.0-or-later
// What is said of GPUs, as far as no GPU is needed: CUDA_VISIBLE_DEVICES, throttle reasons, names of devices.
#include <QtTest>

#include "core/judge/device.h"
#include "core/run/gpu_list.h"

using namespace tracedeck;

namespace {

/// Three GPUs, the last one in MIG mode with two parts.
std::vector<GpuInfo> threeGpus()
{
    std::vector<GpuInfo> gpus(3);
    const char* uuids[] = {"GPU-1a000000-0000-0000-0000-000000000001", "GPU-1b000000-0000-0000-0000-000000000002",
                           "GPU-2c000000-0000-0000-0000-000000000003"};
    for (unsigned i = 0; i < 3; ++i) {
        gpus[i].index = i;
        gpus[i].uuid = uuids[i];
    }
    gpus[2].migEnabled = true;
    gpus[2].migInstances = {{"MIG-aa000000-0000-0000-0000-000000000001", "part", {}, {}}, {"MIG-bb000000-0000-0000-0000-000000000002", "part", {}, {}}};
    return gpus;
}

/// "0 2": the indices of those that are left.
QString visible(std::optional<std::string_view> variable)
{
    QStringList indices;
    for (const GpuInfo& gpu : visibleGpus(threeGpus(), variable)) indices << QString::number(gpu.index);
    return indices.join(' ');
}

}  // namespace

class TestGpuList : public QObject {
    Q_OBJECT

private slots:
    void visibleDevicesNameGpus_data();
    void visibleDevicesNameGpus();
    void withoutTheVariableAllAreVisible() { QCOMPARE(visible(std::nullopt), QString("0 1 2")); }
    void migPartsAreNamedToHosts();
    void throttleReasonsHaveNames();
    void idleIsNotThrottled();
    void versionsAreText();
    void devicesThatDoNotExistAreRefused_data();
    void devicesThatDoNotExistAreRefused();
    void missingGpusAreExplained();
};

void TestGpuList::visibleDevicesNameGpus_data()
{
    QTest::addColumn<QString>("variable");
    QTest::addColumn<QString>("left");
    QTest::newRow("empty") << "" << "";
    QTest::newRow("none") << "-1" << "";
    QTest::newRow("one") << "1" << "1";
    QTest::newRow("two in another order") << "1,0" << "0 1";
    QTest::newRow("spaces") << " 0 , 1 " << "0 1";
    QTest::newRow("an unknown one ends the list") << "0,7,1" << "0";
    QTest::newRow("a negative one ends the list") << "0,-1,1" << "0";
    QTest::newRow("nonsense ends the list") << "0,x,1" << "0";
    QTest::newRow("a number with a tail is nonsense") << "0x" << "";
    QTest::newRow("twice the same") << "0,0" << "";
    QTest::newRow("uuid") << "GPU-1b000000-0000-0000-0000-000000000002" << "1";
    QTest::newRow("beginning of a uuid") << "GPU-2c" << "2";
    QTest::newRow("ambiguous beginning") << "GPU-1" << "";
    QTest::newRow("number and uuid of the same") << "0,GPU-1a" << "";
    QTest::newRow("part of a gpu") << "MIG-bb" << "2";
    QTest::newRow("huge number") << "99999999999999999999" << "";
    QTest::newRow("trailing comma") << "1," << "1";
}

void TestGpuList::visibleDevicesNameGpus()
{
    QFETCH(QString, variable);
    QFETCH(QString, left);
    QCOMPARE(visible(variable.toStdString()), left);
}

void TestGpuList::migPartsAreNamedToHosts()
{
    const auto all = threeGpus();
    QCOMPARE(all[0].visibleName(), all[0].uuid);
    QCOMPARE(all[2].visibleName(), all[2].migInstances[0].uuid);
    const auto named = visibleGpus(threeGpus(), "MIG-bb");
    QCOMPARE(named.size(), std::size_t{1});
    QCOMPARE(named[0].visibleName(), all[2].migInstances[1].uuid);
    GpuInfo undivided;
    undivided.uuid = "GPU-1";
    undivided.migEnabled = true;
    QVERIFY(undivided.visibleName().empty());
}

void TestGpuList::throttleReasonsHaveNames()
{
    QVERIFY(throttleReasonNames(0).empty());
    QCOMPARE(throttleReasonNames(0x5), (std::vector<std::string>{"gpu_idle", "sw_power_cap"}));
    QCOMPARE(throttleReasonNames(0x40 | 0x1000), (std::vector<std::string>{"hw_thermal_slowdown", "0x1000"}));
}

void TestGpuList::idleIsNotThrottled()
{
    QVERIFY(!isThrottled(0));
    QVERIFY(!isThrottled(0x1 | 0x2 | 0x100));
    for (const std::uint64_t bit : {0x4U, 0x8U, 0x10U, 0x20U, 0x40U, 0x80U}) QVERIFY(isThrottled(bit | 0x1));
}

void TestGpuList::versionsAreText()
{
    QCOMPARE(cudaVersionText(13000), std::string("13.0"));
    QCOMPARE(cudaVersionText(12080), std::string("12.8"));
    QVERIFY(cudaVersionText(0).empty());
}

void TestGpuList::devicesThatDoNotExistAreRefused_data()
{
    QTest::addColumn<QString>("name");
    for (const char* name : {"", "gpu", "cuda", "cuda:", "cuda:x", "cuda:-1", "cuda:1x", "cuda:99999999999", "CPU"}) QTest::newRow(name) << name;
}

void TestGpuList::devicesThatDoNotExistAreRefused()
{
    QFETCH(QString, name);
    const auto device = judge::makeDevice(name.toStdString());
    QVERIFY(!device);
    QCOMPARE(device.error().code, ErrorCode::Unsupported);
    QVERIFY(QString::fromStdString(device.error().reason).contains("`" + name + "`"));
}

void TestGpuList::missingGpusAreExplained()
{
    const auto list = listGpus();
    const auto device = judge::makeDevice("cuda:4096");
    QVERIFY(!device);
#if TRACEDECK_HAS_CUDA
    if (list) {
        QCOMPARE(device.error().code, ErrorCode::NotFound);
        QVERIFY(QString::fromStdString(device.error().reason).contains("cuda:4096"));
    } else {
        QCOMPARE(list.error().code, ErrorCode::Unsupported);
        QCOMPARE(device.error().code, ErrorCode::Unsupported);
        QVERIFY(QString::fromStdString(device.error().reason).contains("NVIDIA driver"));
    }
#else
    QCOMPARE(device.error().code, ErrorCode::Unsupported);
    QVERIFY(QString::fromStdString(device.error().reason).contains("no CUDA support"));
#endif
}

QTEST_GUILESS_MAIN(TestGpuList)
#include "test_gpu_list.moc"
