// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/results_page.h"

#include <QAction>
#include <QEvent>
#include <QFileDialog>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QStackedLayout>
#include <QTableView>
#include <QTimer>
#include <algorithm>
#include <atomic>

#include "core/io/json_codec.h"
#include "ui/charts/chart_export.h"
#include "ui/charts/comparison_scatter.h"
#include "ui/models/comparison_model.h"
#include "ui/models/growth_refresh.h"
#include "ui/models/latest_job.h"
#include "ui/models/nothing_measured.h"
#include "ui/models/number_format.h"
#include "ui/models/pin_board.h"
#include "ui/models/workspace.h"
#include "ui/pages/check_list_button.h"
#include "ui/pages/run_here_button.h"
#include "ui/pages/export_files.h"
#include "ui/pages/scope_box.h"
#include "ui/pages/side_chooser.h"
#include "ui/pages/table_tools.h"
#include "ui/pages/work_bar.h"
#include "ui/settings/recent_datasets.h"
#include "ui/style/comparison_look.h"
#include "ui/style/labels.h"
#include "ui/style/text.h"

namespace tracedeck::ui {
namespace {

constexpr int kProgressMs = 33;
constexpr int kFilterDelayMs = 120;
constexpr QSize kSmallestScatter(800, 640);
/// Letters of what a caution says before it is cut; the whole is in its tool tip.
constexpr qsizetype kLongestCaution = 300;
/// Data of a scope: a definition, an op_type, or (empty) everything.

QString valuesText(const std::set<std::string>& values)
{
    QStringList texts;
    for (const std::string& value : values)
        texts << QString::fromStdString(value);
    return texts.isEmpty() ? ResultsPage::tr("nothing") : texts.join(ResultsPage::tr(" and "));
}

}  // namespace

/// The rows that pass the filter.
struct ResultsPage::Shown {
    std::vector<std::size_t> rows;
    ComparisonSummary summary;
};

ResultsPage::ResultsPage(Workspace* workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_filterTimer(new QTimer(this)), m_model(new ComparisonModel(this)), m_comparison(m_model->comparison()),
      m_progressTimer(new QTimer(this)), m_job(new LatestJob(this)), m_filterJob(new LatestJob(this))
{
    setObjectName(QStringLiteral("resultsPage"));
    m_growth = new GrowthRefresh(m_job, [this] { compare(); }, this);
    buildTable();
    buildControls();
    buildActions();
    m_progressTimer->setInterval(kProgressMs);
    connect(m_progressTimer, &QTimer::timeout, this, [this] {
        if (m_done)
            m_work->setProgress((*m_done)[0].load(), (*m_done)[1].load());
    });
    m_filterTimer->setSingleShot(true);
    m_filterTimer->setInterval(kFilterDelayMs);
    connect(m_filterTimer, &QTimer::timeout, this, &ResultsPage::applyFilter);
    connect(workspace, &Workspace::datasetChanged, this, [this](bool onlyGrew) {
        bool isOfWorkspace = false;
        for (Side& side : m_sides) {
            if (!side.isOfWorkspace)
                continue;
            isOfWorkspace = true;
            if (onlyGrew)
                side.facts.dataset = m_workspace->dataset();   // no name is new
        }
        if (isOfWorkspace && onlyGrew)
            m_growth->request();
        else if (isOfWorkspace)
            setChoice(choice());
    });
    connect(workspace, &Workspace::comparisonChanged, this, &ResultsPage::compare);
    connect(workspace->pins(), &PinBoard::latenciesChanged, this, [this] {
        if (!m_comparison->rows.empty())
            applyFilter();
    });
    connect(workspace, &Workspace::currentDefinitionChanged, this, [this] { rebuildScopes(scope()); });
    showNothing(tr("Choose what to compare."));
}

ResultsPage::~ResultsPage() = default;

QList<QAction*> ResultsPage::exportActions() const { return QList<QAction*>{m_tools->exportAction()} + m_pictureActions; }

Result<void> ResultsPage::exportPicture(const QString& path) const
{
    ComparisonScatter copy;
    const QSize size = m_scatter->size().expandedTo(kSmallestScatter);
    copy.resize(size);
    copy.setContent(m_scatter->comparison(), m_scatter->rows());
    copy.xAxis->setRange(m_scatter->xAxis->range());
    copy.yAxis->setRange(m_scatter->yAxis->range());
    const QString title = tr("A: %1 – B: %2").arg(QString::fromStdString(m_scatter->comparison()->a), QString::fromStdString(m_scatter->comparison()->b));
    copy.addTitleAndLegend(title);
    return writePlotPicture(copy, title, size, path);
}

bool ResultsPage::isBusy() const
{
    return m_job->isRunning() || m_filterJob->isRunning() || m_growth->isPending() || m_filterTimer->isActive() ||
           std::any_of(m_sides.begin(), m_sides.end(), [](const Side& side) { return side.job->isRunning(); });
}

void ResultsPage::showFind()
{
    m_text->setFocus(Qt::ShortcutFocusReason);
    m_text->selectAll();
}

ComparisonScope ResultsPage::scope() const { return m_scope->scope(); }

void ResultsPage::rebuildScopes(const ComparisonScope& wanted)
{
    m_scope->offer(*m_workspace, {m_workspace->currentDefinition(), wanted.definition}, wanted);
}

void ResultsPage::rebuildFolders()
{
    QStringList others;
    for (const RecentDataset& recent : RecentDatasets::all())
        if (recent.path != m_workspace->root())
            others << recent.path;
    for (const Side& side : m_sides)
        side.chooser->setFolders(m_workspace->root(), others);
}

ComparisonChoice ResultsPage::choice() const { return {m_sides[0].chooser->choice(), m_sides[1].chooser->choice(), scope()}; }

void ResultsPage::setChoice(const ComparisonChoice& choice)
{
    rebuildScopes(choice.scope);
    rebuildFolders();
    lookAt(0, choice.a.folder, choice.a);
    lookAt(1, choice.b.folder, choice.b);
}

void ResultsPage::chooseLikely()
{
    m_work->start(tr("Looking for runs …"));
    m_filterJob->cancel();
    m_job->start<ComparisonChoice>(
        [dataset = m_workspace->dataset(), definition = m_workspace->currentDefinition(), solution = m_workspace->currentSolution(),
         baseline = m_workspace->baselineAuthor(), hardware = m_workspace->hardware()](std::stop_token stop) {
            return likelyChoice(sideFactsOf(dataset, stop), definition, solution, baseline, hardware);
        },
        [this](const ComparisonChoice& likely) { setChoice(likely); });
}

/// Looks for what a side can be chosen from, then compares.
void ResultsPage::lookAt(std::size_t which, const QString& folder, const SideChoice& choice)
{
    Side& side = m_sides[which];
    side.isOfWorkspace = folder.isEmpty();
    side.facts = {};
    side.failure.clear();
    SideChoice wanted = choice;
    wanted.folder = folder;
    side.chooser->setFacts({}, scope());
    side.chooser->setChoice(wanted);
    m_work->start(folder.isEmpty() ? tr("Looking for runs …") : tr("Loading %1 …").arg(visibleText(folder)));
    struct Found {
        SideFacts facts;
        QString failure;
    };
    side.job->start<Found>(
        [dataset = m_workspace->dataset(), folder](std::stop_token stop) {
            if (folder.isEmpty())
                return Found{sideFactsOf(dataset, stop), {}};
            const auto loaded = Dataset::load(folder.toStdString(), stop);
            return loaded ? Found{sideFactsOf(*loaded, stop), {}} : Found{{}, QString::fromStdString(loaded.error().toString())};
        },
        [this, which](const Found& found) {
            Side& of = m_sides[which];
            of.facts = found.facts;
            of.failure = found.failure;
            of.chooser->setFacts(found.facts, scope());
            compare();
        });
}

void ResultsPage::browse(std::size_t side)
{
    auto* chooser = new QFileDialog(this, tr("Compare with a dataset folder"), m_workspace->root());
    chooser->setAttribute(Qt::WA_DeleteOnClose);
    chooser->setFileMode(QFileDialog::Directory);
    chooser->setOption(QFileDialog::ShowDirsOnly);
    connect(chooser, &QFileDialog::fileSelected, this, [this, side](const QString& folder) {
        SideChoice choice = m_sides[side].chooser->choice();
        choice.run.reset();
        lookAt(side, folder == m_workspace->root() ? QString() : folder, choice);
    });
    chooser->open();
}

void ResultsPage::swapSides()
{
    const ComparisonChoice now = choice();
    std::swap(m_sides[0].facts, m_sides[1].facts);
    std::swap(m_sides[0].failure, m_sides[1].failure);
    std::swap(m_sides[0].isOfWorkspace, m_sides[1].isOfWorkspace);
    for (const auto& [side, chosen] : {std::pair{&m_sides[0], &now.b}, std::pair{&m_sides[1], &now.a}}) {
        side->chooser->setChoice(*chosen);
        side->chooser->setFacts(side->facts, now.scope);
        side->chooser->setChoice(*chosen);
    }
    compare();
}

void ResultsPage::compare()
{
    m_job->cancel();
    m_progressTimer->stop();
    const ComparisonChoice chosen = choice();
    for (const Side& side : m_sides) {
        if (!side.failure.isEmpty())
            return showNothing(side.failure);
        if (!side.facts.dataset)
            return;   // comes back when it is there
    }
    if (!m_workspace->isOpen())
        return showNothing(tr("No dataset is open.\nOpen a dataset folder from the File menu, or drop one onto the window."));
    if (const QString nothing = whyNothingIsMeasured(*m_workspace->dataset()); !nothing.isEmpty() && m_sides[0].isOfWorkspace && m_sides[1].isOfWorkspace)
        return showNothing(nothing);
    if (chosen.a == chosen.b)
        return showNothing(tr("A and B are the same.\nChoose above how they differ: another solution, author, GPU, run or dataset."));
    m_done = std::make_shared<std::array<std::atomic<std::size_t>, 2>>();
    m_work->start(tr("Comparing …"));
    m_progressTimer->start();
    m_compared = {m_sides[0].facts.dataset, m_sides[1].facts.dataset};
    m_shown = chosen;
    using Answer = std::shared_ptr<const Result<Comparison>>;
    m_job->start<Answer>(
        [a = comparisonSide(m_compared[0], chosen.a, chosen.scope), b = comparisonSide(m_compared[1], chosen.b, chosen.scope), policy = m_workspace->policy(),
         done = m_done](std::stop_token stop) -> Answer {
            return std::make_shared<const Result<Comparison>>(compareSides(a, b, {.policy = policy}, stop, [&done](std::size_t count, std::size_t total) {
                (*done)[0].store(count);
                (*done)[1].store(total);
            }));
        },
        [this](Answer comparison) { applyComparison(std::move(comparison)); });
}

void ResultsPage::cancel()
{
    for (const Side& side : m_sides)
        side.job->cancel();
    m_job->cancel();
    showNothing(tr("Cancelled.\nChange a choice above to compare again."));
}

void ResultsPage::showNothing(const QString& why)
{
    m_progressTimer->stop();
    m_work->stop();
    m_filterJob->cancel();
    m_comparison = std::make_shared<const Comparison>();
    m_model->show(m_comparison, {});
    m_scatter->setContent(m_comparison, {});
    m_caution->setText({});
    m_footer->setText({});
    m_empty->setText(why);
    m_runHere->offer(m_sides[0].isOfWorkspace && m_sides[1].isOfWorkspace, {});
    m_stack->setCurrentIndex(1);
    for (QAction* action : std::as_const(m_pictureActions))
        action->setEnabled(false);
    emit comparisonShown(0);
}

void ResultsPage::applyComparison(std::shared_ptr<const Result<Comparison>> comparison)
{
    m_progressTimer->stop();
    m_work->stop();
    if (!*comparison)
        return showNothing(QString::fromStdString(comparison->error().reason));
    m_comparison = std::shared_ptr<const Comparison>(comparison, &**comparison);
    std::vector<CheckListButton::Entry> verdicts;
    for (const ComparisonVerdict verdict : kVerdictsByWeight) {
        if (m_comparison->countOf(verdict) == 0)
            continue;
        const ComparisonLook look = comparisonLook(verdict);
        verdicts.push_back({fromView(toString(verdict)), tr("%1 %2 (%3)").arg(look.symbol, look.word, countText(static_cast<qint64>(m_comparison->countOf(verdict)))), {}});
    }
    std::set<std::string> types;
    for (const ComparisonRow& row : m_comparison->rows)
        types.insert(row.opType);
    std::vector<CheckListButton::Entry> opTypes;
    for (const std::string& type : types)
        opTypes.push_back({QString::fromStdString(type), QString::fromStdString(type), {}});
    {
        const QSignalBlocker blockers[]{QSignalBlocker(m_verdicts), QSignalBlocker(m_opTypes)};
        m_verdicts->setEntries(verdicts);
        m_opTypes->setEntries(opTypes);
    }
    m_opTypes->setVisible(types.size() > 1);
    m_tools->setHiddenByDefault(QStringLiteral("definition"), !scope().definition.isEmpty());
    const bool oneSolution = m_comparison->isBySolution && !m_shown.a.solution.isEmpty();
    m_tools->setHiddenByDefault(QStringLiteral("solution_a"), !m_shown.a.solution.isEmpty() || oneSolution);
    m_tools->setHiddenByDefault(QStringLiteral("solution_b"), m_comparison->isBySolution || !m_shown.b.solution.isEmpty());
    std::set<std::string> machines;
    for (const ComparisonRow& row : m_comparison->rows)
        machines.insert(row.latest().hardware);
    m_tools->setHiddenByDefault(QStringLiteral("hardware_a"), !m_comparison->isByHardware || machines.size() < 2);
    m_tools->setHiddenByDefault(QStringLiteral("hardware_b"), true);
    updateCaution();
    m_stack->setCurrentIndex(0);
    applyFilter();
}

void ResultsPage::updateCaution()
{
    QStringList differences;
    for (const EnvironmentDifference& difference : m_comparison->differences)
        differences << tr("%1: A %2, B %3").arg(visibleText(QString::fromStdString(difference.name)), visibleText(valuesText(difference.a)), visibleText(valuesText(difference.b)));
    QString text;
    if (!differences.isEmpty())
        text = tr("Not the same on both sides, so differences need not come from the code: %1").arg(differences.join(QStringLiteral(" · ")));
    m_caution->setText(text.size() > kLongestCaution ? text.left(kLongestCaution) + QStringLiteral("…") : text, differences.join(QLatin1Char('\n')));
}

/// Pins are of the window's dataset: they say nothing of another one.
PinnedSide ResultsPage::pinnedSide() const
{
    if (m_compared[1] != m_workspace->dataset())
        return {};
    return {m_workspace->pins()->latencies(), m_compared[1]};
}

void ResultsPage::applyFilter()
{
    m_filterTimer->stop();
    ComparisonFilter filter;
    for (const QString& name : m_verdicts->checked())
        if (const auto verdict = comparisonVerdictFromString(name.toStdString()))
            filter.verdicts.insert(*verdict);
    for (const QString& type : m_opTypes->checked())
        filter.opTypes.insert(type.toStdString());
    filter.text = m_text->text().toStdString();
    m_filterJob->start<Shown>(
        [comparison = m_comparison, filter, sort = m_sort, pinned = pinnedSide()](std::stop_token stop) {
            Shown shown;
            shown.rows = selectRows(*comparison, filter);
            ComparisonModel::sortRows(*comparison, shown.rows, sort, stop, pinned);
            shown.summary = shown.rows.size() == comparison->rows.size() ? static_cast<const ComparisonSummary&>(*comparison) : summarizeRows(*comparison, shown.rows);
            return shown;
        },
        [this, datasets = m_compared](const Shown& shown) {
            m_datasets = datasets;
            m_model->setPinned(pinnedSide());
            if (!m_model->show(m_comparison, shown.rows))
                return;   // only in another order
            m_scatter->setContent(m_comparison, shown.rows);
            for (QAction* action : std::as_const(m_pictureActions))
                action->setEnabled(!shown.rows.empty());
            QStringList counts;
            for (const ComparisonVerdict verdict : kVerdictsByWeight)
                if (const auto count = static_cast<qint64>(shown.summary.countOf(verdict)); count > 0)
                    counts << tr("%1 %2").arg(countText(count), comparisonLook(verdict).word);
            QString text;
            if (shown.rows.size() < m_comparison->rows.size())
                text = tr("%1 of %2 results shown: ").arg(countText(static_cast<qint64>(shown.rows.size())), countText(static_cast<qint64>(m_comparison->rows.size())));
            text += counts.join(QStringLiteral(" · "));
            if (shown.summary.ratios > 0) {
                const RatioMean& mean = shown.summary.ratioMean;
                text += QLatin1Char('\n') + tr("B takes %1 the time of A (95 % interval %2 to %3; geometric mean over %4 results)")
                                                .arg(ratioText(mean.mean), significantText(mean.interval.low), significantText(mean.interval.high),
                                                     countText(static_cast<qint64>(shown.summary.ratios)));
            } else if (!shown.rows.empty()) {
                text += QLatin1Char('\n') + tr("No result has times of both sides that compare.");
            }
            m_footer->setText(text);
            sizeResultColumns();
            emit comparisonShown(static_cast<int>(shown.rows.size()));
        });
}

void ResultsPage::pickElement(std::size_t element)
{
    m_scatter->setCurrent(element);
    const ComparisonRow& row = m_model->comparison()->rows[element];
    m_showA->setEnabled(row.a.has_value());
    m_showB->setEnabled(row.b.has_value());
    // In the Details pane at once, where the pane's dataset has it: B's, since that is what changed.
    const auto isOpen = [this](std::size_t side) { return m_datasets[side] == m_workspace->dataset(); };
    if (row.b && isOpen(1))
        m_workspace->setCurrentTrace(static_cast<qint64>(row.b->row));
    else if (row.a && isOpen(0))
        m_workspace->setCurrentTrace(static_cast<qint64>(row.a->row));
}

void ResultsPage::openElement(std::size_t element, bool ofA)
{
    const ComparisonRow& row = m_model->comparison()->rows[element];
    const auto& measurement = ofA ? row.a : row.b;
    const auto& dataset = m_datasets[ofA ? 0 : 1];
    if (!measurement)
        return;
    if (dataset == m_workspace->dataset()) {
        m_workspace->setCurrentTrace(static_cast<qint64>(measurement->row));
        return;
    }
    const auto trace = dataset->readTrace(measurement->row);
    emit textRequested(trace ? QString::fromStdString(writeObjectFile(encodeTrace(*trace))) : QString::fromStdString(trace.error().toString()),
                       tr("trace of %1").arg(QString::fromStdString(measurement->solution)));
}

void ResultsPage::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if ((event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) && m_model)
        m_model->refreshLooks();
}

}  // namespace tracedeck::ui
