#include "engine/workspacereader.h"

#include "base/filelock.h"
#include "engine/trialhistory.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace sweepscope::engine {

namespace {

using namespace std::chrono_literals;
constexpr auto pollEvery = 1s;
/// A window that starts a reader needs a moment to connect.
constexpr int mostPollsAlone = 10;

const std::string onlyRead = "nothing was changed: the workspace is open read-only, and no engine runs";

}  // namespace

WorkspaceReader::WorkspaceReader(WorkspaceLayout workspace, std::unique_ptr<Database> database,
                                 std::vector<sweep::SweepRecord> sweeps)
    : m_workspace(std::move(workspace)),
      m_database(std::move(database)),
      m_reader(*m_database),
      m_sweeps(std::move(sweeps)),
      m_server(*this, QString::fromStdString(m_workspace.root.string()))
{
    for (sweep::SweepRecord &sweep : m_sweeps) {
        if (sweep::canBeStopped(sweep.state))
            sweep.warnings.push_back(facts::Code::NoEngine);
    }
    connect(&m_server, &Server::clientsChanged, this, [this] {
        if (m_server.clientCount() == 0)
            Q_EMIT done();
    });
    m_pollTimer.setInterval(pollEvery);
    connect(&m_pollTimer, &QTimer::timeout, this, &WorkspaceReader::poll);
    m_pollTimer.start();
}

Expected<std::unique_ptr<WorkspaceReader>> WorkspaceReader::start(const std::filesystem::path &folder)
{
    std::error_code error;
    WorkspaceLayout workspace{std::filesystem::canonical(folder, error)};
    if (error)
        return makeErrnoError("cannot read " + folder.string(), error.value());
    Expected<std::unique_ptr<Database>> database = Database::openForReading(workspace.database());
    if (!database)
        return tl::unexpected<Error>(database.error());
    Expected<std::vector<sweep::SweepRecord>> sweeps = StoreReader(**database).sweeps();
    if (!sweeps)
        return tl::unexpected<Error>(sweeps.error());
    const std::filesystem::path socket = readerSocketPath(workspace.root);
    std::unique_ptr<WorkspaceReader> reader(
        new WorkspaceReader(std::move(workspace), std::move(*database), std::move(*sweeps)));
    if (Expected<void> listening = reader->m_server.listen(socket); !listening)
        return tl::unexpected<Error>(listening.error());
    return reader;
}

void WorkspaceReader::poll()
{
    m_pollsAlone = m_server.clientCount() > 0 ? 0 : m_pollsAlone + 1;
    if (m_pollsAlone > mostPollsAlone || isLocked(m_workspace.lockFile()))
        Q_EMIT done();
}

std::vector<std::int64_t> WorkspaceReader::sweepIds() const
{
    std::vector<std::int64_t> ids;
    for (const sweep::SweepRecord &sweep : m_sweeps)
        ids.push_back(sweep.id);
    return ids;
}

const sweep::SweepRecord *WorkspaceReader::sweep(std::int64_t id) const
{
    const auto found = std::find_if(m_sweeps.begin(), m_sweeps.end(),
                                    [id](const sweep::SweepRecord &sweep) { return sweep.id == id; });
    return found == m_sweeps.end() ? nullptr : &*found;
}

Expected<std::vector<sweep::TrialRecord>> WorkspaceReader::trials(std::int64_t sweepId, int first, int last)
{
    return m_reader.trials(sweepId, first, last).map([](std::vector<TrialRow> &&rows) {
        std::vector<sweep::TrialRecord> records;
        records.reserve(rows.size());
        for (TrialRow &row : rows)
            records.push_back(std::move(row.record));
        return records;
    });
}

protocol::DevicesChanged WorkspaceReader::devices() const
{
    return {{}, QStringLiteral("no engine runs, so devices are not sampled")};
}

void WorkspaceReader::launch(const std::string &, const std::string &, QObject *, Launched done)
{
    done(tl::unexpected(std::vector<sweep::Problem>{{"", onlyRead}}));
}

void WorkspaceReader::edit(const protocol::EditRequest &, QObject *, Edited done)
{
    done(tl::unexpected(std::vector<sweep::Problem>{{"", onlyRead}}));
}

Reply WorkspaceReader::enqueue(std::int64_t, const std::map<std::string, std::string> &)
{
    return tl::unexpected<facts::Fact>(facts::Code::NoEngine);
}

Reply WorkspaceReader::continueTrials(std::int64_t, const std::vector<int> &,
                                      const std::map<std::string, std::string> &)
{
    return tl::unexpected<facts::Fact>(facts::Code::NoEngine);
}

void WorkspaceReader::join(const protocol::JoinRequest &, QObject *, Launched done)
{
    done(tl::unexpected(std::vector<sweep::Problem>{{"", onlyRead}}));
}

void WorkspaceReader::importSweep(const protocol::ImportRequest &, QObject *, Launched done)
{
    done(tl::unexpected(std::vector<sweep::Problem>{{"", onlyRead}}));
}

Expected<sweep::TrialHistory> WorkspaceReader::history(std::int64_t sweepId, int trial)
{
    const sweep::SweepRecord *record = sweep(sweepId);
    if (record == nullptr || trial > record->trialsTotal)
        return makeError(ErrorCode::NotFound,
                         "there is no trial " + std::to_string(trial) + " of a sweep " + std::to_string(sweepId));
    return readTrialHistory(m_reader, m_workspace, *record, trial);
}

Reply WorkspaceReader::control(std::int64_t, const sweep::Control &)
{
    return tl::unexpected<facts::Fact>(facts::Code::NoEngine);
}

}  // namespace sweepscope::engine
