#include "base/filelock.h"

#include "base/filedescriptor.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>

namespace sweepscope {

bool isLocked(const std::filesystem::path &file)
{
    const FileDescriptor opened(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    return opened && ::flock(opened.get(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

}  // namespace sweepscope
