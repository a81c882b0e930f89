#include "schedule/sharedfolder.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace sweepscope::schedule {

namespace {

constexpr mode_t everybodysFolder = 01777;  // sticky: users cannot remove each other's files
constexpr mode_t everybodysFile = 0666;
constexpr std::size_t mostBytes = 64 * 1024;
constexpr int mostNotes = 4096;
constexpr useconds_t gatePauseMicroseconds = 1000;
constexpr const char *gateName = "taking";

tl::unexpected<Error> folderError(const std::filesystem::path &path, const std::string &what, int errnoValue)
{
    return makeErrnoError("GPUs cannot be leased: " + what + " " + path.string()
                              + " (all users of this machine must be able to write to one folder; set "
                                "SWEEPSCOPE_LEASE_FOLDER to use another one)",
                          errnoValue);
}

FileDescriptor openFolder(const std::filesystem::path &path)
{
    return FileDescriptor(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

/// Rejects links, and files with a second name elsewhere: every user may create files in the folder.
bool isPlain(int file)
{
    struct stat info {};
    return ::fstat(file, &info) == 0 && S_ISREG(info.st_mode) && info.st_nlink <= 1;
}

std::string noteName(const std::string &kind, int number)
{
    return kind + "." + std::to_string(number);
}

bool lockAlone(const FileDescriptor &file)
{
    return ::flock(file.get(), LOCK_EX | LOCK_NB) == 0;
}

}  // namespace

Expected<SharedFolder> SharedFolder::open(const std::filesystem::path &path)
{
    FileDescriptor folder = openFolder(path);
    if (folder)
        return SharedFolder(path, std::move(folder));
    if (errno != ENOENT)
        return folderError(path, "cannot open", errno);
    std::error_code ignored;  // the next call fails then, and returns the reason
    std::filesystem::create_directories(path.parent_path(), ignored);
    const bool isNew = ::mkdir(path.c_str(), everybodysFolder) == 0;
    if (!isNew && errno != EEXIST)
        return folderError(path, "cannot create", errno);
    folder = openFolder(path);
    if (!folder || (isNew && ::fchmod(folder.get(), everybodysFolder) != 0))
        return folderError(path, "cannot open", errno);
    return SharedFolder(path, std::move(folder));
}

Expected<std::optional<SharedFolder>> SharedFolder::openExisting(const std::filesystem::path &path)
{
    FileDescriptor folder = openFolder(path);
    if (!folder && errno == ENOENT)
        return std::nullopt;
    if (!folder)
        return folderError(path, "cannot open", errno);
    return SharedFolder(path, std::move(folder));
}

tl::unexpected<Error> SharedFolder::error(const std::string &what, const std::string &name, int errnoValue) const
{
    return folderError(m_path / name, what, errnoValue);
}

Expected<FileDescriptor> SharedFolder::lockGate(int tries) const
{
    Expected<FileDescriptor> gate = file(gateName);
    for (int i = 1; gate && !lockAlone(*gate); ++i) {
        if (errno != EWOULDBLOCK)
            return error("cannot lock", gateName, errno);
        if (i == tries)
            return makeError(ErrorCode::Unavailable, "another engine on this machine is allocating devices");
        ::usleep(gatePauseMicroseconds);
    }
    return gate;
}

/// Not with O_CREAT alone: in a sticky folder the kernel (fs.protected_regular) refuses that for another user's file.
Expected<FileDescriptor> SharedFolder::file(const std::string &name) const
{
    constexpr int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    constexpr int tries = 3;
    for (int i = 0; i < tries; ++i) {
        FileDescriptor file(::openat(m_folder.get(), name.c_str(), flags));
        if (!file && errno == ENOENT) {
            file = FileDescriptor(::openat(m_folder.get(), name.c_str(), flags | O_CREAT | O_EXCL, everybodysFile));
            if (file && ::fchmod(file.get(), everybodysFile) != 0)
                return error("cannot share", name, errno);
        }
        if (!file && (errno == EEXIST || errno == ENOENT))
            continue;
        if (!file)
            return error("cannot write", name, errno);
        if (!isPlain(file.get()))
            return error("unexpected link or special file", name, EINVAL);
        return file;
    }
    return error("cannot write", name, EAGAIN);
}

FileDescriptor SharedFolder::existing(const std::string &name) const
{
    FileDescriptor file(::openat(m_folder.get(), name.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    return file && isPlain(file.get()) ? std::move(file) : FileDescriptor();
}

bool SharedFolder::isStillThere(const std::string &name, const FileDescriptor &file) const
{
    struct stat ours {};
    struct stat there {};
    return ::fstat(file.get(), &ours) == 0 && ::fstatat(m_folder.get(), name.c_str(), &there, AT_SYMLINK_NOFOLLOW) == 0
           && ours.st_dev == there.st_dev && ours.st_ino == there.st_ino;
}

Expected<FileDescriptor> SharedFolder::claimNote(const std::string &kind) const
{
    for (int i = 0; i < mostNotes; ++i) {
        Expected<FileDescriptor> note = file(noteName(kind, i));
        if (!note || lockAlone(*note))
            return note;
    }
    return error("too many of", kind, EMFILE);
}

/// A lock that cannot be taken is held.
std::vector<std::string> SharedFolder::notes(const std::string &kind) const
{
    std::vector<std::string> texts;
    for (int i = 0; i < mostNotes; ++i) {
        const FileDescriptor note = existing(noteName(kind, i));
        if (!note)
            break;
        if (!lockAlone(note) && errno == EWOULDBLOCK)
            texts.push_back(textOf(note));
    }
    return texts;
}

std::string textOf(const FileDescriptor &file)
{
    struct stat info {};
    const bool isShort = ::fstat(file.get(), &info) == 0 && info.st_size < static_cast<off_t>(mostBytes);
    std::string untrusted(isShort ? static_cast<std::size_t>(info.st_size) : mostBytes, '\0');
    const ssize_t got = ::pread(file.get(), untrusted.data(), untrusted.size(), 0);
    untrusted.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return untrusted;
}

bool replaceText(const FileDescriptor &file, const std::string &text)
{
    return text.size() <= mostBytes
           && ::pwrite(file.get(), text.data(), text.size(), 0) == static_cast<ssize_t>(text.size())
           && ::ftruncate(file.get(), static_cast<off_t>(text.size())) == 0;
}

}  // namespace sweepscope::schedule
