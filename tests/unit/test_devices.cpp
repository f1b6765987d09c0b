// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "core/run/devices.h"
#include "core/run/runner.h"

using namespace tracedeck;

namespace {

GpuList twoGpus()
{
    GpuList list;
    for (const unsigned index : {0U, 2U}) {   // CUDA_VISIBLE_DEVICES may leave gaps
        GpuInfo gpu;
        gpu.index = index;
        gpu.name = "NVIDIA H100 80GB HBM3";
        gpu.computeCapability = "9.0";
        list.gpus.push_back(gpu);
    }
    list.driverVersion = "580.95.05";
    list.cudaVersion = 13000;
    return list;
}

RunDevices withGpus()
{
    return runDevices(twoGpus(), true);
}

RunDevices withoutGpus()
{
    return runDevices(Error{ErrorCode::Unsupported, "there is no NVIDIA driver", {}, 0, {}}, true);
}

std::vector<std::string> names(const RunDevices& known)
{
    std::vector<std::string> result;
    for (const RunDevice& device : known.devices) result.push_back(device.name);
    return result;
}

}  // namespace

class TestDevices : public QObject {
    Q_OBJECT

private slots:
    void gpusComeBeforeTheCpu()
    {
        const RunDevices known = withGpus();
        QCOMPARE(names(known), (std::vector<std::string>{"cuda:0", "cuda:2", "cpu"}));
        QCOMPARE(known.devices.at(1).computeCapability, std::string("9.0"));
        QCOMPARE(known.libs, (std::map<std::string, std::string>{{"cuda", "13.0"}, {"driver", "580.95.05"}}));
        QCOMPARE(defaultDevices(known), (std::vector<std::string>{"cuda:0", "cuda:2"}));
    }

    void withoutUsableGpuThereIsTheCpu_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("reason");
        QTest::newRow("no driver") << 0 << "there is no NVIDIA driver";
        QTest::newRow("no GPU") << 1 << "CUDA_VISIBLE_DEVICES";
        QTest::newRow("built without CUDA") << 2 << "when it was configured";
    }
    void withoutUsableGpuThereIsTheCpu()
    {
        QFETCH(int, kind);
        QFETCH(QString, reason);
        const RunDevices known = kind == 0 ? withoutGpus() : kind == 1 ? runDevices(GpuList{}, true) : runDevices(twoGpus(), false);
        QCOMPARE(names(known), std::vector<std::string>{"cpu"});
        QCOMPARE(defaultDevices(known), std::vector<std::string>{"cpu"});
        QVERIFY(known.libs.empty());
        QVERIFY2(QString::fromStdString(known.whyNoGpu).contains(reason), known.whyNoGpu.c_str());
    }

    void choicesAreChecked_data()
    {
        QTest::addColumn<bool>("hasGpus");
        QTest::addColumn<QStringList>("wanted");
        QTest::addColumn<QStringList>("chosen");   // empty: an error with this phrase
        QTest::addColumn<QString>("phrase");
        QTest::newRow("one") << true << QStringList{"cuda:2"} << QStringList{"cuda:2"} << "";
        QTest::newRow("all") << true << QStringList{"all"} << QStringList{"cuda:0", "cuda:2"} << "";
        QTest::newRow("all without GPU") << false << QStringList{"all"} << QStringList{"cpu"} << "";
        QTest::newRow("cuda is the first") << true << QStringList{"cuda"} << QStringList{"cuda:0"} << "";
        QTest::newRow("twice") << true << QStringList{"cpu", "cuda:0", "cpu", "all"} << QStringList{"cpu", "cuda:0", "cuda:2"} << "";
        QTest::newRow("unknown index") << true << QStringList{"cuda:1"} << QStringList{}
                                       << "there is no device \"cuda:1\"; this machine has: cuda:0 (NVIDIA H100 80GB HBM3), cuda:2 (NVIDIA H100 80GB HBM3), cpu";
        QTest::newRow("malformed index") << true << QStringList{"cuda:x"} << QStringList{} << "there is no device \"cuda:x\"";
        QTest::newRow("unknown word") << true << QStringList{"gpu"} << QStringList{} << "there is no device \"gpu\"";
        QTest::newRow("no GPU at all") << false << QStringList{"cuda:0"} << QStringList{} << "cuda:0 can't be used: there is no NVIDIA driver; use cpu";
        QTest::newRow("none") << true << QStringList{} << QStringList{} << "no device is chosen";
    }
    void choicesAreChecked()
    {
        QFETCH(bool, hasGpus);
        QFETCH(QStringList, wanted);
        QFETCH(QStringList, chosen);
        QFETCH(QString, phrase);
        std::vector<std::string> list;
        for (const QString& name : wanted) list.push_back(name.toStdString());
        const auto result = chooseDevices(list, hasGpus ? withGpus() : withoutGpus());
        QCOMPARE(bool(result), !chosen.isEmpty());
        if (!result) {
            QCOMPARE(result.error().code, hasGpus ? ErrorCode::Usage : ErrorCode::Unsupported);
            QVERIFY2(QString::fromStdString(result.error().reason).contains(phrase), result.error().reason.c_str());
            return;
        }
        QStringList names;
        for (const std::string& name : *result) names << QString::fromStdString(name);
        QCOMPARE(names, chosen);
    }

    void thisMachineHasAtLeastTheCpu()
    {
        const auto available = availableDevices();
        QCOMPARE(available.back(), std::string("cpu"));
        for (const std::string& name : defaultDevices()) QVERIFY(std::find(available.begin(), available.end(), name) != available.end());
    }
};

QTEST_GUILESS_MAIN(TestDevices)
#include "test_devices.moc"
