#pragma once

#include "launch/attemptevents.h"

#include <deque>

namespace sweepscope::launch {

/// events.jsonl as the agent writes it: an event that cannot be written (a full disk) waits, in order, and is tried
/// again.
class EventJournal {
public:
    explicit EventJournal(AttemptEventLog log) : m_log(std::move(log)) {}

    /// Writes the event, after those that wait, stamped with the time now unless it has one.
    void write(AttemptEvent event);
    /// Try what waits. True when nothing does any more.
    bool flush();
    /// What was written survives a loss of power from here on.
    void sync();

private:
    AttemptEventLog m_log;
    std::deque<AttemptEvent> m_waiting;
    bool m_told = false;
};

}  // namespace sweepscope::launch
