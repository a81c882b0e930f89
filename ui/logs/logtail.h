#pragma once

#include "base/filedescriptor.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace sweepscope::ui {

struct LogLine {
    std::int64_t offset = 0;  ///< in the file
    std::int64_t end = 0;     ///< where the next one begins
    std::string bytes;        ///< without its end
};

struct LogChunk {
    std::vector<LogLine> lines;  ///< whole ones, new since the last poll
    std::string partial;         ///< what follows them and has no end yet
    bool restarted = false;      ///< the file was truncated or replaced: these lines are its first
    bool more = false;           ///< there is more to read at once
    bool missing = false;        ///< there is no such file (yet)
    std::int64_t skipped = 0;    ///< bytes before these lines that are left out: more comes than can be shown
    std::int64_t begin = 0;      ///< offset at which this reader began: what lies before can be had with before()
};

/// Follows one log file from somewhere near its end. Every call reads a bounded amount. Very long lines come in pieces;
/// a carriage return within a line starts it over, as on a terminal (progress bars).
class LogTail {
public:
    /// Begins at most `lines` lines before the file's present end.
    LogTail(std::filesystem::path file, int lines);
    /// At this offset instead, which begins a line; a file that is not there yet is read from its start.
    void beginAt(std::int64_t offset) { m_beginAt = offset; }

    /// Polling does it too. False: there is no such file (yet).
    bool open();
    LogChunk poll(int maxLines);
    /// At most `lines` lines that lie before `offset`; their first one's offset is where to go on.
    std::vector<LogLine> before(std::int64_t offset, int lines) const;

    /// At most `lines` whole lines from `offset` on, which begins one; their last one's end is where to go on.
    std::vector<LogLine> after(std::int64_t offset, int lines) const;
    /// Where the first line begins that does not begin before `offset`, at most wholeEnd().
    std::int64_t lineFrom(std::int64_t offset) const;
    /// Behind the last whole line.
    std::int64_t wholeEnd() const;

private:
    bool wasReplaced() const;
    std::int64_t beginOfTail(std::int64_t end, int lines) const;
    std::int64_t catchUp();
    void takeLines(LogChunk &chunk, int maxLines);

    std::filesystem::path m_file;
    int m_tailLines;
    FileDescriptor m_fd;
    dev_t m_device = 0;
    ino_t m_inode = 0;
    std::int64_t m_begin = 0;
    std::int64_t m_offset = 0;  // of the first byte in m_pending
    std::string m_pending;      // read, not handed out
    std::optional<std::int64_t> m_beginAt;
    bool m_startAtZero = false;  // of a file that was replaced, all is new
    bool m_restarted = false;
};

}  // namespace sweepscope::ui
