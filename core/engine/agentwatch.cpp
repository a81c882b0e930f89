#include "engine/agentwatch.h"

#include <algorithm>

namespace sweepscope::engine {

namespace {

constexpr WallNs lookAtAgentEvery = 1'000'000'000;
/// A longer time between two looks was nobody's: the machine slept, the engine was held up, or the clock was set.
constexpr WallNs longestStep = 2 * lookAtAgentEvery;

}  // namespace

bool AgentWatch::isDue(WallNs now) const
{
    return !m_looked || now - *m_looked >= lookAtAgentEvery || now < *m_looked;
}

void AgentWatch::look(std::optional<std::uint64_t> activity, bool frozen, WallNs now)
{
    const WallNs step = m_looked ? std::clamp<WallNs>(now - *m_looked, 0, longestStep) : 0;
    const bool silent = activity && activity == m_activity && !frozen;
    m_silence = silent ? m_silence + step : 0;
    m_ranFor += frozen ? 0 : step;
    m_activity = activity;
    m_looked = now;
}

}  // namespace sweepscope::engine
