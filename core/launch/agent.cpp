#include "launch/agent.h"

#include "base/workspacelayout.h"
#include "launch/agentlife.h"
#include "launch/agentmessage.h"
#include "launch/attemptsupervisor.h"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace sweepscope::launch {

namespace {

/// Records for the engine that the attempt failed to begin, and why.
void recordFailedStart(EventJournal &journal, const Error &error)
{
    AttemptEvent event;
    event.kind = AttemptEventKind::FirstError;
    event.failure = FailureKind::NotStarted;
    event.reason = facts::Fact(facts::Code::AttemptNotStarted).with(facts::Field::Detail, error.message);
    journal.write(event);
    declarePastRanks();
    event.kind = AttemptEventKind::Ended;
    event.outcome = AttemptOutcome::Failed;
    journal.write(event);
}

}  // namespace

std::vector<FileDescriptor> inheritedDescriptors()
{
    std::vector<int> numbers;
    std::error_code error;
    for (const auto &entry : std::filesystem::directory_iterator("/proc/self/fd", error))
        numbers.push_back(std::atoi(entry.path().filename().c_str()));
    std::vector<FileDescriptor> descriptors;
    for (const int number : numbers) {
        // The descriptor that listed them is closed again.
        if (number > STDERR_FILENO && ::fcntl(number, F_SETFD, FD_CLOEXEC) == 0)
            descriptors.emplace_back(number);
    }
    return descriptors;
}

Expected<void> runAgent(const std::filesystem::path &attemptFolder, std::vector<FileDescriptor> leases,
                        const RankLauncher &launcher, const std::string &masterAddress)
{
    std::error_code error;
    AttemptLayout layout{std::filesystem::absolute(attemptFolder, error)};
    auto signals = SignalQueue::create();  // first, so that an early stop request is kept
    if (!signals)
        return tl::unexpected(signals.error());

    // A second run in the same folder would mix two attempts; a retry creates a new folder.
    if (std::filesystem::exists(layout.eventsFile(), error))
        return makeError(ErrorCode::AlreadyExists,
                         layout.eventsFile().string()
                             + " exists: this attempt was already run; a new one needs its own folder");
    if (!std::filesystem::exists(layout.launchFile(), error))
        return makeError(ErrorCode::NotFound,
                         "there is no " + layout.launchFile().string() + ", which defines what the agent runs");
    auto log = AttemptEventLog::open(layout.eventsFile());
    if (!log)
        return tl::unexpected(log.error());
    EventJournal journal(std::move(*log));

    AttemptEvent started;
    started.kind = AttemptEventKind::AgentStarted;
    started.pid = ::getpid();
    started.startTime = processStartTime(::getpid()).value_or(0);
    journal.write(std::move(started));
    // Without this event the engine could not find what runs; an agent that wrote none has started nothing.
    if (!journal.flush())
        return makeError(ErrorCode::NoSpace, "cannot write " + layout.eventsFile().string());

    auto spec = readLaunchSpec(layout.launchFile());
    Expected<void> ready = Descendants::adoptOrphans();
    if (!spec)
        ready = tl::unexpected(spec.error());
    if (!ready) {
        leases.clear();
        recordFailedStart(journal, ready.error());
        return ready;
    }
    if (spec->node && spec->node->ofJob && spec->node->index > 0)
        layout.ranksFolder = layout.folder.parent_path();
    if (spec->node && spec->node->masterAddress.empty())
        spec->node->masterAddress = masterAddress;
    AttemptSupervisor(std::move(*spec), layout, std::move(journal), std::move(*signals), std::move(leases), launcher)
        .run();
    return {};
}

}  // namespace sweepscope::launch
