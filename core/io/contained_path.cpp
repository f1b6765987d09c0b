// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/contained_path.h"

#include <system_error>

#include "core/io/read_file.h"

namespace tracedeck {

namespace {

bool isInside(const std::filesystem::path& folder, const std::filesystem::path& path)
{
    const std::filesystem::path relative = path.lexically_relative(folder);
    return !relative.empty() && *relative.begin() != "..";
}

}  // namespace

Result<std::filesystem::path> resolveContained(const std::filesystem::path& folder, const std::string& path)
{
    const auto refuse = [](const char* reason) { return Error{ErrorCode::InvalidInput, reason, {}, 0, "path"}; };
    if (path.empty()) return refuse("is empty");
    if (path.find('\0') != std::string::npos) return refuse("contains a NUL character");
    // The empty part at the end keeps a folder from being taken for a file when paths are compared.
    const std::filesystem::path base = std::filesystem::absolute(folder / "").lexically_normal();
    const std::filesystem::path joined = (base / path).lexically_normal();
    if (!isInside(base, joined)) return refuse("leads out of the folder");
    std::error_code code;
    const std::filesystem::path realBase = std::filesystem::weakly_canonical(base, code);
    if (code) return systemError(base, "the folder cannot be examined", code.value());
    const std::filesystem::path real = std::filesystem::weakly_canonical(joined, code);
    if (code) return systemError(joined, "the file cannot be examined", code.value());
    if (!isInside(realBase, real)) return refuse("leads out of the folder through a link");
    return joined;
}

}  // namespace tracedeck
