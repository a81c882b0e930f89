#include "engine/store.h"

#include "engine/rowcodec.h"
#include "engine/storereader.h"

#include <array>
#include <cmath>
#include <cstdio>

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
/// NaN as NULL, which is what SQLite makes of it.
QVariant variant(double value)
{
    return std::isnan(value) ? QVariant() : QVariant(value);
}
QVariant variant(const std::string &value)
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

/// `body` between BEGIN and COMMIT.
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
    for (const char c : name.substr(0, maxLength)) {
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
    std::vector<TrialRow> rows;
    rows.reserve(plans.size());
    for (const sweep::TrialPlan &plan : plans)
        rows.push_back(queuedTrial(plan));
    sweep::SweepRecord made = sweep;
    made.trialsTotal = static_cast<int>(plans.size());
    Expected<void> done = inTransaction(m_database, [&]() -> Expected<void> {
        Expected<QSqlQuery> insert =
            m_database.prepare("INSERT INTO sweep (id, name, folder, state, objective, maximize, "
                               "parameter_names, toml, base_folder, trials_total, "
                               "created) VALUES (MAX(?, COALESCE((SELECT seq FROM "
                               "sqlite_sequence WHERE name = 'sweep'), 0)) + 1, ?, '', ?, ?, ?, "
                               "?, ?, ?, ?, ?)");
        if (!insert)
            return tl::unexpected<Error>(insert.error());
        insert->addBindValue(toVariant(above));
        insert->addBindValue(toVariant(made.name));
        insert->addBindValue(toVariant(sweep::toString(made.state)));
        insert->addBindValue(toVariant(made.objective));
        insert->addBindValue(made.goal == sweep::Goal::Maximize ? 1 : 0);
        insert->addBindValue(toVariant(made.parameterNames));
        insert->addBindValue(toVariant(made.toml));
        insert->addBindValue(toVariant(made.baseFolder));
        insert->addBindValue(made.trialsTotal);
        insert->addBindValue(toVariant(made.created));
        if (Expected<void> inserted = m_database.execute(*insert); !inserted)
            return inserted;
        made.id = insert->lastInsertId().toLongLong();
        made.folder = sweepFolderName(made.id, made.name);
        return run("UPDATE sweep SET folder = ? WHERE id = ?", made.folder, made.id)
            .and_then([&] { return insertTrials(made.id, rows); })
            .and_then([&] {
                return writeHistory(made.id, 0, {}, sweep::toString(made.state),
                                    counted(facts::Code::Launched, plans.size()), made.created);
            })
            .and_then([&] { return beforeCommit(made); });
    });
    if (!done)
        return tl::unexpected<Error>(done.error());
    for (TrialRow &row : rows)
        row.record.sweepId = made.id;
    sweep = std::move(made);
    return rows;
}

Expected<void> Store::insertTrials(std::int64_t sweepId, const std::vector<TrialRow> &rows)
{
    Expected<QSqlQuery> insert = m_database.prepare("INSERT INTO trial (sweep, number, state, parameters, seed, ranks, "
                                                    "reason, priority, enqueued) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
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
                run("UPDATE sweep SET state = ?, ended = ?, rested = ?, stop_mode = ?, priority = ?, archived = ?, "
                    "toml = ?, trials_total = ? WHERE id = ?",
                    sweep::toString(changed.state), changed.ended, changed.rested, sweep::toString(changed.stopMode),
                    changed.priority, changed.archived ? 1 : 0, changed.toml, changed.trialsTotal, sweep.id)
                    .and_then([&] {
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

Expected<void> Store::discardTrials(std::int64_t sweepId, int from)
{
    return run("DELETE FROM trial WHERE sweep = ? AND number >= ?", sweepId, from).and_then([&] {
        return run("DELETE FROM history WHERE sweep = ? AND trial >= ?", sweepId, from);
    });
}

Expected<void> Store::keepDefinition(std::int64_t sweepId, const DefinitionChange &definition, WallNs time)
{
    if (definition.isUndo)
        return run("DELETE FROM definition WHERE id = (SELECT MAX(id) FROM definition WHERE sweep = ?)", sweepId);
    return run("INSERT INTO definition (sweep, time, toml) VALUES (?, ?, ?)", sweepId, time, definition.before);
}

Expected<void> Store::deleteSweep(std::int64_t sweepId, const std::function<Expected<void>()> &beforeCommit)
{
    return inTransaction(m_database, [&]() -> Expected<void> {
        for (const char *statement : {"DELETE FROM rung WHERE sweep = ?", "DELETE FROM history WHERE sweep = ?",
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
    return run("UPDATE attempt SET agent_pid = ?, agent_start_time = ? WHERE sweep = ? AND trial = ? AND number = ?",
               static_cast<int>(attempt.agent->pid), static_cast<std::int64_t>(attempt.agent->startTime),
               attempt.sweepId, attempt.trial, attempt.number);
}

Expected<void> Store::endAttempt(const TrialChange &change, const AttemptRow &attempt, const AttemptEnding &ending)
{
    return inTransaction(m_database, [&] {
        return writeChange(change, ending.time).and_then([&] {
            return run("UPDATE attempt SET ended = ?, outcome = ?, failure = ?, reason = ? "
                       "WHERE sweep = ? AND trial = ? AND number = ?",
                       ending.time, ending.outcome, ending.failure, ending.reason, attempt.sweepId, attempt.trial,
                       attempt.number);
        });
    });
}

Expected<void> Store::stopQueuedTrials(std::int64_t sweepId, const facts::Fact &reason, WallNs time)
{
    return run("INSERT INTO history (time, sweep, trial, state_before, state_after, reason) "
               "SELECT ?, sweep, number, state, 'stopped', ? FROM trial WHERE sweep = ? AND state = 'waiting'",
               time, reason, sweepId)
        .and_then([&] {
            return run(
                "UPDATE trial SET state = 'stopped', ended = ?, reason = ? WHERE sweep = ? AND state = 'waiting'", time,
                reason, sweepId);
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

Expected<std::vector<TrialRung>> Store::rungs(std::int64_t sweepId)
{
    return StoreReader(m_database).rungs(sweepId);
}

Expected<void> Store::noteRungs(std::int64_t sweepId, int trial, const std::vector<RungValue> &reached)
{
    return inTransaction(m_database, [&]() -> Expected<void> {
        for (const RungValue &value : reached) {
            Expected<void> written = run("INSERT OR REPLACE INTO rung (sweep, trial, step, best) VALUES (?, ?, ?, ?)",
                                         sweepId, trial, value.rung, value.best);
            if (!written)
                return written;
        }
        return {};
    });
}

Expected<void> Store::forgetRungs(std::int64_t sweepId, int trial)
{
    return run("DELETE FROM rung WHERE sweep = ? AND trial = ?", sweepId, trial);
}

Expected<void> Store::writeTrial(const TrialRow &trial)
{
    Expected<QSqlQuery> update = m_database.prepare(
        "UPDATE trial SET state = ?, attempts = ?, failures = ?, devices = ?, objective_last = ?, objective_last_step "
        "= ?, "
        "objective_best = ?, objective_best_step = ?, started = ?, ended = ?, step = ?, progress = ?, reason = ?, "
        "priority = ?, spared = ?, simulated = ?, asked = ?, metrics = ?, paused = ?, paused_since = ?, "
        "starred = ?, tags = ?, note = ?, first_attempt = ?, ran = ?, first_step = ?, objective_reached = ? "
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
        Expected<void> written =
            writeHistory(trial.record.sweepId, trial.record.number, sweep::toString(transition.before),
                         sweep::toString(transition.after), transition.reason, time);
        if (!written)
            return written;
    }
    return {};
}

}  // namespace sweepscope::engine
