#include "ui/logs/logblocks.h"

#include "base/files.h"
#include "ui/logs/ansitext.h"
#include "ui/logs/visibletext.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <optional>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace sweepscope::ui {

namespace {

constexpr qint64 blockBytes = 4 * 1024 * 1024;

/// Converts lines that need it one by one; the others, the great majority, all at once.
QString shownTextOf(const std::string &block)
{
    const auto decoded = [&block](std::size_t begin, std::size_t end) {
        return QString::fromUtf8(block.data() + begin, static_cast<qsizetype>(end - begin));
    };
    QString text;
    std::size_t taken = 0;
    std::size_t nextEscape = block.find('\x1b');
    std::size_t nextReturn = block.find('\r');
    while (std::min(nextEscape, nextReturn) != block.npos) {
        const std::size_t next = std::min(nextEscape, nextReturn);
        const std::size_t before = block.rfind('\n', next);
        const std::size_t begin = before == block.npos ? 0 : before + 1;
        const std::size_t end = std::min(block.find('\n', next), block.size());
        text += decoded(taken, begin);
        text += shownText(std::string_view(block).substr(begin, end - begin));
        taken = end;
        if (nextEscape < end)
            nextEscape = block.find('\x1b', end);
        if (nextReturn < end)
            nextReturn = block.find('\r', end);
    }
    text += decoded(taken, block.size());
    return text;
}

/// Whether the pattern has lookaround, possessive groups, or anchors to the begin and end of the text: applied to many
/// lines at once, these mean something else than in each line.
bool needsLines(const QString &pattern)
{
    static const QRegularExpression telling(QStringLiteral(R"(\(\?(?!:)|\(\*|[+*?}]\+|\\[AzZGKRXQ])"));
    return telling.match(pattern).hasMatch();
}

/// Returns the pattern for bytes, if it is plain ASCII text as QRegularExpression::escape() writes it. Both ignore the
/// case of the same letters, of which k and s have others than ASCII.
std::optional<output::OutputPattern> literalOf(const QRegularExpression &pattern)
{
    static const QRegularExpression escaped(QStringLiteral(R"(\A(?:[A-Za-z0-9_]|\\[ -/:-@\[-^`{-~])+\z)"));
    const bool ignoresCase = pattern.patternOptions() == QRegularExpression::CaseInsensitiveOption;
    if ((pattern.patternOptions() && !ignoresCase) || !escaped.match(pattern.pattern()).hasMatch())
        return std::nullopt;
    auto compiled = output::OutputPattern::compile((ignoresCase ? "(?i)" : "") + pattern.pattern().toStdString());
    return compiled ? std::optional(std::move(*compiled)) : std::nullopt;
}

// The flag publishes no other data, so relaxed order is enough.
bool isSet(const std::atomic<bool> &cancelled)
{
    return cancelled.load(std::memory_order_relaxed);
}

}  // namespace

QString shownText(std::string_view line)
{
    std::string visible;
    if (line.find('\r') != line.npos) {
        visible = visibleText(line);
        line = visible;
    }
    const bool isPlain = std::ranges::all_of(line, [](char c) { return c >= 0x20 && c < 0x7f; });
    return isPlain ? QString::fromUtf8(line.data(), static_cast<qsizetype>(line.size())) : AnsiReader().read(line).text;
}

LogBlocks::LogBlocks(const std::filesystem::path &file)
    : m_file(openRegularFile(file, O_RDONLY, Links::Follow).value_or(FileDescriptor()))
{
    struct stat info {};
    if (m_file && ::fstat(m_file.get(), &info) == 0)
        m_size = info.st_size;
}

std::string LogBlocks::read(qint64 offset, qint64 size) const
{
    std::string bytes(static_cast<std::size_t>(std::max<qint64>(0, size)), '\0');
    std::size_t have = 0;
    while (m_file && have < bytes.size()) {
        const ssize_t got =
            ::pread(m_file.get(), bytes.data() + have, bytes.size() - have, offset + static_cast<off_t>(have));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        have += static_cast<std::size_t>(got);
    }
    bytes.resize(have);
    return bytes;
}

std::string LogBlocks::from(qint64 offset)
{
    std::string block = read(offset, std::min(blockBytes, m_size - offset));
    const std::size_t end = block.rfind('\n');
    if (offset + static_cast<qint64>(block.size()) < m_size && end != std::string::npos)
        block.resize(end + 1);
    return block;
}

std::string LogBlocks::before(qint64 offset, qint64 least, qint64 &begin)
{
    begin = std::max(least, offset - blockBytes);
    std::string block = read(begin, offset - begin);
    if (begin > least) {  // a partial line belongs to the next block
        const std::size_t end = block.find('\n');
        if (end != std::string::npos && end + 1 < block.size()) {
            block.erase(0, end + 1);
            begin += static_cast<qint64>(end) + 1;
        }
    }
    return block;
}

LineMatcher::LineMatcher(const QRegularExpression &pattern)
    : m_pattern(pattern),
      m_inBlock(pattern.pattern(), pattern.patternOptions() | QRegularExpression::MultilineOption),
      m_literal(literalOf(pattern)),
      m_needsLines(needsLines(pattern.pattern()))
{
    m_pattern.optimize();
    m_inBlock.optimize();
}

/// Dismisses most blocks several times as fast. Escape sequences and carriage returns may be within a hit, and hide one.
bool LineMatcher::isKnownWithoutHit(const std::string &block) const
{
    return m_literal && block.find('\x1b') == block.npos && block.find('\r') == block.npos && !m_literal->find(block);
}

bool LineMatcher::eachLine(const std::string &block, const std::atomic<bool> &cancelled, const Take &take) const
{
    if (isKnownWithoutHit(block))
        return true;
    if (m_needsLines)
        return eachLineByLine(block, 0, cancelled, take);
    // Matches all lines at once, which is many times as fast.
    const QString text = shownTextOf(block);
    qsizetype counted = 0;      // position in `text`
    std::size_t lineBegin = 0;  // begin in `block` of the line with text[counted]; both have the same lines
    std::size_t hitLine = 0;
    int hits = 0;  // in the line at lineBegin
    QRegularExpressionMatchIterator matches = m_inBlock.globalMatch(text);
    while (matches.hasNext()) {
        if (isSet(cancelled))
            return false;
        const QRegularExpressionMatch match = matches.next();
        if (match.capturedLength() == 0)
            continue;
        for (; counted < match.capturedStart(); ++counted) {
            if (text[counted] == u'\n')
                lineBegin = block.find('\n', lineBegin) + 1;
        }
        if (lineBegin != hitLine && hits > 0 && !take(static_cast<qint64>(hitLine), hits))
            return true;
        if (lineBegin != hitLine)
            hits = 0;
        hitLine = lineBegin;
        if (match.capturedView().contains(u'\n'))  // within a single line, the match would be another one
            return eachLineByLine(block, lineBegin, cancelled, take);
        ++hits;
    }
    // The limit of PCRE may apply to a whole block, but not to its single lines.
    if (!matches.isValid())
        return eachLineByLine(block, hits > 0 ? hitLine : 0, cancelled, take);
    if (hits > 0)
        take(static_cast<qint64>(hitLine), hits);
    return true;
}

std::size_t LineMatcher::pieceWithHit(std::string_view line) const
{
    for (std::size_t begin = 0; line.size() > longestPiece && begin < line.size(); begin += longestPiece) {
        if (m_pattern.match(shownText(line.substr(begin, longestPiece))).hasMatch())
            return begin;
    }
    return 0;
}

bool LineMatcher::eachLineByLine(const std::string &block, std::size_t begin, const std::atomic<bool> &cancelled,
                                 const Take &take) const
{
    while (begin < block.size()) {
        if (isSet(cancelled))
            return false;
        const std::size_t end = std::min(block.find('\n', begin), block.size());
        int hits = 0;
        QRegularExpressionMatchIterator matches =
            m_pattern.globalMatch(shownText(std::string_view(block).substr(begin, end - begin)));
        while (matches.hasNext()) {
            if (matches.next().capturedLength() > 0)
                ++hits;
        }
        if (!matches.isValid())
            return false;
        if (hits > 0 && !take(static_cast<qint64>(begin), hits))
            return true;
        begin = end + 1;
    }
    return true;
}

}  // namespace sweepscope::ui
