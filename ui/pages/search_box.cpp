// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/search_box.h"

#include <QAction>
#include <QApplication>
#include <QFrame>
#include <QKeyEvent>
#include <QLabel>
#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/models/search_model.h"
#include "ui/models/workspace.h"
#include "ui/style/labels.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

constexpr int kListWidth = 620;
constexpr int kMostRows = 16;
constexpr int kKindWidth = 84;
constexpr int kIconSize = 16;

/// Name, more about it in the muted colour, and at the right what it is.
class HitDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override
    {
        return {kListWidth, std::max(kRowHeight, option.fontMetrics.height() + Space::kNormal)};
    }
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        QStyleOptionViewItem panel = option;
        initStyleOption(&panel, index);
        const QString name = panel.text;
        panel.text.clear();
        const QStyle* style = option.widget ? option.widget->style() : QApplication::style();
        style->drawControl(QStyle::CE_ItemViewItem, &panel, painter, option.widget);

        const bool isSelected = option.state & QStyle::State_Selected;
        const ThemeColors& colors = themeColors();
        const QColor text = isSelected ? colors.textOnAccent : colors.text;
        const QColor muted = isSelected ? colors.textOnAccent : colors.muted;
        QRect area = option.rect.adjusted(panel.decorationSize.width() + 2 * Space::kNormal, 0, -Space::kNormal, 0);
        painter->save();
        painter->setPen(muted);
        painter->drawText(area, Qt::AlignVCenter | Qt::AlignRight, index.data(SearchModel::KindRole).toString());
        area.setRight(area.right() - kKindWidth);
        painter->setPen(text);
        const QString shown = option.fontMetrics.elidedText(name, Qt::ElideMiddle, area.width());
        painter->drawText(area, Qt::AlignVCenter, shown);
        area.setLeft(area.left() + option.fontMetrics.horizontalAdvance(shown) + Space::kWide);
        if (area.width() > 0) {
            painter->setPen(muted);
            painter->drawText(area, Qt::AlignVCenter, option.fontMetrics.elidedText(index.data(SearchModel::DetailRole).toString(), Qt::ElideRight, area.width()));
        }
        painter->restore();
    }
};

}  // namespace

SearchBox::SearchBox(Workspace* workspace, QWidget* parent)
    : QLineEdit(parent), m_workspace(workspace), m_model(new SearchModel(this)), m_frame(new QFrame(parent)), m_list(new QListView(m_frame)),
      m_state(new MutedLabel({}, m_frame))
{
    m_frame->setObjectName(QStringLiteral("searchResults"));
    m_frame->setFrameShape(QFrame::StyledPanel);
    m_frame->setAutoFillBackground(true);
    m_frame->hide();
    m_list->setModel(m_model);
    m_list->setItemDelegate(new HitDelegate(m_list));
    m_list->setAccessibleName(tr("What was found"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setUniformItemSizes(true);
    m_list->setIconSize({kIconSize, kIconSize});
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setFocusPolicy(Qt::NoFocus);   // the keys stay with the field
    m_list->setMouseTracking(true);
    m_state->setContentsMargins(Space::kNormal, Space::kTight, Space::kNormal, Space::kTight);
    auto* layout = new QVBoxLayout(m_frame);
    layout->setContentsMargins(1, 1, 1, 1);
    layout->setSpacing(0);
    layout->addWidget(m_list, 1);
    layout->addWidget(m_state);
    connect(this, &QLineEdit::textEdited, this, &SearchBox::restart);
    connect(m_model, &SearchModel::changed, this, &SearchBox::updateList);
    connect(m_list, &QListView::clicked, this, [this](const QModelIndex& index) { activate(index.row()); });
    connect(workspace, &Workspace::datasetChanged, this, &SearchBox::hideList);
    updateLook();
}

bool SearchBox::isListShown() const { return m_frame->isVisible(); }

void SearchBox::updateLook()
{
    QPalette palette = m_frame->palette();
    palette.setColor(QPalette::Window, themeColors().base);
    if (palette != m_frame->palette())
        m_frame->setPalette(palette);
}

void SearchBox::changeEvent(QEvent* event)
{
    QLineEdit::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_frame)
        updateLook();
}

void SearchBox::restart()
{
    m_enterWaits = false;
    m_hasChosen = false;
    m_model->search(m_workspace->dataset(), text());
    updateList();
}

void SearchBox::hideList()
{
    m_enterWaits = false;
    if (m_model->rowCount() > 0 || !m_model->isComplete())
        m_model->clear();
    m_frame->hide();   // after the model, whose change would show it again
}

/// Below the field, over everything else in the window.
void SearchBox::place()
{
    const int rows = std::clamp(m_model->rowCount(), 0, kMostRows);
    const int rowHeight = std::max(kRowHeight, fontMetrics().height() + Space::kNormal);
    m_list->setVisible(rows > 0);
    if (m_frame->parentWidget() != window())
        m_frame->setParent(window());
    const QPoint corner = mapTo(window(), QPoint(0, height() + 2));
    const int width = std::min(std::max(kListWidth, this->width()), window()->width() - corner.x() - Space::kNormal);
    const int wanted = rows * rowHeight + m_state->sizeHint().height() + Space::kTight;
    m_frame->setGeometry(corner.x(), corner.y(), width, std::min(wanted, window()->height() - corner.y() - Space::kNormal));
    m_frame->raise();
}

void SearchBox::updateList()
{
    if (text().trimmed().isEmpty() || !hasFocus()) {
        m_frame->hide();
        return;
    }
    const bool isDone = m_model->isComplete();
    m_state->setText(!isDone                      ? tr("Looking through sources and logs …")
                     : m_model->rowCount() == 0 ? tr("Nothing found. Enter filters the dataset tree by this text.")
                                                : tr("Enter opens · Esc closes"));
    // What is found later may stand above: the first row is chosen until the user chooses.
    if (m_model->rowCount() > 0 && (!m_hasChosen || !m_list->currentIndex().isValid()))
        m_list->setCurrentIndex(m_model->index(0));
    place();
    m_frame->show();
    activateWhenFound();
}

/// Enter pressed early opens the first name as soon as it is known.
void SearchBox::activateWhenFound()
{
    if (!m_enterWaits || (m_model->rowCount() == 0 && !m_model->isComplete()))
        return;
    m_enterWaits = false;
    activate(m_model->rowCount() > 0 ? 0 : -1);
}

void SearchBox::activate(int row)
{
    const QString typed = text().trimmed();
    if (QAction* action = m_model->actionAt(row)) {
        hideList();
        clear();
        action->trigger();
        return;
    }
    if (const SearchHit* hit = m_model->hitAt(row)) {
        const SearchHit chosen = *hit;
        hideList();
        clear();
        emit hitActivated(chosen);
        return;
    }
    hideList();
    if (!typed.isEmpty())
        emit nothingActivated(typed);
}

void SearchBox::keyPressEvent(QKeyEvent* event)
{
    const int row = m_list->currentIndex().row();
    const int rows = m_model->rowCount();
    const auto moveTo = [this, rows](int target) {
        m_hasChosen = true;
        if (rows > 0)
            m_list->setCurrentIndex(m_model->index(std::clamp(target, 0, rows - 1)));
    };
    switch (event->key()) {
    case Qt::Key_Down: moveTo(row + 1); return;
    case Qt::Key_Up: moveTo(row - 1); return;
    case Qt::Key_PageDown: moveTo(row + kMostRows); return;
    case Qt::Key_PageUp: moveTo(row - kMostRows); return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (text().trimmed().isEmpty())
            return;
        if (rows == 0 && m_model->isComplete() && !m_frame->isVisible())
            restart();   // a text that nobody typed: pasted by a program, or left from before
        if (m_model->rowCount() == 0 && !m_model->isComplete())
            m_enterWaits = true;
        else
            activate(m_list->currentIndex().row());
        return;
    case Qt::Key_Escape:
        if (m_frame->isVisible()) {
            hideList();
            return;
        }
        clear();
        break;
    default: break;
    }
    QLineEdit::keyPressEvent(event);
}

void SearchBox::focusInEvent(QFocusEvent* event)
{
    QLineEdit::focusInEvent(event);
    if (!text().trimmed().isEmpty())
        restart();
}

void SearchBox::focusOutEvent(QFocusEvent* event)
{
    QLineEdit::focusOutEvent(event);
    if (event->reason() != Qt::PopupFocusReason)
        hideList();
}

}  // namespace tracedeck::ui
