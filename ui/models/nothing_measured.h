// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/store/dataset.h"

namespace tracedeck::ui {

/// Why there are no traces of a definition (empty: of the whole dataset), and what to do about it; empty where there are some. One text for every page that
/// shows results.
[[nodiscard]] QString whyNothingIsMeasured(const Dataset& dataset, const QString& definition = {});
/// Why a baseline by this author compares nobody: nobody has that name, or there is nobody else; empty when it is not for that.
[[nodiscard]] QString whyThereIsNoBaseline(const Dataset& dataset, const QString& baselineAuthor);
/// Whether a run could change that.
[[nodiscard]] bool canBeMeasured(const Dataset& dataset, const QString& definition = {});

}  // namespace tracedeck::ui
