// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>

class QObject;
class QsciLexer;

namespace tracedeck::ui {

enum class CodeLanguage;

/// Colours of source text; contrast of 4.5:1 or more on the base colour.
struct CodeColors {
    QColor comment;
    QColor keyword;
    QColor text;     ///< string literals
    QColor number;
    QColor function;
    QColor type;
    QColor decorator;
};
[[nodiscard]] const CodeColors& codeColors(bool dark);

/// A lexer for the language, owned by the caller; null for plain text.
[[nodiscard]] QsciLexer* makeLexer(CodeLanguage language, QObject* parent);
/// Gives the lexer's styles the theme's colours and the monospaced font.
void colorLexer(QsciLexer& lexer, CodeLanguage language, bool dark);

}  // namespace tracedeck::ui
