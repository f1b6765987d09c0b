// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/viewer_page.h"

#include <Qsci/qsciscintilla.h>

#include <QEvent>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <limits>

#include "ui/models/document_problems_model.h"
#include "ui/models/latest_job.h"
#include "ui/models/number_format.h"
#include "ui/pages/code_view.h"
#include "ui/pages/log_panel.h"
#include "ui/pages/log_view.h"
#include "ui/pages/tensor_view.h"
#include "ui/style/labels.h"
#include "ui/style/tables.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

constexpr int kViewerLineWidth = 70;
constexpr int kViewerReasonWidth = 620;
constexpr int kViewerTextHeight = 460;
constexpr int kViewerProblemsHeight = 150;

}  // namespace

ViewerPage::ViewerPage(QWidget* parent)
    : QWidget(parent), m_heading(new QLabel(this)), m_kind(new ElidedLabel(this)), m_stack(new QStackedWidget(this)), m_message(new WrappedLabel(m_stack)),
      m_textPage(new QWidget(m_stack)), m_texts(new QStackedWidget(m_textPage)), m_code(new CodeView(m_texts)),
      m_large(new LogPanel(LogPanel::Content::Text, m_texts)), m_problemTable(new QTableView(m_textPage)),
      m_problems(new DocumentProblemsModel(this)), m_tensors(new TensorView(m_stack)), m_job(new LatestJob(this)),
      m_checkJob(new LatestJob(this))
{
    setObjectName(QStringLiteral("viewerPage"));
    m_heading->setObjectName(QStringLiteral("viewerTitle"));
    m_heading->setTextFormat(Qt::PlainText);
    m_heading->setFont(headingFont());
    m_kind->setObjectName(QStringLiteral("viewerKind"));
    m_kind->setMuted(true);
    m_message->setObjectName(QStringLiteral("viewerMessage"));
    m_message->setAlignment(Qt::AlignCenter);
    m_message->setMargin(Space::kPage);
    m_message->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_code->editor()->setAccessibleName(tr("Text of the file"));
    m_problemTable->setObjectName(QStringLiteral("viewerProblems"));
    m_problemTable->setAccessibleName(tr("What is wrong in the text"));
    m_problemTable->setModel(m_problems);
    setUpTable(m_problemTable);
    m_problemTable->setSortingEnabled(false);
    m_problemTable->setColumnWidth(DocumentProblemsModel::LineColumn, kViewerLineWidth);
    m_problemTable->setColumnWidth(DocumentProblemsModel::ReasonColumn, kViewerReasonWidth);

    m_texts->addWidget(m_code);
    m_texts->addWidget(m_large);
    auto* splitter = new QSplitter(Qt::Vertical, m_textPage);
    splitter->setChildrenCollapsible(false);
    splitter->setHandleWidth(1);
    splitter->addWidget(m_texts);
    splitter->addWidget(m_problemTable);
    splitter->setStretchFactor(0, 1);
    splitter->setSizes({kViewerTextHeight, kViewerProblemsHeight});
    auto* textLayout = new QVBoxLayout(m_textPage);
    textLayout->setContentsMargins(0, 0, 0, 0);
    textLayout->addWidget(splitter);
    m_stack->addWidget(m_message);
    m_stack->addWidget(m_textPage);
    m_stack->addWidget(m_tensors);
    auto* header = new QVBoxLayout;
    header->setContentsMargins(Space::kPage, Space::kWide, Space::kPage, Space::kNormal);
    header->setSpacing(Space::kTight);
    header->addWidget(m_heading);
    header->addWidget(m_kind);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(header);
    layout->addWidget(m_stack, 1);

    const auto goToProblem = [this](const QModelIndex& index) {
        if (const auto row = static_cast<std::size_t>(index.row()); index.isValid() && row < m_problems->problems().size())
            showLine(m_problems->problems()[row].error.line);
    };
    connect(m_problemTable, &QTableView::clicked, this, goToProblem);
    connect(m_problemTable, &QTableView::activated, this, goToProblem);
}

bool ViewerPage::isChecking() const { return m_checkJob->isRunning(); }
bool ViewerPage::isBusy() const { return m_job->isRunning() || isChecking() || m_large->isBusy() || m_tensors->isBusy(); }

LogPanel* ViewerPage::largeText() const
{
    return m_stack->currentWidget() == m_textPage && m_texts->currentWidget() == m_large ? m_large : nullptr;
}

void ViewerPage::showFile(const QString& path, qint64 line)
{
    start(path, QFileInfo(path).fileName(), [path] { return loadDocument(path); }, line);
}

void ViewerPage::showText(const QString& text, const QString& title)
{
    auto shared = std::make_shared<const std::string>(text.toStdString());
    start({}, title, [shared] { return loadText(shared); }, 0);
}

void ViewerPage::start(const QString& path, const QString& title, const std::function<LoadedDocument()>& load, qint64 line)
{
    m_path = path;
    m_title = title;
    m_heading->setText(shortened(visibleText(title), kLongestName));
    m_heading->setToolTip(plainToolTip(path.isEmpty() ? title : path));
    m_kind->setText(QString());
    showMessage(tr("Reading …"));
    emit titleChanged();
    m_checkJob->cancel();
    m_job->start<LoadedDocument>([load](std::stop_token) { return load(); }, [this, line](const LoadedDocument& document) { showDocument(document, line); });
}

void ViewerPage::showMessage(const QString& text)
{
    m_message->setText(text);
    m_stack->setCurrentWidget(m_message);
}

void ViewerPage::showDocument(const LoadedDocument& document, qint64 line)
{
    m_tensors->setFile(document.tensors);
    if (!document.failure.isEmpty()) {
        m_kind->setText(tr("This file cannot be shown"));
        showMessage(document.failure);
        return;
    }
    if (document.tensors) {
        showTensors(document.tensors);
        return;
    }
    m_problems->setProblems({});
    m_problemTable->hide();
    const bool isLines = document.isLines;
    const CodeLanguage language = m_path.isEmpty() ? CodeLanguage::PlainText : codeLanguageOf(m_path);
    const std::size_t start = document.text->find_first_not_of(" \t\r\n");
    const bool beginsLikeJson = start != std::string::npos && ((*document.text)[start] == '{' || (*document.text)[start] == '[');
    if (document.suitsCodeView) {
        m_code->setCode(QString::fromStdString(*document.text),
                        language == CodeLanguage::PlainText && (isLines || beginsLikeJson) ? CodeLanguage::Json : language);
        m_large->setLog(std::string());
        m_texts->setCurrentWidget(m_code);
    } else {
        m_code->setCode(QString(), CodeLanguage::PlainText);
        m_large->setLog(document.text);
        m_texts->setCurrentWidget(m_large);
    }
    m_stack->setCurrentWidget(m_textPage);
    if (line > 0)
        showLine(line);
    m_kind->setText(tr("Checking …"));
    m_checkJob->start<Result<DocumentCheck>>([text = document.text, isLines](std::stop_token stop) { return checkDocument(*text, isLines, stop); },
                                             [this, size = document.text->size()](const Result<DocumentCheck>& check) {
                                                 if (check)
                                                     showCheck(*check, size);
                                                 else
                                                     m_kind->setText(QString::fromStdString(check.error().toString()));
                                             });
}

void ViewerPage::showTensors(const std::shared_ptr<const SafetensorsFile>& file)
{
    std::uint64_t bytes = 0;
    for (const SafetensorsEntry& entry : file->entries())
        bytes += entry.end - entry.begin;
    const auto count = static_cast<qint64>(file->entries().size());
    QStringList parts{count == 1 ? tr("Safetensors, 1 tensor") : tr("Safetensors, %1 tensors").arg(countText(count)), bytesText(bytes)};
    for (const auto& [key, value] : file->metadata())
        parts << QString::fromStdString(key) + QLatin1Char('=') + QString::fromStdString(value);
    m_kind->setText(parts.join(QStringLiteral("  ·  ")));
    m_stack->setCurrentWidget(m_tensors);
}

void ViewerPage::showCheck(const DocumentCheck& check, std::size_t size)
{
    const auto total = static_cast<qint64>(check.problems.size() + check.problemsLeftOut);
    QStringList parts{kindText(check), bytesText(size),
                      total == 0   ? tr("nothing is wrong")
                      : total == 1 ? tr("1 problem")
                                   : tr("%1 problems").arg(countText(total))};
    if (check.problemsLeftOut > 0)
        parts << tr("the first %1 are listed").arg(countText(static_cast<qint64>(check.problems.size())));
    if (!m_path.isEmpty())
        parts << m_path;
    m_kind->setText(parts.join(QStringLiteral("  ·  ")));
    m_problems->setProblems(check.problems);
    m_problemTable->setVisible(!check.problems.empty());
}

void ViewerPage::showLine(qint64 line)
{
    if (line <= 0 || m_stack->currentWidget() != m_textPage)
        return;
    if (LogPanel* large = largeText())
        large->showLine(line);
    else
        m_code->showLine(static_cast<int>(std::min<qint64>(line, std::numeric_limits<int>::max())));
}

void ViewerPage::showFind()
{
    if (LogPanel* large = largeText())
        large->showFind();
    else if (m_stack->currentWidget() == m_textPage)
        m_code->showFind();
}

void ViewerPage::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        m_problems->refreshLooks();
    if (event->type() == QEvent::FontChange)
        m_heading->setFont(headingFont());
}

}  // namespace tracedeck::ui
