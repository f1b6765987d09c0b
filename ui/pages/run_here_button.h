// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QPushButton>

namespace tracedeck::ui {

class WrappedLabel;
class Workspace;

/// Helps where a page has nothing to show because nothing was measured: runs what it is about. Hidden where that is not the reason, or nothing can be run.
class RunHereButton : public QPushButton {
    Q_OBJECT
public:
    RunHereButton(Workspace* workspace, QWidget* parent);

    /// Shows itself for a definition (empty: the whole dataset) of which nothing was measured.
    void offer(bool isEmpty, const QString& definition);

private:
    Workspace* m_workspace;
    QString m_definition;
};

/// A page that says, in the middle, what it lacks, above the buttons that help.
[[nodiscard]] QWidget* emptyPage(WrappedLabel* text, const QList<QWidget*>& buttons, QWidget* parent);

}  // namespace tracedeck::ui
