// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/model/result.h"
#include "core/run/run_preview.h"
#include "ui/diagnose/plain_table_model.h"

namespace tracedeck::ui {

/// A planned run as it is shown: made on a thread, since ten thousand pairs are many texts.
struct PlanPreview {
    RunPreview preview;
    std::vector<std::vector<PlainCell>> rows;   ///< by planColumns(); the table takes them
    QString summary;       ///< how many, how long
    QString memory;        ///< a line a device
    bool isTight = false;  ///< something does not fit into a device's memory
    QString problems;      ///< what is left out and why
    Result<std::vector<std::string>> command{Error{}};   ///< the words of the command that does the same
};

[[nodiscard]] std::vector<PlainTableModel::Column> planColumns();
/// Errors as previewRun().
[[nodiscard]] Result<std::shared_ptr<PlanPreview>> planPreview(const RunRequest& request, const std::stop_token& stop);

}  // namespace tracedeck::ui
