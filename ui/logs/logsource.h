#pragma once

#include "ui/logs/linesource.h"
#include "ui/logs/logtail.h"

#include <deque>
#include <optional>
#include <utility>

namespace sweepscope::ui {

/// All lines of a file from near its end.
class LogSource : public LineSource {
public:
    LogSource(const LogFile &file, int tailLines);
    /// Begins at this offset instead of a number of lines before the end.
    void beginAt(qint64 offset) { m_tail.beginAt(offset); }

    /// Reads until `lines` lines are waiting.
    bool read(int lines, WallNs now) override;
    bool hasNext() const override { return !m_waiting.empty(); }
    WallNs nextTime() const override;
    ShownLine takeNext(int file) override;
    bool hasMore() const override { return m_more || hasNext(); }
    bool takeRestarted() override { return std::exchange(m_restarted, false); }
    void describe(LogBatch &batch) override;
    std::optional<StyledLine> partial() const override;

private:
    LogTail m_tail;
    AnsiReader m_ansi;
    LevelReader m_levels;
    std::deque<ShownLine> m_waiting;
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
