// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <vector>

class QTableView;

namespace tracedeck::ui {

/// The width that the contents and title of each column want, hidden ones too, up to `widest`.
[[nodiscard]] std::vector<int> wantedColumnWidths(const QTableView* view, int widest);
/// Gives every shown column what it wants; those of `texts`, whose words can be elided, share what is left of the view, so that all is in
/// sight without scrolling where that is possible. `main`: the one of them that says most, and gets three shares; -1: none.
void shareColumnWidths(QTableView* view, const std::vector<int>& wanted, const std::vector<int>& texts, int main = -1);

/// Puts `count` columns from `first` on behind another one, in their order, wherever they were.
void placeColumnsBehind(QTableView* view, int column, int first, int count);

/// Does both for a table whenever it has other rows, other columns or another width, until the user makes a column wider or narrower.
class ColumnSharing : public QObject {
    Q_OBJECT
public:
    ColumnSharing(QTableView* view, std::vector<int> texts, int widest, int main = -1);
    /// Widths that are wanted whatever the contents: for a table whose cells change all the time, and whose columns must not move then.
    void setWanted(std::vector<int> widths);
    /// Where the columns of the table change their places.
    void setTexts(std::vector<int> texts, int main = -1);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void measure();
    void share();
    void shareSoon();

    QTableView* m_view;
    std::vector<int> m_texts;
    std::vector<int> m_wanted;
    bool m_isWantedGiven = false;
    int m_widest;
    int m_main;
    bool m_sharing = false;
    bool m_byHand = false;
    bool m_isAsked = false;   ///< share() is on its way
};

}  // namespace tracedeck::ui
