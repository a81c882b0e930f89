#pragma once

#include "base/workspacelayout.h"
#include "engine/suggester.h"
#include "pruning/pruner.h"
#include "search/asktell.h"
#include "sweep/searchspace.h"

#include <map>
#include <memory>
#include <span>
#include <utility>

namespace sweepscope::engine {

/// Answers requests for points, and keeps the history of each search for the next one.
class SuggestionDesk {
public:
    /// `cancelled`, which must outlive the desk, ends the wait for another program.
    SuggestionDesk(WorkspaceLayout workspace, const std::atomic<bool> &cancelled)
        : m_workspace(std::move(workspace)), m_cancelled(&cancelled)
    {}

    SuggestionAnswer answer(SuggestionRequest request);
    void remove(std::int64_t sweepId) { m_searches.erase(sweepId); }

private:
    struct Search {  // declared so that it is destroyed before what it uses
        std::unique_ptr<const sweep::SweepSpec> spec;
        std::unique_ptr<const sweep::SearchSpace> space;
        std::unique_ptr<search::AskTell> search;
    };

    /// Begins a search; WarmStartUnreadable.
    tl::expected<void, facts::Fact> begin(SuggestionRequest &request);

    WorkspaceLayout m_workspace;
    const std::atomic<bool> *m_cancelled;
    std::map<std::int64_t, Search> m_searches;
};

/// Adds the trial's values at rungs, of which a search in brackets learns.
void addRungs(search::Observation &trial, const pruning::Pruner &pruner, sweep::Goal goal);

/// What a search knew of trials below `number` after the first `revision` of `changes` (SweepStore::changes).
std::vector<search::Observation> observationsAt(std::span<const TrialRow> trials,
                                                std::span<const sweep::TrialRecord> changes, int number,
                                                std::int64_t revision, const sweep::SweepSpec &spec);

}  // namespace sweepscope::engine
