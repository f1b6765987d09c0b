// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/latest_job.h"

#include <algorithm>

namespace tracedeck::ui {

LatestJob::LatestJob(QObject* parent) : QObject(parent) {}

LatestJob::~LatestJob()
{
    for (Running& running : m_threads) {
        running.thread.request_stop();
    }
    m_threads.clear();   // joins; queued reports die with this object
}

void LatestJob::cancel()
{
    ++m_generation;
    m_running = false;
    for (Running& running : m_threads) {
        running.thread.request_stop();
    }
}

void LatestJob::startErased(std::function<Erased(std::stop_token)> work, std::function<void(const Erased&)> done)
{
    cancel();
    const quint64 id = m_generation;
    m_running = true;
    m_threads.push_back({id, std::jthread([this, id, work = std::move(work), done = std::move(done)](std::stop_token stop) {
                             Erased result = work(stop);
                             QMetaObject::invokeMethod(
                                 this, [this, id, result, done] { ended(id, result, done); }, Qt::QueuedConnection);
                         })});
}

void LatestJob::ended(quint64 id, const Erased& result, const std::function<void(const Erased&)>& done)
{
    std::erase_if(m_threads, [id](const Running& running) { return running.id == id; });
    if (id != m_generation) {
        return;
    }
    m_running = false;
    done(result);
}

}  // namespace tracedeck::ui
