#include "launch/descendants.h"

#include "process/processstat.h"

#include <cerrno>
#include <csignal>
#include <sys/prctl.h>
#include <unistd.h>
#include <vector>

namespace sweepscope::launch {

namespace {

using process::ProcessStat;

ProcessIdentity identityOf(const ProcessStat &process)
{
    return {process.pid, process.startTime};
}

/// Signals all descendants; one that has ended meanwhile needs no signal.
void signalAll(int signal)
{
    for (const ProcessStat &process : process::readProcessTree(::getpid())) {
        if (process.pid != ::getpid() && process.state != 'Z')
            (void)signalProcess(identityOf(process), signal);
    }
}

}  // namespace

Expected<void> Descendants::adoptOrphans()
{
    if (::prctl(PR_SET_CHILD_SUBREAPER, 1) != 0)
        return makeErrnoError("cannot become the parent of orphaned processes", errno);
    return {};
}

void Descendants::terminate(const std::set<pid_t> &living)
{
    const std::vector<ProcessStat> tree = process::readProcessTree(::getpid());
    const auto terminate = [&](const ProcessStat &process) {
        if (process.state != 'Z' && m_terminated.emplace(process.pid, process.startTime).second)
            (void)signalProcess(identityOf(process), SIGTERM);
    };
    for (const ProcessStat &child : tree) {
        if (child.parent != ::getpid())
            continue;
        if (living.contains(child.pid)) {
            terminate(child);
            continue;
        }
        for (const ProcessStat &process : process::subtree(tree, child.pid))
            terminate(process);
    }
}

void Descendants::kill()
{
    // A group is signalled atomically: processes that fork faster than we can list them are still in it. The group is
    // ours as long as one of our descendants is a member, so its number cannot belong to another one.
    const std::vector<ProcessStat> tree = process::readProcessTree(::getpid());
    std::set<pid_t> groups;
    for (const ProcessStat &process : tree) {
        if (process.pid != ::getpid() && process.state != 'Z' && process.group != ::getpgrp())
            groups.insert(process.group);
    }
    for (const pid_t group : groups)
        ::killpg(group, SIGKILL);
    signalAll(SIGKILL);
}

void Descendants::freeze()
{
    signalAll(SIGSTOP);
}

void Descendants::thaw()
{
    signalAll(SIGCONT);
}

}  // namespace sweepscope::launch
