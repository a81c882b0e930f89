#pragma once

#include <string>
#include <string_view>

namespace sweepscope::ui {

/// Returns what is visible of a line whose parts a carriage return separates: each part covers the one before, as in a
/// terminal. A longer part, of which a terminal would show only the end, remains whole before the part that covers its
/// begin; a part with an escape sequence that erases the line leaves nothing. Escape sequences stay.
std::string visibleText(std::string_view line);

}  // namespace sweepscope::ui
