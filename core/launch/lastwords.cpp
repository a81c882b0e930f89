#include "launch/lastwords.h"

#include "base/printable.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace sweepscope::launch {

namespace {

constexpr std::size_t maxWordsBytes = 400;
constexpr std::string_view tracebackHeader = "Traceback (most recent call last)";

/// Removes terminal colours (ESC [ … letter), other control characters, and blanks at both ends.
std::string cleaned(std::string_view line)
{
    std::string text;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '\x1b' && i + 1 < line.size() && line[i + 1] == '[') {
            i += 2;
            while (i < line.size() && (line[i] < '@' || line[i] > '~'))
                ++i;
        } else if (static_cast<unsigned char>(line[i]) >= ' ') {
            text += line[i];
        } else if (line[i] == '\t') {
            text += ' ';
        }
    }
    text = printable(text);
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string::npos)
        return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// A progress bar rewrites its line with \r: only the part after the last one is visible.
std::vector<std::string_view> visibleLines(std::string_view log)
{
    std::vector<std::string_view> lines;
    while (!log.empty()) {
        const std::size_t end = std::min(log.find('\n'), log.size());
        std::string_view line = log.substr(0, end);
        log.remove_prefix(std::min(end + 1, log.size()));
        while (!line.empty() && line.back() == '\r')
            line.remove_suffix(1);
        if (const std::size_t bar = line.rfind('\r'); bar != std::string_view::npos)
            line.remove_prefix(bar + 1);
        lines.push_back(line);
    }
    return lines;
}

bool containsIgnoringCase(std::string_view text, std::string_view what)
{
    const auto same = [](char a, char b) {
        const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
        return lower(a) == lower(b);
    };
    return std::search(text.begin(), text.end(), what.begin(), what.end(), same) != text.end();
}

bool startsWith(std::string_view text, std::string_view what)
{
    return text.substr(0, what.size()) == what;
}

bool isIndented(std::string_view line)
{
    return startsWith(line, " ") || startsWith(line, "\t");
}

/// Lines that C++ and LibTorch print below an exception's message.
bool isMachineTrace(std::string_view line)
{
    return startsWith(line, "Exception raised from ") || startsWith(line, "frame #") || startsWith(line, "[W");
}

/// Joins lines into one, as far as they fit.
std::string joined(const std::vector<std::string_view> &lines, std::size_t begin)
{
    std::string text;
    for (std::size_t i = begin; i < lines.size() && text.size() <= maxWordsBytes && !isMachineTrace(lines[i]); ++i) {
        const std::string line = cleaned(lines[i]);
        text += (text.empty() || line.empty() ? "" : " ") + line;
    }
    return text;
}

/// Returns "train.py:6" of `  File "/home/ann/train.py", line 6, in main`; empty for another line, and for a file of Python or
/// of an installed package.
std::string sourceOf(std::string_view line)
{
    constexpr std::string_view begin = "  File \"";
    constexpr std::string_view middle = "\", line ";
    const std::size_t end = line.find(middle);
    if (!startsWith(line, begin) || end == std::string_view::npos)
        return {};
    const std::string_view path = line.substr(begin.size(), end - begin.size());
    for (const std::string_view other : {"/site-packages/", "/dist-packages/", "/lib/python"}) {
        if (path.find(other) != std::string_view::npos)
            return {};
    }
    if (startsWith(path, "<"))
        return {};
    const std::string_view rest = line.substr(end + middle.size());
    const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
    return cleaned(path.substr(path.rfind('/') + 1)) + ":" + std::string(rest.substr(0, digits));
}

/// Returns the exception: the first line after the frames, which are indented. What follows belongs to its message,
/// unless the exception only ended a thread and the program continued.
LastWords ofTraceback(const std::vector<std::string_view> &lines, std::size_t header)
{
    const bool ofThread = header > 0 && startsWith(lines[header - 1], "Exception ");
    std::string source;
    for (std::size_t i = header + 1; i < lines.size(); ++i) {
        if (!lines[i].empty() && !isIndented(lines[i]))
            return {ofThread ? cleaned(lines[i]) : joined(lines, i), true, source};
        if (std::string found = sourceOf(lines[i]); !found.empty())
            source = std::move(found);
    }
    return {};
}

/// Returns where the traceback of the exception in `line` begins; nullopt if anything but its frames is in between.
std::optional<std::size_t> tracebackAbove(const std::vector<std::string_view> &lines, std::size_t line)
{
    while (line-- > 0) {
        if (startsWith(lines[line], tracebackHeader))
            return line;
        if (!lines[line].empty() && !isIndented(lines[line]))
            return std::nullopt;
    }
    return std::nullopt;
}

/// libstdc++ writes "terminate called after throwing an instance of 'T'" and on the next line "  what():  …".
std::string ofTerminate(const std::vector<std::string_view> &lines, std::size_t header)
{
    constexpr std::string_view what = "what():";
    for (std::size_t i = header + 1; i < lines.size() && i <= header + 3; ++i) {
        const std::size_t found = lines[i].find(what);
        if (found != std::string_view::npos)
            return cleaned(lines[i].substr(found + what.size()));
    }
    return cleaned(lines[header]);
}

/// "ValueError: …", "train: error: …"; not "c10::Error::Error(…)" of a stack trace.
bool isErrorLine(std::string_view line)
{
    static constexpr std::array<std::string_view, 6> marks{"error: ",     "fatal: ", "runtime error",
                                                           "assertion `", "panic: ", "segmentation fault"};
    return std::any_of(marks.begin(), marks.end(),
                       [&](std::string_view mark) { return containsIgnoringCase(line, mark); });
}

LastWords ofErrorLine(const std::vector<std::string_view> &lines, std::size_t line)
{
    const std::optional<std::size_t> header = tracebackAbove(lines, line);
    return header ? ofTraceback(lines, *header) : LastWords{cleaned(lines[line]), true};
}

/// Invalid UTF-8 stays, and the event log replaces it.
std::string shortened(std::string text)
{
    if (text.size() <= maxWordsBytes)
        return text;
    return cutBetweenCharacters(std::move(text), maxWordsBytes) + " …";
}

}  // namespace

std::string inOneLine(const std::string &message)
{
    return shortened(joined(visibleLines(message), 0));
}

LastWords lastWords(const std::string &log)
{
    const std::vector<std::string_view> lines = visibleLines(log);
    std::string lastLine;
    for (std::size_t i = lines.size(); i-- > 0;) {
        const std::string line = cleaned(lines[i]);
        if (line.empty())
            continue;
        if (lastLine.empty())
            lastLine = line;
        LastWords words;
        if (startsWith(line, tracebackHeader))
            words = ofTraceback(lines, i);
        else if (startsWith(line, "terminate called"))
            words = {ofTerminate(lines, i), true};
        else if (isErrorLine(line) && !isIndented(lines[i]))  // frames of a traceback are indented
            words = ofErrorLine(lines, i);
        if (!words.text.empty()) {
            words.text = shortened(words.text);
            return words;
        }
    }
    return {shortened(lastLine), false};
}

}  // namespace sweepscope::launch
