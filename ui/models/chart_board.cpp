// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/chart_board.h"

#include <QJsonArray>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/models/workspace.h"
#include "ui/settings/settings.h"
#include "ui/style/text.h"

namespace tracedeck::ui {

QString ChartSpec::key() const
{
    return QStringList{definition, fromView(toString(abscissa)), abscissa == ChartAbscissa::Axis ? axis : QString(), fromView(toString(measure)), fromView(toString(time))}.join(QLatin1Char('\n'));
}

QJsonObject encodeChartSpec(const ChartSpec& spec)
{
    return {{QStringLiteral("definition"), spec.definition}, {QStringLiteral("x"), fromView(toString(spec.abscissa))}, {QStringLiteral("axis"), spec.axis},
            {QStringLiteral("y"), fromView(toString(spec.measure))}, {QStringLiteral("time"), fromView(toString(spec.time))}, {QStringLiteral("hardware"), spec.hardware},
            {QStringLiteral("hidden"), QJsonArray::fromStringList(spec.hidden)}, {QStringLiteral("logX"), spec.logX}, {QStringLiteral("logY"), spec.logY}, {QStringLiteral("band"), spec.band}};
}

ChartSpec decodeChartSpec(const QJsonObject& json)
{
    const auto text = [&json](const char* key) { return json.value(QLatin1String(key)).toString(); };
    ChartSpec spec;
    spec.definition = text("definition");
    spec.abscissa = chartAbscissaFromString(text("x").toStdString()).value_or(spec.abscissa);
    spec.axis = text("axis");
    spec.measure = chartMeasureFromString(text("y").toStdString()).value_or(spec.measure);
    spec.time = callTimeFromString(text("time").toStdString()).value_or(spec.time);
    spec.hardware = text("hardware");
    for (const QJsonValue& name : json.value(QLatin1String("hidden")).toArray())
        spec.hidden << name.toString();
    spec.logX = json.value(QLatin1String("logX")).toBool();
    spec.logY = json.value(QLatin1String("logY")).toBool();
    spec.band = json.value(QLatin1String("band")).toBool(true);
    return spec;
}

ChartBoard::ChartBoard(Workspace* workspace) : QObject(workspace), m_workspace(workspace)
{
    connect(workspace, &Workspace::datasetOpened, this, &ChartBoard::readStored);
}

void ChartBoard::readStored()
{
    const QString root = m_workspace->root();
    if (std::exchange(m_root, root) == root)
        return;
    const QJsonObject stored = Settings::board(root);
    m_charts.clear();
    m_notes.clear();
    for (const QJsonValue& chart : stored.value(QLatin1String("charts")).toArray())
        if (m_charts.size() < kMostCharts)
            m_charts.push_back(decodeChartSpec(chart.toObject()));
    const QJsonObject notes = stored.value(QLatin1String("notes")).toObject();
    for (auto of = notes.begin(); of != notes.end(); ++of)
        for (const QJsonValue& value : of.value().toArray()) {
            const QJsonObject note = value.toObject();
            const ChartNote read{note.value(QLatin1String("x")).toDouble(NAN), note.value(QLatin1String("y")).toDouble(NAN), note.value(QLatin1String("text")).toString().left(kLongestNote)};
            if (std::isfinite(read.x) && std::isfinite(read.y) && !read.text.isEmpty())
                m_notes[of.key()] << read;
        }
    emit chartsChanged();
    emit notesChanged({});
}

void ChartBoard::store() const
{
    if (!m_workspace->isOpen())
        return;
    QJsonArray charts;
    for (const ChartSpec& spec : m_charts)
        charts << encodeChartSpec(spec);
    QJsonObject notes;
    for (auto of = m_notes.begin(); of != m_notes.end(); ++of) {
        QJsonArray list;
        for (const ChartNote& note : of.value())
            list << QJsonObject{{QStringLiteral("x"), note.x}, {QStringLiteral("y"), note.y}, {QStringLiteral("text"), note.text}};
        notes.insert(of.key(), list);
    }
    Settings::setBoard(m_workspace->root(), {{QStringLiteral("charts"), charts}, {QStringLiteral("notes"), notes}});
}

void ChartBoard::add(const ChartSpec& spec)
{
    if (m_charts.size() >= kMostCharts || std::find(m_charts.begin(), m_charts.end(), spec) != m_charts.end())
        return;
    m_charts.push_back(spec);
    store();
    emit chartsChanged();
}

void ChartBoard::remove(std::size_t index)
{
    if (index >= m_charts.size())
        return;
    m_charts.erase(m_charts.begin() + static_cast<std::ptrdiff_t>(index));
    store();
    emit chartsChanged();
}

void ChartBoard::move(std::size_t index, int step)
{
    const auto other = static_cast<std::ptrdiff_t>(index) + step;
    if (index >= m_charts.size() || other < 0 || other >= static_cast<std::ptrdiff_t>(m_charts.size()))
        return;
    std::swap(m_charts[index], m_charts[static_cast<std::size_t>(other)]);
    store();
    emit chartsChanged();
}

void ChartBoard::setNotes(const QString& chartKey, const QList<ChartNote>& notes)
{
    if (m_notes.value(chartKey) == notes)
        return;
    if (notes.isEmpty())
        m_notes.remove(chartKey);
    else
        m_notes.insert(chartKey, notes);
    store();
    emit notesChanged(chartKey);
}

}  // namespace tracedeck::ui
