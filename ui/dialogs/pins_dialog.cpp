// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/pins_dialog.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QListWidget>
#include <QPushButton>
#include <QShortcut>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/models/pin_board.h"
#include "ui/models/pinned_table_model.h"
#include "ui/style/empty_hint.h"
#include "ui/style/icons.h"
#include "ui/style/labels.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

constexpr int kPinTextRole = Qt::UserRole;

}  // namespace

PinsDialog::PinsDialog(PinBoard* board, QWidget* parent)
    : QDialog(parent), m_board(board), m_list(new QListWidget(this)), m_up(new QPushButton(icon(QStringLiteral("up")), tr("Move &up"), this)),
      m_down(new QPushButton(icon(QStringLiteral("down")), tr("Move &down"), this)), m_unpin(new QPushButton(icon(QStringLiteral("close")), tr("Un&pin"), this)),
      m_unpinAll(new QPushButton(tr("Unpin &all"), this))
{
    setWindowTitle(tr("Pinned baselines"));
    resize(520, 360);
    auto* text = new WrappedLabel(this);
    text->setText(tr("Every table with latencies has a column for each of these, in this order: how much more or less time than it a row takes."));
    text->setMuted(true);
    m_list->setObjectName(QStringLiteral("pinList"));
    m_list->setAccessibleName(tr("Pinned baselines"));
    m_list->setDragDropMode(QAbstractItemView::InternalMove);
    m_list->setTextElideMode(Qt::ElideMiddle);
    m_list->setUniformItemSizes(true);
    new EmptyHint(m_list, tr("Nothing is pinned.\nChoose a trace, then View ▸ Pinned baselines, or right-click a row of a table."));
    m_up->setObjectName(QStringLiteral("pinUp"));
    m_unpin->setObjectName(QStringLiteral("pinUnpin"));
    m_up->setToolTip(tr("The column moves to the left (Alt+Up)"));
    m_down->setToolTip(tr("The column moves to the right (Alt+Down)"));
    m_unpin->setToolTip(tr("Take its column away (Del)"));
    m_unpinAll->setToolTip(tr("Take all these columns away"));
    auto* column = new QVBoxLayout;
    for (QPushButton* button : {m_up, m_down, m_unpin, m_unpinAll})
        column->addWidget(button);
    column->addStretch(1);
    auto* row = new QHBoxLayout;
    row->addWidget(m_list, 1);
    row->addLayout(column);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(text);
    layout->addLayout(row, 1);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_up, &QPushButton::clicked, this, [this] { moveBy(-1); });
    connect(m_down, &QPushButton::clicked, this, [this] { moveBy(1); });
    connect(m_unpin, &QPushButton::clicked, this, &PinsDialog::unpinCurrent);
    connect(m_unpinAll, &QPushButton::clicked, m_board, [this] { m_board->setPins({}); });
    connect(new QShortcut(QKeySequence(Qt::ALT | Qt::Key_Up), this), &QShortcut::activated, this, [this] { moveBy(-1); });
    connect(new QShortcut(QKeySequence(Qt::ALT | Qt::Key_Down), this), &QShortcut::activated, this, [this] { moveBy(1); });
    connect(new QShortcut(QKeySequence(Qt::Key_Delete), this), &QShortcut::activated, this, &PinsDialog::unpinCurrent);
    connect(m_list, &QListWidget::currentRowChanged, this, &PinsDialog::updateButtons);
    connect(m_list->model(), &QAbstractItemModel::rowsMoved, this, &PinsDialog::takeOrder);
    connect(m_board, &PinBoard::pinsChanged, this, &PinsDialog::fill);
    fill();
}

void PinsDialog::fill()
{
    if (m_fills)
        return;
    const QString chosen = m_list->currentItem() ? m_list->currentItem()->data(kPinTextRole).toString() : QString();
    const int oldRow = m_list->currentRow();
    m_list->clear();
    for (const Pin& pin : m_board->pins()) {
        auto* item = new QListWidgetItem(seriesChip(pinEntity(pin)), visibleText(pinTitle(pin)), m_list);
        item->setData(kPinTextRole, QString::fromStdString(pinText(pin)));
        item->setToolTip(plainToolTip(QString::fromStdString(pinText(pin))));
        item->setSizeHint(QSize(0, kRowHeight));
        if (item->data(kPinTextRole) == chosen)
            m_list->setCurrentItem(item);
    }
    if (m_list->currentRow() < 0)
        m_list->setCurrentRow(std::min(std::max(oldRow, 0), m_list->count() - 1));
    updateButtons();
}

void PinsDialog::takeOrder()
{
    std::vector<Pin> pins;
    for (int row = 0; row < m_list->count(); ++row) {
        const std::string text = m_list->item(row)->data(kPinTextRole).toString().toStdString();
        const auto found = std::find_if(m_board->pins().begin(), m_board->pins().end(), [&text](const Pin& pin) { return pinText(pin) == text; });
        if (found != m_board->pins().end())
            pins.push_back(*found);
    }
    m_fills = true;   // the list shows it already
    m_board->setPins(pins);
    m_fills = false;
    updateButtons();
}

void PinsDialog::moveBy(int step)
{
    const int row = m_list->currentRow();
    if (row < 0 || row + step < 0 || row + step >= m_list->count())
        return;
    std::vector<Pin> pins = m_board->pins();
    std::swap(pins[static_cast<std::size_t>(row)], pins[static_cast<std::size_t>(row + step)]);
    m_board->setPins(pins);
}

void PinsDialog::unpinCurrent()
{
    const int row = m_list->currentRow();
    if (row >= 0)
        m_board->unpin(Pin(m_board->pins()[static_cast<std::size_t>(row)]));
}

void PinsDialog::updateButtons()
{
    const int row = m_list->currentRow();
    m_up->setEnabled(row > 0);
    m_down->setEnabled(row >= 0 && row + 1 < m_list->count());
    m_unpin->setEnabled(row >= 0);
    m_unpinAll->setEnabled(m_list->count() > 0);
}

}  // namespace tracedeck::ui
