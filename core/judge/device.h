// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/judge/normal_map.h"
#include "core/model/dtype.h"
#include "core/model/result.h"
#include "core/run/gpu_list.h"
#include "core/score/work_estimate.h"

namespace tracedeck::judge {

/// Bytes of poison on each side of every shared buffer.
inline constexpr std::size_t kRedZoneBytes = 4096;

/// One buffer shared with a host: red zone · data · red zone. Holds nothing but this tensor.
class SharedBuffer {
public:
    virtual ~SharedBuffer() = default;
    [[nodiscard]] virtual std::size_t bytes() const = 0;
    /// Bytes of the whole block that the descriptor stands for, red zones included.
    [[nodiscard]] virtual std::size_t blockBytes() const = 0;
    /// Descriptor to pass to a host (memfd on the CPU). Owned by the buffer.
    [[nodiscard]] virtual int descriptor() const = 0;
    /// Where in the block the data begins.
    [[nodiscard]] virtual std::size_t dataOffset() const { return kRedZoneBytes; }
};

/// Contents in the judge's own memory on the device: expected outputs and snapshots. No host ever maps it.
class PrivateBuffer {
public:
    virtual ~PrivateBuffer() = default;
    [[nodiscard]] virtual std::size_t bytes() const = 0;
};

/// Position of one tensor's random contents: same key, same contents.
struct ContentKey {
    std::uint64_t seed = 0;        ///< run seed mixed with the workload's uuid
    std::uint32_t call = 0;
    std::uint32_t tensor = 0;
};

/// Result of comparing one output with its expected contents (benchmark §4.3).
struct Comparison {
    double maxAbsoluteError = 0;            ///< NaN when one element's error is NaN
    double maxRelativeError = 0;
    double matchedRatio = 1;
    std::uint64_t infinities = 0;           ///< ±Inf among the solution's elements
    std::uint64_t nans = 0;                 ///< NaN among them, poison included
    std::uint64_t poisoned = 0;             ///< elements that beyond doubt still hold the poison
    std::uint64_t expectedNonFinite = 0;    ///< ±Inf and NaN among the expected elements
    std::uint64_t worstElement = 0;         ///< first element with the largest absolute error, NaN being larger than all; 0 when all are equal
};

/// A 32-bit word of a shared buffer's data that holds another value until right before a call (the canaries of trusted judging
/// §3.6): another word of the same buffer lends it.
struct HiddenWord {
    SharedBuffer* buffer = nullptr;
    std::uint64_t word = 0;
    std::uint64_t decoy = 0;
};

/// The device itself failed: nothing that the judge does with it from now on can be trusted, so it ends the judge.
class DeviceFailure : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// What the judge needs from a device. Operations that return nothing may run later, but in order; whatever returns a value has
/// waited for all of them. All belong to the thread that made the device. On a GPU any of them may throw DeviceFailure.
class Device {
public:
    virtual ~Device() = default;
    [[nodiscard]] virtual std::string name() const = 0;       ///< cpu, cuda:0
    [[nodiscard]] virtual std::string hardware() const = 0;   ///< CPU model or CUDA device name
    /// True when buffers are on a GPU, whose hosts need the switch-in step and measure by CUPTI.
    [[nodiscard]] virtual bool isCuda() const { return false; }
    /// How a host process names this device (CUDA_VISIBLE_DEVICES), empty on the CPU.
    [[nodiscard]] virtual std::string visibleName() const { return {}; }
    /// Versions for `environment.libs`, for example `driver`.
    [[nodiscard]] virtual std::map<std::string, std::string> libs() const { return {}; }
    /// Clocks, temperature, power and throttling now, and nothing else. std::nullopt where nothing tells them.
    [[nodiscard]] virtual std::optional<GpuState> state() const { return std::nullopt; }
    /// What its memory and processors can do at most. std::nullopt where nothing says.
    [[nodiscard]] virtual std::optional<DevicePeaks> peaks() const { return std::nullopt; }
    /// Waits until everything asked for so far has happened.
    virtual void synchronise() {}
    /// Gives back memory that is kept for later and could serve a host.
    virtual void releaseUnused() {}
    /// A block with intact red zones and undefined data.
    virtual Result<std::unique_ptr<SharedBuffer>> allocate(std::size_t bytes) = 0;
    /// `count` buffers of `bytes` each in one block, so that they have one descriptor; each with red zones of its own. Error Unsupported
    /// for another count than 1 on the CPU.
    virtual Result<std::vector<std::unique_ptr<SharedBuffer>>> allocateSlots(std::size_t bytes, std::size_t count)
    {
        std::vector<std::unique_ptr<SharedBuffer>> buffers;
        auto buffer = count == 1 ? allocate(bytes) : Result<std::unique_ptr<SharedBuffer>>(Error{ErrorCode::Unsupported, "one slot only", {}, 0, {}});
        if (!buffer) {
            return buffer.error();
        }
        buffers.push_back(std::move(*buffer));
        return buffers;
    }
    /// How many calls' worth of buffers, of `bytesOfCall` together, a series should have: 1 where calls are prepared one by one.
    [[nodiscard]] virtual std::size_t slotsFor(std::uint64_t bytesOfCall) const
    {
        static_cast<void>(bytesOfCall);
        return 1;
    }
    /// What a host must write to push everything out of the GPU's caches; 0 where hosts never do that.
    [[nodiscard]] virtual std::size_t evictBytes() const { return 0; }
    /// Puts decoys in the place of words, in order with other work. Forgets those that were hidden before.
    virtual void hideWords(std::span<const HiddenWord>) {}
    /// Of the words hidden last, `count` for each call: writes back what those of `call` truly held, hides those of the call before it
    /// again, and waits. Contexts of other processes stay on the GPU meanwhile. The device must have been synchronised since the words
    /// were hidden.
    virtual void revealWords(std::size_t call, std::size_t count)
    {
        static_cast<void>(call);
        static_cast<void>(count);
    }
    /// Begins to copy parts of what these outputs of one call hold this moment. Unlike everything else it waits for nothing, so that work
    /// which the host has not finished goes on (trusted judging §3.6).
    virtual void glimpse(std::span<SharedBuffer* const>) {}
    /// For each glimpse since the last call of this, in their order: whether anything of it has changed since. The buffers must hold
    /// the outputs of that call still.
    virtual std::vector<bool> changedSinceGlimpse() { return {}; }
    /// Fills the data with the format's random distribution for the dtype (benchmark §1.2). This, upload() and poison() give the
    /// red zones new contents, too.
    virtual Result<void> fillRandom(SharedBuffer& buffer, DType dtype, std::uint64_t elements, const ContentKey& key) = 0;
    /// The same for several buffers of one kind; each further one has the next `call`.
    virtual Result<void> fillRandom(std::span<SharedBuffer* const> buffers, DType dtype, std::uint64_t elements, ContentKey key)
    {
        for (SharedBuffer* buffer : buffers) {
            if (auto filled = fillRandom(*buffer, dtype, elements, key); !filled) {
                return filled;
            }
            ++key.call;
        }
        return {};
    }
    /// Softmax over the last axis in place (the `probs` input of sampling definitions).
    virtual Result<void> softmaxRows(SharedBuffer& buffer, DType dtype, std::uint64_t rows, std::uint64_t columns) = 0;
    virtual Result<void> upload(SharedBuffer& buffer, std::span<const std::byte> data) = 0;
    /// Private copy of what a shared buffer holds now.
    virtual Result<std::unique_ptr<PrivateBuffer>> snapshot(const SharedBuffer& buffer, std::size_t bytes) = 0;
    /// Private contents of zeros.
    virtual Result<std::unique_ptr<PrivateBuffer>> zeros(std::size_t bytes) = 0;
    /// Private copy of the first `bytes` of a block that a host sent (a memfd on the CPU, which is read, never mapped; an exported
    /// allocation on a GPU). Its real size is checked.
    virtual Result<std::unique_ptr<PrivateBuffer>> snapshotOfDescriptor(int descriptor, std::size_t bytes) = 0;
    [[nodiscard]] virtual bool equalContents(const SharedBuffer& one, const SharedBuffer& two) const = 0;
    [[nodiscard]] virtual bool equalContents(const PrivateBuffer& one, const PrivateBuffer& two) const = 0;
    /// Writes the poison of this call into the data: a NaN with a random payload, or a random pattern.
    virtual void poison(SharedBuffer& buffer, DType dtype, std::uint64_t pattern) = 0;
    /// The same for several buffers of one kind, a pattern for each.
    virtual void poison(std::span<SharedBuffer* const> buffers, DType dtype, std::span<const std::uint64_t> patterns)
    {
        for (std::size_t i = 0; i < buffers.size(); ++i) {
            poison(*buffers[i], dtype, patterns[i]);
        }
    }
    /// True when both red zones are untouched.
    [[nodiscard]] virtual bool redZonesIntact(const SharedBuffer& buffer) const = 0;
    /// Starts looking at the red zones of many buffers; brokenRedZone() tells what was found once synchronise() has returned.
    virtual void beginRedZoneCheck(std::span<SharedBuffer* const> buffers)
    {
        m_brokenRedZone = -1;
        for (std::size_t i = 0; i < buffers.size() && m_brokenRedZone < 0; ++i) {
            m_brokenRedZone = redZonesIntact(*buffers[i]) ? -1 : static_cast<int>(i);
        }
    }
    /// Index of the first buffer with a broken red zone, -1 when all are intact.
    [[nodiscard]] virtual int brokenRedZone() const { return m_brokenRedZone; }
    virtual Result<Comparison> compare(const PrivateBuffer& actual, const PrivateBuffer& expected, DType dtype, std::uint64_t elements,
                                       double atol, double rtol, std::uint64_t poisonPattern) = 0;
    /// The first `bytes` of what a buffer holds, in this process's own memory: for checks that no kernel does.
    [[nodiscard]] virtual std::vector<std::byte> download(const SharedBuffer& buffer, std::size_t bytes) const = 0;
    [[nodiscard]] virtual std::vector<std::byte> download(const PrivateBuffer& buffer, std::size_t bytes) const = 0;
    /// Copies the data of a buffer of the same size. Error InvalidInput when the sizes differ.
    virtual Result<void> copy(SharedBuffer& to, const SharedBuffer& from) = 0;
    virtual Result<void> copy(SharedBuffer& to, const PrivateBuffer& from) = 0;
    /// Fills `to` with the data of `from`, again and again. Error InvalidInput when it does not fit a whole number of times.
    virtual Result<void> repeat(SharedBuffer& to, const SharedBuffer& from) = 0;
    /// Turns standard normals, as fillRandom() left them, into other values in place. Error Unsupported for dtypes that are no
    /// float of 16 or 32 bits.
    virtual Result<void> mapNormals(SharedBuffer& buffer, DType dtype, std::uint64_t elements, const NormalMap& map)
    {
        std::vector<std::byte> data = download(buffer, buffer.bytes());
        auto mapped = mapNormalsCpu(data, dtype, elements, map);
        return mapped ? upload(buffer, data) : mapped;
    }
    /// Puts the caches into the cold state that every timed call starts from.
    virtual void evictCaches(const std::vector<SharedBuffer*>& buffers) = 0;

private:
    int m_brokenRedZone = -1;
};

/// `cpu`, or `cuda:N` with the number that nvidia-smi shows. Error Unsupported for devices that this build cannot drive, NotFound for
/// GPUs that are not there or that CUDA_VISIBLE_DEVICES hides.
[[nodiscard]] Result<std::unique_ptr<Device>> makeDevice(const std::string& name);

}  // namespace tracedeck::judge
