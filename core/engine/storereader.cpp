#include "engine/storereader.h"

#include "engine/rowcodec.h"
#include "sweep/trialtime.h"

#include <limits>
#include <string>
#include <type_traits>

namespace sweepscope::engine {

namespace {

/// Runs `sql` with `values` bound to its question marks, and passes each row to `take`. Returns an error if SQLite
/// stops before the last row or if `take` returns one: a partial result is never taken for the whole.
template <typename Take, typename... Values>
Expected<void> forEachRow(Database &database, const std::string &sql, Take &&take, const Values &...values)
{
    Expected<QSqlQuery> query = database.prepare(sql.c_str());
    if (!query)
        return tl::unexpected<Error>(query.error());
    (query->addBindValue(values), ...);
    if (Expected<void> done = database.execute(*query); !done)
        return done;
    for (;;) {
        const Expected<bool> isThere = database.next(*query);
        if (!isThere)
            return tl::unexpected<Error>(isThere.error());
        if (!*isThere)
            return {};
        if constexpr (std::is_void_v<decltype(take(*query))>) {
            take(*query);
        } else if (Expected<void> taken = take(*query); !taken) {
            return taken;
        }
    }
}

}  // namespace

Expected<std::vector<sweep::SweepRecord>> StoreReader::sweeps()
{
    std::vector<sweep::SweepRecord> sweeps;
    return forEachRow(m_database, std::string("SELECT ") + sweepColumns + " FROM sweep WHERE folder <> '' ORDER BY id",
                      [&](const QSqlQuery &row) {
                          return sweepFromRow(row).map(
                              [&](sweep::SweepRecord sweep) { sweeps.push_back(std::move(sweep)); });
                      })
        .map([&] { return std::move(sweeps); });
}

Expected<std::vector<TrialRow>> StoreReader::trials(std::int64_t sweepId, int first, int last)
{
    return trialsWhere(sweepId,
                       "number BETWEEN " + std::to_string(first) + " AND " + std::to_string(last) + " ORDER BY number");
}

Expected<std::vector<sweep::TrialRecord>> StoreReader::allTrials(std::int64_t sweepId)
{
    return trials(sweepId, 1, std::numeric_limits<int>::max()).map([](std::vector<TrialRow> rows) {
        std::vector<sweep::TrialRecord> records;
        records.reserve(rows.size());
        for (TrialRow &row : rows)
            records.push_back(std::move(row.record));
        return records;
    });
}

Expected<std::vector<TrialRow>> StoreReader::trialsWhere(std::int64_t sweepId, const std::string &condition)
{
    std::vector<TrialRow> trials;
    return forEachRow(
               m_database, std::string("SELECT ") + trialColumns + " FROM trial WHERE sweep = ? AND " + condition,
               [&](const QSqlQuery &row) {
                   return trialFromRow(row).map([&](TrialRow trial) { trials.push_back(std::move(trial)); });
               },
               toVariant(sweepId))
        .map([&] { return std::move(trials); });
}

Expected<SweepSummary> StoreReader::summary(const sweep::SweepRecord &sweep)
{
    SweepSummary summary;
    const auto take = [&](const std::string &condition, const auto &keep) -> Expected<void> {
        return trialsWhere(sweep.id, condition).map([&](std::vector<TrialRow> rows) {
            for (TrialRow &row : rows)
                keep(std::move(row.record));
        });
    };
    const std::string direction = sweep.goal == sweep::Goal::Minimize ? "" : " DESC";
    return forEachRow(
               m_database,
               "SELECT state, count(*) FROM trial WHERE sweep = ? AND NOT (state = 'stopped' AND reason = ?) "
               "GROUP BY state",
               [&](const QSqlQuery &row) {
                   if (const auto state = sweep::trialStateFromString(text(row, 0)))
                       summary.counts[*state] = row.value(1).toInt();
               },
               toVariant(sweep.id), toVariant(facts::Fact(facts::Code::RemovedByEdit)))
        .and_then([&] {
            // As sweep::isBetter ranks them: of repeated points first, by their mean; 9e999 is infinite.
            const std::string mayBeBest = "objective_best > -9e999 AND objective_best < 9e999 AND violation = 0 AND "
                                          "state NOT IN ('failed', 'lost') ";
            const auto keep = [&](sweep::TrialRecord trial) { summary.best = std::move(trial); };
            return take("point_runs > 0 AND " + mayBeBest + "ORDER BY point_runs > 1 DESC, point_mean" + direction
                            + ", number LIMIT 1",
                        keep)
                .and_then([&] {
                    return summary.best
                               ? Expected<void>()
                               : take(mayBeBest + "ORDER BY objective_best" + direction + ", number LIMIT 1", keep);
                });
        })
        .and_then([&] {
            return take("state IN ('starting', 'running', 'paused') ORDER BY number",
                        [&](sweep::TrialRecord trial) { summary.underWay.push_back(std::move(trial)); });
        })
        .and_then([&] {
            return take("state = 'completed' ORDER BY number DESC LIMIT " + std::to_string(sweep::countedTrials),
                        [&](sweep::TrialRecord trial) { summary.lastCompleted.push_back(std::move(trial)); });
        })
        .map([&] { return std::move(summary); });
}

Expected<std::vector<AttemptRow>> StoreReader::openAttempts(std::int64_t sweepId)
{
    std::vector<AttemptRow> attempts;
    return forEachRow(
               m_database,
               std::string("SELECT ") + attemptColumns
                   + " FROM attempt WHERE sweep = ? AND ended IS NULL ORDER BY trial, number",
               [&](const QSqlQuery &row) { attempts.push_back(attemptFromRow(row)); }, toVariant(sweepId))
        .map([&] { return std::move(attempts); });
}

Expected<std::vector<pruning::LogEntry>> StoreReader::pruneLog(std::int64_t sweepId)
{
    std::vector<pruning::LogEntry> entries;
    return forEachRow(
               m_database, std::string("SELECT ") + pruneLogColumns + " FROM prune_log WHERE sweep = ? ORDER BY id",
               [&](const QSqlQuery &row) { entries.push_back(pruneLogEntryFromRow(row)); }, toVariant(sweepId))
        .map([&] { return std::move(entries); });
}

Expected<std::vector<sweep::HistoryEntry>> StoreReader::history(std::int64_t sweepId, int trial)
{
    std::vector<sweep::HistoryEntry> entries;
    return forEachRow(
               m_database,
               "SELECT time, trial, state_before, state_after, reason FROM history "
               "WHERE sweep = ? AND (? = 0 OR trial = ?) ORDER BY id",
               [&](const QSqlQuery &row) {
                   entries.push_back({row.value(0).toLongLong(), row.value(1).toInt(), text(row, 2), text(row, 3),
                                      factFromRow(row, 4)});
               },
               toVariant(sweepId), trial, trial)
        .map([&] { return std::move(entries); });
}

Expected<std::vector<sweep::TrialRecord>> StoreReader::changes(std::int64_t sweepId)
{
    std::vector<sweep::TrialRecord> changes;
    std::map<int, facts::Fact> reasons;  // by trial
    return forEachRow(
               m_database,
               "SELECT trial, state_after, reason, objective, objective_step, state_before, outcome, device_time "
               "FROM history "
               "WHERE sweep = ? AND trial != 0 ORDER BY id",
               [&](const QSqlQuery &row) -> Expected<void> {
                   sweep::TrialRecord &trial = changes.emplace_back();
                   trial.sweepId = sweepId;
                   trial.number = row.value(0).toInt();
                   const std::optional<sweep::TrialState> state = sweep::trialStateFromString(text(row, 1));
                   if (!state)
                       return makeError(ErrorCode::Corrupt,
                                        "the history of trial " + std::to_string(trial.number) + " is damaged");
                   trial.state = *state;
                   // A mark or a priority has its own reason, and the trial keeps its former one.
                   if (text(row, 1) != text(row, 5))
                       reasons[trial.number] = factFromRow(row, 2);
                   trial.reason = reasons[trial.number];
                   if (!row.value(4).isNull()) {
                       const double value =
                           row.value(3).isNull() ? std::numeric_limits<double>::quiet_NaN() : row.value(3).toDouble();
                       trial.objectiveBest = sweep::ObjectiveValue{value, row.value(4).toLongLong()};
                       trial.objectiveLast = trial.objectiveBest;
                   }
                   trial.ran = row.value(7).toLongLong();  // and no device is known: deviceTime() is this
                   for (const auto &[name, last] : outcomeFromText(text(row, 6))) {
                       sweep::MetricValue &metric = trial.metrics.emplace_back();
                       metric.name = name;
                       metric.last = last;
                   }
                   return {};
               },
               toVariant(sweepId))
        .map([&] { return std::move(changes); });
}

Expected<std::vector<std::string>> StoreReader::definitions(std::int64_t sweepId)
{
    std::vector<std::string> definitions;
    return forEachRow(
               m_database, "SELECT toml FROM definition WHERE sweep = ? ORDER BY id",
               [&](const QSqlQuery &row) { definitions.push_back(text(row, 0)); }, toVariant(sweepId))
        .map([&] { return std::move(definitions); });
}

Expected<std::string> StoreReader::definitionBeforeEdit(std::int64_t sweepId)
{
    std::string definition;
    return forEachRow(
               m_database, "SELECT toml FROM definition WHERE sweep = ? AND undone = 0 ORDER BY id DESC LIMIT 1",
               [&](const QSqlQuery &row) { definition = text(row, 0); }, toVariant(sweepId))
        .map([&] { return std::move(definition); });
}

Expected<std::vector<sweep::AttemptRecord>> StoreReader::attempts(std::int64_t sweepId, int trial)
{
    std::vector<sweep::AttemptRecord> attempts;
    return forEachRow(
               m_database,
               "SELECT trial, number, created, ended, outcome, failure, reason FROM attempt "
               "WHERE sweep = ? AND trial = ? ORDER BY number",
               [&](const QSqlQuery &row) {
                   const QVariant ended = row.value(3);
                   attempts.push_back({row.value(0).toInt(),
                                       row.value(1).toInt(),
                                       row.value(2).toLongLong(),
                                       ended.isNull() ? std::nullopt : std::optional<WallNs>(ended.toLongLong()),
                                       text(row, 4),
                                       text(row, 5),
                                       factFromRow(row, 6),
                                       {}});
               },
               toVariant(sweepId), trial)
        .map([&] { return std::move(attempts); });
}

}  // namespace sweepscope::engine
