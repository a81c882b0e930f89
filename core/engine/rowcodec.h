#pragma once

#include "base/error.h"
#include "engine/trialrow.h"
#include "pruning/prunelog.h"

#include <QSqlQuery>
#include <QVariant>

#include <vector>

/// Converts rows of the database to plain values and back. Column lists and bind orders are defined only here.
namespace sweepscope::engine {

std::string text(const QSqlQuery &row, int column);

QVariant toVariant(std::int64_t number);
QVariant toVariant(const std::string &utf8);
QVariant toVariant(const std::optional<WallNs> &time);
QVariant toVariant(const std::vector<std::string> &texts);  ///< JSON
QVariant toVariant(const facts::Fact &fact);                ///< JSON
facts::Fact factFromRow(const QSqlQuery &row, int column);

inline constexpr const char *sweepColumns =
    "id, name, folder, state, objective, maximize, parameter_names, toml, base_folder, trials_total, created, ended, "
    "stop_mode, priority, archived, "
    "(SELECT COUNT(*) FROM definition WHERE definition.sweep = sweep.id AND undone = 0), "
    "rested, (SELECT TOTAL(MAX(ended - created, 0) * devices) FROM attempt WHERE attempt.sweep = sweep.id AND "
    "attempt.ended IS NOT NULL), trials_to_come, "
    "(SELECT COUNT(*) FROM definition WHERE definition.sweep = sweep.id), starred, tags, note";
Expected<sweep::SweepRecord> sweepFromRow(const QSqlQuery &row);

inline constexpr const char *trialColumns =
    "sweep, number, state, parameters, seed, ranks, attempts, failures, devices, objective_last, objective_last_step, "
    "objective_best, objective_best_step, started, ended, step, progress, reason, "
    "(SELECT created FROM attempt WHERE attempt.sweep = trial.sweep AND attempt.trial = trial.number AND "
    "attempt.number = trial.attempts), priority, enqueued, spared, simulated, asked, starred, tags, note, metrics, "
    "paused, paused_since, "
    "(SELECT ended FROM attempt WHERE attempt.sweep = trial.sweep AND attempt.trial = trial.number AND "
    "attempt.number = trial.attempts), first_attempt, ran, first_step, objective_reached, chosen, "
    "point_mean, point_error, point_runs, violation";
Expected<TrialRow> trialFromRow(const QSqlQuery &row);

/// TrialRow::outcome as JSON; "" without any.
std::string outcomeText(const std::vector<std::pair<std::string, double>> &outcome);
std::vector<std::pair<std::string, double>> outcomeFromText(const std::string &json);

QVariant parametersToVariant(const sweep::ParameterSet &parameters);

/// Binds all fields of a trial that change, in this order, then its key: state, attempts, failures, devices, the four
/// of the objective, started, ended, step, progress, reason, priority, spared, simulated, asked, metrics, paused,
/// paused_since, starred, tags, note, first_attempt, ran, first_step, objective_reached, the three of the
/// mean, violation; sweep, number.
void bindTrialChanges(QSqlQuery &query, const TrialRow &trial);

inline constexpr const char *pruneLogColumns = "trial, event, step, best, last, definition, pruned, peers, bound";
pruning::LogEntry pruneLogEntryFromRow(const QSqlQuery &row);
void bindPruneLogEntry(QSqlQuery &query, const pruning::LogEntry &entry);

inline constexpr const char *attemptColumns = "sweep, trial, number, id, agent_pid, agent_start_time, created, devices";
AttemptRow attemptFromRow(const QSqlQuery &row);

}  // namespace sweepscope::engine
