#include "engine/suggestiondesk.h"

#include "base/installation.h"
#include "search/warmstart.h"

#include <algorithm>
#include <utility>

namespace sweepscope::engine {

SuggestionAnswer SuggestionDesk::answer(SuggestionRequest request)
{
    SuggestionAnswer answer{request.sweepId, request.number, request.inputs,
                            tl::unexpected<facts::Fact>(facts::Code::InternalError)};
    if (request.spec) {
        if (auto begun = begin(request); !begun) {
            answer.point = tl::unexpected(std::move(begun.error()));
            return answer;
        }
    }
    const auto found = m_searches.find(request.sweepId);
    if (found == m_searches.end())
        return answer;
    search::AskTell &search = *found->second.search;
    for (search::Observation &trial : request.trials)
        search.tell(std::move(trial));
    answer.point = search.ask(request.number);
    return answer;
}

tl::expected<void, facts::Fact> SuggestionDesk::begin(SuggestionRequest &request)
{
    Search search;
    search.spec = std::make_unique<const sweep::SweepSpec>(*std::move(request.spec));
    auto space = sweep::SearchSpace::compile(*search.spec);
    if (!space)
        return tl::unexpected<facts::Fact>(facts::Code::InternalError);
    search.space = std::make_unique<const sweep::SearchSpace>(std::move(*space));
    search.search = std::make_unique<search::AskTell>(
        *search.spec, *search.space, search::methodOf(*search.spec),
        search::OutsideProgram::Surroundings{request.folder, shareFolder() / "python"}, *m_cancelled);
    if (!search.spec->warmStart.empty()) {
        std::vector<std::filesystem::path> copies;
        for (std::size_t i = 1; i <= search.spec->warmStart.size(); ++i)
            copies.push_back(m_workspace.warmStartFile(request.sweepFolder, i));
        Expected<search::WarmStart> start = search::loadWarmStart(copies, *search.spec);
        if (!start)
            return tl::unexpected(
                facts::Fact(facts::Code::WarmStartUnreadable).with(facts::Field::Detail, start.error().message));
        search.search->warmStart(std::move(start->results));
    }
    m_searches.insert_or_assign(request.sweepId, std::move(search));
    return {};
}

void addRungs(search::Observation &trial, const pruning::Pruner &pruner, sweep::Goal goal)
{
    trial.rungs.clear();
    for (const auto &[step, value] : pruner.valuesOf(trial.number))
        trial.rungs.push_back({step, goal == sweep::Goal::Maximize ? -value : value});
}

std::vector<search::Observation> observationsAt(std::span<const TrialRow> trials,
                                                std::span<const sweep::TrialRecord> changes, int number,
                                                std::int64_t revision, const sweep::SweepSpec &spec)
{
    const search::TrialObserver observe(spec);
    std::vector<search::Observation> observations;
    for (const TrialRow &row :
         trials.first(std::min(trials.size(), static_cast<std::size_t>(std::max(0, number - 1))))) {
        search::Observation &pending = observations.emplace_back();
        pending.number = row.record.number;
        pending.parameters = row.record.parameters;
    }
    for (const sweep::TrialRecord &change :
         changes.first(std::min(changes.size(), static_cast<std::size_t>(std::max<std::int64_t>(0, revision))))) {
        if (change.number < 1 || change.number > static_cast<int>(observations.size()))
            continue;
        search::Observation &known = observations[static_cast<std::size_t>(change.number - 1)];
        search::Observation observed = observe(change);
        observed.parameters = std::move(known.parameters);
        known = std::move(observed);
    }
    return observations;
}

}  // namespace sweepscope::engine
