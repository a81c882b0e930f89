#pragma once

#include "base/clock.h"
#include "base/error.h"
#include "facts/fact.h"
#include "launch/failurekind.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace sweepscope::launch {

enum class AttemptEventKind {
    AgentStarted,   ///< pid, startTime: the agent's own
    RankStarted,    ///< rank, pid, startTime, forked
    RankExited,     ///< rank, exitCode or signal
    StopRequested,  ///< reason: StopRequested with its mode
    TimedOut,       ///< reason
    FirstError,     ///< rank, reason: why the attempt fails, written once, before the other ranks are ended
    Ended,          ///< outcome, reason: no descendant is left, all feeds are drained
};

enum class AttemptOutcome { Completed, Failed, Stopped };

/// One line of events.jsonl.
struct AttemptEvent {
    WallNs time = 0;
    AttemptEventKind kind = AttemptEventKind::AgentStarted;
    int rank = -1;
    pid_t pid = 0;
    std::uint64_t startTime = 0;  ///< field 22 of /proc/PID/stat: with the pid it names a process for good
    std::optional<int> exitCode;
    std::optional<int> signal;
    AttemptOutcome outcome = AttemptOutcome::Completed;
    std::optional<FailureKind> failure;  ///< FirstError, TimedOut
    bool forked = false;                 ///< RankStarted: from the fork server, not executed
    facts::Fact reason;
};

/// Appends events, each one a single write() of a whole line.
class AttemptEventLog {
public:
    static Expected<AttemptEventLog> open(const std::filesystem::path &file);
    AttemptEventLog(AttemptEventLog &&) noexcept;
    AttemptEventLog &operator=(AttemptEventLog &&) noexcept;
    ~AttemptEventLog();
    Expected<void> append(const AttemptEvent &event);

private:
    int m_fd = -1;
    std::filesystem::path m_path;
    explicit AttemptEventLog(int fd, std::filesystem::path path);
};

/// Follows events.jsonl: whole new lines since the last call; an incomplete last line waits. Lines that are no events
/// are skipped and counted (a newer agent may write more kinds).
class AttemptEventReader {
public:
    explicit AttemptEventReader(std::filesystem::path file);
    std::vector<AttemptEvent> poll();
    std::uint64_t skippedLines() const { return m_skipped; }

private:
    std::filesystem::path m_file;
    std::uint64_t m_offset = 0;
    std::uint64_t m_skipped = 0;
};

}  // namespace sweepscope::launch
