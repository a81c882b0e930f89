// Waits for SIGTERM, then writes "saved" and exits with 0.
#include <csignal>
#include <cstdio>

int main()
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigprocmask(SIG_BLOCK, &set, nullptr);
    std::puts("waiting");
    std::fflush(stdout);
    int number = 0;
    sigwait(&set, &number);
    std::puts("saved");
    return 0;
}
