#pragma once

#include "launch/attemptevents.h"

#include <deque>

namespace sweepscope::launch {

/// events.jsonl as the agent writes it: an event that cannot be written (a full disk) is queued and retried in order.
class EventJournal {
public:
    explicit EventJournal(AttemptEventLog log) : m_log(std::move(log)) {}

    /// Writes the event after the queued ones, stamped with the current time unless it has one.
    void write(AttemptEvent event);
    /// Writes queued events. Returns true if none is left.
    bool flush();
    /// When this returns, written events survive a loss of power.
    void sync();

private:
    AttemptEventLog m_log;
    std::deque<AttemptEvent> m_waiting;
    bool m_warned = false;
};

}  // namespace sweepscope::launch
