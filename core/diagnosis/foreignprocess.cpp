#include "diagnosis/examinations.h"
#include "diagnosis/gpuload.h"
#include "diagnosis/words.h"

namespace sweepscope::diagnosis {

namespace {

constexpr std::size_t leastHits = 5;  ///< a query (nvidia-smi) is gone by the next reading of processes

}  // namespace

Outcome examineForeignProcess(const AttemptEvidence &evidence)
{
    bool isKnown = false;
    std::vector<Finding> findings;
    for (const GpuEvidence &gpu : evidence.gpus) {
        std::vector<const GpuRow *> hits;
        double most = 0;
        for (const GpuRow &row : gpu.rows) {
            isKnown = isKnown || row.foreignProcesses.has_value();
            if (row.foreignProcesses.value_or(0) > 0) {
                hits.push_back(&row);
                most = std::max(most, *row.foreignProcesses);
            }
        }
        if (hits.size() < leastHits)
            continue;
        Finding finding = findingOn(gpu, *hits.front(), *hits.back());
        finding.value = most;
        finding.sentence = number(most) + (most > 1 ? " processes that are" : " process that is")
                           + " not Sweepscope's used rank " + std::to_string(gpu.rank) + "'s GPU";
        findings.push_back(std::move(finding));
    }
    return isKnown ? Outcome::found(std::move(findings))
                   : Outcome::notEnoughData("the owners of the processes on the trial's GPUs were not recorded");
}

}  // namespace sweepscope::diagnosis
