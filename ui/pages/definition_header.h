// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>
#include <memory>

#include "ui/models/definition_summary.h"

class QPushButton;
class QToolButton;

namespace tracedeck::ui {

class Chips;
class ElidedLabel;
class FactsTable;
class ShapeDelegate;
class WrappedLabel;

/// The head of a definition page: name, op_type, tags, description, and cards with axes, signature and how it does at a glance.
class DefinitionHeader : public QWidget {
    Q_OBJECT
public:
    explicit DefinitionHeader(QWidget* parent = nullptr);

    /// Shows the definition at once, without figures; null: nothing is chosen.
    void showDefinition(const Dataset& dataset, const QString& name);
    void showSummary(const DefinitionSummary& summary);
    void showNothing(const Dataset& dataset);
    /// "best 3.1× author2 · 9/11 pass · H100": for tests and screen readers.
    [[nodiscard]] QString glanceText() const;

signals:
    void runAllRequested();
    void copyJsonRequested();

private:
    void setCardsShown(bool shown);
    void pointOutAxis(const QString& axis);
    [[nodiscard]] static QString tensorShape(const TensorSpec& tensor);
    [[nodiscard]] static QString tensorToolTip(const TensorSpec& tensor);

    ElidedLabel* m_title;
    Chips* m_chips;
    ElidedLabel* m_description;
    QPushButton* m_runAll;
    QPushButton* m_copyJson;
    QToolButton* m_toggleCards;
    QWidget* m_cards;
    FactsTable* m_axes;
    FactsTable* m_signature;
    ShapeDelegate* m_shapes;
    QStringList m_axisNames;   ///< rows of m_axes; those that follow are constraints
    WrappedLabel* m_best;
    WrappedLabel* m_passed;
    WrappedLabel* m_hardware;
};

}  // namespace tracedeck::ui
