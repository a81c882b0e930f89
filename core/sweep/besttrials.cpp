#include "sweep/besttrials.h"

#include <algorithm>

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

}  // namespace sweepscope::sweep
