#include "exporting/reportfacts.h"

#include "diagnosis/attemptfiles.h"
#include "diagnosis/rule.h"
#include "exporting/outputfile.h"
#include "exporting/trialfeeds.h"
#include "launch/secrets.h"
#include "sweep/sweepfile.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

namespace sweepscope::exporting {

std::string plural(std::size_t count, const char *one, const char *many)
{
    return std::to_string(count) + " " + (count == 1 ? one : many);
}

std::string stateCounts(const std::vector<sweep::TrialRecord> &trials)
{
    std::map<sweep::TrialState, std::size_t> counts;
    for (const sweep::TrialRecord &trial : trials)
        ++counts[trial.state];
    std::string text = plural(trials.size(), "trial", "trials");
    const char *separator = ": ";
    for (const auto &[state, count] : counts)
        text += std::exchange(separator, ", ") + std::to_string(count) + " " + sweep::toString(state);
    return text;
}

std::string trialList(const std::vector<int> &trials)
{
    constexpr std::size_t mostListed = 20;
    std::string list;
    for (std::size_t i = 0; i < std::min(trials.size(), mostListed); ++i)
        list += (i == 0 ? "" : ", ") + std::to_string(trials[i]);
    return list + (trials.size() > mostListed ? ", …" : "");
}

std::string definitionWithoutSecrets(const std::string &toml)
{
    sweep::SweepSpec spec = sweep::parseSweep(toml).spec;
    const std::map<std::string, std::string> masked = launch::withoutSecrets(spec.run.environment);
    if (masked == spec.run.environment)
        return toml;
    spec.run.environment = masked;
    return sweep::toToml(spec);
}

std::vector<const sweep::TrialRecord *> rankedTrials(const sweep::SweepRecord &sweep,
                                                     const std::vector<sweep::TrialRecord> &trials)
{
    std::vector<const sweep::TrialRecord *> ranked;
    for (const sweep::TrialRecord &trial : trials) {
        if (sweep::mayBeBest(trial))
            ranked.push_back(&trial);
    }
    std::stable_sort(ranked.begin(), ranked.end(),
                     [&sweep](const auto *a, const auto *b) { return sweep::isBetter(*a, *b, sweep.goal); });
    return ranked;
}

const sweep::TrialRecord *bestTrial(const sweep::SweepRecord &sweep, const std::vector<sweep::TrialRecord> &trials)
{
    const auto ranked = rankedTrials(sweep, trials);
    return ranked.empty() ? nullptr : ranked.front();
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

std::string findingCounts(const SweepFindings &found)
{
    return plural(found.findings.size(), "finding", "findings") + " in " + plural(found.attempts, "attempt", "attempts")
           + ".";
}

std::vector<ReportedFindings> groupedFindings(const SweepFindings &found)
{
    std::vector<ReportedFindings> groups;
    std::map<std::pair<std::string, std::string>, std::size_t> places;
    std::vector<std::set<int>> trials;
    for (const diagnosis::Finding &finding : found.findings) {
        const auto [place, isNew] = places.try_emplace({finding.rule, finding.hint}, groups.size());
        if (isNew) {
            groups.push_back({diagnosis::titleOf(finding.rule), finding, {}});
            trials.emplace_back();
        }
        trials[place->second].insert(finding.trial);
    }
    for (std::size_t i = 0; i < groups.size(); ++i)
        groups[i].trials.assign(trials[i].begin(), trials[i].end());
    return groups;
}

}  // namespace sweepscope::exporting
