// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/shown_refresh.h"

#include <QEvent>
#include <QWidget>
#include <utility>

#include "ui/models/latest_job.h"

namespace tracedeck::ui {

ShownRefresh::ShownRefresh(QWidget* page, LatestJob* job, std::function<void()> compute)
    : QObject(page), m_page(page), m_job(job), m_compute(std::move(compute))
{
    page->installEventFilter(this);
}

bool ShownRefresh::isShown() const { return m_page->isVisible() || m_page->isWindow(); }

void ShownRefresh::request()
{
    m_job->cancel();
    m_isStale = true;
    if (isShown())
        computeSoon();
}

void ShownRefresh::computeSoon()
{
    if (std::exchange(m_isAsked, true))
        return;
    QMetaObject::invokeMethod(
        this,
        [this] {
            m_isAsked = false;
            if (isShown() && std::exchange(m_isStale, false))
                m_compute();
        },
        Qt::QueuedConnection);
}

bool ShownRefresh::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Show && m_isStale)
        computeSoon();
    return QObject::eventFilter(watched, event);
}

}  // namespace tracedeck::ui
