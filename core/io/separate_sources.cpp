// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/separate_sources.h"

#include "core/io/contained_path.h"
#include "core/io/read_file.h"
#include "core/model/text.h"

namespace tracedeck {

namespace {

/// Nothing near this size is source text.
constexpr std::uint64_t kMaximumSourceBytes = std::uint64_t{64} << 20U;

}  // namespace

Result<void> readSeparateSources(Solution& solution, const std::filesystem::path& folder)
{
    std::uint64_t bytesLeft = kMaximumSourceBytes;
    for (std::size_t i = 0; i < solution.sources.size(); ++i) {
        SourceFile& source = solution.sources[i];
        if (!source.isSeparateFile) continue;
        const auto fail = [&](ErrorCode code, const std::string& reason) {
            return Error{code, "the source '" + source.path + "', which has no content here, " + reason, {}, 0,
                         "sources." + std::to_string(i) + ".path"};
        };
        const auto path = resolveContained(folder, source.path);
        if (!path) return fail(path.error().code, path.error().reason);
        auto content = readWholeFile(*path, bytesLeft);
        if (!content) return fail(content.error().code, "cannot be read beside the solution: " + content.error().reason);
        if (content->find('\0') != std::string::npos || toValidUtf8(*content) != *content) {
            return fail(ErrorCode::InvalidInput, "is not UTF-8 text");
        }
        bytesLeft -= content->size();
        source.content = std::move(*content);
    }
    return {};
}

}  // namespace tracedeck
