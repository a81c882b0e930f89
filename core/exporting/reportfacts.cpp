#include "exporting/reportfacts.h"

#include "diagnosis/attemptfiles.h"
#include "exporting/outputfile.h"
#include "exporting/trialfeeds.h"
#include "launch/secrets.h"
#include "sweep/sweepfile.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace sweepscope::exporting {

std::string definitionWithoutSecrets(const std::string &toml)
{
    sweep::SweepSpec spec = sweep::parseSweep(toml).spec;
    const std::map<std::string, std::string> masked = launch::withoutSecrets(spec.run.environment);
    if (masked == spec.run.environment)
        return toml;
    spec.run.environment = masked;
    return sweep::toToml(spec);
}

const sweep::TrialRecord *bestTrial(const sweep::SweepRecord &sweep, const std::vector<sweep::TrialRecord> &trials)
{
    const sweep::TrialRecord *best = nullptr;
    for (const sweep::TrialRecord &trial : trials) {
        if (sweep::mayBeBest(trial) && (best == nullptr || sweep::isBetter(trial, *best, sweep.goal)))
            best = &trial;
    }
    return best;
}

std::optional<SweepFindings> findingsOf(const WorkspaceLayout &workspace, const sweep::SweepRecord &sweep,
                                        const std::vector<sweep::TrialRecord> &trials, const Progress &progress)
{
    const std::vector<diagnosis::AttemptPlace> places = diagnosis::attemptsOf(workspace, sweep, trials);
    diagnosis::DeviceHistories devices(workspace);
    SweepFindings found;
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (progress && !progress(static_cast<double>(i) / static_cast<double>(places.size())))
            return std::nullopt;
        Expected<diagnosis::Report> report = diagnosis::diagnose(places[i], devices, wallNow());
        if (!report && report.error().code == ErrorCode::NotFound)
            continue;  // imported: there is nothing to examine
        addDamage(found.damage, report ? report->damage : report.error().message);
        if (!report)
            continue;
        ++found.attempts;
        std::move(report->findings.begin(), report->findings.end(), std::back_inserter(found.findings));
    }
    addDamage(found.damage, devices.damage());
    std::stable_sort(found.findings.begin(), found.findings.end(),
                     [](const auto &a, const auto &b) { return a.severity > b.severity; });
    return found;
}

}  // namespace sweepscope::exporting
