// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QElapsedTimer>
#include <QFont>
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "core/run/run_event.h"
#include "core/store/dataset.h"
#include "ui/style/status_look.h"

namespace tracedeck::ui {

/// The pairs of a run with what has become of each.
class RunQueueModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Definition, Solution, Axes, Device, State, Latency, Speedup, Seconds, ColumnCount };
    enum class PairState { Queued, Running, Done, Problem, NotRun };

    /// Results so far.
    struct Counts {
        std::size_t total = 0;
        std::size_t passed = 0;
        std::size_t failed = 0;    ///< measured, and not passed
        std::size_t problems = 0;  ///< could not be measured
        std::size_t running = 0;
        [[nodiscard]] std::size_t ended() const { return passed + failed + problems; }
    };

    explicit RunQueueModel(QObject* parent = nullptr);
    ~RunQueueModel() override;

    /// Starts anew: every pair is queued.
    void show(std::shared_ptr<const Dataset> dataset, const RunPlan& plan);
    /// One change signal for the whole batch.
    void apply(const std::vector<RunEvent>& batch);
    [[nodiscard]] const Counts& counts() const { return m_counts; }
    [[nodiscard]] PairState stateOf(int row) const;
    [[nodiscard]] const RunPair& pairOf(int row) const;
    /// Result of a pair, once there is one.
    [[nodiscard]] const std::optional<Evaluation>& evaluationOf(int row) const;
    /// Row of the pair that started last and still runs; -1: none.
    [[nodiscard]] int runningRow() const;
    void refreshLooks();

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    struct Row {
        RunPair pair;
        QString axes;
        PairState state = PairState::Queued;
        Stage stage = Stage::Build;
        QString device;
        qint64 startedMs = -1;
        double seconds = 0;
        std::optional<Evaluation> evaluation;
        QString note;
    };
    /// First and last row touched by a batch.
    struct Touched {
        int first = -1;
        int last = -1;
        void add(std::size_t row);
    };

    void applyEvent(const RunEvent& event, Touched& touched);
    void end(Row& row);
    [[nodiscard]] QString displayText(const Row& row, int column) const;
    [[nodiscard]] QString stateText(const Row& row) const;
    [[nodiscard]] QString toolTip(const Row& row, int column) const;
    [[nodiscard]] const StatusLook* lookOf(const Row& row) const;

    std::vector<Row> m_rows;
    Counts m_counts;
    QElapsedTimer m_clock;
    QFont m_numberFont;
    std::array<StatusLook, kStatusCount> m_looks;
    StatusLook m_notRunLook;
};

}  // namespace tracedeck::ui
