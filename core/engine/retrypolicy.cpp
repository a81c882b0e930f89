#include "engine/retrypolicy.h"

#include <algorithm>

namespace sweepscope::engine {

namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;

constexpr milliseconds firstDelay = 1s;
constexpr milliseconds longestDelay = 30s;
/// The longest first delay that the user can set.
constexpr milliseconds longestChosenDelay = 1h;

/// Doubles with each failure: what failed for lack of memory or a port often works a little later.
milliseconds doubled(milliseconds first, milliseconds longest, int failures)
{
    milliseconds delay = first;
    for (int i = 1; i < failures && delay < longest; ++i)
        delay *= 2;
    return std::min(delay, std::max(first, longest));
}

}  // namespace

RetryPolicy::RetryPolicy(const sweep::RunSection &run) : m_retries(run.retries), m_rules(run.policy.retry) {}

const sweep::RetryRule *RetryPolicy::ruleFor(const std::string &kind) const
{
    const auto found = m_rules.find(kind);
    return found == m_rules.end() ? nullptr : &found->second;
}

bool RetryPolicy::countTogether(const std::string &kind, const std::string &other) const
{
    return kind == other || (ruleFor(kind) == nullptr && ruleFor(other) == nullptr);
}

RetryPolicy::Decision RetryPolicy::decide(const std::optional<launch::FailureKind> &kind, int failures) const
{
    const std::string name = kind ? launch::toString(*kind) : std::string();
    const sweep::RetryRule *rule = ruleFor(name);
    Decision decision;
    decision.retry = failures;
    decision.most = rule != nullptr ? rule->times : m_retries;
    decision.again = failures <= decision.most;
    if (rule != nullptr && rule->times == 0)
        decision.why = name;
    if (rule == nullptr && decision.again && kind && !launch::isWorthRetrying(*kind)) {
        decision.again = false;
        decision.why = name;
    }
    if (rule != nullptr && rule->wait)
        decision.delay = doubled(*rule->wait, longestChosenDelay, failures);
    else
        decision.delay = doubled(firstDelay, longestDelay, failures);
    return decision;
}

}  // namespace sweepscope::engine
