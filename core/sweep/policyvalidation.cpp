#include "sweep/policyvalidation.h"

#include "base/suggestion.h"

#include <algorithm>

namespace sweepscope::sweep {

namespace {

using namespace std::chrono_literals;

constexpr std::chrono::seconds longest = 24h * 366;

bool isDuration(std::chrono::seconds duration)
{
    return duration >= 0s && duration <= longest;
}

}  // namespace

const std::vector<std::string> &failureKinds()
{
    static const std::vector<std::string> kinds{
        "exit_code",  "signal",    "out_of_memory", "not_a_number",    "timed_out",   "hang",
        "early_exit", "lost_peer", "port_taken",    "device_mismatch", "not_started", "lost"};
    return kinds;
}

void checkPolicy(const AttemptPolicy &policy, std::vector<Problem> &problems)
{
    if (!(policy.hangFactor == 0 || (policy.hangFactor >= 1.5 && policy.hangFactor <= 1000)))
        problems.push_back({"run.hang_factor", "must be a number from 1.5 to 1000, or 0 for never"});
    if (!isDuration(policy.hangAfter) || policy.hangAfter == 0s)
        problems.push_back({"run.hang_after", "must be longer than nothing and at most a year, e.g. \"5m\""});
    if (!isDuration(policy.exitGrace))
        problems.push_back({"run.exit_grace", "must be from 0 (without end) to a year, e.g. \"60s\""});
    for (const auto &[kind, rule] : policy.retry) {
        const std::string field = "run.retry." + kind;
        if (std::find(failureKinds().begin(), failureKinds().end(), kind) == failureKinds().end())
            problems.push_back({field, "is no kind of failure" + suggestion(kind, failureKinds()) + ": it can be "
                                           + orList(failureKinds())});
        if (rule.times < 0 || rule.times > 100)
            problems.push_back({field, "must be a number of retries from 0 to 100, not " + std::to_string(rule.times)});
        if (rule.wait && !isDuration(*rule.wait))
            problems.push_back({field + ".wait", "must be from 0 to a year, e.g. \"10s\""});
    }
}

}  // namespace sweepscope::sweep
