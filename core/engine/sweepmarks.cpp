#include "engine/answer.h"
#include "engine/sweeprun.h"

namespace sweepscope::engine {

/// Stars, tags and notes. They say nothing about how trials run, so sweeps that have ended are marked like others.
Expected<std::string> SweepRun::markTrials(const std::vector<int> &numbers, const sweep::MarkChange &change, WallNs now)
{
    if (numbers.empty() || change.isEmpty())
        return cannot("name the trials, and what is to be written beside them");
    if (Expected<void> fine = sweep::check(change); !fine)
        return cannot(fine.error().message);
    const std::string cause = "a person " + sweep::toText(change);
    std::vector<TrialChange> changes;
    for (const int number : numbers) {
        TrialRow row = m_ledger.trial(number);
        Expected<sweep::TrialMark> mark = sweep::changed(row.record.mark, change);
        if (!mark)
            return cannot("trial " + std::to_string(number) + ": " + mark.error().message);
        if (*mark == row.record.mark)
            continue;
        row.record.mark = std::move(*mark);
        const sweep::TrialState state = row.record.state;
        changes.push_back({std::move(row), {{state, state, cause}}});
    }
    const std::size_t marked = changes.size();
    if (marked != 0 && !m_ledger.mark(changes, now))
        return notWritten();
    return Answer()
        .sayIf(marked != 0, count(marked, "") + (marked == 1 ? " is" : " are") + " marked.")
        .sayIf(marked == 0, "Nothing is different.")
        .text();
}

}  // namespace sweepscope::engine
