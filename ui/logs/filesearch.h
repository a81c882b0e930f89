#pragma once

#include "ui/logs/logfeed.h"

#include <QRegularExpression>

#include <atomic>
#include <functional>
#include <optional>
#include <vector>

namespace sweepscope::ui {

/// A search through whole logs, whatever their size: a few megabytes of them are in memory at a time. Several are read
/// as one (LogMerge).
struct FileSearch {
    std::vector<LogFile> files;
    QRegularExpression pattern;  ///< of what a line shows: without colours, and without what a carriage return hides
    LogPosition from;            ///< forward: lines that begin here or later; back: those that end here or before
    bool forward = true;
};

/// A stretch of lines around a hit.
struct LogStretch {
    std::vector<ShownLine> lines;
    int file = 0;       ///< index of the file with the hit
    qint64 hit = 0;     ///< offset of the line with it
    LogPosition begin;  ///< of the lines
    LogPosition end;    ///< behind the last one
    bool more = false;  ///< whole lines come after them
    bool wrapped = false;
};

/// The next hit in the order of the lines, round the end if need be. Nothing: there is none, or it was cancelled.
/// `progress` gets the share that was looked through. From any thread.
std::optional<LogStretch> searchFiles(const FileSearch &search, const std::atomic<bool> &cancelled,
                                      const std::function<void(double)> &progress);

/// At most `lines` lines from this place on.
LogStretch readStretch(const std::vector<LogFile> &files, const LogPosition &position, int lines);

}  // namespace sweepscope::ui
