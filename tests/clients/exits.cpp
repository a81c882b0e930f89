// exits CODE [RANK] [LINE…]: writes the lines to stderr and exits with CODE. With a RANK other than "all" only that
// rank does so; the others wait until they are ended.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

int main(int argc, char **argv)
{
    const char *own = std::getenv("RANK");
    if (argc > 2 && std::strcmp(argv[2], "all") != 0 && (own == nullptr || std::strcmp(argv[2], own) != 0)) {
        for (;;)
            ::pause();
    }
    for (int i = 3; i < argc; ++i)
        std::fprintf(stderr, "%s\n", argv[i]);
    return argc > 1 ? std::atoi(argv[1]) : 0;
}
