#include "engine/sweeppruning.h"

#include "engine/suggestiondesk.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace sweepscope::engine {

namespace {

pruning::LogEntry completedEntry(const TrialRow &row)
{
    pruning::LogEntry entry;
    entry.event = pruning::LogEntry::Event::Completed;
    entry.trial = row.record.number;
    entry.value.best =
        row.record.objectiveBest ? row.record.objectiveBest->value : std::numeric_limits<double>::quiet_NaN();
    return entry;
}

}  // namespace

Expected<void> SweepPruning::load(const std::set<int> &running)
{
    m_pruner.reset();
    m_again.clear();
    if (!m_spec.prune)
        return {};
    m_pruner.emplace(*m_spec.prune, m_ledger.sweep().goal, m_spec.seed);
    m_programKnowsSweep = false;
    m_ledger.notePruning({});
    const Expected<std::vector<pruning::LogEntry>> log = m_store.pruneLog(m_ledger.sweep().id);
    if (!log)
        return tl::unexpected<Error>(log.error());
    m_logSize = static_cast<std::int64_t>(log->size());
    for (const pruning::LogEntry &entry : *log) {
        pruning::enter(entry, *m_pruner);
        // The engine may have ended before the trial was pruned.
        if (entry.isPruned)
            m_again.insert(entry.trial);
        else
            m_again.erase(entry.trial);
    }
    for (const pruning::LogEntry &entry : m_unwritten)
        pruning::enter(entry, *m_pruner);
    std::vector<pruning::LogEntry> missing;
    for (const TrialRow &row : m_ledger.trials()) {
        if (row.record.state == sweep::TrialState::Completed && !m_pruner->knowsCompleted(row.record.number))
            missing.push_back(completedEntry(row));
    }
    this->log(missing);
    if (sweep::asksProgram(m_spec.prune->method))  // what the last engine asked may not have been answered
        m_again = running;
    return {};
}

std::optional<pruning::Verdict> SweepPruning::judge(int trial, const std::vector<pruning::RungValue> &rungs,
                                                    bool mayBePruned)
{
    std::vector<pruning::LogEntry> entries;
    bool isDue = m_again.contains(trial);
    for (const pruning::RungValue &value : rungs) {
        // A new engine reads an attempt from its start, and decides nothing twice.
        const bool isKnown = m_pruner->knows(trial, value);
        isDue = isDue || !isKnown;
        if (const pruning::RungValue counted = m_pruner->reached(trial, value); !isKnown || &value == &rungs.back())
            entries.push_back(pruning::reachedEntry(trial, counted, std::nullopt));
    }
    if (!isDue)
        return std::nullopt;
    m_again.erase(trial);
    const std::optional<pruning::Verdict> verdict =
        mayBePruned ? verdictOf(trial, rungs, entries) : std::optional<pruning::Verdict>();
    log(entries);
    return verdict;
}

std::optional<pruning::Verdict> SweepPruning::verdictOf(int trial, const std::vector<pruning::RungValue> &rungs,
                                                        std::vector<pruning::LogEntry> &entries) const
{
    const std::int64_t rung = rungs.back().rung;
    pruning::Verdict verdict = m_pruner->verdict(trial, rung);
    if (verdict.asksProgram)
        return verdict;
    entries.back() = pruning::reachedEntry(trial, entries.back().value, verdict);
    const bool isOfPopulation = m_spec.method == sweep::SearchMethod::Pbt && m_ledger.trial(trial).record.progress < 1;
    if (verdict.reason || !isOfPopulation)
        return verdict;
    auto before = m_pruner->verdictBefore(trial, rung);  // with those that come later than itself, too
    if (!before)
        return verdict;
    entries.push_back(pruning::reachedEntry(trial, before->first, before->second));
    return std::move(before->second);
}

void SweepPruning::completed(const TrialRow &row)
{
    if (m_pruner)
        log({completedEntry(row)});
}

void SweepPruning::startedOver(int trial)
{
    m_again.erase(trial);
    pruning::LogEntry entry;
    entry.event = pruning::LogEntry::Event::StartedOver;
    entry.trial = trial;
    log({entry});  // without a rule, too: an edit may add one
}

void SweepPruning::log(const std::vector<pruning::LogEntry> &entries)
{
    for (pruning::LogEntry entry : entries) {
        entry.definition = m_ledger.sweep().definition;
        if (m_pruner && entry.event != pruning::LogEntry::Event::Reached)
            pruning::enter(entry, *m_pruner);
        if (entry.event != pruning::LogEntry::Event::Completed)
            m_reached.insert(entry.trial);
        m_unwritten.push_back(std::move(entry));
    }
    writeLog();
}

bool SweepPruning::writeLog()
{
    if (!m_unwritten.empty() && m_ledger.appendToPruneLog(m_unwritten)) {
        m_logSize += static_cast<std::int64_t>(m_unwritten.size());
        m_unwritten.clear();
    }
    return m_unwritten.empty();
}

void SweepPruning::noteChange(int trial)
{
    if (m_spec.prune && sweep::asksProgram(m_spec.prune->method))
        m_untold.insert(trial);
}

VerdictRequest SweepPruning::requestFor(const AttemptRow &attempt, const pruning::RungValue &value)
{
    const sweep::SweepRecord &record = m_ledger.sweep();
    VerdictRequest request;
    request.sweepId = record.id;
    request.trial = attempt.trial;
    request.attempt = attempt.number;
    request.value = value;
    request.definition = record.definition;
    const search::TrialObserver observe(m_spec);
    const auto tell = [&](const TrialRow &row) {
        addRungs(request.trials.emplace_back(observe(row.record)), *m_pruner, record.goal);
    };
    if (!std::exchange(m_programKnowsSweep, true)) {
        request.spec = m_spec;
        request.folder = record.baseFolder;
        std::ranges::for_each(m_ledger.trials(), tell);
    } else {
        m_untold.insert(attempt.trial);
        for (const int number : m_untold)
            tell(m_ledger.trial(number));
    }
    m_untold.clear();
    return request;
}

}  // namespace sweepscope::engine
