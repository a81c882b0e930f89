#include "ui/logs/loglevel.h"

#include "output/outputpattern.h"
#include "ui/logs/ansitext.h"
#include "ui/logs/errorpattern.h"

#include <optional>

namespace sweepscope::ui {

namespace {

/// Levels are near the begin of a line.
constexpr std::size_t readBytes = 2048;
constexpr qsizetype headerLength = 160;

/// Whether the line contains a part of what the exact patterns match. It dismisses most lines, in one pass over bytes.
bool mayHaveLevel(std::string_view line)
{
    static const auto pattern = output::OutputPattern::compile(
        R"((?i)err|warn|exception|traceback|fatal|critical|segmentation|abort|kill|of memory|terminate|assert|[wefc]\d{4} )");
    return !pattern || pattern->find(line).has_value();
}

LogLevel levelOf(QStringView word)
{
    const QChar first = word.isEmpty() ? QChar() : word.front().toUpper();
    if (first == u'W')
        return LogLevel::Warning;
    const bool isError = first == u'E' || first == u'F' || first == u'C';
    return isError ? LogLevel::Error : LogLevel::Other;
}

/// Returns the level that a logger has printed in the header of the line.
std::optional<LogLevel> printedLevel(const QString &line)
{
    static const QRegularExpression pattern(QStringLiteral(
        R"re(^\[?(?<glog>[DIVWEFC])\d{4} \d\d:\d\d)re"
        R"re(|\b(?<capitals>TRACE|DEBUG|INFO|SUCCESS|NOTICE|WARN|WARNING|ERROR|CRITICAL|FATAL)\b)re"
        R"re(|\[(?<brackets>debug|info|warn|warning|error|critical|fatal)\s*\])re"
        R"re(|\b(?:level|levelname|severity)"?\s*[=:]\s*"?(?<key>(?i:debug|info|warn|error|critical|fatal)\w*))re"));
    const QRegularExpressionMatch match = pattern.match(line.left(headerLength));
    if (!match.hasMatch())
        return std::nullopt;
    for (const QString &group :
         {QStringLiteral("glog"), QStringLiteral("capitals"), QStringLiteral("brackets"), QStringLiteral("key")}) {
        if (const QStringView word = match.capturedView(group); !word.isEmpty())
            return levelOf(word);
    }
    return std::nullopt;
}

bool isWarning(const QString &line)
{
    static const QRegularExpression pattern(QStringLiteral(R"(\b[Ww]arning:|\w+Warning\b\s*:)"));
    return pattern.match(line).hasMatch();
}

/// Removes "[rank0]: ", which PyTorch prints before lines of its log and of tracebacks, and similar prefixes.
std::string_view withoutRank(std::string_view line)
{
    constexpr std::size_t longest = 16;
    const std::size_t end = line.find("]:");
    if (!line.starts_with('[') || end == line.npos || end > longest || line[end - 1] < '0' || line[end - 1] > '9')
        return line;
    line.remove_prefix(end + 2);
    if (line.starts_with(' '))
        line.remove_prefix(1);
    return line;
}

}  // namespace

LineLevel LevelReader::read(std::string_view untrustedLine)
{
    std::string_view line = withoutRank(untrustedLine.substr(0, readBytes));
    QByteArray shown;
    if (line.find('\x1b') != line.npos) {
        shown = AnsiReader().read(line).text.toUtf8();
        line = withoutRank(std::string_view(shown.constData(), static_cast<std::size_t>(shown.size())));
    }
    const bool isBlank = line.find_first_not_of(" \t\r") == line.npos;
    const bool isIndented = !isBlank && (line.front() == ' ' || line.front() == '\t');
    if (line.starts_with("Traceback (most recent")) {
        const bool begins = m_level != LogLevel::Error;
        m_level = LogLevel::Error;
        m_trace = Trace::Frames;
        return {LogLevel::Error, begins};
    }
    if (m_trace == Trace::Frames) {
        if (!isIndented)
            m_trace = isBlank ? Trace::None : Trace::Ended;
        return continued();
    }
    if (m_trace == Trace::Ended && line.find("above exception") != line.npos) {
        m_trace = Trace::Chained;
        return continued();
    }
    if (m_trace != Trace::None && isBlank)
        return {};
    m_trace = Trace::None;

    const bool isFrame = line.starts_with("frame #");  // of C++
    const bool canContinue = (isIndented || isFrame) && m_level != LogLevel::Other;
    if (isBlank || !mayHaveLevel(line)) {
        if (canContinue)
            return continued();
        m_level = LogLevel::Other;
        return {};
    }
    const QString text = QString::fromUtf8(line.data(), static_cast<qsizetype>(line.size()));
    const std::optional<LogLevel> printed = printedLevel(text);
    if (!printed && canContinue)
        return continued();
    m_level = printed                                     ? *printed
              : errorLinePattern().match(text).hasMatch() ? LogLevel::Error
              : isWarning(text)                           ? LogLevel::Warning
                                                          : LogLevel::Other;
    return {m_level, m_level != LogLevel::Other};
}

}  // namespace sweepscope::ui
