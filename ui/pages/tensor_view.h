// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>

#include "core/report/tensor_summary.h"

class QLabel;
class QPlainTextEdit;
class QTableView;

namespace tracedeck::ui {

class FactsTable;
class HistogramView;
class LatestJob;
class TensorTableModel;
class WrappedLabel;

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
    void showSummary(const TensorSummary& summary);
    void showMessage(const QString& text);

    std::shared_ptr<const SafetensorsFile> m_file;
    TensorTableModel* m_model;
    QTableView* m_table;
    QWidget* m_details;
    WrappedLabel* m_title;
    WrappedLabel* m_message;
    FactsTable* m_facts;
    HistogramView* m_histogram;
    QLabel* m_valuesTitle;
    QPlainTextEdit* m_values;
    LatestJob* m_job;
};

}  // namespace tracedeck::ui
