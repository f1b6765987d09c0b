// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/control_state.h"

#include <QCheckBox>
#include <QComboBox>
#include <QJsonArray>
#include <QLineEdit>
#include <QTabWidget>

#include "ui/charts/chart_legend.h"
#include "ui/pages/check_list_button.h"
#include "ui/pages/table_tools.h"

namespace tracedeck::ui {
namespace {

/// Set by the workspace, which goes its own way.
constexpr QLatin1String kOfWorkspace("leaderboardBaseline");
constexpr QLatin1String kLegend("legend");
constexpr QLatin1String kSort("sort:");

bool hasState(const QWidget* control) { return !control->objectName().isEmpty() && !control->objectName().startsWith(QLatin1String("qt_")) && control->objectName() != kOfWorkspace; }

/// What an entry of a choice stands for: its data, or its text where it has none.
QJsonArray meaningOf(const QComboBox* box, int index)
{
    QJsonArray meaning;
    for (const int role : {int{Qt::UserRole}, Qt::UserRole + 1})
        meaning << QJsonValue::fromVariant(box->itemData(index, role));
    if (!box->itemData(index, Qt::UserRole).isValid())
        meaning << box->itemText(index);
    return meaning;
}

}  // namespace

QJsonObject controlState(const QWidget* page)
{
    QJsonObject state;
    for (const auto* box : page->findChildren<QComboBox*>())
        if (hasState(box) && box->currentIndex() >= 0)
            state.insert(box->objectName(), meaningOf(box, box->currentIndex()));
    for (const auto* check : page->findChildren<QCheckBox*>())
        if (hasState(check))
            state.insert(check->objectName(), check->isChecked());
    for (const auto* edit : page->findChildren<QLineEdit*>())
        if (hasState(edit))
            state.insert(edit->objectName(), edit->text());
    for (const auto* tabs : page->findChildren<QTabWidget*>())
        if (hasState(tabs))
            state.insert(tabs->objectName(), tabs->currentIndex());
    for (const auto* list : page->findChildren<CheckListButton*>())
        if (hasState(list))
            state.insert(list->objectName(), QJsonArray::fromStringList(list->checked()));
    for (const auto* tools : page->findChildren<TableTools*>())
        state.insert(kSort + tools->name(), QJsonArray::fromStringList(tools->sortState()));
    if (const auto* legend = page->findChild<ChartLegend*>())
        state.insert(kLegend, QJsonArray::fromStringList(QStringList(legend->hidden().begin(), legend->hidden().end())));
    return state;
}

void restoreControls(QWidget* page, const QJsonObject& state, ControlGroup group)
{
    const auto textsOf = [](const QJsonValue& value) {
        QStringList texts;
        for (const QJsonValue& text : value.toArray())
            texts << text.toString();
        return texts;
    };
    if (group == ControlGroup::Following) {
        for (auto* check : page->findChildren<QCheckBox*>())
            if (const QJsonValue value = state.value(check->objectName()); hasState(check) && value.isBool() && check->isEnabled() && check->isChecked() != value.toBool())
                check->click();   // as the user did: pages listen to that
        if (auto* legend = page->findChild<ChartLegend*>())
            for (const QString& solution : textsOf(state.value(kLegend)))
                if (!legend->hidden().contains(solution))
                    legend->toggle(solution);
        return;
    }
    for (auto* box : page->findChildren<QComboBox*>()) {
        const QJsonValue wanted = state.value(box->objectName());
        for (int index = 0; hasState(box) && wanted.isArray() && index < box->count(); ++index)
            if (meaningOf(box, index) == wanted.toArray()) {
                box->setCurrentIndex(index);
                break;
            }
    }
    for (auto* edit : page->findChildren<QLineEdit*>())
        if (const QJsonValue value = state.value(edit->objectName()); hasState(edit) && value.isString() && edit->text() != value.toString())
            edit->setText(value.toString());
    for (auto* tabs : page->findChildren<QTabWidget*>())
        if (const int index = state.value(tabs->objectName()).toInt(-1); hasState(tabs) && index >= 0 && index < tabs->count())
            tabs->setCurrentIndex(index);
    for (auto* list : page->findChildren<CheckListButton*>())
        if (const QJsonValue value = state.value(list->objectName()); hasState(list) && value.isArray())
            list->setChecked(textsOf(value));
    for (auto* tools : page->findChildren<TableTools*>())
        if (const QJsonValue value = state.value(kSort + tools->name()); value.isArray())
            tools->restoreSort(textsOf(value));
}

}  // namespace tracedeck::ui
