// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "core/score/speed_of_light.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace tracedeck::ui {

class NameBox;
class PlainTableModel;
class PrimaryButton;
class Workspace;
class WrappedLabel;

/// What a definition's evaluations must move and compute, as expressions over its axes that the dataset keeps: checked while they are typed, with what they
/// come to on its workloads.
class WorkFormulaDialog : public QDialog {
    Q_OBJECT
public:
    WorkFormulaDialog(Workspace* workspace, const QString& definition, QWidget* parent = nullptr);

    [[nodiscard]] WorkFormula formula() const;
    [[nodiscard]] PlainTableModel* preview() const { return m_model; }

private:
    void build();
    void fillFormula();
    void showPreview();
    void save(const WorkFormula& formula);
    /// Null: the dataset that is open has no such definition any more.
    [[nodiscard]] const Definition* definition() const;

    Workspace* m_workspace;
    QString m_name;
    QLineEdit* m_bytes;
    QLineEdit* m_operations;
    QComboBox* m_operand;
    NameBox* m_hardware;
    WrappedLabel* m_bytesError;
    WrappedLabel* m_operationsError;
    WrappedLabel* m_failure;
    PlainTableModel* m_model;
    QPushButton* m_remove;
    PrimaryButton* m_save;
};

}  // namespace tracedeck::ui
