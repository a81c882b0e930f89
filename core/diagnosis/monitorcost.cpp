#include "diagnosis/examinations.h"
#include "diagnosis/words.h"

namespace sweepscope::diagnosis {

namespace {

constexpr double mostPercent = 5;
constexpr std::size_t leastReadings = 8;  // of a second each: named within ten seconds

}  // namespace

Outcome examineMonitorCost(const AttemptEvidence &evidence)
{
    if (evidence.monitor.size() < leastReadings)
        return Outcome::notEnoughData("fewer than " + std::to_string(leastReadings)
                                      + " readings of the monitoring overhead exist");
    std::vector<double> values;
    for (const MonitorRow &row : evidence.monitor)
        values.push_back(row.cpuPercent);
    const double cost = medianOf(std::move(values));
    if (cost < mostPercent)
        return Outcome::clear();
    Finding finding;
    finding.window = {evidence.monitor.front().time, evidence.monitor.back().time, {}, {}};
    finding.value = cost;
    finding.threshold = mostPercent;
    finding.unit = "%";
    finding.sentence = "monitoring takes " + number(cost) + "% of a core";
    return Outcome::found(std::move(finding));
}

}  // namespace sweepscope::diagnosis
