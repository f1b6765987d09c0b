// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>
#include <memory>
#include <vector>

#include "core/score/pins.h"

namespace tracedeck::ui {

class GrowthRefresh;
class LatestJob;
class Workspace;

/// The baselines that the user pinned, kept for each dataset, and their times. Tables have a column for each.
class PinBoard : public QObject {
    Q_OBJECT
public:
    explicit PinBoard(Workspace* workspace);

    /// As the user wants them, in order.
    [[nodiscard]] const std::vector<Pin>& pins() const { return m_pins; }
    /// Their times in the newest snapshot they were worked out for: the pins in it are those to show. Never null.
    [[nodiscard]] const std::shared_ptr<const PinnedLatencies>& latencies() const { return m_latencies; }
    [[nodiscard]] bool isPinned(const Pin& pin) const;
    [[nodiscard]] bool isFull() const { return m_pins.size() >= kMostPins; }
    [[nodiscard]] bool isBusy() const;

public slots:
    /// At the end. Nothing happens when it is pinned already, or the board is full.
    void pin(const tracedeck::Pin& pin);
    void unpin(const tracedeck::Pin& pin);
    void setPins(const std::vector<tracedeck::Pin>& pins);

signals:
    /// The wanted pins are other ones; their times follow.
    void pinsChanged();
    /// latencies() is another one.
    void latenciesChanged();

private:
    void readStored();
    void forgetTimes();
    void refresh();

    Workspace* m_workspace;
    QString m_root;                 ///< of the dataset that the pins are of
    QStringList m_stored;           ///< texts that are not looked at yet
    std::vector<Pin> m_pins;
    std::shared_ptr<const PinnedLatencies> m_latencies = std::make_shared<const PinnedLatencies>();
    LatestJob* m_job;
    GrowthRefresh* m_growth;
};

}  // namespace tracedeck::ui
