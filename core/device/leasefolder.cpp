#include "device/leasefolder.h"

#include "device/processowner.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <optional>
#include <string_view>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace sweepscope::device {

namespace {

constexpr mode_t everybodysFolder = 01777;  // sticky: nobody removes another one's file
constexpr mode_t everybodysFile = 0666;
constexpr std::size_t mostBytes = 16 * 1024;
constexpr int gateTries = 10;
constexpr int lookTries = 1000;  // who looks can wait
constexpr useconds_t gatePauseMicroseconds = 1000;

using Signature = LeaseHolder;

std::string printable(std::string text)
{
    std::replace_if(
        text.begin(), text.end(), [](char c) { return std::iscntrl(static_cast<unsigned char>(c)) != 0; }, '?');
    return text;
}

std::string lineOf(const Signature &signature)
{
    return std::to_string(signature.pid) + '\t' + printable(signature.user) + '\t' + printable(signature.workspace)
           + '\t' + printable(signature.purpose) + '\n';
}

std::optional<Signature> parse(std::string_view untrusted)
{
    std::array<std::string, 4> fields;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        const std::size_t end = i + 1 < fields.size() ? untrusted.find('\t') : untrusted.size();
        if (end == std::string_view::npos)
            return std::nullopt;
        fields[i] = printable(std::string(untrusted.substr(0, end)));
        untrusted.remove_prefix(std::min(end + 1, untrusted.size()));
    }
    Signature signature{0, fields[1], fields[2], fields[3]};
    const std::string &pid = fields[0];
    const auto read = std::from_chars(pid.data(), pid.data() + pid.size(), signature.pid);
    if (read.ec != std::errc() || read.ptr != pid.data() + pid.size() || signature.pid <= 0)
        return std::nullopt;
    return signature;
}

std::vector<Signature> readSignatures(int file)
{
    std::string untrusted(mostBytes, '\0');
    const ssize_t got = ::pread(file, untrusted.data(), untrusted.size(), 0);
    untrusted.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    std::vector<Signature> signatures;
    for (std::size_t begin = 0; begin < untrusted.size();) {
        const std::size_t end = std::min(untrusted.find('\n', begin), untrusted.size());
        if (auto signature = parse(std::string_view(untrusted).substr(begin, end - begin)))
            signatures.push_back(std::move(*signature));
        begin = end + 1;
    }
    return signatures;
}

bool isAlive(pid_t pid)
{
    return ::kill(pid, 0) == 0 || errno == EPERM;
}

/// The last who signed and lives; in another container nobody seems to, and the last has to do.
std::string holderInWords(const std::vector<Signature> &signatures)
{
    const Signature *last = nullptr;
    for (const Signature &signature : signatures) {
        if (last == nullptr || isAlive(signature.pid) || !isAlive(last->pid))
            last = &signature;
    }
    if (last == nullptr)
        return "is leased to another engine of this machine";
    return "is leased to " + last->purpose + " of " + last->user + " (process " + std::to_string(last->pid)
           + ", workspace " + last->workspace + ")";
}

tl::unexpected<Error> folderError(const std::filesystem::path &path, const std::string &what, int errnoValue)
{
    return makeErrnoError("GPUs cannot be leased: " + what + " " + path.string()
                              + " (all users of this machine need one folder to write to; SWEEPSCOPE_LEASE_FOLDER "
                                "names another one)",
                          errnoValue);
}

Expected<FileDescriptor> openFolder(const std::filesystem::path &path)
{
    const auto open = [&path] {
        return FileDescriptor(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    };
    FileDescriptor folder = open();
    if (folder || errno != ENOENT)
        return folder ? Expected<FileDescriptor>(std::move(folder)) : folderError(path, "cannot open", errno);
    std::error_code ignored;  // what comes next fails then, and says why
    std::filesystem::create_directories(path.parent_path(), ignored);
    const bool isNew = ::mkdir(path.c_str(), everybodysFolder) == 0;
    if (!isNew && errno != EEXIST)
        return folderError(path, "cannot make", errno);
    folder = open();
    if (!folder || (isNew && ::fchmod(folder.get(), everybodysFolder) != 0))
        return folderError(path, "cannot open", errno);
    return folder;
}

/// No link, and no file with a second name elsewhere: everybody may put things into the folder.
bool isPlain(int file)
{
    struct stat info {};
    return ::fstat(file, &info) == 0 && S_ISREG(info.st_mode) && info.st_nlink <= 1;
}

/// Not with O_CREAT alone: in a sticky folder the kernel (fs.protected_regular) refuses that for another one's file.
Expected<FileDescriptor> openFile(int folder, const std::string &name, const std::filesystem::path &path)
{
    constexpr int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    constexpr int tries = 3;
    for (int i = 0; i < tries; ++i) {
        FileDescriptor file(::openat(folder, name.c_str(), flags));
        if (!file && errno == ENOENT) {
            file = FileDescriptor(::openat(folder, name.c_str(), flags | O_CREAT | O_EXCL, everybodysFile));
            if (file && ::fchmod(file.get(), everybodysFile) != 0)
                return folderError(path / name, "cannot share", errno);
        }
        if (!file && (errno == EEXIST || errno == ENOENT))
            continue;
        if (!file)
            return folderError(path / name, "cannot write", errno);
        if (!isPlain(file.get()))
            return folderError(path / name, "somebody has put something else in the place of", EINVAL);
        return file;
    }
    return folderError(path / name, "cannot write", EAGAIN);
}

/// False when somebody has removed or replaced the file since it was opened: its lock is worth nothing.
bool isStillThere(int folder, const std::string &name, int file)
{
    struct stat ours {};
    struct stat there {};
    return ::fstat(file, &ours) == 0 && ::fstatat(folder, name.c_str(), &there, AT_SYMLINK_NOFOLLOW) == 0
           && ours.st_dev == there.st_dev && ours.st_ino == there.st_ino;
}

std::string fileName(std::string gpuId)
{
    std::replace(gpuId.begin(), gpuId.end(), '/', '_');
    return gpuId + ".lease";
}

class FolderTaking : public GpuLeases::Taking {
public:
    FolderTaking(std::filesystem::path path, std::string workspace, FileDescriptor folder, FileDescriptor gate)
        : m_path(std::move(path)),
          m_workspace(std::move(workspace)),
          m_folder(std::move(folder)),
          m_gate(std::move(gate))
    {}

    Expected<Lease> take(const std::string &gpuId, bool shares) override
    {
        const std::string name = fileName(gpuId);
        Expected<FileDescriptor> file = openFile(m_folder.get(), name, m_path);
        if (!file)
            return tl::unexpected<Error>(file.error());
        const bool isFirst = ::flock(file->get(), LOCK_EX | LOCK_NB) == 0;
        if (!isFirst && errno != EWOULDBLOCK)
            return folderError(m_path / name, "cannot lock", errno);
        if (!isFirst) {
            const std::vector<Signature> signatures = readSignatures(file->get());
            const bool isOurs = !signatures.empty() && signatures.back().workspace == printable(m_workspace);
            if (!isOurs || !shares)
                return makeError(ErrorCode::AlreadyExists, holderInWords(signatures));
        }
        // Holders share the lock, so that a second trial of theirs can join them. The change is not atomic, but while
        // we have the gate nobody can come in between.
        if (::flock(file->get(), LOCK_SH | LOCK_NB) != 0 || !isStillThere(m_folder.get(), name, file->get()))
            return makeError(ErrorCode::AlreadyExists, "is being leased to another engine of this machine");
        return Lease{gpuId, std::move(*file), isFirst};
    }

private:
    std::filesystem::path m_path;
    std::string m_workspace;
    FileDescriptor m_folder;
    FileDescriptor m_gate;
};

/// The same answer for all users: by what the folder is, not by who asks.
bool isEverybodys(const char *folder)
{
    struct stat info {};
    struct statvfs system {};
    return ::lstat(folder, &info) == 0 && S_ISDIR(info.st_mode) && (info.st_mode & everybodysFolder) == everybodysFolder
           && ::statvfs(folder, &system) == 0 && (system.f_flag & ST_RDONLY) == 0;
}

Expected<FileDescriptor> lockGate(int folder, const std::filesystem::path &path, int tries)
{
    Expected<FileDescriptor> gate = openFile(folder, "taking", path);
    for (int i = 1; gate && ::flock(gate->get(), LOCK_EX | LOCK_NB) != 0; ++i) {
        if (errno != EWOULDBLOCK)
            return folderError(path / "taking", "cannot lock", errno);
        if (i == tries)
            return makeError(ErrorCode::Unavailable, "another engine of this machine takes GPUs at this moment");
        ::usleep(gatePauseMicroseconds);
    }
    return gate;
}

}  // namespace

std::optional<std::pair<std::string, int>> LeaseHolder::trial() const
{
    constexpr std::string_view word = ", trial ";
    const std::size_t at = purpose.rfind(word);
    if (at == std::string::npos)
        return std::nullopt;
    const char *const end = purpose.data() + purpose.size();
    int number = 0;
    const auto read = std::from_chars(purpose.data() + at + word.size(), end, number);
    if (read.ec != std::errc() || read.ptr != end || number < 1)
        return std::nullopt;
    return std::pair(purpose.substr(0, at), number);
}

/// A lock that cannot be had is somebody's. While we try we have the gate, so no engine finds ours in its way.
Expected<std::map<std::string, std::vector<LeaseHolder>>> LeaseFolder::look(const std::filesystem::path &path,
                                                                            const std::vector<std::string> &gpuIds)
{
    std::map<std::string, std::vector<LeaseHolder>> leases;
    const FileDescriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!folder && errno == ENOENT)
        return leases;  // nobody has ever leased one
    if (!folder)
        return folderError(path, "cannot open", errno);
    const Expected<FileDescriptor> gate = lockGate(folder.get(), path, lookTries);
    if (!gate)
        return tl::unexpected<Error>(gate.error());
    for (const std::string &gpuId : gpuIds) {
        const FileDescriptor file(
            ::openat(folder.get(), fileName(gpuId).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
        if (file && isPlain(file.get()) && ::flock(file.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
            leases[gpuId] = readSignatures(file.get());
    }
    for (auto &[gpuId, holders] : leases) {
        const bool anyLives =
            std::any_of(holders.begin(), holders.end(), [](const LeaseHolder &holder) { return isAlive(holder.pid); });
        if (anyLives)  // else their numbers are of another container
            std::erase_if(holders, [](const LeaseHolder &holder) { return !isAlive(holder.pid); });
    }
    return leases;
}

std::string leasedInWords(const std::vector<LeaseHolder> &holders)
{
    if (holders.empty())
        return "leased to an engine that does not say for whom";
    std::string text;
    for (const LeaseHolder &holder : holders)
        text += (text.empty() ? "leased to " : "; and to ") + holder.purpose + " of " + holder.user + " (process "
                + std::to_string(holder.pid) + ", workspace " + holder.workspace + ")";
    return text;
}

LeaseFolder::LeaseFolder(std::filesystem::path folder, std::string workspace)
    : m_folder(std::move(folder)), m_workspace(std::move(workspace))
{}

std::filesystem::path LeaseFolder::ofThisMachine()
{
    const char *given = std::getenv("SWEEPSCOPE_LEASE_FOLDER");
    if (given != nullptr && *given != '\0')
        return given;
    return std::filesystem::path(isEverybodys("/run/lock") ? "/run/lock" : "/tmp") / "sweepscope";
}

Expected<std::unique_ptr<GpuLeases::Taking>> LeaseFolder::begin()
{
    Expected<FileDescriptor> folder = openFolder(m_folder);
    if (!folder)
        return tl::unexpected<Error>(folder.error());
    Expected<FileDescriptor> gate = lockGate(folder->get(), m_folder, gateTries);
    if (!gate)
        return tl::unexpected<Error>(gate.error());
    return std::make_unique<FolderTaking>(m_folder, m_workspace, std::move(*folder), std::move(*gate));
}

/// Without room on the disk nobody learns who it is, but the lease holds.
void LeaseFolder::sign(const Lease &lease, pid_t holder, const std::string &purpose)
{
    std::string text;
    for (const Signature &signature : lease.isFirst ? std::vector<Signature>() : readSignatures(lease.file.get())) {
        if (signature.purpose != printable(purpose) && isAlive(signature.pid))
            text += lineOf(signature);
    }
    const std::string user = userOfProcess(::getpid(), "/proc").value_or(std::to_string(::getuid()));
    text += lineOf({holder, user, m_workspace, purpose});
    if (text.size() > mostBytes || ::pwrite(lease.file.get(), text.data(), text.size(), 0) < 0)
        return;
    [[maybe_unused]] const int cut = ::ftruncate(lease.file.get(), static_cast<off_t>(text.size()));
}

}  // namespace sweepscope::device
