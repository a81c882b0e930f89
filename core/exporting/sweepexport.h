#pragma once

#include "base/clock.h"
#include "base/error.h"
#include "base/workspacelayout.h"
#include "launch/energyfile.h"
#include "sweep/costfactors.h"
#include "sweep/records.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace sweepscope::exporting {

enum class Format { Csv, Json };
/// Trials and curves are written as JSON where the file ends in .json, everything else as CSV.
Format formatOf(const std::filesystem::path &file);

/// Columns of the trials by their names in CSV; empty: all. In JSON the values of the same names.
using ColumnChoice = std::set<std::string, std::less<>>;
/// The column of a parameter, which may be called like a fixed one; no two columns are.
std::string parameterColumn(const std::string &parameter);
/// The columns of a metric other than the objective: its last, min and max value. The kind comes before the name, so
/// that metrics called "loss" and "loss.min" never share a column name.
enum class MetricColumn { Last, Lowest, Highest };
std::string metricColumn(const std::string &metric, MetricColumn which);
/// The most metrics of a sweep that get columns: if every trial invents names, a table of all of them is unreadable.
inline constexpr std::size_t mostMetricNames = 256;
/// Metrics that any of these trials reported, in the order in which they are met first; at most `mostMetricNames`.
std::vector<std::string> metricNames(const std::vector<sweep::TrialRecord> &trials);

/// Running time of the trial's chain times its devices; nullopt before its end, and without devices.
std::optional<double> deviceHours(const sweep::TrialRecord &trial);

/// Of all of its attempts; price per device-hour: see deviceHours().
sweep::Cost costOfTrial(const sweep::TrialRecord &trial, const launch::SweepEnergy &energies,
                        const sweep::CostFactors &factors);

/// Of the attempts whose energy is known, and the device-hours of all.
sweep::Cost costOfSweep(const sweep::SweepRecord &sweep, const launch::SweepEnergy &energies,
                        const sweep::CostFactors &factors);

/// One row per trial: sweep, trial, attempts, first_attempt (of those that continue one another, sweep/trialchain.h, of
/// which all values are), state, one column per parameter, seed, objective (name), objective_last,
/// objective_last_step, objective_best, objective_best_step, start, end, seconds (without pauses), seconds_with_pauses, ranks, devices (space-separated),
/// simulated (whether these are a fake driver's), device_hours (seconds times devices), exit_cause, chosen and why (how a search chose the point), and
/// the user's mark: starred, tags (separated by commas), note. energy_kwh and energy_method, which are empty if the energy of any attempt is unknown. Then the last, min and max value of each metric other than the objective:
/// metric.loss, metric_min.loss, metric_max.loss. A parameter or a metric that a trial does not have is an empty field; a
/// parameter that is called like a fixed column (seed, ranks) gets the column "parameter.seed". Same data, same bytes.
/// Of more metrics than mostMetricNames the first ones have columns; JSON (trialsjson.h) has them all.
/// With `factors`, then cost, currency and co2_kg, which are empty if unknown.
/// Overwrites `file` atomically; "-" is standard output. With `columns`, only these, and trial.
Expected<void> exportTrials(const sweep::SweepRecord &sweep, const std::vector<sweep::TrialRecord> &trials,
                            const std::filesystem::path &file, const ColumnChoice &columns = {},
                            const launch::SweepEnergy &energy = {}, const sweep::CostFactors &factors = {});

/// Called from time to time with the share done, 0 to 1. Returning false cancels: the file is not written, and the
/// export returns Unavailable.
using Progress = std::function<bool(double)>;

/// Which points of the trials' curves.
struct CurvesChoice {
    std::set<std::string> series{};  ///< by name; empty: all
    std::set<int> ranks{};           ///< empty: all
    std::int64_t firstStep = std::numeric_limits<std::int64_t>::min();
    std::int64_t lastStep = std::numeric_limits<std::int64_t>::max();  ///< this one included
    WallNs from = std::numeric_limits<WallNs>::min();
    WallNs to = std::numeric_limits<WallNs>::max();  ///< this one included

    bool has(std::int64_t step, WallNs time) const
    {
        return step >= firstStep && step <= lastStep && time >= from && time <= to;
    }
};

/// Names of series that a trial's rank 0 has declared, in the last attempt of its chain that declares any, as far as
/// `mostBytes` of its feed tell; in the order in which they were.
std::vector<std::string> declaredSeries(const WorkspaceLayout &workspace, const sweep::SweepRecord &sweep,
                                        const sweep::TrialRecord &trial, std::uint64_t mostBytes = 16 << 20);

/// Long form: sweep, trial, attempt, rank, series, step, time, value; every point of every attempt's rank feeds, in the
/// order trial, attempt, rank, series (as declared), point. Gaps follow the rank's points: rows with the series name
/// "gap", no step, and the number of lost records as value. A feed that is damaged is exported as far as it reads, and
/// the error of it is returned at the end (Corrupt; the file is there); so it is with one that was cut off. As JSON:
/// curvestable.h. "-" is standard output.
Expected<void> exportCurves(const WorkspaceLayout &workspace, const sweep::SweepRecord &sweep,
                            const std::vector<sweep::TrialRecord> &trials, const std::filesystem::path &file,
                            const Progress &progress = {}, const CurvesChoice &choice = {});

/// What the machine did meanwhile: sweep, trial, attempt, rank, device, series, time, value, simulated. Rows of devices
/// (load of GPUs and cores, cost of the monitoring itself, over the time of the sweep) have no trial, attempt and rank;
/// rows of ranks (CPU, memory, disk traffic) have no device. `simulated` is true for what a fake driver made up. Errors
/// as of exportCurves().
Expected<void> exportDevices(const WorkspaceLayout &workspace, const sweep::SweepRecord &sweep,
                             const std::vector<sweep::TrialRecord> &trials, const std::filesystem::path &file,
                             const Progress &progress = {});

/// The findings of the trials' attempts, and rules that found nothing (docs/diagnosis.md): sweep, trial, attempt, rule,
/// verdict (found, clear, not enough data, not applicable), severity, rank, device, from, to, from_step, to_step, value, threshold, unit,
/// threshold_source, sentence, hint, simulated. One row per finding, and one for each rule that found nothing: the
/// sentence then says which data is missing, or why the rule does not apply. Errors as of exportCurves().
Expected<void> exportFindings(const WorkspaceLayout &workspace, const sweep::SweepRecord &sweep,
                              const std::vector<sweep::TrialRecord> &trials, const std::filesystem::path &file,
                              const Progress &progress = {});

}  // namespace sweepscope::exporting
