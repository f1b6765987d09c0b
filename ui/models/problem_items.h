// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QString>
#include <stop_token>
#include <vector>

#include "core/report/file_ends.h"
#include "core/report/validation_report.h"
#include "core/store/dataset.h"

namespace tracedeck::ui {

/// Something wrong in a dataset, as the problems panel lists it.
struct ProblemItem {
    enum class Level { Error, Warning };
    Level level = Level::Error;
    QString outcome;     ///< what became of it, or which check found it
    QString reason;
    QString field;       ///< dotted; empty when it concerns no single one
    QString file;        ///< relative to the dataset where it lies in it, absolute in joined folders; empty when it concerns no single one
    QString subject;     ///< what it is about when there is no file, for example a definition
    qint64 line = 0;     ///< 1-based; 0: none
    bool isFromCheck = false;
    /// Whether the end of the file can be repaired, and how.
    LineFileEnd end = LineFileEnd::Ended;

    [[nodiscard]] bool isFixable() const { return end == LineFileEnd::LacksLineEnd || end == LineFileEnd::TornRecord; }
    /// "file:line: field: reason".
    [[nodiscard]] QString text() const;

    Q_DECLARE_TR_FUNCTIONS(tracedeck::ui::ProblemItem)
};

/// What loading told, and files that do not end with a line end. Reads the ends of the files: not for the GUI thread.
[[nodiscard]] std::vector<ProblemItem> problemsOfLoading(const Dataset& dataset, const std::stop_token& stop = {});
/// Warnings and errors of a validation. `folder`: what files are told with, when there are several; empty: none.
[[nodiscard]] std::vector<ProblemItem> problemsOfReport(const ValidationReport& report, const std::filesystem::path& folder = {});

}  // namespace tracedeck::ui
