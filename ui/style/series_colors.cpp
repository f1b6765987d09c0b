// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/series_colors.h"

#include <QHash>
#include <QSet>
#include <array>

#include "core/report/series_palette.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

static_assert(kSeriesColorCount == tracedeck::kReportColorCount);

QHash<QString, int>& assignedSlots()
{
    static QHash<QString, int> slotByEntity;
    return slotByEntity;
}

int slotOf(const QString& entity)
{
    QHash<QString, int>& slotByEntity = assignedSlots();
    const auto found = slotByEntity.constFind(entity);
    if (found != slotByEntity.constEnd())
        return *found;
    const int slot = static_cast<int>(slotByEntity.size());
    slotByEntity.insert(entity, slot);
    return slot;
}

}  // namespace

void assignSeriesColors(const QStringList& group)
{
    QHash<QString, int>& slotByEntity = assignedSlots();
    QSet<int> used;
    for (const QString& entity : group) {
        if (const auto found = slotByEntity.constFind(entity); found != slotByEntity.constEnd())
            used.insert(*found);
    }
    int next = 0;
    for (const QString& entity : group) {
        if (slotByEntity.contains(entity))
            continue;
        while (used.contains(next))
            ++next;
        used.insert(next);
        slotByEntity.insert(entity, next);
    }
}

QColor seriesColorAt(int slot, bool dark)
{
    const auto index = static_cast<std::size_t>(slot % kSeriesColorCount);
    return QColor::fromRgb(dark ? kDarkSeriesColors[index] : kLightSeriesColors[index]);
}

QColor seriesColor(const QString& entity, bool dark) { return seriesColorAt(slotOf(entity), dark); }

QColor seriesColor(const QString& entity) { return seriesColor(entity, isDarkTheme()); }

Qt::PenStyle seriesPenStyle(const QString& entity)
{
    constexpr std::array<Qt::PenStyle, 5> kPatterns{Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine,
                                                    Qt::DashDotDotLine};
    return kPatterns[static_cast<std::size_t>(slotOf(entity) / kSeriesColorCount) % kPatterns.size()];
}

}  // namespace tracedeck::ui
