// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/file_ends.h"

#include <algorithm>

#include "core/io/dataset_scanner.h"
#include "core/io/read_file.h"

namespace tracedeck {

namespace {

/// Number of the last line of a file that does not end with a line end.
Result<std::int64_t> lastLineOf(const std::filesystem::path& path, const std::stop_token& stop)
{
    const auto opened = openForReading(path);
    if (!opened) return opened.error();
    std::string block(std::size_t{1} << 20U, '\0');
    std::int64_t line = 1;
    for (std::uint64_t offset = 0;;) {
        const auto got = readAt(opened->descriptor, path, block.data(), block.size(), offset);
        if (!got) return got.error();
        line += std::count(block.data(), block.data() + *got, '\n');
        offset += *got;
        if (*got < block.size()) return line;
        if (stop.stop_requested()) return Error{ErrorCode::Cancelled, "the search was cancelled", {}, 0, {}};
    }
}

}  // namespace

Result<std::vector<FileEndFault>> findFileEndFaults(const std::filesystem::path& root, const std::stop_token& stop)
{
    const auto files = scanDataset(root, stop);
    if (!files) return files.error();
    std::vector<FileEndFault> faults;
    for (const auto* list : {&files->workloads, &files->traces}) {
        for (const std::string& file : *list) {
            if (stop.stop_requested()) return Error{ErrorCode::Cancelled, "the search was cancelled", {}, 0, {}};
            if (!file.ends_with(".jsonl")) continue;
            const auto end = lineFileEnd(root, file);
            if (!end || *end == LineFileEnd::Ended) continue;
            const auto line = lastLineOf(root / file, stop);
            if (!line) continue;
            faults.push_back({file, *end, *line});
        }
    }
    return faults;
}

}  // namespace tracedeck
