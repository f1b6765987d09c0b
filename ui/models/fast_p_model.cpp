// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/fast_p_model.h"

#include <array>
#include <cmath>
#include <limits>

#include "ui/models/number_format.h"
#include "ui/models/table_roles.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {

FastPModel::FastPModel(QObject* parent) : OrderedTableModel(parent), m_report(std::make_shared<const FastPReport>()), m_numberFont(monospacedFont()) {}

FastPModel::~FastPModel() = default;

void FastPModel::show(std::shared_ptr<const FastPReport> report, std::vector<FastPRank> ranks)
{
    beginResetModel();
    m_report = std::move(report);
    m_ranks = std::move(ranks);
    showElements(m_ranks.size());
    endResetModel();
}

void FastPModel::setHidden(const QSet<QString>& names)
{
    if (m_hidden == names)
        return;
    m_hidden = names;
    if (rowCount() > 0)
        emit dataChanged(index(0, Name), index(rowCount() - 1, Name), {Qt::CheckStateRole});
    emit hiddenChanged(m_hidden);
}

QString FastPModel::nameAt(int row) const { return QString::fromStdString(curveOf(m_order[static_cast<std::size_t>(row)]).name); }

void FastPModel::refreshLooks()
{
    m_numberFont = monospacedFont();
    if (rowCount() > 0)
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1), {Qt::FontRole, Qt::DecorationRole});
}

int FastPModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_order.size()); }
int FastPModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

double FastPModel::number(std::size_t element, int column) const
{
    const FastPCurve& curve = curveOf(element);
    const FastPRank& rank = m_ranks[element];
    switch (column) {
    case Rank: return rank.rank;
    case Share: return rank.share * 100;
    case Wins: return static_cast<double>(rank.wins);
    case Workloads: return static_cast<double>(curve.total);
    case Coverage: return curve.coverage * 100;
    case Mean: return curve.geometricMean.value_or(std::numeric_limits<double>::quiet_NaN());
    default: return std::numeric_limits<double>::quiet_NaN();
    }
}

QString FastPModel::shownText(std::size_t element, int column) const
{
    const double value = number(element, column);
    switch (column) {
    case Rank: return QString::number(m_ranks[element].rank) + (m_ranks[element].tied ? QStringLiteral("=") : QString());
    case Name: return QString::fromStdString(curveOf(element).name);
    case Share:
    case Coverage: return QString::number(value, 'f', 1);
    case Wins:
    case Workloads: return countText(static_cast<qint64>(value));
    case Mean: return std::isnan(value) ? QString() : significantText(value);
    default: return {};
    }
}

QVariant FastPModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const std::size_t element = m_order[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole: return visibleText(shownText(element, column));
    case kCellRole: {
        if (column == Name)
            return shownText(element, column);
        const double value = number(element, column);
        if (column == Rank || column == Wins || column == Workloads)
            return static_cast<qlonglong>(value);
        return std::isnan(value) ? QVariant() : QVariant(value);
    }
    case Qt::CheckStateRole: return column == Name ? QVariant(m_hidden.contains(shownText(element, Name)) ? Qt::Unchecked : Qt::Checked) : QVariant();
    case Qt::DecorationRole: return column == Name ? QVariant(seriesChip(shownText(element, Name))) : QVariant();
    case Qt::FontRole: return column == Name ? QVariant() : QVariant(m_numberFont);
    case Qt::TextAlignmentRole: return static_cast<int>(Qt::AlignVCenter | (column == Name ? Qt::AlignLeft : Qt::AlignRight));
    case Qt::ToolTipRole: return column == Name ? plainToolTip(shownText(element, Name)) : QString();
    default: return {};
    }
}

bool FastPModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid) || role != Qt::CheckStateRole || index.column() != Name)
        return false;
    QSet<QString> names = m_hidden;
    if (value.toInt() == Qt::Checked)
        names.remove(nameAt(index.row()));
    else
        names.insert(nameAt(index.row()));
    setHidden(names);
    return true;
}

Qt::ItemFlags FastPModel::flags(const QModelIndex& index) const
{
    Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
    if (index.isValid() && index.column() == Name)
        flags |= Qt::ItemIsUserCheckable;
    return index.isValid() ? flags : Qt::NoItemFlags;
}

QVariant FastPModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    static constexpr std::array kKeys{"rank", "name", "share", "wins", "workloads", "coverage", "geomean"};
    static_assert(kKeys.size() == ColumnCount);
    if (role == kColumnKeyRole)
        return QString::fromLatin1(kKeys[static_cast<std::size_t>(section)]);
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>(Qt::AlignVCenter | (section == Name ? Qt::AlignLeft : Qt::AlignRight));
    if (role == Qt::ToolTipRole) {
        switch (section) {
        case Rank: return tr("Place by the share at the pinned p; equal shares share a place (=)");
        case Name: return tr("Tick: draw the curve");
        case Share: return tr("Share of the workloads that count, at the pinned p");
        case Wins: return tr("Workloads behind the share");
        case Workloads: return tr("Workloads that count: the denominator");
        case Coverage: return tr("Share of what could have been attempted that was");
        case Mean: return tr("Geometric mean of the ratios to the baseline, failures left out");
        default: return {};
        }
    }
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Rank: return tr("Rank");
    case Name: return m_report->by == RankBy::Author ? tr("Author") : tr("Solution");
    case Share: return tr("Share (%)");
    case Wins: return tr("Wins");
    case Workloads: return tr("Of");
    case Coverage: return tr("Coverage (%)");
    case Mean: return tr("Geo. mean (×)");
    default: return {};
    }
}

bool FastPModel::isLess(std::size_t a, std::size_t b, const SortKey& key) const
{
    const bool ascending = key.order == Qt::AscendingOrder;
    if (key.column == Name)
        return ascending ? naturallyLess(curveOf(a).name, curveOf(b).name) : naturallyLess(curveOf(b).name, curveOf(a).name);
    const double x = number(a, key.column);
    const double y = number(b, key.column);
    if (std::isnan(x) || std::isnan(y))
        return !std::isnan(x) && std::isnan(y);
    return ascending ? x < y : x > y;
}

}  // namespace tracedeck::ui
