// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/merge_staging.h"

#include <fcntl.h>
#include <openssl/sha.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <random>
#include <system_error>
#include <vector>

#include "core/io/file_descriptor.h"
#include "core/io/line_window.h"
#include "core/io/read_file.h"
#include "core/io/temporary_file.h"
#include "core/model/text.h"

namespace tracedeck {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kGatheredBytes = std::size_t{8} << 20U;
constexpr std::size_t kCopyBytes = std::size_t{1} << 20U;
/// Lines that one pass over a file compares; the table has twice as many slots of 16 bytes.
constexpr std::uint64_t kLinesPerPass = std::uint64_t{1} << 18U;

Result<void> makeParents(const fs::path& path)
{
    std::error_code code;
    fs::create_directories(path.parent_path(), code);
    if (code) return systemError(path.parent_path(), "the folder cannot be made", code.value());
    return {};
}

Result<FileDescriptor> openForWriting(const fs::path& path, int flags)
{
    if (auto made = makeParents(path); !made) return made.error();
    FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | flags, 0666));
    if (!file.isOpen()) return systemError(path, "the file cannot be made");
    return file;
}

using LineDigest = std::array<std::uint64_t, 2>;

/// Half of a SHA-256: nobody can make a line pass for another one.
LineDigest digestOf(std::string_view line)
{
    std::array<unsigned char, SHA256_DIGEST_LENGTH> bytes{};
    ::SHA256(reinterpret_cast<const unsigned char*>(line.data()), line.size(), bytes.data());
    LineDigest digest{};
    std::memcpy(digest.data(), bytes.data(), sizeof digest);
    if (digest == LineDigest{}) digest[0] = 1;   // zero marks a free slot
    return digest;
}

/// A set of a fixed size, twice as many as it may hold.
class DigestSet {
public:
    explicit DigestSet(std::uint64_t digests) : m_slots(static_cast<std::size_t>(2 * digests + 2)) {}
    void clear() { std::fill(m_slots.begin(), m_slots.end(), LineDigest{}); }
    /// False when it was there.
    bool insert(const LineDigest& digest)
    {
        std::size_t slot = static_cast<std::size_t>(digest[0] % m_slots.size());
        while (m_slots[slot] != LineDigest{}) {
            if (m_slots[slot] == digest) return false;
            slot = (slot + 1) % m_slots.size();
        }
        m_slots[slot] = digest;
        return true;
    }

private:
    std::vector<LineDigest> m_slots;
};

/// Calls back with each line and its number from 0.
template <class OnLine>
Result<void> forEachLine(const fs::path& path, OnLine onLine)
{
    const auto file = openForReading(path);
    if (!file) return file.error();
    LineWindow window(file->descriptor, path, 0);
    for (std::size_t line = 0;; ++line) {
        const auto next = window.next();
        if (!next) return next.error();
        if (!next->has_value()) return {};
        if (auto done = onLine(**next, line); !done) return done;
    }
}

}  // namespace

Result<StagingFolder> StagingFolder::create(const fs::path& target)
{
    std::error_code code;
    // The real place: a link that leads to an empty folder stays a link.
    fs::path real = fs::weakly_canonical(fs::absolute(target / ""), code);
    if (code) return systemError(target, "the folder cannot be examined", code.value());
    if (!real.has_filename()) real = real.parent_path();
    const fs::file_status status = fs::status(real, code);
    if (fs::exists(status)) {
        const bool isFree = fs::is_directory(status) && fs::is_empty(real, code) && !code;
        if (!isFree) {
            return Error{ErrorCode::Usage,
                         "the output must be a new or an empty folder; nothing that exists is changed",
                         toValidUtf8(target.string()),
                         0,
                         {}};
        }
    }
    if (auto made = makeParents(real); !made) return made.error();
    std::random_device random;
    constexpr int kAttempts = 16;
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
        fs::path root = real;
        root.replace_filename("." + real.filename().string() + "." + std::to_string(random()) + ".tmp");
        if (::mkdir(root.c_str(), 0777) == 0) return StagingFolder(std::move(real), std::move(root));
        if (errno != EEXIST) return systemError(real.parent_path(), "no folder can be made here");
    }
    return Error{ErrorCode::Io, "no free name for a temporary folder was found", toValidUtf8(target.string()), 0, {}};
}

StagingFolder::StagingFolder(StagingFolder&& other) noexcept
    : m_target(std::move(other.m_target)), m_root(std::move(other.m_root)), m_pending(std::move(other.m_pending)),
      m_pendingBytes(other.m_pendingBytes)
{
    other.m_root.clear();
}

StagingFolder::~StagingFolder()
{
    std::error_code leftBehind;   // hidden and no part of anything
    if (!m_root.empty()) fs::remove_all(m_root, leftBehind);
}

Result<void> StagingFolder::write(const std::string& path, std::string_view content)
{
    const fs::path full = m_root / path;
    const auto file = openForWriting(full, O_EXCL);
    if (!file) return file.error();
    return writeAll(*file, full, content);
}

Result<void> StagingFolder::appendLine(const std::string& path, std::string_view line)
{
    std::string& pending = m_pending[path];
    pending.append(line).append("\n");
    m_pendingBytes += line.size() + 1;
    return m_pendingBytes < kGatheredBytes ? Result<void>() : flush();
}

Result<void> StagingFolder::copy(const fs::path& source, const std::string& path)
{
    const auto input = openForReading(source);
    if (!input) return input.error();
    const fs::path full = m_root / path;
    const auto output = openForWriting(full, O_EXCL);
    if (!output) return output.error();
    std::vector<char> block(kCopyBytes);
    for (std::uint64_t offset = 0;;) {
        const auto got = readAt(input->descriptor, source, block.data(), block.size(), offset);
        if (!got) return got.error();
        if (auto written = writeAll(*output, full, {block.data(), *got}); !written) return written;
        offset += *got;
        if (*got < block.size()) return {};
    }
}

Result<std::size_t> StagingFolder::removeRepeatedLines(const std::string& path, std::uint64_t lines)
{
    if (auto written = flush(); !written) return written.error();
    const fs::path full = m_root / path;
    // Each pass compares the lines of one share of all digests, so that the table stays small.
    const std::uint64_t passes = (lines + kLinesPerPass - 1) / kLinesPerPass;
    std::vector<bool> isRepeated(static_cast<std::size_t>(lines));
    std::size_t repeated = 0;
    // Shares differ a little in size: the table is never more than two thirds full.
    DigestSet seen(std::min(lines, kLinesPerPass));
    for (std::uint64_t pass = 0; pass < passes; ++pass) {
        if (pass > 0) seen.clear();
        const auto read = forEachLine(full, [&](std::string_view text, std::size_t line) -> Result<void> {
            const LineDigest digest = digestOf(text);
            if (digest[1] % passes == pass && !seen.insert(digest)) {
                isRepeated.at(line) = true;
                ++repeated;
            }
            return {};
        });
        if (!read) return read.error();
    }
    if (repeated == 0) return repeated;
    auto kept = TemporaryFile::create(full);
    if (!kept) return kept.error();
    std::string gathered;
    const auto read = forEachLine(full, [&](std::string_view text, std::size_t line) -> Result<void> {
        if (isRepeated.at(line)) return {};
        gathered.append(text).append("\n");
        if (gathered.size() < kCopyBytes) return {};
        auto written = kept->write(gathered);
        gathered.clear();
        return written;
    });
    if (!read) return read.error();
    if (auto written = kept->write(gathered); !written) return written.error();
    if (auto committed = kept->commit(TemporaryFile::Existing::Replace); !committed) return committed.error();
    return repeated;
}

Result<void> StagingFolder::flush()
{
    for (const auto& [path, text] : m_pending) {
        const fs::path full = m_root / path;
        const auto file = openForWriting(full, O_APPEND);
        if (!file) return file.error();
        if (auto written = writeAll(*file, full, text); !written) return written;
    }
    m_pending.clear();
    m_pendingBytes = 0;
    return {};
}

Result<void> StagingFolder::commit()
{
    if (auto written = flush(); !written) return written;
    {
        const FileDescriptor root(::open(m_root.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        if (!root.isOpen()) return systemError(m_root, "the folder cannot be opened");
        // One trip to the disk for all files.
        if (::syncfs(root.get()) != 0) return systemError(m_root, "the folder cannot be written to disk");
    }
    if (::rename(m_root.c_str(), m_target.c_str()) != 0) {
        if (errno == ENOTEMPTY || errno == EEXIST) {
            return Error{ErrorCode::Conflict,
                         "the output folder was filled meanwhile; nothing in it is changed",
                         toValidUtf8(m_target.string()),
                         0,
                         {}};
        }
        return systemError(m_target, "the folder cannot be given its name");
    }
    m_root.clear();
    return syncFolder(m_target.parent_path());
}

Result<bool> haveSameBytes(const fs::path& a, const fs::path& b)
{
    const auto first = openForReading(a);
    if (!first) return first.error();
    const auto second = openForReading(b);
    if (!second) return second.error();
    if (first->size != second->size) return false;
    std::vector<char> left(kCopyBytes);
    std::vector<char> right(kCopyBytes);
    for (std::uint64_t offset = 0;;) {
        const auto gotLeft = readAt(first->descriptor, a, left.data(), left.size(), offset);
        if (!gotLeft) return gotLeft.error();
        const auto gotRight = readAt(second->descriptor, b, right.data(), right.size(), offset);
        if (!gotRight) return gotRight.error();
        if (*gotLeft != *gotRight || std::memcmp(left.data(), right.data(), *gotLeft) != 0) return false;
        offset += *gotLeft;
        if (*gotLeft < left.size()) return true;
    }
}

}  // namespace tracedeck
