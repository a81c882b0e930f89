#include "engine/store.h"

#include "engine/rowcodec.h"

#include <array>
#include <cstdio>

namespace sweepscope::engine {

namespace {

/// "0003-digits-mlp": the id, and of the name what is harmless in any file system.
std::string folderName(std::int64_t id, const std::string &name)
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

QVariant variant(int value)
{
    return value;
}
QVariant variant(std::int64_t value)
{
    return toVariant(value);
}
QVariant variant(const std::string &value)
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

template <typename... Values>
Expected<void> Store::run(const char *sql, const Values &...values)
{
    Expected<QSqlQuery> query = m_database.prepare(sql);
    if (!query)
        return tl::unexpected<Error>(query.error());
    (query->addBindValue(variant(values)), ...);
    return m_database.execute(*query);
}

Expected<void> Store::insertSweep(sweep::SweepRecord &sweep, const std::vector<sweep::TrialPlan> &plans,
                                  const std::string &waitingCause,
                                  const std::function<Expected<void>(const sweep::SweepRecord &)> &beforeCommit)
{
    sweep::SweepRecord made = sweep;
    made.trialsTotal = static_cast<int>(plans.size());
    Expected<void> done = inTransaction(m_database, [&]() -> Expected<void> {
        Expected<QSqlQuery> insert = m_database.prepare("INSERT INTO sweep (name, folder, state, objective, maximize, "
                                                        "parameter_names, toml, base_folder, trials_total, "
                                                        "created) VALUES (?, '', ?, ?, ?, ?, ?, ?, ?, ?)");
        if (!insert)
            return tl::unexpected<Error>(insert.error());
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
        made.folder = folderName(made.id, made.name);
        return run("UPDATE sweep SET folder = ? WHERE id = ?", made.folder, made.id)
            .and_then([&] { return insertTrials(made.id, plans, waitingCause); })
            .and_then([&] {
                return writeHistory(made.id, 0, {}, sweep::toString(made.state),
                                    "launched with " + std::to_string(plans.size()) + " trials", made.created);
            })
            .and_then([&] { return beforeCommit(made); });
    });
    if (done)
        sweep = std::move(made);
    return done;
}

Expected<void> Store::insertTrials(std::int64_t sweepId, const std::vector<sweep::TrialPlan> &plans,
                                   const std::string &waitingCause)
{
    Expected<QSqlQuery> insert = m_database.prepare(
        "INSERT INTO trial (sweep, number, state, parameters, seed, ranks, cause) VALUES (?, ?, ?, ?, ?, ?, ?)");
    if (!insert)
        return tl::unexpected<Error>(insert.error());
    const QVariant state = toVariant(sweep::toString(sweep::TrialState::Waiting));
    const QVariant cause = toVariant(waitingCause);
    for (const sweep::TrialPlan &plan : plans) {
        int column = 0;
        insert->bindValue(column++, toVariant(sweepId));
        insert->bindValue(column++, plan.number);
        insert->bindValue(column++, state);
        insert->bindValue(column++, parametersToVariant(plan.parameters));
        insert->bindValue(column++, toVariant(static_cast<std::int64_t>(plan.seed)));
        insert->bindValue(column++, plan.ranks);
        insert->bindValue(column++, cause);
        if (Expected<void> inserted = m_database.execute(*insert); !inserted)
            return inserted;
    }
    return {};
}

Expected<void> Store::changeSweepState(const sweep::SweepRecord &sweep, sweep::SweepState before,
                                       const std::string &cause, WallNs time)
{
    return inTransaction(m_database, [&] {
        return run("UPDATE sweep SET state = ?, ended = ?, stop_mode = ?, priority = ? WHERE id = ?",
                   sweep::toString(sweep.state), sweep.ended, sweep::toString(sweep.stopMode), sweep.priority, sweep.id)
            .and_then([&] {
                return writeHistory(sweep.id, 0, sweep::toString(before), sweep::toString(sweep.state), cause, time);
            });
    });
}

Expected<void> Store::beginAttempt(const TrialRow &trial, const Transition &transition, const AttemptRow &attempt)
{
    return inTransaction(m_database, [&] {
        return writeTrial(trial)
            .and_then([&] { return writeTransitions(trial, std::span(&transition, 1), attempt.created); })
            .and_then([&] {
                return run("INSERT INTO attempt (sweep, trial, number, id, created) VALUES (?, ?, ?, ?, ?)",
                           attempt.sweepId, attempt.trial, attempt.number, attempt.id, attempt.created);
            });
    });
}

Expected<void> Store::noteAgent(const AttemptRow &attempt)
{
    return run("UPDATE attempt SET agent_pid = ?, agent_start_time = ? WHERE sweep = ? AND trial = ? AND number = ?",
               static_cast<int>(attempt.agent->pid), static_cast<std::int64_t>(attempt.agent->startTime),
               attempt.sweepId, attempt.trial, attempt.number);
}

Expected<void> Store::changeTrials(std::span<const TrialChange> changes, WallNs time)
{
    return inTransaction(m_database, [&]() -> Expected<void> {
        for (const TrialChange &change : changes) {
            if (Expected<void> done = writeChange(change, time); !done)
                return done;
        }
        return {};
    });
}

Expected<void> Store::endAttempt(const TrialChange &change, const AttemptRow &attempt, const std::string &outcome,
                                 const std::string &cause, WallNs time)
{
    return inTransaction(m_database, [&] {
        return writeChange(change, time).and_then([&] {
            return run(
                "UPDATE attempt SET ended = ?, outcome = ?, cause = ? WHERE sweep = ? AND trial = ? AND number = ?",
                time, outcome, cause, attempt.sweepId, attempt.trial, attempt.number);
        });
    });
}

Expected<void> Store::stopWaitingTrials(std::int64_t sweepId, const std::string &cause, WallNs time)
{
    return inTransaction(m_database, [&] {
        return run("INSERT INTO history (time, sweep, trial, state_before, state_after, cause) "
                   "SELECT ?, sweep, number, state, 'stopped', ? FROM trial WHERE sweep = ? AND state = 'waiting'",
                   time, cause, sweepId)
            .and_then([&] {
                return run(
                    "UPDATE trial SET state = 'stopped', ended = ?, cause = ? WHERE sweep = ? AND state = 'waiting'",
                    time, cause, sweepId);
            });
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

Expected<void> Store::writeTrial(const TrialRow &trial)
{
    Expected<QSqlQuery> update = m_database.prepare(
        "UPDATE trial SET state = ?, attempts = ?, failures = ?, devices = ?, objective_last = ?, objective_last_step "
        "= ?, "
        "objective_best = ?, objective_best_step = ?, started = ?, ended = ?, step = ?, progress = ?, cause = ?, "
        "priority = ? WHERE sweep = ? AND number = ?");
    if (!update)
        return tl::unexpected<Error>(update.error());
    bindTrialChanges(*update, trial);
    return m_database.execute(*update);
}

Expected<void> Store::writeChange(const TrialChange &change, WallNs time)
{
    return writeTrial(change.row).and_then([&] { return writeTransitions(change.row, change.transitions, time); });
}

Expected<void> Store::writeHistory(std::int64_t sweepId, int trial, const std::string &before, const std::string &after,
                                   const std::string &cause, WallNs time)
{
    return run("INSERT INTO history (time, sweep, trial, state_before, state_after, cause) VALUES (?, ?, ?, ?, ?, ?)",
               time, sweepId, trial, before, after, cause);
}

Expected<void> Store::writeTransitions(const TrialRow &trial, std::span<const Transition> transitions, WallNs time)
{
    for (const Transition &transition : transitions) {
        Expected<void> written =
            writeHistory(trial.record.sweepId, trial.record.number, sweep::toString(transition.before),
                         sweep::toString(transition.after), transition.cause, time);
        if (!written)
            return written;
    }
    return {};
}

}  // namespace sweepscope::engine
