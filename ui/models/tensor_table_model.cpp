// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/tensor_table_model.h"

#include "ui/models/number_format.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {

void TensorTableModel::setFile(std::shared_ptr<const SafetensorsFile> file)
{
    beginResetModel();
    m_file = std::move(file);
    endResetModel();
}

QString TensorTableModel::shapeText(const SafetensorsEntry& entry)
{
    if (entry.shape.empty())
        return tr("scalar");
    QStringList parts;
    for (const std::int64_t length : entry.shape)
        parts << QString::number(length);
    return QLatin1Char('[') + parts.join(QStringLiteral(", ")) + QLatin1Char(']');
}

int TensorTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() || !m_file ? 0 : static_cast<int>(m_file->entries().size());
}
int TensorTableModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int{ColumnCount}; }

QVariant TensorTableModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || !checkIndex(index))
        return {};
    const SafetensorsEntry& entry = m_file->entries()[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        switch (index.column()) {
        case NameColumn: return visibleText(QString::fromStdString(entry.name));
        case DtypeColumn: return QString::fromStdString(entry.dtype);
        case ShapeColumn: return shapeText(entry);
        case BytesColumn: return countText(static_cast<qint64>(entry.end - entry.begin));
        default: return {};
        }
    case Qt::ToolTipRole: return plainToolTip(QString::fromStdString(entry.name));
    case Qt::FontRole: return monospacedFont();
    case Qt::TextAlignmentRole:
        return index.column() == BytesColumn ? QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter)) : QVariant();
    default: return {};
    }
}

QVariant TensorTableModel::headerData(int section, Qt::Orientation orientation, int role) const
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
    case BytesColumn: return tr("Bytes");
    default: return {};
    }
}

}  // namespace tracedeck::ui
