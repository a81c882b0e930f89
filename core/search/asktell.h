#pragma once

#include "search/outsidesampler.h"
#include "search/repeats.h"
#include "search/searchhistory.h"
#include "search/suggestion.h"

#include <atomic>
#include <optional>
#include <vector>

namespace sweepscope::search {

/// The ask-and-tell interface of a search: tell() reports trials, ask() returns the next point. Handles `search.repeats`, and
/// searches whose points another program chooses.
class AskTell {
public:
    /// `spec`, `space` and `cancelled`, which ends the wait for another program, must outlive it.
    AskTell(const sweep::SweepSpec &spec, const sweep::SearchSpace &space, Method method,
            const OutsideProgram::Surroundings &surroundings, const std::atomic<bool> &cancelled);

    /// Adds results of other sweeps, numbered up to 0.
    void warmStart(std::vector<Observation> results);
    /// Adds a trial, or replaces the one with its number.
    void tell(Observation trial);
    /// The point that trial `number` should try: as search::suggest() or OutsideSampler::ask(), with Repeats.
    tl::expected<Suggestion, facts::Fact> ask(int number);

    /// The points that were tried, as the methods see them.
    const SearchHistory &history() const { return m_history; }
    /// The highest number of a trial; 0 without one.
    int lastNumber() const { return m_lastNumber; }

private:
    SearchHistory m_history;
    Method m_method;
    std::optional<Repeats> m_repeats;
    std::optional<OutsideSampler> m_sampler;
    int m_lastNumber = 0;
};

}  // namespace sweepscope::search
