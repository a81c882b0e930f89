#pragma once

#include "importing/study.h"

#include <string_view>
#include <vector>

namespace sweepscope::importing {

/// Reads a journal of optuna.storages.JournalStorage. A last line that is cut off is left out; other lines that are no
/// JSON are an error with their number.
Expected<std::vector<Study>> parseJournal(std::string_view untrusted);

}  // namespace sweepscope::importing
