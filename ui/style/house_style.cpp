// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/house_style.h"

#include <QAbstractItemView>
#include <QPainter>
#include <QStyleFactory>
#include <QStyleOption>

#include "ui/style/theme.h"

namespace tracedeck::ui {

HouseStyle::HouseStyle() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

int HouseStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const
{
    switch (metric) {
    case PM_FocusFrameHMargin:
        return qobject_cast<const QAbstractItemView*>(widget) ? 6 : QProxyStyle::pixelMetric(metric, option, widget);
    case PM_HeaderMargin: return 7;
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
    case PE_IndicatorToolBarSeparator: {
        painter->save();
        painter->setPen(QPen(themeColors().line, 1));
        const int x = option->rect.center().x();
        painter->drawLine(x, option->rect.top() + 4, x, option->rect.bottom() - 4);
        painter->restore();
        return;
    }
    case PE_PanelStatusBar:
    case PE_FrameStatusBarItem: return;
    default: QProxyStyle::drawPrimitive(element, option, painter, widget);
    }
}

void HouseStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                             const QWidget* widget) const
{
    switch (element) {
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
