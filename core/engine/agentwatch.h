#pragma once

#include "base/clock.h"

#include <cstdint>
#include <optional>

namespace sweepscope::engine {

/// Measures how long an agent has given no sign of life, and how long its attempt has run. Both count only while the
/// engine polls: a sleeping machine, a stopped engine or a clock change does not make an agent silent.
class AgentWatch {
public:
    /// `ranFor`: the run time before the first poll.
    explicit AgentWatch(WallNs ranFor) : m_ranFor(ranFor) {}

    /// Returns whether the next check is due.
    bool isDue(WallNs now) const;
    /// `activity`: launch::readAgentActivity(). `frozen`: by a pause, which does not count as run time.
    void update(std::optional<std::uint64_t> activity, bool frozen, WallNs now);

    WallNs silence() const { return m_silence; }
    WallNs ranFor() const { return m_ranFor; }

private:
    WallNs m_ranFor;
    WallNs m_silence = 0;
    std::optional<WallNs> m_updated;
    std::optional<std::uint64_t> m_activity;
};

}  // namespace sweepscope::engine
