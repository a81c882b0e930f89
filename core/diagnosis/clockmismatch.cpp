#include "diagnosis/examinations.h"
#include "diagnosis/gpuload.h"
#include "diagnosis/words.h"

#include <algorithm>
#include <map>

namespace sweepscope::diagnosis {

namespace {

constexpr double leastRatio = 0.9;

struct Loaded {
    const GpuEvidence *gpu = nullptr;
    std::vector<const GpuRow *> rows;
    double clock = 0;
};

}  // namespace

Outcome examineClockMismatch(const AttemptEvidence &evidence)
{
    // Only GPUs that could run as fast as each other are compared.
    std::map<double, std::vector<Loaded>> byMaximum;
    for (const GpuEvidence &gpu : evidence.gpus) {
        Loaded loaded{&gpu, loadedRows(gpu, &GpuRow::smClock), 0};
        const auto hasMaximum = std::find_if(loaded.rows.begin(), loaded.rows.end(),
                                             [](const GpuRow *row) { return row->smClockMax.has_value(); });
        if (loaded.rows.size() < leastLoadedRows || hasMaximum == loaded.rows.end())
            continue;
        loaded.clock = medianOf(loaded.rows, &GpuRow::smClock);
        byMaximum[*(*hasMaximum)->smClockMax].push_back(std::move(loaded));
    }
    bool isComparable = false;
    std::vector<Finding> findings;
    for (const auto &[maximum, gpus] : byMaximum) {
        if (gpus.size() < 2)
            continue;
        isComparable = true;
        const double fastest = std::max_element(gpus.begin(), gpus.end(), [](const Loaded &a, const Loaded &b) {
                                   return a.clock < b.clock;
                               })->clock;
        for (const Loaded &loaded : gpus) {
            if (loaded.clock >= leastRatio * fastest)
                continue;
            Finding finding = findingOn(*loaded.gpu, *loaded.rows.front(), *loaded.rows.back());
            finding.value = loaded.clock / fastest;
            finding.threshold = leastRatio;
            finding.sentence = "rank " + std::to_string(loaded.gpu->rank) + "'s GPU runs at " + number(loaded.clock)
                               + " MHz under load, and another GPU of the trial at " + number(fastest) + " MHz";
            findings.push_back(std::move(finding));
        }
    }
    return isComparable ? Outcome::found(std::move(findings))
                        : Outcome::notEnoughData("fewer than two GPUs of one model reported their clocks under load");
}

}  // namespace sweepscope::diagnosis
