// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QElapsedTimer>
#include <QFont>
#include <array>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/run/run_event.h"
#include "core/store/dataset.h"
#include "ui/style/status_look.h"

namespace tracedeck::ui {

/// The pairs of a run with what has become of each, in the order in which they are run. Rows that wait can be dragged to another place.
class RunQueueModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Definition, Solution, Axes, Device, State, Latency, Speedup, Seconds, ColumnCount };
    enum class PairState { Queued, Running, Done, Problem, Skipped, NotRun };

    /// Results so far.
    struct Counts {
        std::size_t total = 0;
        std::size_t passed = 0;
        std::size_t failed = 0;    ///< measured, and not passed
        std::size_t problems = 0;  ///< could not be measured
        std::size_t skipped = 0;   ///< cancelled, or left alone since their solution failed too often
        std::size_t running = 0;
        [[nodiscard]] std::size_t ended() const { return passed + failed + problems + skipped; }
        [[nodiscard]] std::size_t waiting() const { return total - ended() - running; }
    };
    /// What is kept of a result: a run may have tens of thousands, with logs.
    struct Outcome {
        Status status = Status::Passed;
        double latencyMs = 0;      ///< 0: a check without a timing
        double speedup = 0;
        std::string timestamp{};   ///< of the trace
    };

    explicit RunQueueModel(QObject* parent = nullptr);
    ~RunQueueModel() override;

    /// Starts anew: every pair is queued.
    void show(std::shared_ptr<const Dataset> dataset, const RunPlan& plan);
    /// One change signal for each stretch of rows that the batch changed, and never many.
    void apply(const std::vector<RunEvent>& batch);
    /// The queue as it is now, by index into the run: rows that wait change places among themselves.
    void setQueueOrder(const std::vector<std::size_t>& queued);
    [[nodiscard]] const Counts& counts() const { return m_counts; }
    [[nodiscard]] PairState stateOf(int row) const { return rowAt(row).state; }
    [[nodiscard]] const RunPair& pairOf(int row) const { return rowAt(row).pair; }
    /// Index of a row's pair in the run.
    [[nodiscard]] std::size_t indexOf(int row) const { return m_order[static_cast<std::size_t>(row)]; }
    /// Of the pair with this index; -1: there is none.
    [[nodiscard]] int rowOf(std::size_t pair) const;
    [[nodiscard]] QString axesOf(int row) const { return rowAt(row).axes; }
    /// Result of a pair, once there is one.
    [[nodiscard]] const std::optional<Outcome>& resultOf(int row) const { return rowAt(row).result; }
    /// Row of the pair that started last and still runs; -1: none.
    [[nodiscard]] int runningRow() const;
    void refreshLooks();

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    [[nodiscard]] Qt::DropActions supportedDropActions() const override { return Qt::MoveAction; }
    [[nodiscard]] QStringList mimeTypes() const override;
    [[nodiscard]] QMimeData* mimeData(const QModelIndexList& indexes) const override;
    /// Asks for the move and changes nothing: the runner decides what can still be moved.
    bool dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column, const QModelIndex& parent) override;

signals:
    /// Rows were dropped before another one (its index in the run), or at the end (std::nullopt).
    void moveRequested(const std::vector<std::size_t>& pairs, std::optional<std::size_t> before);

private:
    struct Row {
        RunPair pair;
        QString axes{};
        PairState state = PairState::Queued;
        Stage stage = Stage::Build;
        QString device{};
        qint64 startedMs = -1;
        double seconds = 0;
        std::optional<Outcome> result{};
        QString note{};
    };
    using Touched = std::set<int>;   ///< rows that a batch changed

    [[nodiscard]] Row rowFor(const RunPair& pair) const;
    void applyEvent(const RunEvent& event, Touched& touched);
    void begin(std::size_t pair);
    void addRows(const AddedEvent& event, Touched& touched);
    void tellOf(const Touched& touched);
    void end(std::size_t pair);
    /// The row's end without a result.
    void endWithout(std::size_t pair, PairState state, const QString& note, Touched& touched);
    [[nodiscard]] const Row& rowAt(int row) const { return m_rows[m_order[static_cast<std::size_t>(row)]]; }
    [[nodiscard]] QString displayText(const Row& row, int column) const;
    [[nodiscard]] QString stateText(const Row& row) const;
    [[nodiscard]] QString toolTip(const Row& row, int column) const;
    [[nodiscard]] const StatusLook* lookOf(const Row& row) const;

    std::shared_ptr<const Dataset> m_dataset;
    std::vector<Row> m_rows;              ///< by index into the run
    std::vector<std::size_t> m_order;     ///< pair of each row shown
    std::vector<int> m_places;            ///< row of each pair
    std::set<std::size_t> m_running;      ///< pairs
    Counts m_counts;
    QElapsedTimer m_clock;
    QFont m_numberFont;
    std::array<StatusLook, kStatusCount> m_looks;
    StatusLook m_notRunLook;
};

}  // namespace tracedeck::ui
