#include "base/samefile.h"

#include "base/filedescriptor.h"

#include <sys/stat.h>

namespace sweepscope {

bool isNamed(const FileDescriptor &file, const std::filesystem::path &path)
{
    struct stat mine {};
    struct stat named {};
    return ::fstat(file.get(), &mine) == 0 && ::stat(path.c_str(), &named) == 0 && mine.st_ino == named.st_ino
           && mine.st_dev == named.st_dev;
}

}  // namespace sweepscope
