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
    const std::string sql = std::string("SELECT ") + trialColumns
                            + " FROM trial WHERE sweep = ? AND number BETWEEN ? AND ? ORDER BY number";
    Expected<QSqlQuery> query = m_database.prepare(sql.c_str());
    if (!query)
        return tl::unexpected<Error>(query.error());
    query->addBindValue(toVariant(sweepId));
    query->addBindValue(first);
    query->addBindValue(last);
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

}  // namespace sweepscope::engine
