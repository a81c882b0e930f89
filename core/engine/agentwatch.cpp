#include "engine/agentwatch.h"

#include <algorithm>

namespace sweepscope::engine {

namespace {

constexpr WallNs agentPollEvery = 1'000'000'000;
/// A longer time between two checks does not count: the machine slept, the engine was blocked, or the clock was set.
constexpr WallNs longestStep = 2 * agentPollEvery;

}  // namespace

bool AgentWatch::isDue(WallNs now) const
{
    return !m_updated || now - *m_updated >= agentPollEvery || now < *m_updated;
}

void AgentWatch::update(std::optional<std::uint64_t> activity, bool frozen, WallNs now)
{
    const WallNs step = m_updated ? std::clamp<WallNs>(now - *m_updated, 0, longestStep) : 0;
    const bool silent = activity && activity == m_activity && !frozen;
    m_silence = silent ? m_silence + step : 0;
    m_ranFor += frozen ? 0 : step;
    m_activity = activity;
    m_updated = now;
}

}  // namespace sweepscope::engine
