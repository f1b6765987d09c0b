// SPDX-License-Identifier: GPL-3.0-or-later
// What the judge makes and compares on the cpu: number formats, distributions, error statistics, poison, red zones.
#include <QtTest>

#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <mutex>
#include <numeric>
#include <set>

#include "core/judge/cpu/comparison.h"
#include "core/judge/cpu/cpu_device.h"
#include "core/judge/cpu/random_fill.h"
#include "core/judge/live_log.h"
#include "core/judge/log_ring.h"
#include "core/judge/normal_tables.h"
#include "core/judge/number_formats.h"
#include "core/judge/philox.h"
#include "core/judge/shared_block.h"

using namespace tracedeck;
using namespace tracedeck::judge;

namespace {

const std::vector<DType> kRandomDtypes{DType::Float32, DType::Float16, DType::BFloat16, DType::Float8E4M3FN, DType::Float8E5M2,
                                       DType::Int64,   DType::Int32,   DType::Int16,    DType::Int8,         DType::Bool};

/// Value of a code by the definition of the format, in double, without bit tricks.
double byDefinition(std::uint32_t code, int exponentBits, int mantissaBits, bool hasInfinity)
{
    const int bias = (1 << (exponentBits - 1)) - 1;
    const std::uint32_t mantissa = code & ((1U << mantissaBits) - 1U);
    const auto exponent = static_cast<int>(code >> mantissaBits & ((1U << exponentBits) - 1U));
    const double sign = (code >> (exponentBits + mantissaBits) & 1U) != 0 ? -1.0 : 1.0;
    const int largest = (1 << exponentBits) - 1;
    if (exponent == largest && hasInfinity) return mantissa == 0 ? sign * std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
    if (exponent == largest && mantissa == (1U << mantissaBits) - 1U) return std::numeric_limits<double>::quiet_NaN();
    if (exponent == 0) return sign * std::ldexp(mantissa, 1 - bias - mantissaBits);
    return sign * std::ldexp(1.0 + std::ldexp(mantissa, -mantissaBits), exponent - bias);
}

template <class Format>
void checkFormat(std::uint32_t codes, int exponentBits, int mantissaBits, bool hasInfinity)
{
    for (std::uint32_t code = 0; code < codes; ++code) {
        const float decoded = Format::decode(code);
        const double right = byDefinition(code, exponentBits, mantissaBits, hasInfinity);
        if (std::isnan(right)) {
            QVERIFY(std::isnan(decoded));
            QVERIFY(std::isnan(Format::decode(Format::encode(decoded))));
            continue;
        }
        QCOMPARE(static_cast<double>(decoded), right);
        QCOMPARE(Format::encode(decoded), code);
        // Half way to the next code of the same sign: to the even one; a hair off: to the nearer one.
        const double next = code + 1 < codes / 2 ? byDefinition(code + 1, exponentBits, mantissaBits, hasInfinity) : std::numeric_limits<double>::quiet_NaN();
        if (!std::isfinite(right) || !std::isfinite(next)) continue;
        const auto middle = static_cast<float>((right + next) / 2);
        QCOMPARE(Format::encode(middle), code % 2 == 0 ? code : code + 1);
        QCOMPARE(Format::encode(std::nextafter(middle, 0.0F)), code);
        QCOMPARE(Format::encode(std::nextafter(middle, 1e9F)), code + 1);
        QCOMPARE(Format::encode(-middle), (code % 2 == 0 ? code : code + 1) | codes / 2);
    }
}

std::vector<float> draw(DType dtype, std::size_t count, const ContentKey& key)
{
    std::vector<std::byte> data(static_cast<std::size_t>(byteSize(dtype, count)));
    if (!fillRandomCpu(data, dtype, count, key)) return {};
    std::vector<float> values(count);
    decodeToFloat(dtype, data, 0, values);
    return values;
}

std::vector<std::byte> bytesOf(const std::vector<float>& values)
{
    std::vector<std::byte> data(values.size() * sizeof(float));
    if (!values.empty()) std::memcpy(data.data(), values.data(), data.size());
    return data;
}

Comparison compareFloats(const std::vector<float>& actual, const std::vector<float>& expected, double atol = 1e-2, double rtol = 1e-2)
{
    return compareCpu(bytesOf(actual), bytesOf(expected), DType::Float32, actual.size(), atol, rtol, 0);
}

/// The codes of `bits` bits in a table's entries.
template <std::size_t size>
std::vector<std::uint32_t> sortedCodes(const std::array<std::uint32_t, size>& table, unsigned bits)
{
    std::vector<std::uint32_t> codes;
    for (const std::uint32_t entry : table) {
        for (unsigned shift = 0; shift < 32; shift += bits) codes.push_back(entry >> shift & ((1U << bits) - 1U));
    }
    std::sort(codes.begin(), codes.end());
    return codes;
}

double meanOf(const std::vector<float>& values)
{
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double momentOf(const std::vector<float>& values, int order)
{
    double total = 0;
    for (const float value : values) total += std::pow(static_cast<double>(value), order);
    return total / static_cast<double>(values.size());
}

}  // namespace


class TestJudgeCpu : public QObject {
    Q_OBJECT

private slots:
    void float16IsExactForEveryCode() { checkFormat<Float16>(1U << 16, 5, 10, true); }
    void float8e4m3IsExactForEveryCode() { checkFormat<Float8E4M3>(1U << 8, 4, 3, false); }
    void float8e5m2IsExactForEveryCode() { checkFormat<Float8E5M2>(1U << 8, 5, 2, true); }
    void bfloat16IsExactForEveryCode();
    void valuesBeyondTheFormat();
    void float4HasItsSixteenValues();
    void philoxGivesTheKnownAnswers();
    void contentsDependOnEveryPartOfTheKey();
    void contentsDoNotDependOnTheLength();
    void normalsAreNormal_data();
    void normalsAreNormal();
    void normalTablesFollowTheBell();
    void integersAreUniform_data();
    void integersAreUniform();
    void boolIsAFairCoin();
    void refusesDtypesWithoutADistribution();
    void scalarsAreDrawnInTheirKind();
    void softmaxRowsSumToOne();
    void comparesAsTheFormatDoes();
    void countsNonFiniteValues();
    void nonFiniteExpectationsMatchAnythingFinite();
    void comparesEveryDtype_data();
    void comparesEveryDtype();
    void emptyTensorsMatch();
    void findsPoison_data();
    void findsPoison();
    void chanceHitsOfNarrowIntegersAreNoPoison();
    void redZonesShowWritesOutside();
    void redZonesChangeFromCallToCall();
    void sharedBlocksHaveGuards();
    void sharedMemoryCannotBeShrunk();
    void readsDescriptorsOnlyAsFarAsTheyReach();
    void evictionKeepsContents();
    void glimpsesSeeEveryOutputAndEveryPlace();
    void hiddenWordsComeBack();
    void logsKeepHeadAndTail();
    void aLiveLogHandsOnABoundedPart();
};

void TestJudgeCpu::bfloat16IsExactForEveryCode()
{
    for (std::uint32_t code = 0; code < 1U << 16; ++code) {
        const float decoded = decodeBFloat16(static_cast<std::uint16_t>(code));
        const double right = byDefinition(code, 8, 7, true);
        if (std::isnan(right)) {
            QVERIFY(std::isnan(decoded) && std::isnan(decodeBFloat16(encodeBFloat16(decoded))));
            continue;
        }
        QCOMPARE(static_cast<double>(decoded), right);
        QCOMPARE(std::uint32_t{encodeBFloat16(decoded)}, code);
        if (code % 0x8000U >= 0x7F7FU) continue;
        const float middle = std::bit_cast<float>(code << 16 | 0x8000U);
        QCOMPARE(std::uint32_t{encodeBFloat16(middle)}, code % 2 == 0 ? code : code + 1);
        QCOMPARE(std::uint32_t{encodeBFloat16(std::bit_cast<float>(code << 16 | 0x7FFFU))}, code);
        QCOMPARE(std::uint32_t{encodeBFloat16(std::bit_cast<float>(code << 16 | 0x8001U))}, code + 1);
    }
}

void TestJudgeCpu::valuesBeyondTheFormat()
{
    QCOMPARE(Float16::encode(65519.0F), 0x7BFFU);   // just below the middle between the largest value and the next power of two
    QCOMPARE(Float16::encode(65520.0F), 0x7C00U);
    QCOMPARE(Float16::encode(-1e30F), 0xFC00U);
    QCOMPARE(Float8E5M2::encode(61439.0F), 0x7BU);
    QCOMPARE(Float8E5M2::encode(61440.0F), 0x7CU);
    QCOMPARE(Float8E4M3::encode(448.0F), 0x7EU);
    QCOMPARE(Float8E4M3::encode(464.0F), 0x7EU);    // a tie, to even
    QCOMPARE(Float8E4M3::encode(465.0F), 0x7FU);    // no infinity: NaN
    QCOMPARE(Float8E4M3::encode(-1e9F), 0xFFU);
    QCOMPARE(Float8E4M3::encode(std::numeric_limits<float>::infinity()), 0x7FU);
    QCOMPARE(Float16::encode(std::numeric_limits<float>::infinity()), 0x7C00U);
    QCOMPARE(Float16::encode(1e-30F), 0U);
    QCOMPARE(Float16::encode(-1e-30F), 0x8000U);
    QCOMPARE(encodeBFloat16(std::numeric_limits<float>::max()), std::uint16_t{0x7F80});
}

void TestJudgeCpu::float4HasItsSixteenValues()
{
    const std::vector<std::byte> packed{std::byte{0x10}, std::byte{0x32}, std::byte{0x54}, std::byte{0x76}, std::byte{0xA9}, std::byte{0xFF}};
    std::vector<float> values(11);
    decodeToFloat(DType::Float4E2M1, packed, 1, values);
    QCOMPARE(values, (std::vector<float>{0.5F, 1, 1.5F, 2, 3, 4, 6, -0.5F, -1, -6, -6}));
}

void TestJudgeCpu::philoxGivesTheKnownAnswers()
{
    // Known answers published with the generator (Random123, philox4x32 7).
    QCOMPARE(philox({0, 0, 0, 0}, 0), (std::array<std::uint32_t, 4>{0x5F6FB709U, 0x0D893F64U, 0x4F121F81U, 0x4F730A48U}));
    QCOMPARE(philox({~0U, ~0U, ~0U, ~0U}, ~std::uint64_t{0}), (std::array<std::uint32_t, 4>{0x5207DDC2U, 0x45165E59U, 0x4D8EE751U, 0x8C52F662U}));
    QCOMPARE(philox({0x243F6A88U, 0x85A308D3U, 0x13198A2EU, 0x03707344U}, 0x299F31D0A4093822ULL),
             (std::array<std::uint32_t, 4>{0x4DFCCABAU, 0x190A87F0U, 0xC47362BAU, 0xB6B5242AU}));
    // The vectorised fill is the same generator: word k of block b is unit 64 k + b of a chunk of 256; four bytes are one unit.
    const ContentKey key{0x0123456789ABCDEFULL, 5, 9};
    const std::vector<float> drawn = draw(DType::Int8, 4096, key);
    for (std::size_t i = 0; i < drawn.size(); ++i) {
        const std::size_t unit = i / 4;
        const auto block = static_cast<std::uint32_t>(unit / 256 * 64 + unit % 64);
        const std::uint32_t word = philox({block, 0, key.call, key.tensor}, key.seed)[unit % 256 / 64];
        QCOMPARE(drawn[i], static_cast<float>(static_cast<std::int8_t>(word >> (8 * (i % 4)) & 0xFFU)));
    }
}

void TestJudgeCpu::contentsDependOnEveryPartOfTheKey()
{
    const ContentKey key{1, 2, 3};
    const std::vector<float> once = draw(DType::Float32, 1000, key);
    QCOMPARE(draw(DType::Float32, 1000, key), once);
    for (const ContentKey& other : {ContentKey{2, 2, 3}, ContentKey{1, 3, 3}, ContentKey{1, 2, 4}, ContentKey{1 + (1ULL << 40), 2, 3}}) {
        const std::vector<float> drawn = draw(DType::Float32, 1000, other);
        std::size_t same = 0;
        for (std::size_t i = 0; i < drawn.size(); ++i) same += drawn[i] == once[i] ? 1U : 0U;
        QVERIFY(same < 5);
    }
    QVERIFY(mixSeed(1, "a") != mixSeed(1, "b"));
    QVERIFY(mixSeed(1, "a") != mixSeed(2, "a"));
    QVERIFY(mixSeed(1, std::string("a\0", 2)) != mixSeed(1, "a"));
    QVERIFY(mixSeed(1, "12345678") != mixSeed(1, "123456789"));
}

void TestJudgeCpu::contentsDoNotDependOnTheLength()
{
    for (const DType dtype : kRandomDtypes) {
        const std::vector<float> many = draw(dtype, 3000, {7, 8, 9});
        for (const std::size_t count : {std::size_t{1}, std::size_t{63}, std::size_t{255}, std::size_t{256}, std::size_t{257}, std::size_t{2999}}) {
            const std::vector<float> few = draw(dtype, count, {7, 8, 9});
            QCOMPARE(few, std::vector<float>(many.begin(), many.begin() + static_cast<std::ptrdiff_t>(count)));
        }
    }
}

void TestJudgeCpu::normalsAreNormal_data()
{
    QTest::addColumn<DType>("dtype");
    QTest::addColumn<bool>("isClamped");
    QTest::newRow("float32") << DType::Float32 << false;
    QTest::newRow("float16") << DType::Float16 << false;
    QTest::newRow("bfloat16") << DType::BFloat16 << false;
    QTest::newRow("float8_e4m3fn") << DType::Float8E4M3FN << true;
    QTest::newRow("float8_e5m2") << DType::Float8E5M2 << true;
}

void TestJudgeCpu::normalsAreNormal()
{
    QFETCH(DType, dtype);
    QFETCH(bool, isClamped);
    const std::vector<float> values = draw(dtype, 1U << 20, {20261128, 0, 0});
    QCOMPARE(values.size(), std::size_t{1} << 20);
    QVERIFY(std::all_of(values.begin(), values.end(), [](float value) { return std::isfinite(value); }));
    // Neighbours, which may come from one word, and those from one generator block are uncorrelated, and so are their magnitudes
    // (those from one word are among 8,192 pairs, or 4,096 fours: by chance some 0.011 to 0.016).
    const double magnitude = std::accumulate(values.begin(), values.end(), 0.0, [](double sum, float value) { return sum + std::fabs(value); }) / static_cast<double>(values.size());
    for (const std::size_t distance : {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{64}, std::size_t{128}, std::size_t{256}}) {
        double product = 0;
        double magnitudes = 0;
        for (std::size_t i = 0; i + distance < values.size(); ++i) {
            const double both = static_cast<double>(values[i]) * static_cast<double>(values[i + distance]);
            product += both;
            magnitudes += std::fabs(both);
        }
        const auto count = static_cast<double>(values.size());
        QVERIFY2(std::fabs(product / count) < 0.006, qPrintable(QString::number(distance)));
        QVERIFY2(std::fabs(magnitudes / count - magnitude * magnitude) < 0.02, qPrintable(QString::number(distance)));
    }
    QVERIFY(std::fabs(meanOf(values)) < 0.006);   // 6 standard errors
    QVERIFY(std::fabs(momentOf(values, 3)) < 0.03);
    const float largest = *std::max_element(values.begin(), values.end());
    if (isClamped) {
        QCOMPARE(largest, 2.0F);
        QCOMPARE(*std::min_element(values.begin(), values.end()), -2.0F);
        // Second moment of a normal clamped to ±2: 1 - 2 (phi(2) 2 + Q(2)) + 8 Q(2).
        QVERIFY(std::fabs(momentOf(values, 2) - 0.9206) < 0.02);
        return;
    }
    QVERIFY(std::fabs(momentOf(values, 2) - 1) < 0.01);
    QVERIFY(std::fabs(momentOf(values, 4) - 3) < 0.06);
    QVERIFY(largest > 4 && largest < 7);
    // Shares within one, two and three standard deviations.
    const double expected[3] = {0.6827, 0.9545, 0.9973};
    for (int k = 1; k <= 3; ++k) {
        const auto within = std::count_if(values.begin(), values.end(), [k](float value) { return std::fabs(value) <= static_cast<float>(k); });
        QVERIFY(std::fabs(static_cast<double>(within) / static_cast<double>(values.size()) - expected[k - 1]) < 0.004);
    }
}

void TestJudgeCpu::normalTablesFollowTheBell()
{
    const NormalTables& tables = normalTables();
    // 16-bit magnitudes: half of all are below the quartile 0.674490 of the standard normal, and the last one is its 1 - 2^-16 quantile.
    const std::vector<std::uint32_t> halves = sortedCodes(tables.float16, 16);
    QCOMPARE(halves.size(), std::size_t{kNormalQuantiles});
    QVERIFY(std::fabs(Float16::decode(halves[kNormalQuantiles / 2]) - 0.674490F) < 5e-4F);
    QVERIFY(std::fabs(Float16::decode(halves.back()) - 4.170F) < 5e-3F);
    QCOMPARE(decodeBFloat16(static_cast<std::uint16_t>(sortedCodes(tables.bfloat16, 16).back())), 4.15625F);
    for (const auto& [codes, decode] : {std::pair{sortedCodes(tables.float8e4m3, 8), &Float8E4M3::decode}, std::pair{sortedCodes(tables.float8e5m2, 8), &Float8E5M2::decode}}) {
        QCOMPARE(codes.size(), std::size_t{kNormalQuantiles});
        QVERIFY(std::fabs(decode(codes[kNormalQuantiles / 2]) - 0.674490F) < 0.07F);
        QCOMPARE(decode(codes.back()), 2.0F);
    }
    // 32-bit: every word against the complementary error function.
    QVERIFY(normalValue(0, tables.float32.data()) > 6);
    QVERIFY(std::fabs(normalValue(0x7FFFFFFFU, tables.float32.data())) < 1e-6F);
    for (std::uint64_t word = 0; word < 0x80000000ULL; word = word * 9 / 8 + 1) {
        const auto value = static_cast<double>(normalValue(static_cast<std::uint32_t>(word), tables.float32.data()));
        const double share = std::erfc(value / std::sqrt(2.0)) * 0x1p31;
        QVERIFY2(std::fabs(share / (static_cast<double>(word) + 0.5) - 1) < 2e-4, qPrintable(QString::number(word)));
        QCOMPARE(normalValue(static_cast<std::uint32_t>(word) | 0x80000000U, tables.float32.data()), static_cast<float>(-value));
    }
}

void TestJudgeCpu::integersAreUniform_data()
{
    QTest::addColumn<DType>("dtype");
    QTest::addColumn<int>("lowest");
    QTest::addColumn<int>("highest");
    QTest::newRow("int8") << DType::Int8 << -128 << 127;
    QTest::newRow("int16") << DType::Int16 << -1024 << 1023;
    QTest::newRow("int32") << DType::Int32 << -1024 << 1023;
    QTest::newRow("int64") << DType::Int64 << -1024 << 1023;
}

void TestJudgeCpu::integersAreUniform()
{
    QFETCH(DType, dtype);
    QFETCH(int, lowest);
    QFETCH(int, highest);
    const std::vector<float> values = draw(dtype, 1U << 19, {99, 1, 2});
    std::vector<double> counts(static_cast<std::size_t>(highest - lowest + 1));
    for (const float value : values) {
        QVERIFY(value >= static_cast<float>(lowest) && value <= static_cast<float>(highest));
        counts[static_cast<std::size_t>(static_cast<int>(value) - lowest)] += 1;
    }
    const double expected = static_cast<double>(values.size()) / static_cast<double>(counts.size());
    double chiSquared = 0;
    for (const double count : counts) chiSquared += (count - expected) * (count - expected) / expected;
    const auto freedom = static_cast<double>(counts.size() - 1);
    QVERIFY(std::fabs(chiSquared - freedom) < 6 * std::sqrt(2 * freedom));
}

void TestJudgeCpu::boolIsAFairCoin()
{
    std::vector<std::byte> data(1U << 18);
    QVERIFY(fillRandomCpu(data, DType::Bool, data.size(), {3, 4, 5}).has_value());
    const auto ones = std::count(data.begin(), data.end(), std::byte{1});
    QCOMPARE(std::count(data.begin(), data.end(), std::byte{0}) + ones, static_cast<std::ptrdiff_t>(data.size()));
    QVERIFY(std::fabs(static_cast<double>(ones) / static_cast<double>(data.size()) - 0.5) < 0.006);
}

void TestJudgeCpu::refusesDtypesWithoutADistribution()
{
    std::vector<std::byte> data(16);
    for (const DType dtype : {DType::Float4E2M1, DType::Unknown}) {
        const auto filled = fillRandomCpu(data, dtype, 4, {});
        QVERIFY(!filled.has_value());
        QCOMPARE(filled.error().code, ErrorCode::Unsupported);
    }
    QVERIFY(!fillRandomCpu(data, DType::Float32, 5, {}).has_value());   // does not fit
}

void TestJudgeCpu::scalarsAreDrawnInTheirKind()
{
    QVERIFY(drawScalar(DType::BFloat16, {1, 2, 3})->is_number_float());
    QVERIFY(drawScalar(DType::Int64, {1, 2, 3})->is_number_integer());
    QVERIFY(drawScalar(DType::Bool, {1, 2, 3})->is_boolean());
    QVERIFY(!drawScalar(DType::Float4E2M1, {1, 2, 3}).has_value());
}

void TestJudgeCpu::softmaxRowsSumToOne()
{
    for (const DType dtype : {DType::Float32, DType::BFloat16, DType::Float16}) {
        std::vector<std::byte> data(static_cast<std::size_t>(byteSize(dtype, 6 * 50)));
        QVERIFY(fillRandomCpu(data, dtype, 6 * 50, {1, 1, 1}).has_value());
        std::vector<float> before(6 * 50);
        decodeToFloat(dtype, data, 0, before);
        softmaxRowsCpu(data, dtype, 6, 50);
        std::vector<float> after(6 * 50);
        decodeToFloat(dtype, data, 0, after);
        for (std::size_t row = 0; row < 6; ++row) {
            double total = 0;
            double norm = 0;
            for (std::size_t i = 0; i < 50; ++i) {
                total += static_cast<double>(after[row * 50 + i]);
                norm += std::exp(static_cast<double>(before[row * 50 + i]));
            }
            QVERIFY(std::fabs(total - 1) < 0.01);
            QVERIFY(std::fabs(static_cast<double>(after[row * 50]) - std::exp(static_cast<double>(before[row * 50])) / norm) < 2e-3);
        }
    }
}

void TestJudgeCpu::comparesAsTheFormatDoes()
{
    // Within either bound is enough: 100.5 is off by 0.5 > atol, but by 0.5 % < rtol; 0.005 is off by 100 %, but by less than atol.
    const Comparison either = compareFloats({100.5F, 0.005F}, {100.0F, 0.0F});
    QCOMPARE(either.matchedRatio, 1.0);
    QCOMPARE(either.maxAbsoluteError, 0.5);
    QVERIFY(std::fabs(either.maxRelativeError / (0.005 / 1e-8) - 1) < 1e-6);
    // Out of both: bad. The bounds themselves are good.
    const Comparison bad = compareFloats({1.0F, 1.03125F, 2.0F, 1.0F}, {1.0F, 1.0F, 1.0F, 1.0F}, 0.03125, 0.01);
    QCOMPARE(bad.matchedRatio, 0.75);
    QCOMPARE(bad.maxAbsoluteError, 1.0);
    // 5001 for 5000 passes: integers are compared as loosely as floats.
    std::vector<std::byte> one(8);
    std::vector<std::byte> two(8);
    const std::int64_t a = 5001;
    const std::int64_t b = 5000;
    std::memcpy(one.data(), &a, 8);
    std::memcpy(two.data(), &b, 8);
    QCOMPARE(compareCpu(one, two, DType::Int64, 1, 1e-2, 1e-2, 0).matchedRatio, 1.0);
    // Every position of a longer tensor counts, also in the ragged end.
    for (const std::size_t position : {std::size_t{0}, std::size_t{15}, std::size_t{16}, std::size_t{1023}, std::size_t{1024}, std::size_t{2049}}) {
        std::vector<float> actual(2050, 1.0F);
        actual[position] = 3.0F;
        const Comparison compared = compareFloats(actual, std::vector<float>(2050, 1.0F));
        QCOMPARE(compared.maxAbsoluteError, 2.0);
        QCOMPARE(compared.matchedRatio, 1.0 - 1.0 / 2050);
    }
}

void TestJudgeCpu::countsNonFiniteValues()
{
    const float inf = std::numeric_limits<float>::infinity();
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const Comparison compared = compareFloats({1.0F, inf, -inf, nan, 2.0F}, {1.0F, 1.0F, 1.0F, 1.0F, 2.0F});
    QCOMPARE(compared.infinities, std::uint64_t{2});
    QCOMPARE(compared.nans, std::uint64_t{1});
    QCOMPARE(compared.expectedNonFinite, std::uint64_t{0});
}

void TestJudgeCpu::nonFiniteExpectationsMatchAnythingFinite()
{
    const float inf = std::numeric_limits<float>::infinity();
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const Comparison compared = compareFloats({1.0F, 7.0F, 9.0F}, {1.0F, inf, nan});
    QCOMPARE(compared.matchedRatio, 1.0);
    QCOMPARE(compared.expectedNonFinite, std::uint64_t{2});
    QVERIFY(std::isnan(compared.maxAbsoluteError));   // folding drops it
    QVERIFY(std::isnan(compared.maxRelativeError));
    QCOMPARE(compareFloats({7.0F}, {inf}).maxAbsoluteError, std::numeric_limits<double>::infinity());
}

void TestJudgeCpu::comparesEveryDtype_data()
{
    QTest::addColumn<DType>("dtype");
    for (const DType dtype : kRandomDtypes) QTest::newRow(std::string(toString(dtype)).c_str()) << dtype;
}

void TestJudgeCpu::comparesEveryDtype()
{
    QFETCH(DType, dtype);
    constexpr std::size_t kCount = 3001;
    CpuDevice device;
    auto one = device.allocate(static_cast<std::size_t>(byteSize(dtype, kCount)));
    auto two = device.allocate(static_cast<std::size_t>(byteSize(dtype, kCount)));
    QVERIFY(one.has_value() && two.has_value());
    QVERIFY(device.fillRandom(**one, dtype, kCount, {1, 2, 3}).has_value());
    QVERIFY(device.fillRandom(**two, dtype, kCount, {1, 2, 3}).has_value());
    QVERIFY(device.equalContents(**one, **two));
    auto zeros = device.zeros(257);
    QVERIFY(zeros.has_value());
    QCOMPARE(device.download(**zeros, 257), std::vector<std::byte>(257));
    auto kept = device.snapshot(**one, (*one)->bytes());
    auto same = device.snapshot(**two, (*two)->bytes());
    auto compared = device.compare(**kept, **same, dtype, kCount, 1e-2, 1e-2, 0x1234567);
    QVERIFY(compared.has_value());
    QCOMPARE(compared->matchedRatio, 1.0);
    QCOMPARE(compared->maxAbsoluteError, 0.0);
    QCOMPARE(compared->poisoned, std::uint64_t{0});
    QVERIFY(device.fillRandom(**two, dtype, kCount, {1, 3, 3}).has_value());
    QVERIFY(!device.equalContents(**one, **two));
    auto other = device.snapshot(**two, (*two)->bytes());
    QVERIFY(!device.equalContents(**kept, **other));
    compared = device.compare(**kept, **other, dtype, kCount, 1e-2, 1e-2, 0x1234567);
    QVERIFY(compared.has_value() && compared->matchedRatio < 0.8 && compared->maxAbsoluteError >= 1);
    QVERIFY(!device.compare(**kept, **other, dtype, kCount + 1, 1e-2, 1e-2, 0).has_value());
}

void TestJudgeCpu::emptyTensorsMatch()
{
    const Comparison compared = compareFloats({}, {});
    QCOMPARE(compared.matchedRatio, 1.0);
    QCOMPARE(compared.maxAbsoluteError, 0.0);
    CpuDevice device;
    auto buffer = device.allocate(0);
    QVERIFY(buffer.has_value());
    device.poison(**buffer, DType::Float32, 1);
    QVERIFY(device.redZonesIntact(**buffer));
}

void TestJudgeCpu::findsPoison_data()
{
    comparesEveryDtype_data();
}

void TestJudgeCpu::findsPoison()
{
    QFETCH(DType, dtype);
    constexpr std::size_t kCount = 500;
    CpuDevice device;
    auto expected = device.allocate(static_cast<std::size_t>(byteSize(dtype, kCount)));
    auto actual = device.allocate(static_cast<std::size_t>(byteSize(dtype, kCount)));
    QVERIFY(expected.has_value() && actual.has_value());
    QVERIFY(device.fillRandom(**expected, dtype, kCount, {1, 2, 3}).has_value());
    std::set<std::uint64_t> patterns;
    for (std::uint64_t i = 0; i < 20; ++i) {
        const std::uint64_t pattern = philoxWord(11, i, 0);
        patterns.insert(poisonElement(dtype, pattern));
        device.poison(**actual, dtype, pattern);
        auto kept = device.snapshot(**actual, (*actual)->bytes());
        auto right = device.snapshot(**expected, (*expected)->bytes());
        const auto compared = device.compare(**kept, **right, dtype, kCount, 1e-2, 1e-2, pattern);
        QVERIFY(compared.has_value());
        if (isFloating(dtype)) QCOMPARE(compared->nans, std::uint64_t{kCount});
        if (dtype == DType::Int8 || dtype == DType::Int16) continue;   // an expected value may equal the pattern
        QCOMPARE(compared->poisoned, std::uint64_t{kCount});
    }
    QVERIFY(patterns.size() > 1);
}

void TestJudgeCpu::chanceHitsOfNarrowIntegersAreNoPoison()
{
    const std::uint64_t pattern = 42;
    std::vector<std::byte> actual(100, std::byte{42});
    const std::vector<std::byte> expected(100, std::byte{41});
    QCOMPARE(compareCpu(actual, expected, DType::Int8, 100, 1e-2, 1e-2, pattern).poisoned, std::uint64_t{100});
    actual[50] = std::byte{41};
    QCOMPARE(compareCpu(actual, expected, DType::Int8, 100, 1e-2, 1e-2, pattern).poisoned, std::uint64_t{0});
}

void TestJudgeCpu::redZonesShowWritesOutside()
{
    CpuDevice device;
    for (const std::size_t bytes : {std::size_t{1}, std::size_t{100}, std::size_t{4096}, std::size_t{10000}}) {
        for (const std::ptrdiff_t offset : {static_cast<std::ptrdiff_t>(kRedZoneBytes) - 1, std::ptrdiff_t{0}, static_cast<std::ptrdiff_t>(kRedZoneBytes + bytes)}) {
            auto buffer = device.allocate(bytes);
            QVERIFY(buffer.has_value());
            device.poison(**buffer, DType::Float32, 77);
            QVERIFY(device.fillRandom(**buffer, DType::Bool, bytes, {}).has_value());
            QVERIFY(device.redZonesIntact(**buffer));
            void* mapped = ::mmap(nullptr, (*buffer)->blockBytes(), PROT_READ | PROT_WRITE, MAP_SHARED, (*buffer)->descriptor(), 0);
            QVERIFY(mapped != MAP_FAILED);
            auto* byte = static_cast<unsigned char*>(mapped) + offset;
            *byte = static_cast<unsigned char>(*byte ^ 1U);
            QVERIFY(!device.redZonesIntact(**buffer));
            ::munmap(mapped, (*buffer)->blockBytes());
        }
    }
}

void TestJudgeCpu::redZonesChangeFromCallToCall()
{
    CpuDevice device;
    auto buffer = device.allocate(64);
    QVERIFY(buffer.has_value());
    const auto zone = [&] {
        std::array<std::byte, 64> contents{};
        return ::pread((*buffer)->descriptor(), contents.data(), contents.size(), 0) == 64 ? contents : std::array<std::byte, 64>{};
    };
    const auto first = zone();
    device.poison(**buffer, DType::Float32, 77);
    const auto second = zone();
    QVERIFY(first != second);
    QVERIFY(device.upload(**buffer, std::vector<std::byte>(64)).has_value());
    const auto third = zone();
    QVERIFY(second != third);
    QVERIFY(device.fillRandom(**buffer, DType::Bool, 64, {}).has_value());
    QVERIFY(third != zone());
    QVERIFY(device.redZonesIntact(**buffer));
}

void TestJudgeCpu::sharedBlocksHaveGuards()
{
    int ends[2];
    QVERIFY(::pipe(ends) == 0);
    const FileDescriptor readEnd(ends[0]);
    const FileDescriptor writeEnd(ends[1]);
    // The kernel refuses to read from an address that the process could not read from itself.
    const auto isMapped = [&](const std::byte* address) { return ::write(writeEnd.get(), address, 1) == 1; };
    auto created = SharedBlock::create("test", 5000);
    QVERIFY(created.has_value());
    auto mapped = SharedBlock::map(FileDescriptor(::dup(created->descriptor())), 5000);
    QVERIFY(mapped.has_value());
    for (const SharedBlock* block : {&*created, &*mapped}) {
        QVERIFY(isMapped(block->data()));
        QVERIFY(isMapped(block->data() + 8191));
        for (const std::size_t distance : {std::size_t{1}, std::size_t{65536}, std::size_t{1} << 20, kGuardBytes}) {
            QVERIFY(!isMapped(block->data() - distance));
            QVERIFY(!isMapped(block->data() + 8191 + distance));
        }
    }
    const std::byte* const gone = mapped->data();
    { const SharedBlock ended = std::move(*mapped); }
    QVERIFY(!isMapped(gone));
}

void TestJudgeCpu::sharedMemoryCannotBeShrunk()
{
    CpuDevice device;
    auto buffer = device.allocate(1000);
    QVERIFY(buffer.has_value());
    QVERIFY(::ftruncate((*buffer)->descriptor(), 0) != 0);
    QVERIFY(::ftruncate((*buffer)->descriptor(), 1 << 20) != 0);
}

void TestJudgeCpu::readsDescriptorsOnlyAsFarAsTheyReach()
{
    CpuDevice device;
    const FileDescriptor block(::memfd_create("test", MFD_CLOEXEC));
    const std::vector<char> data(64, 'x');
    QCOMPARE(::write(block.get(), data.data(), data.size()), static_cast<ssize_t>(data.size()));
    QVERIFY(device.snapshotOfDescriptor(block.get(), 64).has_value());
    QVERIFY(device.snapshotOfDescriptor(block.get(), 0).has_value());
    const auto beyond = device.snapshotOfDescriptor(block.get(), 65);
    QVERIFY(!beyond.has_value());
    QCOMPARE(beyond.error().code, ErrorCode::InvalidInput);
    int ends[2];
    QVERIFY(::pipe(ends) == 0);
    const FileDescriptor readEnd(ends[0]);
    const FileDescriptor writeEnd(ends[1]);
    QVERIFY(!device.snapshotOfDescriptor(readEnd.get(), 0).has_value());   // would block for ever
}

void TestJudgeCpu::evictionKeepsContents()
{
    CpuDevice device;
    auto one = device.allocate(100'000);
    auto two = device.allocate(100'000);
    QVERIFY(device.fillRandom(**one, DType::Int8, 100'000, {1, 1, 1}).has_value());
    QVERIFY(device.fillRandom(**two, DType::Int8, 100'000, {1, 1, 1}).has_value());
    device.evictCaches({one->get()});
    QVERIFY(device.equalContents(**one, **two));
    QVERIFY(!device.hardware().empty());
}

void TestJudgeCpu::glimpsesSeeEveryOutputAndEveryPlace()
{
    CpuDevice device;
    constexpr std::size_t kBytes = 128;
    std::vector<std::unique_ptr<SharedBuffer>> buffers;
    std::vector<SharedBuffer*> outputs;
    std::vector<std::byte> data(kBytes);
    for (int i = 0; i < 6; ++i) {
        auto buffer = device.allocate(kBytes);
        QVERIFY(buffer.has_value());
        QVERIFY(device.upload(**buffer, data).has_value());
        outputs.push_back(buffer->get());
        buffers.push_back(std::move(*buffer));
    }
    device.glimpse(outputs);
    QCOMPARE(device.changedSinceGlimpse(), std::vector<bool>{false});
    // One byte in the first half of the last output: seen in about half of the calls.
    int seen = 0;
    for (int call = 0; call < 100; ++call) {
        device.glimpse(outputs);
        data[30] ^= std::byte{1};
        QVERIFY(device.upload(*outputs.back(), data).has_value());
        seen += device.changedSinceGlimpse().front() ? 1 : 0;
    }
    QVERIFY2(seen > 20 && seen < 80, qPrintable(QString::number(seen)));
}

void TestJudgeCpu::hiddenWordsComeBack()
{
    CpuDevice device;
    auto buffer = device.allocate(4096);
    auto truth = device.allocate(4096);
    QVERIFY(device.fillRandom(**buffer, DType::Int32, 1024, {1, 1, 1}).has_value());
    QVERIFY(device.fillRandom(**truth, DType::Int32, 1024, {1, 1, 1}).has_value());
    // The last word, one that is hidden twice, and a decoy that is hidden itself.
    const std::vector<HiddenWord> words{{buffer->get(), 1023, 0}, {buffer->get(), 7, 9}, {buffer->get(), 7, 8}, {buffer->get(), 9, 7}};
    device.hideWords(words);
    const auto hidden = device.download(**buffer, 4096);
    const auto right = device.download(**truth, 4096);
    std::set<std::size_t> different;
    for (std::size_t i = 0; i < hidden.size(); ++i) {
        if (hidden[i] != right[i]) different.insert(i / 4);
    }
    QCOMPARE(different, (std::set<std::size_t>{7, 9, 1023}));
    device.revealWords(0, words.size());
    QVERIFY(device.equalContents(**buffer, **truth));
    device.hideWords({});
    device.revealWords(0, 0);
    QVERIFY(device.equalContents(**buffer, **truth));
}

void TestJudgeCpu::logsKeepHeadAndTail()
{
    LogRing small;
    small.append("one\n");
    small.append("two\n");
    QCOMPARE(small.text(), std::string("one\ntwo\n"));

    LogRing ring;
    std::string all;
    for (int i = 0; all.size() < 3 * LogRing::kTailBytes; ++i) {
        const std::string line = "line " + std::to_string(i) + "\n";
        ring.append(line);
        all += line;
    }
    const std::string left = std::to_string(all.size() - LogRing::kHeadBytes - LogRing::kTailBytes);
    QCOMPARE(ring.text(), all.substr(0, LogRing::kHeadBytes) + "\n[log truncated: " + left + " bytes left out]\n" + all.substr(all.size() - LogRing::kTailBytes));

    LogRing atOnce;
    atOnce.append(all);
    QCOMPARE(atOnce.text(), ring.text());

    LogRing invalid;
    invalid.append(std::string_view("a\xC3(\x00z", 5));
    QCOMPARE(invalid.text(), std::string("a\xEF\xBF\xBD(\xEF\xBF\xBDz"));
}

void TestJudgeCpu::aLiveLogHandsOnABoundedPart()
{
    std::mutex mutex;
    std::vector<std::string> pieces;
    std::vector<std::chrono::steady_clock::time_point> moments;
    const auto came = [&] {
        const std::lock_guard lock(mutex);
        return pieces;
    };
    LiveLog log([&](std::string text) {
        const std::lock_guard lock(mutex);
        pieces.push_back(std::move(text));
        moments.push_back(std::chrono::steady_clock::now());
    });
    log.append("first\n");
    QTRY_VERIFY_WITH_TIMEOUT(came() == std::vector<std::string>{"first\n"}, 20'000);
    // A flood: its end arrives, a bounded part of it at a time.
    std::string line;
    for (int i = 0; i < 20'000; ++i) {
        line = "line " + std::to_string(i) + "\n";
        log.append(line);
    }
    QTRY_VERIFY_WITH_TIMEOUT(came().back().ends_with(line), 20'000);
    for (const std::string& piece : came()) QVERIFY(piece.size() <= LiveLog::kPieceBytes);
    QVERIFY(came().size() < 20);   // of 180 kB
    for (std::size_t i = 1; i < moments.size(); ++i) QVERIFY(moments[i] - moments[i - 1] >= std::chrono::milliseconds(LiveLog::kPauseMs - 1));
    log.append(std::string_view("\xC3(", 2));
    QTRY_VERIFY_WITH_TIMEOUT(came().back() == "\xEF\xBF\xBD(", 20'000);
    const std::size_t before = came().size();
    log.stop();
    log.append("too late");
    log.stop();
    QCOMPARE(came().size(), before);
}

QTEST_GUILESS_MAIN(TestJudgeCpu)
#include "test_judge_cpu.moc"
