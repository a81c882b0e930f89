#pragma once

#include "ui/logs/linesource.h"
#include "ui/logs/logblocks.h"

#include <atomic>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sweepscope::ui {

/// The lines of a whole file that pass a filter, as it grows. Reads faster than lines can be shown: of those that wait,
/// it keeps only the last.
class FilteredSource : public LineSource {
public:
    FilteredSource(const LogFile &file, const LogFilter &filter, int lines,
                   std::shared_ptr<const std::atomic<bool>> cancelled);

    /// Reads a few megabytes.
    bool read(int lines, WallNs now) override;
    bool hasNext() const override { return !m_waiting.empty(); }
    WallNs nextTime() const override;
    ShownLine takeNext(int file) override;
    bool hasMore() const override { return m_more || hasNext(); }
    bool takeRestarted() override { return std::exchange(m_restarted, false); }
    void describe(LogBatch &batch) override;

private:
    /// Its text is read again when it is shown.
    struct Waiting {
        qint64 offset;
        qint64 end;
        WallNs time;
        LineLevel level;
    };
    void scan(const std::string &block, WallNs now);
    void add(const std::string &block, std::size_t begin, std::size_t end, LineLevel level, WallNs now);

    std::filesystem::path m_path;
    LogBlocks m_blocks;
    LogFilter m_filter;
    std::optional<LineMatcher> m_matcher;
    std::size_t m_most;
    std::shared_ptr<const std::atomic<bool>> m_cancelled;
    LevelReader m_levels;
    LevelCounts m_counts;
    std::deque<Waiting> m_waiting;
    qint64 m_offset = 0;
    qint64 m_size = 0;
    qint64 m_matching = 0;
    WallNs m_reached = 0;  ///< lines that are not read yet were written then or later
    bool m_isFirst = true;
    bool m_more = true;
    bool m_restarted = false;
    bool m_tooSlow = false;
};

}  // namespace sweepscope::ui
