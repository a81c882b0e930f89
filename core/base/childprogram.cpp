#include "base/childprogram.h"

#include "base/filedescriptor.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sweepscope {

namespace {

std::vector<char *> pointersTo(std::vector<std::string> &words)
{
    std::vector<char *> pointers;
    for (std::string &word : words)
        pointers.push_back(word.data());
    pointers.push_back(nullptr);
    return pointers;
}

struct Start {
    std::array<int, 3> standard;
    int inherited;
    const char *folder;
    char *const *argv;
    char *const *envp;
    pid_t parent;
};

/// In the new process: becomes the program, or returns errno. Only what is safe after fork() in a program with threads.
int become(const Start &start)
{
    ::setpgid(0, 0);
    // Also when the parent is killed.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != start.parent)
        ::_exit(0);
    for (int file = 0; file < 3; ++file) {
        if (::dup2(start.standard[static_cast<std::size_t>(file)], file) < 0)
            return errno;
    }
    if (start.inherited >= 0 && ::fcntl(start.inherited, F_SETFD, 0) != 0)
        return errno;
    if (*start.folder != '\0' && ::chdir(start.folder) != 0)
        return errno;
    for (int number = 1; number < NSIG; ++number)
        ::signal(number, SIG_DFL);
    sigset_t none;
    ::sigemptyset(&none);
    ::pthread_sigmask(SIG_SETMASK, &none, nullptr);
    ::execvpe(start.argv[0], start.argv, start.envp);
    return errno;
}

}  // namespace

Expected<pid_t> startChild(const ChildProgram &wanted, const std::array<int, 3> &standard)
{
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        return makeErrnoError("cannot create a pipe", errno);
    const FileDescriptor failure(ends[0]);  // whose other end a successful start closes
    FileDescriptor failing(ends[1]);
    std::vector<std::string> words = wanted.command;
    std::vector<std::string> environment = wanted.environment;
    const std::vector<char *> argv = pointersTo(words);
    const std::vector<char *> envp = pointersTo(environment);
    const Start start{standard, wanted.inherited, wanted.folder.c_str(), argv.data(), envp.data(), ::getpid()};

    const pid_t child = ::fork();
    if (child == 0) {
        const int error = become(start);
        (void)!::write(failing.get(), &error, sizeof error);
        ::_exit(127);
    }
    if (child < 0)
        return makeErrnoError("cannot start " + words.front(), errno);
    ::setpgid(child, child);  // here too: it may be killed before it has done so
    failing.reset();
    int error = 0;
    ssize_t count = 0;
    do
        count = ::read(failure.get(), &error, sizeof error);
    while (count < 0 && errno == EINTR);
    if (count == sizeof error) {
        ::waitpid(child, nullptr, 0);
        return makeErrnoError("cannot start " + words.front(), error);
    }
    return child;
}

std::vector<std::string> environmentWith(const std::map<std::string, std::string> &more)
{
    std::vector<std::string> lines;
    for (char **line = environ; *line != nullptr; ++line) {
        const std::string entry(*line);
        if (!more.contains(entry.substr(0, entry.find('='))))
            lines.push_back(entry);
    }
    for (const auto &[name, value] : more)
        lines.push_back(name + "=" + value);
    return lines;
}

}  // namespace sweepscope
