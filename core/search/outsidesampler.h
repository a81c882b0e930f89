#pragma once

#include "search/outsideprogram.h"
#include "search/suggestion.h"

#include <atomic>
#include <string>
#include <vector>

namespace sweepscope::search {

/// A search method that is another program.
class OutsideSampler {
public:
    /// As OutsideProgram.
    OutsideSampler(const sweep::SweepSpec &spec, const OutsideProgram::Surroundings &surroundings,
                   const std::atomic<bool> &cancelled);

    void tell(const Observation &trial) { m_program.tell(trial); }

    /// The point that trial `number` should try. Points that a constraint forbids and those that have been tried are
    /// handed back; after several of them, the point is drawn at random. Otherwise as suggest(); SamplerFailed if the
    /// program does not answer, or with what is no point.
    tl::expected<Suggestion, facts::Fact> ask(const SearchHistory &history, int number);

private:
    const sweep::SweepSpec *m_spec;
    OutsideProgram m_program;
};

/// The command of a sweep whose method is "command" or "optuna".
std::vector<std::string> samplerCommand(const sweep::SweepSpec &spec);

}  // namespace sweepscope::search
