#include "schedule/leasefolder.h"

#include "base/printable.h"
#include "schedule/cpunotes.h"
#include "schedule/refusal.h"
#include "schedule/sharedfolder.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <map>
#include <optional>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace sweepscope::schedule {

namespace {

constexpr mode_t sticky = 01777;
constexpr int gateTries = 10;
constexpr int surveyTries = 1000;  // a read-only survey may wait longer

/// Names the last holder that is alive; from another container none seems to be, so names the last.
facts::Fact leasedToLast(const std::vector<LeaseHolder> &holders)
{
    const LeaseHolder *last = nullptr;
    for (const LeaseHolder &holder : holders) {
        if (last == nullptr || holder.isAlive() || !last->isAlive())
            last = &holder;
    }
    return last != nullptr ? leasedTo({*last}) : leasedTo({});
}

std::string fileName(std::string gpuId)
{
    std::replace(gpuId.begin(), gpuId.end(), '/', '_');
    return gpuId + ".lease";
}

class FolderTaking : public GpuLeases::Taking {
public:
    FolderTaking(SharedFolder folder, FileDescriptor gate, std::string workspace)
        : m_folder(std::move(folder)), m_gate(std::move(gate)), m_workspace(std::move(workspace))
    {}

    tl::expected<Lease, facts::Fact> take(const std::string &gpuId, bool shares) override
    {
        const std::string name = fileName(gpuId);
        Expected<FileDescriptor> file = m_folder.file(name);
        if (!file)
            return tl::unexpected<facts::Fact>(leaseProblem(file.error()));
        const bool isFirst = ::flock(file->get(), LOCK_EX | LOCK_NB) == 0;
        if (!isFirst && errno != EWOULDBLOCK)
            return tl::unexpected<facts::Fact>(leaseProblem(m_folder.error("cannot lock", name, errno).value()));
        if (!isFirst) {
            const std::vector<LeaseHolder> holders = parseLeaseHolders(textOf(*file));
            const bool isOurs = !holders.empty() && holders.back().workspace == printable(m_workspace);
            if (!isOurs || !shares)
                return tl::unexpected<facts::Fact>(leasedToLast(holders));
        }
        // Holders share the lock, so that a second trial of theirs can join them. The conversion is not atomic, but the
        // gate excludes other engines meanwhile.
        if (::flock(file->get(), LOCK_SH | LOCK_NB) != 0 || !m_folder.isStillThere(name, *file))
            return tl::unexpected<facts::Fact>(leasedTo({}));
        return Lease{gpuId, std::move(*file), isFirst};
    }

    const std::vector<CpuUse> &cpusOfOthers() override
    {
        if (!m_cpusOfOthers)
            m_cpusOfOthers = schedule::cpusOfOthers(m_folder, m_workspace);
        return *m_cpusOfOthers;
    }

    Expected<Lease> noteCpus(const CpuUse &use) override
    {
        return schedule::noteCpus(m_folder, m_workspace, use).map([](FileDescriptor note) {
            return Lease{{}, std::move(note), true};
        });
    }

private:
    SharedFolder m_folder;
    FileDescriptor m_gate;
    std::string m_workspace;
    std::optional<std::vector<CpuUse>> m_cpusOfOthers;
};

/// Gives all users the same answer: checks the folder's mode, not the caller's access.
bool isWorldWritable(const char *folder)
{
    struct stat info {};
    struct statvfs system {};
    return ::lstat(folder, &info) == 0 && S_ISDIR(info.st_mode) && (info.st_mode & sticky) == sticky
           && ::statvfs(folder, &system) == 0 && (system.f_flag & ST_RDONLY) == 0;
}

}  // namespace

/// A lock that cannot be taken is held. The gate ensures that our attempt to lock blocks no engine.
Expected<LeaseFolder::Survey> LeaseFolder::survey(const std::filesystem::path &path,
                                                  const std::vector<std::string> &gpuIds)
{
    Survey survey;
    const Expected<std::optional<SharedFolder>> folder = SharedFolder::openExisting(path);
    if (!folder)
        return tl::unexpected<Error>(folder.error());
    if (!*folder)
        return survey;  // no GPU has ever been leased
    const Expected<FileDescriptor> gate = (*folder)->lockGate(surveyTries);
    if (!gate)
        return tl::unexpected<Error>(gate.error());
    for (const std::string &gpuId : gpuIds) {
        const FileDescriptor file = (*folder)->existing(fileName(gpuId));
        if (!file)
            continue;
        const std::string untrusted = textOf(file);
        if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
            survey.leases[gpuId] = parseLeaseHolders(untrusted);
    }
    for (auto &[gpuId, holders] : survey.leases) {
        const bool anyLives =
            std::any_of(holders.begin(), holders.end(), [](const LeaseHolder &holder) { return holder.isAlive(); });
        if (anyLives)  // else their pids are of another container
            std::erase_if(holders, [](const LeaseHolder &holder) { return !holder.isAlive(); });
    }
    survey.cpus = schedule::cpusOfOthers(**folder, {});
    return survey;
}

Expected<std::map<std::string, std::vector<LeaseHolder>>>
LeaseFolder::readLeases(const std::filesystem::path &path, const std::vector<std::string> &gpuIds)
{
    return survey(path, gpuIds).map([](Survey &&survey) { return std::move(survey.leases); });
}

LeaseFolder::LeaseFolder(std::filesystem::path folder, std::string workspace)
    : m_folder(std::move(folder)), m_workspace(std::move(workspace))
{}

std::filesystem::path LeaseFolder::ofThisMachine()
{
    const char *given = std::getenv("SWEEPSCOPE_LEASE_FOLDER");
    if (given != nullptr && *given != '\0')
        return given;
    return std::filesystem::path(isWorldWritable("/run/lock") ? "/run/lock" : "/tmp") / "sweepscope";
}

Expected<std::unique_ptr<GpuLeases::Taking>> LeaseFolder::begin()
{
    Expected<SharedFolder> folder = SharedFolder::open(m_folder);
    if (!folder)
        return tl::unexpected<Error>(folder.error());
    Expected<FileDescriptor> gate = folder->lockGate(gateTries);
    if (!gate)
        return tl::unexpected<Error>(gate.error());
    return std::make_unique<FolderTaking>(std::move(*folder), std::move(*gate), m_workspace);
}

/// If the disk is full the holder stays unknown, but the lease is valid.
void LeaseFolder::sign(const Lease &lease, pid_t pid, const TrialName &trial)
{
    if (lease.gpuId.empty())
        return signCpus(lease.file, pid, m_workspace, trial);
    std::vector<LeaseHolder> holders;
    if (!lease.isFirst) {
        holders = parseLeaseHolders(textOf(lease.file));
        std::erase_if(holders, [&](const LeaseHolder &holder) {
            return holder.trial == TrialName{printable(trial.sweep), trial.number} || !holder.isAlive();
        });
    }
    holders.push_back(holderHere(pid, m_workspace, trial));
    std::string lines;
    for (const LeaseHolder &holder : holders)
        lines += holder.line();
    replaceText(lease.file, lines);
}

}  // namespace sweepscope::schedule
