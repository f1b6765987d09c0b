// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/workload_tensor_model.h"

#include "ui/models/number_format.h"
#include "ui/style/status_look.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

QString workloadShapeText(const WorkloadTensor& tensor)
{
    if (tensor.isScalar)
        return WorkloadTensorModel::tr("scalar");
    if (!tensor.shape)
        return QStringLiteral("?");
    QStringList parts;
    for (const std::int64_t length : *tensor.shape)
        parts << QString::number(length);
    return QLatin1Char('[') + parts.join(QStringLiteral(", ")) + QLatin1Char(']');
}

/// What a cell has room for; the tool tip has every digit.
QString shortScalar(const QString& value)
{
    constexpr qsizetype kLongestScalar = 10;
    bool isNumber = false;
    const double number = value.toDouble(&isNumber);
    return isNumber && value.size() > kLongestScalar ? errorText(number) : value;
}

QString sourceText(const WorkloadTensor& tensor)
{
    switch (tensor.source) {
    case TensorSource::Random: return tensor.rule.empty() ? WorkloadTensorModel::tr("random") : WorkloadTensorModel::tr("random indexes");
    case TensorSource::Scalar: return WorkloadTensorModel::tr("scalar %1").arg(shortScalar(QString::fromStdString(tensor.value)));
    case TensorSource::File:
        return tensor.file.empty() ? WorkloadTensorModel::tr("missing file") : QString::fromStdString(tensor.file.filename().string());
    case TensorSource::Custom: return WorkloadTensorModel::tr("made by the definition");
    case TensorSource::Output: return WorkloadTensorModel::tr("output");
    }
    return {};
}

}  // namespace

QString WorkloadTensorModel::whyNoValues(const WorkloadTensor& tensor)
{
    const QString problem = QString::fromStdString(tensor.problem);
    switch (tensor.source) {
    case TensorSource::Random:
        return tensor.rule.empty() ? tr("Random: a run draws the values anew for every call. None are stored, so there are none to show.")
                                   : tr("Random: a run draws the values anew for every call, so that they are valid indexes: %1").arg(QString::fromStdString(tensor.rule));
    case TensorSource::Scalar: return tr("The workload states this number: %1").arg(QString::fromStdString(tensor.value));
    case TensorSource::Custom: return tr("The definition's own input function makes the values in a run.");
    case TensorSource::Output: return tr("The kernel writes this tensor. A run compares it with what the reference writes.");
    case TensorSource::File: break;
    }
    if (!tensor.file.empty())
        return {};
    return tr("There are no values to show: %1").arg(problem) + QStringLiteral("\n\n") +
           tr("Put the file into the dataset folder under this name, then reload (F5). A run on this workload needs it, too.");
}

void WorkloadTensorModel::show(std::vector<WorkloadTensor> tensors)
{
    beginResetModel();
    m_tensors = std::move(tensors);
    endResetModel();
}

int WorkloadTensorModel::rowOf(const QString& name) const
{
    for (std::size_t row = 0; row < m_tensors.size(); ++row)
        if (m_tensors[row].name == name.toStdString())
            return static_cast<int>(row);
    return -1;
}

int WorkloadTensorModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_tensors.size()); }
int WorkloadTensorModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int{ColumnCount}; }

QString WorkloadTensorModel::text(const WorkloadTensor& tensor, int column)
{
    switch (column) {
    case NameColumn: return (tensor.source == TensorSource::Output ? QStringLiteral("→ ") : QString()) + QString::fromStdString(tensor.name);
    case DtypeColumn: return QString::fromStdString(tensor.dtype);
    case ShapeColumn: return workloadShapeText(tensor);
    case SourceColumn: return sourceText(tensor);
    case BytesColumn: return tensor.bytes == 0 ? QString() : countText(static_cast<qint64>(tensor.bytes));
    default: return {};
    }
}

QVariant WorkloadTensorModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || !checkIndex(index))
        return {};
    const WorkloadTensor& tensor = m_tensors[static_cast<std::size_t>(index.row())];
    const bool isProblem = !tensor.problem.empty();
    switch (role) {
    case Qt::DisplayRole: return visibleText(text(tensor, index.column()));
    case Qt::ToolTipRole: {
        QStringList lines{text(tensor, index.column())};
        if (index.column() == SourceColumn && !tensor.blobPath.empty())
            lines = {QStringLiteral("%1 [%2]").arg(QString::fromStdString(tensor.blobPath), QString::fromStdString(tensor.tensorKey))};
        if (index.column() == SourceColumn && tensor.source == TensorSource::Scalar)
            lines = {QString::fromStdString(tensor.value)};
        if (index.column() == SourceColumn && !tensor.rule.empty())
            lines << QString::fromStdString(tensor.rule);
        if (isProblem)
            lines << QString::fromStdString(tensor.problem);
        return plainToolTip(lines.join(QLatin1Char('\n')));
    }
    case Qt::DecorationRole: return index.column() == SourceColumn && isProblem ? QVariant(statusLook(Status::RuntimeError).icon) : QVariant();
    case Qt::ForegroundRole:
        if (isProblem && index.column() == SourceColumn)
            return statusColor(Status::RuntimeError, isDarkTheme());
        return index.column() == NameColumn ? QVariant() : QVariant(themeColors().muted);
    case Qt::FontRole: return monospacedFont();
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::Alignment((index.column() == BytesColumn ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    default: return {};
    }
}

QVariant WorkloadTensorModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::Alignment((section == BytesColumn ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case NameColumn: return tr("Tensor");
    case DtypeColumn: return tr("Dtype");
    case ShapeColumn: return tr("Shape");
    case SourceColumn: return tr("Values from");
    case BytesColumn: return tr("Bytes");
    default: return {};
    }
}

}  // namespace tracedeck::ui
