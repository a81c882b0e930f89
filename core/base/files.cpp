#include "base/files.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace sweepscope {

bool hasNoName(int file)
{
    struct stat status {};
    return ::fstat(file, &status) == 0 && status.st_nlink == 0;
}

namespace {

const char *kindOf(mode_t mode)
{
    if (S_ISDIR(mode))
        return "a folder";
    if (S_ISLNK(mode))
        return "a symbolic link";
    if (S_ISFIFO(mode))
        return "a named pipe";
    if (S_ISSOCK(mode))
        return "a socket";
    return "a device";
}

tl::unexpected<Error> notRegular(const std::filesystem::path &path, mode_t mode)
{
    return makeError(ErrorCode::BadInput, path.string() + " is " + kindOf(mode) + ", not a regular file");
}

}  // namespace

Expected<FileDescriptor> openRegularFile(const std::filesystem::path &path, int flags, Links links, mode_t mode)
{
    const int more = O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (links == Links::Refuse ? O_NOFOLLOW : 0);
    FileDescriptor file(::open(path.c_str(), flags | more, mode));
    struct stat info {};
    if (!file) {
        const int failed = errno;
        // A pipe or a socket cannot even be opened for writing.
        const bool known =
            links == Links::Refuse ? ::lstat(path.c_str(), &info) == 0 : ::stat(path.c_str(), &info) == 0;
        if (known && !S_ISREG(info.st_mode))
            return notRegular(path, info.st_mode);
        return makeErrnoError("cannot open " + path.string(), failed);
    }
    if (::fstat(file.get(), &info) != 0)
        return makeErrnoError("cannot open " + path.string(), errno);
    if (!S_ISREG(info.st_mode))
        return notRegular(path, info.st_mode);
    // Only the opening must not wait; the file may become the output of a rank, which sees its flags.
    if (const int now = ::fcntl(file.get(), F_GETFL); now < 0 || ::fcntl(file.get(), F_SETFL, now & ~O_NONBLOCK) != 0)
        return makeErrnoError("cannot open " + path.string(), errno);
    return file;
}

Expected<std::string> readFile(const std::filesystem::path &path, std::uint64_t maxBytes, Accepted accepted)
{
    auto opened = openRegularFile(path, O_RDONLY, Links::Follow);
    struct stat info {};
    if (!opened && accepted == Accepted::AnyFile && ::stat(path.c_str(), &info) == 0 && !S_ISDIR(info.st_mode))
        opened = FileDescriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!opened)
        return tl::unexpected(opened.error());
    const FileDescriptor file = std::move(*opened);
    if (!file)
        return makeErrnoError("cannot open " + path.string(), errno);

    std::string content;
    char buffer[65536];
    for (;;) {
        const ssize_t got = ::read(file.get(), buffer, sizeof buffer);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return makeErrnoError("cannot read " + path.string(), errno);
        if (got == 0)
            return content;
        content.append(buffer, static_cast<std::size_t>(got));
        if (content.size() > maxBytes)
            return makeError(ErrorCode::BadInput, path.string() + " is larger than " + std::to_string(maxBytes)
                                                      + " bytes, the limit for this file");
    }
}

std::string readTail(const std::filesystem::path &path, std::size_t bytes)
{
    const auto file = openRegularFile(path, O_RDONLY);
    struct stat info {};
    if (!file || ::fstat(file->get(), &info) != 0)
        return {};
    off_t offset = std::max<off_t>(0, info.st_size - static_cast<off_t>(bytes));
    std::string tail;
    std::array<char, 16384> buffer{};
    while (tail.size() < 2 * bytes) {
        const ssize_t got =
            ::pread(file->get(), buffer.data(), std::min(buffer.size(), 2 * bytes - tail.size()), offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        tail.append(buffer.data(), static_cast<std::size_t>(got));
        offset += got;
    }
    return tail;
}

namespace {

/// Opens a file without a name: the kernel deletes it when this process ends, even by a kill. Fails on file systems
/// without O_TMPFILE.
FileDescriptor openNameless(const std::filesystem::path &folder)
{
    const char *path = folder.empty() ? "." : folder.c_str();
    return FileDescriptor(::open(path, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0644));
}

/// False with errno EEXIST when there is one of that name already.
bool giveName(int file, const std::filesystem::path &path)
{
    const std::string self = "/proc/self/fd/" + std::to_string(file);
    return ::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) == 0;
}

/// Until then the file's name, and with it the file, may go with the power.
Expected<void> syncFolderOf(const std::filesystem::path &path)
{
    const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
    const FileDescriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    // Some network file systems cannot sync a folder, and need not.
    if (!opened || (::fsync(opened.get()) != 0 && errno != EINVAL))
        return makeErrnoError("cannot flush " + path.string() + " to disk", errno);
    return {};
}

}  // namespace

Expected<void> writeFileAtomically(const std::filesystem::path &path, std::string_view content, Survives survives)
{
    return writeFileAtomically(
        path, [&](int file) { return writeAll(file, content, path); }, survives);
}

Expected<void> writeFileAtomically(const std::filesystem::path &path,
                                   const std::function<Expected<void>(int file)> &write, Survives survives)
{
    const std::filesystem::path temporary = path.string() + ".tmp." + std::to_string(::getpid());
    FileDescriptor file = openNameless(path.parent_path());
    const bool nameless = static_cast<bool>(file);
    if (!nameless) {
        auto opened = openRegularFile(temporary, O_WRONLY | O_CREAT | O_TRUNC);
        if (!opened)
            return makeError(opened.error().code, "cannot write " + path.string() + ": " + opened.error().message);
        file = std::move(*opened);
    }
    Expected<void> written = write(file.get());
    if (written && survives == Survives::PowerLoss && ::fsync(file.get()) != 0)
        written = makeErrnoError("cannot write " + path.string(), errno);
    bool named = false;
    if (written && nameless) {
        named = giveName(file.get(), path);
        if (!named && errno != EEXIST)
            return makeErrnoError("cannot write " + path.string(), errno);
        if (!named) {
            ::unlink(temporary.c_str());  // a killed process with this id may have left it
            if (!giveName(file.get(), temporary))
                return makeErrnoError("cannot write " + path.string(), errno);
        }
    }
    file.reset();
    if (written && !named && std::rename(temporary.c_str(), path.c_str()) != 0)
        written = makeErrnoError("cannot write " + path.string(), errno);
    if (!written) {
        ::unlink(temporary.c_str());
        return written;
    }
    return survives == Survives::PowerLoss ? syncFolderOf(path) : written;
}

Expected<void> writeAll(int fd, std::string_view bytes, const std::filesystem::path &pathForMessage)
{
    while (!bytes.empty()) {
        const ssize_t put = ::write(fd, bytes.data(), bytes.size());
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return makeErrnoError("cannot write " + pathForMessage.string(), errno);
        bytes.remove_prefix(static_cast<std::size_t>(put));
    }
    return {};
}

}  // namespace sweepscope
