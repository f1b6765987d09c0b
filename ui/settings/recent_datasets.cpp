// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/recent_datasets.h"

#include <QSettings>
#include <algorithm>

#include "core/store/query.h"

namespace tracedeck::ui::RecentDatasets {
namespace {

constexpr QLatin1String kArray("recent");

void save(const QList<RecentDataset>& list)
{
    QSettings settings;
    settings.remove(kArray);
    settings.beginWriteArray(kArray, static_cast<int>(list.size()));
    for (int i = 0; i < static_cast<int>(list.size()); ++i) {
        settings.setArrayIndex(i);
        const RecentDataset& recent = list[i];
        settings.setValue(QStringLiteral("path"), recent.path);
        settings.setValue(QStringLiteral("definitions"), recent.definitions);
        settings.setValue(QStringLiteral("solutions"), recent.solutions);
        settings.setValue(QStringLiteral("workloads"), recent.workloads);
        settings.setValue(QStringLiteral("traces"), recent.traces);
        QStringList statuses;
        for (const qint64 count : recent.statuses)
            statuses << QString::number(count);
        settings.setValue(QStringLiteral("statuses"), statuses);
        settings.setValue(QStringLiteral("opened"), recent.opened);
    }
    settings.endArray();
}

}  // namespace

QList<RecentDataset> all()
{
    QSettings settings;
    QList<RecentDataset> list;
    const int size = std::min(settings.beginReadArray(kArray), kMost);
    for (int i = 0; i < size; ++i) {
        settings.setArrayIndex(i);
        RecentDataset recent;
        recent.path = settings.value(QStringLiteral("path")).toString();
        recent.definitions = settings.value(QStringLiteral("definitions")).toLongLong();
        recent.solutions = settings.value(QStringLiteral("solutions")).toLongLong();
        recent.workloads = settings.value(QStringLiteral("workloads")).toLongLong();
        recent.traces = settings.value(QStringLiteral("traces")).toLongLong();
        const QStringList statuses = settings.value(QStringLiteral("statuses")).toStringList();
        for (std::size_t status = 0; status < recent.statuses.size(); ++status)
            recent.statuses[status] = statuses.value(static_cast<qsizetype>(status)).toLongLong();
        if (statuses.isEmpty()) {
            const qint64 passed = settings.value(QStringLiteral("passed")).toLongLong();
            recent.statuses[static_cast<std::size_t>(Status::Passed)] = passed;
            recent.statuses[static_cast<std::size_t>(Status::RuntimeError)] = recent.traces - passed;
        }
        recent.opened = settings.value(QStringLiteral("opened")).toDateTime();
        if (!recent.path.isEmpty())
            list << recent;
    }
    settings.endArray();
    return list;
}

RecentDataset describe(const Dataset& dataset)
{
    RecentDataset recent;
    recent.path = QString::fromStdString(dataset.root().string());
    recent.definitions = static_cast<qint64>(dataset.definitions().size());
    recent.solutions = static_cast<qint64>(dataset.solutions().size());
    recent.workloads = static_cast<qint64>(dataset.workloadCount());
    recent.traces = static_cast<qint64>(dataset.traces().size());
    const StatusCounts counts = countStatuses(dataset);
    std::transform(counts.byStatus.begin(), counts.byStatus.end(), recent.statuses.begin(), [](std::size_t count) { return static_cast<qint64>(count); });
    recent.opened = QDateTime::currentDateTime();
    return recent;
}

void add(const RecentDataset& recent)
{
    QList<RecentDataset> list = all();
    list.removeIf([&recent](const RecentDataset& other) { return other.path == recent.path; });
    list.prepend(recent);
    list.resize(std::min(list.size(), qsizetype{kMost}));
    save(list);
}

void remove(const QString& path)
{
    QList<RecentDataset> list = all();
    if (list.removeIf([&path](const RecentDataset& other) { return other.path == path; }) > 0)
        save(list);
}

void clear() { save({}); }

}  // namespace tracedeck::ui::RecentDatasets
