#pragma once

#include "ui/logs/logfeed.h"

#include <QRegularExpression>

#include <atomic>
#include <functional>
#include <optional>
#include <vector>

namespace sweepscope::ui {

/// A search through whole logs of any size; only a few megabytes are in memory at a time. Several logs are read as one
/// (LogMerge).
struct FileSearch {
    std::vector<LogFile> files;
    QRegularExpression pattern;  ///< matches shown text: without colours and what a carriage return hides
    LogPosition from;            ///< forward: lines that begin here or later; backward: lines that end here or earlier
    bool forward = true;
};

/// Consecutive lines around a hit.
struct LogStretch {
    std::vector<ShownLine> lines;
    int file = 0;       ///< index of the file with the hit
    qint64 hit = 0;     ///< offset of the line with the hit
    LogPosition begin;  ///< of the first line
    LogPosition end;    ///< of the last line
    bool more = false;  ///< more whole lines follow
    bool wrapped = false;
};

/// Returns the next hit in line order, wrapping around the end; nullopt if there is none, or if cancelled. Calls
/// `progress` with the share done. Callable from any thread.
std::optional<LogStretch> searchFiles(const FileSearch &search, const std::atomic<bool> &cancelled,
                                      const std::function<void(double)> &progress);

/// Returns the lines around the one that begins here.
LogStretch readAround(const std::vector<LogFile> &files, int file, qint64 offset);

/// Returns at most `lines` lines from this position.
LogStretch readStretch(const std::vector<LogFile> &files, const LogPosition &position, int lines);

}  // namespace sweepscope::ui
