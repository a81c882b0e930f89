#include "base/lineprogram.h"

#include "base/childprogram.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
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
        return makeErrnoError("cannot create a pipe", errno);
    return Pipe{FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

void doNotBlock(const FileDescriptor &file)
{
    ::fcntl(file.get(), F_SETFL, ::fcntl(file.get(), F_GETFL) | O_NONBLOCK);
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

}  // namespace

Expected<LineProgram> LineProgram::start(const Wanted &wanted)
{
    Expected<Pipe> input = makePipe();
    Expected<Pipe> output = makePipe();
    Expected<Pipe> errors = makePipe();
    for (const Expected<Pipe> *made : {&input, &output, &errors}) {
        if (!*made)
            return tl::unexpected<Error>(made->error());
    }
    const Expected<pid_t> started = startChild({wanted.command, wanted.folder, environmentWith(wanted.environment)},
                                               {input->reading.get(), output->writing.get(), errors->writing.get()});
    if (!started)
        return tl::unexpected<Error>(started.error());
    LineProgram program;
    program.m_pid = *started;
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
            return makeError(ErrorCode::BadInput, "it wrote more than 16 MB without a line break");
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
