#include "sweep/besttrials.h"

#include <algorithm>
#include <optional>
#include <set>

namespace sweepscope::sweep {

std::vector<int> bestTrials(std::span<const TrialRecord> trials, Goal goal, int count)
{
    std::vector<const TrialRecord *> ranked;
    for (const TrialRecord &trial : trials) {
        if (mayBeBest(trial))
            ranked.push_back(&trial);
    }
    std::stable_sort(ranked.begin(), ranked.end(),
                     [goal](const TrialRecord *one, const TrialRecord *other) { return isBetter(*one, *other, goal); });
    std::vector<int> numbers;
    for (const TrialRecord *trial : ranked) {
        if (static_cast<int>(numbers.size()) == count)
            break;
        numbers.push_back(trial->number);
    }
    return numbers;
}

std::vector<int> trialsWithRemovableCheckpoint(std::span<const TrialRecord> trials, Goal goal, int keepBest)
{
    const std::vector<int> best = bestTrials(trials, goal, keepBest);
    std::set<int> kept(best.begin(), best.end());
    for (const TrialRecord &trial : trials) {
        if (!isFinal(trial.state) || trial.mark.starred)
            kept.insert(trial.number);
        if (const std::optional<int> parent = parentOf(trial.chosen))
            kept.insert(*parent);
    }
    std::vector<int> numbers;
    for (const TrialRecord &trial : trials) {
        if (!kept.contains(trial.number))
            numbers.push_back(trial.number);
    }
    return numbers;
}

}  // namespace sweepscope::sweep
