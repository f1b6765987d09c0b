// SPDX-License-Identifier: GPL-3.0-or-later
// Statistics, histogram and first values of the tensors of a file, for every dtype.
#include <QTemporaryDir>
#include <QTest>
#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <numeric>

#include "core/report/tensor_summary.h"
#include "core/report/workload_tensors.h"
#include "tests/support/test_files.h"

using namespace tracedeck;

namespace fs = std::filesystem;

namespace {

/// A file with one tensor `t`, as its bytes stand in it.
std::string fileOf(const std::string& dtype, std::size_t elements, const QByteArray& data)
{
    std::string header = R"({"t":{"dtype":")" + dtype + R"(","shape":[)" + std::to_string(elements) + R"(],"data_offsets":[0,)" +
                         std::to_string(data.size()) + "]}}";
    while (header.size() % 8 != 0) header += ' ';
    const std::uint64_t size = header.size();
    std::string bytes(reinterpret_cast<const char*>(&size), sizeof size);
    return bytes + header + data.toStdString();
}

template <class Number>
QByteArray bytesOf(std::initializer_list<Number> values)
{
    QByteArray bytes;
    for (const Number value : values) bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    return bytes;
}

}  // namespace

class TestTensorSummary : public QObject {
    Q_OBJECT
private slots:
    void valuesOfEveryDtypeAreRead_data()
    {
        QTest::addColumn<QString>("dtype");
        QTest::addColumn<QByteArray>("data");
        QTest::addColumn<QList<double>>("values");
        const double inf = std::numeric_limits<double>::infinity();
        QTest::newRow("F64") << QStringLiteral("F64") << bytesOf({1.5, -2.0}) << QList<double>{1.5, -2};
        QTest::newRow("F32") << QStringLiteral("F32") << bytesOf({1.5F, -2.0F, 0.0F}) << QList<double>{1.5, -2, 0};
        QTest::newRow("F16") << QStringLiteral("F16") << bytesOf<std::uint16_t>({0x3C00, 0xC000, 0x7BFF, 0x0001, 0x7C00, 0xFC00})
                             << QList<double>{1, -2, 65504, std::ldexp(1.0, -24), inf, -inf};
        QTest::newRow("BF16") << QStringLiteral("BF16") << bytesOf<std::uint16_t>({0x3F80, 0xC000, 0x7F80}) << QList<double>{1, -2, inf};
        QTest::newRow("F8_E4M3") << QStringLiteral("F8_E4M3") << bytesOf<std::uint8_t>({0x38, 0xC0, 0x7E, 0x01, 0x78}) << QList<double>{1, -2, 448, std::ldexp(1.0, -9), 256};
        QTest::newRow("F8_E5M2") << QStringLiteral("F8_E5M2") << bytesOf<std::uint8_t>({0x3C, 0xC0, 0x7B, 0x7C}) << QList<double>{1, -2, 57344, inf};
        QTest::newRow("F4") << QStringLiteral("F4") << bytesOf<std::uint8_t>({0x21, 0xF7}) << QList<double>{0.5, 1, 6, -6};
        QTest::newRow("I64") << QStringLiteral("I64") << bytesOf<std::int64_t>({-5, 7}) << QList<double>{-5, 7};
        QTest::newRow("I32") << QStringLiteral("I32") << bytesOf<std::int32_t>({-5, 7}) << QList<double>{-5, 7};
        QTest::newRow("U16") << QStringLiteral("U16") << bytesOf<std::uint16_t>({65535}) << QList<double>{65535};
        QTest::newRow("I8") << QStringLiteral("I8") << bytesOf<std::int8_t>({-128, 127}) << QList<double>{-128, 127};
        QTest::newRow("BOOL") << QStringLiteral("BOOL") << bytesOf<std::uint8_t>({0, 1}) << QList<double>{0, 1};
        QTest::newRow("none") << QStringLiteral("F32") << QByteArray() << QList<double>();
    }
    void valuesOfEveryDtypeAreRead()
    {
        QFETCH(QString, dtype);
        QFETCH(QByteArray, data);
        QFETCH(QList<double>, values);
        const QTemporaryDir folder;
        const fs::path path = fs::path(folder.path().toStdString()) / "t.safetensors";
        test::writeBytes(path, fileOf(dtype.toStdString(), static_cast<std::size_t>(values.size()), data));
        const auto file = SafetensorsFile::open(path);
        QVERIFY2(file, file ? "" : file.error().toString().c_str());
        QVERIFY(canSummarise(dtype.toStdString()));
        const auto summary = summariseTensor(**file, (*file)->entries().front());
        QVERIFY(summary);
        QCOMPARE(summary->elements, static_cast<std::uint64_t>(values.size()));
        QCOMPARE(QList<double>(summary->firstValues.begin(), summary->firstValues.end()), values);
        QCOMPARE(std::accumulate(summary->histogram.begin(), summary->histogram.end(), std::uint64_t{0}), summary->finite);
    }

    void statisticsLeaveOutWhatIsNoNumber()
    {
        const QTemporaryDir folder;
        const fs::path path = fs::path(folder.path().toStdString()) / "t.safetensors";
        const float nan = std::numeric_limits<float>::quiet_NaN();
        const float inf = std::numeric_limits<float>::infinity();
        test::writeBytes(path, fileOf("F32", 8, bytesOf({2.0F, nan, 4.0F, inf, -inf, 0.0F, 6.0F, nan})));
        const auto file = SafetensorsFile::open(path);
        QVERIFY(file);
        const auto summary = summariseTensor(**file, (*file)->entries().front());
        QVERIFY(summary);
        QCOMPARE(summary->finite, std::uint64_t(4));
        QCOMPARE(summary->nan, std::uint64_t(2));
        QCOMPARE(summary->infinite, std::uint64_t(2));
        QCOMPARE(summary->zeros, std::uint64_t(1));
        QCOMPARE(summary->minimum, 0.0);
        QCOMPARE(summary->maximum, 6.0);
        QCOMPARE(summary->mean, 3.0);
        QCOMPARE(summary->deviation, std::sqrt(5.0));
        QCOMPARE(summary->histogram.front(), std::uint64_t(1));
        QCOMPARE(summary->histogram.back(), std::uint64_t(1));
    }

    /// A workload with every source that a tensor can have, and every way in which a file can be wrong.
    void tensorsOfAWorkloadSayWhereTheirValuesComeFrom()
    {
        const QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        const auto input = [](const char* name, DType dtype, std::optional<std::vector<std::string>> shape) {
            TensorSpec spec;
            spec.name = name;
            spec.dtype = dtype;
            spec.shape = std::move(shape);
            return spec;
        };
        Definition definition;
        definition.name = "d";
        definition.axes.resize(2);
        definition.axes[0].name = "M";
        definition.axes[1].name = "N";
        definition.axes[1].value = 3;
        using Entries = std::vector<std::string>;
        definition.inputs = {input("x", DType::Float32, Entries{"M", "N"}), input("scale", DType::Float32, std::nullopt), input("stored", DType::Float32, Entries{"N"}),
                             input("missing", DType::Float32, Entries{"N"}),  input("wrong", DType::Float32, Entries{"M"}),  input("outside", DType::Float32, Entries{"N"}),
                             input("other", DType::Float32, Entries{"N"}),     input("silent", DType::Float16, Entries{"M"})};
        definition.outputs = {input("y", DType::BFloat16, Entries{"M", "N"})};
        Workload workload;
        workload.uuid = "w";
        workload.axes = {{"M", 4}};
        const auto file = [](const char* path, const char* key) { return WorkloadInput(SafetensorsInput{path, key}); };
        workload.inputs = {{"x", RandomInput()}, {"scale", ScalarInput{0.5}}, {"stored", file("blob/t.safetensors", "t")}, {"missing", file("blob/none.safetensors", "t")},
                           {"wrong", file("blob/t.safetensors", "t")}, {"outside", file("../t.safetensors", "t")}, {"other", file("blob/t.safetensors", "u")},
                           {"surplus", RandomInput()}};
        fs::create_directories(root / "blob");
        test::writeBytes(root / "blob/t.safetensors", fileOf("F32", 3, bytesOf({1.0F, 2.0F, 6.0F})));
        const std::vector<WorkloadTensor> tensors = workloadTensors(root, definition, workload);
        QStringList lines;
        for (const WorkloadTensor& tensor : tensors) {
            QStringList shape;
            for (const std::int64_t length : tensor.shape.value_or(std::vector<std::int64_t>())) shape << QString::number(length);
            lines << QString("%1 %2 [%3] %4 %5").arg(QString::fromStdString(tensor.name), QString::fromStdString(std::string(toString(tensor.source))), shape.join(','),
                                                    QString::number(tensor.bytes), tensor.file.empty() ? "-" : "file");
        }
        QCOMPARE(lines, (QStringList{"x random [4,3] 48 -", "scale scalar [] 0 -", "stored safetensors [3] 12 file", "missing safetensors [3] 12 -",
                                     "wrong safetensors [4] 16 file", "outside safetensors [3] 12 -", "other safetensors [3] 12 -", "silent random [4] 8 -",
                                     "surplus random [] 0 -", "y output [4,3] 24 -"}));
        QCOMPARE(tensors[1].value, std::string("0.5"));
        QVERIFY(tensors[2].problem.empty());
        QVERIFY2(tensors[3].problem.find("blob/none.safetensors") != std::string::npos, tensors[3].problem.c_str());
        QVERIFY2(tensors[4].problem.find("shape [3]") != std::string::npos, tensors[4].problem.c_str());
        QVERIFY(!tensors[5].problem.empty());
        QVERIFY2(tensors[6].problem.find("no tensor 'u'") != std::string::npos, tensors[6].problem.c_str());
        QVERIFY(!tensors[8].problem.empty());
        const auto summary = summariseWorkloadTensor(tensors[2]);
        QVERIFY(summary);
        QCOMPARE(summary->mean, 3.0);
        QVERIFY(!summariseWorkloadTensor(tensors[3]));
        const Json document = workloadTensorsDocument(root, definition, workload);
        QCOMPARE(document["tensors"].size(), tensors.size());
        QCOMPARE(document["tensors"][2]["statistics"]["maximum"].get<double>(), 6.0);
        QVERIFY(document["tensors"][3]["statistics"].is_null());
        const std::string text = workloadTensorsText(root, definition, workload);
        QVERIFY(text.find("missing: ") != std::string::npos);
        workload.axes.clear();
        QVERIFY(!workloadTensors(root, definition, workload)[0].problem.empty());   // no shape without the axis
    }

    void aGitLfsPointerSaysHowToGetTheFile()
    {
        const QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        test::writeBytes(root / "t.safetensors", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n");
        Definition definition;
        TensorSpec spec;
        spec.name = "x";
        spec.shape = std::vector<std::string>{};
        definition.inputs = {spec};
        Workload workload;
        workload.inputs = {{"x", SafetensorsInput{"t.safetensors", "t"}}};
        const auto tensors = workloadTensors(root, definition, workload);
        QVERIFY(tensors[0].file.empty());
        QVERIFY2(tensors[0].problem.find("git lfs pull --include \"t.safetensors\"") != std::string::npos,
                 tensors[0].problem.c_str());
    }

    void largeTensorsAreReadInPieces()
    {
        constexpr std::size_t kElements = 700'000;   // more than one piece
        QByteArray data(static_cast<qsizetype>(kElements * 4), '\0');
        for (std::size_t i = 0; i < kElements; ++i) {
            const auto value = static_cast<float>(i);
            std::memcpy(data.data() + i * 4, &value, 4);
        }
        const QTemporaryDir folder;
        const fs::path path = fs::path(folder.path().toStdString()) / "t.safetensors";
        test::writeBytes(path, fileOf("F32", kElements, data));
        const auto file = SafetensorsFile::open(path);
        QVERIFY(file);
        const auto summary = summariseTensor(**file, (*file)->entries().front());
        QVERIFY(summary);
        QCOMPARE(summary->maximum, static_cast<double>(kElements - 1));
        QVERIFY(std::abs(summary->mean - static_cast<double>(kElements - 1) / 2) < 1e-6);
        QCOMPARE(summary->firstValues.size(), TensorSummary::kMostFirstValues);
        for (const std::uint64_t count : summary->histogram) QVERIFY(count >= kElements / TensorSummary::kBins - 1 && count <= kElements / TensorSummary::kBins + 1);
        std::stop_source stop;
        stop.request_stop();
        QCOMPARE(summariseTensor(**file, (*file)->entries().front(), stop.get_token()).error().code, ErrorCode::Cancelled);
        // The file is cut while it is open: a message.
        fs::resize_file(path, 1000);
        const auto cut = summariseTensor(**file, (*file)->entries().front());
        QVERIFY(!cut);
        QVERIFY(cut.error().reason.find("shorter") != std::string::npos);
    }

    void theWholeRangeOfFloat64HasAHistogram()
    {
        const QTemporaryDir folder;
        const fs::path path = fs::path(folder.path().toStdString()) / "t.safetensors";
        const double most = std::numeric_limits<double>::max();
        test::writeBytes(path, fileOf("F64", 3, bytesOf({-most, 0.0, most})));
        const auto file = SafetensorsFile::open(path);
        QVERIFY(file);
        const auto summary = summariseTensor(**file, (*file)->entries().front());
        QVERIFY(summary);
        QCOMPARE(summary->histogram.front(), std::uint64_t(1));
        QCOMPARE(summary->histogram[TensorSummary::kBins / 2], std::uint64_t(1));
        QCOMPARE(summary->histogram.back(), std::uint64_t(1));
    }

    void foreignDtypesAreRefused()
    {
        QVERIFY(!canSummarise("C64"));
        QVERIFY(!canSummarise(""));
        const QTemporaryDir folder;
        const fs::path path = fs::path(folder.path().toStdString()) / "t.safetensors";
        test::writeBytes(path, fileOf("C64", 1, QByteArray(8, '\0')));
        const auto file = SafetensorsFile::open(path);
        QVERIFY2(file, file ? "" : file.error().toString().c_str());
        QCOMPARE(summariseTensor(**file, (*file)->entries().front()).error().code, ErrorCode::Unsupported);
        std::array<std::byte, 8> room{};
        QVERIFY(!(*file)->readPart((*file)->entries().front(), 4, room));   // beyond the tensor
        QVERIFY((*file)->readPart((*file)->entries().front(), 0, room));
    }
};

QTEST_GUILESS_MAIN(TestTensorSummary)
#include "test_tensor_summary.moc"
