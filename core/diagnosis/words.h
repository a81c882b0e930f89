#pragma once

#include "wording/sentence.h"

#include <string>
#include <vector>

/// Numbers and ranks in the words of findings.
namespace sweepscope::diagnosis {

/// Three significant digits: "0.0412", "38.1".
std::string number(double value);
/// "38%", of a share from 0 to 1.
std::string percent(double share);
/// "38%", "1410 MHz", "1.24" without a unit.
std::string withUnit(double value, const std::string &unit);
/// "12.4 ms", "1.31 s"
std::string duration(double seconds);

double medianOf(std::vector<double> values);

}  // namespace sweepscope::diagnosis
