#pragma once

#include "ui/logs/logblocks.h"
#include "ui/logs/logfeed.h"

#include <atomic>
#include <functional>
#include <optional>
#include <vector>

namespace sweepscope::ui {

/// How often a pattern is in whole logs, whatever their size, or how many lines they have. Remembers what it has
/// counted: of a log that grew only what is new is read. For one thread at a time.
class LogCount {
public:
    /// No pattern: lines.
    LogCount(const std::vector<LogFile> &files, const std::optional<QRegularExpression> &pattern);

    /// All whole lines that are there. False: it was cancelled, or the pattern takes too long. `progress` gets the share
    /// that is counted.
    bool countOn(const std::atomic<bool> &cancelled, const std::function<void(double)> &progress);
    qint64 total() const;
    /// In the lines before this place, of what is counted.
    qint64 before(const LogPosition &position, const std::atomic<bool> &cancelled) const;

private:
    struct Mark {
        qint64 offset;
        qint64 count;  ///< before it
    };
    struct File {
        LogFile file;
        std::vector<Mark> marks;  ///< one every few megabytes, the last one where counting goes on
    };
    std::optional<qint64> countIn(const std::string &block, const std::atomic<bool> &cancelled) const;

    std::vector<File> m_files;
    std::optional<LineMatcher> m_matcher;
};

}  // namespace sweepscope::ui
