#include "launch/forkserver.h"

#include "base/files.h"
#include "base/workspacelayout.h"
#include "launch/agentreport.h"
#include "launch/childsetup.h"
#include "launch/forkserverprotocol.h"
#include "launch/processtitle.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <string>
#include <string_view>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace sweepscope::launch {

namespace {

using namespace forkserver;

constexpr int maxFailures = 3;
constexpr std::size_t titleRoom = 8192;

/// Set the number of threads while libraries are loaded; later calls cannot reliably change it.
constexpr std::array threadVariables{"OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "MKL_NUM_THREADS",
                                     "GOMP_CPU_AFFINITY",    "KMP_AFFINITY",     "OMP_PROC_BIND"};

struct ServerStart {
    const char *program;
    char *const *argv;
    char *const *environment;
    int nullFd;
    int socket;
    pid_t parent;
};

[[noreturn]] void becomeServer(const ServerStart &start) noexcept
{
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != start.parent)
        ::_exit(127);
    ::setpgid(0, 0);  // Ctrl+C in a terminal is meant for the engine
    resetSignals();
    ::dup2(start.nullFd, STDIN_FILENO);
    ::dup2(start.nullFd, STDOUT_FILENO);
    closeOthersOnExec();
    ::dup2(start.socket, socketFd);
    ::fcntl(socketFd, F_SETFD, 0);
    ::execve(start.program, start.argv, start.environment);
    ::_exit(127);
}

bool is(std::string_view variable, std::string_view name)
{
    return variable.substr(0, variable.find('=')) == name;
}

/// One thread each while libraries are loaded, because a fork would lose the others.
std::vector<std::string> serverEnvironment()
{
    std::vector<std::string> variables;
    for (char **variable = environ; *variable != nullptr; ++variable) {
        if (!is(*variable, "OMP_NUM_THREADS"))
            variables.emplace_back(*variable);
    }
    variables.emplace_back("OMP_NUM_THREADS=1");
    variables.push_back(ProcessTitle::roomVariable + ("=" + std::string(titleRoom, '.')));
    return variables;
}

std::string requestText(const std::filesystem::path &attemptFolder)
{
    std::string text = attemptFolder.string() + '\0';
    for (char **variable = environ; *variable != nullptr; ++variable)
        text.append(*variable).push_back('\0');
    return text;
}

}  // namespace

ForkServer::ForkServer(std::filesystem::path program, std::chrono::milliseconds patience)
    : m_program(std::move(program)), m_patience(patience)
{}

ForkServer::~ForkServer()
{
    end();
}

ForkServer::File ForkServer::programFile() const
{
    struct stat info {};
    return ::stat(m_program.c_str(), &info) == 0 ? File{info.st_dev, info.st_ino} : File{};
}

void ForkServer::start()
{
    if (m_pid > 0 && ::waitpid(m_pid, nullptr, WNOHANG) != 0) {
        if (!m_ready)
            ++m_failures;  // it was never ready
        m_pid = 0;
        end();
    }
    if (m_pid > 0 && !(programFile() == m_file))
        end();
    if (m_pid == 0 && m_failures < maxFailures && !spawn())
        ++m_failures;
}

bool ForkServer::spawn()
{
    for (const char *name : threadVariables) {
        if (std::getenv(name) != nullptr)
            return false;
    }
    m_file = programFile();
    std::array<int, 2> fds{-1, -1};
    if (m_file == File{} || ::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds.data()) != 0)
        return false;
    m_socket = FileDescriptor(fds[0]);
    const FileDescriptor theirs(fds[1]);
    const FileDescriptor null(::open("/dev/null", O_RDWR | O_CLOEXEC));
    std::vector<std::string> argv{m_program.string(), "fork-server", std::string(titleRoom, '.')};
    std::vector<std::string> environment = serverEnvironment();
    const std::vector<char *> argvPointers = execPointers(argv);
    const std::vector<char *> environmentPointers = execPointers(environment);
    const ServerStart start{m_program.c_str(), argvPointers.data(), environmentPointers.data(),
                            null.get(),        theirs.get(),        ::getpid()};
    m_ready = false;
    const pid_t pid = ::_Fork();
    if (pid == 0)
        becomeServer(start);
    m_pid = std::max(pid, 0);
    return pid > 0;
}

bool ForkServer::ready()
{
    if (m_pid > 0 && !m_ready) {
        char mark = 0;
        m_ready = ::recv(m_socket.get(), &mark, 1, MSG_DONTWAIT) == 1 && mark == readyMark;
    }
    return m_pid > 0 && m_ready;
}

void ForkServer::end()
{
    m_socket.reset();
    if (m_pid > 0) {
        ::kill(m_pid, SIGKILL);
        while (::waitpid(m_pid, nullptr, 0) < 0 && errno == EINTR) {
        }
    }
    m_pid = 0;
    m_ready = false;
}

/// After this none of its agents can begin: the server is dead, and an agent without a go ends.
Expected<ProcessIdentity> ForkServer::giveUp(const std::string &why)
{
    ++m_failures;
    end();
    return makeError(ErrorCode::Unavailable, "the fork server " + why);
}

Expected<void> ForkServer::sendRequest(const std::filesystem::path &attemptFolder, const std::vector<int> &descriptors)
{
    std::string text = requestText(attemptFolder);
    if (text.size() > maxRequestBytes)
        return makeError(ErrorCode::Unavailable, "the environment is too large for the fork server");
    const std::size_t bytes = descriptors.size() * sizeof(int);
    alignas(cmsghdr) std::array<char, CMSG_SPACE(maxDescriptors * sizeof(int))> control{};
    iovec part{text.data(), text.size()};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = CMSG_SPACE(bytes);
    cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(bytes);
    std::memcpy(CMSG_DATA(header), descriptors.data(), bytes);
    if (::sendmsg(m_socket.get(), &message, MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
        return makeErrnoError("cannot send a request to the fork server", errno);
    return {};
}

bool ForkServer::awaitReadable(int fd) const
{
    pollfd polled{fd, POLLIN, 0};
    const auto deadline = std::chrono::steady_clock::now() + m_patience;
    for (;;) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
        const int found = ::poll(&polled, 1, static_cast<int>(std::max<std::int64_t>(left.count(), 0)));
        if (found >= 0 || errno != EINTR)
            return found > 0;
    }
}

Expected<ProcessIdentity> ForkServer::startAgent(const std::filesystem::path &attemptFolder,
                                                 std::span<const int> leases)
{
    if (!ready())
        return makeError(ErrorCode::Unavailable, "the fork server is not ready");
    if (leases.size() + 2 > maxDescriptors)
        return makeError(ErrorCode::Unavailable, "too many leases for the fork server");
    std::error_code error;
    const AttemptLayout layout{std::filesystem::absolute(attemptFolder, error)};
    const auto log = openRegularFile(layout.agentLog(), O_WRONLY | O_APPEND | O_CREAT);
    if (!log)
        return tl::unexpected(log.error());
    std::array<int, 2> fds{-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds.data()) != 0)
        return makeErrnoError("cannot start an agent", errno);
    const FileDescriptor agentSocket(fds[0]);
    FileDescriptor theirs(fds[1]);
    std::vector<int> descriptors{log->get(), theirs.get()};
    descriptors.insert(descriptors.end(), leases.begin(), leases.end());
    if (const auto sent = sendRequest(layout.folder, descriptors); !sent)
        return giveUp("does not respond: " + sent.error().message);
    theirs.reset();

    AgentReport report{};
    if (!awaitReadable(agentSocket.get()) || !readReport(agentSocket.get(), report))
        return giveUp("does not respond");
    if (report.kind != AgentReport::AgentPid)
        return giveUp("cannot fork: " + std::string(std::strerror(report.value)));
    const ProcessIdentity agent{static_cast<pid_t>(report.value), processStartTime(report.value).value_or(0)};
    if (agent.startTime == 0 || ::send(agentSocket.get(), &goMark, 1, MSG_NOSIGNAL) != 1)
        return giveUp("lost an agent before it started");
    // From here on it is the agent, unless it reports otherwise; a slow one counts too.
    if (awaitReadable(agentSocket.get()) && readReport(agentSocket.get(), report))
        return giveUp("cannot start an agent: " + std::string(std::strerror(report.value)));
    return agent;
}

}  // namespace sweepscope::launch
