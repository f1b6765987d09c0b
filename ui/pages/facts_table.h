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

protected:
    void changeEvent(QEvent* event) override;

private:
    void updateLook();
    QList<Fact> m_facts;
};

}  // namespace tracedeck::ui
