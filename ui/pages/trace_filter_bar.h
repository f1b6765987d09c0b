// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>
#include <set>

#include "core/store/query.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTimer;

namespace tracedeck::ui {

class CheckListButton;
class Workspace;

/// The controls above the trace table: scope, filter box, quick filters, count. Knows what the user wants to see as one
/// comparable value, and says when it changed; typing is answered after a short pause.
class TraceFilterBar : public QWidget {
    Q_OBJECT
public:
    enum class Scope { WholeDataset, Definition, Solution };

    explicit TraceFilterBar(Workspace* workspace, QWidget* parent = nullptr);
    ~TraceFilterBar() override;

    /// What is asked for now.
    [[nodiscard]] TraceFilter filter() const;
    /// True when anything but the scope restricts the rows.
    [[nodiscard]] bool isFiltering() const;
    /// True while the pause after typing lasts.
    [[nodiscard]] bool isPending() const;
    void setScope(Scope scope);
    void setText(const QString& text);
    void setSolutions(const QStringList& solutions);
    void setStatuses(const std::set<Status>& statuses);
    /// Only what was measured then, in microseconds since 1970; `title` says what that is: a run. nullopt: whenever.
    void setTimes(const std::optional<ValueRange>& times, const QString& title = {});
    void setCount(qint64 shown, qint64 total);
    void focusText();
    /// Offers what the workspace's dataset and current definition have; icons depend on the theme.
    void rebuildChoices();
    /// Which statuses occur in the dataset; counting them is a job.
    void offerStatuses(const tracedeck::StatusCounts& counts);

public slots:
    void reset();

signals:
    void filterChanged();
    /// Enter or Esc in the filter box: back to the table.
    void tableWanted();

private:
    void emitNow();

    Workspace* m_workspace;
    QComboBox* m_scope;
    QLineEdit* m_text;
    CheckListButton* m_status;
    CheckListButton* m_solution;
    CheckListButton* m_hardware;
    CheckListButton* m_folder;   ///< of joined datasets
    StatusCounts m_statuses{};        ///< of the dataset, as far as known
    QPushButton* m_times;             ///< what m_range is; a click lets go of it
    std::optional<ValueRange> m_range;
    QPushButton* m_reset;
    QLabel* m_count;
    QTimer* m_debounce;
};

}  // namespace tracedeck::ui
