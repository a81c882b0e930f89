#include "workerrun.h"

#include "base/files.h"
#include "base/workspacelayout.h"
#include "feed/ring.h"
#include "sweep/tracerequest.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <fstream>
#include <netinet/in.h>
#include <spawn.h>
#include <sstream>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace sweepscope {

namespace {

using Clock = std::chrono::steady_clock;

/// Returns a port that was free a moment ago; the worker's TCP test binds it immediately.
int freePort()
{
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    REQUIRE(bind(fd, reinterpret_cast<sockaddr *>(&address), length) == 0);
    REQUIRE(getsockname(fd, reinterpret_cast<sockaddr *>(&address), &length) == 0);
    close(fd);
    return ntohs(address.sin_port);
}

pid_t spawn(const std::vector<std::string> &arguments, const std::vector<std::string> &environment,
            const std::filesystem::path &log)
{
    std::vector<char *> argv;
    for (const std::string &argument : arguments)
        argv.push_back(const_cast<char *>(argument.c_str()));
    argv.push_back(nullptr);
    std::vector<char *> envp;
    for (const std::string &variable : environment)
        envp.push_back(const_cast<char *>(variable.c_str()));
    envp.push_back(nullptr);

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    pid_t pid = -1;
    const int code = posix_spawn(&pid, argv[0], &actions, nullptr, argv.data(), envp.data());
    posix_spawn_file_actions_destroy(&actions);
    REQUIRE(code == 0);
    return pid;
}

std::string contentOf(const std::filesystem::path &path)
{
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

}  // namespace

struct WorkerRun::Ring {
    feed::RingDrain drain;
};

std::string RankResult::lastLine() const
{
    const std::size_t end = log.find_last_not_of('\n');
    if (end == std::string::npos)
        return {};
    const std::size_t before = log.rfind('\n', end);
    const std::size_t start = before == std::string::npos ? 0 : before + 1;
    return log.substr(start, end + 1 - start);
}

std::filesystem::path WorkerRun::file(const char *ending, int rank) const
{
    return m_folder / ("rank-" + std::to_string(rank) + ending);
}

WorkerRun::WorkerRun(const std::vector<std::string> &arguments, const Options &options)
{
    std::string pattern = (std::filesystem::temp_directory_path() / "tst_worker.XXXXXX").string();
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    m_folder = pattern;

    std::vector<std::string> argv{SWEEPSCOPE_BIN_DIR "/sweepscope-worker"};
    argv.insert(argv.end(), arguments.begin(), arguments.end());
    const std::string port = std::to_string(options.launched && !options.attemptFolder ? freePort() : 1);
    for (int rank = 0; rank < options.ranks; ++rank) {
        // On the CPU, on every machine.
        std::map<std::string, std::string> variables{{"PATH", "/usr/bin:/bin"}, {"CUDA_VISIBLE_DEVICES", ""}};
        if (options.launched) {
            const auto ringPath = file(".ring", rank);
            auto ring = feed::RingDrain::create(ringPath, file(".feed", rank), {rank, options.ranks, 0, "test"});
            REQUIRE(ring.has_value());
            m_rings.push_back({std::move(*ring)});
            variables.insert({{"RANK", std::to_string(rank)},
                              {"LOCAL_RANK", std::to_string(rank)},
                              {"WORLD_SIZE", std::to_string(options.ranks)},
                              {"LOCAL_WORLD_SIZE", std::to_string(options.ranks)},
                              {"MASTER_ADDR", "127.0.0.1"},
                              {"MASTER_PORT", port},
                              {"OMP_NUM_THREADS", "1"},
                              {"SWEEPSCOPE_RING", ringPath.string()}});
            if (options.attemptFolder)
                variables["SWEEPSCOPE_ATTEMPT_FOLDER"] = m_folder.string();
        }
        for (const auto &[name, value] : options.environment)
            variables[name] = value;
        std::vector<std::string> environment;
        for (const auto &[name, value] : variables)
            environment.push_back(name + "=" + value);
        m_pids.push_back(spawn(argv, environment, file(".log", rank)));
    }
}

WorkerRun::~WorkerRun()
{
    for (const pid_t pid : m_pids) {
        if (pid > 0) {
            kill(pid, SIGKILL);
            waitpid(pid, nullptr, 0);
        }
    }
    for (Ring &ring : m_rings)
        ring.drain.unlink();
    std::error_code error;
    std::filesystem::remove_all(m_folder, error);
}

std::vector<RankResult> WorkerRun::wait(std::chrono::seconds deadline)
{
    const Clock::time_point end = Clock::now() + deadline;
    std::vector<RankResult> results(m_pids.size());
    for (std::size_t rank = 0; rank < m_pids.size(); ++rank) {
        int status = 0;
        while (waitpid(m_pids[rank], &status, WNOHANG) == 0) {
            REQUIRE_MESSAGE(Clock::now() < end, "rank ", rank,
                            " is still running; its log: ", contentOf(file(".log", static_cast<int>(rank))));
            drain();
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        m_pids[rank] = -1;
        results[rank].exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        results[rank].log = contentOf(file(".log", static_cast<int>(rank)));
    }
    drain();
    return results;
}

void WorkerRun::waitForSteps(std::int64_t steps)
{
    const Clock::time_point end = Clock::now() + std::chrono::seconds(60);
    series::FeedSeries seen = reported(0);
    for (;;) {
        const series::Series *loss = seen.find("loss");
        if (loss != nullptr && !loss->empty() && loss->back().step >= steps)
            return;
        REQUIRE_MESSAGE(Clock::now() < end, "no step ", steps, "; log of rank 0: ", contentOf(file(".log", 0)));
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        drain();
        REQUIRE(seen.poll().has_value());
    }
}

void WorkerRun::waitForEvent(int rank, feed::EventKind kind)
{
    const Clock::time_point end = Clock::now() + std::chrono::seconds(90);
    const auto seen = [&] {
        const series::FeedSeries series = reported(rank);
        return std::any_of(series.events().begin(), series.events().end(),
                           [kind](const feed::Event &event) { return event.kind == kind; });
    };
    while (!seen()) {
        REQUIRE_MESSAGE(Clock::now() < end, "no such event; log of rank ", rank, ": ", contentOf(file(".log", rank)));
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
}

std::string WorkerRun::waitForEvent(int rank, const std::string &text)
{
    const Clock::time_point end = Clock::now() + std::chrono::seconds(90);
    for (;;) {
        const series::FeedSeries series = reported(rank);
        const auto found = std::find_if(series.events().begin(), series.events().end(), [&](const feed::Event &event) {
            return event.text.find(text) != std::string::npos;
        });
        if (found != series.events().end())
            return found->text;
        REQUIRE_MESSAGE(Clock::now() < end, "no event with ", text, "; log of rank ", rank, ": ",
                        contentOf(file(".log", rank)));
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
}

void WorkerRun::requestTrace(int steps) const
{
    const AttemptLayout files{m_folder};
    REQUIRE(writeFileAtomically(files.traceRequest(), toJson(sweep::TraceRequest{wallNow(), steps})).has_value());
}

void WorkerRun::waitUntilStopped() const
{
    for (const pid_t pid : m_pids) {
        siginfo_t info{};
        REQUIRE(waitid(P_PID, static_cast<id_t>(pid), &info, WSTOPPED | WNOWAIT) == 0);
    }
}

void WorkerRun::signal(int rank, int signalNumber) const
{
    REQUIRE(kill(m_pids[static_cast<std::size_t>(rank)], signalNumber) == 0);
}

void WorkerRun::requestStop()
{
    for (Ring &ring : m_rings)
        ring.drain.requestStop();
}

series::FeedSeries WorkerRun::reported(int rank)
{
    drain();
    series::FeedSeries series({file(".feed", rank), file(".ring", rank), {}});
    REQUIRE(series.poll().has_value());
    return series;
}

void WorkerRun::drain()
{
    for (Ring &ring : m_rings)
        REQUIRE(ring.drain.drain().has_value());
}

}  // namespace sweepscope
