#pragma once

#include "diagnosis/finding.h"

#include <nlohmann/json.hpp>

#include <string>

/// Findings as text and as JSON.
namespace sweepscope::ctl {

/// "warning  straggler  rank 1 computes 24% longer …", with "(simulated)" if the devices are.
std::string lineOf(const diagnosis::Finding &finding);
/// "steps 10 to 800, 14:03:10 for 31 s; 1.24, threshold 1.15 (the source of the threshold)"
std::string evidenceOf(const diagnosis::Finding &finding);

/// Missing values are null; numbers that JSON lacks are strings ("nan", "inf").
nlohmann::ordered_json toJson(const diagnosis::Finding &finding);
nlohmann::ordered_json toJson(const diagnosis::Report &report);

}  // namespace sweepscope::ctl
