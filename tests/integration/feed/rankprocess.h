#pragma once

#include "feedtesting.h"

#include "feed/ring.h"

#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <spawn.h>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace feedtesting {

constexpr std::chrono::seconds patience(60);

/// A program as a rank: a child process with the environment that an agent would set.
class RankProcess {
public:
    RankProcess(const TemporaryFolder &folder, std::vector<std::string> arguments, bool underSweepscope = true)
        : m_output(folder / "output.txt")
    {
        std::vector<std::string> environment{"PYTHONPATH=" SWEEPSCOPE_SOURCE_DIR "/packaging/python",
                                             "PYTHONDONTWRITEBYTECODE=1", "RANK=3", "WORLD_SIZE=4",
                                             "PATH=/usr/bin:/bin"};
        if (underSweepscope)
            environment.push_back("SWEEPSCOPE_RING=" + (folder / "ring").string());
        const std::vector<char *> envp = pointers(environment);
        const std::vector<char *> argv = pointers(arguments);
        posix_spawn_file_actions_t actions;
        ::posix_spawn_file_actions_init(&actions);
        ::posix_spawn_file_actions_addopen(&actions, 1, m_output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        ::posix_spawn_file_actions_adddup2(&actions, 1, 2);
        REQUIRE(::posix_spawn(&m_pid, argv[0], &actions, nullptr, argv.data(), envp.data()) == 0);
        ::posix_spawn_file_actions_destroy(&actions);
    }
    ~RankProcess()
    {
        if (m_pid > 0) {
            ::kill(m_pid, SIGKILL);
            ::waitpid(m_pid, nullptr, 0);
        }
    }
    RankProcess(const RankProcess &) = delete;
    RankProcess &operator=(const RankProcess &) = delete;

    bool running()
    {
        if (m_pid > 0 && ::waitpid(m_pid, &m_status, WNOHANG) == m_pid)
            m_pid = 0;
        return m_pid > 0;
    }
    void kill() { ::kill(m_pid, SIGKILL); }

    /// Waits for its end, calling `meanwhile` repeatedly.
    template <typename Meanwhile>
    int finish(Meanwhile meanwhile)
    {
        const auto deadline = std::chrono::steady_clock::now() + patience;
        while (running() && std::chrono::steady_clock::now() < deadline) {
            meanwhile();
            std::this_thread::sleep_for(std::chrono::microseconds(200));  // a pause between two polls
        }
        REQUIRE_FALSE(running());
        return WIFEXITED(m_status) ? WEXITSTATUS(m_status) : 128 + WTERMSIG(m_status);
    }
    int finish()
    {
        return finish([] {});
    }
    std::string output() const { return contentOf(m_output); }

private:
    static std::vector<char *> pointers(std::vector<std::string> &texts)
    {
        std::vector<char *> all;
        for (std::string &text : texts)
            all.push_back(text.data());
        all.push_back(nullptr);
        return all;
    }

    std::filesystem::path m_output;
    pid_t m_pid = 0;
    int m_status = 0;
};

/// The agent's side of one rank, and a reader that follows it.
struct Feed {
    TemporaryFolder folder;
    sweepscope::feed::RingDrain drain;
    sweepscope::feed::FeedReader reader;
    Recorder seen;
    explicit Feed(std::uint64_t capacity = sweepscope::feed::defaultRingBytes)
        : drain(sweepscope::feed::RingDrain::create(folder / "ring", folder / "log", somePreamble(), capacity).value()),
          reader(folder / "log", folder / "ring")
    {}
    void drainAndRead()
    {
        REQUIRE(drain.drain());
        REQUIRE(readAll(reader, seen));
    }
};

}  // namespace feedtesting
