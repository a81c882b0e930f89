#pragma once

#include "exporting/sweepexport.h"

#include <ostream>
#include <vector>

namespace sweepscope::exporting {

/// What exportTrials() writes into a file that ends in .json: {sweep, objective, goal, trials: [{trial, state, parameters,
/// objective_last, objective_best: {value, step} or null, metrics: {name: {last, step, min, max}}, attempts, seed, ranks,
/// devices, simulated, start, end, seconds, device_hours, energy_kwh, energy_method, exit_cause, chosen, why, starred, tags, note}]}, a line for each trial. With `columns`, what
/// these have in CSV, and trial: of objective_last and objective_last_step either brings both, and so of a metric.
void writeTrialsJson(std::ostream &out, const sweep::SweepRecord &sweep, const std::vector<sweep::TrialRecord> &trials,
                     const ColumnChoice &columns = {}, const launch::SweepEnergy &energy = {},
                     const sweep::CostFactors &factors = {});

}  // namespace sweepscope::exporting
