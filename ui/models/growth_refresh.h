// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>
#include <functional>

namespace tracedeck::ui {

class LatestJob;

/// Brings a page up to date while a run adds results: once for many of them, and never by replacing a job that is on its
/// way, since a job replaced at every result would not end before the run does.
class GrowthRefresh : public QObject {
    Q_OBJECT
public:
    /// `refresh` starts `job` anew; both outlive this object.
    GrowthRefresh(const LatestJob* job, std::function<void()> refresh, QObject* parent);

    /// Something was added: refresh soon.
    void request();
    /// A refresh is due.
    [[nodiscard]] bool isPending() const { return m_timer.isActive(); }

private:
    const LatestJob* m_job;
    std::function<void()> m_refresh;
    QTimer m_timer;
};

}  // namespace tracedeck::ui
