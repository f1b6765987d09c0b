// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/tensor_summary_panel.h"

#include <QLabel>
#include <QPlainTextEdit>
#include <QVBoxLayout>
#include <cmath>

#include "ui/charts/histogram_view.h"
#include "ui/models/latest_job.h"
#include "ui/models/number_format.h"
#include "ui/pages/facts_table.h"
#include "ui/style/labels.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {

TensorSummaryPanel::TensorSummaryPanel(QWidget* parent)
    : QWidget(parent), m_title(new WrappedLabel(this)), m_message(new WrappedLabel(this)), m_facts(new FactsTable(tr("Statistics of the tensor"), this)),
      m_histogram(new HistogramView(this)), m_valuesTitle(new QLabel(tr("First values"), this)), m_values(new QPlainTextEdit(this)), m_job(new LatestJob(this))
{
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
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(Space::kWide, Space::kNormal, Space::kWide, Space::kNormal);
    layout->setSpacing(Space::kNormal);
    for (QWidget* part : std::initializer_list<QWidget*>{m_title, m_message, m_facts, m_histogram, m_valuesTitle})
        layout->addWidget(part);
    layout->addWidget(m_values, 1);
    // Without values the sentence stays at the top.
    layout->addStretch(0);
}

bool TensorSummaryPanel::isBusy() const { return m_job->isRunning(); }

void TensorSummaryPanel::hideValues()
{
    m_facts->hide();
    m_histogram->hide();
    m_valuesTitle->hide();
    m_values->hide();
}

void TensorSummaryPanel::showMessage(const QString& name, const QString& text)
{
    m_job->cancel();
    m_title->setText(shortened(visibleText(name), kLongestName));
    m_message->setText(text);
    m_message->show();
    hideValues();
}

void TensorSummaryPanel::showValues(const QString& name, std::function<Result<TensorSummary>(std::stop_token)> read, const QString& note)
{
    showMessage(name, tr("Reading the values …"));
    m_job->start<Result<TensorSummary>>(std::move(read), [this, name, note](const Result<TensorSummary>& summary) {
        if (summary)
            showSummary(*summary, note);
        else
            showMessage(name, visibleText(QString::fromStdString(summary.error().toString())));
    });
}

void TensorSummaryPanel::showSummary(const TensorSummary& summary, const QString& note)
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
    m_message->setText(note);
    m_message->setVisible(!note.isEmpty());
    m_facts->show();
    m_histogram->setVisible(summary.maximum > summary.minimum);
    m_valuesTitle->setVisible(summary.elements > 0);
    m_values->setVisible(summary.elements > 0);
}

}  // namespace tracedeck::ui
