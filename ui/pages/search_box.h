// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>

#include "core/store/search.h"

class QFrame;
class QLabel;
class QListView;

namespace tracedeck::ui {

class SearchModel;
class Workspace;

/// The field that searches everything, with what was found in a list below it: arrow keys choose, Enter opens, Escape closes.
class SearchBox : public QLineEdit {
    Q_OBJECT
public:
    explicit SearchBox(Workspace* workspace, QWidget* parent = nullptr);

    [[nodiscard]] SearchModel* model() const { return m_model; }
    [[nodiscard]] QListView* list() const { return m_list; }
    [[nodiscard]] bool isListShown() const;

signals:
    void hitActivated(const tracedeck::SearchHit& hit);
    /// Enter where nothing was found.
    void nothingActivated(const QString& text);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void restart();
    void updateList();
    void place();
    void hideList();
    void activate(int row);
    void activateWhenFound();
    void updateLook();

    Workspace* m_workspace;
    SearchModel* m_model;
    QFrame* m_frame;
    QListView* m_list;
    QLabel* m_state;
    bool m_hasChosen = false;    ///< by an arrow key, since the text was typed
    bool m_enterWaits = false;   ///< Enter was pressed before the first name was found
};

}  // namespace tracedeck::ui
