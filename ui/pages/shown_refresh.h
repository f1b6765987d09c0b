// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <functional>

class QWidget;

namespace tracedeck::ui {

class LatestJob;

/// Makes the figures of a page when somebody looks: a page in a tab that is not shown is only marked, and made anew once it is.
/// Several reasons at once (another dataset with another baseline) make them once.
class ShownRefresh : public QObject {
    Q_OBJECT
public:
    /// `compute` starts `job` anew; the page owns all three. A page that is a window by itself always counts as shown.
    ShownRefresh(QWidget* page, LatestJob* job, std::function<void()> compute);

    /// What the page shows is out of date; what `job` is making is, too.
    void request();
    /// It will be computed in a moment.
    [[nodiscard]] bool isPending() const { return m_isAsked; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    [[nodiscard]] bool isShown() const;
    void computeSoon();

    QWidget* m_page;
    LatestJob* m_job;
    std::function<void()> m_compute;
    bool m_isStale = false;
    bool m_isAsked = false;   ///< computing is on its way
};

}  // namespace tracedeck::ui
