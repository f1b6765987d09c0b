// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/board_page.h"

#include <QAction>
#include <QGridLayout>
#include <QScrollArea>
#include <QStackedLayout>
#include <algorithm>
#include <utility>

#include "ui/charts/chart_export.h"
#include "ui/charts/latency_chart.h"
#include "ui/models/workspace.h"
#include "ui/pages/chart_card.h"
#include "ui/pages/export_files.h"
#include "ui/style/icons.h"
#include "ui/style/labels.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

constexpr int kBoardColumns = 2;
constexpr QSize kBoardPicture(960, 540);

}  // namespace

BoardPage::BoardPage(Workspace* workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_board(new QWidget), m_empty(new WrappedLabel(this))
{
    setObjectName(QStringLiteral("boardPage"));
    m_grid = new QGridLayout(m_board);
    m_grid->setContentsMargins(Space::kWide, Space::kWide, Space::kWide, Space::kWide);
    m_grid->setSpacing(Space::kWide);
    for (int column = 0; column < kBoardColumns; ++column)
        m_grid->setColumnStretch(column, 1);
    auto* scroll = new QScrollArea(this);
    scroll->setAccessibleName(tr("Chart board"));
    scroll->setWidget(m_board);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    m_empty->setObjectName(QStringLiteral("boardEmpty"));
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setMargin(Space::kPage);
    m_empty->setText(tr("No chart is on the board yet.\nShow one on the page Charts, then choose View ▸ Add the chart to the board."));
    m_stack = new QStackedLayout(this);
    m_stack->addWidget(scroll);
    m_stack->addWidget(m_empty);
    for (const QString& suffix : pictureSuffixes())
        m_exportActions << makeExportAction(this, {QStringLiteral("exportBoard_") + suffix, tr("Export board as %1…").arg(suffix.toUpper()),
                                                   tr("Write all its charts into one picture, with titles and legends"), tr("Export board"), [] { return QStringLiteral("board"); }, suffix,
                                                   [this](const QString& path) { return exportPicture(path); }});
    connect(workspace->board(), &ChartBoard::chartsChanged, this, &BoardPage::rebuild);
    rebuild();
}

BoardPage::~BoardPage() = default;

bool BoardPage::isBusy() const
{
    return std::any_of(m_cards.begin(), m_cards.end(), [](const ChartCard* card) { return card->isBusy(); });
}

Result<void> BoardPage::exportPicture(const QString& path) const
{
    std::vector<TitledChart> charts;
    for (const ChartCard* card : m_cards)
        charts.push_back({card->chart(), card->title()});
    return writeChartPictures(charts, kBoardPicture, path);
}

void BoardPage::rebuild()
{
    const std::vector<ChartSpec>& specs = m_workspace->board()->charts();
    // A chart that only moved keeps its data.
    std::vector<ChartCard*> old = std::exchange(m_cards, {});
    for (const ChartSpec& spec : specs) {
        const auto same = std::find_if(old.begin(), old.end(), [&spec](const ChartCard* card) { return card->spec() == spec; });
        if (same != old.end()) {
            m_cards.push_back(*same);
            old.erase(same);
            continue;
        }
        auto* card = new ChartCard(m_workspace, spec, m_board);
        const auto indexOf = [this, card] { return static_cast<std::size_t>(std::find(m_cards.begin(), m_cards.end(), card) - m_cards.begin()); };
        connect(card, &ChartCard::openRequested, this, [this, card] { emit openRequested(card->spec()); });
        // Not while the card is still sending the signal.
        connect(card, &ChartCard::removeRequested, this, [this, indexOf] { m_workspace->board()->remove(indexOf()); }, Qt::QueuedConnection);
        connect(card, &ChartCard::moveRequested, this, [this, indexOf](int step) { m_workspace->board()->move(indexOf(), step); });
        m_cards.push_back(card);
    }
    for (ChartCard* card : old)
        card->deleteLater();
    for (std::size_t i = 0; i < m_cards.size(); ++i) {
        m_grid->removeWidget(m_cards[i]);
        m_grid->addWidget(m_cards[i], static_cast<int>(i) / kBoardColumns, static_cast<int>(i) % kBoardColumns);
        m_cards[i]->setMovable(i > 0, i + 1 < m_cards.size());
        m_cards[i]->show();
    }
    for (QAction* action : std::as_const(m_exportActions))
        action->setEnabled(!m_cards.empty());
    m_stack->setCurrentIndex(m_cards.empty() ? 1 : 0);
}

}  // namespace tracedeck::ui
