// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>

#include "core/io/file_descriptor.h"
#include "core/model/result.h"

namespace tracedeck::judge {

/// Address space on each side of every mapping of a shared block that no access survives. It costs no memory.
inline constexpr std::size_t kGuardBytes = std::size_t{64} << 20;

/// Memory that is shared with a host: a memfd whose size is sealed, so that no host can pull it from under the judge.
///
/// Each block is a mapping of its own between two guards: code that strays from a buffer by less than the red zone is found by
/// the judge, and by more, up to kGuardBytes, dies by SIGSEGV. Two shared blocks are never neighbours. What strays farther than
/// that lands in memory of the host's own, where nobody can see it and where it harms nobody else, or, against long odds, in
/// another of its shared blocks, all of which the judge rewrites or verifies. The Python guest maps its blocks alike.
class SharedBlock {
public:
    /// At least `bytes` zero bytes, rounded up to whole pages. Error Io.
    static Result<SharedBlock> create(const std::string& name, std::size_t bytes);
    /// Maps a block that came with a message; its real size must be `bytes` at least. Error InvalidInput or Io.
    static Result<SharedBlock> map(FileDescriptor descriptor, std::size_t bytes);
    ~SharedBlock();
    SharedBlock(SharedBlock&& other) noexcept;
    SharedBlock& operator=(SharedBlock&& other) noexcept;

    [[nodiscard]] std::byte* data() const { return m_data; }
    [[nodiscard]] std::size_t bytes() const { return m_bytes; }
    [[nodiscard]] int descriptor() const { return m_descriptor.get(); }

private:
    SharedBlock(FileDescriptor descriptor, std::byte* data, std::size_t bytes);

    FileDescriptor m_descriptor;
    std::byte* m_data = nullptr;
    std::size_t m_bytes = 0;
};

}  // namespace tracedeck::judge
