#include "base/files.h"

#include "base/filedescriptor.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sweepscope {

bool hasNoName(int file)
{
    struct stat status {};
    return ::fstat(file, &status) == 0 && status.st_nlink == 0;
}

Expected<std::string> readFile(const std::filesystem::path &path, std::uint64_t maxBytes)
{
    const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file)
        return makeErrnoError("cannot open " + path.string(), errno);
    struct stat info {};
    if (::fstat(file.get(), &info) != 0)
        return makeErrnoError("cannot read " + path.string(), errno);
    if (S_ISDIR(info.st_mode))
        return makeError(ErrorCode::BadInput, path.string() + " is a folder, not a file");

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
            return makeError(ErrorCode::BadInput, path.string() + " is larger than the " + std::to_string(maxBytes)
                                                      + " bytes that such a file may have");
    }
}

namespace {

/// A file that nobody sees, and that goes with this process: whoever is killed here leaves nothing. Not every file system
/// has such files.
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

}  // namespace

Expected<void> writeFileAtomically(const std::filesystem::path &path, std::string_view content, Survives survives)
{
    const std::filesystem::path temporary = path.string() + ".tmp." + std::to_string(::getpid());
    FileDescriptor file = openNameless(path.parent_path());
    const bool nameless = static_cast<bool>(file);
    if (!nameless)
        file = FileDescriptor(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
    if (!file)
        return makeErrnoError("cannot write " + temporary.string(), errno);
    Expected<void> written = writeAll(file.get(), content, path);
    if (written && survives == Survives::PowerLoss && ::fsync(file.get()) != 0)
        written = makeErrnoError("cannot write " + path.string(), errno);
    if (written && nameless) {
        if (giveName(file.get(), path))
            return written;
        if (errno != EEXIST || !giveName(file.get(), temporary))
            return makeErrnoError("cannot write " + path.string(), errno);
    }
    file.reset();
    if (written && std::rename(temporary.c_str(), path.c_str()) != 0)
        written = makeErrnoError("cannot write " + path.string(), errno);
    if (!written)
        ::unlink(temporary.c_str());
    return written;
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
