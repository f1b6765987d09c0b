// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/judge/device.h"

namespace tracedeck::judge {

/// The CPU: sealed memfd blocks, contents made by this process, cache lines flushed between calls.
class CpuDevice : public Device {
public:
    CpuDevice();

    [[nodiscard]] std::string name() const override { return "cpu"; }
    [[nodiscard]] std::string hardware() const override { return m_hardware; }
    Result<std::unique_ptr<SharedBuffer>> allocate(std::size_t bytes) override;
    Result<void> fillRandom(SharedBuffer& buffer, DType dtype, std::uint64_t elements, const ContentKey& key) override;
    Result<void> softmaxRows(SharedBuffer& buffer, DType dtype, std::uint64_t rows, std::uint64_t columns) override;
    Result<void> upload(SharedBuffer& buffer, std::span<const std::byte> data) override;
    Result<std::unique_ptr<PrivateBuffer>> snapshot(const SharedBuffer& buffer, std::size_t bytes) override;
    Result<std::unique_ptr<PrivateBuffer>> zeros(std::size_t bytes) override;
    Result<std::unique_ptr<PrivateBuffer>> snapshotOfDescriptor(int descriptor, std::size_t bytes) override;
    [[nodiscard]] bool equalContents(const SharedBuffer& one, const SharedBuffer& two) const override;
    [[nodiscard]] bool equalContents(const PrivateBuffer& one, const PrivateBuffer& two) const override;
    using Device::fillRandom;
    using Device::poison;
    void poison(SharedBuffer& buffer, DType dtype, std::uint64_t pattern) override;
    [[nodiscard]] bool redZonesIntact(const SharedBuffer& buffer) const override;
    Result<Comparison> compare(const PrivateBuffer& actual, const PrivateBuffer& expected, DType dtype, std::uint64_t elements,
                               double atol, double rtol, std::uint64_t poisonPattern) override;
    [[nodiscard]] std::vector<std::byte> download(const SharedBuffer& buffer, std::size_t bytes) const override;
    [[nodiscard]] std::vector<std::byte> download(const PrivateBuffer& buffer, std::size_t bytes) const override;
    Result<void> copy(SharedBuffer& to, const SharedBuffer& from) override;
    Result<void> copy(SharedBuffer& to, const PrivateBuffer& from) override;
    Result<void> repeat(SharedBuffer& to, const SharedBuffer& from) override;
    Result<void> mapNormals(SharedBuffer& buffer, DType dtype, std::uint64_t elements, const NormalMap& map) override;
    void evictCaches(const std::vector<SharedBuffer*>& buffers) override;
    void hideWords(std::span<const HiddenWord> words) override;
    /// There is one slot only, whose next call writes all of it anew: nothing is hidden again.
    void revealWords(std::size_t call, std::size_t count) override;
    [[nodiscard]] std::optional<DevicePeaks> peaks() const override { return m_peaks; }
    /// The last line of each output and some other one; what is written within kSettleMicroseconds of it is late.
    void glimpse(std::span<SharedBuffer* const> outputs) override;
    std::vector<bool> changedSinceGlimpse() override;

private:
    static constexpr std::size_t kGlimpsedBytes = 64;
    static constexpr int kSettleMicroseconds = 100;
    struct Glimpse {
        const std::byte* place;
        std::size_t bytes;
        std::array<std::byte, kGlimpsedBytes> seen;
        std::size_t call;   ///< which glimpse() it belongs to
    };
    void look(std::span<const std::byte> data, std::size_t at);

    struct Hidden {
        std::byte* place;
        std::uint32_t truth;
    };

    std::vector<Hidden> m_hidden;
    std::optional<DevicePeaks> m_peaks;
    std::vector<Glimpse> m_glimpses;
    std::size_t m_glimpsedCalls = 0;
    std::string m_hardware;
    std::vector<std::byte> m_evictionBuffer;   ///< walked where single lines can't be flushed
};

/// More than this machine's processors can do, whatever their clock: by the widest instructions that /proc/cpuinfo names.
[[nodiscard]] DevicePeaks cpuPeaks(const std::string& flags, unsigned processors);
/// Model name of the processor by /proc/cpuinfo, or the machine type where it names none.
[[nodiscard]] std::string cpuModelName();

}  // namespace tracedeck::judge
