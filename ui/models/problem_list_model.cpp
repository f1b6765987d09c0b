// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/problem_list_model.h"

#include <filesystem>

#include "ui/models/workspace.h"
#include "ui/style/icons.h"
#include "ui/style/status_look.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {

ProblemListModel::ProblemListModel(Workspace* workspace, QObject* parent)
    : QAbstractTableModel(parent), m_workspace(workspace), m_dataset(workspace->dataset())
{
    refreshLooks();
    connect(workspace, &Workspace::datasetChanged, this, [this](bool onlyGrew) {
        if (onlyGrew) {
            // Problems are found while loading; a snapshot that grew has the same ones.
            m_dataset = m_workspace->dataset();
            return;
        }
        beginResetModel();
        m_dataset = m_workspace->dataset();
        endResetModel();
    });
}

void ProblemListModel::refreshLooks()
{
    m_errorIcon = icon(QStringLiteral("status-error"), statusColor(Status::RuntimeError, isDarkTheme()));
    m_warningIcon = icon(QStringLiteral("problems"), statusColor(Status::IncorrectNumerical, isDarkTheme()));
    if (rowCount() > 0)
        emit dataChanged(index(0, SeverityColumn), index(rowCount() - 1, SeverityColumn), {Qt::DecorationRole});
}

int ProblemListModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_dataset->problems().size());
}

int ProblemListModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int{ColumnCount}; }

QString ProblemListModel::fileOf(const Error& error) const
{
    const std::filesystem::path file(error.file);
    if (!file.is_absolute())
        return QString::fromStdString(error.file);
    const std::filesystem::path relative = file.lexically_relative(m_dataset->root());
    return QString::fromStdString(relative.empty() || *relative.begin() == ".." ? error.file : relative.string());
}

QVariant ProblemListModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || !checkIndex(index))
        return {};
    const Problem& problem = m_dataset->problems()[static_cast<std::size_t>(index.row())];
    const bool isError = problem.severity == Severity::Error;
    switch (role) {
    case Qt::DisplayRole:
        switch (index.column()) {
        case SeverityColumn: return isError ? tr("left out") : problem.isRepair ? tr("repaired") : tr("doubtful");
        case ReasonColumn: return visibleText(QString::fromStdString(problem.error.reason));
        case FieldColumn: return visibleText(QString::fromStdString(problem.error.field));
        case FileColumn: return visibleText(fileOf(problem.error));
        case LineColumn: return problem.error.line > 0 ? QVariant(static_cast<qlonglong>(problem.error.line)) : QVariant();
        default: return {};
        }
    case Qt::DecorationRole:
        return index.column() == SeverityColumn ? QVariant(isError ? m_errorIcon : m_warningIcon) : QVariant();
    case Qt::ToolTipRole: return plainToolTip(QString::fromStdString(problem.error.toString()));
    case Qt::TextAlignmentRole:
        return index.column() == LineColumn ? QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter)) : QVariant();
    default: return {};
    }
}

QVariant ProblemListModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::Alignment((section == LineColumn ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case SeverityColumn: return tr("Outcome");
    case ReasonColumn: return tr("What is wrong");
    case FieldColumn: return tr("Field");
    case FileColumn: return tr("File");
    case LineColumn: return tr("Line");
    default: return {};
    }
}

}  // namespace tracedeck::ui
