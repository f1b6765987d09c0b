// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/dataset_scanner.h"

#include <algorithm>
#include <array>
#include <system_error>
#include <thread>

#include "core/model/text.h"

namespace tracedeck {

namespace {

namespace fs = std::filesystem;

struct StartFolder {
    const char* name;
    std::string_view suffix;
    std::vector<std::string> ScannedFiles::*files;
};

constexpr std::array<StartFolder, 4> kStartFolders{{{"definitions", ".json", &ScannedFiles::definitions},
                                                    {"solutions", ".json", &ScannedFiles::solutions},
                                                    {"workloads", ".jsonl", &ScannedFiles::workloads},
                                                    {"traces", ".jsonl", &ScannedFiles::traces}}};

struct FolderScan {
    bool exists = false;
    std::vector<std::string> files;
    std::vector<Problem> problems;
};

void addFolderProblem(FolderScan& scan, const fs::path& folder, const std::error_code& code)
{
    scan.problems.push_back(Problem{Severity::Error, Error{ErrorCode::Io, "the folder cannot be read: " + code.message(),
                                                           toValidUtf8(folder.string()), 0, {}}});
}

/// One entry below a start folder: a file to load, a folder to look into, or neither.
void visitEntry(FolderScan& scan, const fs::directory_entry& entry, const std::string& relative, std::string_view suffix,
                std::vector<std::string>& pending)
{
    std::error_code code;
    // The folder itself says what its entries are; only links need a look at what they lead to.
    const bool isLink = entry.is_symlink(code);
    if (isLink ? fs::is_directory(entry.status(code)) : entry.is_directory(code)) {
        if (!isLink) pending.push_back(relative);
        return;
    }
    // Broken links and files that cannot be examined are listed: reading them gives the reason as a problem.
    if (relative.ends_with(suffix)) scan.files.push_back(relative);
}

FolderScan scanFolder(const fs::path& root, const StartFolder& start, const std::stop_token& stop)
{
    FolderScan scan;
    std::error_code code;
    scan.exists = fs::is_directory(root / start.name, code);
    if (!scan.exists) return scan;
    std::vector<std::string> pending{start.name};
    while (!pending.empty() && !stop.stop_requested()) {
        const std::string folder = std::move(pending.back());
        pending.pop_back();
        fs::directory_iterator entries(root / folder, code);
        if (code) {
            addFolderProblem(scan, root / folder, code);
            continue;
        }
        while (entries != fs::directory_iterator()) {
            visitEntry(scan, *entries, folder + "/" + entries->path().filename().string(), start.suffix, pending);
            entries.increment(code);
            if (code) {
                addFolderProblem(scan, root / folder, code);
                break;
            }
        }
    }
    std::sort(scan.files.begin(), scan.files.end(), precedesInLoadOrder);
    return scan;
}

}  // namespace

bool precedesInLoadOrder(std::string_view a, std::string_view b)
{
    // The bytes of UTF-8 sort like its code points; a separator sorts before everything that a name may hold.
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), [](char left, char right) {
        const auto rank = [](char c) { return c == '/' ? 0U : static_cast<unsigned>(static_cast<unsigned char>(c)); };
        return rank(left) < rank(right);
    });
}

Result<ScannedFiles> scanDataset(const fs::path& root, std::stop_token stop)
{
    const auto unreadable = [&root](ErrorCode errorCode, const std::string& reason) {
        return Error{errorCode, reason, toValidUtf8(root.string()), 0, {}};
    };
    std::error_code code;
    const fs::file_status status = fs::status(root, code);
    if (status.type() == fs::file_type::not_found) {
        return unreadable(ErrorCode::NotFound, "there is no such folder; give the path of a dataset folder");
    }
    if (code) return unreadable(ErrorCode::Io, "the folder cannot be examined: " + code.message());
    if (!fs::is_directory(status)) return unreadable(ErrorCode::NotFound, "this is not a folder; give the path of a dataset folder");
    if (fs::directory_iterator(root, code); code) return unreadable(ErrorCode::Io, "the folder cannot be read: " + code.message());

    std::array<FolderScan, kStartFolders.size()> scans;
    {
        std::vector<std::jthread> threads;
        for (std::size_t i = 0; i < kStartFolders.size(); ++i) {
            threads.emplace_back([&, i] {
                try {
                    scans[i] = scanFolder(root, kStartFolders[i], stop);
                } catch (const std::exception& error) {
                    scans[i].problems.push_back(Problem{
                        Severity::Error, Error{ErrorCode::Io, std::string("the folder cannot be read: ") + error.what(),
                                               toValidUtf8((root / kStartFolders[i].name).string()), 0, {}}});
                }
            });
        }
    }
    if (stop.stop_requested()) return unreadable(ErrorCode::Cancelled, "loading was cancelled");
    ScannedFiles files;
    for (std::size_t i = 0; i < kStartFolders.size(); ++i) {
        files.hasDatasetFolder = files.hasDatasetFolder || scans[i].exists;
        files.*kStartFolders[i].files = std::move(scans[i].files);
        std::move(scans[i].problems.begin(), scans[i].problems.end(), std::back_inserter(files.problems));
    }
    return files;
}

}  // namespace tracedeck
