// SPDX-License-Identifier: GPL-3.0-or-later
// The Diagnose menu: a closer look at one solution on one workload, and duels.
#include <QAction>
#include <QMenu>
#include <QMenuBar>
#include <QTabWidget>

#include "ui/diagnose/diagnose_page.h"
#include "ui/diagnose/duel_page.h"
#include "ui/main_window.h"
#include "ui/models/workspace.h"
#include "ui/pages/definition_page.h"
#include "ui/pages/notice_bar.h"
#include "ui/pages/solution_page.h"
#include "ui/pages/trace_details.h"
#include "ui/run/run_panel.h"
#include "ui/style/icons.h"

namespace tracedeck::ui {

MainWindow::DiagnosedPair MainWindow::pairInHand() const
{
    // What is in the details pane, unless another solution's page is looked at.
    const SolutionPage* page = currentSolutionPage();
    const std::optional<Trace>& trace = m_details->trace();
    if (trace && trace->solution && (!page || page->solutionName().toStdString() == *trace->solution))
        return {QString::fromStdString(trace->definition), QString::fromStdString(*trace->solution), QString::fromStdString(trace->workload.uuid)};
    const QString solution = page ? page->solutionName() : m_workspace->currentSolution();
    const Solution* known = m_workspace->dataset()->findSolution(solution.toStdString());
    const QString definition = known ? QString::fromStdString(known->definition) : m_workspace->currentDefinition();
    const Workload* workload = m_definitionPage->currentWorkload();
    return {definition, known ? solution : QString(), workload && definition == m_workspace->currentDefinition() ? QString::fromStdString(workload->uuid) : QString()};
}

void MainWindow::showDiagnosis()
{
    DiagnosePage* page = diagnosePage();
    if (!page->isBusy()) {
        const DiagnosedPair pair = pairInHand();
        page->setTarget(pair.definition, pair.solution, pair.workload);
    }
    m_tabs->setCurrentWidget(page);
}

void MainWindow::diagnose(int look)
{
    if (!m_workspace->isOpen()) {
        m_notice->showError(tr("No dataset is open whose solutions could be looked at."));
        return;
    }
    showDiagnosis();
    DiagnosePage* page = diagnosePage();
    page->showLook(static_cast<DiagnosePage::Look>(look));
    DiagnosisView* view = page->view(page->currentLook());
    if (!view->isBusy())
        view->start();
}

void MainWindow::showDuel()
{
    if (!m_workspace->isOpen()) {
        m_notice->showError(tr("No dataset is open whose solutions could be set against each other."));
        return;
    }
    DuelPage* page = duelPage();
    const DiagnosedPair pair = pairInHand();
    // Ticked solutions of the definition, or the one in hand against the baseline.
    QStringList names;
    for (const Solution* solution : m_workspace->dataset()->solutionsOf(pair.definition.toStdString()))
        if (m_workspace->selection().solutions.contains(solution->name))
            names << QString::fromStdString(solution->name);
    if (names.size() < 2) {
        names = pair.solution.isEmpty() ? QStringList() : QStringList{pair.solution};
        for (const Solution* solution : m_workspace->dataset()->solutionsOf(pair.definition.toStdString()))
            if (names.size() < 2 && solution->author == m_workspace->baselineAuthor().toStdString() && !names.contains(QString::fromStdString(solution->name)))
                names << QString::fromStdString(solution->name);
    }
    page->setTarget(pair.definition, names, pair.workload);
    m_tabs->setCurrentWidget(page);
}

void MainWindow::rerunPairInHand()
{
    const DiagnosedPair pair = pairInHand();
    if (pair.solution.isEmpty() || pair.workload.isEmpty()) {
        m_notice->showError(tr("Choose a trace first, or a solution and a workload."));
        return;
    }
    Selection selection;
    selection.solutions.insert(pair.solution.toStdString());
    selection.workloads.insert(pair.workload.toStdString());
    m_runPanel->run(selection);
}

void MainWindow::buildDiagnoseActions()
{
    m_diagnoseActions << addNamed(QStringLiteral("rerunAction"), tr("&Run this again"), QStringLiteral("run"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E),
                                  tr("Measure the pair in hand again in the ordinary way, and store the result"));
    connect(m_diagnoseActions.back(), &QAction::triggered, this, &MainWindow::rerunPairInHand);
    struct LookText {
        DiagnosePage::Look look;
        const char* name;
        QString text;
        QString tip;
        QKeySequence keys;
    };
    using Look = DiagnosePage::Look;
    for (const LookText& one :
         {LookText{Look::Difference, "diagnoseDifference", tr("Tensor &difference"), tr("How the outputs differ from the expected ones: worst elements, where, how far"),
                   QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_D)},
          LookText{Look::Tolerance, "diagnoseTolerance", tr("Degenerate &tolerance"), tr("Whether zeros, a constant or a copied input pass the workload's check"),
                   QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_T)},
          LookText{Look::Sanitizer, "diagnoseSanitizer", tr("Compute &Sanitizer"), tr("Call the solution once under compute-sanitizer"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_S)},
          LookText{Look::Code, "diagnoseCode", tr("&Generated code"), tr("Registers, shared memory, spills, SASS and PTX of a compiled solution"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_G)},
          LookText{Look::Profile, "diagnoseProfile", tr("&Nsight Compute"), tr("Profile one call: speed of light, occupancy, what warps wait for"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_N)},
          LookText{Look::Timeline, "diagnoseTimeline", tr("&Kernel timeline"), tr("What the GPU does in one call"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_K)}}) {
        m_diagnoseActions << addNamed(QString::fromLatin1(one.name), one.text, {}, one.keys, one.tip);
        connect(m_diagnoseActions.back(), &QAction::triggered, this, [this, look = static_cast<int>(one.look)] { diagnose(look); });
    }
    m_diagnoseActions << addNamed(QStringLiteral("duelAction"), tr("D&uel…"), QStringLiteral("compare"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_U),
                                  tr("Set solutions against each other on the same inputs until it is clear which is faster"));
    connect(m_diagnoseActions.back(), &QAction::triggered, this, &MainWindow::showDuel);
}

void MainWindow::buildDiagnoseMenu()
{
    QMenu* menu = menuBar()->addMenu(tr("Diag&nose"));
    menu->addAction(m_diagnoseActions.front());
    menu->addSeparator();
    menu->addActions(m_diagnoseActions.mid(1, DiagnosePage::kLooks));
    menu->addSeparator();
    menu->addAction(m_diagnoseActions.back());
}

}  // namespace tracedeck::ui
