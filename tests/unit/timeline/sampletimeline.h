#pragma once

#include "ui/timeline/timelinerows.h"

namespace sweepscope::tests {

inline constexpr WallNs second = 1'000'000'000;
inline constexpr WallNs start = 1'763'674'200 * second;

inline sweep::TrialRecord trial(int number, std::vector<std::string> devices, int from, int to)
{
    sweep::TrialRecord record;
    record.sweepId = 1;
    record.number = number;
    record.state = sweep::TrialState::Completed;
    record.attempts = 1;
    record.devices = std::move(devices);
    record.started = start + from * second;
    record.attemptStarted = record.started;
    record.ended = start + to * second;
    return record;
}

inline sweep::TrialRecord running(int number, std::vector<std::string> devices, int from)
{
    sweep::TrialRecord record = trial(number, std::move(devices), from, from);
    record.state = sweep::TrialState::Running;
    record.ended.reset();
    return record;
}

inline sweep::TrialRecord waiting(int number, const facts::Fact &reason)
{
    sweep::TrialRecord record;
    record.sweepId = 1;
    record.number = number;
    record.reason = reason;
    return record;
}

inline protocol::DeviceStatus core(int index)
{
    protocol::DeviceStatus device;
    device.id = QStringLiteral("cpu:%1").arg(index);
    device.index = index;
    return device;
}

inline const std::vector<protocol::DeviceStatus> machine = {core(0), core(1), core(2)};

inline ui::Timeline timelineOf(const std::vector<sweep::TrialRecord> &trials, int to,
                               const ui::AttemptSpans &spans = {})
{
    return ui::makeTimeline(trials, spans, machine, start + to * second);
}

}  // namespace sweepscope::tests
