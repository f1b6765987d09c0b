// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/trace_details.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSplitter>
#include <QStackedLayout>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/models/number_format.h"
#include "ui/models/workspace.h"
#include "ui/style/icons.h"
#include "ui/style/labels.h"
#include "ui/style/status_look.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

/// Longer logs are cut in the view; the file keeps them.
constexpr std::size_t kMaximumLogBytes = 1U << 20U;
/// Longer logs are not wrapped: one endless line would be laid out anew at every change of the width.
constexpr std::size_t kMaximumWrappedLogBytes = 1U << 17U;
/// Deeper or longer values are shown as their JSON text.
constexpr int kMaximumDepth = 6;
/// Letters of a name above the facts, which have it whole.
constexpr qsizetype kLongestHeading = 160;
constexpr std::size_t kMaximumItems = 500;
constexpr int kFactHeight = 20;
/// The value as it is in the file, for copying.
constexpr int kValueRole = Qt::UserRole;

/// A word of a POSIX shell command.
QString shellWord(const QString& word)
{
    static const QRegularExpression kPlain(QStringLiteral("^[A-Za-z0-9_./:=@%+,-]+$"));
    if (kPlain.match(word).hasMatch()) {
        return word;
    }
    return QLatin1Char('\'') + QString(word).replace(QLatin1Char('\''), QLatin1String("'\\''")) + QLatin1Char('\'');
}

QTreeWidgetItem* addFact(QTreeWidgetItem* parent, const QString& name, const QString& value)
{
    auto* item = new QTreeWidgetItem(parent, {visibleText(name), visibleText(value)});
    item->setData(1, kValueRole, value);
    item->setToolTip(0, plainToolTip(name));
    item->setFont(1, monospacedFont());
    item->setToolTip(1, plainToolTip(value));
    // The height alone is set, through the value: a size for the name would be its width, too.
    item->setSizeHint(1, QSize(0, kFactHeight));
    return item;
}

QString jsonText(const Json& json)
{
    if (json.is_string()) {
        return QString::fromStdString(json.get<std::string>());
    }
    return QString::fromStdString(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

void addJson(QTreeWidgetItem* parent, const QString& name, const Json& json, int depth = 0)
{
    if (!json.is_structured() || json.empty() || depth >= kMaximumDepth || json.size() > kMaximumItems) {
        addFact(parent, name, jsonText(json));
        return;
    }
    auto* item = addFact(parent, name, {});
    std::size_t position = 0;
    for (const auto& entry : json.items()) {
        addJson(item, json.is_array() ? QString::number(position++) : QString::fromStdString(entry.key()), entry.value(), depth + 1);
    }
    item->setExpanded(depth == 0);
}

void addUnknownKeys(QTreeWidgetItem* parent, const Json& keys)
{
    for (const auto& entry : keys.items()) {
        addJson(parent, QString::fromStdString(entry.key()), entry.value());
    }
}

QString inputText(const WorkloadInput& input)
{
    if (const auto* scalar = std::get_if<ScalarInput>(&input)) {
        if (const auto* integer = std::get_if<std::int64_t>(&scalar->value)) {
            return QString::number(*integer);
        }
        if (const auto* real = std::get_if<double>(&scalar->value)) {
            return exactText(*real);
        }
        return std::get<bool>(scalar->value) ? QStringLiteral("true") : QStringLiteral("false");
    }
    if (const auto* file = std::get_if<SafetensorsInput>(&input)) {
        return QStringLiteral("%1 [%2]").arg(QString::fromStdString(file->path), QString::fromStdString(file->tensorKey));
    }
    return std::holds_alternative<CustomInput>(input) ? TraceDetails::tr("made by the definition") : TraceDetails::tr("random");
}

}  // namespace

struct TraceDetails::Answer {
    Result<Trace> trace = Trace();
    QString file;
};

TraceDetails::TraceDetails(Workspace* workspace, QWidget* parent) : QWidget(parent), m_workspace(workspace), m_job(new LatestJob(this))
{
    setObjectName(QStringLiteral("traceDetails"));
    m_stack = new QStackedLayout(this);
    m_message = new WrappedLabel(this);
    m_message->setObjectName(QStringLiteral("traceDetailsMessage"));
    m_message->setAlignment(Qt::AlignCenter);
    m_message->setMargin(Space::kPage);
    m_content = new QWidget(this);
    auto* layout = new QVBoxLayout(m_content);
    layout->setContentsMargins(0, Space::kNormal, 0, 0);
    layout->setSpacing(Space::kTight);
    buildHeader();
    buildBody();
    m_stack->addWidget(m_message);
    m_stack->addWidget(m_content);
    setMinimumWidth(220);

    connect(workspace, &Workspace::currentTraceChanged, this, &TraceDetails::onCurrentTraceChanged);
    connect(workspace, &Workspace::datasetChanged, this, [this](bool onlyGrew) {
        if (!onlyGrew) {
            onCurrentTraceChanged(m_workspace->currentTrace());
        }
    });
    onCurrentTraceChanged(workspace->currentTrace());
}

TraceDetails::~TraceDetails() = default;

void TraceDetails::buildHeader()
{
    auto* header = new QVBoxLayout;
    header->setContentsMargins(Space::kWide, 0, Space::kWide, 0);
    header->setSpacing(Space::kTight);
    m_statusLabel = new QLabel(m_content);
    m_statusLabel->setObjectName(QStringLiteral("traceStatus"));
    m_statusLabel->setTextFormat(Qt::PlainText);
    m_titleLabel = new WrappedLabel(m_content);
    m_titleLabel->setObjectName(QStringLiteral("traceTitle"));
    m_headline = new WrappedLabel(m_content);
    m_headline->setMuted(true);
    m_headline->setObjectName(QStringLiteral("traceHeadline"));
    m_rerunButton = new QPushButton(icon(QStringLiteral("run")), tr("Run &again"), m_content);
    m_rerunButton->setObjectName(QStringLiteral("rerunTrace"));
    m_rerunButton->setToolTip(tr("Measure this solution on this workload again"));
    m_copyButton = new QPushButton(icon(QStringLiteral("copy")), tr("Copy co&mmand"), m_content);
    m_copyButton->setObjectName(QStringLiteral("copyReproduction"));
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(Space::kNormal);
    buttons->addWidget(m_rerunButton);
    buttons->addWidget(m_copyButton);
    buttons->addStretch(1);
    header->addWidget(m_statusLabel);
    header->addWidget(m_titleLabel);
    header->addWidget(m_headline);
    header->addLayout(buttons);
    static_cast<QVBoxLayout*>(m_content->layout())->addLayout(header);

    connect(m_rerunButton, &QPushButton::clicked, this, [this] {
        if (m_trace && m_trace->solution) {
            Selection selection;
            selection.solutions.insert(*m_trace->solution);
            selection.workloads.insert(m_trace->workload.uuid);
            emit rerunRequested(selection);
        }
    });
    connect(m_copyButton, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(reproductionCommand()); });
}

void TraceDetails::buildBody()
{
    auto* splitter = new QSplitter(Qt::Vertical, m_content);
    splitter->setChildrenCollapsible(false);
    splitter->setHandleWidth(1);
    m_tree = new QTreeWidget(splitter);
    m_tree->setObjectName(QStringLiteral("traceFacts"));
    m_tree->setAccessibleName(tr("Everything about the trace"));
    m_tree->setColumnCount(2);
    m_tree->setHeaderHidden(true);
    m_tree->setUniformRowHeights(false);
    m_tree->setAlternatingRowColors(false);
    m_tree->setFrameShape(QFrame::NoFrame);
    m_tree->setIndentation(Space::kWide);
    m_tree->setTextElideMode(Qt::ElideMiddle);
    m_tree->header()->setStretchLastSection(false);
    m_tree->header()->setSectionResizeMode(0, QHeaderView::Interactive);
    m_tree->header()->setSectionResizeMode(1, QHeaderView::Stretch);
    m_tree->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_tree->viewport()->installEventFilter(this);
    connect(m_tree, &QTreeWidget::itemExpanded, this, &TraceDetails::sizeNames);
    auto* copy = new QAction(tr("&Copy value"), m_tree);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetShortcut);
    m_tree->addAction(copy);
    m_tree->setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(copy, &QAction::triggered, this, &TraceDetails::copyValue);

    auto* logPane = new QWidget(splitter);
    auto* logLayout = new QVBoxLayout(logPane);
    logLayout->setContentsMargins(0, Space::kTight, 0, 0);
    logLayout->setSpacing(Space::kTight);
    auto* logBar = new QHBoxLayout;
    logBar->setContentsMargins(Space::kWide, 0, Space::kWide, 0);
    m_logTitle = new QLabel(logPane);
    m_logTitle->setTextFormat(Qt::PlainText);
    m_findEdit = new QLineEdit(logPane);
    m_findEdit->setObjectName(QStringLiteral("findInLog"));
    m_findEdit->setPlaceholderText(tr("Find in log"));
    m_findEdit->setAccessibleName(tr("Find in log"));
    m_findEdit->setToolTip(tr("Enter: next, Shift+Enter: previous (Ctrl+F)"));
    m_findEdit->setClearButtonEnabled(true);
    m_findEdit->setMaximumWidth(180);
    logBar->addWidget(m_logTitle, 1);
    logBar->addWidget(m_findEdit);
    m_log = new QPlainTextEdit(logPane);
    m_log->setObjectName(QStringLiteral("traceLog"));
    m_log->setAccessibleName(tr("Log of the trace"));
    m_log->setReadOnly(true);
    m_log->setUndoRedoEnabled(false);
    m_log->setFrameShape(QFrame::NoFrame);
    m_log->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    logLayout->addLayout(logBar);
    logLayout->addWidget(m_log, 1);
    splitter->addWidget(m_tree);
    splitter->addWidget(logPane);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    static_cast<QVBoxLayout*>(m_content->layout())->addWidget(splitter, 1);
    connect(m_findEdit, &QLineEdit::returnPressed, this, [this] { findInLog(QApplication::keyboardModifiers() & Qt::ShiftModifier); });
    updateColors();
}

void TraceDetails::onCurrentTraceChanged(qint64 row)
{
    m_row = row;
    const auto dataset = m_workspace->dataset();
    if (row < 0 || static_cast<std::size_t>(row) >= dataset->traces().size()) {
        m_job->cancel();
        m_trace.reset();
        showMessage(tr("Choose a trace in the table, or a point in a chart, to see everything about it."));
        return;
    }
    m_job->start<Answer>(
        [dataset, row](std::stop_token) {
            const auto index = static_cast<std::size_t>(row);
            return Answer{dataset->readTrace(index), QString::fromStdString(dataset->traceFile(index).string())};
        },
        [this, row](const Answer& answer) { showAnswer(row, answer); });
}

void TraceDetails::showMessage(const QString& text)
{
    m_message->setText(text);
    m_stack->setCurrentWidget(m_message);
}

void TraceDetails::showAnswer(qint64 row, const Answer& answer)
{
    if (!answer.trace) {
        m_trace.reset();
        showMessage(tr("The trace could not be read back from “%1”: %2\nThe file may have changed. Reload the dataset (F5).")
                        .arg(answer.file, QString::fromStdString(answer.trace.error().toString())));
        emit traceShown(row);
        return;
    }
    m_trace = *answer.trace;
    const Trace& trace = *m_trace;
    m_titleLabel->setText(trace.solution ? shortened(QString::fromStdString(*trace.solution), kLongestHeading) : tr("no solution"));
    QStringList headline;
    if (trace.evaluation && trace.evaluation->performance) {
        headline << durationText(trace.evaluation->performance->latencyMs);
        if (trace.evaluation->performance->speedupFactor > 0) {
            headline << tr("%1 over the reference").arg(ratioText(trace.evaluation->performance->speedupFactor));
        }
    }
    headline << axesText(trace.workload);
    if (trace.evaluation) {
        headline << QString::fromStdString(trace.evaluation->environment.hardware);
    }
    headline.removeAll(QString());
    m_headline->setText(shortened(headline.join(QStringLiteral(" · ")), kLongestHeading));
    m_rerunButton->setEnabled(trace.solution && m_workspace->dataset()->findSolution(*trace.solution) != nullptr);
    m_copyButton->setEnabled(trace.solution.has_value());
    m_copyButton->setToolTip(plainToolTip(reproductionCommand()));
    fillTree(trace);
    auto* place = addSection(tr("File"));
    addFact(place, tr("trace file"), answer.file);
    place->setExpanded(true);
    sizeNames();
    showLog(trace);
    updateColors();
    m_stack->setCurrentWidget(m_content);
    emit traceShown(row);
}

QTreeWidgetItem* TraceDetails::addSection(const QString& title)
{
    auto* section = new QTreeWidgetItem(m_tree, {visibleText(title)});
    QFont bold = font();
    bold.setBold(true);
    section->setFont(0, bold);
    section->setFirstColumnSpanned(true);
    section->setSizeHint(0, QSize(0, kRowHeight));
    section->setFlags(Qt::ItemIsEnabled);
    section->setExpanded(true);
    return section;
}

void TraceDetails::fillTree(const Trace& trace)
{
    m_tree->clear();
    if (trace.evaluation) {
        const Evaluation& evaluation = *trace.evaluation;
        auto* result = addSection(tr("Result"));
        addFact(result, tr("status"), fromView(evaluation.statusName()));
        if (trace.solution) {
            addFact(result, tr("solution"), QString::fromStdString(*trace.solution));
            if (const Solution* solution = m_workspace->dataset()->findSolution(*trace.solution)) {
                addFact(result, tr("author"), QString::fromStdString(solution->author));
            }
        }
        addFact(result, tr("measured"), QString::fromStdString(evaluation.timestamp));
        if (evaluation.performance) {
            auto* performance = addSection(tr("Performance"));
            addFact(performance, tr("latency (ms)"), exactText(evaluation.performance->latencyMs));
            addFact(performance, tr("reference latency (ms)"), exactText(evaluation.performance->referenceLatencyMs));
            addFact(performance, tr("speedup"), exactText(evaluation.performance->speedupFactor));
            addUnknownKeys(performance, evaluation.performance->unknownKeys);
        }
        if (evaluation.correctness) {
            auto* correctness = addSection(tr("Correctness"));
            addFact(correctness, tr("max absolute error"), exactText(evaluation.correctness->maxAbsoluteError));
            addFact(correctness, tr("max relative error"), exactText(evaluation.correctness->maxRelativeError));
            if (evaluation.correctness->hasNan.value_or(false)) {
                addFact(correctness, tr("has NaN"), tr("yes"));
            }
            if (evaluation.correctness->hasInf.value_or(false)) {
                addFact(correctness, tr("has infinity"), tr("yes"));
            }
            if (!evaluation.correctness->extra.is_null()) {
                addJson(correctness, tr("extra"), evaluation.correctness->extra);
            }
            addUnknownKeys(correctness, evaluation.correctness->unknownKeys);
        }
        for (const auto& entry : evaluation.unknownKeys.items()) {
            auto* section = addSection(entry.key() == "judge" ? tr("Judge") : QString::fromStdString(entry.key()));
            if (entry.value().is_object()) {
                addUnknownKeys(section, entry.value());
            } else {
                addJson(section, QString::fromStdString(entry.key()), entry.value());
            }
        }
        auto* environment = addSection(tr("Environment"));
        addFact(environment, tr("hardware"), QString::fromStdString(evaluation.environment.hardware));
        for (const auto& [library, version] : evaluation.environment.libs) {
            addFact(environment, QString::fromStdString(library), QString::fromStdString(version));
        }
        addUnknownKeys(environment, evaluation.environment.unknownKeys);
    }
    auto* workload = addSection(tr("Workload"));
    addFact(workload, tr("definition"), QString::fromStdString(trace.definition));
    addFact(workload, trace.workload.uuidIsSynthetic ? tr("uuid (computed)") : tr("uuid"), QString::fromStdString(trace.workload.uuid));
    for (const std::string& axis : trace.workload.axisOrder) {
        const auto value = trace.workload.axes.find(axis);
        if (value != trace.workload.axes.end()) {
            addFact(workload, QString::fromStdString(axis), QString::number(value->second));
        }
    }
    for (const auto& [name, input] : trace.workload.inputs) {
        addFact(workload, QString::fromStdString(name), inputText(input));
    }
    if (const auto& tolerance = trace.workload.tolerance) {
        auto* bounds = addSection(tr("Tolerance of the workload"));
        addFact(bounds, tr("absolute"), exactText(tolerance->atol()));
        addFact(bounds, tr("relative"), exactText(tolerance->rtol()));
        addFact(bounds, tr("share of elements within"), exactText(tolerance->matchedRatio()));
        if (tolerance->misspeltMatchedRatio) {
            addFact(bounds, tr("share under a misspelt key (ignored)"), exactText(*tolerance->misspeltMatchedRatio));
        }
        if (tolerance->maxErrorCap) {
            addFact(bounds, tr("largest error"), exactText(*tolerance->maxErrorCap));
        }
        if (tolerance->allowNegativeInf.value_or(false)) {
            addFact(bounds, tr("-infinity"), tr("allowed"));
        }
        addUnknownKeys(bounds, tolerance->unknownKeys);
    }
    addUnknownKeys(workload, trace.workload.unknownKeys);
    if (!trace.unknownKeys.empty()) {
        addUnknownKeys(addSection(tr("Other keys")), trace.unknownKeys);
    }
}

void TraceDetails::sizeNames()
{
    // Names take what they need, and leave two fifths for the values.
    m_tree->resizeColumnToContents(0);
    m_tree->setColumnWidth(0, std::min(m_tree->columnWidth(0), m_tree->viewport()->width() * 3 / 5));
}

bool TraceDetails::eventFilter(QObject* watched, QEvent* event)
{
    // The first trace is shown before the tree has its width.
    if (watched == m_tree->viewport() && event->type() == QEvent::Resize)
        sizeNames();
    return QWidget::eventFilter(watched, event);
}

void TraceDetails::showLog(const Trace& trace)
{
    const std::string& log = trace.evaluation ? trace.evaluation->log : std::string();
    QString text = QString::fromUtf8(log.data(), static_cast<qsizetype>(std::min(log.size(), kMaximumLogBytes)));
    m_log->setLineWrapMode(log.size() <= kMaximumWrappedLogBytes ? QPlainTextEdit::WidgetWidth : QPlainTextEdit::NoWrap);
    m_log->setPlainText(visibleLines(text.replace(QLatin1String("\r\n"), QLatin1String("\n")).replace(QLatin1Char('\r'), QLatin1Char('\n'))));
    if (log.empty()) {
        m_logTitle->setText(tr("The log is empty"));
    } else if (log.size() > kMaximumLogBytes) {
        m_logTitle->setText(tr("Log: the first 1 MiB of %1 bytes").arg(countText(static_cast<qint64>(log.size()))));
    } else {
        m_logTitle->setText(m_log->blockCount() == 1 ? tr("Log, 1 line") : tr("Log, %1 lines").arg(m_log->blockCount()));
    }
    m_findEdit->setEnabled(!log.empty());
}

QString TraceDetails::reproductionCommand() const
{
    if (!m_trace || !m_trace->solution) {
        return {};
    }
    QStringList words{QStringLiteral("tracedeck"), QStringLiteral("run"), QStringLiteral("--local"), m_workspace->root(),
                      QStringLiteral("--definitions"), QString::fromStdString(m_trace->definition), QStringLiteral("--solutions"),
                      QString::fromStdString(*m_trace->solution), QStringLiteral("--workloads"), QString::fromStdString(m_trace->workload.uuid)};
    for (QString& word : words) {
        word = shellWord(word);
    }
    return words.join(QLatin1Char(' '));
}

void TraceDetails::findInLog(bool backward)
{
    const QString text = m_findEdit->text();
    if (text.isEmpty()) {
        return;
    }
    const auto flags = backward ? QTextDocument::FindBackward : QTextDocument::FindFlags();
    if (m_log->find(text, flags)) {
        return;
    }
    // Once around.
    QTextCursor cursor = m_log->textCursor();
    cursor.movePosition(backward ? QTextCursor::End : QTextCursor::Start);
    m_log->setTextCursor(cursor);
    if (!m_log->find(text, flags)) {
        m_logTitle->setText(tr("“%1” is not in the log").arg(shortened(visibleText(text), 24)));
    }
}

void TraceDetails::copyValue()
{
    if (const QTreeWidgetItem* item = m_tree->currentItem()) {
        const QString value = item->data(1, kValueRole).toString();
        QApplication::clipboard()->setText(value.isEmpty() ? item->text(0) : value);
    }
}

void TraceDetails::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Find)) {
        m_findEdit->setFocus(Qt::ShortcutFocusReason);
        m_findEdit->selectAll();
        return;
    }
    if (event->key() == Qt::Key_Escape && m_findEdit->hasFocus()) {
        m_findEdit->clear();
        m_log->setFocus();
        return;
    }
    QWidget::keyPressEvent(event);
}

void TraceDetails::updateColors()
{
    const StatusLook look = m_trace && m_trace->evaluation ? statusLook(m_trace->evaluation->status) : notRunLook();
    m_statusLabel->setText(look.symbol + QLatin1Char(' ') + look.word);
    QPalette palette = m_statusLabel->palette();
    if (palette.color(QPalette::WindowText) != look.color) {
        palette.setColor(QPalette::WindowText, look.color);
        m_statusLabel->setPalette(palette);
    }
    QFont bold = font();
    bold.setBold(true);
    m_titleLabel->setFont(bold);
    m_log->setFont(monospacedFont());
}

void TraceDetails::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_log) {
        updateColors();
    }
}

}  // namespace tracedeck::ui
