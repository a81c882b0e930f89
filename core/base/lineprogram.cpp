#include "base/lineprogram.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace sweepscope {

namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::size_t mostOutput = 16U << 20;
constexpr std::size_t mostErrors = 4096;
/// How often a wait looks whether it was cancelled.
constexpr milliseconds attention{100};
/// For a program whose standard input was closed.
constexpr milliseconds grace{500};

struct Pipe {
    FileDescriptor reading;
    FileDescriptor writing;
};

Expected<Pipe> makePipe()
{
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        return makeErrnoError("cannot make a pipe", errno);
    return Pipe{FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

void doNotBlock(const FileDescriptor &file)
{
    ::fcntl(file.get(), F_SETFL, ::fcntl(file.get(), F_GETFL) | O_NONBLOCK);
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

std::vector<char *> pointersTo(std::vector<std::string> &words)
{
    std::vector<char *> pointers;
    for (std::string &word : words)
        pointers.push_back(word.data());
    pointers.push_back(nullptr);
    return pointers;
}

/// Writing to a program that has ended is an error, and no signal.
class WithoutBrokenPipe {
public:
    WithoutBrokenPipe()
    {
        ::sigemptyset(&m_pipe);
        ::sigaddset(&m_pipe, SIGPIPE);
        sigset_t pending;
        ::sigpending(&pending);
        m_wasPending = ::sigismember(&pending, SIGPIPE) == 1;
        ::pthread_sigmask(SIG_BLOCK, &m_pipe, &m_before);
    }
    ~WithoutBrokenPipe()
    {
        const timespec now{};
        if (!m_wasPending)
            ::sigtimedwait(&m_pipe, nullptr, &now);
        ::pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
    }
    WithoutBrokenPipe(const WithoutBrokenPipe &) = delete;
    WithoutBrokenPipe &operator=(const WithoutBrokenPipe &) = delete;

private:
    sigset_t m_pipe{};
    sigset_t m_before{};
    bool m_wasPending = false;
};

/// In the new process: becomes the program, or returns errno. Only what is safe after fork() in a program with threads.
int become(const std::array<int, 3> &standard, const char *folder, char *const *argv, char *const *envp, pid_t parent)
{
    ::setpgid(0, 0);
    // Also when the parent is killed.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent)
        ::_exit(0);
    for (int file = 0; file < 3; ++file) {
        if (::dup2(standard[static_cast<std::size_t>(file)], file) < 0)
            return errno;
    }
    if (*folder != '\0' && ::chdir(folder) != 0)
        return errno;
    for (int number = 1; number < NSIG; ++number)
        ::signal(number, SIG_DFL);
    sigset_t none;
    ::sigemptyset(&none);
    ::pthread_sigmask(SIG_SETMASK, &none, nullptr);
    ::execvpe(argv[0], argv, envp);
    return errno;
}

}  // namespace

Expected<LineProgram> LineProgram::start(const Wanted &wanted)
{
    Expected<Pipe> input = makePipe();
    Expected<Pipe> output = makePipe();
    Expected<Pipe> errors = makePipe();
    Expected<Pipe> failure = makePipe();  // closed by a successful start
    for (const Expected<Pipe> *made : {&input, &output, &errors, &failure}) {
        if (!*made)
            return tl::unexpected<Error>(made->error());
    }
    std::vector<std::string> words = wanted.command;
    std::vector<std::string> environment = environmentWith(wanted.environment);
    const std::vector<char *> argv = pointersTo(words);
    const std::vector<char *> envp = pointersTo(environment);
    const std::array<int, 3> standard{input->reading.get(), output->writing.get(), errors->writing.get()};
    const pid_t parent = ::getpid();

    LineProgram program;
    program.m_pid = ::fork();
    if (program.m_pid == 0) {
        const int error = become(standard, wanted.folder.c_str(), argv.data(), envp.data(), parent);
        (void)!::write(failure->writing.get(), &error, sizeof error);
        ::_exit(127);
    }
    if (program.m_pid < 0) {
        program.m_pid = 0;
        return makeErrnoError("cannot start " + words.front(), errno);
    }
    ::setpgid(program.m_pid, program.m_pid);  // here too: it may be killed before it has done so
    failure->writing.reset();
    int error = 0;
    ssize_t count = 0;
    do
        count = ::read(failure->reading.get(), &error, sizeof error);
    while (count < 0 && errno == EINTR);
    if (count == sizeof error)
        return makeErrnoError("cannot start " + words.front(), error);
    program.m_input = std::move(input->writing);
    program.m_output = std::move(output->reading);
    program.m_errors = std::move(errors->reading);
    doNotBlock(program.m_input);
    doNotBlock(program.m_output);
    doNotBlock(program.m_errors);
    return program;
}

LineProgram::LineProgram(LineProgram &&other) noexcept
    : m_pid(std::exchange(other.m_pid, 0)),
      m_input(std::move(other.m_input)),
      m_output(std::move(other.m_output)),
      m_errors(std::move(other.m_errors)),
      m_unread(std::move(other.m_unread)),
      m_lastErrors(std::move(other.m_lastErrors))
{}

LineProgram::~LineProgram()
{
    if (m_pid == 0)
        return;
    m_input.reset();
    const auto until = steady_clock::now() + grace;
    while (::waitpid(m_pid, nullptr, WNOHANG) == 0) {
        if (steady_clock::now() >= until) {
            ::kill(-m_pid, SIGKILL);
            ::waitpid(m_pid, nullptr, 0);
            return;
        }
        std::this_thread::sleep_for(milliseconds(5));
    }
    ::kill(-m_pid, SIGKILL);  // what it has left behind
}

Expected<void> LineProgram::write(const std::string &line, milliseconds limit, const std::atomic<bool> &cancelled)
{
    const auto until = steady_clock::now() + limit;
    const std::string text = line + '\n';
    for (std::size_t done = 0; done < text.size();) {
        const Expected<void> ready = wait(m_input.get(), POLLOUT, until, cancelled);
        if (!ready)
            return ready;
        const WithoutBrokenPipe noSignal;
        const ssize_t count = ::write(m_input.get(), text.data() + done, text.size() - done);
        if (count >= 0)
            done += static_cast<std::size_t>(count);
        else if (errno != EAGAIN && errno != EINTR)
            return tl::unexpected<Error>(ended());
    }
    return {};
}

Expected<std::string> LineProgram::read(milliseconds limit, const std::atomic<bool> &cancelled)
{
    const auto until = steady_clock::now() + limit;
    std::array<char, 4096> buffer{};
    for (;;) {
        if (const std::size_t end = m_unread.find('\n'); end != std::string::npos) {
            std::string line = m_unread.substr(0, end);
            m_unread.erase(0, end + 1);
            return line;
        }
        if (m_unread.size() > mostOutput)
            return makeError(ErrorCode::BadInput, "it wrote more than 16 MB without the end of a line");
        if (const Expected<void> ready = wait(m_output.get(), POLLIN, until, cancelled); !ready)
            return tl::unexpected<Error>(ready.error());
        const ssize_t count = ::read(m_output.get(), buffer.data(), buffer.size());
        if (count > 0)
            m_unread.append(buffer.data(), static_cast<std::size_t>(count));
        else if (count == 0 || (errno != EAGAIN && errno != EINTR))
            return tl::unexpected<Error>(ended());
    }
}

Expected<void> LineProgram::wait(int file, short events, steady_clock::time_point until,
                                 const std::atomic<bool> &cancelled)
{
    for (;;) {
        if (cancelled)
            return makeError(ErrorCode::Unavailable, "cancelled");
        const auto left = std::chrono::duration_cast<milliseconds>(until - steady_clock::now());
        if (left.count() <= 0)
            return makeError(ErrorCode::Timeout, "it does not answer");
        std::array<pollfd, 2> files{{{file, events, 0}, {m_errors.get(), POLLIN, 0}}};
        if (m_errors.get() < 0)
            files[1].fd = -1;
        const int ready = ::poll(files.data(), files.size(), static_cast<int>(std::min(left, attention).count()));
        if (ready < 0 && errno != EINTR)
            return makeErrnoError("cannot wait for it", errno);
        if (ready > 0 && files[1].revents != 0)
            readErrors();
        if (ready > 0 && files[0].revents != 0)
            return {};
    }
}

void LineProgram::readErrors()
{
    std::array<char, 4096> buffer{};
    for (;;) {
        const ssize_t count = ::read(m_errors.get(), buffer.data(), buffer.size());
        if (count <= 0) {
            if (count == 0)
                m_errors.reset();  // otherwise it would always be ready
            return;
        }
        m_lastErrors.append(buffer.data(), static_cast<std::size_t>(count));
        if (m_lastErrors.size() > mostErrors)
            m_lastErrors.erase(0, m_lastErrors.size() - mostErrors);
    }
}

bool LineProgram::hasOutput() const
{
    pollfd file{m_output.get(), POLLIN, 0};
    return !m_unread.empty() || (::poll(&file, 1, 0) == 1 && (file.revents & POLLIN) != 0);
}

std::string LineProgram::lastWords()
{
    if (m_errors)
        readErrors();
    const std::size_t end = m_lastErrors.find_last_not_of(" \n");
    if (end == std::string::npos)
        return {};
    const std::size_t begin = m_lastErrors.rfind('\n', end);
    const std::size_t first = begin == std::string::npos ? 0 : begin + 1;
    return m_lastErrors.substr(first, end + 1 - first);
}

/// It has closed its input or output: it ends, or is made to.
Error LineProgram::ended()
{
    if (m_errors)
        readErrors();
    int status = 0;
    const auto until = steady_clock::now() + grace;
    pid_t done = 0;
    while ((done = ::waitpid(m_pid, &status, WNOHANG)) == 0 && steady_clock::now() < until)
        std::this_thread::sleep_for(milliseconds(5));
    if (done == 0)
        return {ErrorCode::Unavailable, "it closed its standard input or output"};
    if (m_errors)
        readErrors();
    ::kill(-m_pid, SIGKILL);  // what it has left behind
    m_pid = 0;
    std::string message = WIFSIGNALED(status) ? "it was killed by signal " + std::to_string(WTERMSIG(status))
                                              : "it exited with code " + std::to_string(WEXITSTATUS(status));
    if (const std::string words = lastWords(); !words.empty())
        message += ": " + words;
    return {ErrorCode::Unavailable, std::move(message)};
}

}  // namespace sweepscope
