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
            if (!m_told)
                say(written.error().message + " (will be tried again)");
            m_told = true;
            return false;
        }
        m_waiting.pop_front();
    }
    m_told = false;
    return true;
}

void EventJournal::sync()
{
    if (const auto synced = m_log.sync(); !synced)
        say(synced.error().message);
}

}  // namespace sweepscope::launch
