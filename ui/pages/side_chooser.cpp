// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/side_chooser.h"

#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <algorithm>

#include "core/model/timestamp.h"
#include "ui/models/number_format.h"
#include "ui/models/policy_text.h"
#include "ui/style/name_box.h"
#include "ui/style/text.h"

namespace tracedeck::ui {
namespace {

/// Before the name in a box's data: what kind of name it is.
const QString kOfAuthor = QStringLiteral("author:");
const QString kOfSolution = QStringLiteral("solution:");
constexpr int kRecordedRun = -1;   // in a box's data: the run that a record tells of
const QString kBrowse = QStringLiteral("\n");   // no folder has this name

}  // namespace

SideChooser::SideChooser(const QString& letter, QGridLayout* grid, int row, QWidget* parent)
    : QObject(parent), m_dataset(new NameBox(tr("Dataset of side %1").arg(letter), parent)), m_who(new NameBox(tr("Whose results side %1 is").arg(letter), parent)),
      m_hardware(new NameBox(tr("GPU of side %1").arg(letter), parent)), m_run(new NameBox(tr("When the results of side %1 were measured").arg(letter), parent))
{
    auto* label = new QLabel(letter, parent);
    QFont bold = label->font();
    bold.setBold(true);
    label->setFont(bold);
    grid->addWidget(label, row, 0);
    int column = 1;
    for (const auto& [box, name, title] : {std::tuple{m_dataset, "Dataset", tr("Dataset of side %1").arg(letter)}, std::tuple{m_who, "Who", tr("Whose results side %1 is").arg(letter)},
                                           std::tuple{m_hardware, "Hardware", tr("GPU of side %1").arg(letter)}, std::tuple{m_run, "Run", tr("Run of side %1").arg(letter)}}) {
        box->setObjectName(QStringLiteral("side%1%2").arg(letter, QString::fromLatin1(name)));
        box->setAccessibleName(title);
        box->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
        grid->addWidget(box, row, column++);
    }
    connect(m_dataset, &QComboBox::activated, this, [this] {
        const QString folder = m_dataset->currentData().toString();
        if (folder == kBrowse) {
            fillFolders();   // back to what was chosen, until a folder is
            emit browseRequested();
        } else if (folder != m_choice.folder) {
            emit folderChosen(folder);
        }
    });
    connect(m_who, &QComboBox::activated, this, [this] {
        takeWho();
        emit choiceChanged();
    });
    connect(m_hardware, &QComboBox::activated, this, [this] {
        m_choice.hardware = m_hardware->currentData().toString();
        emit choiceChanged();
    });
    connect(m_run, &QComboBox::activated, this, [this](int index) {
        const int run = m_run->itemData(index).toInt();
        m_choice.isRecordedRun = run == kRecordedRun;
        m_choice.run = run == kRecordedRun ? m_recorded : run == 0 ? std::nullopt : std::optional(m_facts.runs[static_cast<std::size_t>(run) - 1]);
        emit choiceChanged();
    });
}

void SideChooser::setFolders(const QString& open, const QStringList& others)
{
    m_openFolder = open;
    m_otherFolders = others;
    fillFolders();
}

void SideChooser::setFacts(const SideFacts& facts, const ComparisonScope& scope)
{
    m_facts = facts;
    m_scope = scope;
    fillWho();
    fillHardware();
    fillRuns();
}

void SideChooser::setChoice(const SideChoice& choice)
{
    m_choice = choice;
    m_recorded = choice.isRecordedRun ? choice.run : std::nullopt;
    fillFolders();
    fillWho();
    fillHardware();
    fillRuns();
}

void SideChooser::fillFolders()
{
    const QSignalBlocker blocker(m_dataset);
    m_dataset->clear();
    const auto add = [this](const QString& text, const QString& folder) {
        m_dataset->addItem(text, folder);
        m_dataset->setItemData(m_dataset->count() - 1, plainToolTip(folder.isEmpty() ? m_openFolder : folder), Qt::ToolTipRole);
    };
    add(tr("open: %1").arg(visibleText(QFileInfo(m_openFolder).fileName())), {});
    QStringList folders = m_otherFolders;
    if (!m_choice.folder.isEmpty() && !folders.contains(m_choice.folder))
        folders.prepend(m_choice.folder);
    for (const QString& folder : std::as_const(folders))
        add(visibleText(QFileInfo(folder).fileName()), folder);
    m_dataset->insertSeparator(m_dataset->count());
    m_dataset->addItem(tr("another folder…"), kBrowse);
    m_dataset->setCurrentIndex(std::max(0, m_dataset->findData(m_choice.folder)));
}

void SideChooser::fillWho()
{
    const QSignalBlocker blocker(m_who);
    m_who->clear();
    m_who->addItem(tr("all solutions"), QString());
    const auto add = [this](const QString& text, const QString& data, const QString& name) {
        m_who->addItem(visibleText(text), data);
        m_who->setItemData(m_who->count() - 1, plainToolTip(name), Qt::ToolTipRole);
    };
    if (m_facts.dataset) {
        const std::string definition = m_scope.definition.toStdString();
        std::vector<const Solution*> solutions;
        if (!definition.empty())
            solutions = m_facts.dataset->solutionsOf(definition);
        else
            for (const auto& solution : m_facts.dataset->solutions())
                solutions.push_back(solution.get());
        QStringList authors;
        for (const Solution* solution : solutions)
            if (const QString author = QString::fromStdString(solution->author); !authors.contains(author))
                authors << author;
        std::sort(authors.begin(), authors.end());
        for (const QString& author : std::as_const(authors))
            add(tr("author %1").arg(author), kOfAuthor + author, author);
        m_who->insertSeparator(m_who->count());
        for (const Solution* solution : solutions) {
            const QString name = QString::fromStdString(solution->name);
            add(m_scope.definition.isEmpty() ? name : nameWithoutDefinition(name, m_scope.definition), kOfSolution + name, name);
        }
    }
    const QString chosen = !m_choice.solution.isEmpty() ? kOfSolution + m_choice.solution : !m_choice.author.isEmpty() ? kOfAuthor + m_choice.author : QString();
    if (m_who->findData(chosen) < 0) {
        if (m_facts.dataset)   // nothing of it is here
            m_choice.solution.clear(), m_choice.author.clear();
    }
    m_who->setCurrentIndex(std::max(0, m_who->findData(chosen)));
}

void SideChooser::takeWho()
{
    const QString chosen = m_who->currentData().toString();
    m_choice.author = chosen.startsWith(kOfAuthor) ? chosen.mid(kOfAuthor.size()) : QString();
    m_choice.solution = chosen.startsWith(kOfSolution) ? chosen.mid(kOfSolution.size()) : QString();
}

void SideChooser::fillHardware()
{
    const QSignalBlocker blocker(m_hardware);
    m_hardware->clear();
    m_hardware->addItem(tr("the same GPU"), QString());
    m_hardware->setItemData(0, tr("Results are compared GPU by GPU; a side that names none takes the other's"), Qt::ToolTipRole);
    for (const QString& hardware : std::as_const(m_facts.hardware))
        m_hardware->addName(hardware);
    if (m_facts.dataset && m_hardware->findData(m_choice.hardware) < 0)
        m_choice.hardware.clear();
    m_hardware->setCurrentIndex(std::max(0, m_hardware->findData(m_choice.hardware)));
}

void SideChooser::fillRuns()
{
    const QSignalBlocker blocker(m_run);
    m_run->clear();
    m_run->addItem(tr("any time"), 0);
    int chosen = 0;
    if (m_recorded) {
        m_run->addItem(tr("recorded run of %1").arg(runTitle(m_recorded->start)), kRecordedRun);
        m_run->setItemData(m_run->count() - 1, plainToolTip(tr("What was measured between the start and the end of this run")), Qt::ToolTipRole);
        if (m_choice.isRecordedRun)
            chosen = m_run->count() - 1;
    }
    for (std::size_t i = m_facts.runs.size(); i-- > 0;) {
        const MeasurementRun& run = m_facts.runs[i];
        m_run->addItem(tr("run of %1 (%2)").arg(runTitle(run.start), countText(static_cast<qint64>(run.traces))), static_cast<int>(i) + 1);
        m_run->setItemData(m_run->count() - 1,
                           plainToolTip(tr("%1 to %2, %3 traces. A run ends where nothing was measured for half an hour.")
                                            .arg(QString::fromStdString(timestampText(run.start)), QString::fromStdString(timestampText(run.end)), countText(static_cast<qint64>(run.traces)))),
                           Qt::ToolTipRole);
        if (m_choice.run && !m_choice.isRecordedRun && m_choice.run->start == run.start)
            chosen = m_run->count() - 1;
    }
    if (m_facts.dataset && m_choice.run && chosen == 0)
        m_choice.run.reset();
    else if (chosen > 0 && !m_choice.isRecordedRun)
        m_choice.run = m_facts.runs[static_cast<std::size_t>(m_run->itemData(chosen).toInt()) - 1];   // it may have grown
    m_run->setCurrentIndex(chosen);
}

}  // namespace tracedeck::ui
