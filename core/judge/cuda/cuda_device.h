// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/judge/device.h"

namespace tracedeck::judge {

class CudaMemory;
class CudaDeviceIdentity;

/// One NVIDIA GPU. Shared buffers are exportable allocations of their own; private ones come from cudaMalloc and never share a
/// block with them. All work runs on one stream. Contents and error statistics are those of the cpu device to the bit (softmax:
/// to the last places).
class CudaDevice final : public Device {
public:
    /// `index` as in `cuda:N`. Errors as makeDevice.
    static Result<std::unique_ptr<Device>> create(unsigned index);
    ~CudaDevice() override;

    [[nodiscard]] std::string name() const override;
    [[nodiscard]] std::string hardware() const override;
    [[nodiscard]] bool isCuda() const override { return true; }
    [[nodiscard]] std::string visibleName() const override;
    [[nodiscard]] std::map<std::string, std::string> libs() const override;
    [[nodiscard]] std::optional<GpuState> state() const override;
    [[nodiscard]] std::optional<DevicePeaks> peaks() const override;
    void releaseUnused() override;
    void synchronise() override;
    Result<std::unique_ptr<SharedBuffer>> allocate(std::size_t bytes) override;
    Result<std::vector<std::unique_ptr<SharedBuffer>>> allocateSlots(std::size_t bytes, std::size_t count) override;
    [[nodiscard]] std::size_t slotsFor(std::uint64_t bytesOfCall) const override;
    [[nodiscard]] std::size_t evictBytes() const override;
    void hideWords(std::span<const HiddenWord> words) override;
    void revealWords(std::size_t call, std::size_t count) override;
    void glimpse(std::span<SharedBuffer* const> outputs) override;
    std::vector<bool> changedSinceGlimpse() override;
    Result<void> fillRandom(SharedBuffer& buffer, DType dtype, std::uint64_t elements, const ContentKey& key) override;
    Result<void> fillRandom(std::span<SharedBuffer* const> buffers, DType dtype, std::uint64_t elements, ContentKey key) override;
    Result<void> softmaxRows(SharedBuffer& buffer, DType dtype, std::uint64_t rows, std::uint64_t columns) override;
    Result<void> upload(SharedBuffer& buffer, std::span<const std::byte> data) override;
    Result<std::unique_ptr<PrivateBuffer>> snapshot(const SharedBuffer& buffer, std::size_t bytes) override;
    Result<std::unique_ptr<PrivateBuffer>> zeros(std::size_t bytes) override;
    Result<std::unique_ptr<PrivateBuffer>> snapshotOfDescriptor(int descriptor, std::size_t bytes) override;
    [[nodiscard]] bool equalContents(const SharedBuffer& one, const SharedBuffer& two) const override;
    [[nodiscard]] bool equalContents(const PrivateBuffer& one, const PrivateBuffer& two) const override;
    void poison(SharedBuffer& buffer, DType dtype, std::uint64_t pattern) override;
    void poison(std::span<SharedBuffer* const> buffers, DType dtype, std::span<const std::uint64_t> patterns) override;
    [[nodiscard]] bool redZonesIntact(const SharedBuffer& buffer) const override;
    void beginRedZoneCheck(std::span<SharedBuffer* const> buffers) override;
    [[nodiscard]] int brokenRedZone() const override;
    Result<Comparison> compare(const PrivateBuffer& actual, const PrivateBuffer& expected, DType dtype, std::uint64_t elements,
                               double atol, double rtol, std::uint64_t poisonPattern) override;
    void evictCaches(const std::vector<SharedBuffer*>& buffers) override;
    [[nodiscard]] std::vector<std::byte> download(const SharedBuffer& buffer, std::size_t bytes) const override;
    [[nodiscard]] std::vector<std::byte> download(const PrivateBuffer& buffer, std::size_t bytes) const override;
    Result<void> copy(SharedBuffer& to, const SharedBuffer& from) override;
    Result<void> copy(SharedBuffer& to, const PrivateBuffer& from) override;
    Result<void> repeat(SharedBuffer& to, const SharedBuffer& from) override;
    Result<void> mapNormals(SharedBuffer& buffer, DType dtype, std::uint64_t elements, const NormalMap& map) override;

    /// Contents in host memory.
    [[nodiscard]] std::vector<std::byte> download(const SharedBuffer& buffer) const;
    [[nodiscard]] std::vector<std::byte> download(const PrivateBuffer& buffer) const;
    /// Same contents and size, same number; by kernels::mixWord.
    [[nodiscard]] std::uint64_t checksum(const SharedBuffer& buffer) const;
    [[nodiscard]] std::uint64_t checksum(const PrivateBuffer& buffer) const;

private:
    CudaDevice(std::shared_ptr<CudaMemory> memory, CudaDeviceIdentity identity);

    /// Private memory of `bytes`, readable up to the next multiple of 16.
    Result<std::unique_ptr<PrivateBuffer>> allocatePrivate(std::size_t bytes);

    [[nodiscard]] DevicePeaks findPeaks() const;

    std::shared_ptr<CudaMemory> m_memory;   ///< buffers hold it, too, so that they may outlive the device
    std::unique_ptr<CudaDeviceIdentity> m_identity;
    mutable std::optional<DevicePeaks> m_peaks;   ///< once somebody has asked
};

}  // namespace tracedeck::judge
