#include "diagnosis/examinations.h"
#include "diagnosis/gpuload.h"
#include "diagnosis/untrusted.h"
#include "diagnosis/words.h"

#include "device/reading.h"

#include <algorithm>

namespace sweepscope::diagnosis {

namespace {

// NVML's nvmlClocksEventReason….
constexpr std::uint64_t hardwareSlowdown = 0x8;
constexpr std::uint64_t softwareThermal = 0x20;
constexpr std::uint64_t hardwareThermal = 0x40;
constexpr std::uint64_t hardwarePowerBrake = 0x80;

const std::string noGpu = "no GPU of the trial reported its throttle reasons under load";

struct Throttling {
    std::uint64_t bits = 0;
    double leastShare = 0;  ///< of the readings under load
    std::size_t leastHits = 0;
};

Outcome examine(const AttemptEvidence &evidence, const Throttling &wanted, const char *what)
{
    std::vector<Finding> findings;
    bool isKnown = false;
    for (const GpuEvidence &gpu : evidence.gpus) {
        const auto rows = loadedRows(gpu, &GpuRow::throttleReasons);
        isKnown = isKnown || rows.size() >= leastLoadedRows;
        std::vector<const GpuRow *> hits;
        std::uint64_t reasons = 0;
        for (const GpuRow *row : rows) {
            const auto bits = static_cast<std::uint64_t>(toWhole(*row->throttleReasons)) & wanted.bits;
            if (bits != 0)
                hits.push_back(row);
            reasons |= bits;
        }
        const double share = rows.empty() ? 0 : static_cast<double>(hits.size()) / static_cast<double>(rows.size());
        if (hits.size() < wanted.leastHits || share < wanted.leastShare)
            continue;
        Finding finding = findingOn(gpu, *hits.front(), *hits.back());
        finding.value = 100 * share;
        finding.threshold = 100 * wanted.leastShare;
        finding.unit = "%";
        finding.sentence = "rank " + std::to_string(gpu.rank) + "'s GPU " + what + " " + percent(share)
                           + " of the time under load (" + device::throttleWords(reasons) + ")";
        if (const double clock = medianOf(hits, &GpuRow::smClock); clock > 0)
            finding.sentence += ", at " + number(clock) + " MHz";
        findings.push_back(std::move(finding));
    }
    return isKnown || !findings.empty() ? Outcome::found(std::move(findings)) : Outcome::notEnoughData(noGpu);
}

}  // namespace

Outcome examineThermalThrottle(const AttemptEvidence &evidence)
{
    return examine(evidence, {softwareThermal | hardwareThermal, 0.05, 5}, "is throttled by heat");
}

Outcome examinePowerBrake(const AttemptEvidence &evidence)
{
    return examine(evidence, {hardwareSlowdown | hardwarePowerBrake, 0.01, 3}, "is throttled by its hardware");
}

}  // namespace sweepscope::diagnosis
