#pragma once

#include "ui/logs/logblocks.h"
#include "ui/logs/logfeed.h"

#include <atomic>
#include <functional>
#include <optional>
#include <vector>

namespace sweepscope::ui {

/// Counts hits of a pattern in whole logs of any size, or their lines. Keeps what it has counted: of a log that has
/// grown, only the new part is read. For one thread at a time.
class LogCount {
public:
    /// Without a pattern, counts lines.
    LogCount(const std::vector<LogFile> &files, const std::optional<QRegularExpression> &pattern);

    /// Counts all whole lines that exist now. Returns false if cancelled, or if the pattern takes too long. Calls
    /// `progress` with the share done.
    bool countOn(const std::atomic<bool> &cancelled, const std::function<void(double)> &progress);
    qint64 total() const;
    /// Returns the count of the lines before this position, as far as they are counted.
    qint64 before(const LogPosition &position, const std::atomic<bool> &cancelled) const;

private:
    struct Mark {
        qint64 offset;
        qint64 count;  ///< before this offset
    };
    struct File {
        LogFile file;
        std::vector<Mark> marks;  ///< one every few megabytes; the last one is where counting continues
    };
    std::optional<qint64> countIn(const std::string &block, const std::atomic<bool> &cancelled) const;

    std::vector<File> m_files;
    std::optional<LineMatcher> m_matcher;
};

}  // namespace sweepscope::ui
