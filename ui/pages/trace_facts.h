// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTreeWidget>

#include "core/model/trace.h"
#include "core/store/dataset.h"

namespace tracedeck::ui {

/// All fields of a trace, in groups; unknown keys too.
class TraceFacts : public QTreeWidget {
    Q_OBJECT
public:
    explicit TraceFacts(QWidget* parent = nullptr);
    /// `file`: where the trace stands.
    void showTrace(const Trace& trace, const Dataset& dataset, const QString& file);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QTreeWidgetItem* addSection(const QString& title);
    void sizeNames();
    void copyValue();
};

}  // namespace tracedeck::ui
