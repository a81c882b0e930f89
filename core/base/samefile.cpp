#include "base/samefile.h"

#include "base/filedescriptor.h"

#include <sys/stat.h>
#include <unistd.h>

namespace sweepscope {

bool isNamed(const FileDescriptor &file, const std::filesystem::path &path)
{
    struct stat mine {};
    struct stat named {};
    return ::fstat(file.get(), &mine) == 0 && ::stat(path.c_str(), &named) == 0 && mine.st_ino == named.st_ino
           && mine.st_dev == named.st_dev;
}

std::optional<FileIdentity> identityOf(const std::filesystem::path &path)
{
    struct stat named {};
    if (::lstat(path.c_str(), &named) != 0)
        return std::nullopt;
    return FileIdentity{named.st_dev, named.st_ino};
}

void removeIfStill(const FileIdentity &file, const std::filesystem::path &path)
{
    if (identityOf(path) == file)
        ::unlink(path.c_str());
}

}  // namespace sweepscope
