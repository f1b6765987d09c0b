// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/overrides_form.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <optional>

#include "ui/models/number_format.h"

namespace tracedeck::ui {
namespace {

constexpr QLatin1Char kExtraSeparator(';');

Error fieldError(const char* field, const QString& text)
{
    return Error{ErrorCode::Usage, OverridesForm::tr("“%1” is no value for this").arg(text).toStdString(), {}, 0, field};
}

/// The text as a whole number or one with a point, written as in the program's files.
template <class Number>
Result<void> take(const QLineEdit* edit, const char* field, std::optional<Number>& target)
{
    const QString text = edit->text().trimmed();
    target.reset();
    if (text.isEmpty())
        return {};
    bool isNumber = false;
    if constexpr (std::is_same_v<Number, int>)
        target = QLocale::c().toInt(text, &isNumber);
    else
        target = QLocale::c().toDouble(text, &isNumber);
    if (!isNumber)
        return fieldError(field, text);
    return {};
}

std::optional<bool> choiceOf(const QComboBox* box)
{
    const QVariant chosen = box->currentData();
    return chosen.isValid() ? std::optional(chosen.toBool()) : std::nullopt;
}

void choose(QComboBox* box, const std::optional<bool>& value) { box->setCurrentIndex(!value ? 0 : *value ? 1 : 2); }

template <class Number>
void showNumber(QLineEdit* edit, const std::optional<Number>& value)
{
    edit->setText(value ? exactText(static_cast<double>(*value)) : QString());
}

}  // namespace

OverridesForm::OverridesForm(QFormLayout* form, QWidget* parent) : QWidget(parent)
{
    hide();   // the rows are the form's
    m_warmups = addNumber(form, "planWarmups", tr("Warm-ups"), tr("Calls before timing starts"));
    m_iterations = addNumber(form, "planIterations", tr("Iterations"), tr("Timed calls of one trial"));
    m_trials = addNumber(form, "planTrials", tr("Trials"), tr("Trials with new inputs, checked and timed each"));
    m_rtol = addNumber(form, "planRtol", tr("Relative tolerance"), tr("How far an element may be off, as a share of the expected value"));
    m_atol = addNumber(form, "planAtol", tr("Absolute tolerance"), tr("How far an element may be off whatever is expected"));
    m_ratio = addNumber(form, "planRatio", tr("Matched ratio"), tr("Share of elements that must be within the tolerances, above 0 and at most 1"));
    m_precision = addNumber(form, "planPrecision", tr("Precision (%)"), tr("Add trials until the median is known to this many percent, with 95 % confidence; 0: never"));
    m_strict = addChoice(form, "planStrict", tr("Strict numerics"), tr("|x - y| ≤ atol + rtol·|y|, NaN and infinities where the reference has them, integers exact"));
    m_validIndexes = addChoice(form, "planIndexes", tr("Valid index inputs"), tr("Random integers that a kernel uses as indexes get valid values; no: -1024 … 1023, as in the format"));
    m_extra = addNumber(form, "planExtra", tr("Evaluator options"), tr("What evaluators read, for example sampling_tvd_threshold=0.1; several with ; between them"));
}

QLineEdit* OverridesForm::addNumber(QFormLayout* form, const char* name, const QString& title, const QString& tip)
{
    auto* edit = new QLineEdit(parentWidget());
    edit->setObjectName(QString::fromLatin1(name));
    edit->setPlaceholderText(tr("auto"));
    edit->setToolTip(tip);
    edit->setAccessibleName(title);
    form->addRow(title, edit);
    connect(edit, &QLineEdit::textEdited, this, &OverridesForm::edited);
    return edit;
}

QComboBox* OverridesForm::addChoice(QFormLayout* form, const char* name, const QString& title, const QString& tip)
{
    auto* box = new QComboBox(parentWidget());
    box->setObjectName(QString::fromLatin1(name));
    box->addItem(tr("auto"));
    box->addItem(tr("yes"), true);
    box->addItem(tr("no"), false);
    box->setToolTip(tip);
    box->setAccessibleName(title);
    form->addRow(title, box);
    connect(box, &QComboBox::activated, this, &OverridesForm::edited);
    return box;
}

void OverridesForm::setValues(const EvalOverrides& values)
{
    showNumber(m_warmups, values.warmupRuns);
    showNumber(m_iterations, values.iterations);
    showNumber(m_trials, values.numTrials);
    showNumber(m_rtol, values.rtol);
    showNumber(m_atol, values.atol);
    showNumber(m_ratio, values.requiredMatchedRatio);
    showNumber(m_precision, values.precision);
    choose(m_strict, values.strictNumerics);
    choose(m_validIndexes, values.validIndexInputs);
    QStringList extra;
    for (const auto& [key, value] : values.extra.items())
        extra << QStringLiteral("%1=%2").arg(QString::fromStdString(key), QString::fromStdString(value.dump()));
    m_extra->setText(extra.join(QStringLiteral("; ")));
}

Result<EvalOverrides> OverridesForm::values() const
{
    EvalOverrides values;
    for (const auto& taken : {take(m_warmups, "warmup_runs", values.warmupRuns), take(m_iterations, "iterations", values.iterations), take(m_trials, "num_trials", values.numTrials),
                              take(m_rtol, "rtol", values.rtol), take(m_atol, "atol", values.atol), take(m_ratio, "required_matched_ratio", values.requiredMatchedRatio),
                              take(m_precision, "precision", values.precision)})
        if (!taken)
            return taken.error();
    values.strictNumerics = choiceOf(m_strict);
    values.validIndexInputs = choiceOf(m_validIndexes);
    for (const QString& entry : m_extra->text().split(kExtraSeparator, Qt::SkipEmptyParts))
        if (!entry.trimmed().isEmpty())
            if (auto added = addExtra(values, entry.trimmed().toStdString()); !added)
                return added.error();
    return values;
}

}  // namespace tracedeck::ui
