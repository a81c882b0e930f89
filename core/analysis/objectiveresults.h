#pragma once

#include "sweep/records.h"
#include "sweep/sweepspec.h"

#include <cstddef>
#include <string>
#include <vector>

namespace sweepscope::analysis {

/// The usable results of a sweep with several objectives: completed trials that reported all of them and violate no
/// constraint, in the order in which they ended.
struct ObjectiveResults {
    std::vector<std::string> names;           ///< of the objectives, the sweep's first
    std::vector<double> signs;                ///< of each objective: 1 to minimize it, -1 to maximize it
    std::vector<int> trials;                  ///< numbers
    std::vector<std::vector<double>> values;  ///< of each trial, each objective in its unit
};

/// Without names for a sweep with one objective.
ObjectiveResults collectObjectives(const sweep::SweepSpec &spec, const std::vector<sweep::TrialRecord> &trials);

/// Returns the places of the trials that no other one beats in two objectives, by ascending value of `x`. Of trials with
/// equal values the first one counts.
std::vector<std::size_t> frontOf(const ObjectiveResults &results, std::size_t x, std::size_t y);

/// Returns the hypervolume that the first 1, 2, 3, … trials dominate, as a share of the box from the best to the worst value
/// of each objective: 1 if one trial were the best in all. Trials that would make the front larger than 200, with more than
/// three objectives 40, are left out.
std::vector<double> hypervolumes(const ObjectiveResults &results);

}  // namespace sweepscope::analysis
