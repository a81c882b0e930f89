#include "diagnosis/examinations.h"

namespace sweepscope::diagnosis {

Outcome examineSlowLink(const AttemptEvidence &evidence)
{
    if (!evidence.links)
        return Outcome::notEnoughData("this attempt did not test the links of its GPUs");
    if (evidence.links->backend.empty())
        return Outcome::notEnoughData(evidence.links->reason.empty() ? "the test of the links has no result yet"
                                                                     : evidence.links->reason);
    std::vector<Finding> findings;
    for (const sweep::LinkVerdict &verdict : sweep::judgeLinks(*evidence.links)) {
        Finding finding;
        if (verdict.fault == sweep::LinkFault::Broken) {
            finding.severity = Severity::Problem;
            finding.hasOwnSeverity = true;
        }
        if (!verdict.ranks.empty()) {
            finding.rank = verdict.ranks.front();
            finding.device = evidence.links->gpus[static_cast<std::size_t>(verdict.ranks.front())].id;
        }
        finding.value = verdict.measured / 1e9;
        finding.threshold = verdict.expected / 1e9;
        finding.unit = "GB/s";
        finding.window.from = finding.window.to = evidence.begin;
        finding.sentence = verdict.sentence;
        finding.simulated = evidence.links->simulated;
        findings.push_back(std::move(finding));
    }
    return Outcome::found(std::move(findings));
}

}  // namespace sweepscope::diagnosis
