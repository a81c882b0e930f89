#include "base/filelock.h"

#include "base/filedescriptor.h"
#include "base/user.h"

#include <cerrno>
#include <fcntl.h>
#include <fstream>
#include <sstream>
#include <string>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

namespace sweepscope {

bool isLocked(const std::filesystem::path &file)
{
    const FileDescriptor opened(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    return opened && ::flock(opened.get(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

std::optional<pid_t> lockHolder(const std::filesystem::path &file)
{
    struct stat info {};
    if (::stat(file.c_str(), &info) != 0)
        return std::nullopt;
    std::optional<pid_t> reader;
    std::ifstream locks("/proc/locks");
    for (std::string text; std::getline(locks, text);) {
        // "1: FLOCK  ADVISORY  WRITE 4711 08:01:1234 0 EOF"; "1: -> FLOCK …" waits for it.
        std::istringstream fields(text);
        std::string number;
        std::string kind;
        std::string strength;
        std::string access;
        pid_t pid = 0;
        unsigned major = 0;
        unsigned minor = 0;
        ino_t inode = 0;
        char colon = 0;
        fields >> number >> kind >> strength >> access >> pid >> std::hex >> major >> colon >> minor >> colon
            >> std::dec >> inode;
        if (!fields || kind == "->" || pid <= 0 || pid == ::getpid() || inode != info.st_ino
            || ::makedev(major, minor) != info.st_dev)
            continue;
        if (access == "WRITE")
            return pid;
        reader = pid;
    }
    return reader;
}

std::string describeProcess(pid_t pid)
{
    const std::string process = "process " + std::to_string(pid);
    struct stat info {};
    return ::stat(("/proc/" + std::to_string(pid)).c_str(), &info) == 0 ? process + " of " + describeUser(info.st_uid)
                                                                        : process;
}

}  // namespace sweepscope
