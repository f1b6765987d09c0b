// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/empty_hint.h"

#include <QAbstractItemModel>
#include <QAbstractItemView>
#include <QEvent>

#include "ui/style/labels.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {

EmptyHint::EmptyHint(QAbstractScrollArea* area) : QObject(area), m_area(area), m_label(new WrappedLabel(area))
{
    m_label->setObjectName(QStringLiteral("emptyHint"));
    m_label->setMuted(true);
    m_label->setAlignment(Qt::AlignCenter);
    m_label->setMargin(Space::kWide);
    m_label->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_label->hide();
    area->viewport()->installEventFilter(this);
}

EmptyHint::EmptyHint(QAbstractItemView* view, const QString& text) : EmptyHint(static_cast<QAbstractScrollArea*>(view))
{
    setText(text);
    const QAbstractItemModel* model = view->model();
    // A view that owns its model hears of it once more while it is destroyed, when it is a view no longer.
    const QObject* const object = view;
    const auto update = [this, model, object] {
        if (qobject_cast<const QAbstractItemView*>(object) != nullptr)
            setShown(model->rowCount() == 0);
    };
    connect(model, &QAbstractItemModel::modelReset, this, update);
    connect(model, &QAbstractItemModel::rowsInserted, this, update);
    connect(model, &QAbstractItemModel::rowsRemoved, this, update);
    update();
}

void EmptyHint::setText(const QString& text)
{
    m_label->setText(text);
    place();
}

void EmptyHint::setShown(bool shown)
{
    m_label->setVisible(shown);
    if (shown) {
        place();
        m_label->raise();
    }
}

void EmptyHint::place() { m_label->setGeometry(m_area->viewport()->geometry()); }

bool EmptyHint::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize || event->type() == QEvent::Move)
        place();
    return QObject::eventFilter(watched, event);
}

}  // namespace tracedeck::ui
