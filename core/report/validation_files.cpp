// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/validation_files.h"

#include <ctime>
#include <system_error>

#include "core/io/read_file.h"
#include "core/io/temporary_file.h"

namespace tracedeck {

namespace {

Result<void> writeNewFile(const std::filesystem::path& path, const std::string& content)
{
    auto file = TemporaryFile::create(path);
    if (!file) return file.error();
    if (auto written = file->write(content); !written) return written;
    return file->commit(TemporaryFile::Existing::Refuse);
}

}  // namespace

Result<void> writeReportFiles(const std::filesystem::path& folder, const std::string* json, const std::string* text)
{
    std::error_code code;
    std::filesystem::create_directories(folder, code);
    if (code) return systemError(folder, "the folder cannot be made", code.value());
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    ::localtime_r(&now, &local);
    char stamp[32] = {};
    if (std::strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &local) == 0) {
        return Error{ErrorCode::Io, "the local time cannot be told", {}, 0, {}};
    }
    const std::string name = std::string("report-") + stamp;
    if (json != nullptr) {
        if (auto written = writeNewFile(folder / (name + ".json"), *json); !written) return written;
    }
    if (text != nullptr) return writeNewFile(folder / (name + ".txt"), *text);
    return {};
}

}  // namespace tracedeck
