// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/work_formula_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

#include "core/run/run_settings.h"
#include "core/score/work_preview.h"
#include "core/store/joined_dataset.h"
#include "ui/diagnose/plain_table_model.h"
#include "ui/models/number_format.h"
#include "ui/models/workspace.h"
#include "ui/style/icons.h"
#include "ui/style/labels.h"
#include "ui/style/name_box.h"
#include "ui/style/primary_button.h"
#include "ui/style/status_look.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

/// Workloads that the preview shows: each is worked out anew at every letter.
constexpr std::size_t kMostPreviewed = 100;
constexpr QSize kFormulaSize{760, 560};
constexpr std::array kOperands{DType::Float32, DType::Float16, DType::BFloat16, DType::Float8E4M3FN, DType::Float8E5M2, DType::Int8};

QString boundText(SpeedOfLight::Bound bound)
{
    switch (bound) {
    case SpeedOfLight::Bound::Memory: return WorkFormulaDialog::tr("memory");
    case SpeedOfLight::Bound::Compute: return WorkFormulaDialog::tr("computing");
    case SpeedOfLight::Bound::Launch: break;
    }
    return WorkFormulaDialog::tr("shortest kernel");
}

}  // namespace

WorkFormulaDialog::WorkFormulaDialog(Workspace* workspace, const QString& definition, QWidget* parent)
    : QDialog(parent), m_workspace(workspace), m_name(definition), m_bytes(new QLineEdit(this)), m_operations(new QLineEdit(this)), m_operand(new QComboBox(this)),
      m_hardware(new NameBox(tr("Whose speed of light the preview shows"), this)), m_bytesError(new WrappedLabel(this)), m_operationsError(new WrappedLabel(this)),
      m_failure(new WrappedLabel(this)), m_model(new PlainTableModel(this)), m_remove(new QPushButton(tr("&Remove the formula"), this)),
      m_save(new PrimaryButton(icon(QStringLiteral("check")), tr("&Save"), this))
{
    setObjectName(QStringLiteral("workFormulaDialog"));
    setWindowTitle(tr("Bytes and operations of %1").arg(shortened(visibleText(definition), kLongestName)));
    resize(kFormulaSize);
    build();
    fillFormula();
    for (QLineEdit* edit : {m_bytes, m_operations})
        connect(edit, &QLineEdit::textChanged, this, &WorkFormulaDialog::showPreview);
    connect(m_operand, &QComboBox::currentIndexChanged, this, &WorkFormulaDialog::showPreview);
    connect(m_hardware, &QComboBox::currentIndexChanged, this, &WorkFormulaDialog::showPreview);
    connect(m_save, &QPushButton::clicked, this, [this] { save(formula()); });
    connect(m_remove, &QPushButton::clicked, this, [this] { save({}); });
    connect(workspace, &Workspace::datasetChanged, this, &WorkFormulaDialog::showPreview);
    showPreview();
}

const Definition* WorkFormulaDialog::definition() const { return m_workspace->dataset()->findDefinition(m_name.toStdString()); }

void WorkFormulaDialog::build()
{
    auto* text = new WrappedLabel(this);
    text->setMuted(true);
    text->setText(tr("Expressions over the definition's axes, with + - * / // % ** and parentheses. They stand in the dataset (tracedeck/work) and decide what the speed of light, "
                     "bandwidth and throughput are. An empty one is worked out of the shapes or the op type."));
    m_bytes->setObjectName(QStringLiteral("formulaBytes"));
    m_bytes->setPlaceholderText(tr("of all inputs and outputs"));
    m_operations->setObjectName(QStringLiteral("formulaOperations"));
    m_operations->setPlaceholderText(tr("by the op type"));
    for (QLineEdit* edit : {m_bytes, m_operations})
        edit->setFont(monospacedFont());
    m_operand->setObjectName(QStringLiteral("formulaOperand"));
    m_operand->setToolTip(tr("Whose peak rate bounds the operations"));
    m_operand->addItem(tr("as the inputs"), static_cast<int>(DType::Unknown));
    for (const DType dtype : kOperands)
        m_operand->addItem(fromView(toString(dtype)), static_cast<int>(dtype));
    m_hardware->setObjectName(QStringLiteral("formulaHardware"));
    for (const QString& name : m_workspace->hardwareNames())
        m_hardware->addName(name);
    // One of the definition's whose speed of light is known, if there is one.
    const auto ceilings = CeilingTable::read(ceilingsFile());
    for (const std::string& name : hardwareOf(*m_workspace->dataset(), m_name.toStdString()))
        if ((ceilings ? *ceilings : CeilingTable::dataSheets()).find(name))
            m_hardware->setCurrentIndex(m_hardware->findData(QString::fromStdString(name)));
    auto* form = new QFormLayout;
    form->addRow(tr("&Bytes"), m_bytes);
    form->addRow(QString(), m_bytesError);
    form->addRow(tr("&Operations"), m_operations);
    form->addRow(QString(), m_operationsError);
    form->addRow(tr("O&perands"), m_operand);
    form->addRow(tr("Preview &for"), m_hardware);
    m_model->setColumns({{tr("Workload")}, {tr("Bytes"), true}, {tr("Operations"), true}, {tr("Speed of light"), true}, {tr("Bound by")}, {tr("What is wrong")}});
    QTableView* table = makePlainTable(m_model, QStringLiteral("formulaPreview"), tr("What the formula comes to"), this);
    table->horizontalHeader()->setStretchLastSection(true);
    constexpr std::array kWidths{200, 100, 110, 110, 110};
    for (int column = 0; column < static_cast<int>(kWidths.size()); ++column)
        table->setColumnWidth(column, kWidths[static_cast<std::size_t>(column)]);
    m_failure->setObjectName(QStringLiteral("formulaFailure"));
    m_failure->hide();
    m_remove->setToolTip(tr("Go back to what shapes and op type say"));
    m_save->setObjectName(QStringLiteral("formulaSave"));
    m_save->setDefault(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    buttons->addButton(m_remove, QDialogButtonBox::ResetRole);
    buttons->addButton(m_save, QDialogButtonBox::AcceptRole);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(Space::kNormal);
    layout->addWidget(text);
    layout->addLayout(form);
    layout->addWidget(table, 1);
    layout->addWidget(m_failure);
    layout->addWidget(buttons);
}

void WorkFormulaDialog::fillFormula()
{
    const auto read = readWorkFormula(folderOfDefinition(*m_workspace->dataset(), m_name.toStdString()), m_name.toStdString());
    m_failure->setVisible(!read);
    if (!read) {
        m_failure->setText(tr("The formula that is there does not count: %1 Saving replaces it.").arg(QString::fromStdString(read.error().toString())));
        return;
    }
    m_bytes->setText(QString::fromStdString(read->bytes));
    m_operations->setText(QString::fromStdString(read->operations));
    if (m_operand->findData(static_cast<int>(read->operand)) < 0)
        m_operand->addItem(fromView(toString(read->operand)), static_cast<int>(read->operand));
    m_operand->setCurrentIndex(m_operand->findData(static_cast<int>(read->operand)));
    m_remove->setEnabled(!read->bytes.empty() || !read->operations.empty());
}

WorkFormula WorkFormulaDialog::formula() const
{
    return {m_bytes->text().trimmed().toStdString(), m_operations->text().trimmed().toStdString(), static_cast<DType>(m_operand->currentData().toInt())};
}

void WorkFormulaDialog::showPreview()
{
    const Definition* shown = definition();
    const std::vector<Error> errors = shown ? workFormulaErrors(*shown, formula()) : std::vector<Error>();
    for (const auto& [field, label] : {std::pair{"bytes", m_bytesError}, std::pair{"operations", m_operationsError}}) {
        const auto found = std::find_if(errors.begin(), errors.end(), [field = field](const Error& error) { return error.field == field; });
        label->setText(found == errors.end() ? QString() : QStringLiteral("! ") + QString::fromStdString(found->reason));
        label->setVisible(found != errors.end());
    }
    m_save->setEnabled(shown && errors.empty());
    std::vector<std::vector<PlainCell>> rows;
    if (shown) {
        const auto ceilings = CeilingTable::read(ceilingsFile());
        const CeilingTable& table = ceilings ? *ceilings : CeilingTable::dataSheets();
        for (const WorkPreview& one : previewWork(*m_workspace->dataset(), *shown, formula(), table.find(m_hardware->currentData().toString().toStdString()), kMostPreviewed)) {
            const QString axes = QString::fromStdString(one.axes).replace(QLatin1Char(';'), QLatin1String(" · "));
            rows.push_back({{.text = axes, .tip = QString::fromStdString(one.uuid)},
                            {.text = one.bytes > 0 ? scaledText(one.bytes, QStringLiteral("B")) : QString(), .exact = exactText(one.bytes)},
                            {.text = one.operations ? scaledText(*one.operations, QStringLiteral("FLOP")) : QString(), .exact = one.operations ? exactText(*one.operations) : QString()},
                            {.text = one.light ? durationText(one.light->ms) : QString()},
                            {.text = one.light ? boundText(one.light->bound) : QString()},
                            {.text = QString::fromStdString(one.problem)}});
        }
    }
    m_model->setRows(std::move(rows));
}

void WorkFormulaDialog::save(const WorkFormula& formula)
{
    const Definition* shown = definition();
    if (!shown)
        return;
    const auto written = writeWorkFormula(folderOfDefinition(*m_workspace->dataset(), m_name.toStdString()), *shown, formula);
    if (!written) {
        m_failure->setText(tr("The formula was not saved: %1").arg(QString::fromStdString(written.error().toString())));
        m_failure->show();
        return;
    }
    m_workspace->refreshFigures();
    accept();
}

}  // namespace tracedeck::ui
