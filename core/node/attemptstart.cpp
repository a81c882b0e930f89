#include "node/attemptstart.h"

#include "base/files.h"
#include "base/printable.h"
#include "base/workspacelayout.h"
#include "launch/agentprocess.h"
#include "launch/attemptevents.h"
#include "launch/launchspec.h"
#include "node/attemptrecovery.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <memory>
#include <sys/file.h>
#include <unistd.h>
#include <utility>

namespace sweepscope::node {

namespace {

/// A file in the folder of an attempt that never starts.
constexpr const char *withdrawnMark = "withdrawn";

Process processOf(const launch::ProcessIdentity &identity)
{
    return {identity.pid, static_cast<std::int64_t>(identity.startTime)};
}

tl::unexpected<Failed> failed(std::string message)
{
    return tl::unexpected<Failed>(Failed{0, std::move(message), {}});
}

tl::unexpected<Failed> failed(const facts::Fact &fact)
{
    return tl::unexpected<Failed>(Failed{0, {}, facts::toJson(fact)});
}

/// The agent that has reported itself.
std::optional<Process> reportedAgent(const AttemptLayout &files)
{
    for (const launch::AttemptEvent &event : launch::readAttemptEvents(files.eventsFile())) {
        if (event.kind == launch::AttemptEventKind::AgentStarted)
            return Process{event.pid, static_cast<std::int64_t>(event.startTime)};
    }
    return std::nullopt;
}

/// Of this attempt, whether it runs or has ended.
std::optional<Process> startedAgent(const AttemptLayout &files)
{
    if (auto agent = reportedAgent(files))
        return agent;
    const std::optional<pid_t> pid = findAgent(files.folder);
    const auto began = pid ? launch::processStartTime(*pid) : Expected<std::uint64_t>(0);
    // What was found may be a rank that the agent has forked meanwhile. By then the agent has reported itself.
    if (auto agent = reportedAgent(files))
        return agent;
    return pid && began ? std::optional(Process{*pid, static_cast<std::int64_t>(*began)}) : std::nullopt;
}

/// Of this attempt, if it was started. Failed: the folder is another attempt's.
tl::expected<std::optional<Process>, Failed> startedBefore(const AttemptLayout &files, const std::string &attempt)
{
    std::error_code error;
    if (!std::filesystem::exists(files.launchFile(), error))
        return std::nullopt;
    const Expected<launch::LaunchSpec> known = launch::readLaunchSpec(files.launchFile());
    if (!known || known->attemptId != attempt)
        return failed(files.folder.string() + " belongs to another attempt");
    return startedAgent(files);
}

/// Creates the folder if needed. While the lock lives, no other node process starts this attempt.
Expected<FileDescriptor> lockFolder(const std::filesystem::path &folder)
{
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error)
        return makeError(ErrorCode::Io, "cannot create the folder " + folder.string() + ": " + error.message());
    FileDescriptor lock(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!lock)
        return makeErrnoError("cannot open " + folder.string(), errno);
    while (::flock(lock.get(), LOCK_EX) != 0) {
        if (errno == EINTR)
            continue;
        if (errno == ENOLCK || errno == EOPNOTSUPP)  // a file system without locks
            return lock;
        return makeErrnoError("cannot lock " + folder.string(), errno);
    }
    return lock;
}

}  // namespace

Expected<std::string> withdrawFromJobs(const AttemptLayout &files)
{
    const std::filesystem::path path = files.jobFile();
    const FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
    if (file) {
        const std::string line = std::string(withdrawnOwner) + "\n";
        static_cast<void>(::write(file.get(), line.data(), line.size()));  // that it exists is what counts
        return std::string();
    }
    if (errno != EEXIST)
        return makeErrnoError("cannot write " + path.string(), errno);
    std::string job = jobOf(files);
    if (job == withdrawnOwner)
        job.clear();
    else if (job.empty())
        job = "unknown";  // it has begun, and not written its id yet
    return job;
}

std::string jobOf(const AttemptLayout &files)
{
    constexpr std::size_t longestId = 64;
    std::string id = readFile(files.jobFile(), longestId).value_or(std::string());
    while (!id.empty() && id.back() == '\n')
        id.pop_back();
    return id;
}

Expected<std::filesystem::path> below(const std::filesystem::path &root, const std::string &path)
{
    const std::filesystem::path relative(path);
    const bool isRight = !path.empty() && relative.is_relative() && path.find('\0') == std::string::npos
                         && std::ranges::none_of(relative, [](const std::filesystem::path &part) {
                                return part.empty() || part.string().front() == '.';
                            });
    if (!isRight)
        return makeError(ErrorCode::BadInput,
                         "'" + printable(path.substr(0, 200)) + "' is not a path in the workspace");
    return root / relative;
}

AttemptStart::AttemptStart(std::filesystem::path root, std::filesystem::path agentProgram, std::filesystem::path leases,
                           std::string owner)
    : m_root(std::move(root)), m_agent(std::move(agentProgram)), m_leases(std::move(leases), std::move(owner))
{}

tl::expected<std::vector<schedule::Lease>, Failed> AttemptStart::takeDevices(const Taken &taken)
{
    std::vector<schedule::Lease> leases;
    if (taken.gpus.empty() && taken.slots.empty() && taken.cpus.empty())
        return leases;
    const Expected<std::unique_ptr<schedule::GpuLeases::Taking>> taking = m_leases.begin();
    if (!taking)
        return failed(taking.error().message);
    for (const std::string &gpu : taken.gpus) {
        auto lease = (*taking)->take(gpu, std::ranges::find(taken.shared, gpu) != taken.shared.end());
        if (!lease)
            return failed(lease.error());
        leases.push_back(std::move(*lease));
    }
    const schedule::TrialName name{taken.sweep, static_cast<int>(taken.trial)};
    auto note = (*taking)->noteCpus({{0, {}, {}, name}, {taken.slots.begin(), taken.slots.end()}, taken.cpus});
    if (!note)
        return failed(note.error().message);
    leases.push_back(std::move(*note));
    return leases;
}

tl::expected<Process, Failed> AttemptStart::run(const Start &start)
{
    const Expected<std::filesystem::path> folder = below(m_root, start.folder);
    const Expected<FileDescriptor> lock = folder.and_then(lockFolder);
    if (!lock)
        return failed(lock.error().message);
    const AttemptLayout files{*folder};
    std::error_code error;
    if (std::filesystem::exists(*folder / withdrawnMark, error))
        return failed("the attempt was withdrawn");
    const auto started = startedBefore(files, start.attempt);
    if (!started)
        return tl::unexpected<Failed>(started.error());
    if (*started)
        return **started;
    auto leases = takeDevices(start.taken);
    if (!leases)
        return tl::unexpected<Failed>(leases.error());
    for (const auto &[name, content] : start.files) {
        const Expected<void> written = below(*folder, name).and_then([&content = content](const auto &path) {
            std::error_code failure;
            std::filesystem::create_directories(path.parent_path(), failure);
            return writeFileAtomically(path, content, Survives::Kill);
        });
        if (!written)
            return failed(written.error().message);
    }
    if (start.byJob)
        return Process();
    std::vector<int> kept;
    for (const schedule::Lease &lease : *leases) {
        if (lease.file)
            kept.push_back(lease.file.get());
    }
    const Expected<launch::ProcessIdentity> agent = launch::startAgent(m_agent, *folder, kept);
    if (!agent)
        return failed(agent.error().message);
    for (const schedule::Lease &lease : *leases) {
        if (lease.file)
            m_leases.sign(lease, agent->pid, {start.taken.sweep, static_cast<int>(start.taken.trial)});
    }
    return processOf(*agent);
}

tl::expected<std::optional<Process>, Failed> AttemptStart::withdraw(const Withdraw &withdraw)
{
    const Expected<std::filesystem::path> folder = below(m_root, withdraw.folder);
    const Expected<FileDescriptor> lock = folder.and_then(lockFolder);
    if (!lock)
        return failed(lock.error().message);
    auto started = startedBefore(AttemptLayout{*folder}, withdraw.attempt);
    if (!started || *started)
        return started;
    if (const auto marked = writeFileAtomically(*folder / withdrawnMark, "", Survives::Kill); !marked)
        return failed(marked.error().message);
    return std::nullopt;
}

}  // namespace sweepscope::node
