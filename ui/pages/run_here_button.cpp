// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/run_here_button.h"

#include <QVBoxLayout>

#include "ui/models/nothing_measured.h"
#include "ui/models/workspace.h"
#include "ui/style/icons.h"
#include "ui/style/labels.h"

namespace tracedeck::ui {

RunHereButton::RunHereButton(Workspace* workspace, QWidget* parent) : QPushButton(ui::icon(QStringLiteral("run")), {}, parent), m_workspace(workspace)
{
    setObjectName(QStringLiteral("runHere"));
    hide();
    connect(this, &QPushButton::clicked, this, [this] {
        Selection selection;
        if (m_definition.isEmpty())
            for (const auto& definition : m_workspace->dataset()->definitions())
                selection.definitions.insert(definition->name);
        else
            selection.definitions.insert(m_definition.toStdString());
        m_workspace->requestRun(selection);
    });
}

void RunHereButton::offer(bool isEmpty, const QString& definition)
{
    m_definition = definition;
    const auto dataset = m_workspace->dataset();
    setText(definition.isEmpty() ? tr("Run everything") : tr("Run all of this definition"));
    setToolTip(definition.isEmpty() ? tr("Run every solution on every workload of its definition") : tr("Run all its solutions on all its workloads"));
    setVisible(isEmpty && m_workspace->isOpen() && !whyNothingIsMeasured(*dataset, definition).isEmpty() && canBeMeasured(*dataset, definition));
}

QWidget* emptyPage(WrappedLabel* text, const QList<QWidget*>& buttons, QWidget* parent)
{
    auto* page = new QWidget(parent);
    auto* layout = new QVBoxLayout(page);
    layout->addStretch(2);
    layout->addWidget(text);
    for (QWidget* button : buttons)
        layout->addWidget(button, 0, Qt::AlignHCenter);
    layout->addStretch(3);
    return page;
}

}  // namespace tracedeck::ui
