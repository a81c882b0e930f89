#pragma once

#include "diagnosis/finding.h"

#include <nlohmann/json.hpp>

#include <string>

/// Findings for terminals and for programs.
namespace sweepscope::ctl {

/// "warning  straggler  rank 1 computes 24 % longer …", with "(simulated)" where it is.
std::string lineOf(const diagnosis::Finding &finding);
/// "steps 10 to 800, 14:03:10 for 31 s; 1.24, threshold 1.15 (whose it is)"
std::string evidenceOf(const diagnosis::Finding &finding);

/// What is not there is null; numbers that JSON does not have are words ("nan", "inf").
nlohmann::ordered_json toJson(const diagnosis::Finding &finding);
nlohmann::ordered_json toJson(const diagnosis::Report &report);

}  // namespace sweepscope::ctl
