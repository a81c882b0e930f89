#include "launch/socketguard.h"

#include "base/detachedprogram.h"
#include "base/samefile.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <optional>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace sweepscope::launch {

Expected<void> SocketGuard::start(const std::filesystem::path &program, const std::filesystem::path &socket)
{
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        return makeErrnoError("cannot make a pipe", errno);
    const FileDescriptor theirs(ends[0]);
    m_line = FileDescriptor(ends[1]);
    // In no folder, which would be kept in use, and with no variable of the engine's: some of them name what it runs, and
    // this is no part of that.
    const Expected<pid_t> pid = startDetached({.program = program,
                                               .arguments = {"--guard", socket.string()},
                                               .input = theirs.get(),
                                               .output = "/dev/null",
                                               .folder = "/",
                                               .hasEnvironment = false});
    if (!pid)
        return tl::unexpected<Error>(pid.error());
    // It leaves a child behind, which nobody has to wait for.
    int status = 0;
    while (::waitpid(*pid, &status, 0) < 0 && errno == EINTR) {
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return makeError(ErrorCode::Io, program.string() + " does not guard " + socket.string());
    return {};
}

void guardSocket(const std::filesystem::path &socket)
{
    const std::optional<FileIdentity> ours = identityOf(socket);
    std::error_code error;
    if (!ours || !std::filesystem::is_socket(std::filesystem::symlink_status(socket, error)))
        ::_exit(2);
    const pid_t child = ::fork();
    if (child != 0)
        ::_exit(child > 0 ? 0 : 2);
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT})
        std::signal(number, SIG_IGN);  // it ends with the engine, and not before it
    char byte = 0;
    for (ssize_t got = 1; got > 0 || (got < 0 && errno == EINTR);)
        got = ::read(STDIN_FILENO, &byte, 1);
    removeIfStill(*ours, socket);
    ::_exit(0);
}

}  // namespace sweepscope::launch
