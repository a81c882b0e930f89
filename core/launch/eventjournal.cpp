#include "launch/eventjournal.h"

#include "launch/agentmessage.h"

#include <utility>

namespace sweepscope::launch {

void EventJournal::write(AttemptEvent event)
{
    if (event.time == 0)
        event.time = wallNow();
    m_waiting.push_back(std::move(event));
    flush();
}

bool EventJournal::flush()
{
    while (!m_waiting.empty()) {
        const auto written = m_log.append(m_waiting.front());
        if (!written) {
            if (!m_warned)
                logWarning(written.error().message + " (will be retried)");
            m_warned = true;
            return false;
        }
        m_waiting.pop_front();
    }
    m_warned = false;
    return true;
}

void EventJournal::sync()
{
    if (const auto synced = m_log.sync(); !synced)
        logWarning(synced.error().message);
}

}  // namespace sweepscope::launch
