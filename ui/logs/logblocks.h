#pragma once

#include "base/filedescriptor.h"

#include <QRegularExpression>

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>

namespace sweepscope::ui {

/// A log a few megabytes at a time, whatever its size.
class LogBlocks {
public:
    explicit LogBlocks(const std::filesystem::path &file);

    /// When it was opened. 0 where there is none.
    qint64 size() const { return m_size; }
    /// The whole lines from `offset` on, which begins one; at the end of the file the unfinished one too.
    std::string from(qint64 offset);
    /// Those before `offset`, and none of them before `least`; `begin`: where they begin.
    std::string before(qint64 offset, qint64 least, qint64 &begin);
    std::string read(qint64 offset, qint64 size) const;

private:
    FileDescriptor m_file;
    qint64 m_size = 0;
};

/// Finds a pattern in whole lines, as a terminal would show them: without colours, and without what a carriage return
/// hides. Nothing is found across the end of a line.
class LineMatcher {
public:
    explicit LineMatcher(const QRegularExpression &pattern);

    /// Gets where in the block a line begins and how often the pattern is in it; false: that is enough.
    using Take = std::function<bool(qint64 line, int hits)>;
    /// Each line that has it, in their order. False: it was cancelled, or the pattern takes too long.
    bool eachLine(const std::string &block, const std::atomic<bool> &cancelled, const Take &take) const;

private:
    bool eachLineByLine(const std::string &block, std::size_t begin, const std::atomic<bool> &cancelled,
                        const Take &take) const;

    QRegularExpression m_pattern;
    QRegularExpression m_inBlock;
    bool m_needsLines;
};

}  // namespace sweepscope::ui
