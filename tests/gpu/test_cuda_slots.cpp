// SPDX-License-Identifier: GPL-3.0-or-later
// Buffers in slots of one block, and words that are hidden until a call, on a real GPU. Skipped where there is none.
// TRACEDECK_TEST_DEVICE chooses another GPU than cuda:0.
#include <QtTest>

#include "core/judge/device.h"

#if TRACEDECK_HAS_CUDA

#include <cuda_runtime_api.h>

#include <cstring>

#include "core/judge/cpu/random_fill.h"
#include "core/judge/cuda/cuda_device.h"
#include "core/judge/cuda/driver.h"
#include "core/judge/number_formats.h"

using namespace tracedeck;
using namespace tracedeck::judge;

namespace {

constexpr std::size_t kCount = 7;
constexpr std::size_t kElements = 5001;
constexpr std::size_t kNumberBytes = sizeof(float);

std::vector<SharedBuffer*> pointersTo(const std::vector<std::unique_ptr<SharedBuffer>>& buffers)
{
    std::vector<SharedBuffer*> pointers;
    for (const auto& buffer : buffers) pointers.push_back(buffer.get());
    return pointers;
}

std::uint32_t wordAt(const std::vector<std::byte>& data, std::size_t word)
{
    std::uint32_t value = 0;
    std::memcpy(&value, data.data() + word * sizeof(value), sizeof(value));
    return value;
}

}  // namespace

class TestCudaSlots : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void cleanupTestCase();
    void oneBlockHoldsAllSlots();
    void contentsAreThoseOfOneCallEach_data();
    void contentsAreThoseOfOneCallEach();
    void poisonDiffersFromSlotToSlot();
    void aStrayWriteIsFoundInItsSlot_data();
    void aStrayWriteIsFoundInItsSlot();
    void hiddenWordsHoldDecoysUntilTheyAreRevealed();
    void aGlimpseTellsWhatChangedLater();
    void smallTensorsHaveManySlotsAndLargeOnesOne();

private:
    [[nodiscard]] CudaDevice& gpu() const { return *m_gpu; }
    [[nodiscard]] std::vector<std::unique_ptr<SharedBuffer>> slotsOf(std::size_t bytes, std::size_t count = kCount) const
    {
        auto made = gpu().allocateSlots(bytes, count);
        if (!made) qFatal("%s", made.error().reason.c_str());
        return std::move(*made);
    }
    std::unique_ptr<CudaDevice> m_gpu;
};

void TestCudaSlots::initTestCase()
{
    const std::string name = qEnvironmentVariable("TRACEDECK_TEST_DEVICE", "cuda:0").toStdString();
    auto made = makeDevice(name);
    if (!made) QSKIP(("no GPU: " + made.error().reason).c_str());
    m_gpu.reset(static_cast<CudaDevice*>(made->release()));
}

void TestCudaSlots::cleanupTestCase()
{
    m_gpu.reset();
}

void TestCudaSlots::oneBlockHoldsAllSlots()
{
    const auto buffers = slotsOf(kElements);
    QCOMPARE(buffers.size(), kCount);
    for (std::size_t i = 0; i < kCount; ++i) {
        QCOMPARE(buffers[i]->descriptor(), buffers[0]->descriptor());
        QCOMPARE(buffers[i]->bytes(), kElements);
        QCOMPARE(buffers[i]->dataOffset() % kRedZoneBytes, std::size_t{0});
        QVERIFY(gpu().redZonesIntact(*buffers[i]));
        // At least a red zone on each side.
        if (i > 0) QVERIFY(buffers[i]->dataOffset() >= buffers[i - 1]->dataOffset() + kElements + 2 * kRedZoneBytes);
    }
    QVERIFY(buffers.back()->dataOffset() + kElements + kRedZoneBytes <= buffers.back()->blockBytes());
}

void TestCudaSlots::contentsAreThoseOfOneCallEach_data()
{
    QTest::addColumn<int>("dtypeNumber");
    for (const DType dtype : {DType::Float32, DType::Float16, DType::BFloat16, DType::Float8E4M3FN, DType::Float8E5M2, DType::Int64, DType::Int32,
                              DType::Int16, DType::Int8, DType::Bool}) {
        QTest::addRow("%s", std::string(toString(dtype)).c_str()) << static_cast<int>(dtype);
    }
}

void TestCudaSlots::contentsAreThoseOfOneCallEach()
{
    QFETCH(int, dtypeNumber);
    const auto dtype = static_cast<DType>(dtypeNumber);
    const auto bytes = static_cast<std::size_t>(byteSize(dtype, kElements));
    const auto buffers = slotsOf(bytes);
    QVERIFY(gpu().fillRandom(pointersTo(buffers), dtype, kElements, {77, 40, 2}).has_value());
    for (std::size_t i = 0; i < kCount; ++i) {
        std::vector<std::byte> right(bytes);
        QVERIFY(fillRandomCpu(right, dtype, kElements, {77, 40 + static_cast<std::uint32_t>(i), 2}).has_value());
        QVERIFY2(gpu().download(*buffers[i]) == right, QByteArray::number(static_cast<int>(i)));
        QVERIFY(gpu().redZonesIntact(*buffers[i]));
    }
}

void TestCudaSlots::poisonDiffersFromSlotToSlot()
{
    const auto buffers = slotsOf(kElements * kNumberBytes);
    std::vector<std::uint64_t> patterns;
    for (std::size_t i = 0; i < kCount; ++i) patterns.push_back(0x1234567 * (i + 1));
    gpu().poison(pointersTo(buffers), DType::Float32, patterns);
    for (std::size_t i = 0; i < kCount; ++i) {
        const auto data = gpu().download(*buffers[i]);
        for (const std::size_t word : {std::size_t{0}, kElements / 2, kElements - 1}) {
            QCOMPARE(wordAt(data, word), static_cast<std::uint32_t>(poisonElement(DType::Float32, patterns[i])));
        }
        QVERIFY(gpu().redZonesIntact(*buffers[i]));
    }
}

void TestCudaSlots::aStrayWriteIsFoundInItsSlot_data()
{
    QTest::addColumn<std::size_t>("slot");
    QTest::addColumn<bool>("isBefore");
    for (const std::size_t slot : {std::size_t{0}, std::size_t{3}, kCount - 1}) {
        QTest::addRow("behind slot %zu", slot) << slot << false;
        QTest::addRow("before slot %zu", slot) << slot << true;
    }
}

void TestCudaSlots::aStrayWriteIsFoundInItsSlot()
{
    QFETCH(std::size_t, slot);
    QFETCH(bool, isBefore);
    const auto buffers = slotsOf(kElements);
    const auto driver = cuda::openDriver();
    QVERIFY(driver.has_value());
    int ordinal = 0;
    QCOMPARE(cudaGetDevice(&ordinal), cudaSuccess);
    cuda::MappedMemory mapped;
    QCOMPARE(cuda::MappedMemory::import(**driver, ordinal, buffers[0]->descriptor(), buffers[0]->blockBytes(), mapped), CUDA_SUCCESS);
    gpu().synchronise();
    const std::size_t at = isBefore ? buffers[slot]->dataOffset() - 1 : buffers[slot]->dataOffset() + kElements;
    auto* place = reinterpret_cast<std::uint8_t*>(mapped.address()) + at;
    std::uint8_t before = 0;
    QCOMPARE(cudaMemcpy(&before, place, 1, cudaMemcpyDeviceToHost), cudaSuccess);
    QCOMPARE(cudaMemset(place, static_cast<std::uint8_t>(~before), 1), cudaSuccess);
    QCOMPARE(cudaDeviceSynchronize(), cudaSuccess);
    gpu().beginRedZoneCheck(pointersTo(buffers));
    gpu().synchronise();
    QCOMPARE(gpu().brokenRedZone(), static_cast<int>(slot));
}

void TestCudaSlots::hiddenWordsHoldDecoysUntilTheyAreRevealed()
{
    const auto buffers = slotsOf(kElements * kNumberBytes, 3);
    QVERIFY(gpu().fillRandom(pointersTo(buffers), DType::Float32, kElements, {5, 0, 0}).has_value());
    std::vector<std::vector<std::byte>> truth;
    for (const auto& buffer : buffers) truth.push_back(gpu().download(*buffer));
    // The last word of a slot lends its value; one hidden word is another's decoy; one is hidden twice.
    const std::vector<HiddenWord> words{{buffers[0].get(), 0, kElements - 1},  {buffers[0].get(), 17, 0}, {buffers[1].get(), 5, 6},
                                        {buffers[1].get(), 5, 6}, {buffers[2].get(), kElements - 1, 3}, {buffers[2].get(), 4, 4}};
    gpu().hideWords(words);
    gpu().synchronise();
    auto hidden = gpu().download(*buffers[0]);
    QCOMPARE(wordAt(hidden, 0), wordAt(truth[0], kElements - 1));
    QCOMPARE(wordAt(hidden, 17), wordAt(truth[0], 0));
    QCOMPARE(wordAt(gpu().download(*buffers[1]), 5), wordAt(truth[1], 6));
    QCOMPARE(wordAt(gpu().download(*buffers[2]), kElements - 1), wordAt(truth[2], 3));
    for (std::size_t slot = 0; slot < 3; ++slot) {
        gpu().revealWords(slot, 2);
        for (std::size_t i = 0; i < 3; ++i) {
            // Only the present call sees its contents: nothing can be done ahead, and nothing put off. (Slot 2's second word is its own decoy.)
            QCOMPARE(gpu().download(*buffers[i]) == truth[i], i == slot);
        }
    }
    gpu().hideWords({});
    gpu().revealWords(0, 0);
    QVERIFY(gpu().download(*buffers[2]) == truth[2]);
}

void TestCudaSlots::aGlimpseTellsWhatChangedLater()
{
    for (const std::size_t bytes : {std::size_t{4}, std::size_t{1500}, std::size_t{5001}, std::size_t{64} << 20U}) {
        const auto buffers = slotsOf(bytes, 3);
        const auto pointers = pointersTo(buffers);
        const auto fill = [&](std::size_t slot, std::byte value) { QVERIFY(gpu().upload(*pointers[slot], std::vector<std::byte>(bytes, value))); };
        for (std::size_t slot = 0; slot < 3; ++slot) fill(slot, std::byte{7});
        gpu().synchronise();
        for (std::size_t slot = 0; slot < 3; ++slot) gpu().glimpse(std::span(&pointers[slot], 1));
        QCOMPARE(gpu().changedSinceGlimpse(), std::vector<bool>({false, false, false}));
        QVERIFY(gpu().changedSinceGlimpse().empty());
        for (std::size_t slot = 0; slot < 3; ++slot) gpu().glimpse(std::span(&pointers[slot], 1));
        fill(1, std::byte{8});
        QCOMPARE(gpu().changedSinceGlimpse(), std::vector<bool>({false, true, false}));
    }
}

void TestCudaSlots::smallTensorsHaveManySlotsAndLargeOnesOne()
{
    QVERIFY(gpu().slotsFor(1000) > 10);
    QCOMPARE(gpu().slotsFor(std::uint64_t{1} << 40), std::size_t{1});
    QVERIFY(gpu().slotsFor(0) > 10);
    QVERIFY(gpu().evictBytes() >= (std::size_t{1} << 20));
}

QTEST_GUILESS_MAIN(TestCudaSlots)
#include "test_cuda_slots.moc"

#else

class TestCudaSlots : public QObject {
    Q_OBJECT
private slots:
    void isLeftOut() { QSKIP("built without CUDA"); }
};
QTEST_GUILESS_MAIN(TestCudaSlots)
#include "test_cuda_slots.moc"

#endif
