// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/document_problems_model.h"

#include "ui/models/number_format.h"
#include "ui/style/icons.h"
#include "ui/style/status_look.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {

DocumentProblemsModel::DocumentProblemsModel(QObject* parent) : QAbstractTableModel(parent) { refreshLooks(); }

void DocumentProblemsModel::setProblems(std::vector<Problem> problems)
{
    beginResetModel();
    m_problems = std::move(problems);
    endResetModel();
}

void DocumentProblemsModel::refreshLooks()
{
    m_errorIcon = icon(QStringLiteral("status-error"), statusColor(Status::RuntimeError, isDarkTheme()));
    m_warningIcon = icon(QStringLiteral("problems"), statusColor(Status::IncorrectNumerical, isDarkTheme()));
    if (rowCount() > 0)
        emit dataChanged(index(0, ReasonColumn), index(rowCount() - 1, ReasonColumn), {Qt::DecorationRole});
}

int DocumentProblemsModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_problems.size()); }
int DocumentProblemsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int{ColumnCount}; }

QVariant DocumentProblemsModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || !checkIndex(index))
        return {};
    const Problem& problem = m_problems[static_cast<std::size_t>(index.row())];
    const bool isError = problem.severity == Severity::Error;
    const QString reason = QString::fromStdString(problem.error.reason);
    switch (role) {
    case Qt::DisplayRole:
        switch (index.column()) {
        case LineColumn: return problem.error.line > 0 ? QVariant(static_cast<qlonglong>(problem.error.line)) : QVariant();
        case ReasonColumn:
            return problem.occurrences > 1 ? tr("%1 (%2 times)").arg(visibleText(reason), countText(static_cast<qint64>(problem.occurrences)))
                                           : visibleText(reason);
        case FieldColumn: return visibleText(QString::fromStdString(problem.error.field));
        default: return {};
        }
    case Qt::DecorationRole: return index.column() == ReasonColumn ? QVariant(isError ? m_errorIcon : m_warningIcon) : QVariant();
    case Qt::AccessibleTextRole:
        return index.column() == ReasonColumn ? QVariant(tr("%1, %2").arg(isError ? tr("error") : tr("warning"), visibleText(reason))) : QVariant();
    case Qt::ToolTipRole: return plainToolTip(QString::fromStdString(problem.error.toString()));
    case Qt::TextAlignmentRole:
        return index.column() == LineColumn ? QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter)) : QVariant();
    default: return {};
    }
}

QVariant DocumentProblemsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::Alignment((section == LineColumn ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case LineColumn: return tr("Line");
    case ReasonColumn: return tr("What is wrong");
    case FieldColumn: return tr("Field");
    default: return {};
    }
}

}  // namespace tracedeck::ui
