// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/house_style.h"

#include <QAbstractItemView>
#include <QHeaderView>
#include <QPainter>
#include <QPainterPath>
#include <QStyleFactory>
#include <QStyleOption>

#include "ui/style/icons.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

constexpr qreal kRadius = 4;

/// Outline of boxes, buttons and fields: clearly visible on base and window, stronger than a separator.
QColor outlineColor(const QPalette& palette, QStyle::State state)
{
    if ((state & QStyle::State_HasFocus) && (state & QStyle::State_Enabled))
        return themeColors().accent;
    return palette.color(state & QStyle::State_Enabled ? QPalette::Active : QPalette::Disabled, QPalette::Mid);
}

void drawField(QPainter* painter, const QRect& rect, const QColor& fill, const QColor& outline)
{
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(outline, 1));
    painter->setBrush(fill);
    painter->drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), kRadius, kRadius);
    painter->restore();
}

void drawChevron(QPainter* painter, const QRectF& area, const QColor& color)
{
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(color, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    const QPointF centre = area.center();
    painter->drawPolyline(QPolygonF{{centre.x() - 3.5, centre.y() - 1.5}, {centre.x(), centre.y() + 2}, {centre.x() + 3.5, centre.y() - 1.5}});
    painter->restore();
}

void drawCheckBox(QPainter* painter, const QStyleOption* option)
{
    const bool enabled = option->state & QStyle::State_Enabled;
    const bool on = option->state & QStyle::State_On;
    const bool partly = option->state & QStyle::State_NoChange;
    const ThemeColors& colors = themeColors();
    const bool filled = (on || partly) && enabled;
    const QRectF box = QRectF(option->rect).adjusted(0.5, 0.5, -0.5, -0.5);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const bool onSelection = option->state & QStyle::State_Selected;
    painter->setPen(QPen(filled ? (onSelection ? colors.textOnAccent : colors.accentFill) : enabled ? colors.muted : option->palette.color(QPalette::Disabled, QPalette::Mid), 1));
    painter->setBrush(filled ? colors.accentFill : enabled ? colors.base : colors.window);
    painter->drawRoundedRect(box, 3, 3);
    painter->setPen(QPen(filled ? colors.textOnAccent : option->palette.color(QPalette::Disabled, QPalette::Text), 1.8, Qt::SolidLine,
                         Qt::RoundCap, Qt::RoundJoin));
    painter->setBrush(Qt::NoBrush);
    const auto at = [&box](qreal x, qreal y) { return QPointF(box.left() + x * box.width(), box.top() + y * box.height()); };
    if (on)
        painter->drawPolyline(QPolygonF{at(0.24, 0.52), at(0.43, 0.71), at(0.77, 0.31)});
    else if (partly)
        painter->drawLine(at(0.27, 0.5), at(0.73, 0.5));
    painter->restore();
}

}  // namespace

HouseStyle::HouseStyle() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

int HouseStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const
{
    switch (metric) {
    case PM_FocusFrameHMargin:
        return qobject_cast<const QAbstractItemView*>(widget) ? 6 : QProxyStyle::pixelMetric(metric, option, widget);
    case PM_HeaderMargin: {
        // The margin of a vertical header would make rows taller than they are meant to be.
        const auto* header = qobject_cast<const QHeaderView*>(widget);
        return header && header->orientation() == Qt::Vertical ? 2 : 7;
    }
    case PM_LayoutLeftMargin:
    case PM_LayoutRightMargin:
    case PM_LayoutTopMargin:
    case PM_LayoutBottomMargin:
    case PM_LayoutHorizontalSpacing:
    case PM_LayoutVerticalSpacing: return Space::kNormal;
    case PM_SmallIconSize:
    case PM_ToolBarIconSize:
    case PM_ButtonIconSize:
    case PM_TabBarIconSize: return 16;
    case PM_ToolBarItemSpacing: return Space::kTight;
    case PM_ToolBarFrameWidth: return 2;
    case PM_ToolBarItemMargin: return 2;
    case PM_DockWidgetTitleMargin: return Space::kTight;
    case PM_DockWidgetSeparatorExtent:
    case PM_SplitterWidth: return 5;
    case PM_TabBarTabHSpace: return 24;
    case PM_TabBarTabVSpace: return 12;
    case PM_MenuBarItemSpacing: return Space::kTight;
    case PM_TreeViewIndentation: return 16;
    case PM_IndicatorWidth:
    case PM_IndicatorHeight: return 15;
    case PM_ScrollBarExtent: return 12;
    default: return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

int HouseStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                          QStyleHintReturn* returnData) const
{
    switch (hint) {
    case SH_EtchDisabledText:
    case SH_DitherDisabledText: return 0;
    case SH_TabBar_Alignment: return Qt::AlignLeft;
    case SH_ItemView_ActivateItemOnSingleClick: return 0;
    case SH_ComboBox_Popup: return 0;
    case SH_Widget_Animation_Duration: return 100;
    default: return QProxyStyle::styleHint(hint, option, widget, returnData);
    }
}

void HouseStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                               const QWidget* widget) const
{
    switch (element) {
    case PE_Frame: {
        // One hairline instead of Fusion's bevel: frames separate, they do not decorate.
        painter->save();
        painter->setPen(QPen(themeColors().line, 1));
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
        painter->restore();
        return;
    }
    case PE_FrameTabWidget:
        painter->save();
        painter->setPen(QPen(themeColors().line, 1));
        painter->drawLine(option->rect.topLeft(), option->rect.topRight());
        painter->restore();
        return;
    case PE_FrameTabBarBase: {
        const auto* base = qstyleoption_cast<const QStyleOptionTabBarBase*>(option);
        if (!base || (base->shape != QTabBar::RoundedNorth && base->shape != QTabBar::TriangularNorth))
            break;
        painter->save();
        painter->setPen(QPen(themeColors().line, 1));
        painter->drawLine(option->rect.bottomLeft(), option->rect.bottomRight());
        painter->restore();
        return;
    }
    case PE_IndicatorToolBarSeparator: {
        painter->save();
        painter->setPen(QPen(themeColors().line, 1));
        const int x = option->rect.center().x();
        painter->drawLine(x, option->rect.top() + 4, x, option->rect.bottom() - 4);
        painter->restore();
        return;
    }
    case PE_IndicatorCheckBox:
    case PE_IndicatorItemViewItemCheck: drawCheckBox(painter, option); return;
    case PE_PanelButtonCommand: {
        const bool down = option->state & (State_Sunken | State_On);
        const bool hovered = (option->state & State_MouseOver) && (option->state & State_Enabled);
        const QColor fill = down      ? themeColors().chip
                            : hovered ? themeColors().alternateBase
                                      : option->palette.color(QPalette::Button);
        drawField(painter, option->rect, fill, outlineColor(option->palette, option->state));
        return;
    }
    case PE_PanelLineEdit: {
        const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
        if (!frame || frame->lineWidth <= 0)
            break;
        drawField(painter, option->rect, option->palette.color(QPalette::Base), outlineColor(option->palette, option->state));
        return;
    }
    case PE_IndicatorHeaderArrow: {
        // Fusion puts it at the upper edge of a header.
        const auto* header = qobject_cast<const QHeaderView*>(widget);
        const auto* arrow = qstyleoption_cast<const QStyleOptionHeader*>(option);
        if (!arrow || !header || header->orientation() == Qt::Vertical)
            break;
        QStyleOptionHeader centred(*arrow);
        centred.rect.moveCenter(QPoint(arrow->rect.center().x(), header->height() / 2));
        QProxyStyle::drawPrimitive(element, &centred, painter, widget);
        return;
    }
    case PE_IndicatorTabClose: {
        const bool hovered = option->state & State_MouseOver;
        if (hovered) {
            painter->save();
            painter->setRenderHint(QPainter::Antialiasing);
            painter->setPen(Qt::NoPen);
            painter->setBrush(themeColors().chip);
            painter->drawRoundedRect(option->rect, kRadius, kRadius);
            painter->restore();
        }
        const QSize size(14, 14);
        icon(QStringLiteral("close"), hovered ? themeColors().text : themeColors().muted)
            .paint(painter, QRect(option->rect.center() - QPoint(size.width() / 2 - 1, size.height() / 2 - 1), size));
        return;
    }
    case PE_PanelStatusBar:
    case PE_FrameStatusBarItem: return;
    default: break;
    }
    QProxyStyle::drawPrimitive(element, option, painter, widget);
}

void HouseStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                                    const QWidget* widget) const
{
    const auto* box = control == CC_ComboBox ? qstyleoption_cast<const QStyleOptionComboBox*>(option) : nullptr;
    if (!box || box->editable || !box->frame) {
        QProxyStyle::drawComplexControl(control, option, painter, widget);
        return;
    }
    const bool hovered = (box->state & State_MouseOver) && (box->state & State_Enabled);
    drawField(painter, box->rect, hovered ? themeColors().alternateBase : box->palette.color(QPalette::Button),
              outlineColor(box->palette, box->state));
    const QRect arrow = subControlRect(CC_ComboBox, box, SC_ComboBoxArrow, widget);
    drawChevron(painter, arrow, box->palette.color(box->state & State_Enabled ? QPalette::Active : QPalette::Disabled, QPalette::ButtonText));
}

QIcon HouseStyle::standardIcon(StandardPixmap which, const QStyleOption* option, const QWidget* widget) const
{
    switch (which) {
    case SP_TitleBarCloseButton:
    case SP_DockWidgetCloseButton:
    case SP_LineEditClearButton: return icon(QStringLiteral("close"));
    case SP_TitleBarNormalButton:
    case SP_TitleBarMaxButton: return icon(QStringLiteral("float"));
    default: return QProxyStyle::standardIcon(which, option, widget);
    }
}

void HouseStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                             const QWidget* widget) const
{
    switch (element) {
    case CE_ComboBoxLabel: {
        const auto* box = qstyleoption_cast<const QStyleOptionComboBox*>(option);
        if (!box || box->editable)
            break;
        QStyleOptionComboBox fitted(*box);
        int room = subControlRect(CC_ComboBox, box, SC_ComboBoxEditField, widget).width() - 2;
        if (!box->currentIcon.isNull())
            room -= box->iconSize.width() + Space::kTight;
        fitted.currentText = box->fontMetrics.elidedText(box->currentText, Qt::ElideMiddle, room);
        QProxyStyle::drawControl(element, &fitted, painter, widget);
        return;
    }
    case CE_TabBarTabShape: {
        const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option);
        if (!tab || (tab->shape != QTabBar::RoundedNorth && tab->shape != QTabBar::TriangularNorth &&
                     tab->shape != QTabBar::RoundedSouth && tab->shape != QTabBar::TriangularSouth))
            break;
        painter->save();
        const bool selected = tab->state & State_Selected;
        const bool hovered = tab->state & State_MouseOver;
        const bool north = tab->shape == QTabBar::RoundedNorth || tab->shape == QTabBar::TriangularNorth;
        if (hovered && !selected)
            painter->fillRect(tab->rect.adjusted(0, 0, 0, -1), themeColors().chip);
        if (selected) {
            QRect mark = tab->rect.adjusted(Space::kNormal, 0, -Space::kNormal, 0);
            if (north)
                mark.setTop(tab->rect.bottom() - 1);
            else
                mark.setBottom(tab->rect.top() + 1);
            painter->fillRect(mark, themeColors().accent);
        }
        painter->restore();
        return;
    }
    case CE_HeaderSection: {
        const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option);
        if (!header)
            break;
        painter->save();
        painter->fillRect(header->rect, header->palette.color(QPalette::Window));
        painter->setPen(QPen(themeColors().line, 1));
        painter->drawLine(header->rect.bottomLeft(), header->rect.bottomRight());
        if (header->orientation == Qt::Horizontal && header->position != QStyleOptionHeader::End &&
            header->position != QStyleOptionHeader::OnlyOneSection)
            painter->drawLine(header->rect.right(), header->rect.top() + 6, header->rect.right(), header->rect.bottom() - 6);
        painter->restore();
        return;
    }
    case CE_HeaderEmptyArea: {
        painter->fillRect(option->rect, option->palette.color(QPalette::Window));
        painter->save();
        painter->setPen(QPen(themeColors().line, 1));
        painter->drawLine(option->rect.bottomLeft(), option->rect.bottomRight());
        painter->restore();
        return;
    }
    case CE_ToolBar: {
        painter->save();
        painter->fillRect(option->rect, option->palette.color(QPalette::Window));
        painter->setPen(QPen(themeColors().line, 1));
        painter->drawLine(option->rect.bottomLeft(), option->rect.bottomRight());
        painter->restore();
        return;
    }
    case CE_MenuBarEmptyArea:
        painter->fillRect(option->rect, option->palette.color(QPalette::Window));
        return;
    default: break;
    }
    QProxyStyle::drawControl(element, option, painter, widget);
}

}  // namespace tracedeck::ui
