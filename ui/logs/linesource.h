#pragma once

#include "base/logtimes.h"
#include "ui/logs/logfeed.h"

#include <optional>

namespace sweepscope::ui {

/// A file of a LogFeed: lines that were read but not shown yet, each with the time when it was written.
class LineSource {
public:
    explicit LineSource(const LogFile &file) : m_times(file.times) {}
    virtual ~LineSource() = default;
    Q_DISABLE_COPY_MOVE(LineSource)

    /// Reads on, a bounded amount; `lines`: number of lines that should be waiting. Returns true if the unfinished last
    /// line changed.
    virtual bool read(int lines, WallNs now) = 0;
    virtual bool hasNext() const = 0;
    /// Time of the next line, or the earliest that it can have; at the end of the file, after all others.
    virtual WallNs nextTime() const = 0;
    virtual ShownLine takeNext(int file) = 0;
    virtual bool hasMore() const = 0;
    virtual bool takeRestarted() = 0;
    /// Adds what is known of the file to a batch.
    virtual void describe(LogBatch &batch) = 0;
    virtual std::optional<StyledLine> partial() const { return std::nullopt; }

protected:
    void refreshTimes() { m_times.refresh(); }
    /// Data beyond the recorded times was written just now; data from before the first of them, at an unknown time.
    /// `isFirst`: it was there when reading began.
    WallNs timeOf(std::int64_t offset, WallNs now, bool isFirst) const
    {
        return m_times.timeOf(offset).value_or(isFirst && m_times.isEmpty() ? 0 : now);
    }

private:
    LogTimes m_times;
};

}  // namespace sweepscope::ui
