// SPDX-License-Identifier: GPL-3.0-or-later
// How one output differs from the expected one, and the summary on its way from the judge to the program.
#include <QtTest>

#include <cmath>
#include <cstring>
#include <limits>

#include "core/judge/difference.h"
#include "core/judge/number_formats.h"

using namespace tracedeck;
using namespace tracedeck::judge;

namespace {

TensorLayout layoutOf(std::vector<std::int64_t> shape, DType dtype = DType::Float32)
{
    TensorLayout layout;
    layout.name = "y";
    layout.dtype = dtype;
    layout.dtypeName = std::string(toString(dtype));
    layout.elements = 1;
    for (const std::int64_t extent : shape) layout.elements *= static_cast<std::uint64_t>(extent);
    layout.shape = std::move(shape);
    return layout;
}

std::vector<std::byte> asBytes(const std::vector<float>& values)
{
    std::vector<std::byte> data(values.size() * sizeof(float));
    if (!values.empty()) std::memcpy(data.data(), values.data(), data.size());
    return data;
}

TensorDifference difference(const std::vector<float>& got, const std::vector<float>& expected, std::vector<std::int64_t> shape)
{
    return tensorDifference(asBytes(got), asBytes(expected), layoutOf(std::move(shape)), 0.01, 0.01, std::nullopt);
}

}  // namespace

class TestTensorDifference : public QObject {
    Q_OBJECT

private slots:
    void worstElementsComeFirst();
    void bothTolerancesMustBeBroken();
    void whatIsNotFiniteIsWrong();
    void infinitiesThatAgreeAreStillNotFinite();
    void unwrittenElementsAreCounted();
    void atMostThirtyTwoAreListed();
    void mapsOfLargeTensorsHaveFewCells();
    void narrowFormatsAreRead();
    void emptyTensorsHaveNothing();
    void reportsSurviveTheWay();
    void brokenReportsAreRefused_data();
    void brokenReportsAreRefused();
    void tolerancesThatProveNothing();
};

void TestTensorDifference::worstElementsComeFirst()
{
    const TensorDifference found = difference({1, 2, 3.5F, 4, 5, 9}, {1, 2, 3, 4, 5, 6}, {2, 3});
    QCOMPARE(found.wrong, 2U);
    QCOMPARE(found.equal, 4U);
    QCOMPARE(found.worst.size(), 2U);
    QCOMPARE(found.worst[0].index, (std::vector<std::int64_t>{1, 2}));
    QCOMPARE(found.worst[0].expected, 6.0);
    QCOMPARE(found.worst[0].got, 9.0);
    QCOMPARE(found.worst[1].element, 2U);
    QCOMPARE(found.maxAbsolute, 3.0);
    QCOMPARE(found.meanAbsolute, 3.5 / 6);
    QCOMPARE(found.bias, 3.5 / 6);
    QCOMPARE(found.map.cellRows, 2U);
    QCOMPARE(found.map.cellColumns, 3U);
    QCOMPARE(found.map.wrongShare, (std::vector<double>{0, 0, 1, 0, 0, 1}));
    QCOMPARE(found.histogram.front().count, 4U);   // equal
}

void TestTensorDifference::bothTolerancesMustBeBroken()
{
    // Off by 5 of 1000: only absolutely. Off by 0.005 of 0.001: only relatively.
    const TensorDifference found = difference({1005, 0.006F}, {1000, 0.001F}, {2});
    QCOMPARE(found.wrong, 0U);
    QCOMPARE(found.worst.size(), 2U);
    QVERIFY(!found.worst[0].isWrong);
}

void TestTensorDifference::whatIsNotFiniteIsWrong()
{
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    const TensorDifference found = difference({kNan, 100}, {1, 1}, {2});
    QCOMPARE(found.notFinite, 1U);
    QCOMPARE(found.wrong, 2U);
    QCOMPARE(found.worst.front().element, 0U);   // before any finite error
    QCOMPARE(found.maxAbsolute, 99.0);
    QCOMPARE(found.histogram.back().count, 1U);
    QVERIFY(std::isinf(found.map.largest.front()));
}

void TestTensorDifference::infinitiesThatAgreeAreStillNotFinite()
{
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const TensorDifference found = difference({kInfinity}, {kInfinity}, {1});
    QCOMPARE(found.notFinite, 1U);
    QCOMPARE(found.wrong, 1U);   // as the format has it
    QVERIFY(found.worst.empty());
}

void TestTensorDifference::unwrittenElementsAreCounted()
{
    const std::uint64_t poison = poisonElement(DType::Float32, 12345) & 0xFFFFFFFFU;
    std::vector<std::byte> got = asBytes({1, 2, 3});
    std::memcpy(got.data() + 4, &poison, 4);
    const TensorDifference found = tensorDifference(got, asBytes({1, 2, 3}), layoutOf({3}), 0.01, 0.01, poison);
    QCOMPARE(found.unwritten, 1U);
    QCOMPARE(found.equal, 2U);
    QCOMPARE(tensorDifference(got, asBytes({1, 2, 3}), layoutOf({3}), 0.01, 0.01, std::nullopt).unwritten, 0U);
}

void TestTensorDifference::atMostThirtyTwoAreListed()
{
    std::vector<float> got;
    for (int i = 0; i < 1000; ++i) got.push_back(static_cast<float>(i));
    const TensorDifference found = difference(got, std::vector<float>(1000, 0), {10, 100});
    QCOMPARE(found.worst.size(), 32U);
    QCOMPARE(found.worst.front().element, 999U);
    QCOMPARE(found.worst.back().element, 968U);
    QCOMPARE(found.wrong, 999U);
}

void TestTensorDifference::mapsOfLargeTensorsHaveFewCells()
{
    std::vector<float> expected(200 * 300, 1);
    std::vector<float> got = expected;
    got[199 * 300 + 299] = 5;
    const TensorDifference found = difference(got, expected, {20, 10, 300});
    QCOMPARE(found.map.rows, 200U);
    QCOMPARE(found.map.columns, 300U);
    QCOMPARE(found.map.cellRows, 64U);
    QCOMPARE(found.map.cellColumns, 64U);
    QVERIFY(found.map.wrongShare.back() > 0 && found.map.wrongShare.back() < 0.2);
    QCOMPARE(std::count(found.map.wrongShare.begin(), found.map.wrongShare.end(), 0.0), 64 * 64 - 1);
    QCOMPARE(found.worst.front().index, (std::vector<std::int64_t>{19, 9, 299}));
}

void TestTensorDifference::narrowFormatsAreRead()
{
    std::vector<std::byte> expected(4);
    std::vector<std::byte> got(4);
    encodeFromFloat(DType::BFloat16, std::vector<float>{1, -2}, 0, expected);
    encodeFromFloat(DType::BFloat16, std::vector<float>{1, 2}, 0, got);
    const TensorDifference found = tensorDifference(got, expected, layoutOf({2}, DType::BFloat16), 0.01, 0.01, std::nullopt);
    QCOMPARE(found.wrong, 1U);
    QCOMPARE(found.worst.front().absolute, 4.0);
    const std::vector<std::byte> truths{std::byte{1}, std::byte{0}};
    const std::vector<std::byte> others{std::byte{1}, std::byte{1}};
    QCOMPARE(tensorDifference(others, truths, layoutOf({2}, DType::Bool), 0.01, 0.01, 77).wrong, 1U);
}

void TestTensorDifference::emptyTensorsHaveNothing()
{
    const TensorDifference found = difference({}, {}, {0, 4});
    QCOMPARE(found.lookedAt, 0U);
    QCOMPARE(found.wrong, 0U);
    QVERIFY(found.worst.empty());
    QVERIFY(decodeTensorDifference(encodeTensorDifference(found)).has_value());
}

void TestTensorDifference::reportsSurviveTheWay()
{
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    const DifferenceReport report{"INCORRECT_NUMERICAL", "log", 2, "", {difference({kNan, 3}, {1, 2}, {2})}};
    const auto back = decodeDifferenceReport(Json::parse(encodeDifferenceReport(report).dump()));
    QVERIFY2(back.has_value(), back ? "" : back.error().toString().c_str());
    QCOMPARE(back->trial, 2);
    QVERIFY(std::isnan(back->outputs[0].worst[0].got));
    QCOMPARE(back->outputs[0].worst[1].got, 3.0);
    QCOMPARE(encodeDifferenceReport(*back).dump(), encodeDifferenceReport(report).dump());
}

void TestTensorDifference::brokenReportsAreRefused_data()
{
    QTest::addColumn<QString>("pointer");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("field");
    QTest::newRow("text for a number") << "/trial" << "\"one\"" << "trial";
    QTest::newRow("word for a number") << "/outputs/0/bias" << "\"many\"" << "outputs.0.bias";
    QTest::newRow("negative count") << "/outputs/0/wrong" << "-1" << "outputs.0.wrong";
    QTest::newRow("cells without numbers") << "/outputs/0/map/largest" << "[]" << "outputs.0.map.largest";
    QTest::newRow("no list") << "/outputs/0/worst" << "{}" << "outputs.0.worst";
    QTest::newRow("null") << "/outputs/0/histogram/0/count" << "null" << "outputs.0.histogram.0.count";
}

void TestTensorDifference::brokenReportsAreRefused()
{
    QFETCH(QString, pointer);
    QFETCH(QString, value);
    QFETCH(QString, field);
    const DifferenceReport report{"PASSED", "", 0, "", {difference({1, 3}, {1, 2}, {2})}};
    Json json = encodeDifferenceReport(report);
    json[Json::json_pointer(pointer.toStdString())] = Json::parse(value.toStdString());
    const auto back = decodeDifferenceReport(json);
    QVERIFY(!back);
    QCOMPARE(QString::fromStdString(back.error().field), field);
}

void TestTensorDifference::tolerancesThatProveNothing()
{
    ToleranceReport report;
    QVERIFY(!report.provesNothing());
    report.trials = {{"y", "zeros", true, 1, 0, 0, ""}, {"z", "zeros", false, 0, 0, 0, ""}};
    QVERIFY(!report.provesNothing());
    QCOMPARE(report.weakOutputs(), std::vector<std::string>{"y"});
    report.trials.push_back({"z", "mean", true, 1, 0, 0, ""});
    QVERIFY(report.provesNothing());
    const auto back = decodeToleranceReport(encodeToleranceReport(report));
    QVERIFY(back && back->trials.size() == 3);
    QVERIFY(!decodeToleranceReport(Json::array()));
}

QTEST_APPLESS_MAIN(TestTensorDifference)
#include "test_tensor_difference.moc"
