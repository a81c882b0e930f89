#pragma once

#include "base/logtimes.h"
#include "ui/logs/logfeed.h"
#include "ui/logs/logtail.h"

#include <deque>
#include <optional>
#include <utility>

namespace sweepscope::ui {

/// A file of a LogFeed: lines that were read but not shown yet, each with the time when it was written.
class LogSource {
public:
    LogSource(const LogFile &file, int tailLines);
    /// Begins at this offset instead of a number of lines before the end.
    void beginAt(qint64 offset) { m_tail.beginAt(offset); }

    /// Reads until `lines` lines are waiting. Returns true if the unfinished last line changed.
    bool read(int lines, WallNs now);
    bool hasNext() const { return !m_waiting.empty(); }
    /// Time of the next line; if it is not read yet, before all others; at the end of the file, after them.
    WallNs nextTime() const;
    ShownLine takeNext(int file);

    bool hasMore() const { return m_more || hasNext(); }
    bool isMissing() const { return m_missing; }
    bool takeRestarted();
    qint64 takeSkipped() { return std::exchange(m_skipped, 0); }
    qint64 begin() const { return m_begin; }
    std::optional<StyledLine> partial() const;

private:
    struct Waiting {
        ShownLine line;
        WallNs time;
    };
    WallNs timeOf(std::int64_t offset, WallNs now) const;

    LogTail m_tail;
    LogTimes m_times;
    AnsiReader m_ansi;
    std::deque<Waiting> m_waiting;
    std::string m_partial;
    WallNs m_last = 0;
    qint64 m_begin = 0;
    qint64 m_skipped = 0;
    bool m_first = true;
    bool m_more = false;
    bool m_missing = false;
    bool m_restarted = false;
};

}  // namespace sweepscope::ui
