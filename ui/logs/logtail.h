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
    std::int64_t end = 0;     ///< offset of the next line
    std::string bytes;        ///< without its line end
};

struct LogChunk {
    std::vector<LogLine> lines;  ///< whole lines since the last poll
    std::string partial;         ///< unfinished text after them
    bool restarted = false;      ///< the file was truncated or replaced: these lines are its first
    bool more = false;           ///< poll again immediately
    bool missing = false;        ///< the file does not exist (yet)
    std::int64_t skipped = 0;    ///< bytes before these lines that are left out, because more arrives than can be shown
    std::int64_t begin = 0;      ///< offset at which reading began; before() returns what is before it
};

/// Follows a log file from near its end. Each call reads a bounded amount. Very long lines come in pieces; a carriage
/// return within a line restarts it, as on a terminal (progress bars).
class LogTail {
public:
    /// Begins at most `lines` lines before the current end of the file.
    LogTail(std::filesystem::path file, int lines);
    /// Begins at this offset, which must begin a line; a file that does not exist yet is read from its start.
    void beginAt(std::int64_t offset) { m_beginAt = offset; }

    /// Also called by poll(). Returns false if the file does not exist (yet).
    bool open();
    LogChunk poll(int maxLines);
    /// Returns at most `lines` lines before `offset`; continue at the offset of the first.
    std::vector<LogLine> before(std::int64_t offset, int lines) const;

    /// Returns at most `lines` whole lines from `offset`, which must begin a line; continue at the end of the last.
    std::vector<LogLine> after(std::int64_t offset, int lines) const;
    /// Returns the begin of the first line at or after `offset`, at most wholeEnd().
    std::int64_t lineFrom(std::int64_t offset) const;
    /// The end of the last whole line.
    std::int64_t wholeEnd() const;

private:
    bool wasReplaced() const;
    std::int64_t beginOfTail(std::int64_t end, int lines) const;
    std::int64_t catchUp();
    void splitLines(LogChunk &chunk, int maxLines);

    std::filesystem::path m_file;
    int m_tailLines;
    FileDescriptor m_fd;
    dev_t m_device = 0;
    ino_t m_inode = 0;
    std::int64_t m_begin = 0;
    std::int64_t m_offset = 0;  // of the first byte in m_pending
    std::string m_pending;      // read, but not returned
    std::optional<std::int64_t> m_beginAt;
    bool m_startAtZero = false;  // everything in a replaced file is new
    bool m_restarted = false;
};

}  // namespace sweepscope::ui
