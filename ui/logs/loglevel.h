#pragma once

#include <QtGlobal>

#include <string_view>

namespace sweepscope::ui {

enum class LogLevel : quint8 {
    Other,  ///< information, or unknown
    Warning,
    Error,
};

struct LineLevel {
    LogLevel level = LogLevel::Other;
    bool begins = false;  ///< the first line of a message; others continue it
    bool operator==(const LineLevel &) const = default;
};

/// Recognises the levels of consecutive lines of one log: Python's logging and warnings, loguru, structlog, glog, and
/// c10d with the prefix of a rank. A traceback belongs to the error that it follows, an indented line to the message
/// before it.
class LevelReader {
public:
    /// A line as it was written, with its escape sequences.
    LineLevel read(std::string_view untrustedLine);

private:
    enum class Trace {
        None,
        Frames,   ///< in a traceback: the line of its exception follows
        Ended,    ///< after that line
        Chained,  ///< before the traceback of another exception that it led to
    };
    LineLevel continued() const { return {m_level, false}; }

    LogLevel m_level = LogLevel::Other;  ///< of the last message, if lines can continue it
    Trace m_trace = Trace::None;
};

}  // namespace sweepscope::ui
