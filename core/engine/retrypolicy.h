#pragma once

#include "launch/failurekind.h"
#include "sweep/sweepspec.h"

#include <chrono>
#include <optional>
#include <string>

namespace sweepscope::engine {

/// Decides when a trial whose attempt failed or was lost gets another one. Kinds of failure with their own rule in the
/// sweep are counted separately; all others are counted together and retried run.retries times.
class RetryPolicy {
public:
    RetryPolicy() = default;
    explicit RetryPolicy(const sweep::RunSection &run);

    bool hasRules() const { return !m_rules.empty(); }
    /// Returns whether failures of these two kinds are counted together. Kinds in the format of toString(FailureKind).
    bool countTogether(const std::string &kind, const std::string &other) const;

    struct Decision {
        bool again = false;
        int retry = 0;  ///< number of this retry, from 1
        int most = 0;
        std::chrono::milliseconds delay{0};
        std::string why;  ///< the kind, if it is not retried although retries are left
    };
    /// After the `failures`th failure that counts together with this one.
    Decision decide(const std::optional<launch::FailureKind> &kind, int failures) const;

private:
    const sweep::RetryRule *ruleFor(const std::string &kind) const;

    int m_retries = 0;
    std::map<std::string, sweep::RetryRule> m_rules;  ///< by kind
};

}  // namespace sweepscope::engine
