// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/dataset_scanner.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
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

/// An open folder; its entries one after the other.
class OpenFolder {
public:
    explicit OpenFolder(const std::string& path) : m_folder(::opendir(path.c_str())) {}
    [[nodiscard]] bool isOpen() const { return m_folder != nullptr; }
    /// The next entry other than `.` and `..`; null at the end, and when errno says why it cannot be read.
    const dirent* next()
    {
        while (true) {
            errno = 0;
            const dirent* const entry = ::readdir(m_folder.get());
            if (entry == nullptr) return nullptr;
            const std::string_view name(entry->d_name);
            if (name != "." && name != "..") return entry;
        }
    }
    /// What an entry is; a link is a link. A folder itself mostly says what its entries are.
    [[nodiscard]] mode_t typeOf(const dirent& entry) const
    {
        if (entry.d_type != DT_UNKNOWN) return DTTOIF(entry.d_type);
        return look(entry, AT_SYMLINK_NOFOLLOW);
    }
    /// What a link leads to; 0 when it leads nowhere.
    [[nodiscard]] mode_t targetTypeOf(const dirent& entry) const { return look(entry, 0); }

private:
    struct Close {
        void operator()(DIR* folder) const { ::closedir(folder); }
    };

    [[nodiscard]] mode_t look(const dirent& entry, int flags) const
    {
        struct stat status {};
        return ::fstatat(::dirfd(m_folder.get()), entry.d_name, &status, flags) == 0 ? status.st_mode & S_IFMT : 0;
    }

    std::unique_ptr<DIR, Close> m_folder;
};

/// One entry below a start folder: a file to load, a folder to look into, or neither.
void visitEntry(FolderScan& scan, const OpenFolder& folder, const dirent& entry, const std::string& parent, std::string_view suffix,
                std::vector<std::string>& pending)
{
    const bool isLink = S_ISLNK(folder.typeOf(entry));
    const bool isFolder = S_ISDIR(isLink ? folder.targetTypeOf(entry) : folder.typeOf(entry));
    const std::string_view name(entry.d_name);
    // Broken links and files that cannot be examined are listed: reading them gives the reason as a problem.
    if (isFolder ? isLink : !name.ends_with(suffix)) return;
    std::string relative;
    relative.reserve(parent.size() + 1 + name.size());
    relative.append(parent).append(1, '/').append(name);
    (isFolder ? pending : scan.files).push_back(std::move(relative));
}

FolderScan scanFolder(const fs::path& root, const StartFolder& start, const std::stop_token& stop)
{
    FolderScan scan;
    std::error_code code;
    scan.exists = fs::is_directory(root / start.name, code);
    if (!scan.exists) return scan;
    std::vector<std::string> pending{start.name};
    // Paths of the library are taken apart into their names, which takes longer than reading a folder.
    const std::string prefix = (root / "").native();
    while (!pending.empty() && !stop.stop_requested()) {
        const std::string folder = std::move(pending.back());
        pending.pop_back();
        OpenFolder entries(prefix + folder);
        if (!entries.isOpen()) {
            addFolderProblem(scan, root / folder, std::error_code(errno, std::system_category()));
            continue;
        }
        while (const dirent* entry = entries.next()) visitEntry(scan, entries, *entry, folder, start.suffix, pending);
        if (errno != 0) addFolderProblem(scan, root / folder, std::error_code(errno, std::system_category()));
    }
    std::sort(scan.files.begin(), scan.files.end(), precedesInLoadOrder);
    return scan;
}

constexpr int kProblemLevels = 4;
/// Someone may open a home folder by mistake.
constexpr std::size_t kMaximumFoldersVisited = 50'000;

struct ProblemScan {
    std::vector<ProblemFolder> folders;
    std::vector<Problem> problems;
};

bool isFile(const fs::path& path)
{
    std::error_code code;
    const fs::file_status status = fs::status(path, code);
    return fs::exists(status) && !fs::is_directory(status);
}

std::string labelOf(const std::string& folder)
{
    const std::size_t slash = folder.rfind('/');
    std::string label = slash == std::string::npos ? kUngroupedLabel : folder.substr(0, slash);
    std::replace(label.begin(), label.end(), '/', '-');   // a label names a folder of traces, too
    return label;
}

/// Folders with a definition.json; what lies below one belongs to it.
ProblemScan scanProblemFolders(const fs::path& root, const std::stop_token& stop)
{
    ProblemScan scan;
    std::vector<std::pair<std::string, int>> pending{{"", 0}};
    std::size_t visited = 0;
    while (!pending.empty() && !stop.stop_requested()) {
        const auto [folder, level] = std::move(pending.back());
        pending.pop_back();
        if (isFile(root / folder / "definition.json")) {
            ProblemFolder found{folder, labelOf(folder), {}};
            if (isFile(root / folder / "config.json")) found.configFile = found.file("config.json");
            scan.folders.push_back(std::move(found));
            continue;
        }
        if (level == kProblemLevels) continue;
        if (++visited > kMaximumFoldersVisited) {
            scan.problems.push_back(Problem{Severity::Warning, Error{ErrorCode::InvalidInput,
                                                                     "more than " + std::to_string(kMaximumFoldersVisited) +
                                                                         " folders were searched for definition.json; open a folder further down",
                                                                     toValidUtf8(root.string()), 0, {}}});
            break;
        }
        std::error_code code;
        fs::directory_iterator entries(root / folder, code);
        // A folder that cannot be read holds no problem that could be loaded; where it is one of a dataset, that is told.
        for (; !code && entries != fs::directory_iterator(); entries.increment(code)) {
            std::error_code entryCode;
            if (entries->is_symlink(entryCode) || !entries->is_directory(entryCode)) continue;
            const std::string name = entries->path().filename().string();
            pending.emplace_back(folder.empty() ? name : folder + "/" + name, level + 1);
        }
        if (code) {
            scan.problems.push_back(Problem{Severity::Warning, Error{ErrorCode::Io, "the folder cannot be read: " + code.message(),
                                                                     toValidUtf8((root / folder).string()), 0, {}}});
        }
    }
    std::sort(scan.folders.begin(), scan.folders.end(),
              [](const ProblemFolder& a, const ProblemFolder& b) { return precedesInLoadOrder(a.path, b.path); });
    return scan;
}

/// Adds the files of the problem folders to the lists that they belong to.
void addProblemFolders(ScannedFiles& files, ProblemScan scan, const fs::path& root)
{
    if (scan.folders.empty()) return;
    std::move(scan.problems.begin(), scan.problems.end(), std::back_inserter(files.problems));
    files.problemFolders = std::move(scan.folders);
    for (const ProblemFolder& folder : files.problemFolders) {
        files.definitions.push_back(folder.file("definition.json"));
        const auto add = [&](const char* name, std::vector<std::string>& list) {
            if (isFile(root / folder.file(name))) list.push_back(folder.file(name));
        };
        add("solution.json", files.solutions);
        add("workload.jsonl", files.workloads);
        add("traces.json", files.traces);
        add("traces.jsonl", files.traces);
    }
    for (auto* list : {&files.solutions, &files.workloads, &files.traces}) {
        std::sort(list->begin(), list->end(), precedesInLoadOrder);
    }
}

/// The one text on a path that leads to no dataset.
Error notADataset(const fs::path& root, const std::string& what)
{
    return Error{ErrorCode::NotFound,
                 what + "; give the path of a dataset folder. A dataset has definitions/<op_type>/<name>.json, "
                        "solutions/<author>/<op_type>/<definition>/<name>.json, workloads/<op_type>/<definition>.jsonl and "
                        "traces/<author>/<op_type>/<definition>.jsonl (at least one of the four folders, if empty), or folders "
                        "<subset>/<problem> with a definition.json each, as SOL-ExecBench has them",
                 toValidUtf8(root.string()), 0, {}};
}

}  // namespace

const ProblemFolder* ScannedFiles::problemFolderOf(const std::string& file) const
{
    const std::size_t slash = file.rfind('/');
    const std::string folder = slash == std::string::npos ? std::string() : file.substr(0, slash);
    const auto found = std::lower_bound(problemFolders.begin(), problemFolders.end(), folder,
                                        [](const ProblemFolder& a, const std::string& b) { return precedesInLoadOrder(a.path, b); });
    return found == problemFolders.end() || found->path != folder ? nullptr : &*found;
}

bool precedesInLoadOrder(std::string_view a, std::string_view b)
{
    // The bytes of UTF-8 sort like its code points; a separator sorts before everything that a name may hold.
    const auto [left, right] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    if (left == a.end() || right == b.end()) return left == a.end() && right != b.end();
    const auto rank = [](char c) { return c == '/' ? 0U : static_cast<unsigned>(static_cast<unsigned char>(c)); };
    return rank(*left) < rank(*right);
}

Result<ScannedFiles> scanDataset(const fs::path& root, std::stop_token stop)
{
    const auto unreadable = [&root](ErrorCode errorCode, const std::string& reason) {
        return Error{errorCode, reason, toValidUtf8(root.string()), 0, {}};
    };
    std::error_code code;
    const fs::file_status status = fs::status(root, code);
    if (status.type() == fs::file_type::not_found) {
        return notADataset(root, "there is no such folder");
    }
    if (code) return unreadable(ErrorCode::Io, "the folder cannot be examined: " + code.message());
    if (!fs::is_directory(status)) return notADataset(root, "this is not a folder");
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
    if (!scans[0].exists) addProblemFolders(files, scanProblemFolders(root, stop), root);
    if (stop.stop_requested()) return unreadable(ErrorCode::Cancelled, "loading was cancelled");
    if (!files.isDataset()) return notADataset(root, "no dataset is in this folder");
    return files;
}

}  // namespace tracedeck
