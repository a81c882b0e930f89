#pragma once

#include "launch/failurekind.h"
#include "sweep/sweepspec.h"

#include <chrono>
#include <optional>
#include <string>

namespace sweepscope::engine {

/// When a trial whose attempt failed or was lost gets a further one. Kinds of failure for which the sweep has a rule
/// are counted each by itself; all others together, and they are tried again run.retries times.
class RetryPolicy {
public:
    RetryPolicy() = default;
    explicit RetryPolicy(const sweep::RunSection &run);

    bool hasRules() const { return !m_rules.empty(); }
    /// Whether failures of these two kinds are counted together. Kinds as toString(FailureKind) has them.
    bool countTogether(const std::string &kind, const std::string &other) const;

    struct Decision {
        bool again = false;
        int retry = 0;  ///< the how manieth it will be
        int most = 0;
        std::chrono::milliseconds delay{0};
        std::string why;  ///< not again, though there were retries left: the kind
    };
    /// After the `failures`th failure that counts together with this one.
    Decision decide(const std::optional<launch::FailureKind> &kind, int failures) const;

private:
    const sweep::RetryRule *ruleFor(const std::string &kind) const;

    int m_retries = 0;
    std::map<std::string, sweep::RetryRule> m_rules;  ///< by kind
};

}  // namespace sweepscope::engine
