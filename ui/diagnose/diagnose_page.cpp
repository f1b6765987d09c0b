// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/diagnose/diagnose_page.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "core/store/joined_dataset.h"
#include "ui/diagnose/diagnosis_views.h"
#include "ui/models/workspace.h"
#include "ui/style/flow_layout.h"
#include "ui/style/icons.h"
#include "ui/style/labels.h"
#include "ui/style/name_box.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

constexpr int kLooksWidth = 200;
constexpr int kLookHeight = 24;

}  // namespace

void fillWorkloads(QComboBox* box, const Workspace& workspace, const QString& definition)
{
    const QSignalBlocker quiet(box);
    const QString before = box->currentData().toString();
    box->clear();
    for (const Trace& line : workspace.dataset()->workloadsOf(definition.toStdString())) {
        const QString uuid = QString::fromStdString(line.workload.uuid);
        const QString axes = axesText(line.workload);
        box->addItem(visibleText(axes.isEmpty() ? uuid : QStringLiteral("%1  (%2)").arg(axes, uuid.left(8))), uuid);
        box->setItemData(box->count() - 1, plainToolTip(uuid), Qt::ToolTipRole);
    }
    box->setCurrentIndex(std::max(box->count() > 0 ? 0 : -1, box->findData(before)));
    box->setEnabled(box->count() > 0);
}

DiagnosePage::DiagnosePage(Workspace* workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_title(new ElidedLabel(this)), m_lack(new WrappedLabel(this)), m_solutions(new NameBox(tr("The solution that is looked at"), this)), m_workloads(new NameBox(tr("The workload on which it is called"), this)), m_list(new QListWidget(this)),
      m_stack(new QStackedWidget(this))
{
    setObjectName(QStringLiteral("diagnosePage"));
    buildTop();
    m_views = {new DifferenceView(this), new ToleranceView(this), new SanitizerView(this), new GeneratedCodeView(this), new ProfileView(this), new TimelineView(this)};
    const QStringList names{tr("Tensor difference"), tr("Degenerate tolerance"), tr("Compute Sanitizer"), tr("Generated code"), tr("Nsight Compute"), tr("Kernel timeline")};
    m_list->setObjectName(QStringLiteral("looksList"));
    m_list->setAccessibleName(tr("Kinds of look"));
    m_list->setFixedWidth(kLooksWidth);
    m_list->setFrameShape(QFrame::NoFrame);
    for (int i = 0; i < kLooks; ++i) {
        DiagnosisView* view = m_views[static_cast<std::size_t>(i)];
        m_list->addItem(names[i]);
        m_list->item(i)->setSizeHint(QSize(0, kLookHeight));
        m_stack->addWidget(view);
        view->setTargetSource([this] { return target(); });
        connect(view, &DiagnosisView::textRequested, this, [this](const QString& text, const QString& title) { emit textRequested(text, tr("%1 of %2").arg(title, solution())); });
        connect(view, &DiagnosisView::busyChanged, this, [this, i, name = names[i]](bool busy) { m_list->item(i)->setText(busy ? tr("%1 …").arg(name) : name); });
    }
    auto* body = new QHBoxLayout;
    body->setContentsMargins(0, 0, 0, 0);
    body->setSpacing(0);
    body->addWidget(m_list);
    body->addWidget(m_stack, 1);
    static_cast<QVBoxLayout*>(layout())->addLayout(body, 1);
    connect(m_list, &QListWidget::currentRowChanged, m_stack, &QStackedWidget::setCurrentIndex);
    m_list->setCurrentRow(0);
    connect(workspace, &Workspace::datasetChanged, this, [this](bool onlyGrew) {
        if (!onlyGrew)
            fill();
    });
    setTarget(workspace->currentDefinition(), workspace->currentSolution(), {});
}

DiagnosePage::~DiagnosePage() = default;

void DiagnosePage::buildTop()
{
    m_title->setFont(headingFont());
    m_title->setElideMode(Qt::ElideMiddle);
    m_title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    auto* rerun = new QPushButton(icon(QStringLiteral("run")), tr("R&un this again"), this);
    rerun->setObjectName(QStringLiteral("rerunPair"));
    rerun->setToolTip(tr("Measure this pair again in the ordinary way, and store the result"));
    auto* titleRow = new QHBoxLayout;
    titleRow->addWidget(m_title, 1);
    titleRow->addWidget(rerun);
    auto* row = new FlowLayout;
    for (const auto& [text, box, name] : {std::tuple{tr("So&lution"), m_solutions, "diagnosedSolution"}, std::tuple{tr("Wor&kload"), m_workloads, "diagnosedWorkload"}}) {
        box->setObjectName(QString::fromLatin1(name));
        box->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        box->setItemDelegate(new VisibleTextDelegate(box));
        row->addField(text, box, this);
        // What was found is about something else then.
        connect(box, &QComboBox::currentIndexChanged, this, [this] {
            for (DiagnosisView* view : m_views)
                view->clear();
        });
    }
    auto* top = new QVBoxLayout;
    top->setContentsMargins(Space::kPage, Space::kWide, Space::kPage, Space::kNormal);
    top->setSpacing(Space::kNormal);
    m_lack->setObjectName(QStringLiteral("diagnoseLack"));
    top->addLayout(titleRow);
    top->addWidget(m_lack);
    top->addLayout(row);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(top);
    connect(rerun, &QPushButton::clicked, this, [this] {
        if (solution().isEmpty() || workload().isEmpty())
            return;
        Selection selection;
        selection.solutions.insert(solution().toStdString());
        selection.workloads.insert(workload().toStdString());
        emit rerunRequested(selection);
    });
}

QString DiagnosePage::solution() const { return m_solutions->currentData().toString(); }
QString DiagnosePage::workload() const { return m_workloads->currentData().toString(); }
DiagnosePage::Look DiagnosePage::currentLook() const { return static_cast<Look>(std::max(0, m_list->currentRow())); }

bool DiagnosePage::isBusy() const
{
    return std::any_of(m_views.begin(), m_views.end(), [](const DiagnosisView* view) { return view->isBusy(); });
}

void DiagnosePage::setTarget(const QString& definition, const QString& solution, const QString& workload)
{
    if (!definition.isEmpty())
        m_definition = definition;
    fill();
    if (const int index = m_solutions->findData(solution); index >= 0)
        m_solutions->setCurrentIndex(index);
    if (const int index = m_workloads->findData(workload); index >= 0)
        m_workloads->setCurrentIndex(index);
}

void DiagnosePage::fill()
{
    m_title->setText(m_definition.isEmpty() ? tr("Open a dataset and choose a definition first.") : tr("Diagnose %1").arg(m_definition));
    const QString before = solution();
    const QString workloadBefore = workload();
    {
        const QSignalBlocker quiet(m_solutions);
        m_solutions->clear();
        for (const Solution* one : m_workspace->dataset()->solutionsOf(m_definition.toStdString())) {
            const QString name = QString::fromStdString(one->name);
            m_solutions->addItem(seriesChip(name), visibleText(name), name);
        }
        m_solutions->setCurrentIndex(std::max(m_solutions->count() > 0 ? 0 : -1, m_solutions->findData(before)));
        m_solutions->setEnabled(m_solutions->count() > 0);
    }
    fillWorkloads(m_workloads, *m_workspace, m_definition);
    const QString shown = shortened(visibleText(m_definition), kLongestName);
    m_lack->setText(m_definition.isEmpty()         ? QString()
                    : m_workloads->count() == 0    ? tr("%1 has no workloads: there is nothing to call a solution with.").arg(shown)
                    : m_solutions->count() == 0    ? tr("%1 has no solutions. Only “Degenerate tolerance” needs none; for the others put a solution's JSON file into the dataset's solutions/ folder and reload (F5).").arg(shown)
                                                   : QString());
    m_lack->setVisible(!m_lack->text().isEmpty());
    if (before != solution() || workloadBefore != workload())
        for (DiagnosisView* view : m_views)
            view->clear();
}

Result<DiagnosisTarget> DiagnosePage::target() const
{
    const auto refuse = [](const QString& why) { return Error{ErrorCode::Usage, why.toStdString(), {}, 0, {}}; };
    if (m_definition.isEmpty())
        return refuse(tr("Open a dataset and choose a definition first."));
    if (workload().isEmpty())
        return refuse(tr("%1 has no workloads in this dataset.").arg(m_definition));
    if (solution().isEmpty() && currentLook() != Look::Tolerance)
        return refuse(tr("%1 has no solutions in this dataset.").arg(m_definition));
    DiagnosisTarget target;
    if (m_requestSource)
        target.request = m_requestSource();
    const auto folder = folderToRunIn(m_workspace->plainDataset(), {{m_definition.toStdString(), currentLook() == Look::Tolerance ? std::string() : solution().toStdString(), workload().toStdString()}});
    if (!folder)
        return folder.error();
    target.request.dataset = *folder;
    if (target.request.python.empty())
        return refuse(tr("There is no Python to run references with: see Help ▸ What this machine can run."));
    target.definition = m_definition.toStdString();
    target.solution = solution().toStdString();
    target.workload = workload().toStdString();
    return target;
}

void DiagnosePage::showLook(Look look) { m_list->setCurrentRow(static_cast<int>(look)); }

}  // namespace tracedeck::ui
