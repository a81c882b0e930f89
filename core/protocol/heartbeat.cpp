#include "protocol/heartbeat.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace sweepscope::protocol {

namespace {

using namespace std::chrono_literals;
constexpr auto interval = 2s;
constexpr int patience = 5;  ///< unanswered beats: ten seconds

}  // namespace

Heartbeat::Heartbeat(QObject *parent) : QObject(parent)
{
    m_timer.setInterval(interval);
    connect(&m_timer, &QTimer::timeout, this, &Heartbeat::beat);
}

void Heartbeat::start()
{
    m_unansweredBeats = 0;
    m_timer.start();
}

void Heartbeat::stop()
{
    m_timer.stop();
    setSilent(false);
}

void Heartbeat::heard()
{
    m_unansweredBeats = 0;
    setSilent(false);
}

/// Sends only one ping at a time: pings to a hung engine would accumulate in the socket.
void Heartbeat::beat()
{
    if (m_unansweredBeats == 0)
        Q_EMIT due();
    else if (m_unansweredBeats == patience)
        setSilent(true);
    m_unansweredBeats = std::min(m_unansweredBeats + 1, patience + 1);
}

void Heartbeat::setSilent(bool silent)
{
    if (std::exchange(m_silent, silent) != silent)
        Q_EMIT silentChanged(silent);
}

}  // namespace sweepscope::protocol
