// Overwrites its entire ring, including the header, with invalid bytes, and exits with 0.
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int main()
{
    const char *path = std::getenv("SWEEPSCOPE_RING");
    const int fd = path != nullptr ? ::open(path, O_RDWR) : -1;
    struct stat info {};
    if (fd < 0 || ::fstat(fd, &info) != 0)
        return 1;
    const auto size = static_cast<std::size_t>(info.st_size);
    void *memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED)
        return 1;
    std::memset(memory, 0xAB, size);
    return 0;
}
