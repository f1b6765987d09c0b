// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <functional>
#include <stop_token>

#include "core/report/tensor_summary.h"

class QLabel;
class QPlainTextEdit;

namespace tracedeck::ui {

class FactsTable;
class HistogramView;
class LatestJob;
class WrappedLabel;

/// What the values of one tensor are like: statistics, a histogram and the first values, read on a thread; or a sentence that says
/// why there are none.
class TensorSummaryPanel : public QWidget {
    Q_OBJECT
public:
    explicit TensorSummaryPanel(QWidget* parent = nullptr);
    /// `read` runs on a thread. `note`, when not empty, stays above the values.
    void showValues(const QString& name, std::function<Result<TensorSummary>(std::stop_token)> read, const QString& note = {});
    void showMessage(const QString& name, const QString& text);
    [[nodiscard]] bool isBusy() const;

private:
    void showSummary(const TensorSummary& summary, const QString& note);
    void hideValues();

    WrappedLabel* m_title;
    WrappedLabel* m_message;
    FactsTable* m_facts;
    HistogramView* m_histogram;
    QLabel* m_valuesTitle;
    QPlainTextEdit* m_values;
    LatestJob* m_job;
};

}  // namespace tracedeck::ui
