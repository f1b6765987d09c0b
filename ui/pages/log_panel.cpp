// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/log_panel.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QToolButton>
#include <QVBoxLayout>
#include <utility>

#include "ui/models/latest_job.h"
#include "ui/models/number_format.h"
#include "ui/pages/log_view.h"
#include "ui/style/icon_button.h"
#include "ui/style/labels.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

/// Logs up to this size are ready in less than a millisecond and need no thread.
constexpr std::size_t kSmallLogBytes = 32U << 10U;

}  // namespace

LogPanel::LogPanel(Content content, QWidget* parent)
    : QWidget(parent), m_content(content), m_title(new ElidedLabel(this)), m_findEdit(new QLineEdit(this)), m_count(new MutedLabel(QString(), this)),
      m_view(new LogView(this)), m_buildJob(new LatestJob(this)), m_findJob(new LatestJob(this))
{
    m_title->setObjectName(QStringLiteral("logTitle"));
    const bool isLog = content == Content::Log;
    m_view->setObjectName(isLog ? QStringLiteral("traceLog") : QStringLiteral("largeText"));
    m_view->setAccessibleName(isLog ? tr("Log of the trace") : tr("Text of the file"));
    m_findEdit->setObjectName(QStringLiteral("findInLog"));
    m_findEdit->setPlaceholderText(isLog ? tr("Find in log") : tr("Find in text"));
    m_findEdit->setAccessibleName(m_findEdit->placeholderText());
    m_findEdit->setToolTip(tr("Enter or F3: next, Shift+Enter or Shift+F3: previous (Ctrl+F)"));
    m_findEdit->setClearButtonEnabled(true);
    m_findEdit->setMaxLength(LogText::kRowColumns);
    m_findEdit->installEventFilter(this);
    m_count->setObjectName(QStringLiteral("findCount"));
    m_previous = iconButton(QStringLiteral("up"), tr("Find previous (Shift+F3)"), this);
    m_next = iconButton(QStringLiteral("down"), tr("Find next (F3)"), this);
    m_copy = iconButton(QStringLiteral("copy"), isLog ? tr("Copy the whole log") : tr("Copy the whole text"), this);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, Space::kTight, 0, 0);
    layout->setSpacing(Space::kTight);
    auto* titleRow = new QHBoxLayout;
    titleRow->setContentsMargins(Space::kWide, 0, Space::kNormal, 0);
    titleRow->addWidget(m_title, 1);
    titleRow->addWidget(m_copy);
    auto* findRow = new QHBoxLayout;
    findRow->setContentsMargins(Space::kWide, 0, Space::kNormal, 0);
    findRow->setSpacing(Space::kTight);
    findRow->addWidget(m_findEdit, 1);
    findRow->addWidget(m_count);
    findRow->addWidget(m_previous);
    findRow->addWidget(m_next);
    layout->addLayout(titleRow);
    layout->addLayout(findRow);
    layout->addWidget(m_view, 1);

    connect(m_findEdit, &QLineEdit::textChanged, this, &LogPanel::startFind);
    connect(m_previous, &QToolButton::clicked, this, &LogPanel::findPrevious);
    connect(m_next, &QToolButton::clicked, this, &LogPanel::findNext);
    connect(m_copy, &QToolButton::clicked, m_view, &LogView::copyAll);
    showText(m_view->sharedText());
}

bool LogPanel::isBusy() const { return m_buildJob->isRunning() || m_findJob->isRunning(); }

void LogPanel::setLog(std::shared_ptr<const std::string> shared)
{
    m_findJob->cancel();
    m_lineToShow = 0;
    if (shared->size() <= kSmallLogBytes) {
        m_buildJob->cancel();
        showText(LogText::build(std::move(shared)));
        return;
    }
    showText(std::make_shared<const LogText>());
    m_title->setText(m_content == Content::Log ? tr("Preparing the log …") : tr("Preparing the text …"));
    m_buildJob->start<std::shared_ptr<const LogText>>([shared = std::move(shared)](std::stop_token stop) { return LogText::build(shared, stop); },
                                                      [this](const std::shared_ptr<const LogText>& text) { showText(text); });
}

void LogPanel::showText(const std::shared_ptr<const LogText>& text)
{
    m_view->setText(text);
    const int lines = text->lineCount();
    const bool isLog = m_content == Content::Log;
    if (lines == 0)
        m_title->setText(isLog ? tr("The log is empty") : tr("The text is empty"));
    else if (text->bytesLeftOut() > 0)
        m_title->setText((isLog ? tr("Log, the first %1 lines; %2 bytes more are in the file") : tr("The first %1 lines; %2 bytes more are in the file"))
                             .arg(countText(lines), countText(static_cast<qint64>(text->bytesLeftOut()))));
    else if (lines == 1)
        m_title->setText(isLog ? tr("Log, 1 line") : tr("1 line"));
    else
        m_title->setText((isLog ? tr("Log, %1 lines") : tr("%1 lines")).arg(countText(lines)));
    m_findEdit->setEnabled(lines > 0);
    m_copy->setEnabled(lines > 0);
    startFind();
    if (m_lineToShow > 0)
        m_view->showLine(std::exchange(m_lineToShow, 0));
}

void LogPanel::showLine(qint64 line)
{
    if (m_buildJob->isRunning())
        m_lineToShow = line;
    else
        m_view->showLine(line);
}

void LogPanel::startFind()
{
    const QString wanted = m_findEdit->text();
    const auto text = m_view->sharedText();
    if (wanted.isEmpty() || text->rowCount() == 0) {
        m_findJob->cancel();
        showMatches({});
        return;
    }
    m_count->setText(tr("searching …"));
    m_findJob->start<LogText::Matches>([text, wanted](std::stop_token stop) { return text->find(wanted, stop); },
                                       [this](const LogText::Matches& matches) { showMatches(matches); });
}

void LogPanel::showMatches(const LogText::Matches& matches)
{
    m_isCut = matches.isCut;
    m_view->setMatches(matches.found);
    const bool hasMatches = !matches.found.empty();
    m_previous->setEnabled(hasMatches);
    m_next->setEnabled(hasMatches);
    m_count->setText(matches.wanted.isEmpty() ? QString() : hasMatches ? QString() : tr("not found"));
    if (hasMatches)
        goToMatch(false);
    emit ready();
}

void LogPanel::goToMatch(bool backward)
{
    if (m_view->matches().empty())
        return;
    const std::size_t index = m_view->matchFromCursor(backward);
    m_view->showMatch(index);
    const QString total = countText(static_cast<qint64>(m_view->matches().size()));
    m_count->setText(m_isCut ? tr("%1 of more than %2").arg(countText(static_cast<qint64>(index + 1)), total)
                             : tr("%1 of %2").arg(countText(static_cast<qint64>(index + 1)), total));
}

void LogPanel::findNext() { goToMatch(false); }
void LogPanel::findPrevious() { goToMatch(true); }

void LogPanel::showFind()
{
    const QString selected = m_view->selectedText();
    if (!selected.isEmpty() && !selected.contains(QLatin1Char('\n')) && selected.size() <= LogText::kRowColumns)
        m_findEdit->setText(selected);
    m_findEdit->setFocus(Qt::ShortcutFocusReason);
    m_findEdit->selectAll();
}

bool LogPanel::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_findEdit && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
            goToMatch(key->modifiers() & Qt::ShiftModifier);
            return true;
        }
        if (key->key() == Qt::Key_Escape) {
            m_findEdit->clear();
            m_view->setFocus(Qt::OtherFocusReason);
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace tracedeck::ui
