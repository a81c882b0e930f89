#pragma once

#include "engine/storereader.h"
#include "engine/sweeprun.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <sys/types.h>
#include <vector>

namespace sweepscope::engine {

/// The sweeps of a workspace: the records of all, and the runs of those that have not ended.
class SweepRegistry {
public:
    using Records = std::map<std::int64_t, sweep::SweepRecord>;
    using Runs = std::map<std::int64_t, std::unique_ptr<SweepRun>>;

    /// `begun` is called for each run that the registry starts to poll.
    SweepRegistry(StoreReader &reader, const SweepRun::Context &context, std::function<void(SweepRun &)> begun);

    /// Reads all sweeps from the database.
    Expected<void> load();

    const Records &records() const { return m_records; }
    /// Returns null if there is no such sweep.
    const sweep::SweepRecord *record(std::int64_t id) const;
    /// Replaces the record of a sweep that has ended.
    void setRecord(sweep::SweepRecord record);
    void remove(std::int64_t id) { m_records.erase(id); }
    /// From the run if the sweep has one, else from the database.
    Expected<std::vector<sweep::TrialRecord>> trials(std::int64_t id, int first, int last) const;

    /// Oldest first.
    const Runs &runs() const { return m_runs; }
    /// Returns null if the sweep has ended.
    SweepRun *run(std::int64_t id) const;
    /// Also loads a sweep that has ended, which is polled again then.
    Expected<SweepRun *> openRun(std::int64_t id);
    /// Looks after a stored sweep from now on.
    SweepRun *add(const sweep::SweepRecord &record, sweep::SweepSpec spec, std::vector<TrialRow> trials,
                  const std::vector<AttemptRow> &openAttempts = {});
    /// The record as the sweep's run has it now.
    void updateRecord(std::int64_t id);
    /// Releases runs that have ended. Returns true if there was one.
    bool retireEnded();

    /// Returns the agent processes of all running attempts.
    std::set<pid_t> agents() const;

private:
    Expected<SweepRun *> loadRun(const sweep::SweepRecord &record);

    StoreReader &m_reader;
    SweepRun::Context m_context;
    std::function<void(SweepRun &)> m_begun;
    Records m_records;
    Runs m_runs;
};

}  // namespace sweepscope::engine
