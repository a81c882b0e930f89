#include "launch/loglines.h"

#include <algorithm>

namespace sweepscope::launch {

namespace {

/// Returns where the escape sequence that begins at `at` ends (ECMA-48): CSI with its final byte, OSC with BEL or ST,
/// others after two bytes.
std::size_t endOfEscape(std::string_view line, std::size_t at)
{
    const char kind = at + 1 < line.size() ? line[at + 1] : '\0';
    std::size_t end = at + 2;
    if (kind == '[') {
        while (end < line.size() && (line[end] < '@' || line[end] > '~'))
            ++end;
        ++end;
    } else if (kind == ']') {
        end = line.find_first_of("\x07\x1b", end);
        if (end == std::string_view::npos)
            return line.size();
        end += line[end] == '\x07' ? 1 : 2;
    }
    return std::min(end, line.size());
}

}  // namespace

void LogLines::removeEscapes(std::string_view line, std::string &plain)
{
    plain.clear();
    for (std::size_t at = 0; at < line.size();) {
        const std::size_t escape = std::min(line.find('\x1b', at), line.size());
        plain.append(line.substr(at, escape - at));
        at = escape < line.size() ? endOfEscape(line, escape) : escape;
    }
}

}  // namespace sweepscope::launch
