#pragma once

#include "base/checkrow.h"

#include <nlohmann/json.hpp>

namespace sweepscope::ctl {

/// Prints a row of a check, with its remedy below it.
void printRow(const CheckRow &row);
nlohmann::ordered_json rowToJson(const CheckRow &row);

}  // namespace sweepscope::ctl
