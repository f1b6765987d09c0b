// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/trace_facts.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <algorithm>

#include "ui/models/number_format.h"
#include "ui/models/verdict_text.h"
#include "ui/style/status_look.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

/// Deeper or longer values are shown as their JSON text.
constexpr int kMaximumDepth = 6;
constexpr std::size_t kMaximumItems = 500;
constexpr int kFactHeight = 20;
/// The value as it is in the file, for copying.
constexpr int kValueRole = Qt::UserRole;

QTreeWidgetItem* addFact(QTreeWidgetItem* parent, const QString& name, const QString& value)
{
    auto* item = new QTreeWidgetItem(parent, {visibleText(name), visibleText(value)});
    item->setData(1, kValueRole, value);
    item->setToolTip(0, plainToolTip(name));
    item->setFont(1, monospacedFont());
    item->setToolTip(1, plainToolTip(value));
    // The height alone is set, through the value: a size for the name would be its width, too.
    item->setSizeHint(1, QSize(0, kFactHeight));
    return item;
}

QString jsonText(const Json& json)
{
    if (json.is_string()) {
        return QString::fromStdString(json.get<std::string>());
    }
    return QString::fromStdString(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

void addJson(QTreeWidgetItem* parent, const QString& name, const Json& json, int depth = 0)
{
    if (!json.is_structured() || json.empty() || depth >= kMaximumDepth || json.size() > kMaximumItems) {
        addFact(parent, name, jsonText(json));
        return;
    }
    auto* item = addFact(parent, name, {});
    std::size_t position = 0;
    for (const auto& entry : json.items()) {
        addJson(item, json.is_array() ? QString::number(position++) : QString::fromStdString(entry.key()), entry.value(), depth + 1);
    }
    item->setExpanded(depth == 0);
}

void addUnknownKeys(QTreeWidgetItem* parent, const Json& keys)
{
    for (const auto& entry : keys.items()) {
        addJson(parent, QString::fromStdString(entry.key()), entry.value());
    }
}

QString inputText(const WorkloadInput& input)
{
    if (const auto* scalar = std::get_if<ScalarInput>(&input)) {
        if (const auto* integer = std::get_if<std::int64_t>(&scalar->value)) {
            return QString::number(*integer);
        }
        if (const auto* real = std::get_if<double>(&scalar->value)) {
            return exactText(*real);
        }
        return std::get<bool>(scalar->value) ? QStringLiteral("true") : QStringLiteral("false");
    }
    if (const auto* file = std::get_if<SafetensorsInput>(&input)) {
        return QStringLiteral("%1 [%2]").arg(QString::fromStdString(file->path), QString::fromStdString(file->tensorKey));
    }
    return std::holds_alternative<CustomInput>(input) ? TraceFacts::tr("made by the definition") : TraceFacts::tr("random");
}

}  // namespace

TraceFacts::TraceFacts(QWidget* parent) : QTreeWidget(parent)
{
    setAccessibleName(tr("Everything about the trace"));
    setColumnCount(2);
    setHeaderHidden(true);
    setUniformRowHeights(false);
    setAlternatingRowColors(false);
    setFrameShape(QFrame::NoFrame);
    setIndentation(Space::kWide);
    setTextElideMode(Qt::ElideMiddle);
    header()->setStretchLastSection(false);
    header()->setSectionResizeMode(0, QHeaderView::Interactive);
    header()->setSectionResizeMode(1, QHeaderView::Stretch);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(this, &QTreeWidget::itemExpanded, this, &TraceFacts::sizeNames);
    auto* copy = new QAction(tr("&Copy value"), this);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetShortcut);
    addAction(copy);
    setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(copy, &QAction::triggered, this, &TraceFacts::copyValue);
}

QTreeWidgetItem* TraceFacts::addSection(const QString& title)
{
    auto* section = new QTreeWidgetItem(this, {visibleText(title)});
    QFont bold = font();
    bold.setBold(true);
    section->setFont(0, bold);
    section->setFirstColumnSpanned(true);
    section->setSizeHint(0, QSize(0, kRowHeight));
    section->setFlags(Qt::ItemIsEnabled);
    section->setExpanded(true);
    return section;
}

void TraceFacts::showTrace(const Trace& trace, const Dataset& dataset, const QString& file)
{
    clear();
    if (trace.evaluation) {
        const Evaluation& evaluation = *trace.evaluation;
        if (const std::vector<JudgeVerdict> verdicts = judgeVerdicts(evaluation); !verdicts.empty()) {
            auto* noticed = addSection(tr("What the judge noticed"));
            for (const JudgeVerdict& verdict : verdicts) {
                const VerdictText text = verdictText(verdict);
                const QString evidence = QString::fromStdString(verdict.evidence);
                auto* item = addFact(noticed, text.symbol + QLatin1Char(' ') + text.title, evidence);
                const QString toolTip = plainToolTip(text.explanation.isEmpty() ? evidence : text.explanation + QStringLiteral("\n\n") + evidence);
                item->setToolTip(0, toolTip);
                item->setToolTip(1, toolTip);
            }
        }
        auto* result = addSection(tr("Result"));
        addFact(result, tr("status"), fromView(evaluation.statusName()));
        if (trace.solution) {
            addFact(result, tr("solution"), QString::fromStdString(*trace.solution));
            if (const Solution* solution = dataset.findSolution(*trace.solution)) {
                addFact(result, tr("author"), QString::fromStdString(solution->author));
            }
        }
        addFact(result, tr("measured"), QString::fromStdString(evaluation.timestamp));
        if (evaluation.performance) {
            auto* performance = addSection(tr("Performance"));
            addFact(performance, tr("latency (ms)"), exactText(evaluation.performance->latencyMs));
            addFact(performance, tr("reference latency (ms)"), exactText(evaluation.performance->referenceLatencyMs));
            addFact(performance, tr("speedup"), exactText(evaluation.performance->speedupFactor));
            addUnknownKeys(performance, evaluation.performance->unknownKeys);
        }
        if (evaluation.correctness) {
            auto* correctness = addSection(tr("Correctness"));
            addFact(correctness, tr("max absolute error"), exactText(evaluation.correctness->maxAbsoluteError));
            addFact(correctness, tr("max relative error"), exactText(evaluation.correctness->maxRelativeError));
            if (evaluation.correctness->hasNan.value_or(false)) {
                addFact(correctness, tr("has NaN"), tr("yes"));
            }
            if (evaluation.correctness->hasInf.value_or(false)) {
                addFact(correctness, tr("has infinity"), tr("yes"));
            }
            if (!evaluation.correctness->extra.is_null()) {
                addJson(correctness, tr("extra"), evaluation.correctness->extra);
            }
            addUnknownKeys(correctness, evaluation.correctness->unknownKeys);
        }
        for (const auto& entry : evaluation.unknownKeys.items()) {
            auto* section = addSection(entry.key() == "judge" ? tr("Judge") : QString::fromStdString(entry.key()));
            if (entry.value().is_object()) {
                addUnknownKeys(section, entry.value());
            } else {
                addJson(section, QString::fromStdString(entry.key()), entry.value());
            }
        }
        auto* environment = addSection(tr("Environment"));
        addFact(environment, tr("hardware"), QString::fromStdString(evaluation.environment.hardware));
        for (const auto& [library, version] : evaluation.environment.libs) {
            addFact(environment, QString::fromStdString(library), QString::fromStdString(version));
        }
        addUnknownKeys(environment, evaluation.environment.unknownKeys);
    }
    auto* workload = addSection(tr("Workload"));
    addFact(workload, tr("definition"), QString::fromStdString(trace.definition));
    addFact(workload, trace.workload.uuidIsSynthetic ? tr("uuid (computed)") : tr("uuid"), QString::fromStdString(trace.workload.uuid));
    for (const std::string& axis : trace.workload.axisOrder) {
        const auto value = trace.workload.axes.find(axis);
        if (value != trace.workload.axes.end()) {
            addFact(workload, QString::fromStdString(axis), QString::number(value->second));
        }
    }
    for (const auto& [name, input] : trace.workload.inputs) {
        addFact(workload, QString::fromStdString(name), inputText(input));
    }
    if (const auto& tolerance = trace.workload.tolerance) {
        auto* bounds = addSection(tr("Tolerance of the workload"));
        addFact(bounds, tr("absolute"), exactText(tolerance->atol()));
        addFact(bounds, tr("relative"), exactText(tolerance->rtol()));
        addFact(bounds, tr("share of elements within"), exactText(tolerance->matchedRatio()));
        if (tolerance->misspeltMatchedRatio) {
            addFact(bounds, tr("share under a misspelt key (ignored)"), exactText(*tolerance->misspeltMatchedRatio));
        }
        if (tolerance->maxErrorCap) {
            addFact(bounds, tr("largest error"), exactText(*tolerance->maxErrorCap));
        }
        if (tolerance->allowNegativeInf.value_or(false)) {
            addFact(bounds, tr("-infinity"), tr("allowed"));
        }
        addUnknownKeys(bounds, tolerance->unknownKeys);
    }
    addUnknownKeys(workload, trace.workload.unknownKeys);
    if (!trace.unknownKeys.empty()) {
        addUnknownKeys(addSection(tr("Other keys")), trace.unknownKeys);
    }
    auto* place = addSection(tr("File"));
    addFact(place, tr("trace file"), file);
    place->setExpanded(true);
    sizeNames();
}

void TraceFacts::sizeNames()
{
    // Names take what they need, and leave two fifths for the values.
    resizeColumnToContents(0);
    setColumnWidth(0, std::min(columnWidth(0), viewport()->width() * 3 / 5));
}

void TraceFacts::resizeEvent(QResizeEvent* event)
{
    QTreeWidget::resizeEvent(event);
    // The first trace is shown before the tree has its width.
    sizeNames();
}

void TraceFacts::copyValue()
{
    if (const QTreeWidgetItem* item = currentItem()) {
        const QString value = item->data(1, kValueRole).toString();
        QApplication::clipboard()->setText(value.isEmpty() ? item->text(0) : value);
    }
}

}  // namespace tracedeck::ui
