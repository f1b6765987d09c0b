// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QListWidget;
class QPushButton;

namespace tracedeck::ui {

class PinBoard;

/// The pinned baselines in the order of their columns: to reorder and to unpin. What it shows is what tables show at once.
class PinsDialog : public QDialog {
    Q_OBJECT
public:
    explicit PinsDialog(PinBoard* board, QWidget* parent = nullptr);
    [[nodiscard]] QListWidget* list() const { return m_list; }

private:
    void fill();
    /// What the user made of the list.
    void takeOrder();
    void moveBy(int step);
    void unpinCurrent();
    void updateButtons();

    PinBoard* m_board;
    QListWidget* m_list;
    QPushButton* m_up;
    QPushButton* m_down;
    QPushButton* m_unpin;
    QPushButton* m_unpinAll;
    bool m_fills = false;
};

}  // namespace tracedeck::ui
