// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QString>
#include <QStyledItemDelegate>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/trace.h"

namespace tracedeck::ui {

/// Letters of a name within a sentence or a picture; what shows the name by itself has it whole.
inline constexpr qsizetype kLongestName = 60;

[[nodiscard]] QString fromView(std::string_view text);
/// How a name of a dataset is shown: characters that cannot be seen, break the line or turn the direction of text appear
/// as `⟨U+202E⟩`, so that no name can pass for another one or act on what stands beside it.
[[nodiscard]] QString visibleText(const QString& text);
/// The same for text of several lines: line breaks and tabs stay.
[[nodiscard]] QString visibleLines(const QString& text);
/// Lets a text wrap in its long words, after separators where there are some.
[[nodiscard]] QString breakable(const QString& text);
/// At most so many characters; what is too long loses its middle.
[[nodiscard]] QString shortened(const QString& text, qsizetype longest);
/// A name for a tab, menu or button, where `&` would underline what follows.
[[nodiscard]] QString withoutMnemonic(QString text);
/// A tool tip that shows this text as it is: datasets come from strangers, and Qt would read a text with tags as HTML.
[[nodiscard]] QString plainToolTip(const QString& text);
/// `M=16 · N=4096` in the order of the file; empty for a workload without variable axes.
[[nodiscard]] QString axesText(const Workload& workload);
/// With commas; a dash for none.
[[nodiscard]] QString joinedNames(const std::vector<std::string>& names);
/// Case-insensitive, digits by their value: k2 before k10.
[[nodiscard]] bool naturallyLess(std::string_view a, std::string_view b);
/// A solution's name where its definition is known already: the definition's name in it becomes `…`, so that what tells
/// solutions apart survives in a narrow column. Unchanged when nothing else would be left.
[[nodiscard]] QString nameWithoutDefinition(const QString& solution, const QString& definition);
/// Shows the texts of a list of names, which stay as they are for whoever chooses one, as visibleText() does.
class VisibleTextDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    [[nodiscard]] QString displayText(const QVariant& value, const QLocale& locale) const override;
};

/// A small square in the entity's series colour.
[[nodiscard]] QIcon seriesChip(const QString& entity);

}  // namespace tracedeck::ui
