// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/query.h"
#include "ui/models/comparison_choice.h"
#include "ui/style/name_box.h"

namespace tracedeck::ui {

class Workspace;

/// Which definitions of a dataset count: all of them, one by name, or those of an op_type.
class ScopeBox : public NameBox {
    Q_OBJECT
public:
    using NameBox::NameBox;

    /// Offers all definitions, these by name (empty ones and repetitions are left out) and the op_types, and chooses. Emits nothing.
    void offer(const Workspace& workspace, const QStringList& definitions, const ComparisonScope& chosen);
    /// The same with the current definition; what was chosen stays, where it was one definition it is the current one now.
    void follow(const Workspace& workspace);
    [[nodiscard]] ComparisonScope scope() const;
    /// Traces of the scope on the workspace's hardware.
    [[nodiscard]] TraceFilter filter(const Workspace& workspace) const;
};

}  // namespace tracedeck::ui
