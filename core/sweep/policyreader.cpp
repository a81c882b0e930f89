#include "sweep/policyreader.h"

namespace sweepscope::sweep {

namespace {

RetryRule readRule(const std::string &field, const toml::node &node, Findings &findings)
{
    RetryRule rule;
    if (const auto *table = node.as_table()) {
        TomlSection section(*table, field, findings);
        const auto times = section.number("times");
        rule.times = times.value_or(0);
        rule.wait = section.duration("wait");
        section.finish();
        if (!table->contains("times"))
            findings.report(field, node.source(), "does not say how often: { times = 2, wait = \"10s\" }");
    } else if (const auto *times = node.as_integer(); times != nullptr && times->get() >= 0 && times->get() <= 1000) {
        rule.times = static_cast<int>(times->get());
    } else {
        findings.report(field, node.source(),
                        "must be a number of retries from 0 to 100, or { times = 2, wait = \"10s\" }");
    }
    return rule;
}

void readRetry(TomlSection &run, AttemptPolicy &policy, Findings &findings)
{
    const toml::node *node = run.find("retry");
    if (node == nullptr)
        return;
    const auto *table = node->as_table();
    if (table == nullptr) {
        findings.report("run.retry", node->source(),
                        "is " + kindOf(*node)
                            + ", but must be a section: [run.retry]; for all kinds of failure "
                              "write retries = 2");
        return;
    }
    for (const auto &[key, value] : inFileOrder(*table)) {
        const std::string field = "run.retry." + std::string(key->str());
        findings.note(field, *value);
        policy.retry[std::string(key->str())] = readRule(field, *value, findings);
    }
}

}  // namespace

void readPolicy(TomlSection &run, AttemptPolicy &policy, Findings &findings)
{
    policy.hangFactor = run.real("hang_factor").value_or(policy.hangFactor);
    policy.hangAfter = run.duration("hang_after").value_or(policy.hangAfter);
    policy.exitGrace = run.duration("exit_grace").value_or(policy.exitGrace);
    readRetry(run, policy, findings);
}

}  // namespace sweepscope::sweep
