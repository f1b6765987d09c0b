// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/tensor_view.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLabel>
#include <QPlainTextEdit>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>
#include <cmath>

#include "ui/charts/histogram_view.h"
#include "ui/models/latest_job.h"
#include "ui/models/number_format.h"
#include "ui/models/tensor_table_model.h"
#include "ui/pages/facts_table.h"
#include "ui/style/empty_hint.h"
#include "ui/style/labels.h"
#include "ui/style/tables.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

constexpr int kTensorDtypeWidth = 90;
constexpr int kTensorShapeWidth = 160;
constexpr int kTensorDetailsWidth = 340;

}  // namespace

TensorView::TensorView(QWidget* parent)
    : QWidget(parent), m_model(new TensorTableModel(this)), m_table(new QTableView(this)), m_details(new QWidget(this)), m_title(new WrappedLabel(m_details)),
      m_message(new WrappedLabel(m_details)), m_facts(new FactsTable(tr("Statistics of the tensor"), m_details)), m_histogram(new HistogramView(m_details)),
      m_valuesTitle(new QLabel(tr("First values"), m_details)), m_values(new QPlainTextEdit(m_details)), m_job(new LatestJob(this))
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
    m_facts->setObjectName(QStringLiteral("tensorFacts"));
    m_message->setObjectName(QStringLiteral("tensorMessage"));
    m_message->setMuted(true);
    QFont bold = font();
    bold.setBold(true);
    m_title->setFont(bold);
    m_valuesTitle->setFont(bold);
    m_values->setObjectName(QStringLiteral("tensorValues"));
    m_values->setAccessibleName(tr("First values of the tensor"));
    m_values->setReadOnly(true);
    m_values->setFrameShape(QFrame::NoFrame);
    m_values->setFont(monospacedFont());

    auto* layout = new QVBoxLayout(m_details);
    layout->setContentsMargins(Space::kWide, Space::kNormal, Space::kWide, Space::kNormal);
    layout->setSpacing(Space::kNormal);
    for (QWidget* part : std::initializer_list<QWidget*>{m_title, m_message, m_facts, m_histogram, m_valuesTitle})
        layout->addWidget(part);
    layout->addWidget(m_values, 1);
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

bool TensorView::isBusy() const { return m_job->isRunning(); }

void TensorView::setFile(std::shared_ptr<const SafetensorsFile> file)
{
    m_file = std::move(file);
    m_model->setFile(m_file);
    onCurrentChanged(-1);
    if (m_model->rowCount() > 0)
        m_table->setCurrentIndex(m_model->index(0, 0));
}

void TensorView::showMessage(const QString& text)
{
    m_message->setText(text);
    m_message->show();
    m_facts->hide();
    m_histogram->hide();
    m_valuesTitle->hide();
    m_values->hide();
}

void TensorView::onCurrentChanged(int row)
{
    if (!m_file || row < 0 || static_cast<std::size_t>(row) >= m_file->entries().size()) {
        m_job->cancel();
        m_title->clear();
        showMessage(tr("Choose a tensor to see what its values are like."));
        return;
    }
    const SafetensorsEntry entry = m_file->entries()[static_cast<std::size_t>(row)];
    m_title->setText(shortened(QString::fromStdString(entry.name), kLongestName));
    showMessage(tr("Reading the values …"));
    m_job->start<Result<TensorSummary>>([file = m_file, entry](std::stop_token stop) { return summariseTensor(*file, entry, stop); },
                                        [this](const Result<TensorSummary>& summary) {
                                            if (summary)
                                                showSummary(*summary);
                                            else
                                                showMessage(QString::fromStdString(summary.error().toString()));
                                        });
}

void TensorView::showSummary(const TensorSummary& summary)
{
    const auto count = [](std::uint64_t number) { return countText(static_cast<qint64>(number)); };
    QList<FactsTable::Fact> facts{{{tr("elements"), count(summary.elements)}, {}, false}};
    if (summary.finite > 0)
        facts << FactsTable::Fact{{tr("minimum"), errorText(summary.minimum)}, exactText(summary.minimum), false}
              << FactsTable::Fact{{tr("maximum"), errorText(summary.maximum)}, exactText(summary.maximum), false}
              << FactsTable::Fact{{tr("mean"), errorText(summary.mean)}, exactText(summary.mean), false}
              << FactsTable::Fact{{tr("standard deviation"), errorText(summary.deviation)}, exactText(summary.deviation), false};
    facts << FactsTable::Fact{{tr("zeros"), count(summary.zeros)}, {}, false} << FactsTable::Fact{{tr("NaN"), count(summary.nan)}, {}, false}
          << FactsTable::Fact{{tr("infinite"), count(summary.infinite)}, {}, false};
    m_facts->setFacts(facts);
    m_histogram->setCounts(summary.finite > 0 ? std::vector<std::uint64_t>(summary.histogram.begin(), summary.histogram.end()) : std::vector<std::uint64_t>(),
                           summary.minimum, summary.maximum);
    QStringList values;
    for (const double value : summary.firstValues)
        values << (std::isnan(value) ? QStringLiteral("NaN") : exactText(value));
    m_values->setPlainText(values.join(QStringLiteral("  ")));
    m_valuesTitle->setText(summary.firstValues.size() < summary.elements ? tr("First %1 values").arg(countText(values.size())) : tr("All values"));
    m_message->hide();
    m_facts->show();
    m_histogram->setVisible(summary.maximum > summary.minimum);
    m_valuesTitle->setVisible(summary.elements > 0);
    m_values->setVisible(summary.elements > 0);
}

}  // namespace tracedeck::ui
