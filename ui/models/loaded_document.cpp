// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/loaded_document.h"

#include <QFileInfo>
#include <QLocale>
#include <algorithm>
#include <array>

#include "core/io/read_file.h"
#include "core/model/text.h"
#include "ui/models/number_format.h"
#include "ui/style/text.h"

namespace tracedeck::ui {
namespace {

constexpr std::uint64_t kMostDocumentBytes = std::uint64_t{256} << 20U;
/// Beyond these the source view, which lays out whole lines and colours all of the text, would be slow.
constexpr std::size_t kMostCodeBytes = std::size_t{1} << 20U;
constexpr std::size_t kLongestCodeLine = 5'000;
constexpr std::size_t kSafetensorsLengthBytes = 8;

/// The length of a header, then its brace; the length's upper bytes are zero in any file of today.
bool beginsLikeSafetensors(const std::string& path)
{
    const auto opened = openForReading(path);
    if (!opened)
        return false;
    std::array<char, kSafetensorsLengthBytes + 1> start{};
    const auto got = readAt(opened->descriptor, path, start.data(), start.size(), 0);
    return got && *got == start.size() && start[kSafetensorsLengthBytes - 1] == '\0' && start[kSafetensorsLengthBytes] == '{';
}

bool suitsCodeView(const std::string& text)
{
    if (text.size() > kMostCodeBytes || text.find('\0') != std::string::npos || toValidUtf8(text) != text)
        return false;
    for (std::size_t start = 0; start < text.size();) {
        const std::size_t end = std::min(text.find('\n', start), text.size());
        if (end - start > kLongestCodeLine)
            return false;
        start = end + 1;
    }
    return true;
}

QString countOf(DocumentKind kind, int count)
{
    switch (kind) {
    case DocumentKind::Definition: return count == 1 ? LoadedDocument::tr("1 definition") : LoadedDocument::tr("%1 definitions").arg(countText(count));
    case DocumentKind::Solution: return count == 1 ? LoadedDocument::tr("1 solution") : LoadedDocument::tr("%1 solutions").arg(countText(count));
    case DocumentKind::Workload: return count == 1 ? LoadedDocument::tr("1 workload") : LoadedDocument::tr("%1 workloads").arg(countText(count));
    case DocumentKind::Trace: return count == 1 ? LoadedDocument::tr("1 trace") : LoadedDocument::tr("%1 traces").arg(countText(count));
    case DocumentKind::HubRecord:
        return count == 1 ? LoadedDocument::tr("1 record of kernels-benchmarks") : LoadedDocument::tr("%1 records of kernels-benchmarks").arg(countText(count));
    case DocumentKind::OtherJson: return count == 1 ? LoadedDocument::tr("1 other JSON value") : LoadedDocument::tr("%1 other JSON values").arg(countText(count));
    case DocumentKind::NoJson: break;
    }
    return count == 1 ? LoadedDocument::tr("1 unreadable record") : LoadedDocument::tr("%1 unreadable records").arg(countText(count));
}

}  // namespace

QString bytesText(std::uint64_t bytes) { return QLocale::c().formattedDataSize(static_cast<qint64>(bytes), 1, QLocale::DataSizeIecFormat); }

QString kindText(const DocumentCheck& check)
{
    const bool isSol = check.dialect == Dialect::SolExecBench;
    const QString name = shortened(visibleText(QString::fromStdString(check.name)), kLongestName);
    if (check.records == 1 && !check.isLines) {
        switch (check.kind) {
        case DocumentKind::Definition: return isSol ? LoadedDocument::tr("Definition %1 of SOL-ExecBench").arg(name) : LoadedDocument::tr("Definition %1").arg(name);
        case DocumentKind::Solution: return isSol ? LoadedDocument::tr("Solution %1 of SOL-ExecBench").arg(name) : LoadedDocument::tr("Solution %1").arg(name);
        case DocumentKind::Workload: return isSol ? LoadedDocument::tr("Workload of SOL-ExecBench") : LoadedDocument::tr("Workload");
        case DocumentKind::Trace: return isSol ? LoadedDocument::tr("Trace of SOL-ExecBench") : LoadedDocument::tr("Trace");
        case DocumentKind::HubRecord: return LoadedDocument::tr("Record of kernels-benchmarks");
        case DocumentKind::OtherJson: return LoadedDocument::tr("JSON of no kind that is known here");
        case DocumentKind::NoJson: break;
        }
    }
    if (check.records == 0 || (check.records == 1 && check.kind == DocumentKind::NoJson))
        return LoadedDocument::tr("Text");
    QStringList parts;
    for (const auto& [kind, count] : check.recordsOfKind)
        parts << countOf(kind, static_cast<int>(count));
    if (isSol)
        parts << LoadedDocument::tr("SOL-ExecBench");
    if (check.isLines)
        parts << LoadedDocument::tr("a record a line");
    return parts.join(QStringLiteral(", "));
}

LoadedDocument loadText(std::shared_ptr<const std::string> text)
{
    LoadedDocument document;
    document.suitsCodeView = suitsCodeView(*text);
    document.text = std::move(text);
    return document;
}

LoadedDocument loadDocument(const QString& path)
{
    const std::string file = path.toStdString();
    const QString suffix = QFileInfo(path).suffix().toLower();
    LoadedDocument document;
    if (suffix == u"safetensors" || beginsLikeSafetensors(file)) {
        auto tensors = SafetensorsFile::open(file);
        if (tensors)
            document.tensors = std::move(*tensors);
        else
            document.failure = QString::fromStdString(tensors.error().toString());
        return document;
    }
    auto text = readWholeFile(file, kMostDocumentBytes);
    if (!text) {
        document.failure = QString::fromStdString(text.error().toString());
        return document;
    }
    document = loadText(std::make_shared<const std::string>(std::move(*text)));
    document.isLines = suffix == u"jsonl" || suffix == u"torn" || suffix == u"ndjson";
    return document;
}

}  // namespace tracedeck::ui
