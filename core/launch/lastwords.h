#pragma once

#include <string>

namespace sweepscope::launch {

struct LastWords {
    std::string text;      ///< one line without colours, at most a few hundred bytes; may be empty
    bool isError = false;  ///< it is an error message; otherwise just the last line
    std::string source{};  ///< "train.py:6", where the exception of a Python traceback was raised or passed through the
                           ///< user's code; may be empty
};

/// Returns the last relevant output of a rank: the exception below a Python traceback, the exception reported by
/// "terminate called", a line with "error:" in it, else the last line. `log` is untrusted, and its beginning may be cut
/// off.
LastWords lastWords(const std::string &log);

/// Joins a message of several lines into one, shortened like last words.
std::string inOneLine(const std::string &message);

}  // namespace sweepscope::launch
