// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QList>
#include <QString>

#include "core/store/dataset.h"

namespace tracedeck::ui {

/// A folder that was open before, with what it held then.
struct RecentDataset {
    QString path;
    qint64 definitions = 0;
    qint64 solutions = 0;
    qint64 workloads = 0;
    qint64 traces = 0;
    qint64 passed = 0;
    QDateTime opened;
};

/// The list of recent folders, newest first, in the user's settings.
namespace RecentDatasets {

inline constexpr int kMost = 12;

[[nodiscard]] QList<RecentDataset> all();
/// Puts the dataset first, with its counts.
void add(const Dataset& dataset);
void remove(const QString& path);
void clear();

}  // namespace RecentDatasets

}  // namespace tracedeck::ui
