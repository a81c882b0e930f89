#include "engine/storereader.h"

#include "engine/rowcodec.h"

#include <limits>
#include <string>

namespace sweepscope::engine {

Expected<std::vector<sweep::SweepRecord>> StoreReader::sweeps()
{
    const std::string sql = std::string("SELECT ") + sweepColumns + " FROM sweep ORDER BY id";
    Expected<QSqlQuery> query = m_database.prepare(sql.c_str());
    if (!query)
        return tl::unexpected<Error>(query.error());
    if (Expected<void> done = m_database.execute(*query); !done)
        return tl::unexpected<Error>(done.error());
    std::vector<sweep::SweepRecord> sweeps;
    while (query->next()) {
        Expected<sweep::SweepRecord> sweep = sweepFromRow(*query);
        if (!sweep)
            return tl::unexpected<Error>(sweep.error());
        sweeps.push_back(std::move(*sweep));
    }
    return sweeps;
}

Expected<std::vector<TrialRow>> StoreReader::trials(std::int64_t sweepId, int first, int last)
{
    return trialsWhere(sweepId,
                       "number BETWEEN " + std::to_string(first) + " AND " + std::to_string(last) + " ORDER BY number");
}

Expected<std::vector<sweep::TrialRecord>> StoreReader::allTrials(std::int64_t sweepId)
{
    Expected<std::vector<TrialRow>> rows = trials(sweepId, 1, std::numeric_limits<int>::max());
    if (!rows)
        return tl::unexpected<Error>(rows.error());
    std::vector<sweep::TrialRecord> records;
    records.reserve(rows->size());
    for (TrialRow &row : *rows)
        records.push_back(std::move(row.record));
    return records;
}

Expected<std::vector<TrialRow>> StoreReader::trialsWhere(std::int64_t sweepId, const std::string &condition)
{
    const std::string sql = std::string("SELECT ") + trialColumns + " FROM trial WHERE sweep = ? AND " + condition;
    Expected<QSqlQuery> query = m_database.prepare(sql.c_str());
    if (!query)
        return tl::unexpected<Error>(query.error());
    query->addBindValue(toVariant(sweepId));
    if (Expected<void> done = m_database.execute(*query); !done)
        return tl::unexpected<Error>(done.error());
    std::vector<TrialRow> trials;
    while (query->next()) {
        Expected<TrialRow> trial = trialFromRow(*query);
        if (!trial)
            return tl::unexpected<Error>(trial.error());
        trials.push_back(std::move(*trial));
    }
    return trials;
}

Expected<SweepSummary> StoreReader::summary(const sweep::SweepRecord &sweep)
{
    SweepSummary summary;
    Expected<QSqlQuery> counts = m_database.prepare("SELECT state, count(*) FROM trial WHERE sweep = ? GROUP BY state");
    if (!counts)
        return tl::unexpected<Error>(counts.error());
    counts->addBindValue(toVariant(sweep.id));
    if (Expected<void> done = m_database.execute(*counts); !done)
        return tl::unexpected<Error>(done.error());
    while (counts->next()) {
        if (const auto state = sweep::trialStateFromString(counts->value(0).toString().toStdString()))
            summary.counts[*state] = counts->value(1).toInt();
    }
    const auto take = [&](const std::string &condition, const auto &keep) -> Expected<void> {
        Expected<std::vector<TrialRow>> rows = trialsWhere(sweep.id, condition);
        if (!rows)
            return tl::unexpected<Error>(rows.error());
        for (TrialRow &row : *rows)
            keep(std::move(row.record));
        return {};
    };
    const std::string order = sweep.goal == sweep::Goal::Minimize ? "objective_best" : "objective_best DESC";
    return take("objective_best IS NOT NULL ORDER BY " + order + ", number LIMIT 1",
                [&](sweep::TrialRecord trial) { summary.best = std::move(trial); })
        .and_then([&] {
            return take("state IN ('starting', 'running', 'paused') ORDER BY number",
                        [&](sweep::TrialRecord trial) { summary.underWay.push_back(std::move(trial)); });
        })
        .and_then([&] {
            return take("state = 'completed' ORDER BY number DESC LIMIT 200",
                        [&](sweep::TrialRecord trial) { summary.lastCompleted.push_back(std::move(trial)); });
        })
        .map([&] { return std::move(summary); });
}

Expected<std::vector<AttemptRow>> StoreReader::openAttempts(std::int64_t sweepId)
{
    const std::string sql = std::string("SELECT ") + attemptColumns
                            + " FROM attempt WHERE sweep = ? AND ended IS NULL ORDER BY trial, number";
    Expected<QSqlQuery> query = m_database.prepare(sql.c_str());
    if (!query)
        return tl::unexpected<Error>(query.error());
    query->addBindValue(toVariant(sweepId));
    if (Expected<void> done = m_database.execute(*query); !done)
        return tl::unexpected<Error>(done.error());
    std::vector<AttemptRow> attempts;
    while (query->next())
        attempts.push_back(attemptFromRow(*query));
    return attempts;
}

Expected<WallNs> StoreReader::deviceTimeOfEndedAttempts(std::int64_t sweepId)
{
    Expected<QSqlQuery> query = m_database.prepare(
        "SELECT SUM((ended - created) * devices) FROM attempt WHERE sweep = ? AND ended IS NOT NULL");
    if (!query)
        return tl::unexpected<Error>(query.error());
    query->addBindValue(toVariant(sweepId));
    if (Expected<void> done = m_database.execute(*query); !done)
        return tl::unexpected<Error>(done.error());
    return query->next() ? query->value(0).toLongLong() : 0;
}

Expected<std::vector<StoreReader::TrialRung>> StoreReader::rungs(std::int64_t sweepId)
{
    Expected<QSqlQuery> query = m_database.prepare("SELECT trial, step, best FROM rung WHERE sweep = ?");
    if (!query)
        return tl::unexpected<Error>(query.error());
    query->addBindValue(toVariant(sweepId));
    if (Expected<void> done = m_database.execute(*query); !done)
        return tl::unexpected<Error>(done.error());
    std::vector<TrialRung> rungs;
    while (query->next()) {
        const QVariant best = query->value(2);
        const double value = best.isNull() ? std::numeric_limits<double>::quiet_NaN() : best.toDouble();
        rungs.push_back({query->value(0).toInt(), {query->value(1).toLongLong(), value}});
    }
    return rungs;
}

Expected<std::vector<sweep::HistoryEntry>> StoreReader::history(std::int64_t sweepId, int trial)
{
    Expected<QSqlQuery> query = m_database.prepare("SELECT time, trial, state_before, state_after, cause FROM history "
                                                   "WHERE sweep = ? AND (? = 0 OR trial = ?) ORDER BY id");
    if (!query)
        return tl::unexpected<Error>(query.error());
    query->addBindValue(toVariant(sweepId));
    query->addBindValue(trial);
    query->addBindValue(trial);
    if (Expected<void> done = m_database.execute(*query); !done)
        return tl::unexpected<Error>(done.error());
    const auto text = [&](int column) { return query->value(column).toString().toStdString(); };
    std::vector<sweep::HistoryEntry> entries;
    while (query->next())
        entries.push_back({query->value(0).toLongLong(), query->value(1).toInt(), text(2), text(3), text(4)});
    return entries;
}

Expected<std::string> StoreReader::definitionBeforeEdit(std::int64_t sweepId)
{
    Expected<QSqlQuery> query =
        m_database.prepare("SELECT toml FROM definition WHERE sweep = ? ORDER BY id DESC LIMIT 1");
    if (!query)
        return tl::unexpected<Error>(query.error());
    query->addBindValue(toVariant(sweepId));
    if (Expected<void> done = m_database.execute(*query); !done)
        return tl::unexpected<Error>(done.error());
    return query->next() ? query->value(0).toString().toStdString() : std::string();
}

Expected<std::vector<sweep::AttemptRecord>> StoreReader::attempts(std::int64_t sweepId, int trial)
{
    Expected<QSqlQuery> query =
        m_database.prepare("SELECT trial, number, created, ended, outcome, failure, cause FROM attempt "
                           "WHERE sweep = ? AND trial = ? ORDER BY number");
    if (!query)
        return tl::unexpected<Error>(query.error());
    query->addBindValue(toVariant(sweepId));
    query->addBindValue(trial);
    if (Expected<void> done = m_database.execute(*query); !done)
        return tl::unexpected<Error>(done.error());
    std::vector<sweep::AttemptRecord> attempts;
    while (query->next()) {
        const QVariant ended = query->value(3);
        attempts.push_back({query->value(0).toInt(),
                            query->value(1).toInt(),
                            query->value(2).toLongLong(),
                            ended.isNull() ? std::nullopt : std::optional<WallNs>(ended.toLongLong()),
                            query->value(4).toString().toStdString(),
                            query->value(5).toString().toStdString(),
                            query->value(6).toString().toStdString(),
                            {}});
    }
    return attempts;
}

}  // namespace sweepscope::engine
