// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/trace_filter_bar.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTimer>

#include "ui/models/number_format.h"
#include "ui/models/workspace.h"
#include "ui/pages/check_list_button.h"
#include "ui/style/flow_layout.h"
#include "ui/style/icons.h"
#include "ui/style/status_look.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

/// Short, so that the answer is there within a tenth of a second; a job that is overtaken by the next letter stops.
constexpr int kDebounceMilliseconds = 30;

}  // namespace

TraceFilterBar::TraceFilterBar(Workspace* workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_scope(new QComboBox(this)), m_text(new QLineEdit(this)),
      m_status(new CheckListButton(tr("Status"), this)), m_solution(new CheckListButton(tr("Solution"), this)),
      m_hardware(new CheckListButton(tr("Hardware"), this)), m_folder(new CheckListButton(tr("Dataset"), this)),
      m_times(new QPushButton(icon(QStringLiteral("close")), QString(), this)), m_reset(new QPushButton(tr("Reset"), this)), m_count(new QLabel(this)),
      m_debounce(new QTimer(this))
{
    m_scope->setObjectName(QStringLiteral("traceScope"));
    m_scope->setAccessibleName(tr("Traces of"));
    m_scope->setToolTip(tr("Which traces the table holds"));
    m_scope->addItem(tr("Whole dataset"), static_cast<int>(Scope::WholeDataset));
    m_scope->addItem(tr("This definition"), static_cast<int>(Scope::Definition));
    m_scope->addItem(tr("This solution"), static_cast<int>(Scope::Solution));
    setScope(Scope::Definition);

    m_text->setObjectName(QStringLiteral("traceFilter"));
    m_text->setAccessibleName(tr("Filter traces"));
    m_text->setPlaceholderText(tr("Filter: words, or an axis such as M=16"));
    m_text->setToolTip(tr("All words must occur in definition, solution, author, hardware, status or axes (Ctrl+F)"));
    m_text->setClearButtonEnabled(true);
    m_text->addAction(icon(QStringLiteral("filter")), QLineEdit::LeadingPosition);
    m_text->setMinimumWidth(160);
    auto* escape = new QAction(tr("Clear the filter"), m_text);
    escape->setShortcut(QKeySequence(Qt::Key_Escape));
    escape->setShortcutContext(Qt::WidgetShortcut);
    m_text->addAction(escape);

    m_status->setObjectName(QStringLiteral("traceStatusFilter"));
    m_solution->setObjectName(QStringLiteral("traceSolutionFilter"));
    m_hardware->setObjectName(QStringLiteral("traceHardwareFilter"));
    m_times->setObjectName(QStringLiteral("traceTimes"));
    m_times->setToolTip(tr("Only what was measured then is shown; a click shows traces of any time again"));
    m_times->hide();
    m_folder->setObjectName(QStringLiteral("traceFolderFilter"));
    m_reset->setToolTip(tr("Show all traces of the scope again"));
    m_reset->setFlat(true);
    m_count->setObjectName(QStringLiteral("traceCount"));
    m_count->setToolTip(tr("Traces in grey count in no figure: which ones do is chosen below, in the status bar"));
    m_debounce->setSingleShot(true);
    m_debounce->setInterval(kDebounceMilliseconds);

    auto* layout = new FlowLayout(this);
    layout->setContentsMargins(Space::kWide, Space::kNormal, Space::kWide, Space::kNormal);
    layout->addWidget(m_scope);
    layout->addFilter(m_text);
    layout->addWidget(m_status);
    layout->addWidget(m_solution);
    layout->addWidget(m_hardware);
    layout->addWidget(m_times);
    layout->addWidget(m_folder);
    layout->addWidget(m_reset);
    layout->addWidget(m_count);

    connect(m_debounce, &QTimer::timeout, this, &TraceFilterBar::filterChanged);
    connect(m_text, &QLineEdit::textChanged, m_debounce, qOverload<>(&QTimer::start));
    connect(m_text, &QLineEdit::returnPressed, this, [this] {
        emitNow();
        emit tableWanted();
    });
    connect(escape, &QAction::triggered, this, [this] {
        if (m_text->text().isEmpty()) {
            emit tableWanted();
        } else {
            m_text->clear();
        }
    });
    connect(m_scope, &QComboBox::currentIndexChanged, this, [this] {
        rebuildChoices();
        emitNow();
    });
    for (const CheckListButton* button : {m_status, m_solution, m_hardware, m_folder}) {
        connect(button, &CheckListButton::checkedChanged, this, &TraceFilterBar::emitNow);
    }
    connect(m_times, &QPushButton::clicked, this, [this] {
        setTimes(std::nullopt);
        emitNow();
    });
    connect(m_reset, &QPushButton::clicked, this, &TraceFilterBar::reset);
    rebuildChoices();
}

TraceFilterBar::~TraceFilterBar() = default;

TraceFilter TraceFilterBar::filter() const
{
    TraceFilter filter;
    const auto scope = static_cast<Scope>(m_scope->currentData().toInt());
    const QString definition = m_workspace->currentDefinition();
    const QString solution = m_workspace->currentSolution();
    if (scope == Scope::Definition && !definition.isEmpty()) {
        filter.definitions.insert(definition.toStdString());
    }
    if (scope == Scope::Solution && !solution.isEmpty()) {
        filter.solutions.insert(solution.toStdString());
    }
    for (const QString& name : m_solution->checked()) {
        filter.solutions.insert(name.toStdString());
    }
    for (const QString& name : m_hardware->checked()) {
        filter.hardware.insert(name.toStdString());
    }
    for (const QString& name : m_folder->checked()) {
        filter.folders.insert(name.toStdString());
    }
    for (const QString& key : m_status->checked()) {
        filter.statuses.insert(static_cast<Status>(key.toInt()));
    }
    if (m_range) {
        filter.ranges[TraceColumn::Timestamp] = *m_range;
    }
    filter.text = m_text->text().trimmed().toStdString();
    return filter;
}

bool TraceFilterBar::isFiltering() const
{
    return !m_text->text().trimmed().isEmpty() || !m_status->checked().isEmpty() || !m_solution->checked().isEmpty() ||
           !m_hardware->checked().isEmpty() || !m_folder->checked().isEmpty() || m_range;
}

bool TraceFilterBar::isPending() const { return m_debounce->isActive(); }

void TraceFilterBar::setScope(Scope scope) { m_scope->setCurrentIndex(m_scope->findData(static_cast<int>(scope))); }

void TraceFilterBar::setText(const QString& text) { m_text->setText(text); }

void TraceFilterBar::setSolutions(const QStringList& solutions) { m_solution->setChecked(solutions); }

void TraceFilterBar::setStatuses(const std::set<Status>& statuses)
{
    QStringList keys;
    for (const Status status : statuses) {
        keys << QString::number(static_cast<int>(status));
    }
    m_status->setChecked(keys);
}

void TraceFilterBar::setTimes(const std::optional<ValueRange>& times, const QString& title)
{
    m_range = times;
    m_times->setText(withoutMnemonic(title));
    m_times->setAccessibleName(title);
    m_times->setVisible(times.has_value());
}

void TraceFilterBar::setCount(qint64 shown, qint64 total)
{
    m_count->setText(shown == total ? tr("%1 traces").arg(countText(total)) : tr("%1 of %2").arg(countText(shown), countText(total)));
    m_reset->setEnabled(isFiltering());
}

void TraceFilterBar::focusText()
{
    m_text->setFocus(Qt::ShortcutFocusReason);
    m_text->selectAll();
}

void TraceFilterBar::rebuildChoices()
{
    std::vector<CheckListButton::Entry> statuses;
    for (int status = 0; status < kStatusCount; ++status) {
        // The format's own are always there; those of the SOL-ExecBench dialect where they occur.
        if (!isFormatStatus(static_cast<Status>(status)) && m_statuses.of(static_cast<Status>(status)) == 0)
            continue;
        const StatusLook look = statusLook(static_cast<Status>(status));
        statuses.push_back({QString::number(status), look.word, look.icon});
    }
    m_status->setEntries(statuses);

    std::vector<CheckListButton::Entry> hardware;
    for (const QString& name : m_workspace->hardwareNames()) {
        hardware.push_back({name, name, {}});
    }
    m_hardware->setEntries(hardware);
    m_hardware->setVisible(hardware.size() > 1);

    std::vector<CheckListButton::Entry> folders;
    for (const JoinedFolder& folder : m_workspace->dataset()->folders()) {
        const QString name = QString::fromStdString(folder.name);
        folders.push_back({name, name, {}});
    }
    m_folder->setEntries(folders);
    m_folder->setVisible(!folders.empty());

    std::vector<CheckListButton::Entry> solutions;
    const QString definition = m_workspace->currentDefinition();
    if (m_scope->currentData().toInt() == static_cast<int>(Scope::Definition) && !definition.isEmpty()) {
        for (const Solution* solution : m_workspace->dataset()->solutionsOf(definition.toStdString())) {
            const QString name = QString::fromStdString(solution->name);
            solutions.push_back({name, name, seriesChip(name)});
        }
    }
    m_solution->setEntries(solutions);
    m_solution->setVisible(!solutions.empty());
}

void TraceFilterBar::offerStatuses(const StatusCounts& counts)
{
    m_statuses = counts;
    const QSignalBlocker blocker(this);
    rebuildChoices();
}

void TraceFilterBar::reset()
{
    {
        const QSignalBlocker blocker(this);   // five controls, one change
        m_text->clear();
        setTimes(std::nullopt);
        for (CheckListButton* button : {m_status, m_solution, m_hardware, m_folder}) {
            button->setChecked({});
        }
    }
    emitNow();
}

void TraceFilterBar::emitNow()
{
    m_debounce->stop();
    emit filterChanged();
}

}  // namespace tracedeck::ui
