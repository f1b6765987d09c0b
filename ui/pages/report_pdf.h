// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/model/result.h"
#include "core/report/html_report.h"

namespace tracedeck::ui {

/// Lays a report of HtmlForm::Paper out on numbered A4 pages, its pictures as vectors. The file is replaced as a whole or not at all. On any thread; needs the fonts of
/// an application object.
[[nodiscard]] Result<void> writeReportPdf(const HtmlReport& report, const QString& path);

// What the command line, which has no Qt, asks the window's program for.

/// The same of a folder with `report.html` and the pictures that it names.
[[nodiscard]] Result<void> printReportFolder(const QString& folder, const QString& path);
/// A PNG of twice the size beside each SVG file of a folder.
[[nodiscard]] Result<void> rasterizeFolder(const QString& folder);

}  // namespace tracedeck::ui
