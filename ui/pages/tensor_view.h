// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>

#include "core/io/safetensors.h"

class QTableView;

namespace tracedeck::ui {

class TensorSummaryPanel;
class TensorTableModel;

/// The tensors of a safetensors file; of the chosen one statistics, a histogram and the first values, read on a thread.
class TensorView : public QWidget {
    Q_OBJECT
public:
    explicit TensorView(QWidget* parent = nullptr);
    /// Null: nothing.
    void setFile(std::shared_ptr<const SafetensorsFile> file);
    [[nodiscard]] bool isBusy() const;
    [[nodiscard]] QTableView* table() const { return m_table; }

private:
    void onCurrentChanged(int row);

    std::shared_ptr<const SafetensorsFile> m_file;
    TensorTableModel* m_model;
    QTableView* m_table;
    TensorSummaryPanel* m_details;
};

}  // namespace tracedeck::ui
