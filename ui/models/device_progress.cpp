// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/device_progress.h"

#include <algorithm>

#include "core/model/judge_samples.h"

namespace tracedeck::ui {

void DeviceProgressList::start(const std::vector<std::string>& devices)
{
    m_devices.clear();
    for (const std::string& device : devices)
        m_devices.push_back({.device = device});
    m_begun.assign(devices.size(), 0);
    m_clock.start();
}

DeviceProgress* DeviceProgressList::find(const std::string& device)
{
    const auto found = std::ranges::find(m_devices, device, &DeviceProgress::device);
    return found == m_devices.end() ? nullptr : &*found;
}

void DeviceProgressList::endPair(DeviceProgress& device, std::size_t pair)
{
    if (device.pair != pair)
        return;
    device.busySeconds += static_cast<double>(m_clock.elapsed() - m_begun[static_cast<std::size_t>(&device - m_devices.data())]) / 1000;
    device.pair.reset();
    device.stage.reset();
}

void DeviceProgressList::apply(const std::vector<RunEvent>& batch)
{
    for (const RunEvent& event : batch) {
        if (const auto* change = std::get_if<DeviceEvent>(&event)) {
            if (DeviceProgress* device = find(change->device)) {
                device->state = change->state;
                device->message = change->message;
                if (!change->hardware.empty())
                    device->hardware = change->hardware;
                if (change->state != "ready" && change->state != "starting") {   // a judge that starts again goes on with its pair
                    device->pair.reset();
                    device->stage.reset();
                }
            }
        } else if (const auto* start = std::get_if<StartEvent>(&event)) {
            if (DeviceProgress* device = find(start->device)) {
                if (device->pair != start->pair)   // opening its workload begins it, too
                    device->log.clear();
                device->pair = start->pair;
                device->stage.reset();
                m_begun[static_cast<std::size_t>(device - m_devices.data())] = m_clock.elapsed();
            }
        } else if (const auto* stage = std::get_if<StageEvent>(&event)) {
            if (DeviceProgress* device = find(stage->device); device && device->pair == stage->pair)
                device->stage = stage->stage;
        } else if (const auto* log = std::get_if<LogEvent>(&event)) {
            if (DeviceProgress* device = find(log->device); device && device->pair == log->pair) {
                device->log += log->text;
                if (const std::size_t size = device->log.size(); size > DeviceProgress::kMostLogBytes) {
                    const std::size_t line = device->log.find('\n', size - DeviceProgress::kMostLogBytes);
                    device->log.erase(0, line == std::string::npos ? size - DeviceProgress::kMostLogBytes : line + 1);
                }
            }
        } else if (const auto* result = std::get_if<ResultEvent>(&event)) {
            if (DeviceProgress* device = find(result->device)) {
                if (result->trace.evaluation)
                    if (std::vector<double> samples = judgeSamplesMs(*result->trace.evaluation); !samples.empty()) {
                        device->measured = result->pair;
                        device->samplesMs = std::move(samples);
                    }
                ++(result->trace.isPassed() ? device->passed : device->failed);
                endPair(*device, result->pair);
            }
        } else if (const auto* problem = std::get_if<ProblemEvent>(&event)) {
            if (DeviceProgress* device = find(problem->device)) {
                device->problems += problem->pairs.size();
                for (const std::size_t pair : problem->pairs)
                    endPair(*device, pair);
            }
        } else if (const auto* skipped = std::get_if<SkippedEvent>(&event)) {
            for (DeviceProgress& device : m_devices)
                for (const std::size_t pair : skipped->pairs)
                    endPair(device, pair);
        } else if (std::holds_alternative<DoneEvent>(event)) {
            for (DeviceProgress& device : m_devices) {
                device.pair.reset();
                device.stage.reset();
            }
        }
    }
}

}  // namespace tracedeck::ui
