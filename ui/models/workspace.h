// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <filesystem>
#include <memory>
#include <thread>
#include <vector>

#include "core/run/run_request.h"
#include "core/score/policy_view.h"
#include "core/store/dataset.h"
#include "core/store/dataset_watcher.h"
#include "core/store/query.h"

class QTimer;

namespace tracedeck::ui {

class ChartBoard;
class LatestJob;
class MarkedTraces;
class PinBoard;

/// The only mutable state that pages share: the open snapshot, what is looked at, what is selected for a run, and the
/// comparison settings. Lives on the GUI thread; loads on its own thread, and follows what other programs change in the open
/// folder. Pages listen to its signals and never to each other.
class Workspace : public QObject {
    Q_OBJECT
public:
    explicit Workspace(QObject* parent = nullptr);
    ~Workspace() override;

    /// What all figures are made from: the snapshot, as the policy wants it (core/score/policy_view.h). Never null; an empty dataset before
    /// anything is open. Rows have the same numbers in both.
    [[nodiscard]] std::shared_ptr<const Dataset> dataset() const { return m_view ? m_view : m_dataset; }
    /// The snapshot with each trace's own times.
    [[nodiscard]] std::shared_ptr<const Dataset> plainDataset() const { return m_dataset; }
    [[nodiscard]] bool isOpen() const { return m_open; }
    [[nodiscard]] bool isLoading() const { return m_loading; }
    /// Of folders shown together a name that is no path: see roots().
    [[nodiscard]] QString root() const;
    /// The folders that are shown, the one that counts most first.
    [[nodiscard]] QStringList roots() const;
    /// Folder that is being read; meaningless when isLoading() is false.
    [[nodiscard]] QString loadingPath() const { return m_loadingPath; }

    [[nodiscard]] QString currentDefinition() const { return m_definition; }
    [[nodiscard]] QString currentSolution() const { return m_solution; }
    /// Row of the trace in the details pane; -1: none.
    [[nodiscard]] qint64 currentTrace() const { return m_trace; }
    [[nodiscard]] const Selection& selection() const { return m_selection; }
    [[nodiscard]] QString baselineAuthor() const { return m_baselineAuthor; }
    /// Empty: all hardware.
    [[nodiscard]] QString hardware() const { return m_hardware; }
    [[nodiscard]] SelectionPolicy policy() const { return m_choice.policy; }
    /// The baselines that the user pinned.
    [[nodiscard]] PinBoard* pins() const { return m_pins; }
    /// The traces that are marked in tables and charts.
    [[nodiscard]] MarkedTraces* marks() const { return m_marks; }
    /// Charts that the user keeps, and notes on charts.
    [[nodiscard]] ChartBoard* board() const { return m_board; }
    /// What the policy needs is being made (samples are pooled); figures follow it once that is done.
    [[nodiscard]] bool isPreparing() const;
    /// Distinct hardware names in the snapshot.
    [[nodiscard]] QStringList hardwareNames() const;

public slots:
    /// Starts loading; a load in progress is replaced. The old snapshot stays until the new one is there.
    void open(const QString& path);
    /// The same for folders that are shown as one dataset (core/store/joined_dataset.h); one alone is opened as it is.
    void openTogether(const QStringList& paths);
    /// Reads again what changed on disk.
    void reload();
    void cancelLoading();
    /// Tells everything again, to listeners that came late.
    void announce();
    /// Empty name: none.
    void setCurrentDefinition(const QString& name);
    void setCurrentSolution(const QString& name);
    /// Trace to show in the details pane; -1: none.
    void setCurrentTrace(qint64 row);
    void setSelection(const tracedeck::Selection& selection);
    void setBaselineAuthor(const QString& author);
    void setHardware(const QString& hardware);
    /// PinnedRun: the run that was pinned last, else the newest one.
    void setPolicy(tracedeck::SelectionPolicy policy);
    /// Only the run with this moment (microseconds since 1970) counts.
    void pinRun(qint64 moment);
    /// What figures are made from beside the traces is another one (ceilings, formulas): they must be made again.
    void refreshFigures() { emit comparisonChanged(); }
    /// A page asks for this to be run; runWanted tells whoever runs things.
    void requestRun(const tracedeck::Selection& selection) { emit runWanted(selection); }
    /// Results of a run that are on disk: a new snapshot with their rows at the end. At once for small datasets, from a
    /// thread for big ones, after the load while one is running; datasetChanged(true) tells.
    void addTraces(const std::vector<tracedeck::Dataset::AddedTrace>& traces);

signals:
    void loadStarted(const QString& path);
    /// At most 30 a second while loading.
    void loadProgress(qulonglong filesDone, qulonglong filesTotal, qulonglong traces);
    void loadFailed(const QString& path, const QString& reason);
    void loadCancelled();
    /// A new dataset was opened, or the user reloaded it.
    void datasetOpened();
    /// The snapshot is another one: opened, reloaded, grown or changed on disk. Rows of the old one keep their numbers when it only grew.
    void datasetChanged(bool onlyGrew);
    void currentDefinitionChanged(const QString& name);
    void currentSolutionChanged(const QString& name);
    void currentTraceChanged(qint64 row);
    void selectionChanged();
    void runWanted(const tracedeck::Selection& selection);
    /// Baseline, hardware or policy: every comparison on screen must be made again.
    void comparisonChanged();

private:
    using Watchers = std::vector<std::shared_ptr<DatasetWatcher>>;
    struct Opened {
        Result<std::shared_ptr<const Dataset>> dataset;
        Watchers watchers;   ///< empty: those that are there go on
    };
    void startLoading(const std::vector<std::filesystem::path>& roots);
    void stopWaiting();
    void reportProgress();
    void loadEnded(quint64 generation, std::thread::id thread, const Opened& opened);
    enum class Reason { Opened, Followed };
    void adopt(std::shared_ptr<const Dataset> dataset, Reason reason);
    void followChanges(const std::filesystem::path& root);
    void follow(std::shared_ptr<const Dataset> reloaded);
    void followLater();
    [[nodiscard]] bool showsSameTraces(const Dataset& reloaded) const;
    void choosePolicy(const PolicyChoice& choice);
    /// After m_dataset or the policy changed; tells again when the view is there.
    void prepareView();
    void growWithPending();
    /// Same colours whatever is looked at first.
    void assignColors() const;
    [[nodiscard]] bool wasRead(const Dataset::AddedTrace& added) const;
    std::shared_ptr<const Dataset> m_dataset;
    std::shared_ptr<LoadProgress> m_progress;
    QTimer* m_progressTimer = nullptr;
    bool m_open = false;
    bool m_loading = false;
    quint64 m_generation = 0;
    QString m_loadingPath;
    QString m_definition;
    QString m_solution;
    qint64 m_trace = -1;
    Selection m_selection;
    QString m_baselineAuthor;
    QString m_hardware;
    PolicyChoice m_choice;
    std::shared_ptr<const Dataset> m_view;        ///< m_dataset as the policy wants it; null: as it is
    PinBoard* m_pins;
    MarkedTraces* m_marks;
    ChartBoard* m_board;
    LatestJob* m_viewJob;
    std::vector<Dataset::AddedTrace> m_pending;   ///< stored, not yet in a snapshot
    std::vector<Dataset::AddedTrace> m_growing;   ///< being added by m_growJob
    LatestJob* m_growJob;
    std::shared_ptr<const Dataset> m_loaded;      ///< what the folder held when it was last read; m_dataset may have grown since
    Watchers m_watchers;                          ///< of each folder; none before anything is open
    LatestJob* m_followJob;
    QTimer* m_followTimer;                        ///< looks again at files that seem to be growing
    bool m_changedMeanwhile = false;              ///< the folder changed while it was being read
    std::vector<std::jthread> m_finishing;   ///< replaced loads that have not noticed yet
    std::jthread m_loader;                   ///< last: joined before anything it touches is gone
};

}  // namespace tracedeck::ui
