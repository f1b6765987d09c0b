// SPDX-License-Identifier: GPL-3.0-or-later
// What figures are made from beside the traces (formulas, ceilings), and what can be done with the traces that are marked.
#include <QAction>
#include <QMenu>
#include <QToolButton>

#include "core/model/judge_record.h"
#include "core/run/run_request.h"
#include "core/run/run_settings.h"
#include "ui/dialogs/ceilings_dialog.h"
#include "ui/dialogs/run_plan_dialog.h"
#include "ui/dialogs/work_formula_dialog.h"
#include "ui/main_window.h"
#include "ui/models/latest_job.h"
#include "ui/models/marked_traces.h"
#include "ui/models/number_format.h"
#include "ui/models/workspace.h"
#include "ui/pages/notice_bar.h"
#include "ui/pages/traces_page.h"
#include "ui/run/run_panel.h"
#include "ui/style/icons.h"
#include "ui/style/text.h"

namespace tracedeck::ui {

void MainWindow::buildFigureActions()
{
    m_formulaAction = addNamed(QStringLiteral("workFormulaAction"), tr("&Bytes and operations of the definition…"), {}, QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_F),
                               tr("What the definition must move and compute, as expressions over its axes: the speed of light, bandwidth and throughput follow"));
    connect(m_formulaAction, &QAction::triggered, this, [this] {
        const QString name = m_workspace->currentDefinition();
        if (!m_workspace->dataset()->findDefinition(name.toStdString())) {
            m_notice->showError(tr("Choose a definition first, one that the dataset has a file for."));
            return;
        }
        auto* dialog = new WorkFormulaDialog(m_workspace, name, this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->show();
    });
    m_ceilingsAction = addNamed(QStringLiteral("ceilingsAction"), tr("What &GPUs can do…"), QStringLiteral("device"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_L),
                                tr("Memory rates and peaks, from data sheets or your own, that the speed of light is worked out of"));
    connect(m_ceilingsAction, &QAction::triggered, this, [this] {
        auto* dialog = new CeilingsDialog(m_workspace, ceilingsFile(), this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->show();
    });
    m_planMarkedAction = addNamed(QStringLiteral("planMarkedAction"), tr("Plan run of the &marked traces…"), QStringLiteral("check"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_E),
                                  tr("What running the pairs of the marked traces again would take; marked is what is selected in the table of traces or boxed in a chart (Ctrl+drag)"));
    connect(m_planMarkedAction, &QAction::triggered, this, [this] {
        RunRequest request = m_runPanel->requestFor({});
        request.pairs = pairsOfTraces(*m_workspace->dataset(), *m_workspace->marks()->rows());
        if (request.pairs.empty())
            m_notice->showError(tr("No marked trace has a solution that is here to run."));
        else
            openPlan(request);
    });
    m_judgedSourceAction = addNamed(QStringLiteral("judgedSourceAction"), tr("Source of the trace, as &judged"), QStringLiteral("code"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_J),
                                    tr("The solution of the trace in hand, and whether its source is still the one that was measured"));
    connect(m_judgedSourceAction, &QAction::triggered, this, [this] { showJudgedSource(m_workspace->currentTrace()); });
    m_unmarkAction = addNamed(QStringLiteral("unmarkAction"), tr("Unmark all t&races"), {}, QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_Backspace), tr("Take the marks off the traces in tables and charts"));
    connect(m_unmarkAction, &QAction::triggered, m_workspace->marks(), &MarkedTraces::clear);
    connect(m_workspace->marks(), &MarkedTraces::changed, this, &MainWindow::updateMarks);
    updateMarks();
}

void MainWindow::showJudgedSource(qint64 traceRow)
{
    const auto dataset = m_workspace->dataset();
    if (traceRow < 0 || static_cast<std::size_t>(traceRow) >= dataset->traces().size()) {
        m_notice->showError(tr("Choose a trace first."));
        return;
    }
    m_judgedJob->start<Result<Trace>>([dataset, traceRow](std::stop_token) { return dataset->readTrace(static_cast<std::size_t>(traceRow)); }, [this, dataset](const Result<Trace>& trace) {
        if (!trace || !trace->solution || !trace->evaluation) {
            m_notice->showError(trace ? tr("This trace is of no solution.") : QString::fromStdString(trace.error().toString()));
            return;
        }
        const QString name = QString::fromStdString(*trace->solution);
        showSolution(name);
        const Solution* solution = dataset->findSolution(*trace->solution);
        const std::string judged = judgedSource(*trace->evaluation);
        if (!solution)
            return;   // showSolution() said so
        if (judged.empty())
            m_notice->showError(tr("The trace does not say which source was judged: this is the one that the dataset has now."));
        else if (judged != solution->contentHash())
            m_notice->showError(tr("This is not the source that was judged: it was changed since. The trace is of content hash %1, the dataset has %2.")
                                    .arg(visibleText(QString::fromStdString(judged)).left(12), QString::fromStdString(solution->contentHash()).left(12)));
        else
            m_notice->hide();
    });
}

void MainWindow::updateMarks()
{
    const std::size_t count = m_workspace->marks()->rows()->size();
    m_planMarkedAction->setEnabled(count > 0);
    m_unmarkAction->setEnabled(count > 0);
    if (!m_marksButton)
        return;
    m_marksButton->setVisible(count > 1);   // one is the row that is looked at
    m_marksButton->setText(tr("%1 marked").arg(countText(static_cast<qint64>(count))));
}

void MainWindow::fillMarksMenu(QMenu* menu)
{
    menu->setToolTipsVisible(true);
    menu->addActions({m_planMarkedAction, m_unmarkAction});
    QAction* show = menu->addAction(icon(QStringLiteral("traces")), tr("Show them in the &table"));
    show->setToolTip(tr("Go to the traces, where they are selected"));
    connect(show, &QAction::triggered, this, [this] { showPage(Page::Traces); });
}

}  // namespace tracedeck::ui
