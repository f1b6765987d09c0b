// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/kernel_store.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <optional>
#include <vector>

#include "core/build/build_support.h"
#include "core/io/file_descriptor.h"
#include "core/io/json_codec.h"
#include "core/io/temporary_file.h"

namespace tracedeck::judge {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostEntriesOfCache = 1024;
constexpr std::size_t kMostFiles = 64;
constexpr std::size_t kMostFileBytes = std::size_t{32} << 20;
constexpr std::size_t kMostBytesAtOnce = std::size_t{128} << 20;
constexpr std::size_t kMostNameBytes = 200;

/// Names that mean nothing to a file system but themselves.
bool isPlainName(std::string_view name)
{
    return !name.empty() && name.size() <= kMostNameBytes && name.front() != '.' && std::ranges::all_of(name, [](char character) {
        return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') || (character >= '0' && character <= '9') ||
               character == '.' || character == '_' || character == '-' || character == '=';
    });
}

/// Plain names in a folder; std::nullopt when there are more than `most`, or it can't be read.
std::optional<std::vector<std::string>> plainNames(int folder, std::size_t most)
{
    DIR* listing = ::fdopendir(::fcntl(folder, F_DUPFD_CLOEXEC, 0));
    if (listing == nullptr) {
        return std::nullopt;
    }
    std::vector<std::string> names;
    while (const dirent* entry = ::readdir(listing)) {
        if (isPlainName(entry->d_name) && names.size() <= most) {
            names.emplace_back(entry->d_name);
        }
    }
    ::closedir(listing);
    return names.size() > most ? std::nullopt : std::optional(std::move(names));
}

std::optional<std::string> readWhole(int folder, const std::string& name)
{
    // A pipe would block, and a link could lead anywhere.
    const FileDescriptor file(::openat(folder, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    struct stat status{};
    if (!file.isOpen() || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode) || status.st_size < 0 ||
        static_cast<std::size_t>(status.st_size) > kMostFileBytes) {
        return std::nullopt;
    }
    std::string contents(static_cast<std::size_t>(status.st_size), '\0');
    std::size_t done = 0;
    while (done < contents.size()) {
        const ssize_t count = ::read(file.get(), contents.data() + done, contents.size() - done);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0) {
            return std::nullopt;   // it shrinks while it is read
        }
        done += static_cast<std::size_t>(count);
    }
    return contents;
}

bool writeWhole(const fs::path& path, const std::string& contents)
{
    const FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    return file.isOpen() && writeAll(file, path, contents);
}

/// Copies one entry to a folder beside its place and gives it its name. False when it is left out.
bool copyEntry(int cache, const std::string& name, const fs::path& folder, std::size_t& bytesLeft)
{
    const FileDescriptor entry(::openat(cache, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    const auto names = entry.isOpen() ? plainNames(entry.get(), kMostFiles) : std::nullopt;
    if (!names || names->empty()) {
        return false;
    }
    const building::PrivateFolder made(folder);
    Json sums = Json::object();
    for (const std::string& file : *names) {
        const auto contents = readWhole(entry.get(), file);
        if (!contents || contents->size() > bytesLeft || file == kKernelSumsName || !writeWhole(made.path() / file, *contents)) {
            return false;
        }
        bytesLeft -= contents->size();
        sums[file] = building::sha256Hex(*contents);
    }
    return writeWhole(made.path() / kKernelSumsName, Json{{"files", std::move(sums)}}.dump()) &&
           ::rename(made.path().c_str(), (folder / name).c_str()) == 0;
}

}  // namespace

fs::path KernelStore::folderOf(const Solution& solution) const
{
    if (m_root.empty()) {
        return {};
    }
    const Json whole = encodeSolution(solution);
    const Json key = {{"definition", solution.definition}, {"spec", whole.value("spec", Json())}, {"sources", whole.value("sources", Json())}};
    const std::string name = building::sha256Hex(key.dump(-1, ' ', false, Json::error_handler_t::replace));
    return m_root / name.substr(0, 2) / name;
}

void KernelStore::add(const fs::path& cache, const fs::path& folder) const
{
    const FileDescriptor source(::open(cache.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    const auto names = source.isOpen() ? plainNames(source.get(), kMostEntriesOfCache) : std::nullopt;
    if (folder.empty() || !names) {
        return;
    }
    std::error_code failure;
    std::size_t bytesLeft = kMostBytesAtOnce;
    try {
        const FileDescriptor target(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        const auto kept = target.isOpen() ? plainNames(target.get(), kMostKernelEntries) : std::vector<std::string>{};
        std::size_t room = kept ? kMostKernelEntries - kept->size() : 0;
        if (room > 0 && target.isOpen()) {
            building::removeAbandonedFolders(folder);
        }
        for (const std::string& name : *names) {
            if (room > 0 && !fs::exists(folder / name, failure) && !failure) {
                --room;
                static_cast<void>(copyEntry(source.get(), name, folder, bytesLeft));   // left out, then: it is compiled again
            }
        }
    } catch (const building::Failure&) {
        // The folder can't be made: nothing is kept.
    }
}

}  // namespace tracedeck::judge
