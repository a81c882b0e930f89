#pragma once

#include "base/logtimes.h"
#include "ui/logs/logfeed.h"
#include "ui/logs/logtail.h"

#include <vector>

namespace sweepscope::ui {

/// Reads several log files as one, from any position: all lines sorted by time, equally old ones by rank. A log without
/// recorded times comes before the others. For one thread, and for a short time: ignores what is written later. A
/// single file needs no times.
class LogMerge {
public:
    explicit LogMerge(const std::vector<LogFile> &files);

    LogPosition begin() const { return LogPosition(m_files.size(), 0); }
    /// The end of the last whole line of each file.
    LogPosition end() const;
    /// For the line that begins here, returns in each file the begin of the first line that does not come before it.
    LogPosition positionOf(int file, qint64 offset) const;

    /// Returns at most `lines` lines and a few megabytes; moves `position` to their begin or end.
    std::vector<ShownLine> before(LogPosition &position, int lines) const;
    std::vector<ShownLine> after(LogPosition &position, int lines) const;
    /// Like before(), but only moves the position.
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
