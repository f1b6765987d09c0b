// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/search_model.h"

#include <QAction>
#include <algorithm>
#include <thread>

#include "ui/models/latest_job.h"
#include "ui/style/icons.h"
#include "ui/style/text.h"

namespace tracedeck::ui {
namespace {

constexpr std::size_t kMostNames = 30;
constexpr std::size_t kMostLines = 30;
constexpr qsizetype kMostActions = 5;
/// Shorter texts are in every source.
constexpr qsizetype kShortestForLines = 3;
/// Sources and logs are looked through once nothing has been typed for so long.
constexpr std::chrono::milliseconds kTypingPause{200};

QString kindText(HitKind kind)
{
    switch (kind) {
    case HitKind::Definition: return SearchModel::tr("definition");
    case HitKind::Solution: return SearchModel::tr("solution");
    case HitKind::OpType: return SearchModel::tr("op_type");
    case HitKind::Author: return SearchModel::tr("author");
    case HitKind::Tag: return SearchModel::tr("tag");
    case HitKind::Workload: return SearchModel::tr("workload");
    case HitKind::Source: return SearchModel::tr("source");
    case HitKind::Log: return SearchModel::tr("log");
    }
    return {};
}

QString iconName(HitKind kind)
{
    switch (kind) {
    case HitKind::Definition: return QStringLiteral("definition");
    case HitKind::Solution: return QStringLiteral("solution");
    case HitKind::OpType: return QStringLiteral("optype");
    case HitKind::Author: return QStringLiteral("author");
    case HitKind::Tag: return QStringLiteral("filter");
    case HitKind::Workload: return QStringLiteral("workloads");
    case HitKind::Source: return QStringLiteral("code");
    case HitKind::Log: return QStringLiteral("traces");
    }
    return {};
}

/// Waits until the user has paused, or the search is not wanted any more.
void waitForPause(const std::stop_token& stop)
{
    const auto end = std::chrono::steady_clock::now() + kTypingPause;
    while (!stop.stop_requested() && std::chrono::steady_clock::now() < end)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

QString detailText(const SearchHit& hit)
{
    const QString detail = QString::fromStdString(hit.detail).simplified();
    if (hit.kind == HitKind::Source && !hit.file.empty())
        return SearchModel::tr("%1:%2  %3").arg(QString::fromStdString(hit.file)).arg(hit.line).arg(detail);
    if (hit.kind == HitKind::Source)
        return SearchModel::tr("reference:%1  %2").arg(hit.line).arg(detail);
    return detail;
}

}  // namespace

SearchModel::SearchModel(QObject* parent)
    : QAbstractListModel(parent), m_names(new LatestJob(this)), m_sources(new LatestJob(this)), m_logs(new LatestJob(this))
{
}

SearchModel::~SearchModel() = default;

void SearchModel::setActions(const QList<QAction*>& actions)
{
    m_actions.clear();
    for (QAction* action : actions)
        m_actions << QPointer<QAction>(action);
}

void SearchModel::clear()
{
    for (LatestJob* job : {m_names, m_sources, m_logs})
        job->cancel();
    m_pending = 0;
    beginResetModel();
    m_rows.clear();
    endResetModel();
    emit changed();
}

std::vector<SearchModel::Row> SearchModel::matchingActions(const QString& text) const
{
    const QStringList words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    std::vector<Row> rows;
    for (const QPointer<QAction>& action : m_actions) {
        if (!action || !action->isEnabled() || action->text().isEmpty())
            continue;
        const QString plain = QString(action->text()).remove(QLatin1Char('&'));
        const bool matches = std::all_of(words.begin(), words.end(), [&plain](const QString& word) { return plain.contains(word, Qt::CaseInsensitive); });
        if (matches && static_cast<qsizetype>(rows.size()) < kMostActions)
            rows.push_back({action, true, {}});
    }
    return rows;
}

void SearchModel::search(std::shared_ptr<const Dataset> dataset, const QString& text)
{
    const QString wanted = text.trimmed();
    clear();
    if (wanted.isEmpty())
        return;
    append(matchingActions(wanted));
    const std::string plain = wanted.toStdString();
    const auto done = [this](const std::vector<SearchHit>& hits) {
        --m_pending;
        appendHits(hits);
    };
    ++m_pending;
    m_names->start<std::vector<SearchHit>>([dataset, plain](std::stop_token) { return searchNames(*dataset, plain, kMostNames); }, done);
    if (wanted.size() < kShortestForLines)
        return;
    m_pending += 2;
    m_sources->start<std::vector<SearchHit>>(
        [dataset, plain](std::stop_token stop) {
            waitForPause(stop);
            return searchSources(*dataset, plain, kMostLines, stop);
        },
        done);
    m_logs->start<std::vector<SearchHit>>(
        [dataset, plain](std::stop_token stop) {
            waitForPause(stop);
            return searchLogs(*dataset, plain, kMostLines, stop);
        },
        done);
}

void SearchModel::appendHits(const std::vector<SearchHit>& hits)
{
    std::vector<Row> rows;
    for (const SearchHit& hit : hits)
        rows.push_back({{}, false, hit});
    append(std::move(rows));
    emit changed();
}

/// Names stay above lines, whichever was found first.
void SearchModel::append(std::vector<Row> rows)
{
    if (rows.empty())
        return;
    const auto rank = [](const Row& row) { return row.isAction ? 1 : row.hit.kind == HitKind::Source ? 2 : row.hit.kind == HitKind::Log ? 3 : 0; };
    const auto place = std::upper_bound(m_rows.begin(), m_rows.end(), rank(rows.front()), [&rank](int value, const Row& row) { return value < rank(row); });
    const int first = static_cast<int>(place - m_rows.begin());
    beginInsertRows({}, first, first + static_cast<int>(rows.size()) - 1);
    m_rows.insert(place, std::make_move_iterator(rows.begin()), std::make_move_iterator(rows.end()));
    endInsertRows();
}

const SearchHit* SearchModel::hitAt(int row) const
{
    if (row < 0 || row >= rowCount() || m_rows[static_cast<std::size_t>(row)].isAction)
        return nullptr;
    return &m_rows[static_cast<std::size_t>(row)].hit;
}

QAction* SearchModel::actionAt(int row) const
{
    return row < 0 || row >= rowCount() ? nullptr : m_rows[static_cast<std::size_t>(row)].action.data();
}

int SearchModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_rows.size()); }

QVariant SearchModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || !checkIndex(index))
        return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    if (row.isAction) {
        if (!row.action)
            return {};
        switch (role) {
        case Qt::DisplayRole: return QString(row.action->text()).remove(QLatin1Char('&'));
        case DetailRole: return row.action->shortcut().toString(QKeySequence::NativeText);
        case KindRole: return tr("action");
        case Qt::DecorationRole: return row.action->icon().isNull() ? icon(QStringLiteral("forward")) : row.action->icon();
        case Qt::ToolTipRole: return row.action->toolTip();
        default: return {};
        }
    }
    switch (role) {
    case Qt::DisplayRole: return visibleText(QString::fromStdString(row.hit.name));
    case DetailRole: return visibleText(detailText(row.hit));
    case KindRole: return kindText(row.hit.kind);
    case Qt::DecorationRole: return row.hit.kind == HitKind::Solution ? seriesChip(QString::fromStdString(row.hit.name)) : icon(iconName(row.hit.kind));
    case Qt::ToolTipRole: return plainToolTip(QString::fromStdString(row.hit.name) + QLatin1Char('\n') + detailText(row.hit));
    case Qt::AccessibleTextRole: return tr("%1, %2, %3").arg(kindText(row.hit.kind), QString::fromStdString(row.hit.name), detailText(row.hit));
    default: return {};
    }
}

}  // namespace tracedeck::ui
