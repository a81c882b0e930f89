#include "slurm/localcommand.h"

#include "base/filedescriptor.h"
#include "base/files.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sweepscope::slurm {

namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::size_t mostOutput = 64 * 1024 * 1024;

struct Pipe {
    FileDescriptor read;
    FileDescriptor write;
};

Expected<Pipe> makePipe()
{
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        return makeErrnoError("cannot create a pipe", errno);
    ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
    return Pipe{FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

/// In memory, so that it need not be written while the program runs.
Expected<FileDescriptor> makeInput(const std::string &input)
{
    FileDescriptor file(::memfd_create("input", MFD_CLOEXEC));
    if (!file)
        return makeErrnoError("cannot keep the input of a program", errno);
    if (const Expected<void> written = writeAll(file.get(), input, "the input of a program"); !written)
        return tl::unexpected(written.error());
    ::lseek(file.get(), 0, SEEK_SET);
    return file;
}

/// A program, and what comes out of it.
class LocalCommand {
public:
    ~LocalCommand()
    {
        if (m_pid <= 0)
            return;
        ::kill(-m_pid, SIGKILL);
        ::waitpid(m_pid, nullptr, 0);
    }
    LocalCommand() = default;
    LocalCommand(const LocalCommand &) = delete;
    LocalCommand &operator=(const LocalCommand &) = delete;

    Expected<void> start(const std::vector<std::string> &command, const std::string &input)
    {
        const Expected<FileDescriptor> in = makeInput(input);
        if (!in)
            return tl::unexpected(in.error());
        for (Pipe *pipe : {&m_out, &m_errors}) {
            Expected<Pipe> made = makePipe();
            if (!made)
                return tl::unexpected(made.error());
            *pipe = std::move(*made);
        }
        std::vector<char *> words;
        for (const std::string &word : command)
            words.push_back(const_cast<char *>(word.c_str()));
        words.push_back(nullptr);
        posix_spawn_file_actions_t files;
        posix_spawnattr_t attributes;
        posix_spawn_file_actions_init(&files);
        posix_spawnattr_init(&attributes);
        posix_spawn_file_actions_adddup2(&files, in->get(), STDIN_FILENO);
        posix_spawn_file_actions_adddup2(&files, m_out.write.get(), STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&files, m_errors.write.get(), STDERR_FILENO);
        sigset_t none;
        ::sigemptyset(&none);
        posix_spawnattr_setsigmask(&attributes, &none);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
        const int error = ::posix_spawnp(&m_pid, words.front(), &files, &attributes, words.data(), environ);
        posix_spawn_file_actions_destroy(&files);
        posix_spawnattr_destroy(&attributes);
        m_out.write.reset();
        m_errors.write.reset();
        if (error != 0) {
            m_pid = 0;
            return makeErrnoError("cannot run " + command.front(), error);
        }
        return {};
    }

    Expected<Output> finish(std::chrono::milliseconds limit)
    {
        const SteadyClock::time_point end = SteadyClock::now() + limit;
        Output result;
        while (m_out.read || m_errors.read) {
            const auto rest = std::chrono::duration_cast<std::chrono::milliseconds>(end - SteadyClock::now());
            if (rest.count() <= 0)
                return makeError(ErrorCode::Timeout,
                                 "it did not finish in " + std::to_string(limit.count() / 1000) + " s");
            std::array<pollfd, 2> waited{{{m_out.read.get(), POLLIN, 0}, {m_errors.read.get(), POLLIN, 0}}};
            if (::poll(waited.data(), waited.size(), static_cast<int>(rest.count()) + 1) < 0 && errno != EINTR)
                return makeErrnoError("poll failed", errno);
            if (!drain(m_out.read, result.output) || !drain(m_errors.read, result.errors))
                return makeError(ErrorCode::Corrupt, "it printed too much");
        }
        int status = 0;
        while (::waitpid(m_pid, &status, 0) < 0 && errno == EINTR) {
        }
        m_pid = 0;
        result.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        return result;
    }

private:
    static bool drain(FileDescriptor &file, std::string &text)
    {
        std::array<char, 65536> bytes{};
        while (file) {
            const ssize_t count = ::read(file.get(), bytes.data(), bytes.size());
            if (count > 0)
                text.append(bytes.data(), static_cast<std::size_t>(count));
            else if (count == 0 || (errno != EAGAIN && errno != EINTR))
                file.reset();
            else if (errno == EAGAIN)
                break;
            if (text.size() > mostOutput)
                return false;
        }
        return true;
    }

    Pipe m_out;
    Pipe m_errors;
    pid_t m_pid = 0;
};

}  // namespace

Expected<Output> runHere(const std::vector<std::string> &command, const std::string &input,
                         std::chrono::milliseconds limit)
{
    LocalCommand program;
    if (const Expected<void> started = program.start(command, input); !started)
        return tl::unexpected(started.error());
    return program.finish(limit);
}

}  // namespace sweepscope::slurm
