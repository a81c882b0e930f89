#pragma once

#include <string>

namespace sweepscope::launch {

struct LastWords {
    std::string text;      ///< one line without colours, at most a few hundred bytes; empty when there is nothing
    bool isError = false;  ///< it says what went wrong; otherwise it merely is the last line
};

/// The last thing of substance that a rank wrote: the exception under a Python traceback, what "terminate called" was
/// about, a line with "error:" in it, else the last line there is. `log` is the log's text, untrusted, perhaps cut off
/// at its beginning.
LastWords lastWords(const std::string &log);

/// A message of several lines as one, cut like last words.
std::string inOneLine(const std::string &message);

}  // namespace sweepscope::launch
