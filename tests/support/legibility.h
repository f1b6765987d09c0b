// SPDX-License-Identifier: GPL-3.0-or-later
// What a user of a window could not read: texts that are cut, numbers that are elided, tables that do not fit.
#pragma once

#include <QAbstractButton>
#include <QCheckBox>
#include <QComboBox>
#include <QGroupBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QStyle>
#include <QStyleOptionComboBox>
#include <QTabBar>
#include <QTableView>
#include <QToolButton>
#include <QTreeView>
#include <QWidget>
#include <cmath>

#include "ui/style/name_box.h"
#include "ui/style/text.h"

namespace tracedeck::test {

/// As it is drawn: without the & of a mnemonic.
inline QString drawnText(QString text)
{
    static const QRegularExpression kMnemonic(QStringLiteral("&(.)"));
    return text.replace(kMnemonic, QStringLiteral("\\1"));
}

/// For a message: what the widget is and where.
inline QString placeOf(const QWidget* widget)
{
    QStringList path;
    for (; widget && !widget->isWindow() && path.size() < 4; widget = widget->parentWidget())
        if (!widget->objectName().isEmpty() || path.isEmpty())
            path.prepend(QString::fromLatin1(widget->metaObject()->className()).section(QStringLiteral("::"), -1) + (widget->objectName().isEmpty() ? QString() : QLatin1Char('#') + widget->objectName()));
    return path.join(QStringLiteral(" > "));
}

/// Width that the text of a control needs at least; 0: it shows none, or may shorten it (names of a dataset, with the whole in the tool tip).
inline int widthNeeded(const QWidget* widget)
{
    const auto advance = [widget](const QString& text) {
        int widest = 0;
        for (const QString& line : drawnText(text).split(QLatin1Char('\n')))
            widest = std::max(widest, widget->fontMetrics().horizontalAdvance(line));
        return widest;
    };
    if (const auto* label = qobject_cast<const QLabel*>(widget))
        return label->text().isEmpty() || label->wordWrap() ? 0 : label->textFormat() == Qt::PlainText ? advance(label->text()) : label->sizeHint().width();
    if (qobject_cast<const QCheckBox*>(widget) || qobject_cast<const QRadioButton*>(widget))
        return widget->sizeHint().width();
    if (const auto* button = qobject_cast<const QToolButton*>(widget)) {
        if (button->text().isEmpty() || button->toolButtonStyle() == Qt::ToolButtonIconOnly || button->arrowType() != Qt::NoArrow)
            return 0;
        return advance(button->text()) + (button->icon().isNull() ? 0 : button->iconSize().width() + 4);
    }
    if (const auto* button = qobject_cast<const QPushButton*>(widget))
        return button->text().isEmpty() ? 0 : advance(button->text()) + (button->icon().isNull() ? 0 : button->iconSize().width() + 4) + 8;
    if (const auto* edit = qobject_cast<const QLineEdit*>(widget))
        return edit->text().isEmpty() && !edit->placeholderText().isEmpty() ? advance(edit->placeholderText()) + 8 : 0;
    return 0;
}

/// Texts of the controls below `root` that are seen only in part, each with its place. `mayScroll`: a table may be wider than its room.
inline QStringList cutTexts(const QWidget* root, bool mayScroll = false)
{
    QStringList cut;
    const auto say = [&cut](const QWidget* widget, const QString& what, int has, int needs) {
        cut << QStringLiteral("%1: \"%2\" has %3 px of %4").arg(placeOf(widget), what.left(60)).arg(has).arg(needs);
    };
    for (const QWidget* widget : root->findChildren<QWidget*>()) {
        if (!widget->isVisible() || widget->objectName().startsWith(QStringLiteral("qt_")) || widget->visibleRegion().isEmpty())
            continue;
        const auto* label = qobject_cast<const QLabel*>(widget);
        const QString text = label ? label->text() : widget->property("text").toString().isEmpty() ? widget->property("placeholderText").toString() : widget->property("text").toString();
        if (const int needs = widthNeeded(widget); needs > widget->contentsRect().width() + 1)
            say(widget, text, widget->contentsRect().width(), needs);
        if (label && label->wordWrap() && !label->text().isEmpty() && label->heightForWidth(label->width()) > label->height() + 2)
            say(widget, text, label->height(), label->heightForWidth(label->width()));
        // A name of the dataset may be shortened, and is whole in the tool tip; a word of ours may not.
        if (const auto* box = qobject_cast<const QComboBox*>(widget);
            box && !box->isEditable() && (!qobject_cast<const ui::NameBox*>(widget) || box->currentData().typeId() == QMetaType::Int)) {
            QStyleOptionComboBox option;
            option.initFrom(box);
            const int room = box->style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, box).width();
            const int needs = box->fontMetrics().horizontalAdvance(box->currentText()) + 2 + (box->itemIcon(box->currentIndex()).isNull() ? 0 : box->iconSize().width() + 4);
            if (needs > room)
                say(box, box->currentText(), room, needs);
        }
        // What has a text and lies partly outside of what it is in, except where one scrolls up and down.
        if ((widthNeeded(widget) > 0 || (label && !label->text().isEmpty()))) {
            const QRect seen = widget->visibleRegion().boundingRect();
            bool scrolls = false;
            for (const QWidget* parent = widget->parentWidget(); parent && !parent->isWindow(); parent = parent->parentWidget())
                scrolls = scrolls || qobject_cast<const QAbstractScrollArea*>(parent);
            if (seen.width() < widget->width() - 1)
                say(widget, text + QStringLiteral(" (covered)"), seen.width(), widget->width());
            else if (!scrolls && seen.height() < widget->height() - 1)
                say(widget, text + QStringLiteral(" (covered)"), seen.height(), widget->height());
        }
        if (const auto* bar = qobject_cast<const QTabBar*>(widget)) {
            int end = 0;
            for (int tab = 0; tab < bar->count(); ++tab)
                if (bar->isTabVisible(tab))
                    end = std::max(end, bar->tabRect(tab).right());
            if (!bar->tabsClosable() && end > bar->width())   // documents that are open may be many
                say(bar, bar->tabText(bar->count() - 1), bar->width(), end);
        }
        if (const auto* header = qobject_cast<const QHeaderView*>(widget); header && header->orientation() == Qt::Horizontal && header->model()) {
            for (int section = 0; section < header->count(); ++section) {
                if (header->isSectionHidden(section) || header->sectionViewportPosition(section) >= header->viewport()->width())
                    continue;
                const QString title = header->model()->headerData(section, Qt::Horizontal).toString();
                const int needs = header->fontMetrics().horizontalAdvance(title) + 2 * header->style()->pixelMetric(QStyle::PM_HeaderMargin, nullptr, header);
                if (!title.isEmpty() && needs > header->sectionSize(section))
                    say(header, title + QStringLiteral(" (column)"), header->sectionSize(section), needs);
            }
        }
        if (const auto* area = qobject_cast<const QAbstractScrollArea*>(widget)) {
            const bool isPage = qobject_cast<const QScrollArea*>(widget) || (!mayScroll && qobject_cast<const QTableView*>(widget));
            if (isPage && area->horizontalScrollBar()->maximum() > 0 && area->horizontalScrollBarPolicy() != Qt::ScrollBarAlwaysOff)
                say(widget, QStringLiteral("(scrolls sideways)"), area->viewport()->width(), area->viewport()->width() + area->horizontalScrollBar()->maximum());
        }
        if (const auto* table = qobject_cast<const QTableView*>(widget); table && table->model()) {
            const int last = table->rowAt(table->viewport()->height() - 1);
            for (int row = std::max(table->rowAt(0), 0); row < table->model()->rowCount() && (last < 0 || row <= last); ++row)
                for (int column = 0; column < table->model()->columnCount(); ++column) {
                    const QModelIndex index = table->model()->index(row, column);
                    const QVariant value = index.data();
                    if (table->isColumnHidden(column) || !(index.data(Qt::TextAlignmentRole).toInt() & Qt::AlignRight) || value.toString().isEmpty())
                        continue;
                    const QVariant font = index.data(Qt::FontRole);
                    const int needs = QFontMetrics(font.isValid() ? font.value<QFont>() : table->font()).horizontalAdvance(value.toString());
                    if (needs > table->columnWidth(column))
                        say(table, value.toString() + QStringLiteral(" (number)"), table->columnWidth(column), needs);
                }
        }
    }
    cut.removeDuplicates();
    return cut;
}

}  // namespace tracedeck::test
