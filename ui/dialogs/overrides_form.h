// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/run/eval_config.h"

class QComboBox;
class QFormLayout;
class QLineEdit;

namespace tracedeck::ui {

/// How evaluations are done, field by field; an empty field leaves it to what lies below.
class OverridesForm : public QWidget {
    Q_OBJECT
public:
    /// Adds its rows to `form`; their fields are children of `parent`.
    OverridesForm(QFormLayout* form, QWidget* parent);

    void setValues(const EvalOverrides& values);
    /// Error Usage, with the field: what is typed is no value.
    [[nodiscard]] Result<EvalOverrides> values() const;

signals:
    void edited();

private:
    QLineEdit* addNumber(QFormLayout* form, const char* name, const QString& title, const QString& tip);
    QComboBox* addChoice(QFormLayout* form, const char* name, const QString& title, const QString& tip);

    QLineEdit* m_warmups;
    QLineEdit* m_iterations;
    QLineEdit* m_trials;
    QLineEdit* m_rtol;
    QLineEdit* m_atol;
    QLineEdit* m_ratio;
    QLineEdit* m_precision;
    QComboBox* m_strict;
    QComboBox* m_validIndexes;
    QLineEdit* m_extra;
};

}  // namespace tracedeck::ui
