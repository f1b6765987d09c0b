// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/problems_panel.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QMessageBox>
#include <QProgressBar>
#include <QPushButton>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>
#include <filesystem>
#include <iterator>

#include "core/io/data_file.h"
#include "core/report/validation.h"
#include "core/store/joined_dataset.h"
#include "ui/models/latest_job.h"
#include "ui/models/number_format.h"
#include "ui/models/workspace.h"
#include "ui/style/empty_hint.h"
#include "ui/style/labels.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

constexpr int kProblemWidth = 560;
/// Where no file is shown beside it.
constexpr int kProblemWidthAlone = 780;
constexpr int kProblemOutcomeWidth = 150;
constexpr int kProblemLineWidth = 60;
constexpr int kProblemFieldWidth = 200;
constexpr int kCheckProgressWidth = 120;
/// Groups are opened as long as there are no more problems than these.
constexpr std::size_t kMostExpandedProblems = 200;

}  // namespace

struct ProblemsPanel::FolderReport {
    std::filesystem::path folder;
    ValidationReport report;
};

ProblemsPanel::ProblemsPanel(Workspace* workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_model(new ProblemTreeModel(this)), m_view(new QTreeView(this)), m_summary(new ElidedLabel(this)),
      m_buttons(new QHBoxLayout), m_groupingBox(new QComboBox(this)), m_progress(new QProgressBar(this)), m_gatherJob(new LatestJob(this)),
      m_checkJob(new LatestJob(this)), m_fixJob(new LatestJob(this))
{
    m_view->setObjectName(QStringLiteral("problemTree"));
    m_view->setAccessibleName(tr("Problems found in the dataset"));
    m_view->setModel(m_model);
    m_view->setUniformRowHeights(true);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setAlternatingRowColors(true);
    m_view->setTextElideMode(Qt::ElideRight);
    m_view->setContextMenuPolicy(Qt::ActionsContextMenu);
    m_view->setColumnWidth(ProblemTreeModel::OutcomeColumn, kProblemOutcomeWidth);
    m_view->setColumnWidth(ProblemTreeModel::LineColumn, kProblemLineWidth);
    m_view->setColumnWidth(ProblemTreeModel::FieldColumn, kProblemFieldWidth);
    m_hint = new EmptyHint(m_view, tr("Nothing is wrong in the dataset's files."));
    m_summary->setMuted(true);
    m_groupingBox->setObjectName(QStringLiteral("problemGrouping"));
    m_groupingBox->setAccessibleName(tr("How problems are grouped"));
    m_groupingBox->setToolTip(tr("How problems are grouped"));
    m_groupingBox->addItem(tr("By file"));
    m_groupingBox->addItem(tr("By outcome"));
    m_progress->setRange(0, 0);
    m_progress->setTextVisible(false);
    m_progress->setFixedWidth(kCheckProgressWidth);
    m_progress->setAccessibleName(tr("Progress of the check"));
    m_progress->hide();

    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(Space::kNormal, Space::kTight, Space::kNormal, Space::kTight);
    bar->setSpacing(Space::kTight);
    m_buttons->setSpacing(Space::kTight);
    bar->addLayout(m_buttons);
    bar->addWidget(m_progress);
    bar->addWidget(m_summary, 1);
    bar->addWidget(m_groupingBox);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addWidget(m_view, 1);

    connect(m_groupingBox, &QComboBox::activated, this,
            [this](int index) { setGrouping(index == 0 ? ProblemTreeModel::Grouping::File : ProblemTreeModel::Grouping::Outcome); });
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this, &ProblemsPanel::stateChanged);
    connect(m_view, &QTreeView::doubleClicked, this, &ProblemsPanel::openCurrent);
    connect(workspace, &Workspace::datasetOpened, this, [this] {
        // What was checked is another dataset, or this one before it was read again.
        cancelCheck();
        m_checked.clear();
        m_wasChecked = false;
        gather();
    });
    connect(workspace, &Workspace::datasetChanged, this, [this](bool onlyGrew) {
        // Problems are found while loading; a snapshot that grew has the same ones.
        if (!onlyGrew)
            gather();
    });
    showGroups({});
    updateSummary();
}

bool ProblemsPanel::isBusy() const { return m_gatherJob->isRunning() || m_fixJob->isRunning(); }
bool ProblemsPanel::isChecking() const { return m_checkJob->isRunning(); }
const ProblemItem* ProblemsPanel::current() const { return m_model->item(m_view->currentIndex()); }

bool ProblemsPanel::canOpen() const
{
    const ProblemItem* problem = current();
    return problem && !problem->file.isEmpty();
}

bool ProblemsPanel::canFix() const
{
    const ProblemItem* problem = current();
    return problem && problem->isFixable() && !m_fixJob->isRunning();
}

void ProblemsPanel::offer(QAction* action)
{
    auto* button = new QToolButton(this);
    button->setDefaultAction(action);
    button->setAutoRaise(true);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_buttons->addWidget(button);
    m_view->addAction(action);
}

void ProblemsPanel::setGrouping(ProblemTreeModel::Grouping grouping)
{
    m_groupingBox->setCurrentIndex(grouping == ProblemTreeModel::Grouping::File ? 0 : 1);
    if (grouping == m_model->grouping())
        return;
    const std::optional<ProblemItem> before = current() ? std::optional(*current()) : std::nullopt;
    m_model->setGrouping(grouping);
    showGroups(before);
    emit stateChanged();
}

/// Opens the groups, and chooses the problem that was chosen before.
void ProblemsPanel::showGroups(const std::optional<ProblemItem>& chosen)
{
    // The groups name the files.
    const bool byFile = m_model->grouping() == ProblemTreeModel::Grouping::File;
    m_view->setColumnHidden(ProblemTreeModel::FileColumn, byFile);
    m_view->setColumnWidth(ProblemTreeModel::ReasonColumn, byFile ? kProblemWidthAlone : kProblemWidth);
    if (m_model->items().size() <= kMostExpandedProblems)
        m_view->expandAll();
    if (chosen)
        if (const QModelIndex index = m_model->find(*chosen); index.isValid())
            m_view->setCurrentIndex(index);
}

void ProblemsPanel::gather()
{
    m_gatherJob->start<std::vector<ProblemItem>>(
        [dataset = m_workspace->dataset()](std::stop_token stop) { return problemsOfLoading(*dataset, stop); },
        [this](const std::vector<ProblemItem>& items) {
            m_loading = items;
            showItems();
        });
}

void ProblemsPanel::showItems()
{
    const std::optional<ProblemItem> before = current() ? std::optional(*current()) : std::nullopt;
    std::vector<ProblemItem> items = m_loading;
    items.insert(items.end(), m_checked.begin(), m_checked.end());
    m_model->setItems(std::move(items));
    showGroups(before);
    updateSummary();
    emit stateChanged();
}

void ProblemsPanel::updateSummary()
{
    m_hint->setText(!m_workspace->isOpen() ? tr("No dataset is open.")
                    : m_wasChecked         ? tr("Nothing is wrong in the dataset: it was loaded whole, and the check found nothing.")
                                           : tr("Nothing is wrong in the dataset's files."));
    if (isChecking()) {
        m_summary->setText(tr("Checking the dataset …"));
        return;
    }
    QStringList parts;
    const auto errors = std::count_if(m_model->items().begin(), m_model->items().end(),
                                      [](const ProblemItem& item) { return item.level == ProblemItem::Level::Error; });
    const auto fixable = std::count_if(m_model->items().begin(), m_model->items().end(), [](const ProblemItem& item) { return item.isFixable(); });
    const auto warnings = static_cast<std::ptrdiff_t>(m_model->items().size()) - errors;
    if (errors > 0)
        parts << (errors == 1 ? tr("1 error") : tr("%1 errors").arg(countText(errors)));
    if (warnings > 0)
        parts << (warnings == 1 ? tr("1 warning") : tr("%1 warnings").arg(countText(warnings)));
    if (fixable > 0)
        parts << tr("%1 can be fixed here").arg(countText(fixable));
    if (m_wasChecked)
        parts << (m_notRun.isEmpty() ? tr("checked, without running code") : tr("checked, without running code; %1").arg(m_notRun));
    m_summary->setText(parts.join(QStringLiteral(" · ")));
}

void ProblemsPanel::openCurrent()
{
    const ProblemItem* problem = current();
    if (!problem || problem->file.isEmpty())
        return;
    const std::filesystem::path file(problem->file.toStdString());
    emit openRequested(QString::fromStdString((file.is_absolute() ? file : m_workspace->dataset()->root() / file).string()), problem->line);
}

void ProblemsPanel::copyCurrent()
{
    const QModelIndex index = m_view->currentIndex();
    QStringList lines;
    if (const ProblemItem* problem = m_model->item(index))
        lines << problem->text();
    else
        for (int row = 0; index.isValid() && row < m_model->rowCount(index.siblingAtColumn(0)); ++row)
            lines << m_model->item(m_model->index(row, 0, index.siblingAtColumn(0)))->text();
    if (!lines.isEmpty())
        QApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

void ProblemsPanel::fixCurrent()
{
    if (!canFix())
        return;
    const ProblemItem problem = *current();
    const bool isTorn = problem.end == LineFileEnd::TornRecord;
    const QString name = shortened(visibleText(problem.file), kLongestName);
    auto* question = new QMessageBox(QMessageBox::Question, tr("Repair the end of a file"),
                                     isTorn ? tr("Line %1 of %2 is cut off. It is moved to the file %3 beside it, which no program loads; "
                                                 "the other lines stay as they are.")
                                                  .arg(QString::number(problem.line), name, name + QStringLiteral(".torn"))
                                            : tr("A line end is added to the end of %1. Nothing else is changed.").arg(name),
                                     QMessageBox::Cancel, this);
    question->setObjectName(QStringLiteral("fixQuestion"));
    question->setTextFormat(Qt::PlainText);
    question->setAttribute(Qt::WA_DeleteOnClose);
    QPushButton* repair = question->addButton(isTorn ? tr("&Move the line") : tr("&Add the line end"), QMessageBox::AcceptRole);
    question->setDefaultButton(repair);
    connect(repair, &QPushButton::clicked, this, [this, problem] { fix(problem); });
    question->open();
}

void ProblemsPanel::fix(const ProblemItem& problem)
{
    const auto dataset = m_workspace->dataset();
    std::filesystem::path file(problem.file.toStdString());
    const std::filesystem::path root = rootsOf(*dataset)[folderContaining(*dataset, file)];
    if (file.is_absolute())
        file = file.lexically_relative(root);
    m_fixJob->start<Result<LineFileEnd>>(
        [root, file](std::stop_token) {
            return repairLineFileEnd(root, file);
        },
        [this](const Result<LineFileEnd>& done) {
            if (!done)
                emit failed(tr("The file was not repaired. %1").arg(QString::fromStdString(done.error().toString())));
            gather();
            m_workspace->reload();
        });
    emit stateChanged();
}

void ProblemsPanel::checkDataset()
{
    if (!m_workspace->isOpen() || isChecking())
        return;
    m_checkJob->start<Checked>(
        [roots = rootsOf(*m_workspace->dataset())](std::stop_token stop) {
            std::vector<FolderReport> reports;
            for (const std::filesystem::path& root : roots) {
                ValidationRequest request;
                request.root = root;
                request.disableGpu = true;
                auto report = validateDataset(request, stop);
                if (!report)
                    return Checked(report.error());
                reports.push_back({roots.size() > 1 ? root : std::filesystem::path(), std::move(*report)});
            }
            return Checked(std::move(reports));
        },
        [this](const Checked& reports) { showReport(reports); });
    m_progress->show();
    updateSummary();
    emit stateChanged();
}

void ProblemsPanel::cancelCheck()
{
    if (!isChecking())
        return;
    m_checkJob->cancel();
    m_progress->hide();
    updateSummary();
    emit stateChanged();
}

void ProblemsPanel::showReport(const Checked& reports)
{
    m_progress->hide();
    if (!reports) {
        updateSummary();
        emit stateChanged();
        emit failed(tr("The dataset was not checked. %1").arg(QString::fromStdString(reports.error().toString())));
        return;
    }
    m_checked.clear();
    m_wasChecked = true;
    QStringList notRun;
    for (const FolderReport& checked : *reports) {
        std::vector<ProblemItem> items = problemsOfReport(checked.report, checked.folder);
        std::move(items.begin(), items.end(), std::back_inserter(m_checked));
        for (const std::string& text : checked.report.notRun)
            notRun << QString::fromStdString(text);
    }
    notRun.removeDuplicates();
    m_notRun = notRun.join(QStringLiteral("; "));
    showItems();
}

void ProblemsPanel::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        m_model->refreshLooks();
}

}  // namespace tracedeck::ui
