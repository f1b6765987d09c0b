// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/growth_refresh.h"

#include <utility>

#include "ui/models/latest_job.h"

namespace tracedeck::ui {
namespace {

/// Results that land within this time are shown together.
constexpr int kPauseMs = 200;

}  // namespace

GrowthRefresh::GrowthRefresh(const LatestJob* job, std::function<void()> refresh, QObject* parent)
    : QObject(parent), m_job(job), m_refresh(std::move(refresh))
{
    m_timer.setSingleShot(true);
    m_timer.setInterval(kPauseMs);
    connect(&m_timer, &QTimer::timeout, this, [this] {
        if (m_job->isRunning())
            m_timer.start();
        else
            m_refresh();
    });
}

void GrowthRefresh::request()
{
    // Not started anew: while results keep coming, each pause ends.
    if (!m_timer.isActive())
        m_timer.start();
}

}  // namespace tracedeck::ui
