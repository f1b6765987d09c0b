// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Qt>

namespace tracedeck::ui {

/// Roles that the models of the big tables share; above their own ones.
enum TableRole {
    kColumnKeyRole = Qt::UserRole + 100,   ///< headerData, QString: name of the column that no language changes
    kCellRole                              ///< data: the value with every digit, as double, qlonglong or QString; invalid: none
};

}  // namespace tracedeck::ui
