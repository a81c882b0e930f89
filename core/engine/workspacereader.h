#pragma once

#include "base/workspacelayout.h"
#include "engine/database.h"
#include "engine/engineservice.h"
#include "engine/server.h"
#include "engine/storereader.h"

#include <QObject>
#include <QTimer>

#include <memory>
#include <vector>

namespace sweepscope::engine {

/// Serves a workspace's database to read-only windows while no engine runs: an old workspace, one on a read-only disk,
/// one whose sweeps should not continue. Takes no lock, writes nothing, and refuses every request that would change
/// something. Has its own socket next to the engine's.
class WorkspaceReader : public QObject, private EngineService {
    Q_OBJECT

public:
    static Expected<std::unique_ptr<WorkspaceReader>> start(const std::filesystem::path &workspace);

Q_SIGNALS:
    /// No client is connected any more, or an engine has started, which has newer data.
    void done();

private:
    WorkspaceReader(WorkspaceLayout workspace, std::unique_ptr<Database> database,
                    std::vector<sweep::SweepRecord> sweeps);

    void poll();

    void settle() override {}
    std::vector<std::int64_t> sweepIds() const override;
    const sweep::SweepRecord *sweep(std::int64_t id) const override;
    Expected<std::vector<sweep::TrialRecord>> trials(std::int64_t sweepId, int first, int last) override;
    protocol::DevicesChanged devices() const override;
    void launch(const std::string &toml, const std::string &baseFolder, QObject *client, Launched done) override;
    void edit(const protocol::EditRequest &request, QObject *client, Edited done) override;
    Reply enqueue(std::int64_t sweepId, const std::map<std::string, std::string> &point) override;
    Reply continueTrials(std::int64_t sweepId, const std::vector<int> &trials,
                         const std::map<std::string, std::string> &changes) override;
    void join(const protocol::JoinRequest &request, QObject *client, Launched done) override;
    void importSweep(const protocol::ImportRequest &request, QObject *client, Launched done) override;
    Expected<sweep::TrialHistory> history(std::int64_t sweepId, int trial) override;
    Reply control(std::int64_t sweepId, const sweep::Control &control) override;

    WorkspaceLayout m_workspace;
    std::unique_ptr<Database> m_database;
    mutable StoreReader m_reader;
    std::vector<sweep::SweepRecord> m_sweeps;  ///< constant while no engine runs
    Server m_server;
    QTimer m_pollTimer;
    int m_pollsAlone = 0;  ///< polls without a connected client
};

}  // namespace sweepscope::engine
