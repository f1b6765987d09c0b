// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QAbstractScrollArea;
class QLabel;
class QLineEdit;
class QsciLexer;
class QsciScintilla;

namespace tracedeck::ui {

/// What the text is written in, for highlighting.
enum class CodeLanguage { PlainText, Python, Cpp, Cuda, Json };
/// By the file name's suffix; PlainText when it tells nothing.
[[nodiscard]] CodeLanguage codeLanguageOf(const QString& fileName);

/// Read-only source text with highlighting in the theme's colours, line numbers and a find bar.
class CodeView : public QWidget {
    Q_OBJECT
public:
    explicit CodeView(QWidget* parent = nullptr);
    ~CodeView() override;

    void setCode(const QString& text, CodeLanguage language);
    [[nodiscard]] QString code() const;
    /// What scrolls: for a hint over it.
    [[nodiscard]] QAbstractScrollArea* area() const;
    [[nodiscard]] QsciScintilla* editor() const { return m_editor; }

    /// Goes to a line, counted from 1, and selects it.
    void showLine(int line);

public slots:
    /// Opens the find bar with what is selected.
    void showFind();
    void hideFind();
    void findNext();
    void findPrevious();

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void buildFindBar();
    void showHiddenCharacters();
    void find(bool forward, bool fromSelectionStart);
    void updateLook();

    QsciScintilla* m_editor;
    QsciLexer* m_lexer = nullptr;
    CodeLanguage m_language = CodeLanguage::PlainText;
    QWidget* m_findBar = nullptr;
    QLineEdit* m_findEdit = nullptr;
    QLabel* m_findResult = nullptr;
};

}  // namespace tracedeck::ui
