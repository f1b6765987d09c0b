// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/solution_page.h"

#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QPushButton>
#include <QTabBar>
#include <QVBoxLayout>

#include "ui/models/workspace.h"
#include "ui/pages/code_view.h"
#include "ui/pages/facts_table.h"
#include "ui/style/chips.h"
#include "ui/style/flow_layout.h"
#include "ui/style/icons.h"
#include "ui/style/labels.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

constexpr int kFactsHeight = 118;
/// Letters of a file's tab.
constexpr qsizetype kLongestFileTab = 40;

/// What the suffix does not tell, the solution's language does.
CodeLanguage languageOf(const Solution& solution, const SourceFile& source)
{
    const CodeLanguage bySuffix = codeLanguageOf(QString::fromStdString(source.path));
    if (bySuffix != CodeLanguage::PlainText)
        return bySuffix;
    switch (solution.spec.language) {
    case Language::Cpp: return CodeLanguage::Cpp;
    case Language::Cuda: return CodeLanguage::Cuda;
    default: return CodeLanguage::PlainText;
    }
}

}  // namespace

SolutionPage::SolutionPage(Workspace* workspace, const QString& solution, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_name(solution), m_title(new ElidedLabel(this)), m_chips(new Chips(this)),
      m_description(new ElidedLabel(this)), m_definition(new QPushButton(tr("Show definition"), this)), m_run(new QPushButton(tr("Run on all workloads"), this)),
      m_compare(new QPushButton(tr("Compare"), this)),
      m_copy(new QPushButton(tr("Copy source"), this)), m_facts(new FactsTable(tr("How the solution is built"), this)),
      m_files(new QTabBar(this)), m_code(new CodeView(this))
{
    m_title->setFont(headingFont());
    m_title->setElideMode(Qt::ElideMiddle);
    m_title->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    m_description->setMuted(true);
    m_definition->setIcon(icon(QStringLiteral("definition")));
    m_definition->setToolTip(tr("Show the definition that this solution computes"));
    m_run->setIcon(icon(QStringLiteral("run")));
    m_run->setToolTip(tr("Run this solution on every workload of its definition"));
    m_compare->setIcon(icon(QStringLiteral("compare")));
    m_compare->setToolTip(tr("Show this source beside the baseline's or another solution's (Ctrl+D)"));
    m_copy->setIcon(icon(QStringLiteral("copy")));
    m_copy->setToolTip(tr("Copy the text of the file shown"));
    m_files->setAccessibleName(tr("Source files"));
    m_files->setDrawBase(false);
    m_files->setExpanding(false);
    m_facts->setMaximumHeight(kFactsHeight);

    auto* titleRow = new FlowLayout;
    m_chips->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    for (QWidget* part : std::initializer_list<QWidget*>{m_title, m_chips, m_definition, m_run, m_compare, m_copy})
        titleRow->addWidget(part);
    auto* card = new Card(tr("Build"), this);
    card->setContent(m_facts);
    auto* head = new QVBoxLayout;
    head->setContentsMargins(Space::kPage, Space::kWide, Space::kPage, Space::kTight);
    head->setSpacing(Space::kTight);
    head->addLayout(titleRow);
    head->addWidget(m_description);
    head->addWidget(card);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(head);
    layout->addWidget(m_files);
    layout->addWidget(m_code, 1);
    setFocusProxy(m_code);

    connect(m_files, &QTabBar::currentChanged, this, &SolutionPage::showSource);
    connect(m_copy, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(m_code->code()); });
    connect(m_compare, &QPushButton::clicked, this, &SolutionPage::compareRequested);
    connect(m_definition, &QPushButton::clicked, this, [this] {
        if (const Solution* shown = this->solution())
            emit definitionActivated(QString::fromStdString(shown->definition));
    });
    connect(m_run, &QPushButton::clicked, this, [this] {
        Selection selection;
        selection.solutions.insert(m_name.toStdString());
        emit runRequested(selection);
    });
    connect(workspace, &Workspace::datasetChanged, this, [this](bool onlyGrew) {
        if (!onlyGrew)
            refresh();
    });
    refresh();
}

const Solution* SolutionPage::solution() const { return m_workspace->dataset()->findSolution(m_name.toStdString()); }

void SolutionPage::refresh()
{
    m_title->setText(m_name);
    const Solution* shown = solution();
    m_definition->setEnabled(shown);
    m_run->setEnabled(shown);
    m_compare->setEnabled(shown);
    m_copy->setEnabled(shown);
    const QSignalBlocker blocker(m_files);
    while (m_files->count() > 0)
        m_files->removeTab(0);
    if (!shown) {
        m_chips->setTexts({});
        m_facts->setFacts({});
        m_description->setText(tr("The dataset no longer has a solution of this name. Close the tab, or reload when its file is back."));
        m_description->show();
        m_code->setCode({}, CodeLanguage::PlainText);
        return;
    }
    const BuildSpec& spec = shown->spec;
    m_chips->setTexts({QString::fromStdString(shown->author), fromView(toString(spec.language))});
    m_description->setText(QString::fromStdString(shown->description.value_or("")));
    m_description->setVisible(!m_description->text().isEmpty());
    const QString style = spec.destinationPassingStyle ? tr("writes into outputs that it is given") : tr("returns its outputs");
    QList<FactsTable::Fact> facts{
        {{tr("Definition"), QString::fromStdString(shown->definition)}, {}, false},
        {{tr("Entry point"), QString::fromStdString(spec.entryPoint)}, {}, false},
        {{tr("Outputs"), spec.destinationPassingStyleGiven ? style : tr("%1 (not stated in the file)").arg(style)}, {}, false},
    };
    if (spec.binding)
        facts << FactsTable::Fact{{tr("Binding"), fromView(toString(*spec.binding))}, {}, false};
    facts << FactsTable::Fact{{tr("Made for"), joinedNames(spec.targetHardware)}, {}, false};
    if (!spec.dependencies.empty())
        facts << FactsTable::Fact{{tr("Dependencies"), joinedNames(spec.dependencies)}, {}, false};
    facts << FactsTable::Fact{{tr("Content hash"), QString::fromStdString(shown->contentHash())}, tr("SHA-1 of the content, as the format computes it"), false};
    m_facts->setFacts(facts);
    for (const SourceFile& source : shown->sources)
    {
        const QString path = QString::fromStdString(source.path);
        const int tab = m_files->addTab(icon(QStringLiteral("code")), withoutMnemonic(shortened(visibleText(path), kLongestFileTab)));
        m_files->setTabToolTip(tab, plainToolTip(path));
    }
    int entry = 0;
    for (std::size_t file = 0; file < shown->sources.size(); ++file)
        if (shown->sources[file].path == spec.entryFile())
            entry = static_cast<int>(file);
    m_files->setCurrentIndex(entry);
    showSource(entry);
}

void SolutionPage::showSource(int index)
{
    const Solution* shown = solution();
    if (!shown || index < 0 || static_cast<std::size_t>(index) >= shown->sources.size())
        return;
    const SourceFile& source = shown->sources[static_cast<std::size_t>(index)];
    m_code->setCode(QString::fromStdString(source.content), languageOf(*shown, source));
}

void SolutionPage::showLine(const QString& file, int line)
{
    const Solution* shown = solution();
    for (int i = 0; shown && i < m_files->count(); ++i)
        if (shown->sources[static_cast<std::size_t>(i)].path == file.toStdString())
            m_files->setCurrentIndex(i);
    m_code->showLine(line);
}

void SolutionPage::showFind() { m_code->showFind(); }

}  // namespace tracedeck::ui
