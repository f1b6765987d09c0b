// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "core/run/python_environment.h"

class QGridLayout;

namespace tracedeck::ui {

/// What was found on this machine: a mark, the part, what it is and what to do about it.
class FindingsList : public QWidget {
    Q_OBJECT
public:
    explicit FindingsList(QWidget* parent = nullptr);

    /// A line instead of findings, while they are looked for.
    void showMessage(const QString& text);
    void showFindings(const std::vector<Finding>& findings);
    /// One line a finding, tab separated.
    [[nodiscard]] QString text() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    void clear();
    void rebuild();
    QGridLayout* m_grid;
    std::vector<Finding> m_findings;
};

}  // namespace tracedeck::ui
