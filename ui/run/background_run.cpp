// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/background_run.h"

#include <QProcess>

#include "core/run/runner.h"

namespace tracedeck::ui {

Result<void> continueInBackground(const std::filesystem::path& folder, const std::string& id)
{
    if (id.empty())
        return Error{ErrorCode::NotFound, "the run is not recorded, so nothing can go on with it", {}, 0, {}};
    const auto program = findCommandProgram();
    if (!program)
        return program.error();
    QProcess process;
    process.setProgram(QString::fromStdString(program->string()));
    process.setArguments({QStringLiteral("run"), QStringLiteral("--continue"), QString::fromStdString(id)});
    process.setStandardInputFile(QProcess::nullDevice());
    process.setStandardOutputFile(QProcess::nullDevice());
    process.setStandardErrorFile(QString::fromStdString((folder / (id + ".log")).string()), QIODevice::Append);
    if (!process.startDetached())
        return Error{ErrorCode::ProcessFailed, "the program could not be started: " + process.errorString().toStdString(), program->string(), 0, {}};
    return {};
}

}  // namespace tracedeck::ui
