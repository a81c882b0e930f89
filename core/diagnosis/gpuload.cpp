#include "diagnosis/gpuload.h"

#include "diagnosis/words.h"

namespace sweepscope::diagnosis {

std::vector<const GpuRow *> loadedRows(const GpuEvidence &gpu, std::optional<double> GpuRow::*value)
{
    std::vector<const GpuRow *> rows;
    for (const GpuRow &row : gpu.rows) {
        if (row.utilization.value_or(0) >= loadedPercent && row.*value)
            rows.push_back(&row);
    }
    return rows;
}

double medianOf(const std::vector<const GpuRow *> &rows, std::optional<double> GpuRow::*value)
{
    std::vector<double> values;
    for (const GpuRow *row : rows) {
        if (row->*value)
            values.push_back(*(row->*value));
    }
    return medianOf(std::move(values));
}

Finding findingOn(const GpuEvidence &gpu, const GpuRow &first, const GpuRow &last)
{
    Finding finding;
    finding.rank = gpu.rank;
    finding.device = gpu.id;
    finding.window = {first.time, last.time, {}, {}};
    finding.simulated = gpu.simulated;
    return finding;
}

}  // namespace sweepscope::diagnosis
