// Ignores SIGTERM and waits forever: only SIGKILL ends it.
#include <csignal>
#include <cstdio>
#include <unistd.h>

int main()
{
    ::signal(SIGTERM, SIG_IGN);
    std::puts("not going");
    std::fflush(stdout);
    for (;;)
        ::pause();
}
