// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/ceilings_dialog.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

#include "ui/models/number_format.h"
#include "ui/models/workspace.h"
#include "ui/style/icons.h"
#include "ui/style/labels.h"
#include "ui/style/primary_button.h"
#include "ui/style/tables.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

constexpr std::array kRates{DType::Float16, DType::BFloat16, DType::Float32, DType::Float8E4M3FN, DType::Float8E5M2, DType::Int8};
enum CeilingColumn { kCeilingName, kCeilingMemory, kFirstRate, kCeilingLaunch = kFirstRate + static_cast<int>(kRates.size()), kCeilingSource, kCeilingColumns };
constexpr int kOwnRole = Qt::UserRole;
/// Rates of dtypes that have no column, as they were read.
constexpr int kOtherRatesRole = Qt::UserRole + 1;
constexpr double kGigaBytes = 1e9;
constexpr double kTeraOperations = 1e12;
constexpr double kMicrosecondsIn = 1e3;   // a millisecond

QString rateText(double rate) { return rate > 0 ? QString::number(rate, 'g', 8) : QString(); }

}  // namespace

CeilingsDialog::CeilingsDialog(Workspace* workspace, const std::filesystem::path& file, QWidget* parent)
    : QDialog(parent), m_workspace(workspace), m_file(file), m_table(new QTableWidget(this)), m_failure(new WrappedLabel(this)),
      m_add(new QPushButton(tr("&Add a GPU"), this)), m_remove(new QPushButton(tr("&Remove"), this)), m_save(new PrimaryButton(icon(QStringLiteral("check")), tr("&Save"), this))
{
    setObjectName(QStringLiteral("ceilingsDialog"));
    setWindowTitle(tr("What GPUs can do"));
    resize(960, 480);
    build();
    const auto own = readCeilings(m_file);
    fill(own ? *own : std::vector<Ceilings>());
    if (!own) {
        m_failure->setText(tr("The figures that are there do not count: %1 Saving replaces them.").arg(QString::fromStdString(own.error().toString())));
        m_failure->show();
    }
}

void CeilingsDialog::build()
{
    auto* text = new WrappedLabel(this);
    text->setMuted(true);
    text->setText(tr("The speed of light is worked out of these. Grey rows are of data sheets, dense products at the highest clock; what you change there, or add, is yours and kept in %1. "
                     "An empty figure is not known. A name counts for all hardware that has it as whole words in its own.")
                      .arg(QString::fromStdString(m_file.string())));
    QStringList titles{tr("Name"), tr("Memory (GB/s)")};
    for (const DType dtype : kRates)
        titles << tr("%1 (TFLOP/s)").arg(fromView(toString(dtype)));
    titles << tr("Shortest kernel (µs)") << tr("Source");
    m_table->setObjectName(QStringLiteral("ceilingsTable"));
    m_table->setAccessibleName(tr("What GPUs can do"));
    m_table->setColumnCount(kCeilingColumns);
    m_table->setHorizontalHeaderLabels(titles);
    setUpTable(m_table);
    m_table->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::SelectedClicked | QAbstractItemView::EditKeyPressed | QAbstractItemView::AnyKeyPressed);
    m_table->setSelectionBehavior(QAbstractItemView::SelectItems);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_failure->setObjectName(QStringLiteral("ceilingsFailure"));
    m_failure->hide();
    m_add->setObjectName(QStringLiteral("ceilingsAdd"));
    m_add->setToolTip(tr("A row for hardware of the dataset that has none yet, or a new name"));
    m_remove->setToolTip(tr("Forget your own figures of this row; those of its data sheet come back"));
    m_save->setObjectName(QStringLiteral("ceilingsSave"));
    auto* row = new QHBoxLayout;
    row->addWidget(m_add);
    row->addWidget(m_remove);
    row->addStretch(1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    buttons->addButton(m_save, QDialogButtonBox::AcceptRole);
    row->addWidget(buttons);
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(Space::kNormal);
    layout->addWidget(text);
    layout->addWidget(m_table, 1);
    layout->addWidget(m_failure);
    layout->addLayout(row);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_add, &QPushButton::clicked, this, &CeilingsDialog::addHardware);
    connect(m_remove, &QPushButton::clicked, this, &CeilingsDialog::removeCurrent);
    connect(m_save, &QPushButton::clicked, this, &CeilingsDialog::save);
    connect(m_table, &QTableWidget::currentCellChanged, this, [this] { m_remove->setEnabled(isOwn(m_table->currentRow())); });
    connect(m_table, &QTableWidget::itemChanged, this, [this](const QTableWidgetItem* item) {
        if (m_fills)
            return;
        makeOwn(item->row());
        check();
    });
}

bool CeilingsDialog::isOwn(int row) const
{
    const QTableWidgetItem* name = m_table->item(row, kCeilingName);
    return name && name->data(kOwnRole).toBool();
}

void CeilingsDialog::fill(const std::vector<Ceilings>& own)
{
    m_fills = true;
    m_table->setRowCount(0);
    for (const Ceilings& entry : own)
        addRow(entry, true);
    for (const Ceilings& entry : CeilingTable::dataSheets().entries())
        if (std::none_of(own.begin(), own.end(), [&entry](const Ceilings& other) { return other.name == entry.name; }))
            addRow(entry, false);
    m_table->resizeColumnsToContents();
    m_fills = false;
    check();
}

void CeilingsDialog::addRow(const Ceilings& ceilings, bool isOwnRow)
{
    const int row = m_table->rowCount();
    m_table->insertRow(row);
    const auto set = [&](int column, const QString& text, bool isNumber) {
        auto* item = new QTableWidgetItem(text);
        item->setTextAlignment(Qt::Alignment(Qt::AlignVCenter | (isNumber ? Qt::AlignRight : Qt::AlignLeft)));
        item->setFont(isNumber ? monospacedFont() : font());
        if (!isOwnRow)
            item->setForeground(themeColors().muted);
        m_table->setItem(row, column, item);
        return item;
    };
    QTableWidgetItem* name = set(kCeilingName, QString::fromStdString(ceilings.name), false);
    name->setData(kOwnRole, isOwnRow);
    set(kCeilingMemory, rateText(ceilings.peaks.memoryBytesPerSecond / kGigaBytes), true);
    QVariantMap others;
    for (const auto& [dtype, rate] : ceilings.peaks.operationsPerSecond)
        if (std::find(kRates.begin(), kRates.end(), dtype) == kRates.end())
            others.insert(QString::number(static_cast<int>(dtype)), rate);
    name->setData(kOtherRatesRole, others);
    for (std::size_t i = 0; i < kRates.size(); ++i) {
        const auto rate = ceilings.peaks.operationsPerSecond.find(kRates[i]);
        set(kFirstRate + static_cast<int>(i), rate == ceilings.peaks.operationsPerSecond.end() ? QString() : rateText(rate->second / kTeraOperations), true);
    }
    set(kCeilingLaunch, rateText(ceilings.launchMs * kMicrosecondsIn), true);
    set(kCeilingSource, QString::fromStdString(ceilings.source), false);
}

void CeilingsDialog::addHardware()
{
    // Hardware of the dataset that nothing is known of comes first.
    QString wanted;
    const auto known = entries();
    for (const QString& hardware : m_workspace->hardwareNames()) {
        const bool isOwnName = known && std::any_of(known->begin(), known->end(), [&hardware](const Ceilings& entry) { return entry.name == hardware.toStdString(); });
        if (wanted.isEmpty() && !CeilingTable::dataSheets().find(hardware.toStdString()) && !isOwnName)
            wanted = hardware;
    }
    m_fills = true;
    addRow({.name = wanted.toStdString(), .peaks = {}, .source = tr("measured").toStdString()}, true);
    m_fills = false;
    m_table->setCurrentCell(m_table->rowCount() - 1, wanted.isEmpty() ? kCeilingName : kCeilingMemory);
    m_table->editItem(m_table->currentItem());
    check();
}

void CeilingsDialog::removeCurrent()
{
    const int row = m_table->currentRow();
    if (!isOwn(row))
        return;
    const std::string name = m_table->item(row, kCeilingName)->text().trimmed().toStdString();
    m_fills = true;
    m_table->removeRow(row);
    for (const Ceilings& entry : CeilingTable::dataSheets().entries())
        if (entry.name == name)
            addRow(entry, false);
    m_fills = false;
    check();
}

/// A figure of a data sheet that was changed is the user's.
void CeilingsDialog::makeOwn(int row)
{
    if (isOwn(row))
        return;
    m_fills = true;
    for (int column = 0; column < kCeilingColumns; ++column)
        m_table->item(row, column)->setData(Qt::ForegroundRole, QVariant());
    m_table->item(row, kCeilingName)->setData(kOwnRole, true);
    m_table->item(row, kCeilingSource)->setText(tr("changed by hand"));
    m_fills = false;
    m_remove->setEnabled(isOwn(m_table->currentRow()));
}

Result<std::vector<Ceilings>> CeilingsDialog::entries() const
{
    std::vector<Ceilings> own;
    for (int row = 0; row < m_table->rowCount(); ++row) {
        if (!isOwn(row))
            continue;
        const auto text = [this, row](int column) { return m_table->item(row, column) ? m_table->item(row, column)->text().trimmed() : QString(); };
        std::string problem;
        const auto number = [&](int column, double otherwise) {
            if (text(column).isEmpty())
                return otherwise;
            bool isNumber = false;
            const double value = text(column).toDouble(&isNumber);
            if (!isNumber || !(value > 0))
                problem = tr("%1, %2: “%3” is no number above 0").arg(text(kCeilingName), m_table->horizontalHeaderItem(column)->text(), text(column)).toStdString();
            return value;
        };
        Ceilings entry{.name = text(kCeilingName).toStdString(), .peaks = {}, .source = text(kCeilingSource).toStdString()};
        entry.peaks.memoryBytesPerSecond = number(kCeilingMemory, 0) * kGigaBytes;
        for (std::size_t i = 0; i < kRates.size(); ++i)
            if (const double rate = number(kFirstRate + static_cast<int>(i), 0); rate > 0)
                entry.peaks.operationsPerSecond[kRates[i]] = rate * kTeraOperations;
        const QVariantMap others = m_table->item(row, kCeilingName)->data(kOtherRatesRole).toMap();
        for (auto other = others.begin(); other != others.end(); ++other)
            entry.peaks.operationsPerSecond[static_cast<DType>(other.key().toInt())] = other.value().toDouble();
        entry.launchMs = number(kCeilingLaunch, entry.launchMs * kMicrosecondsIn) / kMicrosecondsIn;
        if (problem.empty() && entry.name.empty())
            problem = tr("A GPU has no name.").toStdString();
        if (problem.empty() && std::any_of(own.begin(), own.end(), [&entry](const Ceilings& other) { return other.name == entry.name; }))
            problem = tr("%1 is there twice.").arg(text(kCeilingName)).toStdString();
        if (!problem.empty())
            return Error{ErrorCode::InvalidInput, problem, {}, 0, {}};
        own.push_back(std::move(entry));
    }
    return own;
}

void CeilingsDialog::check()
{
    const auto own = entries();
    m_save->setEnabled(own.has_value() && !m_file.empty());
    m_failure->setVisible(!own);
    if (!own)
        m_failure->setText(QStringLiteral("! ") + QString::fromStdString(own.error().reason));
    m_remove->setEnabled(isOwn(m_table->currentRow()));
}

void CeilingsDialog::save()
{
    const auto own = entries();
    const Result<void> written = own ? writeCeilings(m_file, *own) : Result<void>(own.error());
    if (!written) {
        m_failure->setText(tr("The figures were not saved: %1").arg(QString::fromStdString(written.error().toString())));
        m_failure->show();
        return;
    }
    m_workspace->refreshFigures();
    accept();
}

}  // namespace tracedeck::ui
