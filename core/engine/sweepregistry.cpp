#include "engine/sweepregistry.h"

#include "sweep/sweepfile.h"

#include <algorithm>
#include <string>
#include <utility>

namespace sweepscope::engine {

SweepRegistry::SweepRegistry(StoreReader &reader, const SweepRun::Context &context,
                             std::function<void(SweepRun &)> begun)
    : m_reader(reader), m_context(context), m_begun(std::move(begun))
{}

Expected<void> SweepRegistry::load()
{
    Expected<std::vector<sweep::SweepRecord>> sweeps = m_reader.sweeps();
    if (!sweeps)
        return tl::unexpected<Error>(sweeps.error());
    for (sweep::SweepRecord &record : *sweeps) {
        const auto place = m_records.emplace(record.id, std::move(record)).first;
        if (place->second.ended)
            continue;
        if (Expected<SweepRun *> begun = loadRun(place->second); !begun)
            return tl::unexpected<Error>(begun.error());
    }
    return {};
}

const sweep::SweepRecord *SweepRegistry::record(std::int64_t id) const
{
    const auto found = m_records.find(id);
    return found != m_records.end() ? &found->second : nullptr;
}

void SweepRegistry::setRecord(sweep::SweepRecord record)
{
    const std::int64_t id = record.id;
    m_records.insert_or_assign(id, std::move(record));
}

void SweepRegistry::updateRecord(std::int64_t id)
{
    if (const SweepRun *known = run(id))
        m_records.insert_or_assign(id, known->record());
}

Expected<std::vector<sweep::TrialRecord>> SweepRegistry::trials(std::int64_t id, int first, int last) const
{
    std::vector<sweep::TrialRecord> records;
    if (const SweepRun *known = run(id)) {
        const std::vector<TrialRow> &rows = known->trials();
        for (int number = std::max(1, first); number <= std::min(last, static_cast<int>(rows.size())); ++number)
            records.push_back(rows[static_cast<std::size_t>(number - 1)].record);
        return records;
    }
    Expected<std::vector<TrialRow>> rows = m_reader.trials(id, first, last);
    if (!rows)
        return tl::unexpected<Error>(rows.error());
    for (TrialRow &row : *rows)
        records.push_back(std::move(row.record));
    return records;
}

SweepRun *SweepRegistry::run(std::int64_t id) const
{
    const auto found = m_runs.find(id);
    return found != m_runs.end() ? found->second.get() : nullptr;
}

Expected<SweepRun *> SweepRegistry::openRun(std::int64_t id)
{
    const sweep::SweepRecord *known = record(id);
    if (known == nullptr)
        return makeError(ErrorCode::NotFound, "there is no sweep " + std::to_string(id));
    if (SweepRun *active = run(id))
        return active;
    return loadRun(*known);
}

bool SweepRegistry::retireEnded()
{
    return std::erase_if(m_runs,
                         [this](const auto &entry) {
                             if (entry.second->hasEnded())
                                 m_context.suggester.remove(entry.first);
                             return entry.second->hasEnded();
                         })
           > 0;
}

std::set<pid_t> SweepRegistry::agents() const
{
    std::set<pid_t> agents;
    for (const auto &[id, run] : m_runs)
        run->addAgents(agents);
    return agents;
}

/// Loads the run from the database.
Expected<SweepRun *> SweepRegistry::loadRun(const sweep::SweepRecord &record)
{
    Expected<std::vector<TrialRow>> trials = m_reader.trials(record.id, 1, record.trialsTotal);
    if (!trials)
        return tl::unexpected<Error>(trials.error());
    Expected<std::vector<AttemptRow>> attempts = m_reader.openAttempts(record.id);
    if (!attempts)
        return tl::unexpected<Error>(attempts.error());
    if (static_cast<int>(trials->size()) != record.trialsTotal)
        return makeError(ErrorCode::Corrupt, "the database is missing trials of sweep " + record.folder);
    return add(record, sweep::parseSweep(record.toml).spec, std::move(*trials), *attempts);
}

SweepRun *SweepRegistry::add(const sweep::SweepRecord &record, sweep::SweepSpec spec, std::vector<TrialRow> trials,
                             const std::vector<AttemptRow> &openAttempts)
{
    m_records.emplace(record.id, record);  // no change if it was loaded
    auto run = std::make_unique<SweepRun>(m_context, record, std::move(spec), std::move(trials));
    run->adopt(openAttempts, wallNow());
    SweepRun *added = m_runs.emplace(record.id, std::move(run)).first->second.get();
    m_begun(*added);
    return added;
}

}  // namespace sweepscope::engine
