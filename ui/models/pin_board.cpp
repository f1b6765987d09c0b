// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/pin_board.h"

#include <algorithm>
#include <utility>

#include "ui/models/growth_refresh.h"
#include "ui/models/latest_job.h"
#include "ui/models/workspace.h"
#include "ui/settings/settings.h"

namespace tracedeck::ui {

PinBoard::PinBoard(Workspace* workspace)
    : QObject(workspace), m_workspace(workspace), m_job(new LatestJob(this)), m_growth(new GrowthRefresh(m_job, [this] { refresh(); }, this))
{
    connect(workspace, &Workspace::datasetOpened, this, &PinBoard::readStored);
    connect(workspace, &Workspace::datasetChanged, this, [this](bool onlyGrew) {
        if (m_pins.empty() && m_stored.isEmpty())
            return;
        if (onlyGrew) {
            m_growth->request();
            return;
        }
        forgetTimes();   // rows and names have other numbers now
        refresh();
    });
    connect(workspace, &Workspace::comparisonChanged, this, [this] {
        if (!m_pins.empty() || !m_stored.isEmpty())
            refresh();
    });
}

bool PinBoard::isPinned(const Pin& pin) const { return std::find(m_pins.begin(), m_pins.end(), pin) != m_pins.end(); }

bool PinBoard::isBusy() const { return m_job->isRunning() || m_growth->isPending(); }

void PinBoard::pin(const Pin& pin)
{
    if (isFull() || isPinned(pin))
        return;
    std::vector<Pin> pins = m_pins;
    pins.push_back(pin);
    setPins(pins);
}

void PinBoard::unpin(const Pin& pin)
{
    std::vector<Pin> pins = m_pins;
    std::erase(pins, pin);
    setPins(pins);
}

void PinBoard::setPins(const std::vector<Pin>& pins)
{
    if (pins == m_pins && m_stored.isEmpty())
        return;
    m_pins = pins;
    m_stored.clear();
    QStringList texts;
    for (const Pin& pin : m_pins)
        texts << QString::fromStdString(pinText(pin));
    if (m_workspace->isOpen())
        Settings::setPins(m_workspace->root(), texts);
    emit pinsChanged();
    refresh();
}

void PinBoard::readStored()
{
    const QString root = m_workspace->root();
    if (std::exchange(m_root, root) == root)
        return;
    m_stored = Settings::pins(root);
    m_pins.clear();
    emit pinsChanged();
    if (m_latencies->size() > 0) {
        m_latencies = std::make_shared<const PinnedLatencies>();
        emit latenciesChanged();
    }
}

void PinBoard::forgetTimes() { m_latencies = std::make_shared<const PinnedLatencies>(Dataset(), m_latencies->pins(), SelectionPolicy::Newest); }

void PinBoard::refresh()
{
    struct Answer {
        std::vector<Pin> pins;
        std::shared_ptr<const PinnedLatencies> latencies;
    };
    m_job->start<Answer>(
        [dataset = m_workspace->dataset(), pins = m_pins, stored = m_stored, policy = m_workspace->policy()](std::stop_token stop) {
            Answer answer{pins, nullptr};
            for (const QString& text : stored)
                if (auto pin = pinFromText(*dataset, text.toStdString()); pin && answer.pins.size() < kMostPins)   // what is gone from the dataset is not pinned any more
                    answer.pins.push_back(*std::move(pin));
            answer.latencies = std::make_shared<const PinnedLatencies>(*dataset, answer.pins, policy, stop);
            return answer;
        },
        [this](const Answer& answer) {
            m_stored.clear();
            const bool areOthers = answer.pins != m_pins;
            m_pins = answer.pins;
            m_latencies = answer.latencies;
            if (areOthers)
                emit pinsChanged();
            emit latenciesChanged();
        });
}

}  // namespace tracedeck::ui
