#pragma once

#include "analysis/trialvalues.h"

#include <vector>

namespace sweepscope::analysis {

/// Fewer completed trials than these tell noise.
inline constexpr int fewestTrials = 20;

struct Importance {
    enum class Problem { None, TooFewTrials, AllAlike };
    Problem problem = Problem::None;
    int completed = 0;           ///< trials that it is from
    int good = 0;                ///< of these the best ones, that the others are compared with
    std::vector<double> shares;  ///< one per parameter, of 1 together; all 0: none matters more than chance
};

/// How much each parameter decides whether a trial is one of the best tenth. PED-ANOVA: S. Watanabe, A. Bansal,
/// F. Hutter, "PED-ANOVA: Efficiently Quantifying Hyperparameter Importance in Arbitrary Subspaces", IJCAI 2023: the
/// Pearson divergence between a parameter's density in the best trials and in all. Pruned trials are left out: their
/// values are of other steps.
///
/// Differently from the paper, what the same number of trials drawn at random would reach on average is taken off (with
/// fixed random numbers, so the same trials give the same shares), or few trials would make every parameter important;
/// and of a parameter that not all trials have, those that have it are looked at alone and its importance is weighed with
/// their share.
Importance importanceOf(const TrialValues &values);

}  // namespace sweepscope::analysis
