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

/// Tells windows that only look what the database of a workspace says, where no engine runs: an old workspace, one on a disk
/// that cannot be written, one whose sweeps are not to go on. It takes no lock, writes nothing there, and does nothing that
/// is asked of it but tell. It has a socket of its own beside the engine's.
class WorkspaceReader : public QObject, private EngineService {
    Q_OBJECT

public:
    static Expected<std::unique_ptr<WorkspaceReader>> start(const std::filesystem::path &workspace);

Q_SIGNALS:
    /// Nobody is connected any more, or an engine has come, which knows better.
    void done();

private:
    WorkspaceReader(WorkspaceLayout workspace, std::unique_ptr<Database> database,
                    std::vector<sweep::SweepRecord> sweeps);

    void look();

    void settle() override {}
    std::vector<std::int64_t> sweepIds() const override;
    const sweep::SweepRecord *sweep(std::int64_t id) const override;
    Expected<std::vector<sweep::TrialRecord>> trials(std::int64_t sweepId, int first, int last) override;
    protocol::DevicesChanged devices() const override;
    tl::expected<std::int64_t, std::vector<sweep::Problem>> launch(const std::string &toml,
                                                                   const std::string &baseFolder) override;
    tl::expected<facts::Facts, std::vector<sweep::Problem>> edit(const protocol::EditRequest &request) override;
    Reply enqueue(std::int64_t sweepId, const std::map<std::string, std::string> &point) override;
    Expected<sweep::TrialHistory> history(std::int64_t sweepId, int trial) override;
    Reply control(std::int64_t sweepId, const sweep::Control &control) override;

    WorkspaceLayout m_workspace;
    std::unique_ptr<Database> m_database;
    mutable StoreReader m_reader;
    std::vector<sweep::SweepRecord> m_sweeps;  ///< nobody changes them while no engine runs
    Server m_server;
    QTimer m_look;
    int m_looksAlone = 0;  ///< without anybody connected
};

}  // namespace sweepscope::engine
