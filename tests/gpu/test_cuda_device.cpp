// SPDX-License-Identifier: GPL-3.0-or-later
// The CUDA device against the cpu device: same contents, same error statistics, same findings. Skipped where there is no GPU.
// TRACEDECK_TEST_DEVICE chooses another GPU than cuda:0; TRACEDECK_BANDWIDTH=1 prints how fast its kernels are.
#include <QtTest>

#include "core/judge/device.h"

#if TRACEDECK_HAS_CUDA

#include <cuda_runtime_api.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <random>
#include <set>

#include "core/io/file_descriptor.h"
#include "core/judge/cpu/comparison.h"
#include "core/judge/cpu/random_fill.h"
#include "core/judge/cuda/cuda_device.h"
#include "core/judge/cuda/driver.h"
#include "core/judge/cuda/kernels.h"
#include "core/judge/number_formats.h"

using namespace tracedeck;
using namespace tracedeck::judge;

namespace {

constexpr int kInherited = 10;          ///< the block's descriptor in the other process
constexpr const char* kHostArgument = "--host";

const std::vector<DType> kRandomDtypes{DType::Float32, DType::Float16, DType::BFloat16, DType::Float8E4M3FN, DType::Float8E5M2,
                                       DType::Int64,   DType::Int32,   DType::Int16,    DType::Int8,         DType::Bool};
const std::vector<std::size_t> kSizes{0, 1, 3, 15, 16, 17, 255, 256, 257, 4097, 1'000'007};

std::vector<DType> comparedDtypes()
{
    auto dtypes = kRandomDtypes;
    dtypes.push_back(DType::Float4E2M1);
    return dtypes;
}

void addDtypesAndSizes(const std::vector<DType>& dtypes)
{
    QTest::addColumn<int>("dtypeNumber");
    QTest::addColumn<std::size_t>("elements");
    for (const DType dtype : dtypes) {
        for (const std::size_t elements : kSizes) {
            QTest::addRow("%s %zu", std::string(toString(dtype)).c_str(), elements) << static_cast<int>(dtype) << elements;
        }
    }
}

std::size_t bytesOf(DType dtype, std::size_t elements)
{
    return static_cast<std::size_t>(byteSize(dtype, elements));
}

std::vector<std::byte> cpuContents(DType dtype, std::size_t elements, const ContentKey& key)
{
    std::vector<std::byte> data(bytesOf(dtype, elements));
    return fillRandomCpu(data, dtype, elements, key) ? data : std::vector<std::byte>{};
}

std::vector<std::byte> noise(std::size_t bytes, unsigned seed)
{
    std::vector<std::byte> data(bytes);
    std::mt19937 words(seed);
    for (std::byte& byte : data) byte = static_cast<std::byte>(words() & 0xFFU);
    return data;
}

/// Index of the first byte that differs, -1 when all are equal.
std::ptrdiff_t firstDifference(const std::vector<std::byte>& one, const std::vector<std::byte>& two)
{
    if (one.size() != two.size()) return static_cast<std::ptrdiff_t>(std::min(one.size(), two.size()));
    const auto found = std::mismatch(one.begin(), one.end(), two.begin()).first;
    return found == one.end() ? -1 : found - one.begin();
}

bool same(double one, double two)
{
    return one == two || (std::isnan(one) && std::isnan(two));
}

/// What differs between two comparisons, empty when nothing does.
QString differences(const Comparison& gpu, const Comparison& cpu)
{
    QStringList found;
    const auto number = [&](const char* name, double one, double two) {
        if (!same(one, two)) found << QString("%1: gpu %2, cpu %3").arg(name).arg(one, 0, 'g', 17).arg(two, 0, 'g', 17);
    };
    number("maxAbsoluteError", gpu.maxAbsoluteError, cpu.maxAbsoluteError);
    number("maxRelativeError", gpu.maxRelativeError, cpu.maxRelativeError);
    number("matchedRatio", gpu.matchedRatio, cpu.matchedRatio);
    number("infinities", static_cast<double>(gpu.infinities), static_cast<double>(cpu.infinities));
    number("nans", static_cast<double>(gpu.nans), static_cast<double>(cpu.nans));
    number("poisoned", static_cast<double>(gpu.poisoned), static_cast<double>(cpu.poisoned));
    number("expectedNonFinite", static_cast<double>(gpu.expectedNonFinite), static_cast<double>(cpu.expectedNonFinite));
    number("worstElement", static_cast<double>(gpu.worstElement), static_cast<double>(cpu.worstElement));
    return found.join("; ");
}

/// A block of another process: made, imported and written by this one through the driver.
int hostMain(int argc, char** argv)
{
    if (argc != 6) return 3;
    const auto block = std::strtoull(argv[2], nullptr, 10);
    const auto offset = std::strtoull(argv[3], nullptr, 10);
    const auto count = std::strtoull(argv[4], nullptr, 10);
    const auto value = static_cast<int>(std::strtol(argv[5], nullptr, 10));
    const auto driver = cuda::openDriver();
    if (!driver || cudaSetDevice(0) != cudaSuccess || cudaFree(nullptr) != cudaSuccess) return 4;
    cuda::MappedMemory memory;
    if (cuda::MappedMemory::import(**driver, 0, kInherited, block, memory) != CUDA_SUCCESS) return 5;
    if (cudaMemset(reinterpret_cast<void*>(memory.address() + offset), value, count) != cudaSuccess) return 6;
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 7;
}

}  // namespace

class TestCudaDevice : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void namesItself();
    void contentsAreThoseOfTheCpu_data() { addDtypesAndSizes(kRandomDtypes); }
    void contentsAreThoseOfTheCpu();
    void contentsDependOnEveryPartOfTheKey();
    void normalsAreNormal();
    void integersFillTheirRange();
    void resultsDoNotDependOnTheGrid();
    void refusesDtypesWithoutADistribution();
    void uploadsAndSnapshots_data();
    void uploadsAndSnapshots();
    void poisonIsThatOfTheCpu_data() { addDtypesAndSizes(comparedDtypes()); }
    void poisonIsThatOfTheCpu();
    void comparesNoiseAsTheCpu_data() { addDtypesAndSizes(comparedDtypes()); }
    void comparesNoiseAsTheCpu();
    void comparesNearResultsAsTheCpu_data() { addDtypesAndSizes(kRandomDtypes); }
    void comparesNearResultsAsTheCpu();
    void comparesSpecialValuesAsTheCpu();
    void findsPoisonAsTheCpu_data() { addDtypesAndSizes(comparedDtypes()); }
    void findsPoisonAsTheCpu();
    void refusesToCompareMoreThanThereIs();
    void softmaxIsNearThatOfTheCpu_data();
    void softmaxIsNearThatOfTheCpu();
    void findsOneByteThatDiffers();
    void copiesAndRepeats();
    void mapsNormalsNearlyAsTheCpu_data();
    void mapsNormalsNearlyAsTheCpu();
    void checksumsAreThoseOfTheDefinition();
    void redZonesShowWritesOutside_data();
    void redZonesShowWritesOutside();
    void manyRedZonesAreCheckedAtOnce();
    void anotherProcessWritesIntoABlock();
    void takesBlocksThatAHostMade();
    void refusesWhatIsNoBlock_data();
    void refusesWhatIsNoBlock();
    void saysHowMuchMemoryIsMissing();
    void privateMemoryIsReusedOnlyAfterItsOwner();
    void evictionKeepsContents();
    void privateMemoryIsUsedAgain();
    void tellsItsState();
    void bandwidth();

private:
    CudaDevice& gpu() { return static_cast<CudaDevice&>(*m_device); }
    std::unique_ptr<SharedBuffer> shared(const std::vector<std::byte>& data);
    std::unique_ptr<PrivateBuffer> kept(const std::vector<std::byte>& data);
    /// The block of a buffer, mapped a second time as a host does.
    cuda::MappedMemory mappedAgain(const SharedBuffer& buffer);
    QString compareOnBoth(const std::vector<std::byte>& actual, const std::vector<std::byte>& expected, DType dtype, std::size_t elements,
                          std::uint64_t pattern, double atol = 1e-2, double rtol = 1e-2);
    int runHost(const SharedBuffer& buffer, std::size_t offset, std::size_t count, int value);

    std::unique_ptr<Device> m_device;
    const cuda::Driver* m_driver = nullptr;
};

void TestCudaDevice::initTestCase()
{
    const QByteArray name = qEnvironmentVariableIsSet("TRACEDECK_TEST_DEVICE") ? qgetenv("TRACEDECK_TEST_DEVICE") : QByteArray("cuda:0");
    auto device = makeDevice(name.toStdString());
    if (!device) QSKIP(("no CUDA device: " + device.error().toString()).c_str());
    m_device = std::move(*device);
    const auto driver = cuda::openDriver();
    QVERIFY(driver.has_value());
    m_driver = *driver;
}

std::unique_ptr<SharedBuffer> TestCudaDevice::shared(const std::vector<std::byte>& data)
{
    auto buffer = gpu().allocate(data.size());
    if (!buffer) qFatal("%s", buffer.error().toString().c_str());
    if (auto uploaded = gpu().upload(**buffer, data); !uploaded) qFatal("%s", uploaded.error().toString().c_str());
    return std::move(*buffer);
}

std::unique_ptr<PrivateBuffer> TestCudaDevice::kept(const std::vector<std::byte>& data)
{
    auto snapshot = gpu().snapshot(*shared(data), data.size());
    if (!snapshot) qFatal("%s", snapshot.error().toString().c_str());
    return std::move(*snapshot);
}

cuda::MappedMemory TestCudaDevice::mappedAgain(const SharedBuffer& buffer)
{
    cuda::MappedMemory memory;
    int current = 0;
    if (cudaGetDevice(&current) != cudaSuccess) qFatal("no current device");
    const CUresult code = cuda::MappedMemory::import(*m_driver, current, buffer.descriptor(), buffer.blockBytes(), memory);
    if (code != CUDA_SUCCESS) qFatal("%s", m_driver->describe(code).c_str());
    return memory;
}

QString TestCudaDevice::compareOnBoth(const std::vector<std::byte>& actual, const std::vector<std::byte>& expected, DType dtype,
                                      std::size_t elements, std::uint64_t pattern, double atol, double rtol)
{
    const auto right = compareCpu(actual, expected, dtype, elements, atol, rtol, pattern);
    const auto first = gpu().compare(*kept(actual), *kept(expected), dtype, elements, atol, rtol, pattern);
    const auto second = gpu().compare(*kept(actual), *kept(expected), dtype, elements, atol, rtol, pattern);
    if (!first || !second) return "the GPU refuses";
    return differences(*first, right) + differences(*second, *first);
}

int TestCudaDevice::runHost(const SharedBuffer& buffer, std::size_t offset, std::size_t count, int value)
{
    std::vector<std::string> arguments{"/proc/self/exe", kHostArgument, std::to_string(buffer.blockBytes()), std::to_string(offset),
                                       std::to_string(count), std::to_string(value)};
    std::vector<char*> pointers;
    for (std::string& argument : arguments) pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    std::vector<std::string> environment{"CUDA_VISIBLE_DEVICES=" + gpu().visibleName()};
    for (char** variable = environ; *variable != nullptr; ++variable) {
        if (!std::string_view(*variable).starts_with("CUDA_VISIBLE_DEVICES=")) environment.emplace_back(*variable);
    }
    std::vector<char*> variables;
    for (std::string& variable : environment) variables.push_back(variable.data());
    variables.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, buffer.descriptor(), kInherited);
    pid_t child = -1;
    const int spawned = ::posix_spawn(&child, pointers[0], &actions, nullptr, pointers.data(), variables.data());
    ::posix_spawn_file_actions_destroy(&actions);
    if (spawned != 0) return -1;
    int status = -1;
    if (::waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -2;
    return WEXITSTATUS(status);
}

void TestCudaDevice::namesItself()
{
    QVERIFY(gpu().name().starts_with("cuda:"));
    QVERIFY(!gpu().hardware().empty());
    QVERIFY(gpu().isCuda());
    QVERIFY(gpu().visibleName().starts_with("GPU-") || gpu().visibleName().starts_with("MIG-"));
    QVERIFY(!gpu().libs().at("driver").empty());
    qInfo("%s: %s, %s, driver %s", gpu().name().c_str(), gpu().hardware().c_str(), gpu().visibleName().c_str(), gpu().libs().at("driver").c_str());
}

void TestCudaDevice::contentsAreThoseOfTheCpu()
{
    QFETCH(int, dtypeNumber);
    QFETCH(std::size_t, elements);
    const auto dtype = static_cast<DType>(dtypeNumber);
    const ContentKey key{0x0123456789ABCDEFU, 7, 3};
    // More room than contents: what lies behind must stay.
    const auto before = noise(bytesOf(dtype, elements) + 100, 1);
    const auto buffer = shared(before);
    QVERIFY(gpu().fillRandom(*buffer, dtype, elements, key).has_value());
    auto right = cpuContents(dtype, elements, key);
    right.insert(right.end(), before.end() - 100, before.end());
    QCOMPARE(firstDifference(gpu().download(*buffer), right), std::ptrdiff_t{-1});
    QVERIFY(gpu().redZonesIntact(*buffer));
}

void TestCudaDevice::contentsDependOnEveryPartOfTheKey()
{
    constexpr std::size_t kElements = 1000;
    std::set<std::uint64_t> sums;
    const auto buffer = shared(std::vector<std::byte>(kElements * sizeof(float)));
    for (const ContentKey& key : {ContentKey{1, 2, 3}, ContentKey{2, 2, 3}, ContentKey{std::uint64_t{1} << 40 | 1U, 2, 3}, ContentKey{1, 3, 3}, ContentKey{1, 2, 4}}) {
        QVERIFY(gpu().fillRandom(*buffer, DType::Float32, kElements, key).has_value());
        sums.insert(gpu().checksum(*buffer));
    }
    QCOMPARE(sums.size(), std::size_t{5});
}

void TestCudaDevice::normalsAreNormal()
{
    constexpr std::size_t kElements = 4'000'000;
    const auto buffer = shared(std::vector<std::byte>(kElements * sizeof(float)));
    QVERIFY(gpu().fillRandom(*buffer, DType::Float32, kElements, {99, 0, 0}).has_value());
    const auto data = gpu().download(*buffer);
    std::vector<float> values(kElements);
    std::memcpy(values.data(), data.data(), data.size());
    double sum = 0;
    double squares = 0;
    double fourth = 0;
    for (const float value : values) {
        const double square = static_cast<double>(value) * static_cast<double>(value);
        sum += static_cast<double>(value);
        squares += square;
        fourth += square * square;
    }
    // Five standard deviations of each mean: 1/sqrt(n), sqrt(2/n), sqrt(96/n).
    QVERIFY(std::fabs(sum / kElements) < 5 * 0.0005);
    QVERIFY(std::fabs(squares / kElements - 1) < 5 * 0.00071);
    QVERIFY(std::fabs(fourth / kElements - 3) < 5 * 0.0049);
}

void TestCudaDevice::integersFillTheirRange()
{
    constexpr std::size_t kElements = 200'000;
    for (const auto& [dtype, low, high] : {std::tuple{DType::Int8, -128.0F, 127.0F}, std::tuple{DType::Int16, -1024.0F, 1023.0F},
                                           std::tuple{DType::Int32, -1024.0F, 1023.0F}, std::tuple{DType::Int64, -1024.0F, 1023.0F},
                                           std::tuple{DType::Bool, 0.0F, 1.0F}, std::tuple{DType::Float8E4M3FN, -2.0F, 2.0F},
                                           std::tuple{DType::Float8E5M2, -2.0F, 2.0F}}) {
        const auto buffer = shared(std::vector<std::byte>(bytesOf(dtype, kElements)));
        QVERIFY(gpu().fillRandom(*buffer, dtype, kElements, {5, 0, 0}).has_value());
        std::vector<float> values(kElements);
        decodeToFloat(dtype, gpu().download(*buffer), 0, values);
        const auto [smallest, largest] = std::minmax_element(values.begin(), values.end());
        QCOMPARE(*smallest, low);
        QCOMPARE(*largest, high);
    }
}

void TestCudaDevice::resultsDoNotDependOnTheGrid()
{
    constexpr std::size_t kElements = 300'001;
    constexpr std::size_t kBytes = (kElements * sizeof(float) + 15) / 16 * 16;
    constexpr unsigned kMostBlocks = 500;
    std::byte* data = nullptr;
    std::byte* other = nullptr;
    kernels::CompareTotals* totals = nullptr;
    QCOMPARE(cudaMalloc(reinterpret_cast<void**>(&data), kBytes), cudaSuccess);
    QCOMPARE(cudaMalloc(reinterpret_cast<void**>(&other), kBytes), cudaSuccess);
    QCOMPARE(cudaMalloc(reinterpret_cast<void**>(&totals), (kMostBlocks + 1) * sizeof(kernels::CompareTotals)), cudaSuccess);
    QCOMPARE(cudaMemset(data, 0, kBytes), cudaSuccess);
    QCOMPARE(cudaMemset(other, 0, kBytes), cudaSuccess);
    NormalTables* tables = nullptr;
    QCOMPARE(cudaMalloc(reinterpret_cast<void**>(&tables), sizeof(NormalTables)), cudaSuccess);
    QCOMPARE(cudaMemcpy(tables, &normalTables(), sizeof(NormalTables), cudaMemcpyHostToDevice), cudaSuccess);
    std::set<std::vector<std::byte>> contents;
    std::set<std::vector<std::byte>> found;
    std::set<std::vector<std::byte>> softened;
    for (const unsigned blocks : {1U, 3U, 64U, kMostBlocks}) {
        const kernels::Launch launch{nullptr, blocks};
        std::vector<std::byte> copy(kElements * sizeof(float));
        std::vector<std::byte> total(sizeof(kernels::CompareTotals));
        QCOMPARE(kernels::fillRandom(launch, data, DType::Float32, kElements, {11, 12, 13}, tables), cudaSuccess);
        QCOMPARE(kernels::fillRandom(launch, other, DType::Float32, kElements, {11, 12, 14}, tables), cudaSuccess);
        QCOMPARE(cudaMemcpy(copy.data(), data, copy.size(), cudaMemcpyDeviceToHost), cudaSuccess);
        contents.insert(copy);
        QCOMPARE(kernels::compare(launch, data, other, DType::Float32, kElements, 0.5F, 0.5F, 0, totals, totals + kMostBlocks), cudaSuccess);
        QCOMPARE(cudaMemcpy(total.data(), totals + kMostBlocks, total.size(), cudaMemcpyDeviceToHost), cudaSuccess);
        found.insert(total);
        QCOMPARE(kernels::softmaxRows(launch, data, DType::Float32, 100, 3000), cudaSuccess);
        QCOMPARE(cudaMemcpy(copy.data(), data, copy.size(), cudaMemcpyDeviceToHost), cudaSuccess);
        softened.insert(copy);
    }
    QCOMPARE(cudaFree(data), cudaSuccess);
    QCOMPARE(cudaFree(other), cudaSuccess);
    QCOMPARE(cudaFree(tables), cudaSuccess);
    QCOMPARE(cudaFree(totals), cudaSuccess);
    QCOMPARE(contents.size(), std::size_t{1});
    QCOMPARE(found.size(), std::size_t{1});
    QCOMPARE(softened.size(), std::size_t{1});
}

void TestCudaDevice::refusesDtypesWithoutADistribution()
{
    const auto buffer = shared(std::vector<std::byte>(64));
    for (const DType dtype : {DType::Float4E2M1, DType::Float64, DType::Float4E2M1FNx2, DType::Unknown}) {
        const auto filled = gpu().fillRandom(*buffer, dtype, 4, {});
        QVERIFY(!filled.has_value());
        QCOMPARE(filled.error().code, ErrorCode::Unsupported);
    }
    const auto tooMany = gpu().fillRandom(*buffer, DType::Float32, 17, {});
    QVERIFY(!tooMany.has_value());
    QCOMPARE(tooMany.error().code, ErrorCode::InvalidInput);
}

void TestCudaDevice::uploadsAndSnapshots_data()
{
    QTest::addColumn<std::size_t>("bytes");
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{4095}, std::size_t{2'088'960}, std::size_t{2'088'961}, std::size_t{10'000'003}}) {
        QTest::addRow("%zu", bytes) << bytes;
    }
}

void TestCudaDevice::uploadsAndSnapshots()
{
    QFETCH(std::size_t, bytes);
    const auto data = noise(bytes, 3);
    const auto buffer = shared(data);
    QCOMPARE(buffer->bytes(), bytes);
    QVERIFY(buffer->blockBytes() >= bytes + 2 * kRedZoneBytes);
    QCOMPARE(buffer->dataOffset() % 256, std::size_t{0});
    QCOMPARE(firstDifference(gpu().download(*buffer), data), std::ptrdiff_t{-1});
    const auto copy = gpu().snapshot(*buffer, bytes);
    QVERIFY(copy.has_value());
    gpu().poison(*buffer, DType::Float32, 1);
    QCOMPARE(firstDifference(gpu().download(**copy), data), std::ptrdiff_t{-1});
    QVERIFY(!gpu().snapshot(*buffer, bytes + 1).has_value());
    QVERIFY(!gpu().upload(*buffer, noise(bytes + 1, 3)).has_value());
    QVERIFY(gpu().redZonesIntact(*buffer));
}

void TestCudaDevice::poisonIsThatOfTheCpu()
{
    QFETCH(int, dtypeNumber);
    QFETCH(std::size_t, elements);
    const auto dtype = static_cast<DType>(dtypeNumber);
    auto cpu = makeDevice("cpu");
    QVERIFY(cpu.has_value());
    const std::uint64_t pattern = 0x9FEDCBA987654321U;
    const std::size_t bytes = bytesOf(dtype, elements);
    const auto buffer = shared(noise(bytes, 4));
    auto right = (*cpu)->allocate(bytes);
    QVERIFY(right.has_value());
    gpu().poison(*buffer, dtype, pattern);
    (*cpu)->poison(**right, dtype, pattern);
    std::vector<std::byte> contents(bytes);
    QCOMPARE(::pread((*right)->descriptor(), contents.data(), bytes, static_cast<off_t>((*right)->dataOffset())), static_cast<ssize_t>(bytes));
    QCOMPARE(firstDifference(gpu().download(*buffer), contents), std::ptrdiff_t{-1});
    QVERIFY(gpu().redZonesIntact(*buffer));
}

void TestCudaDevice::comparesNoiseAsTheCpu()
{
    QFETCH(int, dtypeNumber);
    QFETCH(std::size_t, elements);
    const auto dtype = static_cast<DType>(dtypeNumber);
    const std::size_t bytes = bytesOf(dtype, elements);
    // Every bit pattern: NaN, infinities, denormals. Half of the expected bytes are those of the result.
    const auto actual = noise(bytes, 5);
    auto expected = noise(bytes, 6);
    for (std::size_t i = 0; i < bytes; ++i) {
        if ((i / 16) % 2 == 0) expected[i] = actual[i];
    }
    QCOMPARE(compareOnBoth(actual, expected, dtype, elements, 0x8000000000001234U), QString());
    QCOMPARE(compareOnBoth(actual, actual, dtype, elements, 0x8000000000001234U), QString());
    QCOMPARE(compareOnBoth(actual, expected, dtype, elements, 0, 1e30, 1e-6), QString());
}

void TestCudaDevice::comparesNearResultsAsTheCpu()
{
    QFETCH(int, dtypeNumber);
    QFETCH(std::size_t, elements);
    const auto dtype = static_cast<DType>(dtypeNumber);
    const auto expected = cpuContents(dtype, elements, {8, 0, 0});
    auto actual = expected;
    // One last place here and there, and three that are far off, two of them by the same error.
    const auto width = static_cast<std::size_t>(bitWidth(dtype) / 8);
    for (std::size_t i = 0; i < elements; i += 3) actual[i * width] ^= std::byte{1};
    for (const std::size_t i : {elements / 3, elements / 2, elements - elements / 7}) {
        if (i < elements) actual[i * width + width - 1] ^= dtype == DType::Bool ? std::byte{1} : std::byte{0x20};
    }
    QCOMPARE(compareOnBoth(actual, expected, dtype, elements, 77), QString());
    QCOMPARE(compareOnBoth(actual, expected, dtype, elements, 77, 1e-9, 1e-9), QString());
}

void TestCudaDevice::comparesSpecialValuesAsTheCpu()
{
    const float infinity = std::numeric_limits<float>::infinity();
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float least = std::numeric_limits<float>::denorm_min();
    const float most = std::numeric_limits<float>::max();
    const std::vector<float> special{0.0F, -0.0F, 1.0F, -1.0F, least, -least, most, -most, infinity, -infinity, nan, -nan, 1e-8F, 1e-38F, 0.01F, 1.01F};
    // Every pair alone, and then all pairs at once.
    std::vector<float> xs;
    std::vector<float> ys;
    const auto bytes = [](const std::vector<float>& values) {
        std::vector<std::byte> data(values.size() * sizeof(float));
        std::memcpy(data.data(), values.data(), data.size());
        return data;
    };
    for (const float x : special) {
        for (const float y : special) {
            const QString difference = compareOnBoth(bytes({x}), bytes({y}), DType::Float32, 1, 0);
            QVERIFY2(difference.isEmpty(), qPrintable(QString("%1 against %2: %3").arg(static_cast<double>(x)).arg(static_cast<double>(y)).arg(difference)));
            xs.push_back(x);
            ys.push_back(y);
        }
    }
    QCOMPARE(compareOnBoth(bytes(xs), bytes(ys), DType::Float32, xs.size(), 0), QString());
}

void TestCudaDevice::findsPoisonAsTheCpu()
{
    QFETCH(int, dtypeNumber);
    QFETCH(std::size_t, elements);
    const auto dtype = static_cast<DType>(dtypeNumber);
    const std::uint64_t pattern = 0xC0FFEE0123456781U;
    const std::size_t bytes = bytesOf(dtype, elements);
    const auto expected = dtype == DType::Float4E2M1 ? std::vector<std::byte>(bytes, std::byte{0x35}) : cpuContents(dtype, elements, {8, 0, 0});
    const auto buffer = shared(std::vector<std::byte>(bytes));
    gpu().poison(*buffer, dtype, pattern);
    const auto untouched = gpu().download(*buffer);
    QCOMPARE(compareOnBoth(untouched, expected, dtype, elements, pattern), QString());
    auto half = untouched;
    std::copy_n(expected.begin(), bytes / 2, half.begin());
    QCOMPARE(compareOnBoth(half, expected, dtype, elements, pattern), QString());
    if (isFloating(dtype) && dtype != DType::Float4E2M1) {
        const auto found = gpu().compare(*kept(untouched), *kept(expected), dtype, elements, 1e-2, 1e-2, pattern);
        QVERIFY(found.has_value());
        QCOMPARE(found->poisoned, static_cast<std::uint64_t>(elements));
        QCOMPARE(found->nans, static_cast<std::uint64_t>(elements));
    }
}

void TestCudaDevice::refusesToCompareMoreThanThereIs()
{
    const auto one = kept(noise(64, 1));
    const auto two = kept(noise(60, 1));
    QVERIFY(!gpu().compare(*one, *two, DType::Float32, 16, 0, 0, 0).has_value());
    QVERIFY(gpu().compare(*one, *two, DType::Float32, 15, 0, 0, 0).has_value());
    QVERIFY(!gpu().compare(*one, *two, DType::Unknown, 1, 0, 0, 0).has_value());
}

void TestCudaDevice::softmaxIsNearThatOfTheCpu_data()
{
    QTest::addColumn<int>("dtypeNumber");
    QTest::addColumn<std::size_t>("rows");
    QTest::addColumn<std::size_t>("columns");
    for (const DType dtype : {DType::Float32, DType::Float16, DType::BFloat16, DType::Float8E4M3FN, DType::Float8E5M2}) {
        for (const auto& [rows, columns] : {std::pair<std::size_t, std::size_t>{1, 1}, {3, 7}, {1, 1000}, {5000, 3}, {4, 128'256}}) {
            QTest::addRow("%s %zu x %zu", std::string(toString(dtype)).c_str(), rows, columns) << static_cast<int>(dtype) << rows << columns;
        }
    }
}

void TestCudaDevice::softmaxIsNearThatOfTheCpu()
{
    QFETCH(int, dtypeNumber);
    QFETCH(std::size_t, rows);
    QFETCH(std::size_t, columns);
    const auto dtype = static_cast<DType>(dtypeNumber);
    auto right = cpuContents(dtype, rows * columns, {21, 0, 0});
    const auto buffer = shared(right);
    softmaxRowsCpu(right, dtype, rows, columns);
    QVERIFY(gpu().softmaxRows(*buffer, dtype, rows, columns).has_value());
    std::vector<float> found(rows * columns);
    std::vector<float> wanted(rows * columns);
    decodeToFloat(dtype, gpu().download(*buffer), 0, found);
    decodeToFloat(dtype, right, 0, wanted);
    // The exponential differs by some units of the last place; a narrow format may then round to its neighbour.
    const float relative = dtype == DType::Float32 ? 1e-6F : dtype == DType::Float16 ? 0x1p-10F : dtype == DType::BFloat16 ? 0x1p-7F : 0.25F;
    const float smallest = dtype == DType::Float16 ? 0x1p-24F : dtype == DType::Float8E4M3FN ? 0x1p-9F : dtype == DType::Float8E5M2 ? 0x1p-16F : 1e-38F;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const bool near = std::fabs(found[i] - wanted[i]) <= std::max(relative * wanted[i], smallest);
        QVERIFY2(near, qPrintable(QString("element %1: %2 instead of %3").arg(i).arg(static_cast<double>(found[i])).arg(static_cast<double>(wanted[i]))));
    }
    QVERIFY(gpu().redZonesIntact(*buffer));
}

void TestCudaDevice::copiesAndRepeats()
{
    const auto data = noise(100'003, 5);
    const auto from = shared(data);
    auto to = gpu().allocate(data.size());
    auto many = gpu().allocate(data.size() * 7);
    auto odd = gpu().allocate(data.size() * 7 - 1);
    QVERIFY(from && to && many && odd);
    QVERIFY(gpu().copy(**to, *from).has_value());
    QCOMPARE(firstDifference(gpu().download(**to), data), std::ptrdiff_t{-1});
    QVERIFY(!gpu().copy(**many, *from));
    QVERIFY(gpu().repeat(**many, *from).has_value());
    std::vector<std::byte> right;
    for (int i = 0; i < 7; ++i) right.insert(right.end(), data.begin(), data.end());
    QCOMPARE(firstDifference(gpu().download(**many), right), std::ptrdiff_t{-1});
    QVERIFY(!gpu().repeat(**odd, *from));
    const auto other = kept(noise(data.size(), 6));
    QVERIFY(gpu().copy(**to, *other).has_value());
    QCOMPARE(firstDifference(gpu().download(**to), noise(data.size(), 6)), std::ptrdiff_t{-1});
    QVERIFY(gpu().download(**to, 100).size() == 100 && gpu().download(*other, 10).size() == 10);
    QVERIFY(gpu().redZonesIntact(**to) && gpu().redZonesIntact(**many));
}

void TestCudaDevice::mapsNormalsNearlyAsTheCpu_data()
{
    QTest::addColumn<int>("kind");
    for (int kind = 0; kind <= static_cast<int>(NormalMap::Kind::CausalMask); ++kind) QTest::addRow("kind %d", kind) << kind;
}

void TestCudaDevice::mapsNormalsNearlyAsTheCpu()
{
    QFETCH(int, kind);
    const NormalMap map{static_cast<NormalMap::Kind>(kind), -0.5F, 2.0F, 37};
    constexpr std::size_t kCount = 37 * 37 * 73;
    for (const DType dtype : {DType::Float32, DType::Float16, DType::BFloat16}) {
        const ContentKey key{1, 2, 3};
        auto right = cpuContents(dtype, kCount, key);
        const auto buffer = shared(right);
        QVERIFY(mapNormalsCpu(right, dtype, kCount, map).has_value());
        QVERIFY(gpu().mapNormals(*buffer, dtype, kCount, map).has_value());
        const auto made = gpu().download(*buffer);
        std::vector<float> one(kCount);
        std::vector<float> other(kCount);
        decodeToFloat(dtype, right, 0, one);
        decodeToFloat(dtype, made, 0, other);
        // The functions of both sides differ in the last places; a narrow format may round to the neighbour.
        const float slack = dtype == DType::Float32 ? 1e-6F : dtype == DType::Float16 ? 2e-3F : 1.6e-2F;
        for (std::size_t i = 0; i < kCount; ++i) QVERIFY2(std::fabs(one[i] - other[i]) <= slack * std::max(1.0F, std::fabs(one[i])), QByteArray::number(static_cast<qulonglong>(i)));
    }
    QVERIFY(!gpu().mapNormals(*shared(noise(64, 1)), DType::Int32, 16, map));
}

void TestCudaDevice::findsOneByteThatDiffers()
{
    for (const std::size_t bytes : {std::size_t{1}, std::size_t{15}, std::size_t{16}, std::size_t{17}, std::size_t{3'000'001}}) {
        const auto data = noise(bytes, 9);
        QVERIFY(gpu().equalContents(*shared(data), *shared(data)));
        QVERIFY(gpu().equalContents(*kept(data), *kept(data)));
        for (const std::size_t place : {std::size_t{0}, bytes / 2, bytes - 1}) {
            auto other = data;
            other[place] ^= std::byte{0x10};
            QVERIFY(!gpu().equalContents(*shared(data), *shared(other)));
            QVERIFY(!gpu().equalContents(*kept(data), *kept(other)));
        }
        QVERIFY(!gpu().equalContents(*shared(data), *shared(noise(bytes + 1, 9))));
    }
    QVERIFY(gpu().equalContents(*shared({}), *shared({})));
}

void TestCudaDevice::checksumsAreThoseOfTheDefinition()
{
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{8}, std::size_t{9}, std::size_t{16}, std::size_t{1'000'003}}) {
        auto data = noise(bytes, 10);
        std::uint64_t right = kernels::mixWord(bytes, std::numeric_limits<std::uint64_t>::max());
        for (std::size_t begin = 0; begin < bytes; begin += 8) {
            std::uint64_t word = 0;
            std::memcpy(&word, data.data() + begin, std::min<std::size_t>(8, bytes - begin));
            right += kernels::mixWord(word, begin / 8);
        }
        QCOMPARE(gpu().checksum(*shared(data)), right);
        QCOMPARE(gpu().checksum(*kept(data)), right);
        if (bytes > 0) {
            data.back() ^= std::byte{1};
            QVERIFY(gpu().checksum(*shared(data)) != right);
        }
    }
}

void TestCudaDevice::redZonesShowWritesOutside_data()
{
    QTest::addColumn<std::size_t>("bytes");
    QTest::addColumn<QString>("place");
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{100}, std::size_t{4096}, std::size_t{2'088'960}, std::size_t{5'000'001}}) {
        for (const char* place : {"first of the block", "before the data", "behind the data", "middle of the end", "last of the block"}) {
            QTest::addRow("%zu, %s", bytes, place) << bytes << place;
        }
    }
}

void TestCudaDevice::redZonesShowWritesOutside()
{
    QFETCH(std::size_t, bytes);
    QFETCH(QString, place);
    const auto buffer = shared(noise(bytes, 11));
    QVERIFY(gpu().redZonesIntact(*buffer));
    const std::size_t end = buffer->dataOffset() + bytes;
    const std::size_t last = buffer->blockBytes() - 1;
    const std::size_t offset = place == "first of the block" ? 0
                               : place == "before the data"  ? buffer->dataOffset() - 1
                               : place == "behind the data"  ? end
                               : place == "middle of the end" ? (end + last) / 2
                                                              : last;
    const cuda::MappedMemory block = mappedAgain(*buffer);
    auto* byte = reinterpret_cast<void*>(block.address() + offset);
    unsigned char value = 0;
    QCOMPARE(cudaMemcpy(&value, byte, 1, cudaMemcpyDeviceToHost), cudaSuccess);
    QCOMPARE(cudaMemset(byte, value ^ 1, 1), cudaSuccess);
    QCOMPARE(cudaDeviceSynchronize(), cudaSuccess);
    QVERIFY(!gpu().redZonesIntact(*buffer));
    QCOMPARE(cudaMemset(byte, value, 1), cudaSuccess);
    QCOMPARE(cudaDeviceSynchronize(), cudaSuccess);
    QVERIFY(gpu().redZonesIntact(*buffer));
}

void TestCudaDevice::manyRedZonesAreCheckedAtOnce()
{
    std::vector<std::unique_ptr<SharedBuffer>> owned;
    std::vector<SharedBuffer*> buffers;
    for (std::size_t i = 0; i < kernels::kRedZoneBatch + 5; ++i) {
        owned.push_back(shared(noise(i * 100, static_cast<unsigned>(i))));
        buffers.push_back(owned.back().get());
    }
    const auto brokenOf = [this](std::span<SharedBuffer* const> looked) {
        gpu().beginRedZoneCheck(looked);
        gpu().synchronise();
        return gpu().brokenRedZone();
    };
    QCOMPARE(brokenOf({}), -1);
    QCOMPARE(brokenOf(buffers), -1);
    for (const std::size_t broken : {buffers.size() - 1, kernels::kRedZoneBatch, kernels::kRedZoneBatch - 1, std::size_t{2}}) {
        const cuda::MappedMemory block = mappedAgain(*buffers[broken]);
        unsigned char value = 0;
        QCOMPARE(cudaMemcpy(&value, reinterpret_cast<void*>(block.address()), 1, cudaMemcpyDeviceToHost), cudaSuccess);
        QCOMPARE(cudaMemset(reinterpret_cast<void*>(block.address()), value ^ 0xFF, 1), cudaSuccess);
        QCOMPARE(cudaDeviceSynchronize(), cudaSuccess);
        QCOMPARE(brokenOf(buffers), static_cast<int>(broken));
    }
}

void TestCudaDevice::anotherProcessWritesIntoABlock()
{
    const auto buffer = shared(std::vector<std::byte>(10'000));
    QCOMPARE(runHost(*buffer, buffer->dataOffset(), buffer->bytes(), 0x5A), 0);
    QCOMPARE(firstDifference(gpu().download(*buffer), std::vector<std::byte>(10'000, std::byte{0x5A})), std::ptrdiff_t{-1});
    QVERIFY(gpu().redZonesIntact(*buffer));
    // 64 bytes, so that none of the zone's random bytes hides the write.
    QCOMPARE(runHost(*buffer, buffer->dataOffset() + buffer->bytes(), 64, 0x5A), 0);
    QVERIFY(!gpu().redZonesIntact(*buffer));
}

void TestCudaDevice::takesBlocksThatAHostMade()
{
    int current = 0;
    QCOMPARE(cudaGetDevice(&current), cudaSuccess);
    std::size_t granularity = 0;
    const CUmemAllocationProp properties = cuda::sharedMemoryProperties(current);
    QCOMPARE(m_driver->cuMemGetAllocationGranularity(&granularity, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM), CUDA_SUCCESS);
    const auto data = noise(2 * granularity, 12);
    const auto exported = [&](std::size_t blockBytes, cuda::MappedMemory& block) {
        int number = -1;
        if (cuda::MappedMemory::create(*m_driver, current, blockBytes, block) == CUDA_SUCCESS &&
            cudaMemcpy(reinterpret_cast<void*>(block.address()), data.data(), blockBytes, cudaMemcpyHostToDevice) == cudaSuccess) {
            static_cast<void>(block.exportDescriptor(number));
        }
        return FileDescriptor(number);
    };
    // Blocks are as long as their tensor needs, in whole units: the driver maps none in part.
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{1000}, granularity, granularity + 1, 2 * granularity}) {
        cuda::MappedMemory block;
        const FileDescriptor descriptor = exported(bytes > granularity ? 2 * granularity : granularity, block);
        QVERIFY(descriptor.isOpen());
        const auto copy = gpu().snapshotOfDescriptor(descriptor.get(), bytes);
        QVERIFY2(copy.has_value(), copy ? "" : copy.error().toString().c_str());
        const std::vector<std::byte> right(data.begin(), data.begin() + static_cast<std::ptrdiff_t>(bytes));
        QCOMPARE(firstDifference(gpu().download(**copy), right), std::ptrdiff_t{-1});
    }
    cuda::MappedMemory block;
    const FileDescriptor descriptor = exported(2 * granularity, block);
    for (const std::size_t bytes : {std::size_t{1}, 2 * granularity + 1, 3 * granularity, 100 * granularity}) {
        const auto copy = gpu().snapshotOfDescriptor(descriptor.get(), bytes);
        QVERIFY2(!copy.has_value(), "a block of another size was taken");
        QCOMPARE(copy.error().code, ErrorCode::InvalidInput);
    }
    // The device is as good as before.
    QVERIFY(gpu().equalContents(*shared(data), *shared(data)));
}

void TestCudaDevice::refusesWhatIsNoBlock_data()
{
    QTest::addColumn<QString>("kind");
    for (const char* kind : {"memfd", "pipe", "socket", "null", "closed", "folder"}) QTest::newRow(kind) << kind;
}

void TestCudaDevice::refusesWhatIsNoBlock()
{
    QFETCH(QString, kind);
    FileDescriptor one;
    FileDescriptor two;
    int ends[2] = {-1, -1};
    if (kind == "memfd") {
        one.reset(::memfd_create("test", MFD_CLOEXEC));
        QCOMPARE(::ftruncate(one.get(), 1 << 22), 0);
    } else if (kind == "pipe") {
        QCOMPARE(::pipe(ends), 0);
    } else if (kind == "socket") {
        QCOMPARE(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    } else if (kind == "null") {
        one.reset(::open("/dev/null", O_RDWR | O_CLOEXEC));
    } else if (kind == "folder") {
        one.reset(::open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    }
    if (ends[0] >= 0) {
        one.reset(ends[0]);
        two.reset(ends[1]);
    }
    const auto copy = gpu().snapshotOfDescriptor(one.get(), 1000);
    QVERIFY(!copy.has_value());
    QCOMPARE(copy.error().code, ErrorCode::InvalidInput);
    QVERIFY(gpu().redZonesIntact(*shared(noise(10, 1))));
}

void TestCudaDevice::saysHowMuchMemoryIsMissing()
{
    std::size_t free = 0;
    std::size_t total = 0;
    QCOMPARE(cudaMemGetInfo(&free, &total), cudaSuccess);
    const auto buffer = gpu().allocate(total + (std::size_t{1} << 30));
    QVERIFY(!buffer.has_value());
    const QString reason = QString::fromStdString(buffer.error().reason);
    QVERIFY2(reason.contains("out of memory") && reason.contains("bytes needed") && reason.contains("bytes free"), qPrintable(reason));
    QVERIFY(!gpu().allocate(std::numeric_limits<std::size_t>::max() - 100).has_value());
    // The device goes on.
    QVERIFY(gpu().redZonesIntact(*shared(noise(1000, 1))));
}

void TestCudaDevice::privateMemoryIsReusedOnlyAfterItsOwner()
{
    const auto first = noise(100'000, 13);
    const auto second = noise(100'000, 14);
    auto one = kept(first);
    auto two = kept(second);
    QCOMPARE(firstDifference(gpu().download(*one), first), std::ptrdiff_t{-1});
    one.reset();
    auto three = kept(second);
    QVERIFY(gpu().equalContents(*two, *three));
    QCOMPARE(firstDifference(gpu().download(*two), second), std::ptrdiff_t{-1});
}

void TestCudaDevice::evictionKeepsContents()
{
    const auto data = noise(1'000'000, 15);
    const auto buffer = shared(data);
    gpu().evictCaches({buffer.get()});
    gpu().evictCaches({});
    gpu().synchronise();
    QCOMPARE(firstDifference(gpu().download(*buffer), data), std::ptrdiff_t{-1});
    QVERIFY(gpu().redZonesIntact(*buffer));
}

void TestCudaDevice::privateMemoryIsUsedAgain()
{
    // What lay there before must not show, whatever the sizes.
    const auto buffer = gpu().allocate(100'003);
    QVERIFY(buffer.has_value());
    for (const std::size_t bytes : {100'003U, 99'001U, 1U, 17U, 65'536U, 100'003U}) {
        gpu().poison(**buffer, DType::Int8, 0x5A5A5A5A5A5A5A5AU);
        const auto copy = gpu().snapshot(**buffer, bytes);
        const auto zeros = gpu().zeros(bytes);
        QVERIFY(copy.has_value() && zeros.has_value());
        QCOMPARE((*copy)->bytes(), bytes);
        QCOMPARE(gpu().download(**zeros, bytes), std::vector<std::byte>(bytes));
        QVERIFY(gpu().download(**copy, bytes) == gpu().download(**buffer, bytes));
        const auto compared = gpu().compare(**copy, **zeros, DType::Int8, bytes, 1e-2, 1e-2, 1);
        QVERIFY(compared.has_value());
        QCOMPARE(compared->matchedRatio, 0.0);
    }
    gpu().releaseUnused();
    const auto after = gpu().zeros(4096);
    QVERIFY(after.has_value());
    QCOMPARE(gpu().download(**after, 4096), std::vector<std::byte>(4096));
}

void TestCudaDevice::tellsItsState()
{
    const auto list = listGpus();
    QVERIFY(list.has_value());
    QVERIFY(!list->gpus.empty());
    const auto state = gpu().state();
    QVERIFY(state.has_value());
    const auto text = [](std::optional<unsigned> value) { return value ? std::to_string(*value) : std::string("unknown"); };
    qInfo("SM %s of %s MHz, memory %s of %s MHz, %s degrees", text(state->smClockMhz).c_str(), text(state->maxSmClockMhz).c_str(),
          text(state->memoryClockMhz).c_str(), text(state->maxMemoryClockMhz).c_str(), text(state->temperatureCelsius).c_str());
    if (state->smClockMhz && state->maxSmClockMhz) QVERIFY(*state->smClockMhz <= *state->maxSmClockMhz + 100);
    if (state->temperatureCelsius) QVERIFY(*state->temperatureCelsius < 150);
    if (state->powerWatts) QVERIFY(*state->powerWatts > 0 && *state->powerWatts < 5000);
}

void TestCudaDevice::bandwidth()
{
    if (qEnvironmentVariableIsEmpty("TRACEDECK_BANDWIDTH")) QSKIP("set TRACEDECK_BANDWIDTH=1 to measure the kernels");
    constexpr std::size_t kBytes = std::size_t{1} << 30;
    constexpr int kRounds = 20;
    const auto one = gpu().allocate(kBytes);
    QVERIFY(one.has_value());
    const auto secondsOf = [&](const auto& work) {
        work();
        gpu().synchronise();
        std::vector<double> seconds;
        for (int round = 0; round < kRounds; ++round) {
            const auto begin = std::chrono::steady_clock::now();
            work();
            gpu().synchronise();
            seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
        }
        std::sort(seconds.begin(), seconds.end());
        return seconds[seconds.size() / 2];
    };
    void* copy = nullptr;
    QCOMPARE(cudaMalloc(&copy, kBytes), cudaSuccess);
    const cuda::MappedMemory block = mappedAgain(**one);
    const auto* source = reinterpret_cast<const void*>(block.address() + (*one)->dataOffset());
    const double copied = 2.0 * kBytes / secondsOf([&] { QCOMPARE(cudaMemcpyAsync(copy, source, kBytes, cudaMemcpyDeviceToDevice), cudaSuccess); QCOMPARE(cudaDeviceSynchronize(), cudaSuccess); }) / 1e9;
    QCOMPARE(cudaFree(copy), cudaSuccess);
    QVERIFY(copied > 0);
    std::printf("%-16s %8.0f GB/s (read and written)\n", "copy", copied);
    const double patterned = kBytes / secondsOf([&] { gpu().poison(**one, DType::Float32, 1); }) / 1e9;
    std::printf("%-16s %8.0f GB/s, %3.0f %% of copy\n", "poison", patterned, 100 * patterned / copied);
    for (const DType dtype : kRandomDtypes) {
        const std::uint64_t elements = kBytes * 8 / static_cast<std::size_t>(bitWidth(dtype));
        std::uint32_t call = 0;
        const double filled = kBytes / secondsOf([&] { QVERIFY(gpu().fillRandom(**one, dtype, elements, {1, ++call, 0}).has_value()); }) / 1e9;
        // An output that is right but for one element in a thousand, and one that is wrong throughout.
        QVERIFY(gpu().fillRandom(**one, dtype, elements, {1, 0, 1}).has_value());
        const auto expected = gpu().snapshot(**one, kBytes);
        QVERIFY(gpu().fillRandom(**one, dtype, elements / 1000, {1, 0, 2}).has_value());
        const auto right = gpu().snapshot(**one, kBytes);
        QVERIFY(gpu().fillRandom(**one, dtype, elements, {1, 0, 3}).has_value());
        const auto wrong = gpu().snapshot(**one, kBytes);
        QVERIFY(right.has_value() && wrong.has_value() && expected.has_value());
        const auto comparedTo = [&](const PrivateBuffer& actual) {
            return 2.0 * kBytes / secondsOf([&] { QVERIFY(gpu().compare(actual, **expected, dtype, elements, 1e-2, 1e-2, 0).has_value()); }) / 1e9;
        };
        const double comparedRight = comparedTo(**right);
        const double comparedWrong = comparedTo(**wrong);
        std::printf("%-16s fill %6.0f GB/s, %3.0f %% of copy    compare %6.0f GB/s, %3.0f %% (all wrong %3.0f %%)\n", std::string(toString(dtype)).c_str(),
                    filled, 100 * filled / copied, comparedRight, 100 * comparedRight / copied, 100 * comparedWrong / copied);
    }
    const double swept = secondsOf([&] { gpu().evictCaches({}); });
    const double zones = secondsOf([&] { QVERIFY(gpu().redZonesIntact(**one)); });
    const double reset = secondsOf([&] { QCOMPARE(cudaCtxResetPersistingL2Cache(), cudaSuccess); });
    std::printf("resetting persisting lines %.1f us\n", reset * 1e6);
    std::printf("evicting the cache %.1f us, checking red zones %.1f us\n", swept * 1e6, zones * 1e6);
    std::fflush(stdout);
}

int main(int argc, char** argv)
{
    if (argc > 1 && std::strcmp(argv[1], kHostArgument) == 0) return hostMain(argc, argv);
    QCoreApplication application(argc, argv);
    TestCudaDevice test;
    return QTest::qExec(&test, argc, argv);
}

#else

class TestCudaDevice : public QObject {
    Q_OBJECT

private slots:
    void thereIsNoCuda() { QSKIP("this build has no CUDA support"); }
};

QTEST_GUILESS_MAIN(TestCudaDevice)

#endif

#include "test_cuda_device.moc"
