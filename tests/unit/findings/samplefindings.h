#pragma once

#include "ui/examination/attemptexaminer.h"

namespace sweepscope::tests {

inline constexpr WallNs second = 1'000'000'000;
inline constexpr WallNs start = 1'763'674'200 * second;

inline diagnosis::Finding finding(int trial, const std::string &rule, int at,
                                  diagnosis::Severity severity = diagnosis::Severity::Warning)
{
    diagnosis::Finding one;
    one.rule = rule;
    one.severity = severity;
    one.trial = trial;
    one.attempt = 1;
    one.rank = 2;
    one.window = {start + at * second, start + (at + 10) * second, 120, 480};
    one.value = 38;
    one.threshold = 15;
    one.unit = "%";
    one.thresholdSource = "somebody's";
    one.sentence = "rank 2 computes longer";
    one.hint = "look at its node";
    return one;
}

inline ui::ExaminedAttempt attempt(int trial, const std::vector<diagnosis::Finding> &findings)
{
    ui::ExaminedAttempt examined{trial, 1, {}, {}, {}};
    for (const diagnosis::Finding &one : findings)
        examined.findings.push_back({one, {}, false});
    return examined;
}

}  // namespace sweepscope::tests
