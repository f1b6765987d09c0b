// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/column_widths.h"

#include <QEvent>
#include <QHeaderView>
#include <QScrollBar>
#include <QTableView>
#include <algorithm>
#include <utility>

#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

constexpr int kNarrowestColumn = 72;
constexpr int kNarrowestMain = 116;
constexpr int kColumnTitleAir = 18;   // the margins of a header
constexpr int kColumnSortArrow = 30;
constexpr int kColumnChip = 24;
constexpr int kMainShares = 3;

/// The header's own hint keeps room for an arrow in every section once one is shown, and has none for hidden sections.
int titleWidth(const QTableView* view, int column)
{
    const QHeaderView* header = view->horizontalHeader();
    const bool isSorted = header->isSortIndicatorShown() && header->sortIndicatorSection() == column;
    const bool hasChip = !view->model()->headerData(column, Qt::Horizontal, Qt::DecorationRole).isNull();
    return header->fontMetrics().horizontalAdvance(view->model()->headerData(column, Qt::Horizontal).toString()) + kColumnTitleAir + (isSorted ? kColumnSortArrow : 0) +
           (hasChip ? kColumnChip : 0);
}

}  // namespace

std::vector<int> wantedColumnWidths(const QTableView* view, int widest)
{
    std::vector<int> wanted;
    const QAbstractItemView* items = view;   // a table view hides its hint
    for (int column = 0; column < view->horizontalHeader()->count(); ++column) {
        const int title = titleWidth(view, column);
        wanted.push_back(std::max(std::min(items->sizeHintForColumn(column) + Space::kNormal, widest), title));
    }
    return wanted;
}

void shareColumnWidths(QTableView* view, const std::vector<int>& wanted, const std::vector<int>& texts, int main)
{
    const auto widthOf = [&wanted](int column) { return wanted[static_cast<std::size_t>(column)]; };
    std::vector<int> shared;
    int left = view->viewport()->width();
    const QScrollBar* bar = view->verticalScrollBar();
    const bool willScroll = view->model()->rowCount() > view->viewport()->height() / view->verticalHeader()->defaultSectionSize();
    if (willScroll && !bar->isVisible())
        left -= bar->sizeHint().width();   // it comes with the next layout
    for (int column = 0; column < static_cast<int>(wanted.size()); ++column) {
        if (view->isColumnHidden(column))
            continue;
        if (std::find(texts.begin(), texts.end(), column) != texts.end()) {
            shared.push_back(column);
            continue;
        }
        view->setColumnWidth(column, widthOf(column));
        left -= widthOf(column);
    }
    // Who wants less than a share leaves the rest to the others: first those who want least for each share that they have.
    const auto sharesOf = [main](int column) { return column == main ? kMainShares : 1; };
    std::sort(shared.begin(), shared.end(), [&](int a, int b) { return widthOf(a) * sharesOf(b) < widthOf(b) * sharesOf(a); });
    const auto narrowestOf = [&](int column) { return std::min(widthOf(column), std::max(column == main ? kNarrowestMain : kNarrowestColumn, titleWidth(view, column))); };
    int shares = 0;
    int reserved = 0;   // what those that follow need at least
    for (const int column : shared) {
        shares += sharesOf(column);
        reserved += narrowestOf(column);
    }
    for (const int column : shared) {
        reserved -= narrowestOf(column);
        const int width = std::max(std::min({widthOf(column), left * sharesOf(column) / shares, left - reserved}), narrowestOf(column));
        view->setColumnWidth(column, width);
        left -= width;
        shares -= sharesOf(column);
    }
}

void placeColumnsBehind(QTableView* view, int column, int first, int count)
{
    QHeaderView* header = view->horizontalHeader();
    for (int i = 0; i < count && first + i < header->count(); ++i) {
        const int from = header->visualIndex(first + i);
        const int behind = header->visualIndex(i == 0 ? column : first + i - 1);
        header->moveSection(from, from < behind ? behind : behind + 1);
    }
}

ColumnSharing::ColumnSharing(QTableView* view, std::vector<int> texts, int widest, int main)
    : QObject(view), m_view(view), m_texts(std::move(texts)), m_widest(widest), m_main(main)
{
    view->horizontalHeader()->setStretchLastSection(false);   // its changes would look like the user's
    view->viewport()->installEventFilter(this);
    connect(view->model(), &QAbstractItemModel::modelReset, this, &ColumnSharing::measure);
    for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::columnsInserted, &QAbstractItemModel::columnsRemoved})
        connect(view->model(), signal, this, &ColumnSharing::measure);
    connect(view->model(), &QAbstractItemModel::dataChanged, this, [this](const QModelIndex&, const QModelIndex&, const QList<int>& roles) {
        if (roles.isEmpty() || roles.contains(Qt::DisplayRole))
            measure();
    });
    connect(view->horizontalHeader(), &QHeaderView::sectionResized, this, [this](int, int before, int now) {
        if (m_sharing)
            return;
        m_byHand = m_byHand || (before > 0 && now > 0);   // to or from 0: hidden or shown
        shareSoon();
    });
    measure();
}

void ColumnSharing::measure()
{
    if (m_isWantedGiven)
        return;
    m_wanted.clear();
    shareSoon();
}

void ColumnSharing::shareSoon()
{
    if (std::exchange(m_isAsked, true))
        return;
    QMetaObject::invokeMethod(this, &ColumnSharing::share, Qt::QueuedConnection);   // when the layout has given the table its width
}

void ColumnSharing::share()
{
    m_isAsked = false;
    if (m_byHand || !m_view->isVisible())
        return;
    if (m_wanted.empty())
        m_wanted = wantedColumnWidths(m_view, m_widest);
    std::vector<int> wanted = m_wanted;
    for (std::size_t column = 0; column < wanted.size(); ++column)
        wanted[column] = std::max(wanted[column], titleWidth(m_view, static_cast<int>(column)));   // given ones do not know the titles' language
    m_sharing = true;
    shareColumnWidths(m_view, wanted, m_texts, m_main);
    m_sharing = false;
}

void ColumnSharing::setWanted(std::vector<int> widths)
{
    m_wanted = std::move(widths);
    m_isWantedGiven = true;
    shareSoon();
}

void ColumnSharing::setTexts(std::vector<int> texts, int main)
{
    m_texts = std::move(texts);
    m_main = main;
    measure();
    shareSoon();
}

bool ColumnSharing::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize || event->type() == QEvent::Show)
        shareSoon();
    return QObject::eventFilter(watched, event);
}

}  // namespace tracedeck::ui
