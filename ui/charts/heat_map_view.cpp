// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/heat_map_view.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "ui/charts/zoom_chart.h"
#include "ui/models/number_format.h"
#include "ui/style/status_look.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

constexpr int kLeastCell = 34;
constexpr int kMostCell = 112;
constexpr int kTallestCell = 40;
constexpr int kLongestLabel = 190;
/// Widths of texts are rounded; what is elided when it is just as wide as its place would be a pity.
constexpr int kRoundingAir = 4;
constexpr int kTallestTitle = 150;
constexpr int kGapOfCells = 1;
constexpr int kScaleWidth = 150;
constexpr int kScaleSteps = 60;
constexpr int kTitleOfPicture = 30;
constexpr int kNarrowestPicture = 640;
constexpr float kHatchAlpha = 0.55F;

/// The ends of the scale: blue and orange of Okabe and Ito's kind, as dark or light as the theme needs.
QColor fasterColor() { return isDarkTheme() ? QColor(0x56, 0xB4, 0xE9) : QColor(0x00, 0x5A, 0x9C); }
QColor slowerColor() { return isDarkTheme() ? QColor(0xF2, 0x8E, 0x2B) : QColor(0xB3, 0x4B, 0x00); }
QColor neutralColor() { return mixedColors(themeColors().text, themeColors().base, isDarkTheme() ? 0.16 : 0.08); }

/// Light from 0 to 1, as eyes see it.
double luminanceOf(const QColor& color)
{
    const auto linear = [](double part) { return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

/// Black or white, whichever reads better.
QColor inkOn(const QColor& fill) { return luminanceOf(fill) > 0.179 ? QColor(0x10, 0x14, 0x18) : QColor(Qt::white); }

}  // namespace

HeatMapView::HeatMapView(QWidget* parent) : QAbstractScrollArea(parent), m_map(std::make_shared<const HeatMap>())
{
    setObjectName(QStringLiteral("heatMap"));
    setAccessibleName(tr("Heat map"));
    setFocusPolicy(Qt::StrongFocus);
    setFrameShape(QFrame::NoFrame);
    viewport()->setMouseTracking(true);
}

HeatMapView::~HeatMapView() = default;

QColor HeatMapView::colorOf(double ratio, double greatestDoubling)
{
    const double share = std::clamp(std::log2(ratio) / greatestDoubling, -1.0, 1.0);
    return mixedColors(share >= 0 ? fasterColor() : slowerColor(), neutralColor(), std::abs(share));
}

void HeatMapView::setMap(std::shared_ptr<const HeatMap> map, HeatMapOrder order)
{
    std::optional<Place> kept;
    if (m_current && !m_map->isEmpty()) {
        const auto workload = std::find_if(map->workloads.begin(), map->workloads.end(), [this](const HeatMapWorkload& one) { return one.uuid == m_map->workloads[m_current->workload].uuid; });
        const auto solution = std::find_if(map->solutions.begin(), map->solutions.end(), [this](const HeatMapSolution& one) { return one.name == m_map->solutions[m_current->solution].name; });
        if (workload != map->workloads.end() && solution != map->solutions.end())
            kept = Place{static_cast<std::size_t>(workload - map->workloads.begin()), static_cast<std::size_t>(solution - map->solutions.begin())};
    }
    m_map = std::move(map);
    m_current = kept;
    m_doubling = m_map->greatestDoubling();
    setOrder(std::move(order));
}

void HeatMapView::setOrder(HeatMapOrder order)
{
    m_order = std::move(order);
    updateLayout();
    viewport()->update();
}

QString HeatMapView::titleOf(std::size_t solution) const
{
    return visibleText(nameWithoutDefinition(QString::fromStdString(m_map->solutions[solution].name), QString::fromStdString(m_map->question.definition)));
}

QString HeatMapView::labelOf(std::size_t workload) const
{
    const QString axes = QString::fromStdString(m_map->workloads[workload].axesText()).replace(QLatin1Char(';'), QStringLiteral(" · "));
    return visibleText(axes.isEmpty() ? QString::fromStdString(m_map->workloads[workload].uuid) : axes);
}

HeatMapView::Layout HeatMapView::layoutFor(int width, int height) const
{
    Layout layout;
    if (m_map->isEmpty())
        return layout;
    const QFontMetrics metrics = fontMetrics();
    for (const std::size_t workload : m_order.workloads)
        layout.labels = std::max(layout.labels, metrics.horizontalAdvance(labelOf(workload)));
    layout.labels = std::min(layout.labels + kRoundingAir, kLongestLabel) + 2 * Space::kNormal;
    int widestTitle = 0;
    for (const std::size_t solution : m_order.solutions)
        widestTitle = std::max(widestTitle, metrics.horizontalAdvance(titleOf(solution)));
    const int room = (width - layout.labels) / static_cast<int>(m_order.solutions.size());
    layout.cellWidth = std::clamp(room, kLeastCell, kMostCell);
    layout.isUpright = widestTitle + Space::kNormal > layout.cellWidth;
    layout.titles = (layout.isUpright ? std::min(widestTitle + kRoundingAir, kTallestTitle) : metrics.height()) + 2 * Space::kNormal;
    const int least = std::max(kRowHeight, metrics.height() + Space::kNormal);
    layout.cellHeight = std::clamp((height - layout.titles) / static_cast<int>(m_order.workloads.size()), least, std::max(least, kTallestCell));
    return layout;
}

void HeatMapView::updateLayout()
{
    m_layout = layoutFor(viewport()->width(), viewport()->height());
    const int wide = m_layout.labels + m_layout.cellWidth * static_cast<int>(m_order.solutions.size());
    const int high = m_layout.titles + m_layout.cellHeight * static_cast<int>(m_order.workloads.size());
    horizontalScrollBar()->setRange(0, std::max(0, wide - viewport()->width()));
    horizontalScrollBar()->setPageStep(viewport()->width());
    horizontalScrollBar()->setSingleStep(std::max(1, m_layout.cellWidth));
    verticalScrollBar()->setRange(0, std::max(0, high - viewport()->height()));
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(std::max(1, m_layout.cellHeight));
}

QPoint HeatMapView::scrolled() const { return {horizontalScrollBar()->value(), verticalScrollBar()->value()}; }

std::optional<std::pair<std::size_t, std::size_t>> HeatMapView::orderPlace(const Place& place) const
{
    const auto row = std::find(m_order.workloads.begin(), m_order.workloads.end(), place.workload);
    const auto column = std::find(m_order.solutions.begin(), m_order.solutions.end(), place.solution);
    if (row == m_order.workloads.end() || column == m_order.solutions.end())
        return std::nullopt;
    return std::pair{static_cast<std::size_t>(row - m_order.workloads.begin()), static_cast<std::size_t>(column - m_order.solutions.begin())};
}

QRect HeatMapView::cellRect(const Place& place) const
{
    const auto at = orderPlace(place);
    if (!at)
        return {};
    return QRect(m_layout.labels + static_cast<int>(at->second) * m_layout.cellWidth, m_layout.titles + static_cast<int>(at->first) * m_layout.cellHeight,
                 m_layout.cellWidth, m_layout.cellHeight)
        .translated(-scrolled());
}

std::optional<HeatMapView::Place> HeatMapView::placeAt(const QPoint& position) const
{
    if (m_map->isEmpty() || position.x() < m_layout.labels || position.y() < m_layout.titles)
        return std::nullopt;
    const QPoint inside = position + scrolled() - QPoint(m_layout.labels, m_layout.titles);
    const auto column = static_cast<std::size_t>(inside.x() / m_layout.cellWidth);
    const auto row = static_cast<std::size_t>(inside.y() / m_layout.cellHeight);
    if (column >= m_order.solutions.size() || row >= m_order.workloads.size())
        return std::nullopt;
    return Place{m_order.workloads[row], m_order.solutions[column]};
}

void HeatMapView::paintCell(QPainter& painter, const QRect& rect, const HeatMapCell& cell) const
{
    const ThemeColors& theme = themeColors();
    if (!cell.isRun())
        return;
    if (cell.isFailed()) {
        const StatusLook look = statusLook(cell.status);
        QColor hatch = look.color;
        hatch.setAlphaF(kHatchAlpha);
        painter.fillRect(rect, theme.base);
        painter.fillRect(rect, QBrush(hatch, Qt::BDiagPattern));
        const QFontMetrics metrics = painter.fontMetrics();
        const int side = std::max(metrics.height(), metrics.horizontalAdvance(look.symbol) + Space::kNormal);
        QRect plate(0, 0, std::min(side, rect.width()), std::min(metrics.height(), rect.height()));
        plate.moveCenter(rect.center());
        painter.fillRect(plate, theme.base);
        painter.setPen(look.color);
        painter.drawText(rect, Qt::AlignCenter, look.symbol);
        return;
    }
    if (!std::isfinite(cell.ratio)) {   // passed, with nothing to set it against
        painter.setPen(theme.muted);
        painter.drawText(rect, Qt::AlignCenter, statusLook(Status::Passed).symbol);
        return;
    }
    const QColor fill = colorOf(cell.ratio, m_doubling);
    painter.fillRect(rect, fill);
    for (const int digits : {4, 3, 2}) {
        const QString text = significantText(cell.ratio, digits);
        if (painter.fontMetrics().horizontalAdvance(text) + 4 > rect.width())
            continue;
        painter.setPen(inkOn(fill));
        painter.drawText(rect, Qt::AlignCenter, text);
        return;
    }
}

void HeatMapView::paintCells(QPainter& painter, const Layout& layout, const QRect& area, const QPoint& offset, bool isPicture) const
{
    const QRect cells = area.adjusted(layout.labels, layout.titles, 0, 0);
    painter.save();
    painter.setClipRect(cells);
    const int firstRow = std::max(0, offset.y() / layout.cellHeight);
    const int lastRow = std::min(static_cast<int>(m_order.workloads.size()) - 1, (offset.y() + cells.height()) / layout.cellHeight);
    const int firstColumn = std::max(0, offset.x() / layout.cellWidth);
    const int lastColumn = std::min(static_cast<int>(m_order.solutions.size()) - 1, (offset.x() + cells.width()) / layout.cellWidth);
    for (int row = firstRow; row <= lastRow; ++row) {
        for (int column = firstColumn; column <= lastColumn; ++column) {
            const QRect rect(cells.left() + column * layout.cellWidth - offset.x(), cells.top() + row * layout.cellHeight - offset.y(), layout.cellWidth - kGapOfCells,
                             layout.cellHeight - kGapOfCells);
            const Place place{m_order.workloads[static_cast<std::size_t>(row)], m_order.solutions[static_cast<std::size_t>(column)]};
            paintCell(painter, rect, m_map->at(place.workload, place.solution));
            if (!isPicture && m_current == place) {
                painter.setPen(QPen(hasFocus() ? themeColors().accent : themeColors().text, 2));
                painter.setBrush(Qt::NoBrush);
                painter.drawRect(rect.adjusted(1, 1, -1, -1));
            }
        }
    }
    painter.restore();
}

void HeatMapView::paintTitles(QPainter& painter, const Layout& layout, const QRect& area, const QPoint& offset) const
{
    const ThemeColors& theme = themeColors();
    const QFontMetrics metrics = painter.fontMetrics();
    painter.save();
    painter.setPen(theme.text);
    painter.setClipRect(area.adjusted(layout.labels, 0, 0, 0) & QRect(area.left(), area.top(), area.width(), layout.titles));
    for (std::size_t i = 0; i < m_order.solutions.size(); ++i) {
        const QRect title(area.left() + layout.labels + static_cast<int>(i) * layout.cellWidth - offset.x(), area.top(), layout.cellWidth, layout.titles - Space::kTight);
        if (!title.intersects(area))
            continue;
        const QString name = titleOf(m_order.solutions[i]);
        if (!layout.isUpright) {
            painter.drawText(title, Qt::AlignCenter, name);
            continue;
        }
        painter.save();
        painter.translate(title.bottomLeft());
        painter.rotate(-90);
        painter.drawText(QRect(0, 0, title.height(), title.width()), Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(name, Qt::ElideMiddle, title.height()));
        painter.restore();
    }
    painter.setClipRect(area.adjusted(0, layout.titles, 0, 0) & QRect(area.left(), area.top(), layout.labels, area.height()));
    for (std::size_t i = 0; i < m_order.workloads.size(); ++i) {
        const QRect label(area.left() + Space::kNormal, area.top() + layout.titles + static_cast<int>(i) * layout.cellHeight - offset.y(), layout.labels - 2 * Space::kNormal, layout.cellHeight);
        if (label.intersects(area))
            painter.drawText(label, Qt::AlignRight | Qt::AlignVCenter, metrics.elidedText(labelOf(m_order.workloads[i]), Qt::ElideMiddle, label.width()));
    }
    painter.restore();
}

void HeatMapView::paintEvent(QPaintEvent*)
{
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), themeColors().base);
    if (m_map->isEmpty())
        return;
    paintCells(painter, m_layout, viewport()->rect(), scrolled(), false);
    paintTitles(painter, m_layout, viewport()->rect(), scrolled());
}

QSize HeatMapView::pictureSize() const
{
    const Layout layout = layoutFor(std::max(viewport()->width(), kNarrowestPicture), 0);
    return {layout.labels + layout.cellWidth * static_cast<int>(m_order.solutions.size()) + Space::kPage,
            kTitleOfPicture + layout.titles + layout.cellHeight * static_cast<int>(m_order.workloads.size()) + fontMetrics().height() + 2 * Space::kPage};
}

void HeatMapView::paintPicture(QPainter& painter, const QString& title) const
{
    const Layout layout = layoutFor(std::max(viewport()->width(), kNarrowestPicture), 0);
    const QRect whole(QPoint(0, 0), pictureSize());
    painter.fillRect(whole, themeColors().base);
    QFont bold = font();
    bold.setBold(true);
    painter.setFont(bold);
    painter.setPen(themeColors().text);
    const QRect heading = whole.adjusted(Space::kNormal, 0, -Space::kNormal, 0);
    painter.drawText(QRect(heading.left(), 0, heading.width(), kTitleOfPicture), Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetrics(bold).elidedText(visibleText(title), Qt::ElideMiddle, heading.width()));
    painter.setFont(font());
    const int scale = fontMetrics().height() + Space::kPage;
    const QRect area = whole.adjusted(0, kTitleOfPicture, 0, -scale);
    paintCells(painter, layout, area, {}, true);
    paintTitles(painter, layout, area, {});
    HeatMapScale::paintScale(painter, QRect(Space::kNormal, whole.bottom() - scale + Space::kNormal, whole.width(), fontMetrics().height()), m_doubling);
}

void HeatMapView::setCurrent(const Place& place)
{
    if (m_current == place)
        return;
    m_current = place;
    const QRect rect = cellRect(place);
    const QRect sight = viewport()->rect().adjusted(m_layout.labels, m_layout.titles, 0, 0);
    const auto scroll = [](QScrollBar* bar, int before, int after) {
        if (before < 0)
            bar->setValue(bar->value() + before);
        else if (after > 0)
            bar->setValue(bar->value() + after);
    };
    scroll(horizontalScrollBar(), rect.left() - sight.left(), rect.right() - sight.right());
    scroll(verticalScrollBar(), rect.top() - sight.top(), rect.bottom() - sight.bottom());
    setAccessibleDescription(describe(place));
    QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
    viewport()->update();
    emit currentChanged(place);
}

QString HeatMapView::describe(const Place& place) const
{
    const HeatMapCell& cell = m_map->at(place.workload, place.solution);
    QStringList lines{visibleText(QString::fromStdString(m_map->solutions[place.solution].name)), labelOf(place.workload)};
    if (!cell.isRun()) {
        lines << tr("not run on this GPU");
        return lines.join(QLatin1Char('\n'));
    }
    const StatusLook look = statusLook(cell.status);
    if (std::isfinite(cell.ratio)) {
        switch (m_map->question.measure) {
        case HeatMeasure::Baseline: lines << tr("%1 against the baseline").arg(ratioText(cell.ratio)); break;
        case HeatMeasure::Reference: lines << tr("%1 over the reference").arg(ratioText(cell.ratio)); break;
        case HeatMeasure::Best: lines << tr("%1 of the fastest one's speed").arg(percentText(cell.ratio)); break;
        }
    } else if (!cell.isFailed()) {
        lines << tr("nothing to set it against");
    }
    if (std::isfinite(cell.latencyMs))
        lines << durationText(cell.latencyMs);
    lines << QStringLiteral("%1 %2").arg(look.symbol, look.word);
    return lines.join(QLatin1Char('\n'));
}

void HeatMapView::moveBy(int rows, int columns)
{
    if (m_map->isEmpty())
        return;
    const auto at = m_current ? orderPlace(*m_current) : std::nullopt;
    if (!at)
        return setCurrent({m_order.workloads.front(), m_order.solutions.front()});
    const auto moved = [](std::size_t from, int by, std::size_t count) { return static_cast<std::size_t>(std::clamp(static_cast<int>(from) + by, 0, static_cast<int>(count) - 1)); };
    setCurrent({m_order.workloads[moved(at->first, rows, m_order.workloads.size())], m_order.solutions[moved(at->second, columns, m_order.solutions.size())]});
}

void HeatMapView::keyPressEvent(QKeyEvent* event)
{
    constexpr int kFar = 1'000'000;
    const int page = m_layout.cellHeight > 0 ? std::max(1, (viewport()->height() - m_layout.titles) / m_layout.cellHeight - 1) : 1;
    switch (event->key()) {
    case Qt::Key_Left: moveBy(0, -1); return;
    case Qt::Key_Right: moveBy(0, 1); return;
    case Qt::Key_Up: moveBy(-1, 0); return;
    case Qt::Key_Down: moveBy(1, 0); return;
    case Qt::Key_PageUp: moveBy(-page, 0); return;
    case Qt::Key_PageDown: moveBy(page, 0); return;
    case Qt::Key_Home: moveBy(event->modifiers() & Qt::ControlModifier ? -kFar : 0, -kFar); return;
    case Qt::Key_End: moveBy(event->modifiers() & Qt::ControlModifier ? kFar : 0, kFar); return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (m_current)
            emit activated(*m_current);
        return;
    default: QAbstractScrollArea::keyPressEvent(event);
    }
}

void HeatMapView::mousePressEvent(QMouseEvent* event)
{
    const QPoint position = event->position().toPoint();
    if (event->button() != Qt::LeftButton || m_map->isEmpty())
        return;
    if (const auto place = placeAt(position)) {
        setCurrent(*place);
        emit activated(*place);
        return;
    }
    const QPoint inside = position + scrolled() - QPoint(m_layout.labels, m_layout.titles);
    if (position.y() < m_layout.titles && position.x() >= m_layout.labels) {
        if (const auto column = static_cast<std::size_t>(inside.x() / m_layout.cellWidth); column < m_order.solutions.size())
            emit solutionTitleClicked(m_order.solutions[column]);
    } else if (position.x() < m_layout.labels && position.y() >= m_layout.titles) {
        if (const auto row = static_cast<std::size_t>(inside.y() / m_layout.cellHeight); row < m_order.workloads.size())
            emit workloadTitleClicked(m_order.workloads[row]);
    }
}

void HeatMapView::mouseDoubleClickEvent(QMouseEvent* event) { mousePressEvent(event); }

bool HeatMapView::viewportEvent(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QAbstractScrollArea::viewportEvent(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    QString text;
    if (const auto place = placeAt(help->pos()))
        text = describe(*place);
    else if (!m_map->isEmpty() && help->pos().y() < m_layout.titles && help->pos().x() >= m_layout.labels) {
        const auto column = static_cast<std::size_t>((help->pos().x() + scrolled().x() - m_layout.labels) / m_layout.cellWidth);
        if (column < m_order.solutions.size()) {
            const HeatMapSolution& solution = m_map->solutions[m_order.solutions[column]];
            text = tr("%1\n%2 passed, %3 failed, geometric mean %4\nClick: sort the workloads by it")
                       .arg(QString::fromStdString(solution.name), countText(static_cast<qint64>(solution.passed)), countText(static_cast<qint64>(solution.failed)), ratioText(solution.geometricMean));
        }
    } else if (!m_map->isEmpty() && help->pos().x() < m_layout.labels && help->pos().y() >= m_layout.titles) {
        const auto row = static_cast<std::size_t>((help->pos().y() + scrolled().y() - m_layout.titles) / m_layout.cellHeight);
        if (row < m_order.workloads.size())
            text = tr("%1\nworkload %2\nClick: sort the solutions by it").arg(labelOf(m_order.workloads[row]), QString::fromStdString(m_map->workloads[m_order.workloads[row]].uuid));
    }
    if (text.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), plainToolTip(text), viewport());
    return true;
}

void HeatMapView::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    updateLayout();
}

void HeatMapView::changeEvent(QEvent* event)
{
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        updateLayout();
        viewport()->update();
    }
}

void HeatMapView::focusInEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusInEvent(event);
    viewport()->update();
}

void HeatMapView::focusOutEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
}

HeatMapScale::HeatMapScale(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("heatMapScale"));
    setToolTip(tr("Blue is faster, orange slower; hatched cells failed, blank ones were not run"));
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void HeatMapScale::setDoubling(double greatest)
{
    m_doubling = greatest;
    updateGeometry();
    update();
}

QSize HeatMapScale::sizeHint() const
{
    const QFontMetrics metrics = fontMetrics();
    const QString ends = tr("slower") + tr("faster") + tr("failed") + QStringLiteral("0.01562×64.00×");
    return {kScaleWidth + metrics.horizontalAdvance(ends) + metrics.height() + 6 * Space::kNormal, metrics.height() + Space::kTight};
}

void HeatMapScale::paintScale(QPainter& painter, const QRect& rect, double greatest)
{
    const QFontMetrics metrics = painter.fontMetrics();
    int x = rect.left();
    const auto write = [&](const QString& text) {
        painter.setPen(themeColors().muted);
        const int width = metrics.horizontalAdvance(text);
        painter.drawText(QRect(x, rect.top(), width + 2, rect.height()), Qt::AlignLeft | Qt::AlignVCenter, text);
        x += width + Space::kNormal;
    };
    write(tr("slower") + QLatin1Char(' ') + ratioText(std::exp2(-greatest)));
    const int high = metrics.ascent();
    const int top = rect.center().y() - high / 2;
    for (int i = 0; i < kScaleSteps; ++i) {
        const double share = 2.0 * i / (kScaleSteps - 1) - 1;
        const int left = x + i * kScaleWidth / kScaleSteps;
        painter.fillRect(QRect(left, top, x + (i + 1) * kScaleWidth / kScaleSteps - left, high), HeatMapView::colorOf(std::exp2(share * greatest), greatest));
    }
    x += kScaleWidth + Space::kNormal;
    write(ratioText(std::exp2(greatest)) + QLatin1Char(' ') + tr("faster"));
    x += Space::kNormal;
    QColor hatch = statusLook(Status::RuntimeError).color;
    hatch.setAlphaF(kHatchAlpha);
    painter.fillRect(QRect(x, top, high, high), QBrush(hatch, Qt::BDiagPattern));
    x += high + Space::kTight;
    write(tr("failed"));
}

void HeatMapScale::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    paintScale(painter, rect(), m_doubling);
}

}  // namespace tracedeck::ui
