#include "diagnosis/examinations.h"
#include "diagnosis/gpuload.h"
#include "diagnosis/words.h"

#include <algorithm>

namespace sweepscope::diagnosis {

namespace {

bool isNarrow(const GpuRow &row)
{
    return row.pcieWidth && row.pcieWidthMax && *row.pcieWidth < *row.pcieWidthMax;
}

bool isSlow(const GpuRow &row)
{
    return row.pcieGeneration && row.pcieGenerationMax && *row.pcieGeneration < *row.pcieGenerationMax;
}

std::string linkInWords(double generation, double width)
{
    return "generation " + number(generation) + " x" + number(width);
}

}  // namespace

Outcome examinePcieLink(const AttemptEvidence &evidence)
{
    bool isKnown = false;
    std::vector<Finding> findings;
    for (const GpuEvidence &gpu : evidence.gpus) {
        std::vector<const GpuRow *> rows = loadedRows(gpu, &GpuRow::pcieWidth);
        std::erase_if(rows, [](const GpuRow *row) {
            return !row->pcieWidthMax || !row->pcieGeneration || !row->pcieGenerationMax;
        });
        if (rows.size() < leastLoadedRows)
            continue;
        isKnown = true;
        // The link wakes up a little after the load has begun: one that stays low does so in most readings.
        const auto low =
            std::count_if(rows.begin(), rows.end(), [](const GpuRow *row) { return isNarrow(*row) || isSlow(*row); });
        if (2 * static_cast<std::size_t>(low) < rows.size())
            continue;
        const auto at =
            std::find_if(rows.begin(), rows.end(), [](const GpuRow *row) { return isNarrow(*row) || isSlow(*row); });
        const GpuRow &row = **at;
        Finding finding = findingOn(gpu, row, *rows.back());
        finding.value = isNarrow(row) ? *row.pcieWidth : *row.pcieGeneration;
        finding.threshold = isNarrow(row) ? *row.pcieWidthMax : *row.pcieGenerationMax;
        finding.unit = isNarrow(row) ? "lanes" : "generation";
        finding.sentence = "the PCIe link of rank " + std::to_string(gpu.rank) + "'s GPU runs at "
                           + linkInWords(*row.pcieGeneration, *row.pcieWidth) + " under load, but supports "
                           + linkInWords(*row.pcieGenerationMax, *row.pcieWidthMax);
        findings.push_back(std::move(finding));
    }
    return isKnown ? Outcome::found(std::move(findings))
                   : Outcome::notEnoughData("no GPU of the trial reported its PCIe link under load");
}

}  // namespace sweepscope::diagnosis
