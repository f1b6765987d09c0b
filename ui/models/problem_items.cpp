// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/problem_items.h"

#include <filesystem>
#include <iterator>
#include <map>

#include "core/store/joined_dataset.h"
#include "ui/style/text.h"

namespace tracedeck::ui {
namespace {

QString relativeFile(const Dataset& dataset, const std::string& name)
{
    const std::filesystem::path file(name);
    if (!file.is_absolute())
        return QString::fromStdString(name);
    const std::filesystem::path relative = file.lexically_relative(dataset.root());
    return QString::fromStdString(relative.empty() || *relative.begin() == ".." ? name : relative.generic_string());
}

/// A file below the root as it is shown.
QString placeOf(const std::filesystem::path& folder, const std::string& file)
{
    return QString::fromStdString(folder.empty() || file.empty() ? file : (folder / file).string());
}

ProblemItem::Level levelOf(CheckLevel level) { return level == CheckLevel::Error ? ProblemItem::Level::Error : ProblemItem::Level::Warning; }

}  // namespace

QString ProblemItem::text() const
{
    Error error;
    error.reason = reason.toStdString();
    error.file = (file.isEmpty() ? subject : file).toStdString();
    error.line = line;
    error.field = field.toStdString();
    return QString::fromStdString(error.toString());
}

std::vector<ProblemItem> problemsOfLoading(const Dataset& dataset, const std::stop_token& stop)
{
    std::map<std::pair<QString, qint64>, LineFileEnd> tornLines;
    std::vector<ProblemItem> unended;
    for (const std::filesystem::path& root : rootsOf(dataset)) {
        const auto faults = findFileEndFaults(root, stop);
        for (const FileEndFault& fault : faults ? *faults : std::vector<FileEndFault>()) {
            const QString file = placeOf(dataset.isJoined() ? root : std::filesystem::path(), fault.file);
            if (fault.end == LineFileEnd::TornRecord)
                tornLines[{file, fault.line}] = fault.end;
            else if (fault.end == LineFileEnd::LacksLineEnd)
                unended.push_back({ProblemItem::Level::Warning, ProblemItem::tr("doubtful"),
                                   ProblemItem::tr("the file does not end with a line end: what another program appends would stand on the same line"),
                                   {}, file, {}, fault.line, false, fault.end});
        }
    }
    std::vector<ProblemItem> items;
    items.reserve(dataset.problems().size() + unended.size());
    for (const Problem& problem : dataset.problems()) {
        ProblemItem item;
        const bool isError = problem.severity == Severity::Error;
        item.level = isError ? ProblemItem::Level::Error : ProblemItem::Level::Warning;
        item.outcome = isError            ? ProblemItem::tr("left out")
                       : problem.isRepair ? ProblemItem::tr("repaired")
                                          : ProblemItem::tr("doubtful");
        item.reason = QString::fromStdString(problem.error.reason);
        item.field = QString::fromStdString(problem.error.field);
        item.file = relativeFile(dataset, problem.error.file);
        item.line = problem.error.line;
        if (isError)
            if (const auto torn = tornLines.find({item.file, item.line}); torn != tornLines.end())
                item.end = torn->second;
        items.push_back(std::move(item));
    }
    std::move(unended.begin(), unended.end(), std::back_inserter(items));
    return items;
}

std::vector<ProblemItem> problemsOfReport(const ValidationReport& report, const std::filesystem::path& folder)
{
    std::vector<ProblemItem> items;
    for (const auto& [definition, checked] : report.reports) {
        for (std::size_t i = 0; i < checked.checks.size(); ++i) {
            if (!checked.checks[i])
                continue;
            for (const CheckMessage& message : checked.checks[i]->messages) {
                if (message.level == CheckLevel::Info)
                    continue;
                const QString check = fromView(toString(static_cast<Check>(i)));
                items.push_back({levelOf(message.level), check, QString::fromStdString(message.text), QString::fromStdString(message.field),
                                 placeOf(folder, message.file), QString::fromStdString(definition), message.line, true, LineFileEnd::Ended});
            }
        }
    }
    if (report.datasetCheck)
        for (const DatasetFinding& finding : report.datasetCheck->findings)
            if (finding.level != CheckLevel::Info)
                items.push_back({levelOf(finding.level), QString::fromStdString(finding.kind), QString::fromStdString(finding.reason),
                                 QString::fromStdString(finding.field), placeOf(folder, finding.file), {}, finding.line, true,
                                 LineFileEnd::Ended});
    return items;
}

}  // namespace tracedeck::ui
