#pragma once

#include "base/clock.h"
#include "base/error.h"
#include "base/filedescriptor.h"
#include "facts/fact.h"
#include "launch/failurekind.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace sweepscope::launch {

enum class AttemptEventKind {
    AgentStarted,   ///< the agent's pid and startTime
    RankStarted,    ///< rank, pid, startTime, forked
    RankExited,     ///< rank, exitCode or signal
    StopRequested,  ///< reason: StopRequested with its mode
    TimedOut,       ///< reason
    FirstError,     ///< rank, reason: why the attempt fails; written once, before the other ranks are ended
    Ended,          ///< outcome, reason: no descendant is left and all feeds are drained
};

enum class AttemptOutcome { Completed, Failed, Stopped };

/// One line of events.jsonl.
struct AttemptEvent {
    WallNs time = 0;
    AttemptEventKind kind = AttemptEventKind::AgentStarted;
    int rank = -1;
    pid_t pid = 0;
    std::uint64_t startTime = 0;  ///< field 22 of /proc/PID/stat: with the pid it identifies a process uniquely
    std::optional<int> exitCode;
    std::optional<int> signal;
    AttemptOutcome outcome = AttemptOutcome::Completed;
    std::optional<FailureKind> failure;  ///< FirstError, TimedOut
    bool forked = false;                 ///< RankStarted: from the fork server, not executed
    std::optional<int> port{};           ///< RankStarted: MASTER_PORT, with rank 0 of an attempt on several machines
    std::optional<WallNs> elapsed{};     ///< Ended: since AgentStarted, by a monotonic clock
    facts::Fact reason;
};

/// Appends events, each with a single write() of a whole line.
class AttemptEventLog {
public:
    static Expected<AttemptEventLog> open(const std::filesystem::path &file);
    Expected<void> append(const AttemptEvent &event);
    /// When this returns, appended events survive a loss of power.
    Expected<void> sync();

private:
    FileDescriptor m_file;
    std::filesystem::path m_path;
    AttemptEventLog(FileDescriptor file, std::filesystem::path path);
};

/// What an agent never does to events.jsonl, but ranks can: after it, nothing in the file counts.
enum class EventsFault {
    Replaced,  ///< by another file, or by a pipe, a link, a device or a folder
    Cut,       ///< whole lines are missing
    TooLarge,
};

/// Follows events.jsonl, which ranks may write too: reads at most a megabyte at a time, and skips lines longer than any
/// event. Lines that are not events are skipped and counted (a newer agent may write more kinds).
class AttemptEventReader {
public:
    explicit AttemptEventReader(std::filesystem::path file);

    /// Returns the events in whole lines since the last call; an incomplete last line waits.
    std::vector<AttemptEvent> poll();
    /// Returns whether the last call left data unread.
    bool isBehind() const { return m_behind; }
    std::uint64_t skippedLines() const { return m_skipped; }
    /// Once set it stays, and nothing more is read.
    const std::optional<EventsFault> &fault() const { return m_fault; }
    /// Returns whether the file existed before the last call, but not then.
    bool isMissing() const { return m_missing; }

private:
    struct FileIdentity {
        dev_t device = 0;
        ino_t inode = 0;
        bool operator==(const FileIdentity &) const = default;
    };
    FileDescriptor openFile();
    bool isAsBefore(int file);
    void addBytes(std::string_view bytes, std::vector<AttemptEvent> &events);

    std::filesystem::path m_file;
    std::optional<FileIdentity> m_identity;
    std::optional<EventsFault> m_fault;
    std::string m_line;  ///< the incomplete last line, as far as it was read
    bool m_lineIsTooLong = false;
    bool m_behind = false;
    bool m_missing = false;
    std::uint64_t m_lineBegin = 0;
    std::uint64_t m_offset = 0;  ///< of the next read
    std::uint64_t m_skipped = 0;
};

/// Returns all events in the file; empty if there are none, or if the file was not written by an agent.
std::vector<AttemptEvent> readAttemptEvents(const std::filesystem::path &file);

}  // namespace sweepscope::launch
