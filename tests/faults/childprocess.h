#pragma once

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <doctest/doctest.h>
#include <fstream>
#include <optional>
#include <random>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace faulttesting {

/// Returns the number after `name` ("--rounds=") in this program's arguments, which doctest ignores.
inline std::optional<std::uint64_t> argument(const std::string &name)
{
    std::ifstream arguments("/proc/self/cmdline", std::ios::binary);
    for (std::string one; std::getline(arguments, one, '\0');) {
        if (one.starts_with(name))
            return std::strtoull(one.c_str() + name.size(), nullptr, 10);
    }
    return std::nullopt;
}

/// With --rounds=1000 each fault is tried that often, with longer time limits.
inline bool isLongForm()
{
    static const bool given = argument("--rounds=").has_value();
    return given;
}

inline int rounds(int usual)
{
    return static_cast<int>(argument("--rounds=").value_or(static_cast<std::uint64_t>(usual)));
}

/// The same times in every run, others with --seed=.
inline std::mt19937_64 &chance()
{
    static std::mt19937_64 generator(argument("--seed=").value_or(1));
    return generator;
}

inline std::uint64_t randomUpTo(std::uint64_t most)
{
    return std::uniform_int_distribution<std::uint64_t>(0, most)(chance());
}

/// Waits for a random time, to hit a process at a random point.
inline void spin(std::chrono::nanoseconds most)
{
    const auto until = std::chrono::steady_clock::now()
                       + std::chrono::nanoseconds(randomUpTo(static_cast<std::uint64_t>(most.count())));
    while (std::chrono::steady_clock::now() < until) {
    }
}

/// Waits until `condition` holds, or fails the test after a timeout.
template <typename Condition>
bool eventually(Condition condition)
{
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(90);
    while (!condition()) {
        if (std::chrono::steady_clock::now() > deadline)
            return false;
        ::usleep(50);
    }
    return true;
}

/// A child process that runs `work` and exits with its result. Killed at the end of the test.
class ChildProcess {
public:
    template <typename Work>
    explicit ChildProcess(Work work) : m_pid(::fork())
    {
        if (m_pid == 0)
            ::_exit(work());
        REQUIRE(m_pid > 0);
    }
    ~ChildProcess()
    {
        if (m_pid > 0)
            kill();
    }
    ChildProcess(const ChildProcess &) = delete;
    ChildProcess &operator=(const ChildProcess &) = delete;

    pid_t pid() const { return m_pid; }
    void signal(int number) const { ::kill(m_pid, number); }

    /// Kills it with SIGKILL and waits for it.
    void kill()
    {
        signal(SIGKILL);
        wait();
    }
    /// Stops it with SIGSTOP and waits until it is stopped.
    void stop()
    {
        signal(SIGSTOP);
        int status = 0;
        REQUIRE(::waitpid(m_pid, &status, WUNTRACED) == m_pid);
        REQUIRE(WIFSTOPPED(status));
    }
    /// Returns its exit code, or 128 + the signal that ended it.
    int wait()
    {
        int status = 0;
        ::waitpid(m_pid, &status, 0);
        m_pid = 0;
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }

private:
    pid_t m_pid = 0;
};

}  // namespace faulttesting
