#pragma once

#include "base/error.h"

#include <QString>

#include <string>
#include <vector>

namespace sweepscope::ui {

/// A line as people type it into a terminal -> arguments: blanks and line breaks separate, '…' and "…" keep, a
/// backslash takes the next character as it is. Nothing is expanded: no variables, no globs, no shell. BadInput: an
/// open quote.
Expected<std::vector<std::string>> splitCommandLine(const QString &line);

/// A line that splits into exactly these arguments.
QString joinCommandLine(const std::vector<std::string> &arguments);

}  // namespace sweepscope::ui
