#pragma once

#include "diagnosis/finding.h"

#include <QString>

#include <map>
#include <set>

namespace sweepscope::ui {

/// What is wrong with the trials of a sweep, in numbers.
struct FindingsSummary {
    int trials = 0;
    int failed = 0;
    std::map<diagnosis::Severity, std::set<int>> found;  ///< numbers of trials with findings
};

/// "4 of 12 trials failed · 2 with problems · 1 with warnings"; empty if nothing is wrong.
QString summaryText(const FindingsSummary &summary);

}  // namespace sweepscope::ui
