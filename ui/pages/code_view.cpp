// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/code_view.h"

#include <Qsci/qscilexer.h>
#include <Qsci/qsciscintilla.h>

#include <QAction>
#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/pages/code_colors.h"
#include "ui/style/icon_button.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

constexpr int kLineNumberMargin = 0;

}  // namespace

CodeLanguage codeLanguageOf(const QString& fileName)
{
    const QString suffix = QFileInfo(fileName).suffix().toLower();
    if (suffix == u"py")
        return CodeLanguage::Python;
    if (suffix == u"cu" || suffix == u"cuh")
        return CodeLanguage::Cuda;
    static const QStringList cpp{QStringLiteral("c"),  QStringLiteral("cc"),  QStringLiteral("cpp"), QStringLiteral("cxx"),
                                 QStringLiteral("h"), QStringLiteral("hpp"), QStringLiteral("hh")};
    if (cpp.contains(suffix))
        return CodeLanguage::Cpp;
    if (suffix == u"json")
        return CodeLanguage::Json;
    return CodeLanguage::PlainText;
}

CodeView::CodeView(QWidget* parent) : QWidget(parent), m_editor(new QsciScintilla(this))
{
    m_editor->setObjectName(QStringLiteral("codeEditor"));
    m_editor->setAccessibleName(tr("Source text"));
    m_editor->setReadOnly(true);
    m_editor->setUtf8(true);
    m_editor->setFrameShape(QFrame::NoFrame);
    m_editor->setMarginType(kLineNumberMargin, QsciScintilla::NumberMargin);
    m_editor->setMarginLineNumbers(kLineNumberMargin, true);
    m_editor->setMarginWidth(1, 0);
    m_editor->SendScintilla(QsciScintilla::SCI_SETMARGINLEFT, 0, Space::kNormal);
    m_editor->setTabWidth(4);
    m_editor->setCaretLineVisible(true);
    m_editor->SendScintilla(QsciScintilla::SCI_SETSCROLLWIDTHTRACKING, 1);
    m_editor->SendScintilla(QsciScintilla::SCI_SETSCROLLWIDTH, 1);
    m_editor->SendScintilla(QsciScintilla::SCI_SETEXTRAASCENT, 1);
    m_editor->SendScintilla(QsciScintilla::SCI_SETEXTRADESCENT, 2);
    showHiddenCharacters();
    m_editor->installEventFilter(this);
    setFocusProxy(m_editor);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    buildFindBar();
    layout->addWidget(m_editor, 1);
    layout->addWidget(m_findBar);
    updateLook();
}

CodeView::~CodeView() = default;

void CodeView::buildFindBar()
{
    m_findBar = new QWidget(this);
    m_findBar->setObjectName(QStringLiteral("findBar"));
    auto* layout = new QHBoxLayout(m_findBar);
    layout->setContentsMargins(Space::kNormal, Space::kTight, Space::kNormal, Space::kTight);
    m_findEdit = new QLineEdit(m_findBar);
    m_findEdit->setObjectName(QStringLiteral("findEdit"));
    m_findEdit->setAccessibleName(tr("Find in the source text"));
    m_findEdit->setPlaceholderText(tr("Find"));
    m_findEdit->setClearButtonEnabled(true);
    m_findEdit->setMaximumWidth(320);
    m_findEdit->installEventFilter(this);
    auto* previous = iconButton(QStringLiteral("back"), tr("Find previous (Shift+Enter)"), m_findBar);
    auto* next = iconButton(QStringLiteral("forward"), tr("Find next (Enter)"), m_findBar);
    auto* close = iconButton(QStringLiteral("close"), tr("Close the find bar (Esc)"), m_findBar);
    m_findResult = new QLabel(m_findBar);
    m_findResult->setTextFormat(Qt::PlainText);
    layout->addWidget(m_findEdit);
    layout->addWidget(previous);
    layout->addWidget(next);
    layout->addWidget(m_findResult, 1);
    layout->addWidget(close);
    m_findBar->hide();
    connect(m_findEdit, &QLineEdit::textChanged, this, [this] { find(true, true); });
    connect(previous, &QToolButton::clicked, this, &CodeView::findPrevious);
    connect(next, &QToolButton::clicked, this, &CodeView::findNext);
    connect(close, &QToolButton::clicked, this, &CodeView::hideFind);
}

/// Characters that turn the direction of text or cannot be seen could make source read as other source than it is.
void CodeView::showHiddenCharacters()
{
    for (const auto& [first, last] : {std::pair{0x061C, 0x061C}, std::pair{0x200B, 0x200F}, std::pair{0x2028, 0x202E},
                                      std::pair{0x2060, 0x2069}, std::pair{0xFEFF, 0xFEFF}})
        for (int c = first; c <= last; ++c) {
            const QByteArray text = QString(QChar(c)).toUtf8();
            const QByteArray shown = "U+" + QByteArray::number(c, 16).toUpper();
            m_editor->SendScintilla(QsciScintilla::SCI_SETREPRESENTATION, text.constData(), shown.constData());
        }
}

void CodeView::setCode(const QString& text, CodeLanguage language)
{
    if (language != m_language) {
        m_language = language;
        QsciLexer* old = m_lexer;
        m_lexer = makeLexer(language, this);
        m_editor->setLexer(m_lexer);
        delete old;
        updateLook();
    }
    m_editor->setText(text);
    m_editor->setCursorPosition(0, 0);
    const int digits = static_cast<int>(QString::number(std::max(m_editor->lines(), 100)).size());
    m_editor->setMarginWidth(kLineNumberMargin, QString(digits + 2, QLatin1Char('9')));
}

QAbstractScrollArea* CodeView::area() const { return m_editor; }

QString CodeView::code() const { return m_editor->text(); }

void CodeView::updateLook()
{
    const bool dark = isDarkTheme();
    const ThemeColors& colors = themeColors(dark);
    const QFont font = monospacedFont();
    if (m_lexer) {
        colorLexer(*m_lexer, m_language, dark);
    } else {
        m_editor->setFont(font);
        m_editor->setPaper(colors.base);
        m_editor->setColor(colors.text);
    }
    m_editor->setMarginsFont(font);
    m_editor->setMarginsBackgroundColor(colors.base);
    m_editor->setMarginsForegroundColor(colors.muted);
    m_editor->setCaretForegroundColor(colors.text);
    m_editor->setCaretLineBackgroundColor(colors.alternateBase);
    m_editor->setSelectionBackgroundColor(colors.accentFill);
    m_editor->setSelectionForegroundColor(colors.textOnAccent);
}

void CodeView::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        updateLook();
}

bool CodeView::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Escape && m_findBar->isVisible()) {
            hideFind();
            return true;
        }
        if (watched == m_findEdit && (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter)) {
            if (key->modifiers() & Qt::ShiftModifier)
                findPrevious();
            else
                findNext();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void CodeView::showLine(int line)
{
    constexpr int kLinesAbove = 5;
    const int index = std::clamp(line - 1, 0, std::max(0, m_editor->lines() - 1));
    m_editor->ensureLineVisible(index);
    m_editor->setFirstVisibleLine(std::max(0, index - kLinesAbove));
    m_editor->setSelection(index, 0, index, static_cast<int>(m_editor->text(index).remove(QLatin1Char('\n')).size()));
    m_editor->setFocus(Qt::OtherFocusReason);
}

void CodeView::showFind()
{
    m_findBar->show();
    if (m_editor->hasSelectedText() && !m_editor->selectedText().contains(QLatin1Char('\n')))
        m_findEdit->setText(m_editor->selectedText());
    m_findEdit->selectAll();
    m_findEdit->setFocus(Qt::ShortcutFocusReason);
}

void CodeView::hideFind()
{
    m_findBar->hide();
    m_editor->setFocus(Qt::OtherFocusReason);
}

void CodeView::findNext() { find(true, false); }
void CodeView::findPrevious() { find(false, true); }

void CodeView::find(bool forward, bool fromSelectionStart)
{
    const QString wanted = m_findEdit->text();
    if (wanted.isEmpty()) {
        m_findResult->clear();
        return;
    }
    int line = 0;
    int column = 0;
    m_editor->getCursorPosition(&line, &column);
    if (fromSelectionStart && m_editor->hasSelectedText()) {
        int lastLine = 0;
        int lastColumn = 0;
        m_editor->getSelection(&line, &column, &lastLine, &lastColumn);
    }
    const bool found = m_editor->findFirst(wanted, false, false, false, true, forward, line, column, true);
    m_findResult->setText(found ? QString() : tr("Not found"));
}

}  // namespace tracedeck::ui
