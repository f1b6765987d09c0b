// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/nothing_measured.h"

#include <QCoreApplication>
#include <algorithm>

#include "core/score/ranking.h"
#include "ui/style/text.h"

namespace tracedeck::ui {
namespace {

QString inWords(const char* text) { return QCoreApplication::translate("NothingMeasured", text); }

}  // namespace

QString whyNothingIsMeasured(const Dataset& dataset, const QString& definition)
{
    const std::string name = definition.toStdString();
    const QString shown = shortened(visibleText(definition), kLongestName);
    if (definition.isEmpty() ? dataset.traces().size() > 0 : !dataset.traceRowsOfDefinition(name).empty())
        return {};
    if (dataset.definitions().empty())
        return inWords(QT_TRANSLATE_NOOP("NothingMeasured", "This dataset has no definitions, so there is nothing to measure.\nPut their JSON files into its definitions/ folder, then reload (F5)."));
    if (dataset.solutions().empty())
        return inWords(QT_TRANSLATE_NOOP("NothingMeasured", "This dataset has no solutions, so nothing was measured.\nPut their JSON files into its solutions/ folder, then reload (F5)."));
    if (definition.isEmpty()) {
        return dataset.workloadCount() == 0
                   ? inWords(QT_TRANSLATE_NOOP("NothingMeasured", "This dataset has no workloads, so nothing was measured.\nPut their JSONL files into its workloads/ folder, then reload (F5)."))
                   : inWords(QT_TRANSLATE_NOOP("NothingMeasured", "This dataset has no traces yet.\nSelect solutions in the tree and choose Run selected."));
    }
    if (dataset.solutionsOf(name).empty())
        return inWords(QT_TRANSLATE_NOOP("NothingMeasured", "%1 has no solutions, so nothing was measured.\nPut their JSON files into the dataset's solutions/ folder, then reload (F5).")).arg(shown);
    if (dataset.workloadsOf(name).empty())
        return inWords(QT_TRANSLATE_NOOP("NothingMeasured", "%1 has no workloads, so nothing was measured.\nPut their JSONL file into the dataset's workloads/ folder, then reload (F5).")).arg(shown);
    return inWords(QT_TRANSLATE_NOOP("NothingMeasured", "%1 has no traces yet.\nSelect its solutions in the tree and choose Run selected.")).arg(shown);
}

QString whyThereIsNoBaseline(const Dataset& dataset, const QString& baselineAuthor)
{
    const std::vector<std::string> authors = authorsOf(dataset);
    if (std::find(authors.begin(), authors.end(), baselineAuthor.toStdString()) != authors.end())
        return {};
    if (authors.size() == 1)
        return inWords(QT_TRANSLATE_NOOP("NothingMeasured", "All solutions here are by %1, so there is no baseline to measure them against.\nPut the solutions of a baseline into the dataset's solutions/ folder and run them, or look at the speedup over the reference on the Charts page."))
            .arg(shortened(visibleText(QString::fromStdString(authors.front())), kLongestName));
    return inWords(QT_TRANSLATE_NOOP("NothingMeasured", "There is no baseline yet: no author here is called %1.\nChoose an author whose solutions the others are measured against."))
        .arg(baselineAuthor.isEmpty() ? QStringLiteral("baseline") : shortened(visibleText(baselineAuthor), kLongestName));
}

bool canBeMeasured(const Dataset& dataset, const QString& definition)
{
    const auto isRunnable = [&dataset](const std::string& name) { return !dataset.solutionsOf(name).empty() && !dataset.workloadsOf(name).empty(); };
    if (!definition.isEmpty())
        return dataset.findDefinition(definition.toStdString()) != nullptr && isRunnable(definition.toStdString());
    return std::any_of(dataset.definitions().begin(), dataset.definitions().end(), [&](const auto& one) { return isRunnable(one->name); });
}

}  // namespace tracedeck::ui
