// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace tracedeck::ui {

/// Draws a recent dataset: folder name, path and counts, and a small bar of how its traces ended.
class RecentDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    enum Role { PathRole = Qt::UserRole, CountsRole, StatusesRole /* QList<qint64>, by Status */, ShareRole /* in words */, MissingRole };
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace tracedeck::ui
