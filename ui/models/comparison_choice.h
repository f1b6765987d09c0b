// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/score/comparison.h"

namespace tracedeck::ui {

/// What one side of a comparison was chosen to be; empty: not restricted.
struct SideChoice {
    QString folder;   ///< of its dataset; empty: the one that is open
    QString solution;
    QString author;
    QString hardware;
    std::optional<MeasurementRun> run;
    bool isRecordedRun = false;   ///< `run` is what a run's record says, not found among the traces

    bool operator==(const SideChoice& other) const;
};

/// What both sides are restricted to.
struct ComparisonScope {
    QString definition;
    QString opType;

    bool operator==(const ComparisonScope&) const = default;
};

/// Both sides and what they are looked at over.
struct ComparisonChoice {
    SideChoice a;
    SideChoice b;
    ComparisonScope scope;

    bool operator==(const ComparisonChoice&) const = default;
};

/// What the sides of a comparison can be chosen from.
struct SideFacts {
    std::shared_ptr<const Dataset> dataset;
    QStringList authors;
    QStringList hardware;
    std::vector<MeasurementRun> runs;   ///< the oldest first
};
/// Looks at every trace: on a worker thread.
[[nodiscard]] SideFacts sideFactsOf(std::shared_ptr<const Dataset> dataset, const std::stop_token& stop);

[[nodiscard]] ComparisonSide comparisonSide(std::shared_ptr<const Dataset> dataset, const SideChoice& choice, const ComparisonScope& scope);

/// What a reader most probably wants to compare: the definition's baseline with the solution at hand (or any other one), else the
/// dataset's last run with the one before.
[[nodiscard]] ComparisonChoice likelyChoice(const SideFacts& facts, const QString& definition, const QString& solution, const QString& baselineAuthor, const QString& hardware);

}  // namespace tracedeck::ui
