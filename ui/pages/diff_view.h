// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>

#include "core/model/text_diff.h"
#include "ui/pages/code_view.h"

class QScrollBar;

namespace tracedeck::ui {

class LatestJob;

/// Two texts side by side, equal lines level with each other, what differs marked by colour, sign and word.
class DiffView : public QWidget {
    Q_OBJECT
public:
    explicit DiffView(QWidget* parent = nullptr);

    struct Side {
        QString text;
        CodeLanguage language = CodeLanguage::PlainText;
    };
    /// Compares on a thread of its own; `compared` follows.
    void setTexts(const Side& left, const Side& right, bool ignoreBlanks);
    [[nodiscard]] const TextDiff& diff() const { return m_diff; }
    [[nodiscard]] bool isBusy() const;
    [[nodiscard]] CodeView* left() const { return m_left; }
    [[nodiscard]] CodeView* right() const { return m_right; }
    /// Rows where a stretch of differing lines begins.
    [[nodiscard]] const std::vector<int>& differences() const { return m_differences; }

public slots:
    void goToNextDifference() { goToDifference(true); }
    void goToPreviousDifference() { goToDifference(false); }

signals:
    void compared();

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Compared;
    void display(const Compared& result);
    void mark();
    void markSide(CodeView* view, bool isLeft);
    void goToDifference(bool forward);
    void scrollTogether(QScrollBar* one, QScrollBar* other);

    CodeView* m_left;
    CodeView* m_right;
    LatestJob* m_job;
    TextDiff m_diff;
    CodeLanguage m_leftLanguage = CodeLanguage::PlainText;
    CodeLanguage m_rightLanguage = CodeLanguage::PlainText;
    std::vector<int> m_differences;
    bool m_following = false;   ///< one side scrolls because the other did
};

}  // namespace tracedeck::ui
