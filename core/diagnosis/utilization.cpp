#include "diagnosis/examinations.h"
#include "diagnosis/gpuload.h"
#include "diagnosis/words.h"

#include <algorithm>

namespace sweepscope::diagnosis {

namespace {

constexpr std::size_t leastRowsInTraining = 10;

constexpr double lowPercent = 50;
constexpr double roomyShare = 0.5;
/// A GPU that waits for data is not helped by a larger batch.
constexpr double mostDataWait = 0.1;

constexpr double hollowPercent = 25;
constexpr double hollowShare = 0.8;

constexpr double fullShare = 0.95;

/// When the first step was done and when the last one was: before and after that a GPU is idle for good reasons.
std::vector<const GpuRow *> rowsInTraining(const AttemptEvidence &evidence, const GpuEvidence &gpu)
{
    std::optional<WallNs> from;
    std::optional<WallNs> to;
    for (const RankEvidence &rank : evidence.ranks) {
        const series::Series *loss = rank.find("loss");
        if (rank.rank == gpu.rank && loss != nullptr) {
            from = loss->front().timeNs;
            to = loss->back().timeNs;
        }
    }
    std::vector<const GpuRow *> rows;
    for (const GpuRow &row : gpu.rows) {
        if (from && row.time >= *from && row.time <= *to && row.utilization)
            rows.push_back(&row);
    }
    return rows;
}

bool waitsForData(const AttemptEvidence &evidence, int number)
{
    for (const RankEvidence &rank : evidence.ranks) {
        const series::Series *wait = rank.find("data_wait");
        const series::Series *step = rank.find("step_time");
        if (rank.rank != number || wait == nullptr || step == nullptr)
            continue;
        const auto [first, last] = step->extent(series::XAxis::Step);
        const auto mean = [from = first, to = last](const series::Series &series) {
            const auto columns = series.columns(series::XAxis::Step, from, to, 1);
            return columns.empty() ? 0.0 : columns.front().mean;
        };
        return mean(*wait) >= mostDataWait * mean(*step);
    }
    return false;
}

/// The largest share of its memory that was used; empty when it is not known.
std::optional<double> memoryShare(const GpuEvidence &gpu, const GpuRow **at = nullptr)
{
    std::optional<double> largest;
    for (const GpuRow &row : gpu.rows) {
        if (!row.memory || !row.memoryTotal || *row.memoryTotal <= 0 || *row.memory / *row.memoryTotal <= largest)
            continue;
        largest = *row.memory / *row.memoryTotal;
        if (at != nullptr)
            *at = &row;
    }
    return largest;
}

}  // namespace

Outcome examineLowUtilization(const AttemptEvidence &evidence)
{
    bool isKnown = false;
    std::vector<Finding> findings;
    for (const GpuEvidence &gpu : evidence.gpus) {
        const std::vector<const GpuRow *> rows = rowsInTraining(evidence, gpu);
        const std::optional<double> used = memoryShare(gpu);
        if (rows.size() < leastRowsInTraining || !used)
            continue;
        isKnown = true;
        const double busy = medianOf(rows, &GpuRow::utilization);
        if (busy >= lowPercent || *used >= roomyShare || waitsForData(evidence, gpu.rank))
            continue;
        Finding finding = findingOn(gpu, *rows.front(), *rows.back());
        finding.value = busy;
        finding.threshold = lowPercent;
        finding.unit = "%";
        finding.sentence = "rank " + std::to_string(gpu.rank) + "'s GPU is busy " + number(busy)
                           + "% of the time and uses " + percent(*used) + " of its memory";
        findings.push_back(std::move(finding));
    }
    return isKnown ? Outcome::found(std::move(findings))
                   : Outcome::notEnoughData("no GPU of the trial has " + std::to_string(leastRowsInTraining)
                                            + " readings of utilization and memory during its steps");
}

Outcome examineHollowGpu(const AttemptEvidence &evidence)
{
    bool isKnown = false;
    std::vector<Finding> findings;
    for (const GpuEvidence &gpu : evidence.gpus) {
        std::vector<const GpuRow *> rows = loadedRows(gpu, &GpuRow::smActivity);
        std::erase_if(rows, [](const GpuRow *row) { return !row->dramActivity; });
        if (rows.size() < leastRowsInTraining)
            continue;
        isKnown = true;
        const auto hollow = std::count_if(rows.begin(), rows.end(), [](const GpuRow *row) {
            return *row->smActivity < hollowPercent && *row->dramActivity < hollowPercent;
        });
        if (static_cast<double>(hollow) < hollowShare * static_cast<double>(rows.size()))
            continue;
        Finding finding = findingOn(gpu, *rows.front(), *rows.back());
        finding.value = medianOf(rows, &GpuRow::smActivity);
        finding.threshold = hollowPercent;
        finding.unit = "%";
        finding.sentence = "rank " + std::to_string(gpu.rank) + "'s GPU looks busy ("
                           + number(medianOf(rows, &GpuRow::utilization)) + "%), but only " + number(finding.value)
                           + "% of its SMs are active, and its memory bandwidth use is "
                           + number(medianOf(rows, &GpuRow::dramActivity)) + "%";
        findings.push_back(std::move(finding));
    }
    return isKnown
               ? Outcome::found(std::move(findings))
               : Outcome::notEnoughData("no GPU of the trial has " + std::to_string(leastRowsInTraining)
                                        + " readings of SM and DRAM activity under load (Hopper and newer report it)");
}

Outcome examineMemoryLimit(const AttemptEvidence &evidence)
{
    bool isKnown = false;
    std::vector<Finding> findings;
    for (const GpuEvidence &gpu : evidence.gpus) {
        const GpuRow *at = nullptr;
        const std::optional<double> share = memoryShare(gpu, &at);
        isKnown = isKnown || share.has_value();
        if (!share || *share < fullShare)
            continue;
        Finding finding = findingOn(gpu, *at, *at);
        finding.value = 100 * *share;
        finding.threshold = 100 * fullShare;
        finding.unit = "%";
        finding.sentence =
            "rank " + std::to_string(gpu.rank) + "'s GPU had " + percent(*share) + " of its memory in use";
        findings.push_back(std::move(finding));
    }
    return isKnown ? Outcome::found(std::move(findings))
                   : Outcome::notEnoughData("no GPU of the trial reports its memory use");
}

}  // namespace sweepscope::diagnosis
