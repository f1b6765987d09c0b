// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QList>
#include <QString>
#include <array>

#include "core/store/dataset.h"

namespace tracedeck::ui {

/// A folder that was open before, with what it held then.
struct RecentDataset {
    QString path;
    qint64 definitions = 0;
    qint64 solutions = 0;
    qint64 workloads = 0;
    qint64 traces = 0;
    /// Traces by Status. Of a folder that an older Tracedeck noted: those that passed, all others as runtime errors.
    std::array<qint64, kStatusCount> statuses{};
    QDateTime opened;

    [[nodiscard]] qint64 passed() const { return statuses[static_cast<std::size_t>(Status::Passed)]; }
};

/// The list of recent folders, newest first, in the user's settings.
namespace RecentDatasets {

inline constexpr int kMost = 12;

[[nodiscard]] QList<RecentDataset> all();
/// Counts of a dataset that is open. Reads every trace row: on a worker thread.
[[nodiscard]] RecentDataset describe(const Dataset& dataset);
/// Puts it first.
void add(const RecentDataset& recent);
void remove(const QString& path);
void clear();

}  // namespace RecentDatasets

}  // namespace tracedeck::ui
