#pragma once

#include "base/error.h"
#include "base/workspacelayout.h"
#include "engine/storereader.h"
#include "sweep/records.h"

#include <memory>
#include <string>
#include <vector>

namespace sweepscope::ctl {

/// Reads the sweeps of a workspace from its database, whether or not an engine runs.
class StoredSweeps {
public:
    /// NotFound if the workspace has no database; the message says what to do.
    static Expected<StoredSweeps> open(const std::string &workspace);

    const WorkspaceLayout &workspace() const { return m_workspace; }
    const std::vector<sweep::SweepRecord> &sweeps() const { return m_sweeps; }
    Expected<std::vector<sweep::TrialRecord>> trials(std::int64_t sweepId) const;
    Expected<engine::SweepSummary> summary(const sweep::SweepRecord &sweep) const;
    /// For queries that this class does not cover.
    engine::StoreReader reader() const { return engine::StoreReader(*m_database); }

private:
    WorkspaceLayout m_workspace;
    std::unique_ptr<engine::Database> m_database;
    std::vector<sweep::SweepRecord> m_sweeps;
};

}  // namespace sweepscope::ctl
