#include "diagnosis/examinations.h"
#include "sweep/metricvalue.h"

#include <algorithm>

namespace sweepscope::diagnosis {

namespace {

constexpr std::size_t mostNames = 6;

/// "loss", "loss and val_acc", "loss, lr and val_acc"
std::string listOf(const std::vector<std::string> &names)
{
    std::string list;
    for (std::size_t i = 0; i < names.size(); ++i)
        list += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
    return list;
}

void addName(std::vector<std::string> &names, const std::string &name)
{
    const bool isMetric = !sweep::isBookkeeping(name) && !sweep::isAboutSteps(name);
    if (isMetric && names.size() < mostNames && std::ranges::find(names, name) == names.end())
        names.push_back(name);
}

}  // namespace

Outcome examineUnreported(const AttemptEvidence &evidence)
{
    if (!evidence.objective)
        return Outcome::notEnoughData("the trial has not completed");
    const ObjectiveEvidence &objective = *evidence.objective;
    if (objective.isReported)
        return Outcome::clear();
    std::vector<std::string> reported;
    for (const RankEvidence &rank : evidence.ranks) {
        for (const series::Series *curve : rank.curves)
            addName(reported, curve->name());
    }
    std::vector<std::string> printed;
    for (const std::string &name : objective.printed)
        addName(printed, name);
    Finding finding;
    finding.hasOwnSeverity = true;
    finding.severity = objective.isNeeded ? Severity::Problem : Severity::Warning;
    finding.window = {evidence.begin, evidence.begin, {}, {}};
    if (!reported.empty())
        finding.sentence = "the objective " + objective.name + " was not reported; reported: " + listOf(reported);
    else if (!printed.empty())
        finding.sentence = "no values were reported, but the output contains " + listOf(printed);
    else
        finding.sentence = "no values were reported, and none were found in the output";
    return Outcome::found(std::move(finding));
}

}  // namespace sweepscope::diagnosis
