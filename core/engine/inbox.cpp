#include "engine/inbox.h"

#include "base/folderentries.h"
#include "base/log.h"
#include "launch/attemptevents.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <system_error>
#include <unistd.h>

namespace sweepscope::engine {

namespace {

constexpr unsigned exchangeNames = 2;  // RENAME_EXCHANGE, which needs _GNU_SOURCE's renameat2()

Expected<void> exchange(const std::filesystem::path &one, const std::filesystem::path &other)
{
    if (::syscall(SYS_renameat2, AT_FDCWD, one.c_str(), AT_FDCWD, other.c_str(), exchangeNames) == 0)
        return {};
    if (errno != EINVAL && errno != ENOSYS)
        return makeErrnoError("cannot move " + one.string(), errno);
    // This file system cannot do that. A process that joins in between waits for the name, or begins its own run.
    const std::filesystem::path aside = other.string() + ".aside";
    std::error_code error;
    std::filesystem::rename(other, aside, error);
    if (!error)
        std::filesystem::rename(one, other, error);
    if (!error)
        std::filesystem::rename(aside, one, error);
    if (error)
        return makeErrnoError("cannot move " + one.string(), error.value());
    return {};
}

std::string hostName()
{
    std::string name(256, '\0');
    if (::gethostname(name.data(), name.size() - 1) != 0)
        return {};
    name.resize(std::min(name.find('\0'), name.size()));
    return name;
}

bool hasEnded(const FoundRun &run)
{
    const auto events = launch::readAttemptEvents(AttemptLayout{run.folder}.eventsFile());
    return std::ranges::find(events, launch::AttemptEventKind::Ended, &launch::AttemptEvent::kind) != events.end();
}

}  // namespace

Inbox::Inbox(const WorkspaceLayout &workspace) : m_folder(workspace.root / "inbox"), m_sweeps(workspace.root / "sweeps")
{
    ::mkdir(m_folder.c_str(), 0700);
    m_watcher.addPath(QString::fromStdString(m_folder.string()));
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, &Inbox::changed);
}

std::vector<FoundRun> Inbox::waiting()
{
    std::vector<FoundRun> runs;
    for (const auto &entry : entriesOf(m_folder)) {
        const std::string name = entry.path().filename().string();
        std::error_code unreadable;
        if (name.starts_with('.') || entry.symlink_status(unreadable).type() != std::filesystem::file_type::directory
            || m_refused.contains(name))
            continue;
        Expected<FoundRun> run = readFoundRun(entry.path(), wallNow());
        if (!run && run.error().code == ErrorCode::BadInput) {
            m_refused.insert(name);
            log(LogLevel::Warning, "inbox", run.error().message);
        }
        // Processes of other machines are not seen here.
        if (run && (run->host.empty() || run->host == hostName() || hasEnded(*run)))
            runs.push_back(std::move(*run));
    }
    std::ranges::sort(runs, {}, &FoundRun::created);
    return runs;
}

Expected<void> Inbox::move(const FoundRun &run, const std::filesystem::path &attempt)
{
    std::error_code error;
    std::filesystem::create_directories(attempt.parent_path(), error);
    if (!error)
        std::filesystem::create_symlink(attempt.lexically_relative(m_folder), attempt, error);
    if (error)
        return makeErrnoError("cannot create " + attempt.string(), error.value());
    return exchange(run.folder, attempt);
}

void Inbox::forEachLink(
    const std::function<void(const std::filesystem::path &link, const std::string &sweepFolder)> &visit) const
{
    std::vector<std::filesystem::path> links;
    for (const auto &entry : entriesOf(m_folder)) {
        std::error_code unreadable;
        if (entry.is_symlink(unreadable))
            links.push_back(entry.path());
    }
    for (const std::filesystem::path &link : links) {
        std::error_code unreadable;
        const std::filesystem::path target =
            (m_folder / std::filesystem::read_symlink(link, unreadable)).lexically_normal();
        const std::filesystem::path below = target.lexically_relative(m_sweeps);
        visit(link, below.empty() ? std::string() : below.begin()->string());
    }
}

void Inbox::restore(const std::function<bool(const std::string &sweepFolder)> &isKnown)
{
    forEachLink([&](const std::filesystem::path &link, const std::string &sweepFolder) {
        const std::filesystem::path attempt = WorkspaceLayout{m_sweeps.parent_path()}.attempt(sweepFolder, 1, 1).folder;
        std::error_code error;
        if (isKnown(sweepFolder) || !std::filesystem::exists(attempt / foundRunFile, error))
            return;
        if (const Expected<void> moved = exchange(link, attempt); !moved)
            return log(LogLevel::Warning, "inbox", moved.error().message);
        std::filesystem::remove(attempt, error);                // the link
        std::filesystem::remove(attempt.parent_path(), error);  // these only if nothing else is there
        std::filesystem::remove(attempt.parent_path().parent_path(), error);
    });
}

void Inbox::removeLinks(const std::function<bool(const std::string &sweepFolder)> &isActive)
{
    forEachLink([&](const std::filesystem::path &link, const std::string &sweepFolder) {
        if (!isActive(sweepFolder))
            ::unlink(link.c_str());
    });
}

}  // namespace sweepscope::engine
