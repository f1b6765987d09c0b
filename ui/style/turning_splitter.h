// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSplitter>

namespace tracedeck::ui {

/// Room that a chart and a table want side by side.
inline constexpr int kLeastSideBySide = 800;

/// Two things side by side, and one below the other where that would leave too little to both.
class TurningSplitter : public QSplitter {
    Q_OBJECT
public:
    /// Side by side from a width of `least` on. `first` and `second` are the shares of the two, which are added with addWidget().
    TurningSplitter(int least, int first, int second, QWidget* parent);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    int m_least;
    int m_first;
    int m_second;
    bool m_isPlaced = false;   ///< the shares were given; they are the user's from then on
};

}  // namespace tracedeck::ui
