#pragma once

#include "base/error.h"
#include "base/workspacelayout.h"
#include "engine/storereader.h"
#include "sweep/records.h"

#include <memory>
#include <string>
#include <vector>

namespace sweepscope::ctl {

/// The sweeps of a workspace from its database, read-only: whether an engine runs or not.
class StoredSweeps {
public:
    /// NotFound, with what to do about it, when the workspace has no database.
    static Expected<StoredSweeps> open(const std::string &workspace);

    const WorkspaceLayout &workspace() const { return m_workspace; }
    const std::vector<sweep::SweepRecord> &sweeps() const { return m_sweeps; }
    Expected<std::vector<sweep::TrialRecord>> trials(std::int64_t sweepId) const;
    Expected<engine::SweepSummary> summary(const sweep::SweepRecord &sweep) const;
    /// For what else the database tells.
    engine::StoreReader reader() const { return engine::StoreReader(*m_database); }

private:
    WorkspaceLayout m_workspace;
    std::unique_ptr<engine::Database> m_database;
    std::vector<sweep::SweepRecord> m_sweeps;
};

}  // namespace sweepscope::ctl
