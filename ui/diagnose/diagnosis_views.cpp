// SPDX-License-Identifier: GPL-3.0-or-later
// Looks that a judge makes: differences and tolerances.
#include "ui/diagnose/diagnosis_views.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QScrollArea>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>
#include <cmath>

#include "core/diagnose/difference.h"
#include "core/model/text.h"
#include "ui/diagnose/error_views.h"
#include "ui/diagnose/plain_table_model.h"
#include "ui/models/number_format.h"
#include "ui/style/flow_layout.h"
#include "ui/style/labels.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

PlainCell valueCell(double value) { return {.text = std::isfinite(value) ? significantText(value, 6) : QString::number(value), .exact = exactText(value)}; }
PlainCell errorCell(double value) { return {.text = std::isfinite(value) ? errorText(value) : QString::number(value), .exact = exactText(value)}; }

QString candidateText(const std::string& candidate)
{
    constexpr std::string_view kInput = "input ";
    if (candidate == "zeros")
        return ToleranceView::tr("zeros");
    if (candidate == "mean")
        return ToleranceView::tr("one value everywhere: the mean");
    if (candidate == "another call")
        return ToleranceView::tr("what another call with other inputs gives");
    if (candidate.starts_with(kInput))
        return ToleranceView::tr("a copy of the input %1").arg(QString::fromStdString(candidate.substr(kInput.size())));
    return QString::fromStdString(candidate);
}

}  // namespace

DifferenceView::DifferenceView(QWidget* parent)
    : DiagnosisView(QStringLiteral("differenceView"),
                    tr("Calls the solution as an evaluation does, without timing it, and compares what it gives with what is expected. Shown is the first call "
                       "that fails, or the first one. Nothing is stored."),
                    parent),
      m_outputs(new QComboBox(this)), m_summary(new WrappedLabel(this)), m_worst(new PlainTableModel(this)), m_map(new ErrorMapView(this)), m_histogram(new ErrorHistogramView(this))
{
    m_summary->setObjectName(QStringLiteral("differenceSummary"));
    m_outputs->setAccessibleName(tr("Output"));
    m_outputs->setToolTip(tr("Which output is shown"));
    m_outputs->hide();
    options()->addWidget(m_outputs);
    m_worst->setColumns({{tr("Element")}, {tr("Expected"), true}, {tr("Got"), true}, {tr("Absolute error"), true}, {tr("Relative error"), true}, {tr("Tolerance")}});
    auto* table = makePlainTable(m_worst, QStringLiteral("worstElements"), tr("Worst elements"), this);
    auto* pictures = new QWidget(this);
    auto* picturesLayout = new QVBoxLayout(pictures);
    picturesLayout->setContentsMargins(Space::kWide, 0, 0, 0);
    picturesLayout->addWidget(new MutedLabel(tr("Where elements are wrong"), pictures));
    picturesLayout->addWidget(m_map, 1);
    picturesLayout->addWidget(new MutedLabel(tr("Elements by absolute error"), pictures));
    picturesLayout->addWidget(m_histogram);
    auto* splitter = new QSplitter(Qt::Horizontal, this);
    splitter->setChildrenCollapsible(false);
    splitter->setHandleWidth(1);
    splitter->addWidget(table);
    splitter->addWidget(pictures);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    auto* result = new QWidget(this);
    auto* layout = new QVBoxLayout(result);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_summary);
    layout->addWidget(splitter, 1);
    setResult(result);
    connect(m_outputs, &QComboBox::currentIndexChanged, this, &DifferenceView::showOutput);
}

void DifferenceView::start()
{
    m_outputs->hide();
    look<DifferenceReport>([](const DiagnosisTarget& target, const DiagnosisProgress& progress, std::stop_token stop) { return findDifference(target, progress, std::move(stop)); },
                           [this](const DifferenceReport& report) { show(report); });
}

void DifferenceView::show(const DifferenceReport& report)
{
    m_report = report;
    const QSignalBlocker quiet(m_outputs);
    m_outputs->clear();
    for (const TensorDifference& output : report.outputs)
        m_outputs->addItem(visibleText(QString::fromStdString(output.output)));
    m_outputs->setVisible(report.outputs.size() > 1);
    if (report.outputs.empty()) {
        showMessage(tr("%1: there is nothing to compare: %2.").arg(QString::fromStdString(report.status), QString::fromStdString(report.missing)) + QStringLiteral("\n\n") +
                    QString::fromStdString(report.log));
        return;
    }
    showOutput();
    showResult();
}

void DifferenceView::showOutput()
{
    const int index = std::max(0, m_outputs->currentIndex());
    if (static_cast<std::size_t>(index) >= m_report.outputs.size())
        return;
    const TensorDifference& output = m_report.outputs[static_cast<std::size_t>(index)];
    const double share = output.lookedAt == 0 ? 0 : static_cast<double>(output.wrong) / static_cast<double>(output.lookedAt);
    QString text = tr("%1 · call %2 · output %3 %4 %5: %6 of %7 elements are wrong (%8; atol %9")
                       .arg(QString::fromStdString(m_report.status))
                       .arg(m_report.trial + 1)
                       .arg(visibleText(QString::fromStdString(output.output)), QString::fromStdString(output.dtype), QString::fromStdString(shapeText(output.shape)), countText(static_cast<qint64>(output.wrong)),
                            countText(static_cast<qint64>(output.lookedAt)), percentText(share), exactText(output.atol)) +
                   tr(", rtol %1)").arg(exactText(output.rtol));
    text += QLatin1Char('\n') + tr("Largest error %1 absolute, %2 relative; mean %3, bias %4; %5 equal bit for bit")
                                    .arg(errorText(output.maxAbsolute), errorText(output.maxRelative), errorText(output.meanAbsolute), errorText(output.bias),
                                         countText(static_cast<qint64>(output.equal)));
    if (output.notFinite > 0)
        text += tr("; %1 are NaN or infinite").arg(countText(static_cast<qint64>(output.notFinite)));
    if (output.unwritten > 0)
        text += tr("; %1 were never written").arg(countText(static_cast<qint64>(output.unwritten)));
    if (output.lookedAt < output.elements)
        text += QLatin1Char('\n') + tr("Only the first %1 of %2 elements were looked at.").arg(countText(static_cast<qint64>(output.lookedAt)), countText(static_cast<qint64>(output.elements)));
    m_summary->setText(text);
    std::vector<std::vector<PlainCell>> rows;
    for (const WorstElement& element : output.worst)
        rows.push_back({{.text = QString::fromStdString(shapeText(element.index))}, valueCell(element.expected), valueCell(element.got), errorCell(element.absolute), errorCell(element.relative),
                        {.text = element.isWrong ? tr("wrong") : tr("within")}});
    m_worst->setRows(std::move(rows));
    m_map->setMap(output.map);
    m_histogram->setBins(output.histogram, output.atol);
}

ToleranceView::ToleranceView(QWidget* parent)
    : DiagnosisView(QStringLiteral("toleranceView"),
                    tr("Puts zeros, one value, copied inputs and the outputs of another call in the place of each output. Where one of them passes the workload's check, a pass "
                       "proves little. Only the workload matters, not the solution."),
                    parent),
      m_summary(new WrappedLabel(this)), m_table(new PlainTableModel(this))
{
    m_summary->setObjectName(QStringLiteral("toleranceSummary"));
    m_table->setColumns({{tr("Output")}, {tr("In its place")}, {tr("Outcome")}, {tr("Matched"), true}, {tr("Absolute error"), true}, {tr("Relative error"), true}, {tr("Why it fails")}});
    auto* table = makePlainTable(m_table, QStringLiteral("toleranceTable"), tr("What was put in the place of outputs"), this);
    constexpr int kWide = 280;
    table->setColumnWidth(1, kWide);
    auto* result = new QWidget(this);
    auto* layout = new QVBoxLayout(result);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_summary);
    layout->addWidget(table, 1);
    setResult(result);
}

void ToleranceView::start()
{
    look<ToleranceReport>([](const DiagnosisTarget& target, const DiagnosisProgress& progress, std::stop_token stop) { return testTolerance(target, progress, std::move(stop)); },
                          [this](const ToleranceReport& report) { show(report); });
}

void ToleranceView::show(const ToleranceReport& report)
{
    if (!report.missing.empty()) {
        showMessage(tr("Nothing could be tried: %1.").arg(QString::fromStdString(report.missing)));
        return;
    }
    QStringList weak;
    for (const std::string& output : report.weakOutputs())
        weak << visibleText(QString::fromStdString(output));
    const QString verdict = report.provesNothing() ? tr("A pass on this workload proves nothing: every output can be had without computing it. Ask for tighter tolerances.")
                            : weak.isEmpty()       ? tr("Nothing degenerate passes.")
                                                   : tr("Some outputs can be had without computing them: %1.").arg(weak.join(QStringLiteral(", ")));
    m_summary->setText(verdict + QLatin1Char('\n') + tr("Evaluator %1, atol %2, rtol %3, %4 checked calls")
                                                          .arg(QString::fromStdString(report.evaluator), exactText(report.atol), exactText(report.rtol))
                                                          .arg(report.calls));
    std::vector<std::vector<PlainCell>> rows;
    for (const DegenerateTrial& trial : report.trials)
        rows.push_back({{.text = QString::fromStdString(trial.output)},
                        {.text = candidateText(trial.candidate)},
                        {.text = trial.passes ? tr("passes") : tr("fails")},
                        {.text = std::isnan(trial.matchedRatio) ? QStringLiteral("–") : percentText(trial.matchedRatio), .exact = exactText(trial.matchedRatio)},
                        errorCell(trial.maxAbsolute),
                        errorCell(trial.maxRelative),
                        {.text = QString::fromStdString(trial.message)}});
    m_table->setRows(std::move(rows));
    showResult();
}

}  // namespace tracedeck::ui
