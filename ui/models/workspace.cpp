// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/workspace.h"

#include <QCoreApplication>
#include <QDir>
#include <QEvent>
#include <QTimer>
#include <algorithm>
#include <utility>

#include "core/score/ranking.h"
#include "core/store/joined_dataset.h"
#include "ui/models/chart_board.h"
#include "ui/models/latest_job.h"
#include "ui/models/marked_traces.h"
#include "ui/models/pin_board.h"
#include "ui/settings/settings.h"
#include "ui/style/series_colors.h"

namespace tracedeck::ui {
namespace {

constexpr int kProgressIntervalMs = 33;
/// Up to this many traces a copy of the snapshot takes less than a frame; beyond it the copy is made on a thread.
constexpr std::size_t kCopyInPlaceTraces = 20'000;
/// A little longer than Dataset::reload waits before it calls an unfinished last line a problem.
constexpr int kFollowAgainMs = 2500;
constexpr char kRunSeparator = '@';

/// A policy as the settings keep it: its name, and the moment of a pinned run.
QString storedPolicy(const PolicyChoice& choice)
{
    const QString name = QString::fromStdString(std::string(toString(choice.policy)));
    return choice.runTime ? name + QLatin1Char(kRunSeparator) + QString::number(*choice.runTime) : name;
}

PolicyChoice policyFromStored(const QString& text)
{
    PolicyChoice choice{selectionPolicyFromString(text.section(QLatin1Char(kRunSeparator), 0, 0).toStdString()).value_or(SelectionPolicy::Newest)};
    bool isNumber = false;
    if (const qint64 moment = text.section(QLatin1Char(kRunSeparator), 1).toLongLong(&isNumber); isNumber)
        choice.runTime = moment;
    return choice;
}

std::string normalPath(const QString& path)
{
    // An empty path must not turn into the place where the program was started.
    return path.isEmpty() ? std::string() : QDir::cleanPath(QDir(path).absolutePath()).toStdString();
}

template <class Exists>
void keepOnly(std::set<std::string>& names, Exists exists)
{
    for (auto name = names.begin(); name != names.end();)
        name = exists(*name) ? std::next(name) : names.erase(name);
}

/// The part of a selection that still names something.
Selection prune(Selection selection, const Dataset& dataset)
{
    const auto opTypes = dataset.opTypes();
    keepOnly(selection.opTypes, [&](const std::string& name) { return opTypes.contains(name); });
    keepOnly(selection.definitions, [&](const std::string& name) { return dataset.findDefinition(name) != nullptr; });
    keepOnly(selection.solutions, [&](const std::string& name) { return dataset.findSolution(name) != nullptr; });
    if (!selection.workloads.empty()) {
        std::set<std::string> present;
        for (const auto& [definition, workloads] : dataset.workloads())
            for (const Trace& workload : workloads)
                if (selection.workloads.contains(workload.workload.uuid))
                    present.insert(workload.workload.uuid);
        selection.workloads = std::move(present);
    }
    return selection;
}

/// Row of the trace at this place of this file (relative to the root), or -1.
qint64 findTrace(const Dataset& dataset, const std::string& definition, const std::filesystem::path& file, std::uint64_t offset)
{
    for (const std::uint32_t row : dataset.traceRowsOfDefinition(definition))
        if (TraceTable::offsetOf(dataset.traces().row(row)) == offset && dataset.traceFile(row) == file)
            return row;
    return -1;
}

}  // namespace

Workspace::Workspace(QObject* parent)
    : QObject(parent), m_dataset(std::make_shared<const Dataset>()), m_progressTimer(new QTimer(this)),
      m_pins(new PinBoard(this)), m_marks(new MarkedTraces(this)), m_board(new ChartBoard(this)), m_viewJob(new LatestJob(this)), m_growJob(new LatestJob(this)), m_followJob(new LatestJob(this)), m_followTimer(new QTimer(this))
{
    m_followTimer->setInterval(kFollowAgainMs);
    m_followTimer->setSingleShot(true);
    connect(m_followTimer, &QTimer::timeout, this, [this] { followChanges(rootsOf(*m_dataset).front()); });
    m_progressTimer->setInterval(kProgressIntervalMs);
    connect(m_progressTimer, &QTimer::timeout, this, &Workspace::reportProgress);
}

Workspace::~Workspace()
{
    for (std::jthread& thread : m_finishing)
        thread.request_stop();
    m_loader.request_stop();
    m_finishing.clear();
    m_loader = {};
    m_watchers.clear();
    // What a load left for this object may hold a watcher, which calls this object until it is gone.
    QCoreApplication::removePostedEvents(this, QEvent::MetaCall);
}

QString Workspace::root() const { return QString::fromStdString(m_dataset->root().string()); }

QStringList Workspace::roots() const
{
    QStringList roots;
    for (const std::filesystem::path& folder : rootsOf(*m_dataset))
        roots << QString::fromStdString(folder.string());
    return roots;
}

QStringList Workspace::hardwareNames() const
{
    QStringList names;
    for (const std::string& name : m_dataset->traces().hardwareNames())
        names << QString::fromStdString(name);
    names.removeAll(QString());
    names.removeDuplicates();
    names.sort();
    return names;
}

void Workspace::open(const QString& path) { openTogether({path}); }

void Workspace::openTogether(const QStringList& paths)
{
    std::vector<std::filesystem::path> roots;
    for (const QString& path : paths)
        roots.emplace_back(normalPath(path));
    startLoading(roots);
}

void Workspace::reload()
{
    if (m_open)
        startLoading(rootsOf(*m_dataset));
}

void Workspace::startLoading(const std::vector<std::filesystem::path>& roots)
{
    if (m_loading) {
        m_loader.request_stop();
        m_finishing.push_back(std::move(m_loader));
    }
    QStringList paths;
    for (const std::filesystem::path& root : roots)
        paths << QString::fromStdString(root.string());
    m_loadingPath = paths.join(QStringLiteral(" + "));
    m_loading = true;
    const quint64 generation = ++m_generation;
    auto progress = std::make_shared<LoadProgress>();
    m_progress = progress;
    m_followJob->cancel();   // what it would find, this load finds
    const bool isReload = m_open && m_loaded && rootsOf(*m_loaded) == roots;
    m_loader = std::jthread([this, roots, generation, progress, old = isReload ? m_loaded : nullptr,
                             isWatched = isReload && !m_watchers.empty()](std::stop_token stop) {
        Watchers watchers;
        // Before the files are read: what changes in between is seen a second time, not never.
        for (std::size_t i = 0; i < roots.size() && !isWatched; ++i) {
            watchers.push_back(std::make_shared<DatasetWatcher>(roots[i], [this, root = roots[i]] {
                QMetaObject::invokeMethod(this, [this, root] { followChanges(root); }, Qt::QueuedConnection);
            }));
        }
        auto loaded = old ? Dataset::reload(old, stop, progress.get()) : loadFolders(roots, stop, progress.get());
        Dataset::releaseFreedMemory();   // here, not after the report: whoever takes that waits for this thread's end
        auto opened = std::make_shared<Opened>(Opened{std::move(loaded), std::move(watchers)});
        QMetaObject::invokeMethod(
            this, [this, generation, thread = std::this_thread::get_id(), opened] { loadEnded(generation, thread, *opened); },
            Qt::QueuedConnection);
    });
    m_progressTimer->start();
    emit loadStarted(m_loadingPath);
}

void Workspace::cancelLoading()
{
    if (!m_loading)
        return;
    m_loader.request_stop();
    m_finishing.push_back(std::move(m_loader));
    stopWaiting();
    ++m_generation;
    emit loadCancelled();
    growWithPending();
    followLater();
}

void Workspace::stopWaiting()
{
    m_progressTimer->stop();
    m_progress.reset();
    m_loading = false;
}

void Workspace::reportProgress()
{
    if (m_progress)
        emit loadProgress(m_progress->filesDone, m_progress->filesTotal, m_progress->traces);
}

void Workspace::loadEnded(quint64 generation, std::thread::id thread, const Opened& opened)
{
    const auto& loaded = opened.dataset;
    if (generation != m_generation) {
        // A replaced load has noticed: its thread is at its end, joining it takes no time.
        std::erase_if(m_finishing, [thread](const std::jthread& old) { return old.get_id() == thread; });
        return;
    }
    reportProgress();
    stopWaiting();
    m_loader = {};
    if (!loaded) {
        if (loaded.error().code == ErrorCode::Cancelled)
            emit loadCancelled();
        else
            emit loadFailed(m_loadingPath, QString::fromStdString(loaded.error().toString()));
        growWithPending();
        followLater();
        return;
    }
    if (!opened.watchers.empty())
        m_watchers = opened.watchers;
    adopt(*loaded, Reason::Opened);
    followLater();
}

/// `root`: of the folder in which something changed; one that is not open any more is of no interest.
void Workspace::followChanges(const std::filesystem::path& root)
{
    const auto roots = rootsOf(*m_dataset);
    if (!m_open || std::find(roots.begin(), roots.end(), root) == roots.end())
        return;
    if (m_loading || m_followJob->isRunning()) {
        m_changedMeanwhile = true;
        return;
    }
    m_changedMeanwhile = false;
    m_followTimer->stop();
    using Reloaded = std::shared_ptr<const Dataset>;
    m_followJob->start<Reloaded>(
        [old = m_loaded](std::stop_token stop) {
            const auto reloaded = Dataset::reload(old, stop);
            // A folder that is gone for the moment (a disk that is not mounted) leaves what is shown; "Reload" says why.
            return reloaded ? *reloaded : Reloaded();
        },
        [this](const Reloaded& reloaded) {
            if (reloaded)
                follow(reloaded);
            followLater();
        });
}

/// What the watcher told while the folder was being read, and files that another program is writing.
void Workspace::followLater()
{
    if (m_changedMeanwhile && !m_loading && m_open)
        followChanges(rootsOf(*m_dataset).front());
    else if (m_loaded && !m_loaded->growingFiles().empty())
        m_followTimer->start();
}

void Workspace::follow(std::shared_ptr<const Dataset> reloaded)
{
    const auto before = std::exchange(m_loaded, reloaded);
    // Results of a run are shown already, if not in the order of the files: moving rows about while it goes on helps nobody.
    if (reloaded->hasSameContent(*before))
        return;
    if (showsSameTraces(*reloaded)) {
        if (m_dataset->isJoined() && !m_growJob->isRunning()) {   // a run looks into its folder for what was done before
            m_dataset = m_dataset->withFolders(reloaded->folders());
            m_view.reset();
            emit datasetChanged(true);
            prepareView();
        }
        return;
    }
    adopt(std::move(reloaded), Reason::Followed);
}

/// Whether the snapshot on screen has all of this one, and this one all that was added to that.
bool Workspace::showsSameTraces(const Dataset& reloaded) const
{
    const Dataset* base = m_dataset->loaded().get();
    const std::size_t shown = m_dataset->traces().size();
    if (base == nullptr || reloaded.traces().size() != shown || reloaded.definitions() != m_dataset->definitions() ||
        reloaded.solutions() != m_dataset->solutions() || &reloaded.workloads() != &m_dataset->workloads() ||
        reloaded.problems() != m_dataset->problems())
        return false;
    for (std::size_t row = base->traces().size(); row < shown; ++row) {
        const TraceRow& added = m_dataset->traces().row(row);
        if (findTrace(reloaded, m_dataset->traces().definitionName(added), m_dataset->traceFile(row), TraceTable::offsetOf(added)) < 0)
            return false;
    }
    return true;
}

void Workspace::adopt(std::shared_ptr<const Dataset> dataset, Reason reason)
{
    m_loaded = dataset;
    const auto old = std::exchange(m_dataset, std::move(dataset));
    const bool sameFolder = m_open && old->root() == m_dataset->root();
    m_open = true;
    m_growJob->cancel();
    if (sameFolder)
        m_pending.insert(m_pending.begin(), m_growing.begin(), m_growing.end());
    else
        m_pending.clear();
    m_growing.clear();

    const QString oldDefinition = m_definition;
    const QString oldSolution = m_solution;
    const qint64 oldTrace = m_trace;
    const Selection oldSelection = m_selection;
    const QString oldHardware = m_hardware;
    if (!sameFolder || !m_dataset->findDefinition(m_definition.toStdString()))
        m_definition.clear();
    if (!sameFolder || !m_dataset->findSolution(m_solution.toStdString()))
        m_solution.clear();
    m_selection = sameFolder ? prune(m_selection, *m_dataset) : Selection();
    if (sameFolder && m_trace >= 0 && static_cast<std::size_t>(m_trace) < old->traces().size()) {
        const auto row = static_cast<std::size_t>(m_trace);
        m_trace = findTrace(*m_dataset, old->traces().definitionName(old->traces().row(row)), old->traceFile(row),
                            TraceTable::offsetOf(old->traces().row(row)));
    } else {
        m_trace = -1;
    }
    if (!sameFolder) {
        m_hardware = Settings::hardware(root());
        m_choice = policyFromStored(Settings::policy(root()));
    }
    if (!hardwareNames().contains(m_hardware))
        m_hardware.clear();
    if (!sameFolder || m_baselineAuthor.isEmpty()) {
        const QString remembered = Settings::baselineAuthor(root());
        const std::vector<std::string> authors = authorsOf(*m_dataset);
        const bool known = std::find(authors.begin(), authors.end(), remembered.toStdString()) != authors.end();
        m_baselineAuthor = known ? remembered : QString::fromStdString(defaultBaselineAuthor(*m_dataset));
    }

    // Rows that only follow those on screen leave these their numbers.
    const auto oldRows = old->traces().rows();
    const auto rows = m_dataset->traces().rows();
    const bool onlyGrew = reason == Reason::Followed && !oldRows.empty() && rows.data() == oldRows.data() && rows.size() >= oldRows.size() &&
                          old->definitions() == m_dataset->definitions() && old->solutions() == m_dataset->solutions() &&
                          &old->workloads() == &m_dataset->workloads() && old->problems() == m_dataset->problems();
    m_view.reset();
    assignColors();
    if (reason == Reason::Opened)
        emit datasetOpened();
    emit datasetChanged(onlyGrew);
    if (m_definition != oldDefinition)
        emit currentDefinitionChanged(m_definition);
    if (m_solution != oldSolution)
        emit currentSolutionChanged(m_solution);
    if (m_trace != oldTrace)
        emit currentTraceChanged(m_trace);
    if (m_selection != oldSelection)
        emit selectionChanged();
    if (reason == Reason::Opened || m_hardware != oldHardware)
        emit comparisonChanged();
    prepareView();
    growWithPending();
}

/// Whether a trace that a run stored came in with the files already: the watcher may have told of the line first, or the
/// folder was being read when it was written. The place in the file tells.
bool Workspace::wasRead(const Dataset::AddedTrace& added) const
{
    if (!m_loaded)
        return false;
    const std::filesystem::path file =
        added.file.is_absolute() && !m_loaded->isJoined() ? added.file.lexically_relative(m_loaded->root()) : added.file;
    return m_loaded->hasRead(file, added.byteOffset) && findTrace(*m_loaded, added.trace.definition, file, added.byteOffset) >= 0;
}

void Workspace::setCurrentDefinition(const QString& name)
{
    if (name == m_definition)
        return;
    m_definition = name;
    if (!m_solution.isEmpty()) {
        const Solution* solution = m_dataset->findSolution(m_solution.toStdString());
        if (!solution || solution->definition != name.toStdString()) {
            m_solution.clear();
            emit currentDefinitionChanged(name);
            emit currentSolutionChanged(m_solution);
            return;
        }
    }
    emit currentDefinitionChanged(name);
}

void Workspace::setCurrentSolution(const QString& name)
{
    if (name == m_solution)
        return;
    if (const Solution* solution = m_dataset->findSolution(name.toStdString()))
        setCurrentDefinition(QString::fromStdString(solution->definition));
    m_solution = name;
    emit currentSolutionChanged(name);
}

void Workspace::setCurrentTrace(qint64 row)
{
    if (row < 0 || static_cast<std::size_t>(row) >= m_dataset->traces().size())
        row = -1;
    if (row == m_trace)
        return;
    m_trace = row;
    emit currentTraceChanged(row);
}

void Workspace::setSelection(const Selection& selection)
{
    if (selection == m_selection)
        return;
    m_selection = selection;
    emit selectionChanged();
}

void Workspace::setBaselineAuthor(const QString& author)
{
    if (author == m_baselineAuthor)
        return;
    m_baselineAuthor = author;
    if (m_open)
        Settings::setBaselineAuthor(root(), author);
    emit comparisonChanged();
}

void Workspace::announce()
{
    if (m_loading)
        emit loadStarted(m_loadingPath);
    if (!m_open)
        return;
    emit datasetChanged(false);
    emit currentDefinitionChanged(m_definition);
    emit currentSolutionChanged(m_solution);
    emit currentTraceChanged(m_trace);
    emit selectionChanged();
    emit comparisonChanged();
}

void Workspace::setHardware(const QString& hardware)
{
    if (hardware == m_hardware)
        return;
    m_hardware = hardware;
    if (m_open)
        Settings::setHardware(root(), hardware);
    emit comparisonChanged();
}

void Workspace::setPolicy(SelectionPolicy policy)
{
    if (policy != m_choice.policy)
        choosePolicy({policy, m_choice.runTime});
}

void Workspace::pinRun(qint64 moment)
{
    if (const PolicyChoice choice{SelectionPolicy::PinnedRun, moment}; choice != m_choice)
        choosePolicy(choice);
}

void Workspace::choosePolicy(const PolicyChoice& choice)
{
    m_choice = choice;
    if (m_open)
        Settings::setPolicy(root(), storedPolicy(choice));
    if (std::exchange(m_view, nullptr))
        emit datasetChanged(true);
    emit comparisonChanged();
    prepareView();
}

bool Workspace::isPreparing() const { return m_viewJob->isRunning(); }

void Workspace::prepareView()
{
    m_viewJob->cancel();
    const bool wantsView = m_choice.policy == SelectionPolicy::Pooled || m_choice.policy == SelectionPolicy::PinnedRun;
    if (!wantsView || m_dataset->traces().size() == 0)
        return;
    m_viewJob->start<std::shared_ptr<const Dataset>>([plain = m_dataset, choice = m_choice](std::stop_token stop) { return datasetFor(plain, choice, stop); },
                                                     [this](std::shared_ptr<const Dataset> view) {
                                                         m_view = std::move(view);
                                                         emit datasetChanged(true);   // the rows keep their numbers
                                                         emit comparisonChanged();
                                                     });
}

void Workspace::assignColors() const
{
    for (const auto& definition : m_dataset->definitions()) {
        QStringList solutions;
        for (const Solution* solution : m_dataset->solutionsOf(definition->name))
            solutions << QString::fromStdString(solution->name);
        assignSeriesColors(solutions);
    }
    QStringList authors;
    for (const std::string& author : authorsOf(*m_dataset))
        authors << QString::fromStdString(author);
    assignSeriesColors(authors);
}

void Workspace::addTraces(const std::vector<Dataset::AddedTrace>& traces)
{
    m_pending.insert(m_pending.end(), traces.begin(), traces.end());
    growWithPending();
}

void Workspace::growWithPending()
{
    if (m_pending.empty() || m_loading || m_growJob->isRunning())
        return;
    std::erase_if(m_pending, [this](const Dataset::AddedTrace& added) { return wasRead(added); });
    if (m_pending.empty())
        return;
    if (m_dataset->traces().size() <= kCopyInPlaceTraces) {
        const std::vector<Dataset::AddedTrace> added = std::exchange(m_pending, {});
        m_dataset = m_dataset->withTraces(added);
        m_view.reset();
        emit datasetChanged(true);
        prepareView();
        return;
    }
    m_growing = std::exchange(m_pending, {});
    m_growJob->start<std::shared_ptr<const Dataset>>(
        [dataset = m_dataset, added = m_growing](std::stop_token) { return dataset->withTraces(added); },
        [this](std::shared_ptr<const Dataset> grown) {
            m_growing.clear();
            m_dataset = std::move(grown);
            m_view.reset();
            emit datasetChanged(true);
            prepareView();
            growWithPending();
        });
}

}  // namespace tracedeck::ui
