#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sweepscope::launch {

/// Splits a program's output into lines as displayed: each update of a progress bar (\r) is a separate line; colours
/// and other escape sequences are removed. A line longer than 64 KiB is cut.
class LogLines {
public:
    static constexpr std::size_t longestLine = 64 * 1024;

    /// Calls `take(std::string_view line)` for each line that `bytes` completes.
    template <typename Take>
    void add(std::string_view bytes, Take &&take)
    {
        while (!bytes.empty()) {
            const std::size_t end = bytes.find_first_of("\r\n");
            const std::string_view part = bytes.substr(0, end);
            if (end != std::string_view::npos && m_begun.empty()) {
                emitLine(part.substr(0, longestLine), take);
            } else {
                m_begun.append(part.substr(0, longestLine - m_begun.size()));
                if (end != std::string_view::npos)
                    finish(take);
            }
            bytes.remove_prefix(end == std::string_view::npos ? bytes.size() : end + 1);
        }
    }

    /// Calls `take` for an unterminated last line.
    template <typename Take>
    void finish(Take &&take)
    {
        emitLine(m_begun, take);
        m_begun.clear();
    }

private:
    template <typename Take>
    void emitLine(std::string_view line, Take &&take)
    {
        if (line.find('\x1b') != std::string_view::npos) {
            removeEscapes(line, m_plain);
            line = m_plain;
        }
        if (!line.empty())
            take(line);
    }
    static void removeEscapes(std::string_view line, std::string &plain);

    std::string m_begun;
    std::string m_plain;
};

}  // namespace sweepscope::launch
