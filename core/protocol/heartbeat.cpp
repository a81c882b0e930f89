#include "protocol/heartbeat.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace sweepscope::protocol {

namespace {

using namespace std::chrono_literals;
constexpr auto interval = 2s;
constexpr int patience = 5;  ///< beats that were asked in vain: ten seconds

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

/// One question is enough: what waits in the line of an engine that hangs would only grow.
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
