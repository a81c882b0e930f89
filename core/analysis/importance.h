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
    std::vector<double> shares;  ///< one per parameter, of 1 together; all 0: none matters more than chance
};

/// How much each parameter decides how good a trial is. PED-ANOVA: S. Watanabe, A. Bansal, F. Hutter, "PED-ANOVA: Efficiently
/// Quantifying Hyperparameter Importance in Arbitrary Subspaces", IJCAI 2023: the Pearson divergence between a parameter's
/// density in the best trials and in all, which is the share of the variance of "is one of the best" that the parameter
/// alone explains, times (1 - s) / s for a best share of s. Pruned trials are left out: their values are of other steps.
///
/// Differently from the paper:
/// - It is the sum of that for the best tenth, quarter and half: of the best tenth alone, which few trials are, only the last
///   refinement is seen, and a parameter that explains nearly all the rest can have nothing.
/// - Numbers of a grid are looked at value by value, without a kernel.
/// - Few trials do not make every parameter important: the same number of trials is drawn at random many times (with fixed
///   random numbers, so the same trials give the same shares), a parameter counts only if it is beyond their mean by about
///   three of their standard deviations (more where there are many parameters, one of which is always far out), and the mean
///   is taken off. Where nothing matters, a few sweeps in a hundred show something.
/// - Of a parameter that not all trials have, those that have it are looked at alone and its importance is weighed with their
///   share.
Importance importanceOf(const TrialValues &values);

}  // namespace sweepscope::analysis
