#include "engine/store.h"

#include "engine/rowcodec.h"
#include "engine/storereader.h"
#include "sweep/trialtime.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

namespace sweepscope::engine {

namespace {

QVariant variant(int value)
{
    return value;
}
QVariant variant(std::int64_t value)
{
    return toVariant(value);
}
/// Binds NaN as NULL, as SQLite would.
QVariant variant(double value)
{
    return std::isnan(value) ? QVariant() : QVariant(value);
}
QVariant variant(const std::string &value)
{
    return toVariant(value);
}
QVariant variant(const std::vector<std::string> &value)
{
    return toVariant(value);
}
QVariant variant(const facts::Fact &value)
{
    return toVariant(value);
}
QVariant variant(const std::optional<WallNs> &value)
{
    return toVariant(value);
}
QVariant variant(const std::optional<int> &value)
{
    return value ? QVariant(*value) : QVariant();
}

facts::Fact launchedFact(const sweep::SweepRecord &sweep)
{
    using facts::Code;
    if (sweep.trialsToCome == 0)
        return counted(Code::Launched, static_cast<std::size_t>(sweep.trialsTotal));
    facts::Fact search = Code::SearchLaunched;
    return sweep.trialsToCome ? std::move(search).with(facts::Field::Limit, *sweep.trialsToCome) : search;
}

/// Runs `body` between BEGIN and COMMIT.
template <typename Body>
Expected<void> inTransaction(Database &database, Body &&body)
{
    Expected<Transaction> transaction = Transaction::begin(database);
    if (!transaction)
        return tl::unexpected<Error>(transaction.error());
    return body().and_then([&] { return transaction->commit(); });
}

}  // namespace

std::string sweepFolderName(std::int64_t id, const std::string &name)
{
    std::array<char, 24> number{};
    std::snprintf(number.data(), number.size(), "%04lld", static_cast<long long>(id));
    constexpr std::size_t maxLength = 64;
    std::string safe;
    for (const char c : name) {
        const bool continuesCharacter = (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;  // of UTF-8
        if (continuesCharacter)
            continue;
        if (safe.size() == maxLength)
            break;
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-'
                           || c == '_' || (c == '.' && !safe.empty());
        safe += plain ? c : '_';
    }
    return std::string(number.data()) + "-" + (safe.empty() ? "sweep" : safe);
}

template <typename... Values>
Expected<void> Store::run(const char *sql, const Values &...values)
{
    Expected<QSqlQuery> query = m_database.prepare(sql);
    if (!query)
        return tl::unexpected<Error>(query.error());
    (query->addBindValue(variant(values)), ...);
    return m_database.execute(*query);
}

Expected<std::vector<TrialRow>>
Store::insertSweep(sweep::SweepRecord &sweep, const std::vector<sweep::TrialPlan> &plans,
                   const std::function<Expected<void>(const sweep::SweepRecord &)> &beforeCommit, std::int64_t above)
{
    NewSweep made{sweep, plans, {}};
    const Expected<bool> inserted = insertPart(made, plans.size(), beforeCommit, above);
    if (!inserted)
        return tl::unexpected<Error>(inserted.error());
    sweep = std::move(made.record);
    return std::move(made.trials);
}

Expected<bool> Store::insertPart(NewSweep &sweep, std::size_t most,
                                 const std::function<Expected<void>(const sweep::SweepRecord &)> &beforeCommit,
                                 std::int64_t above)
{
    sweep::SweepRecord made = sweep.record;
    const std::size_t before = sweep.trials.size();
    const std::size_t end = before + std::min(most, sweep.plans.size() - before);
    sweep.trials.reserve(sweep.plans.size());
    const Expected<void> done = inTransaction(m_database, [&]() -> Expected<void> {
        if (made.id == 0) {
            made.trialsTotal = static_cast<int>(sweep.plans.size());
            if (Expected<void> inserted = insertUnfinished(made, above); !inserted)
                return inserted;
        }
        for (std::size_t i = before; i < end; ++i)
            sweep.trials.push_back(queuedTrial(std::move(sweep.plans[i])));
        if (Expected<void> inserted = insertTrials(made.id, std::span(sweep.trials).subspan(before)); !inserted)
            return inserted;
        if (end < sweep.plans.size())
            return {};
        made.folder = sweepFolderName(made.id, made.name);
        return run("UPDATE sweep SET folder = ? WHERE id = ?", made.folder, made.id)
            .and_then([&] {
                return writeHistory(made.id, 0, {}, sweep::toString(made.state), launchedFact(made), made.created);
            })
            .and_then([&] { return beforeCommit(made); });
    });
    if (!done)
        return tl::unexpected<Error>(done.error());
    for (std::size_t i = before; i < end; ++i)
        sweep.trials[i].record.sweepId = made.id;
    sweep.record = std::move(made);
    return end == sweep.plans.size();
}

Expected<void> Store::insertUnfinished(sweep::SweepRecord &sweep, std::int64_t above)
{
    Expected<QSqlQuery> insert =
        m_database.prepare("INSERT INTO sweep (id, name, folder, state, objective, maximize, parameter_names, toml, "
                           "base_folder, trials_total, trials_to_come, created) VALUES (MAX(?, COALESCE((SELECT seq "
                           "FROM sqlite_sequence WHERE name = 'sweep'), 0)) + 1, ?, '', ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    if (!insert)
        return tl::unexpected<Error>(insert.error());
    insert->addBindValue(toVariant(above));
    insert->addBindValue(toVariant(sweep.name));
    insert->addBindValue(toVariant(sweep::toString(sweep.state)));
    insert->addBindValue(toVariant(sweep.objective));
    insert->addBindValue(sweep.goal == sweep::Goal::Maximize ? 1 : 0);
    insert->addBindValue(toVariant(sweep.parameterNames));
    insert->addBindValue(toVariant(sweep.toml));
    insert->addBindValue(toVariant(sweep.baseFolder));
    insert->addBindValue(sweep.trialsTotal);
    insert->addBindValue(variant(sweep.trialsToCome));
    insert->addBindValue(toVariant(sweep.created));
    if (Expected<void> inserted = m_database.execute(*insert); !inserted)
        return inserted;
    sweep.id = insert->lastInsertId().toLongLong();
    return {};
}

Expected<void> Store::removeUnfinished()
{
    return inTransaction(m_database, [&] {
        return run("DELETE FROM trial WHERE sweep IN (SELECT id FROM sweep WHERE folder = '')").and_then([&] {
            return run("DELETE FROM sweep WHERE folder = ''");
        });
    });
}

Expected<void> Store::insertTrials(std::int64_t sweepId, std::span<const TrialRow> rows)
{
    Expected<QSqlQuery> insert = m_database.prepare("INSERT INTO trial (sweep, number, state, parameters, seed, ranks, "
                                                    "reason, priority, enqueued, chosen) "
                                                    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    if (!insert)
        return tl::unexpected<Error>(insert.error());
    for (const TrialRow &row : rows) {
        const sweep::TrialRecord &trial = row.record;
        int column = 0;
        insert->bindValue(column++, toVariant(sweepId));
        insert->bindValue(column++, trial.number);
        insert->bindValue(column++, toVariant(sweep::toString(trial.state)));
        insert->bindValue(column++, parametersToVariant(trial.parameters));
        insert->bindValue(column++, toVariant(static_cast<std::int64_t>(trial.seed)));
        insert->bindValue(column++, trial.ranks);
        insert->bindValue(column++, toVariant(trial.reason));
        insert->bindValue(column++, trial.priority);
        insert->bindValue(column++, trial.enqueued ? 1 : 0);
        insert->bindValue(column++, toVariant(trial.chosen));
        if (Expected<void> inserted = m_database.execute(*insert); !inserted)
            return inserted;
    }
    return {};
}

Expected<void> Store::changeSweep(const SweepChange &change, sweep::SweepState before, WallNs time)
{
    Decision decision;
    decision.sweep = change;
    sweep::SweepRecord known = change.record;
    known.state = before;
    return commit(known, decision, time);
}

Expected<void> Store::commit(const sweep::SweepRecord &sweep, const Decision &decision, WallNs time)
{
    return inTransaction(m_database, [&]() -> Expected<void> {
        if (decision.sweep) {
            const sweep::SweepRecord &changed = decision.sweep->record;
            Expected<void> done =
                writeSweep(changed)
                    .and_then([&] {  // values at rungs are of the objective
                        return changed.objective != sweep.objective || changed.goal != sweep.goal
                                   ? run("DELETE FROM prune_log WHERE sweep = ?", sweep.id)
                                   : Expected<void>();
                    })
                    .and_then([&] {
                        if (!decision.sweep->reason)  // a trial that a search adds has its own history
                            return Expected<void>();
                        return writeHistory(sweep.id, 0, sweep::toString(sweep.state), sweep::toString(changed.state),
                                            decision.sweep->reason, time);
                    });
            if (!done)
                return done;
        }
        if (decision.definition) {
            if (Expected<void> done = keepDefinition(sweep.id, *decision.definition, time); !done)
                return done;
        }
        if (decision.queuedStop) {
            if (Expected<void> done = stopQueuedTrials(sweep.id, *decision.queuedStop, time); !done)
                return done;
        }
        for (const TrialChange &change : decision.trials) {
            if (Expected<void> done = writeChange(change, time); !done)
                return done;
        }
        if (decision.discardFrom != 0) {
            if (Expected<void> done = discardTrials(sweep.id, decision.discardFrom); !done)
                return done;
        }
        return decision.added.empty() ? Expected<void>() : insertTrials(sweep.id, decision.added);
    });
}

Expected<void> Store::writeSweep(const sweep::SweepRecord &sweep)
{
    return run(
        "UPDATE sweep SET name = ?, state = ?, ended = ?, rested = ?, stop_mode = ?, priority = ?, "
        "archived = ?, toml = ?, trials_total = ?, trials_to_come = ?, objective = ?, maximize = ?, starred = ?, "
        "tags = ?, note = ? WHERE id = ?",
        sweep.name, sweep::toString(sweep.state), sweep.ended, sweep.rested, sweep::toString(sweep.stopMode),
        sweep.priority, sweep.archived ? 1 : 0, sweep.toml, sweep.trialsTotal, sweep.trialsToCome, sweep.objective,
        sweep.goal == sweep::Goal::Maximize ? 1 : 0, sweep.mark.starred ? 1 : 0, sweep.mark.tags, sweep.mark.note,
        sweep.id);
}

Expected<void> Store::copyResults(const sweep::SweepRecord &sweep, std::span<const CopiedTrial> trials,
                                  const std::string &schema)
{
    const std::string copyAttempts =
        "INSERT INTO attempt (sweep, trial, number, id, devices, created, ended, outcome, failure, reason) SELECT ?, "
        "?, "
        "number, id || ? || '-' || ?, devices, created, ended, outcome, failure, reason FROM "
        + schema + ".attempt WHERE sweep = ? AND trial = ?";
    const std::string copyHistory =
        "INSERT INTO history (time, sweep, trial, state_before, state_after, reason, objective, objective_step, "
        "device_time, outcome) SELECT time, ?, ?, state_before, state_after, reason, objective, objective_step, "
        "device_time, outcome FROM "
        + schema + ".history WHERE sweep = ? AND trial = ? ORDER BY id";
    const std::string suffix = "-joined-" + std::to_string(sweep.id);
    for (const CopiedTrial &copied : trials) {
        TrialRow row = copied.row;
        row.record.sweepId = sweep.id;
        const int number = row.record.number;
        Expected<void> done =
            writeTrial(row)
                .and_then([&] {
                    return run(copyAttempts.c_str(), sweep.id, number, suffix, number, copied.fromSweep,
                               copied.fromTrial);
                })
                .and_then(
                    [&] { return run(copyHistory.c_str(), sweep.id, number, copied.fromSweep, copied.fromTrial); });
        if (!done)
            return done;
    }
    return writeSweep(sweep);
}

Expected<void> Store::discardTrials(std::int64_t sweepId, int from)
{
    return run("DELETE FROM trial WHERE sweep = ? AND number >= ?", sweepId, from).and_then([&] {
        return run("DELETE FROM history WHERE sweep = ? AND trial >= ?", sweepId, from);
    });
}

Expected<void> Store::keepDefinition(std::int64_t sweepId, const DefinitionChange &definition, WallNs time)
{
    Expected<void> undone;
    if (definition.isUndo)
        undone = run("UPDATE definition SET undone = 1 WHERE id = (SELECT MAX(id) FROM definition WHERE sweep = ? AND "
                     "undone = 0)",
                     sweepId);
    return undone.and_then([&] {
        return run("INSERT INTO definition (sweep, time, toml, undone) VALUES (?, ?, ?, ?)", sweepId, time,
                   definition.before, definition.isUndo ? 1 : 0);
    });
}

Expected<void> Store::deleteSweep(std::int64_t sweepId, const std::function<Expected<void>()> &beforeCommit)
{
    return inTransaction(m_database, [&]() -> Expected<void> {
        for (const char *statement : {"DELETE FROM prune_log WHERE sweep = ?", "DELETE FROM history WHERE sweep = ?",
                                      "DELETE FROM definition WHERE sweep = ?", "DELETE FROM attempt WHERE sweep = ?",
                                      "DELETE FROM trial WHERE sweep = ?", "DELETE FROM sweep WHERE id = ?"}) {
            if (Expected<void> done = run(statement, sweepId); !done)
                return done;
        }
        return beforeCommit();
    });
}

Expected<void> Store::beginAttempt(const TrialChange &change, const AttemptRow &attempt)
{
    return inTransaction(m_database, [&] {
        return writeChange(change, attempt.created).and_then([&] {
            return run("INSERT INTO attempt (sweep, trial, number, id, created, devices) VALUES (?, ?, ?, ?, ?, ?)",
                       attempt.sweepId, attempt.trial, attempt.number, attempt.id, attempt.created, attempt.devices);
        });
    });
}

Expected<void> Store::noteAgent(const AttemptRow &attempt)
{
    return run("UPDATE attempt SET agent_pid = ?, agent_start_time = ?, created = ? "
               "WHERE sweep = ? AND trial = ? AND number = ?",
               static_cast<int>(attempt.agent->pid), static_cast<std::int64_t>(attempt.agent->startTime),
               attempt.created, attempt.sweepId, attempt.trial, attempt.number);
}

Expected<void> Store::endAttempt(const TrialChange &change, const AttemptRow &attempt, const AttemptEnding &ending)
{
    return inTransaction(m_database, [&] {
        return writeChange(change, ending.time).and_then([&] {
            return run("UPDATE attempt SET ended = ?, outcome = ?, failure = ?, reason = ?, created = ? "
                       "WHERE sweep = ? AND trial = ? AND number = ?",
                       ending.time, ending.outcome, ending.failure, ending.reason, attempt.created, attempt.sweepId,
                       attempt.trial, attempt.number);
        });
    });
}

Expected<void> Store::stopQueuedTrials(std::int64_t sweepId, const facts::Fact &reason, WallNs time)
{
    return run("INSERT INTO history (time, sweep, trial, state_before, state_after, reason, objective, objective_step) "
               "SELECT ?, sweep, number, state, 'stopped', ?, objective_best, objective_last_step FROM trial "
               "WHERE sweep = ? AND state = 'queued' ORDER BY number",
               time, reason, sweepId)
        .and_then([&] {
            return run("UPDATE trial SET state = 'stopped', ended = ?, reason = ? "
                       "WHERE sweep = ? AND state = 'queued'",
                       time, reason, sweepId);
        });
}

Expected<void> Store::updateProgress(const std::vector<const TrialRow *> &trials)
{
    return inTransaction(m_database, [&]() -> Expected<void> {
        for (const TrialRow *trial : trials) {
            if (Expected<void> written = writeTrial(*trial); !written)
                return written;
        }
        return {};
    });
}

Expected<std::vector<sweep::AttemptRecord>> Store::attempts(std::int64_t sweepId, int trial)
{
    return StoreReader(m_database).attempts(sweepId, trial);
}

Expected<std::vector<sweep::TrialRecord>> Store::changes(std::int64_t sweepId)
{
    return StoreReader(m_database).changes(sweepId);
}

Expected<std::vector<sweep::HistoryEntry>> Store::history(std::int64_t sweepId, int trial)
{
    return StoreReader(m_database).history(sweepId, trial);
}

Expected<std::vector<pruning::LogEntry>> Store::pruneLog(std::int64_t sweepId)
{
    return StoreReader(m_database).pruneLog(sweepId);
}

Expected<void> Store::appendToPruneLog(std::int64_t sweepId, const std::vector<pruning::LogEntry> &entries)
{
    return inTransaction(m_database, [&]() -> Expected<void> {
        for (const pruning::LogEntry &entry : entries) {
            const std::string sql = std::string("INSERT INTO prune_log (sweep, ") + pruneLogColumns
                                    + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
            Expected<QSqlQuery> insert = m_database.prepare(sql.c_str());
            if (!insert)
                return tl::unexpected<Error>(insert.error());
            insert->addBindValue(toVariant(sweepId));
            bindPruneLogEntry(*insert, entry);
            if (Expected<void> written = m_database.execute(*insert); !written)
                return written;
        }
        return {};
    });
}

Expected<void> Store::writeTrial(const TrialRow &trial)
{
    Expected<QSqlQuery> update = m_database.prepare(
        "UPDATE trial SET state = ?, attempts = ?, failures = ?, devices = ?, objective_last = ?, objective_last_step "
        "= ?, "
        "objective_best = ?, objective_best_step = ?, started = ?, ended = ?, step = ?, progress = ?, reason = ?, "
        "priority = ?, spared = ?, simulated = ?, asked = ?, metrics = ?, paused = ?, paused_since = ?, "
        "starred = ?, tags = ?, note = ?, first_attempt = ?, ran = ?, first_step = ?, objective_reached = ?, "
        "point_mean = ?, point_error = ?, point_runs = ?, violation = ? "
        "WHERE sweep = ? AND number = ?");
    if (!update)
        return tl::unexpected<Error>(update.error());
    bindTrialChanges(*update, trial);
    if (Expected<void> done = m_database.execute(*update); !done)
        return done;
    if (update->numRowsAffected() != 1)
        return makeError(ErrorCode::NotFound, "the database has no trial " + std::to_string(trial.record.number)
                                                  + " of sweep " + std::to_string(trial.record.sweepId));
    return {};
}

Expected<void> Store::writeChange(const TrialChange &change, WallNs time)
{
    return writeTrial(change.row).and_then([&] { return writeTransitions(change.row, change.transitions, time); });
}

Expected<void> Store::writeHistory(std::int64_t sweepId, int trial, const std::string &before, const std::string &after,
                                   const facts::Fact &reason, WallNs time)
{
    return run("INSERT INTO history (time, sweep, trial, state_before, state_after, reason) VALUES (?, ?, ?, ?, ?, ?)",
               time, sweepId, trial, before, after, reason);
}

Expected<void> Store::writeTransitions(const TrialRow &trial, std::span<const Transition> transitions, WallNs time)
{
    for (const Transition &transition : transitions) {
        const sweep::TrialRecord &record = trial.record;
        const bool hasValue = record.objectiveBest && record.objectiveLast;
        Expected<void> written = run(
            "INSERT INTO history (time, sweep, trial, state_before, state_after, reason, objective, objective_step, "
            "device_time, outcome) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            time, record.sweepId, record.number, sweep::toString(transition.before), sweep::toString(transition.after),
            transition.reason, hasValue ? record.objectiveBest->value : std::numeric_limits<double>::quiet_NaN(),
            hasValue ? std::optional<std::int64_t>(record.objectiveLast->step) : std::nullopt,
            sweep::deviceTime(record), outcomeText(trial.outcome));
        if (!written)
            return written;
    }
    return {};
}

}  // namespace sweepscope::engine
