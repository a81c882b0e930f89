// grandchildren FILE [exit]: starts three processes that ignore SIGTERM and try to escape (a plain child, one forked
// twice, one in a new session), writes their pids to FILE, one per line, and waits; with "exit" it exits with 0
// immediately and leaves them behind.
#include <csignal>
#include <cstdio>
#include <cstring>
#include <unistd.h>

namespace {

[[noreturn]] void stay(int pidPipe)
{
    ::signal(SIGTERM, SIG_IGN);
    const pid_t own = ::getpid();
    if (::write(pidPipe, &own, sizeof own) != static_cast<ssize_t>(sizeof own))
        ::_exit(1);
    for (;;)
        ::pause();
}

}  // namespace

int main(int argc, char **argv)
{
    int fds[2];
    if (argc < 2 || ::pipe(fds) != 0)
        return 2;
    if (::fork() == 0)
        stay(fds[1]);
    if (::fork() == 0) {
        if (::fork() == 0)
            stay(fds[1]);
        ::_exit(0);
    }
    if (::fork() == 0) {
        ::setsid();
        if (::fork() == 0)
            stay(fds[1]);
        ::_exit(0);
    }

    char name[4096];
    std::snprintf(name, sizeof name, "%s.new", argv[1]);
    std::FILE *file = std::fopen(name, "w");
    if (file == nullptr)
        return 2;
    for (int i = 0; i < 3; ++i) {
        pid_t pid = 0;
        if (::read(fds[0], &pid, sizeof pid) != static_cast<ssize_t>(sizeof pid))
            return 2;
        std::fprintf(file, "%d\n", static_cast<int>(pid));
    }
    std::fclose(file);
    if (std::rename(name, argv[1]) != 0)
        return 2;
    if (argc > 2 && std::strcmp(argv[2], "exit") == 0)
        ::_exit(0);
    for (;;)
        ::pause();
}
