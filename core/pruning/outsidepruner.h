#pragma once

#include "facts/fact.h"
#include "pruning/rungs.h"
#include "search/outsideprogram.h"

#include <tl/expected.hpp>

#include <atomic>
#include <optional>

namespace sweepscope::pruning {

/// A pruning rule that is another program.
class OutsidePruner {
public:
    /// As search::OutsideProgram.
    OutsidePruner(const sweep::SweepSpec &spec, const search::OutsideProgram::Surroundings &surroundings,
                  const std::atomic<bool> &cancelled);

    /// With what the trial reported at its rungs.
    void tell(const search::Observation &trial) { m_program.tell(trial); }

    /// Whether the trial, which has reached this rung, should end: PrunedByCommand; nullopt: it continues. PrunerFailed if
    /// the program does not answer, or with something else.
    tl::expected<std::optional<facts::Fact>, facts::Fact> ask(int trial, const RungValue &value);

private:
    const sweep::SweepSpec *m_spec;
    search::OutsideProgram m_program;
};

}  // namespace sweepscope::pruning
