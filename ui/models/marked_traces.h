// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <memory>

#include "core/store/query.h"

namespace tracedeck::ui {

class Workspace;

/// The traces that are marked: selected in a table, or within a box drawn in a chart. Tables and charts show them all alike.
class MarkedTraces : public QObject {
    Q_OBJECT
public:
    explicit MarkedTraces(Workspace* workspace);

    /// Rows in the workspace's snapshot, ascending. Never null.
    [[nodiscard]] const std::shared_ptr<const RowIndex>& rows() const { return m_rows; }
    [[nodiscard]] bool isEmpty() const { return m_rows->empty(); }
    [[nodiscard]] bool contains(std::uint32_t row) const;

public slots:
    /// These and no others; in any order.
    void mark(tracedeck::RowIndex rows);
    void toggle(quint32 row);
    void clear() { mark({}); }

signals:
    void changed();

private:
    std::shared_ptr<const RowIndex> m_rows = std::make_shared<const RowIndex>();
};

}  // namespace tracedeck::ui
