// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include "ui/models/comparison_choice.h"

class QGridLayout;
class QLabel;

namespace tracedeck::ui {

class NameBox;

/// The boxes that say what one side of a comparison is: of which dataset, whose results, on which GPU, of which run. One row of a grid.
class SideChooser : public QObject {
    Q_OBJECT
public:
    /// `letter`: A or B. Makes its boxes in a row of the grid, children of `parent`.
    SideChooser(const QString& letter, QGridLayout* grid, int row, QWidget* parent);

    /// Datasets to choose from beside the one that is open.
    void setFolders(const QString& open, const QStringList& others);
    /// Offers what this dataset has, and chooses what is chosen already where it still can.
    void setFacts(const SideFacts& facts, const ComparisonScope& scope);
    [[nodiscard]] const SideChoice& choice() const { return m_choice; }
    /// Emits nothing. Names that are not there are taken as they are.
    void setChoice(const SideChoice& choice);

signals:
    /// Another dataset is wanted: its folder, empty for the one that is open.
    void folderChosen(const QString& folder);
    /// The user wants to look for a folder.
    void browseRequested();
    void choiceChanged();

private:
    void fillFolders();
    void fillWho();
    void fillHardware();
    void fillRuns();
    void takeWho();

    SideChoice m_choice;
    SideFacts m_facts;
    ComparisonScope m_scope;
    std::optional<MeasurementRun> m_recorded;   ///< a run of the choice that was made last by its record
    QString m_openFolder;
    QStringList m_otherFolders;
    NameBox* m_dataset;
    NameBox* m_who;
    NameBox* m_hardware;
    NameBox* m_run;
};

}  // namespace tracedeck::ui
