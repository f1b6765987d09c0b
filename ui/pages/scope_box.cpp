// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/scope_box.h"

#include <QSignalBlocker>
#include <algorithm>

#include "ui/models/workspace.h"
#include "ui/style/text.h"

namespace tracedeck::ui {
namespace {

const QString kScopeOfDefinition = QStringLiteral("definition:");
const QString kScopeOfType = QStringLiteral("type:");

}  // namespace

void ScopeBox::offer(const Workspace& workspace, const QStringList& definitions, const ComparisonScope& chosen)
{
    const QSignalBlocker blocker(this);
    clear();
    addItem(tr("all definitions"), QString());
    for (const QString& name : definitions) {
        if (name.isEmpty() || findData(kScopeOfDefinition + name) >= 0)
            continue;
        addItem(visibleText(name), kScopeOfDefinition + name);
        setItemData(count() - 1, plainToolTip(name), Qt::ToolTipRole);
    }
    for (const auto& [opType, definitionCount] : workspace.dataset()->opTypes()) {
        const QString name = QString::fromStdString(opType);
        addItem(tr("op type: %1 (%2)").arg(visibleText(name)).arg(definitionCount), kScopeOfType + name);
    }
    const QString wanted = !chosen.definition.isEmpty() ? kScopeOfDefinition + chosen.definition : !chosen.opType.isEmpty() ? kScopeOfType + chosen.opType : QString();
    setCurrentIndex(std::max(0, findData(wanted)));
}

void ScopeBox::follow(const Workspace& workspace)
{
    ComparisonScope chosen = scope();
    if (!chosen.definition.isEmpty())
        chosen.definition = workspace.currentDefinition();
    offer(workspace, {workspace.currentDefinition()}, chosen);
}

ComparisonScope ScopeBox::scope() const
{
    const QString chosen = currentData().toString();
    if (chosen.startsWith(kScopeOfDefinition))
        return {chosen.mid(kScopeOfDefinition.size()), {}};
    return {{}, chosen.startsWith(kScopeOfType) ? chosen.mid(kScopeOfType.size()) : QString()};
}

TraceFilter ScopeBox::filter(const Workspace& workspace) const
{
    const ComparisonScope chosen = scope();
    TraceFilter filter;
    if (!chosen.definition.isEmpty())
        filter.definitions.insert(chosen.definition.toStdString());
    if (!chosen.opType.isEmpty())
        filter.opTypes.insert(chosen.opType.toStdString());
    if (!workspace.hardware().isEmpty())
        filter.hardware.insert(workspace.hardware().toStdString());
    return filter;
}

}  // namespace tracedeck::ui
