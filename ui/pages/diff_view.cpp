// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/diff_view.h"

#include <Qsci/qsciscintilla.h>
#include <Qsci/qscistyle.h>

#include <QEvent>
#include <QHBoxLayout>
#include <QScrollBar>
#include <QSplitter>
#include <algorithm>

#include "ui/models/latest_job.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

constexpr int kNumberMargin = 0;
/// Markers of whole lines and an indicator of words, below those that lexers use.
enum Marker : int { kChangedLine, kGoneLine, kNewLine, kMissingLine };
constexpr int kWordIndicator = 8;

/// Backgrounds on which every colour of source text keeps its contrast.
struct DiffColors {
    QColor changed;
    QColor gone;
    QColor added;
    QColor missing;
    QColor word;
};

const DiffColors& diffColors(bool dark)
{
    const auto rgb = [](QRgb value) { return QColor::fromRgb(value); };
    static const DiffColors light{rgb(0xFFF6DF), rgb(0xFDEAE6), rgb(0xE7F1FD), rgb(0xF1F3F5), rgb(0xFFE08A)};
    static const DiffColors night{rgb(0x332D1C), rgb(0x3A2524), rgb(0x1F2D40), rgb(0x1E2024), rgb(0x5E4C1C)};
    return dark ? night : light;
}

/// One side's text with an empty line wherever only the other one has a line.
QString alignedText(const TextDiff& diff, const std::vector<std::string_view>& lines, bool isLeft)
{
    QStringList rows;
    rows.reserve(static_cast<qsizetype>(diff.rows.size()));
    for (const DiffRow& row : diff.rows) {
        const auto& line = isLeft ? row.left : row.right;
        rows << (line ? QString::fromUtf8(lines[*line].data(), static_cast<qsizetype>(lines[*line].size())) : QString());
    }
    return rows.join(QLatin1Char('\n'));
}

}  // namespace

struct DiffView::Compared {
    TextDiff diff;
    QString left;
    QString right;
};

DiffView::DiffView(QWidget* parent) : QWidget(parent), m_left(new CodeView(this)), m_right(new CodeView(this)), m_job(new LatestJob(this))
{
    m_left->editor()->setAccessibleName(tr("Left text"));
    m_right->editor()->setAccessibleName(tr("Right text"));
    auto* splitter = new QSplitter(Qt::Horizontal, this);
    splitter->addWidget(m_left);
    splitter->addWidget(m_right);
    splitter->setChildrenCollapsible(false);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(splitter);
    for (const CodeView* view : {m_left, m_right}) {
        QsciScintilla* editor = view->editor();
        editor->setMarginLineNumbers(kNumberMargin, false);
        editor->setMarginType(kNumberMargin, QsciScintilla::TextMarginRightJustified);
        editor->setCaretLineVisible(false);
        for (const int marker : {kChangedLine, kGoneLine, kNewLine, kMissingLine})
            editor->markerDefine(QsciScintilla::Background, marker);
        editor->indicatorDefine(QsciScintilla::FullBoxIndicator, kWordIndicator);
        editor->setIndicatorDrawUnder(true, kWordIndicator);
    }
    scrollTogether(m_left->editor()->verticalScrollBar(), m_right->editor()->verticalScrollBar());
    scrollTogether(m_left->editor()->horizontalScrollBar(), m_right->editor()->horizontalScrollBar());
    setFocusProxy(m_right);
}

bool DiffView::isBusy() const { return m_job->isRunning(); }

void DiffView::scrollTogether(QScrollBar* one, QScrollBar* other)
{
    for (const auto& [from, to] : {std::pair{one, other}, std::pair{other, one}})
        connect(from, &QScrollBar::valueChanged, this, [this, to = to](int value) {
            if (m_following)
                return;
            m_following = true;
            to->setValue(value);
            m_following = false;
        });
}

void DiffView::setTexts(const Side& left, const Side& right, bool ignoreBlanks)
{
    m_leftLanguage = left.language;
    m_rightLanguage = right.language;
    m_job->start<Compared>(
        [one = left.text, other = right.text, ignoreBlanks](std::stop_token) {
            const std::string leftText = one.toStdString();
            const std::string rightText = other.toStdString();
            Compared result{diffTexts(leftText, rightText, ignoreBlanks), {}, {}};
            result.left = alignedText(result.diff, splitLines(leftText), true);
            result.right = alignedText(result.diff, splitLines(rightText), false);
            return result;
        },
        [this](const Compared& result) { display(result); });
}

void DiffView::display(const Compared& result)
{
    m_diff = result.diff;
    m_left->setCode(result.left, m_leftLanguage);
    m_right->setCode(result.right, m_rightLanguage);
    m_differences.clear();
    for (std::size_t row = 0; row < m_diff.rows.size(); ++row)
        if (!m_diff.rows[row].isSame && (row == 0 || m_diff.rows[row - 1].isSame))
            m_differences.push_back(static_cast<int>(row));
    mark();
    emit compared();
}

void DiffView::mark()
{
    markSide(m_left, true);
    markSide(m_right, false);
}

void DiffView::markSide(CodeView* view, bool isLeft)
{
    QsciScintilla* editor = view->editor();
    const DiffColors& colors = diffColors(isDarkTheme());
    const ThemeColors& theme = themeColors();
    for (const auto& [marker, color] : {std::pair<int, QColor>{kChangedLine, colors.changed}, {kGoneLine, colors.gone}, {kNewLine, colors.added}, {kMissingLine, colors.missing}})
        editor->setMarkerBackgroundColor(color, marker);
    editor->setIndicatorForegroundColor(colors.word, kWordIndicator);
    const QsciStyle numbers(-1, QStringLiteral("line numbers of a comparison"), theme.muted, theme.base, monospacedFont());
    editor->markerDeleteAll();
    editor->clearMarginText();
    editor->SendScintilla(QsciScintilla::SCI_SETINDICATORCURRENT, kWordIndicator);
    editor->SendScintilla(QsciScintilla::SCI_INDICATORCLEARRANGE, 0, editor->SendScintilla(QsciScintilla::SCI_GETLENGTH));
    for (std::size_t i = 0; i < m_diff.rows.size(); ++i) {
        const DiffRow& row = m_diff.rows[i];
        const int line = static_cast<int>(i);
        const auto& number = isLeft ? row.left : row.right;
        const bool isPaired = row.left && row.right;
        // A sign beside the number: colour alone tells nothing to some.
        const QString sign = row.isSame || !number ? QStringLiteral(" ") : isPaired ? QStringLiteral("~") : isLeft ? QStringLiteral("−") : QStringLiteral("+");
        editor->setMarginText(line, number ? QString::number(*number + 1) + sign : QString(), numbers);
        if (row.isSame)
            continue;
        editor->markerAdd(line, !number ? kMissingLine : isPaired ? kChangedLine : isLeft ? kGoneLine : kNewLine);
        const auto start = static_cast<std::size_t>(editor->SendScintilla(QsciScintilla::SCI_POSITIONFROMLINE, static_cast<unsigned long>(i)));
        for (const TextSpan& span : isLeft ? row.leftSpans : row.rightSpans)
            editor->SendScintilla(QsciScintilla::SCI_INDICATORFILLRANGE, static_cast<unsigned long>(start + span.begin), static_cast<long>(span.end - span.begin));
    }
}

void DiffView::goToDifference(bool forward)
{
    int line = 0;
    int column = 0;
    QsciScintilla* editor = m_right->editor();
    editor->getCursorPosition(&line, &column);
    const auto next = std::upper_bound(m_differences.begin(), m_differences.end(), line);
    const auto here = std::lower_bound(m_differences.begin(), m_differences.end(), line);
    const bool isThere = forward ? next != m_differences.end() : here != m_differences.begin();
    if (!isThere)
        return;
    const int target = forward ? *next : *(here - 1);
    for (const CodeView* view : {m_left, m_right}) {
        view->editor()->setCursorPosition(target, 0);
        view->editor()->ensureLineVisible(target);
        view->editor()->setFirstVisibleLine(std::max(0, target - 3));
    }
}

void DiffView::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        mark();
}

}  // namespace tracedeck::ui
