#pragma once

#include "base/logtimes.h"
#include "ui/logs/logfeed.h"
#include "ui/logs/logtail.h"

#include <vector>

namespace sweepscope::ui {

/// Log files read as one, from anywhere: the lines of all in the order of their times, of equally old ones those of the
/// lower rank first. A log of which nobody kept times comes before the others. For one thread, and only for a moment:
/// what is written later is not in it. One file alone needs no times.
class LogMerge {
public:
    explicit LogMerge(const std::vector<LogFile> &files);

    LogPosition begin() const { return LogPosition(m_files.size(), 0); }
    /// Behind the last whole line of each.
    LogPosition end() const;
    /// Of the line that begins here: where the first line of each file begins that does not come before it.
    LogPosition positionOf(int file, qint64 offset) const;

    /// At most so many lines, and some megabytes; `position` goes to where they begin, or end.
    std::vector<ShownLine> before(LogPosition &position, int lines) const;
    std::vector<ShownLine> after(LogPosition &position, int lines) const;
    /// Like before(), for who wants to know the place alone.
    void goBack(LogPosition &position, int lines) const;

private:
    struct File {
        LogTail tail;
        LogTimes times;
    };
    struct Taken {
        LogLine line;
        std::size_t file;
    };
    WallNs timeOf(std::size_t file, qint64 offset) const;
    std::vector<Taken> takeBefore(LogPosition &position, int lines) const;
    std::vector<Taken> takeAfter(LogPosition &position, int lines) const;
    std::vector<ShownLine> shown(const std::vector<Taken> &taken) const;

    std::vector<File> m_files;
};

}  // namespace sweepscope::ui
