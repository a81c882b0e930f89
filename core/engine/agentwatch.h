#pragma once

#include "base/clock.h"

#include <cstdint>
#include <optional>

namespace sweepscope::engine {

/// For how long an agent has given no sign of life, and for how long its attempt has run. Both count only while somebody
/// looks: neither a machine that sleeps nor an engine that is stopped makes an agent silent, nor does a clock that is
/// set.
class AgentWatch {
public:
    /// `ranFor`: before the first look.
    explicit AgentWatch(WallNs ranFor) : m_ranFor(ranFor) {}

    /// Whether it is time to look again.
    bool isDue(WallNs now) const;
    /// `activity`: launch::readAgentActivity(). `frozen`: by a pause, which is no time of the attempt.
    void look(std::optional<std::uint64_t> activity, bool frozen, WallNs now);

    WallNs silence() const { return m_silence; }
    WallNs ranFor() const { return m_ranFor; }

private:
    WallNs m_ranFor;
    WallNs m_silence = 0;
    std::optional<WallNs> m_looked;
    std::optional<std::uint64_t> m_activity;
};

}  // namespace sweepscope::engine
