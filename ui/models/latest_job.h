// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <functional>
#include <memory>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

namespace tracedeck::ui {

/// Runs the newest of a sequence of jobs on its own thread. A new job replaces the old one at once: the old one is asked
/// to stop, its result is dropped, and it is joined when it reports. A job captures values, never widgets.
class LatestJob : public QObject {
    Q_OBJECT
public:
    explicit LatestJob(QObject* parent = nullptr);
    /// Asks all jobs to stop and joins them.
    ~LatestJob() override;

    /// `work` runs on a thread of its own; `done` runs with its result on the thread of this object, unless replaced.
    template <class T>
    void start(std::function<T(std::stop_token)> work, std::function<void(T)> done)
    {
        startErased([work = std::move(work)](std::stop_token stop) { return std::shared_ptr<void>(std::make_shared<T>(work(stop))); },
                    [done = std::move(done)](const std::shared_ptr<void>& result) { done(std::move(*std::static_pointer_cast<T>(result))); });
    }
    /// Drops the running job's result and asks it to stop; returns at once.
    void cancel();
    [[nodiscard]] bool isRunning() const { return m_running; }

private:
    using Erased = std::shared_ptr<void>;
    void startErased(std::function<Erased(std::stop_token)> work, std::function<void(const Erased&)> done);
    void ended(quint64 id, const Erased& result, const std::function<void(const Erased&)>& done);

    struct Running {
        quint64 id = 0;
        std::jthread thread;
    };
    quint64 m_generation = 0;
    bool m_running = false;
    std::vector<Running> m_threads;   ///< last: joined before anything else of this object is gone
};

}  // namespace tracedeck::ui
