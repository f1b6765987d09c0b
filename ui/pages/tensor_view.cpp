// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/tensor_view.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QSplitter>
#include <QTableView>

#include "core/report/tensor_summary.h"
#include "ui/models/tensor_table_model.h"
#include "ui/pages/tensor_summary_panel.h"
#include "ui/style/empty_hint.h"
#include "ui/style/tables.h"

namespace tracedeck::ui {
namespace {

constexpr int kTensorDtypeWidth = 90;
constexpr int kTensorShapeWidth = 160;
constexpr int kTensorDetailsWidth = 340;

}  // namespace

TensorView::TensorView(QWidget* parent)
    : QWidget(parent), m_model(new TensorTableModel(this)), m_table(new QTableView(this)), m_details(new TensorSummaryPanel(this))
{
    m_table->setObjectName(QStringLiteral("tensorTable"));
    m_table->setAccessibleName(tr("Tensors of the file"));
    m_table->setModel(m_model);
    setUpTable(m_table);
    m_table->setSortingEnabled(false);
    m_table->horizontalHeader()->setStretchLastSection(false);
    m_table->horizontalHeader()->setSectionResizeMode(TensorTableModel::NameColumn, QHeaderView::Stretch);
    m_table->setColumnWidth(TensorTableModel::DtypeColumn, kTensorDtypeWidth);
    m_table->setColumnWidth(TensorTableModel::ShapeColumn, kTensorShapeWidth);
    new EmptyHint(m_table, tr("The file has no tensors."));
    auto* splitter = new QSplitter(Qt::Horizontal, this);
    splitter->setChildrenCollapsible(false);
    splitter->setHandleWidth(1);
    splitter->addWidget(m_table);
    splitter->addWidget(m_details);
    splitter->setStretchFactor(0, 1);
    splitter->setSizes({2 * kTensorDetailsWidth, kTensorDetailsWidth});
    auto* whole = new QHBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->addWidget(splitter);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& current) { onCurrentChanged(current.row()); });
    onCurrentChanged(-1);
}

bool TensorView::isBusy() const { return m_details->isBusy(); }

void TensorView::setFile(std::shared_ptr<const SafetensorsFile> file)
{
    m_file = std::move(file);
    m_model->setFile(m_file);
    onCurrentChanged(-1);
    if (m_model->rowCount() > 0)
        m_table->setCurrentIndex(m_model->index(0, 0));
}

void TensorView::onCurrentChanged(int row)
{
    if (!m_file || row < 0 || static_cast<std::size_t>(row) >= m_file->entries().size()) {
        m_details->showMessage({}, tr("Choose a tensor to see what its values are like."));
        return;
    }
    const SafetensorsEntry entry = m_file->entries()[static_cast<std::size_t>(row)];
    m_details->showValues(QString::fromStdString(entry.name), [file = m_file, entry](std::stop_token stop) { return summariseTensor(*file, entry, stop); });
}

}  // namespace tracedeck::ui
