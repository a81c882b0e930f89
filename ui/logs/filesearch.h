#pragma once

#include "ui/logs/logfeed.h"

#include <QRegularExpression>

#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

namespace sweepscope::ui {

/// A search through a whole log, whatever its size: a few megabytes of it are in memory at a time.
struct FileSearch {
    std::filesystem::path file;
    QRegularExpression pattern;  ///< of what a line shows: without colours, and without what a carriage return hides
    qint64 from = 0;             ///< forward: lines that begin here or later; back: those that end here or before
    bool forward = true;
};

/// A stretch of lines around a hit.
struct LogStretch {
    std::vector<ShownLine> lines;
    qint64 hit = 0;   ///< offset of the line with the hit
    qint64 end = 0;   ///< offset behind the last line
    qint64 size = 0;  ///< of the file
    bool wrapped = false;
};

/// The next hit, round the end of the file if need be. Nothing: there is none, or it was cancelled. `progress` gets the
/// share that was looked through. From any thread.
std::optional<LogStretch> searchFile(const FileSearch &search, const std::atomic<bool> &cancelled,
                                     const std::function<void(double)> &progress);

/// At most `lines` lines from `offset` on.
LogStretch readStretch(const std::filesystem::path &file, qint64 offset, int lines);

}  // namespace sweepscope::ui
