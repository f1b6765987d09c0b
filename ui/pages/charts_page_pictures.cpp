// SPDX-License-Identifier: GPL-3.0-or-later
// The charts of a charts page: one, or one a GPU; and how they become files.
#include <QAction>
#include <QGridLayout>
#include <QInputDialog>
#include <QLabel>
#include <QPushButton>
#include <algorithm>

#include "core/io/trace_writer.h"
#include "core/report/chart_report.h"
#include "ui/charts/chart_export.h"
#include "ui/charts/chart_legend.h"
#include "ui/charts/latency_chart.h"
#include "ui/models/marked_traces.h"
#include "ui/models/workspace.h"
#include "ui/pages/charts_page.h"
#include "ui/pages/export_files.h"
#include "ui/style/icons.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

constexpr QSize kSmallestPicture(960, 540);

}  // namespace

void ChartsPage::showCharts(const std::vector<ChartContent>& contents)
{
    m_shownCharts = contents.size();
    for (std::size_t i = 0; i < contents.size(); ++i) {
        LatencyChart* chart = facetChart(i);
        m_headings[i]->setText(shortened(visibleText(contents[i].hardware), kLongestName));
        chart->setContent(contents[i]);
        chart->setHidden(m_legend->hidden());
    }
    for (std::size_t i = 0; i < m_charts.size(); ++i) {
        const bool shown = i < contents.size();
        m_charts[i]->setVisible(shown);
        m_headings[i]->setVisible(shown && contents.size() > 1);
        m_grid->setRowStretch(2 * static_cast<int>(i / 2) + 1, 2 * (i / 2) < contents.size() ? 1 : 0);
    }
    m_grid->setColumnStretch(0, 1);
    m_grid->setColumnStretch(1, contents.size() > 1 ? 1 : 0);
}

void ChartsPage::buildActions()
{
    for (const QString& suffix : pictureSuffixes())
        m_exportActions << makeExportAction(this, {QStringLiteral("exportChart_") + suffix, tr("Export chart as %1…").arg(suffix.toUpper()), tr("Write the chart as it is seen, with title and legend"),
                                                   tr("Export chart"), [this] { return m_definition; }, suffix, [this](const QString& path) { return exportPicture(path); }});
    m_exportActions << makeExportAction(this, {QStringLiteral("exportChart_csv"), tr("Export chart data as CSV…"), tr("Write the traces behind the lines that are switched on as a CSV report"),
                                               tr("Export chart data"), [this] { return m_definition; }, QStringLiteral("csv"), [this](const QString& path) { return exportCsv(path); }});
    m_exportActions << makeExportAction(this, {QStringLiteral("exportChart_points"), tr("Export chart points as CSV…"), tr("Write x, y and the band of each point of the lines that are switched on"),
                                               tr("Export chart points"), [this] { return m_definition + QStringLiteral("_points"); }, QStringLiteral("csv"),
                                               [this](const QString& path) { return exportPoints(path); }});
}

void ChartsPage::connectChart(LatencyChart* chart)
{
    connect(chart, &LatencyChart::tracePicked, this, &ChartsPage::pickTrace);
    connect(chart, &LatencyChart::tracesMarked, m_workspace->marks(), &MarkedTraces::mark);
    connect(chart, &LatencyChart::notesEdited, this, [this](const QList<ChartNote>& notes) { m_workspace->board()->setNotes(spec().key(), notes); });
    connect(chart, &LatencyChart::noteWanted, this, [this](double x, double y) {
        auto* dialog = new QInputDialog(this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setObjectName(QStringLiteral("noteText"));
        dialog->setWindowTitle(tr("Write a note"));
        dialog->setLabelText(tr("A few words that are kept with this chart:"));
        connect(dialog, &QInputDialog::textValueSelected, this, [this, x, y](const QString& text) {
            const QString words = text.simplified().left(ChartBoard::kLongestNote);
            if (!words.isEmpty()) {
                m_workspace->board()->setNotes(spec().key(), m_workspace->board()->notes(spec().key()) << ChartNote{x, y, words});
            }
        });
        dialog->open();
    });
    connect(chart, &LatencyChart::markToggled, m_workspace->marks(), &MarkedTraces::toggle);
    connect(chart, &ZoomChart::zoomedChanged, this, [this] {
        const std::vector<LatencyChart*> charts = shownCharts();
        m_fitButton->setEnabled(std::any_of(charts.begin(), charts.end(), [](const LatencyChart* one) { return one->isZoomed(); }));
    });
    connect(m_legend, &ChartLegend::hiddenChanged, chart, &LatencyChart::setHidden);
    connect(m_legend, &ChartLegend::emphasisChanged, chart, &LatencyChart::setEmphasis);
}

LatencyChart* ChartsPage::facetChart(std::size_t number)
{
    if (number < m_charts.size()) {
        return m_charts[number];
    }
    LatencyChart* chart = m_chart;
    if (number > 0) {
        chart = new LatencyChart(this);
        chart->setObjectName(QStringLiteral("facetChart%1").arg(number));
        connectChart(chart);
    }
    auto* heading = new QLabel(this);
    heading->setTextFormat(Qt::PlainText);
    heading->setAlignment(Qt::AlignCenter);
    heading->setContentsMargins(Space::kNormal, Space::kTight, Space::kNormal, 0);
    heading->hide();
    // Two beside each other, then the next two below.
    const int row = 2 * static_cast<int>(number / 2);
    const int column = static_cast<int>(number % 2);
    m_grid->addWidget(heading, row, column);
    m_grid->addWidget(chart, row + 1, column);
    m_grid->setRowStretch(row + 1, 1);
    m_charts.push_back(chart);
    m_headings.push_back(heading);
    return chart;
}

std::vector<LatencyChart*> ChartsPage::shownCharts() const
{
    return {m_charts.begin(), m_charts.begin() + static_cast<std::ptrdiff_t>(std::min(m_shownCharts, m_charts.size()))};
}

QString ChartsPage::pictureTitle(const LatencyChart& chart) const
{
    const QString hardware = chart.content().hardware;
    return hardware.isEmpty() ? m_definition : m_definition + QStringLiteral(" · ") + hardware;
}

Result<void> ChartsPage::exportPicture(const QString& path) const
{
    std::vector<TitledChart> charts;
    for (const LatencyChart* chart : shownCharts()) {
        charts.push_back({chart, pictureTitle(*chart)});
    }
    return writeChartPictures(charts, m_chart->size().expandedTo(kSmallestPicture), path);
}

std::vector<Series> ChartsPage::seriesSwitchedOn() const
{
    std::vector<Series> switchedOn;
    std::copy_if(m_series.begin(), m_series.end(), std::back_inserter(switchedOn),
                 [this](const Series& series) { return !m_legend->hidden().contains(QString::fromStdString(series.solution)); });
    return switchedOn;
}

Result<void> ChartsPage::exportPoints(const QString& path) const
{
    const std::vector<Series> series = seriesSwitchedOn();
    return writeFileAtomically(path.toStdString(), tableText(chartTable(*m_chart->content().dataset, series), TableFormat::Csv));
}

Result<void> ChartsPage::exportCsv(const QString& path) const
{
    RowIndex rows;
    for (const Series& series : seriesSwitchedOn()) {
        for (const SeriesPoint& point : series.points) {
            rows.push_back(point.row);
        }
    }
    return writeTraceCsv(*m_chart->content().dataset, rows, path);
}

}  // namespace tracedeck::ui
