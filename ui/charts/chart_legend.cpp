// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_legend.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <algorithm>
#include <utility>

#include "ui/charts/empty_chip.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

constexpr int kSolutionRole = Qt::UserRole;
enum Column { Name, Counts };

/// Length of what all names begin with, up to and with a separator; 0 when that is too short to be worth leaving out.
qsizetype commonPrefix(const std::vector<Series>& series)
{
    constexpr qsizetype kWorthwhile = 8;
    if (series.size() < 2) {
        return 0;
    }
    const QString first = QString::fromStdString(series.front().solution);
    qsizetype length = first.size();
    for (const Series& line : series) {
        const QString name = QString::fromStdString(line.solution);
        qsizetype same = 0;
        while (same < length && same < name.size() && name.at(same) == first.at(same)) {
            ++same;
        }
        length = same;
    }
    while (length > 0 && first.at(length - 1).isLetterOrNumber()) {
        --length;
    }
    return length >= kWorthwhile ? length : 0;
}

}  // namespace

ChartLegend::ChartLegend(QWidget* parent) : QTreeWidget(parent)
{
    setObjectName(QStringLiteral("chartLegend"));
    setAccessibleName(tr("Lines of the chart"));
    setColumnCount(2);
    setHeaderHidden(true);
    setRootIsDecorated(false);
    setUniformRowHeights(true);
    setFrameShape(QFrame::NoFrame);
    setTextElideMode(Qt::ElideMiddle);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setMouseTracking(true);
    setIconSize(QSize(14, 14));
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setMinimumWidth(160);
    header()->setStretchLastSection(false);
    header()->setSectionResizeMode(Name, QHeaderView::Stretch);
    header()->setSectionResizeMode(Counts, QHeaderView::ResizeToContents);
    setContextMenuPolicy(Qt::CustomContextMenu);
    connect(this, &QWidget::customContextMenuRequested, this, &ChartLegend::showMenu);
    connect(this, &QTreeWidget::itemEntered, this, [this](QTreeWidgetItem* item) { emit emphasisChanged(item->data(Name, kSolutionRole).toString()); });
}

ChartLegend::~ChartLegend() = default;

void ChartLegend::setSeries(const std::vector<Series>& series, const QString& definition)
{
    const QString current = currentItem() ? currentItem()->data(Name, kSolutionRole).toString() : QString();
    clear();
    const qsizetype prefix = commonPrefix(series);
    for (const Series& line : series) {
        const QString solution = QString::fromStdString(line.solution);
        const auto failed = std::count_if(line.points.begin(), line.points.end(), [](const SeriesPoint& point) { return point.failed; });
        const auto passed = static_cast<std::ptrdiff_t>(line.points.size()) - failed;
        auto* item = new QTreeWidgetItem(this);
        item->setText(Name, visibleText(prefix > 0 ? QStringLiteral("…") + solution.mid(prefix) : nameWithoutDefinition(solution, definition)));
        item->setSizeHint(Name, QSize(0, kRowHeight));
        item->setData(Name, kSolutionRole, solution);
        item->setText(Counts, failed > 0 ? QStringLiteral("%1 ✓  %2 ✕").arg(passed).arg(failed) : QStringLiteral("%1 ✓").arg(passed));
        item->setTextAlignment(Counts, Qt::AlignRight | Qt::AlignVCenter);
        item->setToolTip(Name, plainToolTip(tr("%1 by %2\nClick: off or on. Double click or Ctrl+click: alone.").arg(solution, QString::fromStdString(line.author))));
        item->setToolTip(Counts, tr("%1 passed, %2 failed").arg(passed).arg(failed));
        if (solution == current) {
            setCurrentItem(item);
        }
    }
    updateItems();
}

void ChartLegend::toggle(const QString& solution)
{
    QSet<QString> hidden = m_hidden;
    if (!hidden.remove(solution)) {
        hidden.insert(solution);
    }
    setHidden(hidden);
}

void ChartLegend::isolate(const QString& solution)
{
    QSet<QString> others = allSolutions();
    others.remove(solution);
    setHidden((m_hidden & allSolutions()) == others ? QSet<QString>() : others);
}

void ChartLegend::showAll() { setHidden({}); }

QSet<QString> ChartLegend::allSolutions() const
{
    QSet<QString> all;
    for (int row = 0; row < topLevelItemCount(); ++row) {
        all.insert(topLevelItem(row)->data(Name, kSolutionRole).toString());
    }
    return all;
}

void ChartLegend::setHidden(const QSet<QString>& hidden)
{
    if (hidden == m_hidden) {
        return;
    }
    m_hidden = hidden;
    updateItems();
    emit hiddenChanged(m_hidden);
}

void ChartLegend::updateItems()
{
    const ThemeColors& theme = themeColors();
    for (int row = 0; row < topLevelItemCount(); ++row) {
        QTreeWidgetItem* item = topLevelItem(row);
        const QString solution = item->data(Name, kSolutionRole).toString();
        const bool off = m_hidden.contains(solution);
        item->setIcon(Name, off ? emptyChip(solution) : seriesChip(solution));
        item->setForeground(Name, off ? theme.muted : theme.text);
        item->setForeground(Counts, theme.muted);
        item->setData(Name, Qt::AccessibleTextRole, (off ? tr("%1, switched off") : tr("%1, shown")).arg(visibleText(solution)));
    }
}

QString ChartLegend::solutionAt(const QPoint& position) const
{
    const QTreeWidgetItem* item = itemAt(position);
    return item ? item->data(Name, kSolutionRole).toString() : QString();
}

void ChartLegend::mouseReleaseEvent(QMouseEvent* event)
{
    QTreeWidget::mouseReleaseEvent(event);
    const QString solution = solutionAt(event->position().toPoint());
    if (event->button() != Qt::LeftButton || solution.isEmpty() || std::exchange(m_endsDoubleClick, false)) {
        return;
    }
    m_hiddenBeforeClick = m_hidden;
    if (event->modifiers() & Qt::ControlModifier) {
        isolate(solution);
    } else {
        toggle(solution);
    }
}

void ChartLegend::mouseDoubleClickEvent(QMouseEvent* event)
{
    const QString solution = solutionAt(event->position().toPoint());
    if (event->button() == Qt::LeftButton && !solution.isEmpty()) {
        m_hidden = m_hiddenBeforeClick;   // the first click of the two has toggled it
        isolate(solution);
        updateItems();
        emit hiddenChanged(m_hidden);
        m_endsDoubleClick = true;   // its release must not toggle
    }
    event->accept();
}

void ChartLegend::keyPressEvent(QKeyEvent* event)
{
    const QString solution = currentItem() ? currentItem()->data(Name, kSolutionRole).toString() : QString();
    if (!solution.isEmpty() && event->key() == Qt::Key_Space) {
        toggle(solution);
        return;
    }
    if (!solution.isEmpty() && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)) {
        isolate(solution);
        return;
    }
    QTreeWidget::keyPressEvent(event);
    if (currentItem()) {
        emit emphasisChanged(currentItem()->data(Name, kSolutionRole).toString());
    }
}

void ChartLegend::leaveEvent(QEvent* event)
{
    QTreeWidget::leaveEvent(event);
    emit emphasisChanged({});
}

void ChartLegend::changeEvent(QEvent* event)
{
    QTreeWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        updateItems();
    }
}

void ChartLegend::showMenu(const QPoint& position)
{
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const QString solution = solutionAt(position);
    if (!solution.isEmpty()) {
        connect(menu->addAction(tr("Show only this line")), &QAction::triggered, this, [this, solution] { isolate(solution); });
    }
    QAction* all = menu->addAction(tr("Show all lines"));
    all->setEnabled(!m_hidden.isEmpty());
    connect(all, &QAction::triggered, this, &ChartLegend::showAll);
    menu->popup(viewport()->mapToGlobal(position));
}

}  // namespace tracedeck::ui
