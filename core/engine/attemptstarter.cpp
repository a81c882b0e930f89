#include "engine/attemptstarter.h"

#include "base/files.h"

#include <array>
#include <cstdio>
#include <random>
#include <utility>

namespace sweepscope::engine {

namespace {

/// "trials/0007/1" in the sweep's folder, which has to be there: where it is not, the workspace was moved.
Expected<void> makeAttemptFolder(const std::filesystem::path &folder)
{
    const std::filesystem::path trial = folder.parent_path();
    std::error_code error;
    for (const std::filesystem::path &part : {trial.parent_path(), trial, folder}) {
        std::filesystem::create_directory(part, error);
        if (error)
            return makeErrnoError("cannot make the folder " + part.string(), error.value());
    }
    return {};
}

}  // namespace

AttemptStarter::AttemptStarter(Programs programs, WorkspaceLayout workspace, std::optional<mode_t> rankUmask)
    : m_programs(std::move(programs)),
      m_workspace(std::move(workspace)),
      m_rankUmask(rankUmask),
      m_sources(std::make_unique<SourceLog>()),
      m_forkServer(m_programs.worker)
{}

int AttemptStarter::nextAttempt(const sweep::SweepRecord &sweep, const sweep::TrialRecord &trial) const
{
    int attempt = trial.attempts + 1;
    std::error_code error;
    while (std::filesystem::exists(files(sweep, trial.number, attempt).folder, error))
        ++attempt;
    return attempt;
}

std::string AttemptStarter::makeAttemptId(const sweep::SweepRecord &sweep, int trial, int attempt)
{
    std::random_device random;  // the operating system's: no two engines draw the same
    std::array<char, 24> tail{};
    std::snprintf(tail.data(), tail.size(), "%08x%08x", static_cast<unsigned>(random()),
                  static_cast<unsigned>(random()));
    return std::to_string(sweep.id) + "-" + std::to_string(trial) + "-" + std::to_string(attempt) + "-" + tail.data();
}

AttemptLayout AttemptStarter::files(const sweep::SweepRecord &sweep, int trial, int attempt) const
{
    return m_workspace.attempt(sweep.folder, trial, attempt);
}

Expected<launch::ProcessIdentity> AttemptStarter::start(const sweep::SweepRecord &sweep, const sweep::SweepSpec &spec,
                                                        const sweep::TrialRecord &trial, const std::string &attemptId,
                                                        const schedule::Allocation &devices,
                                                        std::span<const int> leases)
{
    const AttemptLayout attempt = files(sweep, trial.number, trial.attempts);
    if (Expected<void> made = makeAttemptFolder(attempt.folder); !made)
        return tl::unexpected<Error>(made.error());
    Expected<launch::LaunchSpec> launch = makeLaunchSpec(m_programs, sweep, spec, trial, attemptId, devices);
    if (!launch)
        return tl::unexpected<Error>(launch.error());
    m_sources->look(m_workspace.sourceLog(sweep.folder), launch->workingFolder,
                    trial.attemptStarted.value_or(wallNow()));
    launch->umask = m_rankUmask;
    launch->environment["SWEEPSCOPE_PARAMS_FILE"] = attempt.parametersFile().string();
    return writeFileAtomically(attempt.parametersFile(), parametersAsJson(trial.parameters) + "\n", Survives::Kill)
        .and_then([&] { return launch::writeLaunchSpec(*launch, attempt.launchFile()); })
        .and_then([&] { return startAgent(sweep, spec, attempt.folder, leases); });
}

/// Through the fork server where it can be had; the first trials of a sweep run while it loads.
Expected<launch::ProcessIdentity> AttemptStarter::startAgent(const sweep::SweepRecord &sweep,
                                                             const sweep::SweepSpec &spec,
                                                             const std::filesystem::path &attemptFolder,
                                                             std::span<const int> leases)
{
    const bool manyLoads = spec.run.worker == sweep::WorkerKind::Builtin && sweep.trialsTotal > 1;
    if (manyLoads) {
        if (auto agent = m_forkServer.startAgent(attemptFolder, leases))
            return agent;
    }
    auto agent = launch::startAgent(m_programs.agent, attemptFolder, leases);
    if (manyLoads)
        m_forkServer.start();
    return agent;
}

void AttemptStarter::tidyAfter(const sweep::SweepRecord &sweep, int trial, int attempt) const
{
    (void)launch::startTidying(m_programs.agent, files(sweep, trial, attempt).folder);
}

}  // namespace sweepscope::engine
