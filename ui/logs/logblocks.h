#pragma once

#include "base/filedescriptor.h"
#include "output/outputpattern.h"

#include <QRegularExpression>

#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace sweepscope::ui {

/// Reads a log of any size, a few megabytes at a time.
class LogBlocks {
public:
    explicit LogBlocks(const std::filesystem::path &file);

    /// Size when it was opened; 0 if there is no file.
    qint64 size() const { return m_size; }
    /// Returns whole lines from `offset`, which must begin a line; at the end of the file includes the unfinished one.
    std::string from(qint64 offset);
    /// Returns lines before `offset`, but none before `least`; sets `begin` to the offset of the first.
    std::string before(qint64 offset, qint64 least, qint64 &begin);
    std::string read(qint64 offset, qint64 size) const;

private:
    FileDescriptor m_file;
    qint64 m_size = 0;
};

/// Lines that are longer come in pieces of this size.
inline constexpr std::size_t longestPiece = 16 * 1024;

/// Returns what a terminal would show of a line: without colours and overwritten text.
QString shownText(std::string_view line);

/// Finds a pattern in whole lines as a terminal would show them: without colours, and without text that is
/// overwritten after a carriage return (visibletext.h). A match never crosses the end of a line.
class LineMatcher {
public:
    explicit LineMatcher(const QRegularExpression &pattern);

    /// Called with the offset of a line in the block and its number of hits; returns false to stop.
    using Take = std::function<bool(qint64 line, int hits)>;
    /// Calls `take` for each line with a hit, in order. Returns false if cancelled, or if the pattern takes too long.
    bool eachLine(const std::string &block, const std::atomic<bool> &cancelled, const Take &take) const;
    /// Returns the begin of the first piece of a line that has a hit; 0 if none has.
    std::size_t pieceWithHit(std::string_view line) const;

private:
    bool isKnownWithoutHit(const std::string &block) const;
    bool eachLineByLine(const std::string &block, std::size_t begin, const std::atomic<bool> &cancelled,
                        const Take &take) const;

    QRegularExpression m_pattern;
    QRegularExpression m_inBlock;
    std::optional<output::OutputPattern> m_literal;  ///< of a pattern that is plain ASCII text
    bool m_needsLines;
};

}  // namespace sweepscope::ui
