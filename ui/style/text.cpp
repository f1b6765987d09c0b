// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/text.h"

#include <QPainter>
#include <QPixmap>
#include <QPixmapCache>
#include <cctype>

#include "ui/style/series_colors.h"

namespace tracedeck::ui {

QString fromView(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

namespace {

/// Words longer than this may be broken anywhere.
constexpr qsizetype kLongWord = 24;
/// Longer tool tips would cover the screen.
constexpr qsizetype kLongestToolTip = 4'000;

bool isHidden(char32_t c)
{
    switch (QChar::category(c)) {
    case QChar::Other_Control:
    case QChar::Other_Format:
    case QChar::Other_Surrogate:
    case QChar::Separator_Line:
    case QChar::Separator_Paragraph: return true;
    default: return false;
    }
}

QString withEscapes(const QString& text, bool keepLines)
{
    const auto isShown = [keepLines](char32_t c) { return !isHidden(c) || (keepLines && (c == U'\n' || c == U'\t')); };
    QString shown;
    qsizetype copied = 0;   // most texts need no change and are not copied
    for (qsizetype i = 0; i < text.size(); ++i) {
        const qsizetype start = i;
        char32_t c = text[i].unicode();
        if (text[i].isHighSurrogate() && i + 1 < text.size() && text[i + 1].isLowSurrogate()) {
            c = QChar::surrogateToUcs4(text[i], text[i + 1]);
            ++i;
        }
        if (isShown(c))
            continue;
        shown += QStringView(text).mid(copied, start - copied);
        shown += QStringLiteral("\u27E8U+%1\u27E9").arg(QString::number(c, 16).toUpper(), 4, QLatin1Char('0'));
        copied = i + 1;
    }
    if (copied == 0)
        return text;
    shown += QStringView(text).mid(copied);
    return shown;
}

}  // namespace

QString visibleText(const QString& text) { return withEscapes(text, false); }
QString visibleLines(const QString& text) { return withEscapes(text, true); }

QString breakable(const QString& text)
{
    constexpr QChar kZeroWidthSpace(0x200B);
    QString broken;
    broken.reserve(text.size() + text.size() / kLongWord);
    qsizetype start = 0;
    while (start < text.size()) {
        qsizetype end = start;
        while (end < text.size() && !text[end].isSpace())
            ++end;
        qsizetype sinceBreak = 0;
        for (qsizetype i = start; i < end; ++i) {
            const QChar c = text[i];
            broken += c;
            ++sinceBreak;
            const bool isSeparator = c == QLatin1Char('_') || c == QLatin1Char('-') || c == QLatin1Char('/');
            if (end - start > kLongWord && i + 1 < end && !text[i + 1].isLowSurrogate() && (isSeparator || sinceBreak >= kLongWord)) {
                broken += kZeroWidthSpace;
                sinceBreak = 0;
            }
        }
        if (end < text.size())
            broken += text[end];
        start = end + 1;
    }
    return broken;
}

QString shortened(const QString& text, qsizetype longest)
{
    if (text.size() <= longest)
        return text;
    return text.left(longest / 2) + QStringLiteral("…") + text.right(longest - longest / 2 - 1);
}

QString withoutMnemonic(QString text) { return text.replace(QLatin1Char('&'), QLatin1String("&&")); }

QString VisibleTextDelegate::displayText(const QVariant& value, const QLocale&) const { return visibleText(value.toString()); }

QString plainToolTip(const QString& text)
{
    if (text.isEmpty())
        return {};
    return QStringLiteral("<p style='white-space:pre-wrap'>%1</p>").arg(breakable(visibleLines(shortened(text, kLongestToolTip))).toHtmlEscaped());
}

QString axesText(const Workload& workload)
{
    QStringList parts;
    const auto add = [&](const std::string& axis) {
        if (const auto value = workload.axes.find(axis); value != workload.axes.end())
            parts << QStringLiteral("%1=%2").arg(QString::fromStdString(axis)).arg(value->second);
    };
    if (workload.axisOrder.empty())
        for (const auto& axis : workload.axes)
            add(axis.first);
    for (const std::string& axis : workload.axisOrder)
        add(axis);
    return parts.join(QStringLiteral(" · "));
}

bool naturallyLess(std::string_view a, std::string_view b)
{
    const auto digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
    const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < a.size() && j < b.size()) {
        if (digit(a[i]) && digit(b[j])) {
            const auto number = [&digit](std::string_view text, std::size_t& at) {
                while (at + 1 < text.size() && text[at] == '0' && digit(text[at + 1]))
                    ++at;
                const std::size_t start = at;
                while (at < text.size() && digit(text[at]))
                    ++at;
                return text.substr(start, at - start);
            };
            const std::string_view left = number(a, i);
            const std::string_view right = number(b, j);
            if (left.size() != right.size())
                return left.size() < right.size();
            if (left != right)
                return left < right;
            continue;
        }
        if (lower(a[i]) != lower(b[j]))
            return lower(a[i]) < lower(b[j]);
        ++i;
        ++j;
    }
    if (a.size() - i != b.size() - j)
        return a.size() - i < b.size() - j;
    return a < b;
}

QString joinedNames(const std::vector<std::string>& names)
{
    QStringList list;
    for (const std::string& name : names)
        list << QString::fromStdString(name);
    return list.isEmpty() ? QStringLiteral("–") : list.join(QStringLiteral(", "));
}

QString nameWithoutDefinition(const QString& solution, const QString& definition)
{
    constexpr qsizetype kWorthwhile = 4;
    const qsizetype at = definition.size() < kWorthwhile ? -1 : solution.indexOf(definition);
    if (at < 0 || solution.size() == definition.size())
        return solution;
    return solution.left(at) + QStringLiteral("…") + solution.mid(at + definition.size());
}

QIcon seriesChip(const QString& entity)
{
    const QColor color = seriesColor(entity);
    const QString key = QStringLiteral("tracedeck-chip/%1").arg(color.name());
    QPixmap picture;
    if (!QPixmapCache::find(key, &picture)) {
        constexpr int kScale = 2;
        picture = QPixmap(16 * kScale, 16 * kScale);
        picture.fill(Qt::transparent);
        QPainter painter(&picture);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        painter.drawRoundedRect(QRectF(3 * kScale, 3 * kScale, 10 * kScale, 10 * kScale), 3 * kScale, 3 * kScale);
        painter.end();
        picture.setDevicePixelRatio(kScale);
        QPixmapCache::insert(key, picture);
    }
    return QIcon(picture);
}

}  // namespace tracedeck::ui
