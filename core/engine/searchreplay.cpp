#include "engine/searchreplay.h"

#include "engine/suggestiondesk.h"
#include "sweep/sweepfile.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sweepscope::engine {

namespace {

using facts::Field;

bool isNear(const sweep::ParameterValue &one, const sweep::ParameterValue &other)
{
    const std::optional<double> a = sweep::numberOf(one);
    const std::optional<double> b = sweep::numberOf(other);
    if (!a || !b)
        return one == other;
    return std::fabs(*a - *b) <= 1e-9 * std::max(std::fabs(*a), std::fabs(*b));
}

bool areNear(const sweep::ParameterSet &one, const sweep::ParameterSet &other)
{
    return std::ranges::equal(
        one, other, [](const auto &a, const auto &b) { return a.first == b.first && isNear(a.second, b.second); });
}

class Replay {
public:
    Replay(const WorkspaceLayout &workspace, const sweep::SweepRecord &sweep, std::vector<TrialRow> trials,
           std::vector<sweep::TrialRecord> changes, std::vector<pruning::LogEntry> pruneLog,
           std::vector<std::string> definitions)
        : m_sweep(sweep),
          m_trials(std::move(trials)),
          m_changes(std::move(changes)),
          m_pruneLog(std::move(pruneLog)),
          m_definitions(std::move(definitions)),
          m_desk(workspace, m_cancelled)
    {
        m_definitions.push_back(sweep.toml);
    }

    Expected<SearchReplay> run()
    {
        SearchReplay replay;
        const bool isOfCommand = search::methodOf(sweep::parseSweep(m_sweep.toml).spec) == search::Method::Command;
        for (const TrialRow &row : m_trials) {
            const facts::Fact &chosen = row.record.chosen;
            const std::optional<std::int64_t> revision = chosen.integer(Field::Revision);
            const std::optional<std::int64_t> definition = chosen.integer(Field::Definition);
            if (!revision || !definition)
                continue;       // enqueued, or rebuilt without its inputs
            if (isOfCommand) {  // those too that were drawn at random in its place
                ++replay.byCommand;
                continue;
            }
            if (*definition < 0 || *definition >= static_cast<std::int64_t>(m_definitions.size())
                || *revision > static_cast<std::int64_t>(m_changes.size())
                || chosen.integer(Field::Reports).value_or(0) > static_cast<std::int64_t>(m_pruneLog.size()))
                return makeError(ErrorCode::Corrupt,
                                 "the database lacks the inputs of trial " + std::to_string(row.record.number));
            const std::int64_t reports = chosen.integer(Field::Reports).value_or(0);
            const SuggestionAnswer answer =
                m_desk.answer(request(row.record.number, {*revision, static_cast<int>(*definition), reports}));
            if (!answer.point && answer.point.error().code == facts::Code::WarmStartUnreadable)
                return makeError(ErrorCode::BadInput, answer.point.error().text(Field::Detail));
            ++replay.choices;
            const sweep::ParameterSet replayed = answer.point ? answer.point->parameters : sweep::ParameterSet();
            if (replayed == row.record.parameters)
                continue;
            const search::Method method =
                search::methodFromString(chosen.text(Field::Method)).value_or(search::Method::Random);
            replay.first = ReplayDifference{row.record.number,
                                            row.record.parameters,
                                            replayed,
                                            areNear(replayed, row.record.parameters),
                                            static_cast<int>(chosen.integer(Field::Version).value_or(0)),
                                            versionOf(method)};
            break;
        }
        return replay;
    }

private:
    /// What is new since the request before, as the engine would have sent it.
    SuggestionRequest request(int number, const SearchInputs &inputs)
    {
        SuggestionRequest request{m_sweep.id, number, inputs, std::nullopt, {}, {}, {}};
        const std::int64_t revision = inputs.revision;
        if (inputs.definition != m_definition || revision < m_revision || inputs.reports != 0) {
            m_spec = sweep::parseSweep(m_definitions[static_cast<std::size_t>(inputs.definition)]).spec;
            request.spec = m_spec;
            request.folder = m_sweep.baseFolder;
            request.sweepFolder = m_sweep.folder;
            request.trials = observationsAt(m_trials, m_changes, number, revision, m_spec);
            addRungs(request, inputs.reports);
        } else {
            for (int i = m_number; i < number; ++i) {
                search::Observation pending;
                pending.number = i;
                pending.parameters = m_trials[static_cast<std::size_t>(i - 1)].record.parameters;
                request.trials.push_back(std::move(pending));
            }
            const search::TrialObserver observe(m_spec);
            for (std::int64_t i = m_revision; i < revision; ++i) {
                sweep::TrialRecord change = m_changes[static_cast<std::size_t>(i)];
                if (change.number < 1 || change.number >= number)
                    continue;
                change.parameters = m_trials[static_cast<std::size_t>(change.number - 1)].record.parameters;
                request.trials.push_back(observe(change));
            }
        }
        m_definition = inputs.definition;
        m_revision = revision;
        m_number = number;
        return request;
    }

    void addRungs(SuggestionRequest &request, std::int64_t reports) const
    {
        if (reports == 0 || !request.spec->prune)
            return;
        pruning::Pruner pruner(*request.spec->prune, m_sweep.goal, request.spec->seed);
        for (std::int64_t i = 0; i < reports; ++i)
            pruning::enter(m_pruneLog[static_cast<std::size_t>(i)], pruner);
        for (search::Observation &trial : request.trials)
            engine::addRungs(trial, pruner, m_sweep.goal);
    }

    const sweep::SweepRecord &m_sweep;
    std::vector<TrialRow> m_trials;
    std::vector<sweep::TrialRecord> m_changes;
    std::vector<pruning::LogEntry> m_pruneLog;
    std::vector<std::string> m_definitions;  ///< by SearchInputs::definition
    const std::atomic<bool> m_cancelled = false;
    SuggestionDesk m_desk;
    sweep::SweepSpec m_spec;  ///< of that definition
    int m_definition = -1;
    std::int64_t m_revision = 0;
    int m_number = 1;
};

}  // namespace

Expected<SearchReplay> replaySearch(StoreReader &reader, const WorkspaceLayout &workspace,
                                    const sweep::SweepRecord &sweep)
{
    Expected<std::vector<TrialRow>> trials = reader.trials(sweep.id, 1, sweep.trialsTotal);
    if (!trials)
        return tl::unexpected<Error>(trials.error());
    Expected<std::vector<sweep::TrialRecord>> changes = reader.changes(sweep.id);
    if (!changes)
        return tl::unexpected<Error>(changes.error());
    Expected<std::vector<pruning::LogEntry>> pruneLog = reader.pruneLog(sweep.id);
    if (!pruneLog)
        return tl::unexpected<Error>(pruneLog.error());
    Expected<std::vector<std::string>> definitions = reader.definitions(sweep.id);
    if (!definitions)
        return tl::unexpected<Error>(definitions.error());
    return Replay(workspace, sweep, std::move(*trials), std::move(*changes), std::move(*pruneLog),
                  std::move(*definitions))
        .run();
}

}  // namespace sweepscope::engine
