#include "analysis/savedbypruning.h"

#include <algorithm>
#include <map>

namespace sweepscope::analysis {

using sweep::TrialState;

std::optional<SavedByPruning> savedByPruning(const std::vector<sweep::TrialRecord> &trials)
{
    std::vector<std::int64_t> whole;
    std::map<std::int64_t, PruningRung> rungs;
    SavedByPruning saved;
    for (const sweep::TrialRecord &trial : trials) {
        if (trial.state == TrialState::Completed && trial.step > 0)
            whole.push_back(trial.step);
        if (trial.state != TrialState::Pruned)
            continue;
        ++saved.pruned;
        if (const auto step = trial.reason.integer(facts::Field::Step))
            ++rungs[*step].pruned;
    }
    if (whole.empty() || saved.pruned == 0)
        return std::nullopt;
    const auto middle = whole.begin() + static_cast<std::ptrdiff_t>(whole.size() / 2);
    std::ranges::nth_element(whole, middle);
    const auto full = static_cast<double>(*middle);
    double unmade = 0;
    for (const sweep::TrialRecord &trial : trials) {
        if (trial.state == TrialState::Pruned)
            unmade += std::max(0.0, 1 - static_cast<double>(trial.step) / full);
        for (auto &[step, rung] : rungs)
            rung.reached += trial.step >= step ? 1 : 0;
    }
    saved.share = unmade / static_cast<double>(static_cast<std::size_t>(saved.pruned) + whole.size());
    for (auto &[step, rung] : rungs) {
        rung.step = step;
        saved.rungs.push_back(rung);
    }
    return saved;
}

}  // namespace sweepscope::analysis
