// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/model/solution.h"
#include "core/run/run_request.h"

class QLabel;
class QTabBar;
class QPushButton;

namespace tracedeck::ui {

class Chips;
class CodeView;
class ElidedLabel;
class FactsTable;
class MutedLabel;
class Workspace;

/// One solution: how it is built, and its source files.
class SolutionPage : public QWidget {
    Q_OBJECT
public:
    SolutionPage(Workspace* workspace, const QString& solution, QWidget* parent = nullptr);

    [[nodiscard]] QString solutionName() const { return m_name; }
    [[nodiscard]] CodeView* codeView() const { return m_code; }

    /// Goes to a line, counted from 1, of a source file.
    void showLine(const QString& file, int line);

public slots:
    void showFind();

signals:
    void runRequested(const tracedeck::Selection& selection);
    /// The user wants to see this definition.
    void definitionActivated(const QString& name);
    /// The user wants to see this source beside another one.
    void compareRequested();

private:
    void refresh();
    void showSource(int index);
    [[nodiscard]] const Solution* solution() const;

    Workspace* m_workspace;
    QString m_name;
    ElidedLabel* m_title;
    Chips* m_chips;
    ElidedLabel* m_description;
    QPushButton* m_definition;
    QPushButton* m_run;
    QPushButton* m_compare;
    QPushButton* m_copy;
    FactsTable* m_facts;
    QTabBar* m_files;
    CodeView* m_code;
};

}  // namespace tracedeck::ui
