// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/build/cuda_toolkit.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fmt/format.h>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

#include "core/build/build_support.h"
#include "core/io/child_process.h"

namespace tracedeck {

namespace {

namespace fs = std::filesystem;

constexpr int kFirstSpecificMajor = 9;   ///< compute capability from which on architectures have a variant `a`
constexpr std::string_view kHowToGetNvcc =
    "Install the CUDA Toolkit (https://developer.nvidia.com/cuda-downloads), put its bin folder into PATH, or set CUDA_HOME to its folder.";

// What the settings name; they can change while builds look.
std::mutex choiceMutex;
fs::path chosenFolder;

Error toolkitError(ErrorCode code, std::string reason)
{
    return Error{.code = code, .reason = std::move(reason), .file = {}, .line = 0, .field = {}};
}

/// The folders that may hold CUDA's libraries, relative to a toolkit, in the order of the format's own builder.
fs::path libraryFolderOf(const fs::path& root)
{
    std::error_code failure;
    for (const char* below : {"targets/x86_64-linux/lib", "targets/sbsa-linux/lib", "lib64", "lib"}) {
        if (fs::exists(root / below / "libcudart.so", failure)) return root / below;
    }
    return {};
}

/// /usr/local/cuda-12.8 and the like, the highest version first.
std::vector<fs::path> versionedToolkits()
{
    std::vector<std::pair<std::pair<int, int>, fs::path>> found;
    std::error_code failure;
    constexpr std::string_view kPrefix = "cuda-";
    for (fs::directory_iterator entry("/usr/local", failure), end; !failure && entry != end; entry.increment(failure)) {
        const std::string name = entry->path().filename().string();
        if (!name.starts_with(kPrefix)) continue;
        std::pair<int, int> version{0, 0};
        const char* last = name.data() + name.size();
        const auto major = std::from_chars(name.data() + kPrefix.size(), last, version.first);
        if (major.ec == std::errc() && major.ptr != last) std::from_chars(major.ptr + 1, last, version.second);
        found.emplace_back(version, entry->path());
    }
    std::sort(found.rbegin(), found.rend());
    std::vector<fs::path> folders;
    for (auto& [version, path] : found) folders.push_back(std::move(path));
    return folders;
}

/// The toolkit at a folder, std::nullopt when nvcc is not there.
std::optional<CudaToolkit> toolkitAt(const fs::path& root, std::string because)
{
    const fs::path nvcc = root / "bin" / "nvcc";
    if (findProgram(nvcc.string()).empty()) return std::nullopt;
    return CudaToolkit{root, nvcc, libraryFolderOf(root), std::move(because)};
}

/// `9.0a` → `90a`; empty when it is none.
std::string architectureName(std::string_view text)
{
    const auto point = text.find('.');
    if (point == 0 || point == std::string_view::npos || point > 2) return {};
    std::string_view minor = text.substr(point + 1);
    std::string suffix;
    if (!minor.empty() && (minor.back() == 'a' || minor.back() == 'f')) {
        suffix = minor.back();
        minor.remove_suffix(1);
    }
    const std::string digits = std::string(text.substr(0, point)) + std::string(minor);
    const auto isDigit = [](char character) { return character >= '0' && character <= '9'; };
    if (minor.size() != 1 || !std::all_of(digits.begin(), digits.end(), isDigit)) return {};
    return digits + suffix;
}

std::string gencode(const std::string& name, std::string_view kind)
{
    return fmt::format("-gencode=arch=compute_{0},code={1}_{0}", name, kind);
}

}  // namespace

void chooseCudaToolkit(const fs::path& folderOrNvcc)
{
    const std::scoped_lock lock(choiceMutex);
    chosenFolder = folderOrNvcc;
    // …/bin/nvcc names the folder above.
    if (folderOrNvcc.filename() == "nvcc") chosenFolder = folderOrNvcc.parent_path().parent_path();
}

fs::path chosenCudaToolkit()
{
    const std::scoped_lock lock(choiceMutex);
    return chosenFolder;
}

Result<CudaToolkit> findCudaToolkit()
{
    if (const fs::path chosen = chosenCudaToolkit(); !chosen.empty()) {
        if (auto toolkit = toolkitAt(chosen, "the setting names it")) return *toolkit;
        return toolkitError(ErrorCode::NotFound, fmt::format("nvcc was not found: {}, which the settings name, has no bin/nvcc. Correct or empty that setting.", chosen.string()));
    }
    for (const char* name : {"CUDA_HOME", "CUDA_PATH"}) {
        const std::string root = building::variable(name);
        if (root.empty()) continue;
        std::error_code failure;
        if (auto toolkit = toolkitAt(fs::absolute(root, failure), fmt::format("{} names it", name))) return *toolkit;
        return toolkitError(ErrorCode::NotFound, fmt::format("nvcc was not found: {}={} has no bin/nvcc. Correct or unset {}.", name, root, name));
    }
    std::vector<fs::path> usual = versionedToolkits();
    usual.insert(usual.begin(), "/usr/local/cuda");
    if (const fs::path nvcc = findProgram("nvcc"); !nvcc.empty()) {
        // Often a link into the toolkit, beside which the libraries are.
        std::error_code failure;
        const fs::path real = fs::canonical(nvcc, failure);
        const fs::path root = (failure ? nvcc : real).parent_path().parent_path();
        CudaToolkit toolkit{root, nvcc, libraryFolderOf(root), "it is in PATH"};
        for (const fs::path& other : usual) {
            if (toolkit.libraryFolder.empty()) toolkit.libraryFolder = libraryFolderOf(other);
        }
        return toolkit;
    }
    for (const fs::path& root : usual) {
        if (auto toolkit = toolkitAt(root, "it is at a usual place")) return *toolkit;
    }
    return toolkitError(ErrorCode::NotFound,
                        fmt::format("nvcc was not found: neither CUDA_HOME nor CUDA_PATH is set, and it is neither in PATH nor in /usr/local/cuda*. {}",
                                    kHowToGetNvcc));
}

Result<std::vector<std::string>> architectureFlags(const char* listVariable, const std::string& computeCapability)
{
    constexpr std::string_view kWithPtx = "+PTX";
    const std::string list = building::variable(listVariable);
    std::string blanks = list;
    std::replace(blanks.begin(), blanks.end(), ';', ' ');
    std::vector<std::string> flags;
    for (const std::string& text : building::splitWords(blanks)) {
        const bool withPtx = text.ends_with(kWithPtx);
        const std::string name = architectureName(withPtx ? text.substr(0, text.size() - kWithPtx.size()) : text);
        if (name.empty()) {
            return toolkitError(ErrorCode::InvalidInput, fmt::format("{}=\"{}\": \"{}\" is no architecture; write them like \"9.0a 10.0a\", or unset it",
                                                                     listVariable, list, text));
        }
        flags.push_back(gencode(name, "sm"));
        if (withPtx) flags.push_back(gencode(name, "compute"));
    }
    if (!flags.empty()) return flags;
    if (computeCapability.empty()) {
        return toolkitError(ErrorCode::Unsupported,
                            fmt::format("it is not known which GPU to compile CUDA code for: there is no CUDA device here. Set {} (such as 9.0a) to "
                                        "build without one.",
                                        listVariable));
    }
    std::string name = architectureName(computeCapability);
    if (name.empty()) return toolkitError(ErrorCode::InvalidInput, fmt::format("\"{}\" is no compute capability", computeCapability));
    int major = 0;
    std::from_chars(computeCapability.data(), computeCapability.data() + computeCapability.size(), major);
    if (major >= kFirstSpecificMajor && std::isdigit(static_cast<unsigned char>(name.back())) != 0) name += 'a';
    return std::vector<std::string>{gencode(name, "sm")};
}

}  // namespace tracedeck
