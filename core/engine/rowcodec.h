#pragma once

#include "base/error.h"
#include "engine/trialrow.h"

#include <QSqlQuery>
#include <QVariant>

#include <vector>

/// Rows of the database as plain values and back. Column lists and bind orders are defined once, here.
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
    "stop_mode, priority, archived, (SELECT COUNT(*) FROM definition WHERE definition.sweep = sweep.id), "
    "rested, (SELECT TOTAL(MAX(ended - created, 0) * devices) FROM attempt WHERE attempt.sweep = sweep.id AND "
    "attempt.ended IS NOT NULL)";
Expected<sweep::SweepRecord> sweepFromRow(const QSqlQuery &row);

inline constexpr const char *trialColumns =
    "sweep, number, state, parameters, seed, ranks, attempts, failures, devices, objective_last, objective_last_step, "
    "objective_best, objective_best_step, started, ended, step, progress, reason, "
    "(SELECT created FROM attempt WHERE attempt.sweep = trial.sweep AND attempt.trial = trial.number AND "
    "attempt.number = trial.attempts), priority, enqueued, spared, simulated, asked, starred, tags, note, metrics, "
    "paused, paused_since, "
    "(SELECT ended FROM attempt WHERE attempt.sweep = trial.sweep AND attempt.trial = trial.number AND "
    "attempt.number = trial.attempts), first_attempt, ran, first_step, objective_reached";
Expected<TrialRow> trialFromRow(const QSqlQuery &row);

QVariant parametersToVariant(const sweep::ParameterSet &parameters);

/// Binds everything of a trial that changes, in this order, then its key:
/// state, attempts, failures, devices, the four of the objective, started, ended, step, progress, reason, priority,
/// spared, simulated, asked, metrics, paused, paused_since, starred, tags, note, first_attempt, ran, first_step,
/// objective_reached; sweep, number.
void bindTrialChanges(QSqlQuery &query, const TrialRow &trial);

inline constexpr const char *attemptColumns = "sweep, trial, number, id, agent_pid, agent_start_time, created, devices";
AttemptRow attemptFromRow(const QSqlQuery &row);

}  // namespace sweepscope::engine
