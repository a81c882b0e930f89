#pragma once

#include "sweep/costfactors.h"

#include <string>

namespace sweepscope::exporting {

/// "3.20 EUR, 0.52 kg CO2"; empty if both are unknown.
std::string costText(const sweep::Cost &cost, const std::string &currency);

}  // namespace sweepscope::exporting
