#pragma once

#include "base/error.h"

#include <QString>

#include <string>
#include <vector>

namespace sweepscope::ui {

/// Splits a line, as typed in a terminal, into arguments: blanks and line breaks separate, '…' and "…" quote, a
/// backslash escapes the next character. Nothing is expanded: no variables, no globs, no shell. BadInput: an unclosed
/// quote.
Expected<std::vector<std::string>> splitCommandLine(const QString &line);

/// Returns a line that splits into exactly these arguments.
QString joinCommandLine(const std::vector<std::string> &arguments);

}  // namespace sweepscope::ui
