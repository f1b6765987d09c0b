// SPDX-License-Identifier: GPL-3.0-or-later
// Files that are looked at by themselves, and what is wrong in those of the dataset.
#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTreeView>

#include "ui/dialogs/interchange_dialogs.h"
#include "ui/dialogs/kind_dialogs.h"
#include "ui/main_window.h"
#include "ui/models/workspace.h"
#include "ui/pages/notice_bar.h"
#include "ui/pages/problems_panel.h"
#include "ui/pages/viewer_page.h"
#include "ui/style/icons.h"
#include "ui/style/text.h"

namespace tracedeck::ui {
namespace {

constexpr qsizetype kLongestTabTitle = 32;

}  // namespace

void MainWindow::buildFileActions()
{
    m_mergeAction = addNamed(QStringLiteral("openMergedAction"), tr("Open &merged with…"), QStringLiteral("open"),
                             QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_M), tr("Show what is open and another dataset folder as one dataset; nothing is written"));
    connect(m_mergeAction, &QAction::triggered, this, &MainWindow::chooseFolderToMerge);
    m_viewFileAction = addNamed(QStringLiteral("viewFileAction"), tr("Open a file in the &viewer…"), QStringLiteral("definition"),
                                QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O), tr("Look at any JSON, JSONL or safetensors file and check it"));
    connect(m_viewFileAction, &QAction::triggered, this, [this] { chooseFileToView(); });
    m_pasteAction = addNamed(QStringLiteral("pasteIntoViewerAction"), tr("&Paste into the viewer"), QStringLiteral("copy"),
                             QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_V), tr("Look at the JSON text on the clipboard and check it"));
    connect(m_pasteAction, &QAction::triggered, this, &MainWindow::pasteIntoViewer);
    m_newDatasetAction = addNamed(QStringLiteral("newDatasetAction"), tr("&New dataset…"), QStringLiteral("definition"), QKeySequence(QKeySequence::New),
                                  tr("Make a dataset of one kind of kernel, such as RMS norm or attention"));
    connect(m_newDatasetAction, &QAction::triggered, this, [this] {
        auto* dialog = new NewDatasetDialog(this);
        connect(dialog, &NewDatasetDialog::openWanted, this, &MainWindow::openPath);
        dialog->open();
    });
    m_addImplementationAction = addNamed(QStringLiteral("addImplementationAction"), tr("&Add an implementation…"), QStringLiteral("solution"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_A),
                                         tr("Add a Python, CUDA or C++ file, or a kernel of the Hugging Face Hub, as a solution"));
    connect(m_addImplementationAction, &QAction::triggered, this, [this] {
        auto* dialog = new AddImplementationDialog(m_workspace, this);
        connect(dialog, &AddImplementationDialog::added, m_workspace, &Workspace::reload);
        dialog->open();
    });
    m_importAction = addNamed(QStringLiteral("importAction"), tr("&Import results…"), QStringLiteral("down"), QKeySequence(Qt::CTRL | Qt::Key_I),
                              tr("Make a dataset from results of kernels-benchmarks or nvbench"));
    connect(m_importAction, &QAction::triggered, this, [this] {
        auto* dialog = new ImportDialog(this);
        connect(dialog, &ImportDialog::openWanted, this, &MainWindow::openPath);
        dialog->open();
    });
    m_exportResultsAction = addNamed(QStringLiteral("exportResultsAction"), tr("Results for other &programs…"), QStringLiteral("export"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_I),
                                     tr("Write results as kernels-benchmarks records, nvbench's JSON or the table of the win@p script"));
    connect(m_exportResultsAction, &QAction::triggered, this, [this] { (new ExportDialog(m_workspace, this))->open(); });
}

void MainWindow::buildProblemActions()
{
    m_checkAction = addNamed(QStringLiteral("checkDatasetAction"), tr("&Check the dataset"), QStringLiteral("check"),
                             QKeySequence(Qt::CTRL | Qt::Key_F5), tr("Look for everything that breaks a rule of the format, without running code"));
    m_cancelCheckAction = addNamed(QStringLiteral("cancelCheckAction"), tr("&Stop the check"), QStringLiteral("stop"),
                                   QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S), tr("Stop looking for problems"));
    m_openProblemAction = addNamed(QStringLiteral("openProblemAction"), tr("&Open at line"), QStringLiteral("definition"),
                                   QKeySequence(Qt::Key_Return), tr("Show the file of the chosen problem at its line"));
    m_copyProblemAction = addNamed(QStringLiteral("copyProblemAction"), tr("Co&py the problem"), QStringLiteral("copy"),
                                   QKeySequence(QKeySequence::Copy), tr("Copy the chosen problem, or all of the chosen group, as text"));
    // They belong to the list of problems; elsewhere these keys do what they always do.
    m_openProblemAction->setShortcutContext(Qt::WidgetShortcut);
    m_copyProblemAction->setShortcutContext(Qt::WidgetShortcut);
    m_fixProblemAction = addNamed(QStringLiteral("fixProblemAction"), tr("&Fix…"), QStringLiteral("doctor"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_X),
                                  tr("Repair the end of the file that the chosen problem is about; asks first"));
    m_groupByFileAction = addNamed(QStringLiteral("groupByFileAction"), tr("&Group by file"), {}, {}, tr("Problems of one file stand together"));
    m_groupByOutcomeAction =
        addNamed(QStringLiteral("groupByOutcomeAction"), tr("Group &by outcome"), {}, {}, tr("What was left out, repaired and doubtful stands together"));
    auto* grouping = new QActionGroup(this);
    for (QAction* action : {m_groupByFileAction, m_groupByOutcomeAction}) {
        action->setCheckable(true);
        grouping->addAction(action);
    }
    for (QAction* action : {m_checkAction, m_cancelCheckAction, m_openProblemAction, m_copyProblemAction, m_fixProblemAction})
        m_problems->offer(action);
}

void MainWindow::buildProblemsMenu()
{
    QMenu* menu = menuBar()->addMenu(tr("&Problems"));
    menu->addActions({m_checkAction, m_cancelCheckAction});
    menu->addSeparator();
    menu->addActions({m_openProblemAction, m_copyProblemAction, m_fixProblemAction});
    menu->addSeparator();
    menu->addActions({m_groupByFileAction, m_groupByOutcomeAction});
}

void MainWindow::connectProblems()
{
    connect(m_checkAction, &QAction::triggered, this, [this] {
        m_problemsDock->show();
        m_problemsDock->raise();
        m_problems->checkDataset();
    });
    connect(m_cancelCheckAction, &QAction::triggered, m_problems, &ProblemsPanel::cancelCheck);
    connect(m_openProblemAction, &QAction::triggered, m_problems, &ProblemsPanel::openCurrent);
    connect(m_copyProblemAction, &QAction::triggered, m_problems, &ProblemsPanel::copyCurrent);
    connect(m_fixProblemAction, &QAction::triggered, m_problems, &ProblemsPanel::fixCurrent);
    connect(m_groupByFileAction, &QAction::triggered, this, [this] { m_problems->setGrouping(ProblemTreeModel::Grouping::File); });
    connect(m_groupByOutcomeAction, &QAction::triggered, this, [this] { m_problems->setGrouping(ProblemTreeModel::Grouping::Outcome); });
    connect(m_problems, &ProblemsPanel::openRequested, this, &MainWindow::viewFile);
    connect(m_problems, &ProblemsPanel::failed, m_notice, &NoticeBar::showError);
    connect(m_problems, &ProblemsPanel::stateChanged, this, &MainWindow::updateProblemActions);
    connect(m_workspace, &Workspace::datasetOpened, this, &MainWindow::updateProblemActions);
    updateProblemActions();
}

void MainWindow::updateProblemActions()
{
    m_checkAction->setEnabled(m_workspace->isOpen() && !m_problems->isChecking());
    m_cancelCheckAction->setEnabled(m_problems->isChecking());
    m_openProblemAction->setEnabled(m_problems->canOpen());
    m_copyProblemAction->setEnabled(m_problems->view()->currentIndex().isValid());
    m_fixProblemAction->setEnabled(m_problems->canFix());
    const bool byFile = m_problems->model()->grouping() == ProblemTreeModel::Grouping::File;
    m_groupByFileAction->setChecked(byFile);
    m_groupByOutcomeAction->setChecked(!byFile);
    updateStatus();
}

ViewerPage* MainWindow::currentViewerPage() const { return qobject_cast<ViewerPage*>(m_tabs->currentWidget()); }

/// A viewer that is there, else one for a file to be chosen.
void MainWindow::showSomeViewer()
{
    for (int tab = kFixedTabs; tab < m_tabs->count(); ++tab)
        if (qobject_cast<ViewerPage*>(m_tabs->widget(tab))) {
            m_tabs->setCurrentIndex(tab);
            return;
        }
    chooseFileToView();
}

void MainWindow::chooseFileToView(const QString& folder)
{
    auto* chooser = new QFileDialog(this, tr("Open a file in the viewer"), !folder.isEmpty() ? folder : m_workspace->isOpen() ? m_workspace->roots().constFirst() : QString());
    chooser->setObjectName(QStringLiteral("viewFileChooser"));
    chooser->setAttribute(Qt::WA_DeleteOnClose);
    chooser->setFileMode(QFileDialog::ExistingFile);
    chooser->setNameFilters({tr("JSON and safetensors (*.json *.jsonl *.safetensors *.torn)"), tr("All files (*)")});
    connect(chooser, &QFileDialog::fileSelected, this, [this](const QString& path) { viewFile(path); });
    chooser->open();
}

void MainWindow::openTogether(const QStringList& folders) { m_workspace->openTogether(folders); }

void MainWindow::chooseFolderToMerge()
{
    auto* chooser = new QFileDialog(this, tr("Open merged with another dataset folder"), m_workspace->roots().constLast());
    chooser->setObjectName(QStringLiteral("mergeChooser"));
    chooser->setAttribute(Qt::WA_DeleteOnClose);
    chooser->setFileMode(QFileDialog::Directory);
    chooser->setOption(QFileDialog::ShowDirsOnly);
    connect(chooser, &QFileDialog::fileSelected, this, [this](const QString& folder) { openTogether(m_workspace->roots() << folder); });
    chooser->open();
}

void MainWindow::pasteIntoViewer()
{
    const QString text = QApplication::clipboard()->text();
    if (text.isEmpty())
        m_notice->showError(tr("There is no text on the clipboard. Copy a definition, solution, workload or trace first."));
    else
        viewText(text, tr("pasted text"));
}

void MainWindow::viewFile(const QString& path, qint64 line)
{
    const QString absolute = QFileInfo(path).absoluteFilePath();
    for (int tab = kFixedTabs; tab < m_tabs->count(); ++tab)
        if (auto* page = qobject_cast<ViewerPage*>(m_tabs->widget(tab)); page && page->path() == absolute) {
            m_tabs->setCurrentIndex(tab);
            page->showFile(absolute, line);
            return;
        }
    auto* page = new ViewerPage(m_tabs);
    addViewer(page);
    page->showFile(absolute, line);
}

void MainWindow::viewText(const QString& text, const QString& title)
{
    auto* page = new ViewerPage(m_tabs);
    addViewer(page);
    page->showText(text, title);
}

void MainWindow::addViewer(ViewerPage* page)
{
    connect(page, &ViewerPage::titleChanged, this, [this, page] {
        const int tab = m_tabs->indexOf(page);
        m_tabs->setTabText(tab, withoutMnemonic(shortened(visibleText(page->title()), kLongestTabTitle)));
        m_tabs->setTabToolTip(tab, plainToolTip(page->path().isEmpty() ? page->title() : page->path()));
    });
    m_stack->setCurrentWidget(m_tabs);
    m_tabs->setCurrentIndex(m_tabs->addTab(page, icon(QStringLiteral("definition")), page->title()));
}

}  // namespace tracedeck::ui
