// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/series_colors.h"

#include <QHash>
#include <QSet>
#include <array>

#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

// The Okabe–Ito hues first (darkened on white, lightened on dark; their black as ink), then hues between them. Every one has a contrast of
// 4.5:1 or more on the base colour of its theme.
constexpr std::array<QRgb, kSeriesColorCount> kLight{
    0xFF0072B2, 0xFFC25400, 0xFF00795A, 0xFFA8347E, 0xFF7A6A00, 0xFF26323F, 0xFFB03A2E, 0xFF4B7F1D, 0xFF7B4FC9, 0xFF8A5A2B,
    0xFF00798C, 0xFFD02F6B, 0xFF3F51A3, 0xFF9A6700, 0xFF2F7D32, 0xFF8E44AD, 0xFF2B6FD6, 0xFFA04000, 0xFF1B7F9E, 0xFF6B3E75};
constexpr std::array<QRgb, kSeriesColorCount> kDark{
    0xFF56B4E9, 0xFFF28E2B, 0xFF2CC29A, 0xFFE58FCB, 0xFFF0E442, 0xFFE6EBF0, 0xFFF47C6C, 0xFFA3D55D, 0xFFB79CF7, 0xFFD9A77A,
    0xFF4DD0D9, 0xFFFF8FB5, 0xFF9FB2F0, 0xFFFFC857, 0xFF7BD88F, 0xFFD7A1F0, 0xFF7FA8FF, 0xFFFFAD7A, 0xFF8FD3E8, 0xFFCDA5D4};

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
    return QColor::fromRgb(dark ? kDark[index] : kLight[index]);
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
