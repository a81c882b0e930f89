#include "storedsweeps.h"

#include "base/filelock.h"
#include "engine/workspacestate.h"
#include "wording/sentence.h"

namespace sweepscope::ctl {

Expected<StoredSweeps> StoredSweeps::open(const std::string &workspace)
{
    StoredSweeps stored;
    std::error_code error;
    stored.m_workspace.root = std::filesystem::absolute(workspace, error).lexically_normal();
    if (std::filesystem::exists(stored.m_workspace.mirrorFile(), error))
        return makeError(ErrorCode::Unsupported, "the workspace " + stored.m_workspace.root.string()
                                                     + " is on another machine: use sweepctl --host");
    Expected<std::unique_ptr<engine::Database>> database =
        engine::Database::openForReading(stored.m_workspace.database());
    if (!database && database.error().code == ErrorCode::NotFound && isLocked(stored.m_workspace.lockFile()))
        return makeError(ErrorCode::Unavailable,
                         wording::sentence(facts::Fact(facts::Code::DatabaseRemoved)
                                               .with(facts::Field::Device, stored.m_workspace.database().string())));
    if (const Expected<void> there = engine::checkDatabaseIsNotLost(stored.m_workspace); !database && !there)
        return tl::unexpected<Error>(there.error());
    if (!database && database.error().code == ErrorCode::NotFound)
        return makeError(ErrorCode::NotFound,
                         "there is no workspace in " + stored.m_workspace.root.string()
                             + " (no sweepscope.db); name another one with --workspace, or start a "
                               "sweep with: sweepctl run FILE");
    if (!database)
        return tl::unexpected<Error>(database.error());
    stored.m_database = std::move(*database);
    Expected<std::vector<sweep::SweepRecord>> sweeps = engine::StoreReader(*stored.m_database).sweeps();
    if (!sweeps)
        return tl::unexpected<Error>(sweeps.error());
    stored.m_sweeps = std::move(*sweeps);
    return stored;
}

Expected<std::vector<sweep::TrialRecord>> StoredSweeps::trials(std::int64_t sweepId) const
{
    return engine::StoreReader(*m_database).allTrials(sweepId);
}

Expected<engine::SweepSummary> StoredSweeps::summary(const sweep::SweepRecord &sweep) const
{
    return engine::StoreReader(*m_database).summary(sweep);
}

}  // namespace sweepscope::ctl
