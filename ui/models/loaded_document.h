// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QString>
#include <memory>
#include <string>

#include "core/io/safetensors.h"
#include "core/report/document_check.h"

namespace tracedeck::ui {

/// A file or text as the viewer shows it.
struct LoadedDocument {
    QString failure;                                       ///< not empty: it cannot be shown, and why
    std::shared_ptr<const SafetensorsFile> tensors;        ///< null: it is text
    std::shared_ptr<const std::string> text;
    bool isLines = false;                                  ///< the name of the file says that it has a record a line
    /// Short and ordinary enough for the source view with its highlighting; else the view for large texts shows it.
    bool suitsCodeView = false;


    Q_DECLARE_TR_FUNCTIONS(tracedeck::ui::LoadedDocument)
};

/// Reads a file, whatever it is. Not for the GUI thread.
[[nodiscard]] LoadedDocument loadDocument(const QString& path);
/// A text that is no file.
[[nodiscard]] LoadedDocument loadText(std::shared_ptr<const std::string> text);
/// "Definition gemm_n4096", "12 workloads, a record a line", …
[[nodiscard]] QString kindText(const DocumentCheck& check);

/// 12,345 bytes, 1.2 KiB, 3.4 MiB, …
[[nodiscard]] QString bytesText(std::uint64_t bytes);

}  // namespace tracedeck::ui
