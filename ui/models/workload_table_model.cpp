// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/workload_table_model.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "core/model/index_rules.h"
#include "ui/models/number_format.h"
#include "ui/models/table_roles.h"
#include "ui/models/workspace.h"
#include "ui/style/status_look.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

constexpr int kColumnsAfterAxes = 6;
constexpr double kPerCentOfLight = 100;
const std::vector<Trace> kNoWorkloads;

/// Where the inputs come from, in few words: "random", "from file: q, k", "scalar: eps=1e-06".
QString inputsText(const Workload& workload)
{
    QStringList files;
    QStringList scalars;
    QStringList custom;
    bool anyRandom = false;
    for (const auto& [name, input] : workload.inputs) {
        const QString inputName = QString::fromStdString(name);
        if (std::holds_alternative<RandomInput>(input)) {
            anyRandom = true;
        } else if (std::holds_alternative<SafetensorsInput>(input)) {
            files << inputName;
        } else if (std::holds_alternative<CustomInput>(input)) {
            custom << inputName;
        } else {
            const auto& value = std::get<ScalarInput>(input).value;
            const QString text = std::holds_alternative<std::int64_t>(value) ? QString::number(std::get<std::int64_t>(value))
                                 : std::holds_alternative<double>(value)     ? QString::number(std::get<double>(value))
                                 : std::get<bool>(value)                     ? QStringLiteral("true")
                                                                             : QStringLiteral("false");
            scalars << QStringLiteral("%1=%2").arg(inputName, text);
        }
    }
    QStringList parts;
    if (anyRandom)
        parts << QCoreApplication::translate("WorkloadTableModel", "random");
    if (!custom.isEmpty())
        parts << QCoreApplication::translate("WorkloadTableModel", "made by the definition: %1").arg(custom.join(QStringLiteral(", ")));
    if (!files.isEmpty())
        parts << QCoreApplication::translate("WorkloadTableModel", "from file: %1").arg(files.join(QStringLiteral(", ")));
    if (!scalars.isEmpty())
        parts << scalars.join(QStringLiteral(", "));
    return parts.join(QStringLiteral(" · "));
}

}  // namespace

WorkloadTableModel::WorkloadTableModel(Workspace* workspace, QObject* parent)
    : OrderedTableModel(parent), m_workspace(workspace), m_workloads(&kNoWorkloads)
{
    m_keys = {{0, Qt::AscendingOrder}};
    refreshLooks();
    connect(workspace, &Workspace::selectionChanged, this, [this] {
        m_choice = RunChoice(m_workspace->dataset(), m_workspace->selection());
        if (rowCount() > 0)
            emit dataChanged(index(0, 0), index(rowCount() - 1, 0), {Qt::CheckStateRole});
    });
}

void WorkloadTableModel::refreshLooks()
{
    m_numberFont = monospacedFont();
    if (rowCount() > 0)
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1), {Qt::FontRole, Qt::ForegroundRole});
}

void WorkloadTableModel::show(std::shared_ptr<const DefinitionSummary> summary)
{
    m_choice = RunChoice(m_workspace->dataset(), m_workspace->selection());
    const std::vector<Trace>& workloads = summary ? summary->dataset->workloadsOf(summary->definition) : kNoWorkloads;
    const bool same = m_summary && summary && m_summary->definition == summary->definition &&
                      std::equal(m_workloads->begin(), m_workloads->end(), workloads.begin(), workloads.end(),
                                 [](const Trace& a, const Trace& b) { return a.workload.uuid == b.workload.uuid; });
    if (same) {
        replacePinned(summary->pinned, [&] {
            m_summary = std::move(summary);
            m_workloads = &workloads;
        });
        sortAgain();
        if (rowCount() > 0)
            emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
        return;
    }
    beginResetModel();
    m_summary = std::move(summary);
    m_workloads = &workloads;
    setPinsWithin(m_summary ? QString::fromStdString(m_summary->definition) : QString());
    resetPinned(m_summary ? m_summary->pinned : std::make_shared<const PinnedLatencies>());
    m_axes.clear();
    const Definition* definition = m_summary ? m_summary->dataset->findDefinition(m_summary->definition) : nullptr;
    if (definition) {
        m_axes = definition->varAxes();
    } else if (!workloads.empty()) {
        for (const auto& axis : workloads.front().workload.axes)
            m_axes.push_back(axis.first);
    }
    showElements(workloads.size());
    endResetModel();
}

int WorkloadTableModel::rowOf(const QString& uuid) const
{
    const std::string text = uuid.toStdString();
    for (int row = 0; row < rowCount(); ++row)
        if (at(row).workload.uuid == text)
            return row;
    return -1;
}

int WorkloadTableModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_order.size()); }
int WorkloadTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : firstPinColumn() + pinCount();
}

int WorkloadTableModel::firstPinColumn() const { return firstAxisColumn() + static_cast<int>(m_axes.size()) + kColumnsAfterAxes; }

double WorkloadTableModel::lightShare(const Trace& workload) const
{
    const WorkloadSummary* summary = summaryOf(workload);
    return summary && !std::isnan(summary->bestLatencyMs) ? m_summary->light.share(m_summary->dataset->traces().row(summary->bestRow)) : std::numeric_limits<double>::quiet_NaN();
}

PinnedChange WorkloadTableModel::changeOf(const Trace& workload, std::size_t pin) const
{
    const WorkloadSummary* summary = summaryOf(workload);
    if (!summary || std::isnan(summary->bestLatencyMs))
        return {};
    const TraceRow& row = m_summary->dataset->traces().row(summary->bestRow);
    return {m_summary->pinned->change(pin, row), 1, m_summary->pinned->isBase(pin, summary->bestRow, row)};
}

WorkloadTableModel::Kind WorkloadTableModel::kindOf(int column) const
{
    if (column < firstAxisColumn())
        return Kind::Number;
    const int afterAxes = column - firstAxisColumn() - static_cast<int>(m_axes.size());
    switch (afterAxes) {
    case 0: return Kind::Passed;
    case 1: return Kind::BestLatency;
    case 2: return Kind::Light;
    case 3: return Kind::BestSolution;
    case 4: return Kind::Inputs;
    case 5: return Kind::Uuid;
    default: return Kind::Axis;
    }
}

const WorkloadSummary* WorkloadTableModel::summaryOf(const Trace& workload) const
{
    const auto found = m_summary->workloads.find(workload.workload.uuid);
    return found == m_summary->workloads.end() ? nullptr : &found->second;
}

std::optional<std::int64_t> WorkloadTableModel::axisValue(const Trace& workload, int column) const
{
    const auto found = workload.workload.axes.find(m_axes[static_cast<std::size_t>(column - firstAxisColumn())]);
    return found == workload.workload.axes.end() ? std::nullopt : std::optional(found->second);
}

QString WorkloadTableModel::indexRulesText(const Workload& workload) const
{
    const Definition* definition = m_summary->dataset->findDefinition(m_summary->definition);
    if (definition == nullptr)
        return {};
    QString text;
    const auto rules = indexRules(*definition, workload);
    for (std::size_t i = 0; i < rules.size(); ++i)
        if (rules[i])
            text += QStringLiteral("\n%1: %2").arg(QString::fromStdString(definition->inputs[i].name), QString::fromStdString(rules[i]->text));
    return text.isEmpty() ? text : QStringLiteral("\n") + tr("A run draws these inputs so that they are valid indexes:") + text;
}

QVariant WorkloadTableModel::displayed(int row, int column) const
{
    const Trace& workload = at(row);
    const WorkloadSummary* summary = summaryOf(workload);
    switch (kindOf(column)) {
    case Kind::Number: return static_cast<qlonglong>(m_order[static_cast<std::size_t>(row)] + 1);
    case Kind::Axis: {
        const auto value = axisValue(workload, column);
        return value ? QVariant(QString::number(*value)) : QVariant();
    }
    case Kind::Passed:
        return summary ? QStringLiteral("%1 / %2").arg(summary->passed).arg(summary->attempted) : tr("not run");
    case Kind::BestLatency: return summary && !std::isnan(summary->bestLatencyMs) ? microsecondsText(summary->bestLatencyMs) : QString();
    case Kind::Light: {
        const double share = lightShare(workload);
        return std::isnan(share) ? QString() : QString::number(kPerCentOfLight * share, 'f', 1);
    }
    case Kind::BestSolution: return summary ? QString::fromStdString(summary->bestSolution) : QString();
    case Kind::Inputs: return inputsText(workload.workload);
    case Kind::Uuid: return QString::fromStdString(workload.workload.uuid);
    }
    return {};
}

QVariant WorkloadTableModel::cell(int row, int column) const
{
    constexpr double kMicrosecondsPerMillisecond = 1000;
    const Trace& workload = at(row);
    switch (kindOf(column)) {
    case Kind::Axis: {
        const auto value = axisValue(workload, column);
        return value ? QVariant(static_cast<qlonglong>(*value)) : QVariant();
    }
    case Kind::BestLatency: {
        const WorkloadSummary* summary = summaryOf(workload);
        return summary && !std::isnan(summary->bestLatencyMs) ? QVariant(summary->bestLatencyMs * kMicrosecondsPerMillisecond) : QVariant();
    }
    case Kind::Light: {
        const double share = lightShare(workload);
        return std::isnan(share) ? QVariant() : QVariant(kPerCentOfLight * share);
    }
    default: {
        const QVariant shown = displayed(row, column);
        return shown.toString().isEmpty() ? QVariant() : shown;
    }
    }
}

QVariant WorkloadTableModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || !checkIndex(index))
        return {};
    if (isPinColumn(index.column()))
        return pinCell(index.column(), changeOf(at(index.row()), pinOf(index.column())), role);
    const Kind kind = kindOf(index.column());
    const bool isNumber = kind == Kind::Number || kind == Kind::Axis || kind == Kind::Passed || kind == Kind::BestLatency || kind == Kind::Light;
    switch (role) {
    case Qt::DisplayRole: {
        const QVariant value = displayed(index.row(), index.column());
        return value.userType() == QMetaType::QString ? QVariant(visibleText(value.toString())) : value;
    }
    case kCellRole: return cell(index.row(), index.column());
    case UuidRole: return QString::fromStdString(at(index.row()).workload.uuid);
    case Qt::CheckStateRole:
        if (kind != Kind::Number || !isEnabledForRun())
            return {};
        return m_choice.hasWorkload(m_summary->definition, at(index.row()).workload.uuid) ? Qt::Checked : Qt::Unchecked;
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::Alignment((isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    case Qt::FontRole: return isNumber || kind == Kind::Uuid ? QVariant(m_numberFont) : QVariant();
    case Qt::DecorationRole:
        if (kind == Kind::BestSolution)
            if (const WorkloadSummary* summary = summaryOf(at(index.row())); summary && !summary->bestSolution.empty())
                return seriesChip(QString::fromStdString(summary->bestSolution));
        return {};
    case Qt::ForegroundRole:
        if (kind == Kind::Number || kind == Kind::Uuid || kind == Kind::Inputs)
            return themeColors().muted;
        if (kind == Kind::Passed) {
            const WorkloadSummary* summary = summaryOf(at(index.row()));
            if (!summary)
                return themeColors().muted;
            return statusColor(summary->passed == summary->attempted ? Status::Passed
                               : summary->passed == 0                ? Status::RuntimeError
                                                                     : Status::IncorrectNumerical,
                               isDarkTheme());
        }
        return {};
    case Qt::ToolTipRole: {
        const QString shown = displayed(index.row(), index.column()).toString();
        return plainToolTip(kind == Kind::Inputs ? shown + indexRulesText(at(index.row()).workload) : shown);
    }
    default: return {};
    }
}

bool WorkloadTableModel::isEnabledForRun() const
{
    return m_summary && m_summary->dataset->findDefinition(m_summary->definition) != nullptr;
}

bool WorkloadTableModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::CheckStateRole || !index.isValid() || !checkIndex(index) || index.column() != 0 || !isEnabledForRun())
        return false;
    m_workspace->setSelection(
        m_choice.withWorkloads(m_summary->definition, {at(index.row()).workload.uuid}, value.toInt() == Qt::Checked));
    return true;
}

QVariant WorkloadTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    if (isPinColumn(section))
        return pinHeader(section, role);
    const Kind kind = kindOf(section);
    if (role == Qt::ToolTipRole && kind == Kind::Light)
        return tr("Share of the speed of light that the best time reaches: the shortest time that bytes and operations can take");
    if (role == Qt::TextAlignmentRole) {
        const bool left = kind == Kind::BestSolution || kind == Kind::Inputs || kind == Kind::Uuid;
        return QVariant::fromValue(Qt::Alignment((left ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter));
    }
    if (role == Qt::ToolTipRole && kind == Kind::Axis)
        return plainToolTip(QString::fromStdString(m_axes[static_cast<std::size_t>(section - firstAxisColumn())]));
    if (role == kColumnKeyRole) {
        switch (kind) {
        case Kind::Number: return QStringLiteral("number");
        case Kind::Axis: return QStringLiteral("axis ") + QString::fromStdString(m_axes[static_cast<std::size_t>(section - firstAxisColumn())]);
        case Kind::Passed: return QStringLiteral("passed");
        case Kind::BestLatency: return QStringLiteral("latency");
        case Kind::Light: return QStringLiteral("light");
        case Kind::BestSolution: return QStringLiteral("solution");
        case Kind::Inputs: return QStringLiteral("inputs");
        case Kind::Uuid: return QStringLiteral("uuid");
        }
    }
    if (role != Qt::DisplayRole)
        return {};
    switch (kind) {
    case Kind::Number: return tr("No.");
    case Kind::Axis: return visibleText(QString::fromStdString(m_axes[static_cast<std::size_t>(section - firstAxisColumn())]));
    case Kind::Passed: return tr("Passed");
    case Kind::BestLatency: return tr("Best (µs)");
    case Kind::Light: return tr("Of light (%)");
    case Kind::BestSolution: return tr("Fastest solution");
    case Kind::Inputs: return tr("Inputs");
    case Kind::Uuid: return tr("UUID");
    }
    return {};
}

Qt::ItemFlags WorkloadTableModel::flags(const QModelIndex& index) const
{
    if (!index.isValid() || !checkIndex(index))
        return Qt::NoItemFlags;
    Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
    if (index.column() == 0 && isEnabledForRun())
        flags |= Qt::ItemIsUserCheckable;
    return flags;
}

bool WorkloadTableModel::isLess(std::size_t a, std::size_t b, const SortKey& key) const
{
    const Trace& left = (*m_workloads)[a];
    const Trace& right = (*m_workloads)[b];
    const bool ascending = key.order == Qt::AscendingOrder;
    const auto number = [ascending](std::optional<double> x, std::optional<double> y) {
        if (!x || !y)
            return x && !y;
        return ascending ? *x < *y : *x > *y;
    };
    const auto rate = [this](const Trace& workload) -> std::optional<double> {
        const WorkloadSummary* summary = summaryOf(workload);
        if (!summary)
            return std::nullopt;
        return static_cast<double>(summary->passed) / static_cast<double>(summary->attempted);
    };
    const auto best = [this](const Trace& workload) -> std::optional<double> {
        const WorkloadSummary* summary = summaryOf(workload);
        return summary && !std::isnan(summary->bestLatencyMs) ? std::optional(summary->bestLatencyMs) : std::nullopt;
    };
    const auto axis = [this, &key](const Trace& workload) -> std::optional<double> {
        const auto value = axisValue(workload, key.column);
        return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
    };
    const auto bestSolution = [this](const Trace& workload) {
        const WorkloadSummary* summary = summaryOf(workload);
        return summary ? summary->bestSolution : std::string();
    };
    const auto words = [ascending](const std::string& x, const std::string& y) {
        return ascending ? naturallyLess(x, y) : naturallyLess(y, x);
    };
    const auto finite = [](double value) { return std::isnan(value) ? std::nullopt : std::optional(value); };
    if (isPinColumn(key.column))
        return number(finite(changeOf(left, pinOf(key.column)).change), finite(changeOf(right, pinOf(key.column)).change));
    switch (kindOf(key.column)) {
    case Kind::Light: return number(finite(lightShare(left)), finite(lightShare(right)));
    case Kind::Number: return ascending ? a < b : a > b;
    case Kind::Axis: return number(axis(left), axis(right));
    case Kind::Passed: return number(rate(left), rate(right));
    case Kind::BestLatency: return number(best(left), best(right));
    case Kind::BestSolution: return words(bestSolution(left), bestSolution(right));
    case Kind::Inputs: return words(inputsText(left.workload).toStdString(), inputsText(right.workload).toStdString());
    case Kind::Uuid: return words(left.workload.uuid, right.workload.uuid);
    }
    return false;
}

}  // namespace tracedeck::ui
