// floods MEGABYTES: writes that much to stdout, then one last line to stderr, and exits with 5.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>

int main(int argc, char **argv)
{
    const long megabytes = argc > 1 ? std::atol(argv[1]) : 1;
    const std::string line = std::string(1023, 'x') + "\n";
    for (long i = 0; i < megabytes * 1024; ++i)
        std::fwrite(line.data(), 1, line.size(), stdout);
    std::fflush(stdout);
    std::fputs("error: enough\n", stderr);
    return 5;
}
