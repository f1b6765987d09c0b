// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QStringList>
#include <QTableWidget>

namespace tracedeck::ui {

/// A small read-only table without headers for a handful of facts, in the monospaced face.
class FactsTable : public QTableWidget {
    Q_OBJECT
public:
    struct Fact {
        QStringList cells;
        QString toolTip;
        bool spans = false;   ///< the first cell takes the whole row, muted
    };

    explicit FactsTable(const QString& accessibleName, QWidget* parent = nullptr);
    void setFacts(const QList<Fact>& facts);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    /// A fact is under the mouse, or is the current one while the table has the keyboard; -1: none any more.
    void factPointedAt(int row);

protected:
    void changeEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    void pointAt(int row);
    void updateLook();
    void shareWidth();
    int m_nameWidth = 0;   ///< that the first column wants
    QList<Fact> m_facts;
    int m_pointedAt = -1;
};

}  // namespace tracedeck::ui
