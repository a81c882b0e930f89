#include "launch/socketguard.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <spawn.h>
#include <string>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sweepscope::launch {

namespace {

/// What must be so of the new process before it runs.
struct GuardSpawn {
    posix_spawn_file_actions_t actions{};
    posix_spawnattr_t attributes{};

    explicit GuardSpawn(int line)
    {
        ::posix_spawn_file_actions_init(&actions);
        ::posix_spawn_file_actions_adddup2(&actions, line, STDIN_FILENO);
        for (const int stream : {STDOUT_FILENO, STDERR_FILENO})
            ::posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0);
        ::posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
        // No folder is kept in use.
        ::posix_spawn_file_actions_addchdir_np(&actions, "/");
        sigset_t none;
        sigset_t all;
        ::sigemptyset(&none);
        ::sigfillset(&all);
        ::posix_spawnattr_init(&attributes);
        ::posix_spawnattr_setsigmask(&attributes, &none);
        ::posix_spawnattr_setsigdefault(&attributes, &all);
        ::posix_spawnattr_setflags(
            &attributes, static_cast<short>(POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF));
    }
    ~GuardSpawn()
    {
        ::posix_spawn_file_actions_destroy(&actions);
        ::posix_spawnattr_destroy(&attributes);
    }
    GuardSpawn(const GuardSpawn &) = delete;
    GuardSpawn &operator=(const GuardSpawn &) = delete;
};

}  // namespace

Expected<void> SocketGuard::start(const std::filesystem::path &program, const std::filesystem::path &socket)
{
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        return makeErrnoError("cannot make a pipe", errno);
    const FileDescriptor theirs(ends[0]);
    m_line = FileDescriptor(ends[1]);
    const GuardSpawn spawn(theirs.get());
    std::array<std::string, 3> words{program.string(), "--guard", socket.string()};
    std::array<char *, words.size() + 1> argv{words[0].data(), words[1].data(), words[2].data(), nullptr};
    // No variable of the engine's: some of them name what it runs, and it is no part of that.
    std::array<char *, 1> nothing{};
    pid_t pid = 0;
    const int result =
        ::posix_spawn(&pid, program.c_str(), &spawn.actions, &spawn.attributes, argv.data(), nothing.data());
    if (result != 0)
        return makeErrnoError("cannot start " + program.string(), result);
    // It leaves a child behind, which nobody has to wait for.
    int status = 0;
    while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return makeError(ErrorCode::Io, program.string() + " does not guard " + socket.string());
    return {};
}

void guardSocket(const std::filesystem::path &socket)
{
    struct stat ours {};
    if (::lstat(socket.c_str(), &ours) != 0 || !S_ISSOCK(ours.st_mode))
        ::_exit(2);
    const pid_t child = ::fork();
    if (child != 0)
        ::_exit(child > 0 ? 0 : 2);
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT})
        std::signal(number, SIG_IGN);  // it ends with the engine, and not before it
    char byte = 0;
    for (ssize_t got = 1; got > 0 || (got < 0 && errno == EINTR);)
        got = ::read(STDIN_FILENO, &byte, 1);
    struct stat now {};
    if (::lstat(socket.c_str(), &now) == 0 && now.st_dev == ours.st_dev && now.st_ino == ours.st_ino
        && S_ISSOCK(now.st_mode))
        ::unlink(socket.c_str());
    ::_exit(0);
}

}  // namespace sweepscope::launch
