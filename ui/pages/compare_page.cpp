// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/compare_page.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/models/workspace.h"
#include "ui/pages/diff_view.h"
#include "ui/style/icon_button.h"
#include "ui/style/labels.h"
#include "ui/style/name_box.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

const SourceFile* fileOf(const Solution* solution, const std::string& path)
{
    if (!solution)
        return nullptr;
    const auto found = std::find_if(solution->sources.begin(), solution->sources.end(), [&path](const SourceFile& source) { return source.path == path; });
    return found == solution->sources.end() ? nullptr : &*found;
}

/// How the solutions are built, where they differ.
QStringList buildDifferences(const Solution& left, const Solution& right)
{
    QStringList texts;
    const auto add = [&texts](const QString& what, const QString& one, const QString& other) {
        if (one != other)
            texts << ComparePage::tr("%1: %2 → %3").arg(what, visibleText(shortened(one, kLongestName)), visibleText(shortened(other, kLongestName)));
    };
    add(ComparePage::tr("definition"), QString::fromStdString(left.definition), QString::fromStdString(right.definition));
    add(ComparePage::tr("language"), fromView(toString(left.spec.language)), fromView(toString(right.spec.language)));
    add(ComparePage::tr("entry point"), QString::fromStdString(left.spec.entryPoint), QString::fromStdString(right.spec.entryPoint));
    const auto style = [](const Solution& solution) {
        return solution.spec.destinationPassingStyle ? ComparePage::tr("writes into its outputs") : ComparePage::tr("returns its outputs");
    };
    add(ComparePage::tr("outputs"), style(left), style(right));
    return texts;
}

}  // namespace

ComparePage::ComparePage(Workspace* workspace, const QString& left, const QString& right, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_left(new NameBox(tr("Solution on the left"), this)), m_right(new NameBox(tr("Solution on the right"), this)),
      m_file(new NameBox(tr("Source file to compare"), this)), m_swap(iconButton(QStringLiteral("swap"), tr("Swap the sides"), this)),
      m_previous(iconButton(QStringLiteral("up"), tr("Previous difference (Shift+F8)"), this)),
      m_next(iconButton(QStringLiteral("down"), tr("Next difference (F8)"), this)), m_blanks(new QCheckBox(tr("Ignore &blanks"), this)),
      m_summary(new MutedLabel({}, this)), m_view(new DiffView(this))
{
    m_left->setAccessibleName(tr("Solution on the left"));
    m_right->setAccessibleName(tr("Solution on the right"));
    m_file->setAccessibleName(tr("Source file to compare"));
    m_blanks->setToolTip(tr("Lines that differ only in blanks and tabs count as equal"));
    m_summary->setObjectName(QStringLiteral("compareSummary"));
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(Space::kPage, Space::kNormal, Space::kPage, Space::kTight);
    bar->setSpacing(Space::kNormal);
    bar->addWidget(m_left, 1);
    bar->addWidget(m_swap);
    bar->addWidget(m_right, 1);
    bar->addWidget(m_file);
    bar->addWidget(m_blanks);
    bar->addWidget(m_previous);
    bar->addWidget(m_next);
    auto* second = new QHBoxLayout;
    second->setContentsMargins(Space::kPage, 0, Space::kPage, Space::kNormal);
    m_summary->setWordWrap(true);
    second->addWidget(m_summary, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addLayout(second);
    layout->addWidget(m_view, 1);
    setFocusProxy(m_view);

    for (NameBox* box : {m_left, m_right})
        connect(box, &QComboBox::currentIndexChanged, this, [this] {
            fillFiles();
            emit namesChanged();
        });
    connect(m_file, &QComboBox::currentIndexChanged, this, &ComparePage::compare);
    connect(m_blanks, &QCheckBox::toggled, this, &ComparePage::compare);
    connect(m_swap, &QToolButton::clicked, this, &ComparePage::swapSides);
    connect(m_next, &QToolButton::clicked, m_view, &DiffView::goToNextDifference);
    connect(m_previous, &QToolButton::clicked, m_view, &DiffView::goToPreviousDifference);
    connect(m_view, &DiffView::compared, this, &ComparePage::showSummary);
    connect(workspace, &Workspace::datasetChanged, this, [this](bool onlyGrew) {
        if (!onlyGrew)
            setNames(leftName(), rightName());
    });
    setNames(left, right);
}

QString ComparePage::leftName() const { return m_left->currentData().toString(); }
QString ComparePage::rightName() const { return m_right->currentData().toString(); }

const Solution* ComparePage::solutionIn(const NameBox* box) const
{
    return m_workspace->dataset()->findSolution(box->currentData().toString().toStdString());
}

void ComparePage::setNames(const QString& left, const QString& right)
{
    fillNames(left, right);
    fillFiles();
}

/// Solutions of the same definition first, then all others.
void ComparePage::fillNames(const QString& left, const QString& right)
{
    const auto dataset = m_workspace->dataset();
    const Solution* chosen = dataset->findSolution(left.toStdString());
    QStringList rivals;
    QStringList others;
    for (const auto& solution : dataset->solutions())
        (chosen && solution->definition == chosen->definition ? rivals : others) << QString::fromStdString(solution->name);
    for (const auto& [box, name] : {std::pair{m_left, left}, std::pair{m_right, right}}) {
        const QSignalBlocker blocker(box);
        box->clear();
        for (const QString& rival : std::as_const(rivals))
            box->addName(rival);
        if (!rivals.isEmpty() && !others.isEmpty())
            box->insertSeparator(box->count());
        for (const QString& other : std::as_const(others))
            box->addName(other);
        box->setCurrentIndex(std::max(0, box->findData(name)));
    }
}

void ComparePage::fillFiles()
{
    const QSignalBlocker blocker(m_file);
    const QString before = m_file->currentData().toString();
    m_file->clear();
    QStringList paths;
    for (const NameBox* box : {m_left, m_right})
        if (const Solution* solution = solutionIn(box))
            for (const SourceFile& source : solution->sources)
                if (const QString path = QString::fromStdString(source.path); !paths.contains(path))
                    paths << path;
    for (const QString& path : std::as_const(paths))
        m_file->addName(path);
    if (const Solution* solution = solutionIn(m_left); solution && m_file->findData(before) < 0)
        m_file->setCurrentIndex(std::max(0, m_file->findData(QString::fromStdString(solution->spec.entryFile()))));
    else
        m_file->setCurrentIndex(std::max(0, m_file->findData(before)));
    m_file->setVisible(paths.size() > 1);
    compare();
}

void ComparePage::compare()
{
    const Solution* left = solutionIn(m_left);
    const Solution* right = solutionIn(m_right);
    std::string path = m_file->currentData().toString().toStdString();
    const SourceFile* leftFile = fileOf(left, path);
    const SourceFile* rightFile = fileOf(right, path);
    // Entry files belong together, whatever their names.
    if (left && right && !(leftFile && rightFile)) {
        if (leftFile && path == left->spec.entryFile())
            rightFile = fileOf(right, right->spec.entryFile());
        else if (rightFile && path == right->spec.entryFile())
            leftFile = fileOf(left, left->spec.entryFile());
    }
    const auto side = [](const SourceFile* file) {
        return file ? DiffView::Side{QString::fromStdString(file->content), codeLanguageOf(QString::fromStdString(file->path))} : DiffView::Side{};
    };
    m_view->setTexts(side(leftFile), side(rightFile), m_blanks->isChecked());
}

void ComparePage::swapSides() { setNames(rightName(), leftName()); emit namesChanged(); }

void ComparePage::showSummary()
{
    const TextDiff& diff = m_view->diff();
    QStringList texts;
    if (diff.isSame()) {
        texts << tr("No difference in this file");
    } else {
        texts << tr("%n line(s) changed", nullptr, static_cast<int>(diff.changed)) << tr("%n removed", nullptr, static_cast<int>(diff.removed))
              << tr("%n added", nullptr, static_cast<int>(diff.added));
    }
    const Solution* left = solutionIn(m_left);
    const Solution* right = solutionIn(m_right);
    if (left && right)
        texts << buildDifferences(*left, *right);
    m_summary->setText(texts.join(QStringLiteral(" · ")));
    m_next->setEnabled(!m_view->differences().empty());
    m_previous->setEnabled(!m_view->differences().empty());
}

void ComparePage::showFind() { m_view->right()->showFind(); }

}  // namespace tracedeck::ui
