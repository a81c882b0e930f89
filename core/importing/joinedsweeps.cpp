#include "importing/joinedsweeps.h"

#include "importing/listedvalues.h"
#include "importing/parameternames.h"
#include "importing/study.h"
#include "importing/tensorboardruns.h"
#include "sweep/searchspace.h"
#include "sweep/sweepfile.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace sweepscope::importing {

namespace {

using sweep::Objective;
using sweep::ParameterValue;
using sweep::TrialRecord;

/// Names that tell the sweeps apart.
std::vector<std::string> labelsOf(const std::vector<JoinedPart> &parts)
{
    std::map<std::string, int> uses;
    for (const JoinedPart &part : parts)
        ++uses[part.sweep.name];
    std::vector<std::string> labels;
    for (const JoinedPart &part : parts)
        labels.push_back(uses[part.sweep.name] > 1 ? part.sweep.folder : part.sweep.name);
    return labels;
}

/// "a, b and c"
std::string enumerated(const std::vector<std::string> &texts)
{
    std::string list;
    for (std::size_t i = 0; i < texts.size(); ++i)
        list += (i == 0 ? "" : i + 1 == texts.size() ? " and " : ", ") + texts[i];
    return list;
}

std::string countedTrials(std::size_t count)
{
    return std::to_string(count) + (count == 1 ? " trial" : " trials");
}

std::vector<Objective> objectivesOf(const sweep::SweepRecord &sweep)
{
    std::vector<Objective> objectives = sweep::parseSweep(sweep.toml).spec.objectives;
    objectives.insert(objectives.begin(), {sweep.objective, sweep.goal});
    return objectives;
}

/// "minimizes val_loss and maximizes accuracy"
std::string goalsInWords(const std::vector<Objective> &objectives)
{
    std::vector<std::string> goals;
    for (const Objective &objective : objectives)
        goals.push_back((objective.goal == sweep::Goal::Minimize ? "minimizes " : "maximizes ") + objective.name);
    return enumerated(goals);
}

std::set<std::string> metricsOf(const JoinedPart &part)
{
    std::set<std::string> names{part.sweep.objective};
    for (const TrialRecord &trial : part.trials) {
        for (const sweep::MetricValue &metric : trial.metrics) {
            if (!sweep::isBookkeeping(metric.name))
                names.insert(metric.name);
        }
    }
    return names;
}

/// What the user can choose instead, as a sentence.
std::string choiceInWords(const std::vector<JoinedPart> &parts)
{
    constexpr std::size_t mostNamed = 10;
    std::vector<std::string> names = commonMetrics(parts);
    if (names.empty())
        return "No metric is common to all sweeps.";
    const bool hasMore = names.size() > mostNamed;
    names.resize(std::min(names.size(), mostNamed));
    std::string list;
    for (const std::string &name : names)
        list += (list.empty() ? "" : ", ") + name;
    return "Choose a metric of all of them as the objective: " + list + (hasMore ? ", ..." : "");
}

/// Parameters of any of the sweeps, in the order in which they declare them.
std::vector<std::string> parameterNamesOf(const std::vector<JoinedPart> &parts)
{
    std::vector<std::string> names;
    const auto add = [&names](const std::string &name) {
        if (std::ranges::find(names, name) == names.end())
            names.push_back(name);
    };
    for (const JoinedPart &part : parts) {
        std::ranges::for_each(part.sweep.parameterNames, add);
        for (const TrialRecord &trial : part.trials) {  // an edit may have removed a parameter
            for (const auto &[name, value] : trial.parameters)
                add(name);
        }
    }
    return names;
}

/// Adds the parameter to the space. Values of several types become strings in the trials, too.
void addDimension(Study &study, const std::string &name, std::vector<JoinedTrial> &trials)
{
    std::vector<ParameterValue *> places;
    for (JoinedTrial &trial : trials) {
        for (auto &[each, value] : trial.record.parameters) {
            if (each == name)
                places.push_back(&value);
        }
    }
    std::vector<ParameterValue> values;
    for (const ParameterValue *place : places)
        values.push_back(*place);
    if (values.empty())
        return;  // a parameter of trials that have not ended
    study.space.push_back(dimensionOfValues(name, values));
    const auto isString = [](const ParameterValue &value) { return std::holds_alternative<std::string>(value); };
    if (std::ranges::any_of(study.space.back().values, isString) && !std::ranges::all_of(values, isString)) {
        study.notes.push_back("The values of " + name + " are strings.");
        for (ParameterValue *place : places)
            *place = sweep::toText(*place);
    }
}

/// Where it comes from, before the note that it has.
std::string noteOf(const TrialRecord &trial, const std::string &label)
{
    const std::string origin = label + ", trial " + std::to_string(trial.number);
    const std::string note = trial.mark.note.empty() ? origin : origin + "\n" + trial.mark.note;
    return note.size() <= sweep::maxNoteBytes ? note : trial.mark.note;
}

}  // namespace

std::vector<std::string> commonMetrics(const std::vector<JoinedPart> &parts)
{
    std::set<std::string> common = parts.empty() ? std::set<std::string>() : metricsOf(parts.front());
    for (const JoinedPart &part : parts) {
        const std::set<std::string> names = metricsOf(part);
        std::erase_if(common, [&names](const std::string &name) { return !names.contains(name); });
    }
    return {common.begin(), common.end()};
}

Expected<std::vector<Objective>> joinedObjectives(const std::vector<JoinedPart> &parts, const std::string &objective)
{
    const std::vector<std::string> labels = labelsOf(parts);
    if (!objective.empty()) {
        const std::vector<std::string> common = commonMetrics(parts);
        std::optional<std::size_t> first;
        sweep::Goal goal = likelyGoal(objective);
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const std::vector<Objective> known = objectivesOf(parts[i].sweep);
            const auto own = std::ranges::find(known, objective, &Objective::name);
            if (own == known.end() && !metricsOf(parts[i]).contains(objective))
                return makeError(ErrorCode::BadInput,
                                 labels[i] + " has no metric " + objective + ". " + choiceInWords(parts));
            if (own == known.end())
                continue;
            if (first && own->goal != goal)
                return makeError(ErrorCode::BadInput, labels[*first] + " " + goalsInWords({{objective, goal}})
                                                          + ", but " + labels[i] + " " + goalsInWords({*own}) + ".");
            first = first.value_or(i);
            goal = own->goal;
        }
        return std::vector<Objective>{{objective, goal}};
    }
    std::vector<Objective> objectives = objectivesOf(parts.front().sweep);
    for (std::size_t i = 1; i < parts.size(); ++i) {
        const std::vector<Objective> others = objectivesOf(parts[i].sweep);
        if (others != objectives)
            return makeError(ErrorCode::BadInput, labels.front() + " " + goalsInWords(objectives) + ", but " + labels[i]
                                                      + " " + goalsInWords(others) + ". " + choiceInWords(parts));
    }
    return objectives;
}

std::string joinedName(const std::vector<JoinedPart> &parts)
{
    constexpr std::size_t mostNamed = 3;
    std::string name;
    for (std::size_t i = 0; i < std::min(parts.size(), mostNamed); ++i)
        name += (i == 0 ? "" : " + ") + parts[i].sweep.name;
    if (parts.size() > mostNamed)
        name += " + " + std::to_string(parts.size() - mostNamed) + " more";
    return sweepNameOf(name);
}

Expected<JoinedSweep> joinSweeps(const std::vector<JoinedPart> &parts, const JoinChoice &choice)
{
    if (parts.size() < 2)
        return makeError(ErrorCode::BadInput, "a join needs at least two sweeps");
    if (parts.size() > mostJoinedSweeps)
        return makeError(ErrorCode::BadInput,
                         "a join can have at most " + std::to_string(mostJoinedSweeps) + " sweeps");
    Expected<std::vector<Objective>> objectives = joinedObjectives(parts, choice.objective);
    if (!objectives)
        return tl::unexpected(objectives.error());
    const std::vector<std::string> labels = labelsOf(parts);
    std::vector<std::string> names = parameterNamesOf(parts);
    ParameterNames taken;
    for (const std::string &name : names)
        (void)taken.nameFor(name);
    const std::string origin = taken.nameFor("sweep");

    JoinedSweep joined;
    std::vector<std::string> counts;
    std::size_t unfinished = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::size_t before = joined.trials.size();
        for (const TrialRecord &trial : parts[i].trials) {
            if (!sweep::isFinal(trial.state)) {
                ++unfinished;
                continue;
            }
            JoinedTrial &added = joined.trials.emplace_back(JoinedTrial{i, trial, trial.number});
            added.record.number = static_cast<int>(joined.trials.size());
            added.record.parameters.insert(added.record.parameters.begin(), {origin, labels[i]});
            added.record.mark.note = noteOf(trial, labels[i]);
            added.record.chosen = {};  // it refers to trials of the original sweep
            added.record.priority = 0;
            added.record.enqueued = false;
        }
        counts.push_back(labels[i] + " (" + countedTrials(joined.trials.size() - before) + ")");
    }
    if (joined.trials.empty())
        return makeError(ErrorCode::BadInput, "no trial of these sweeps has ended");
    if (joined.trials.size() > mostJoinedTrials)
        return makeError(ErrorCode::BadInput, "these sweeps have " + countedTrials(joined.trials.size())
                                                  + " that have ended; a join can have at most "
                                                  + std::to_string(mostJoinedTrials));

    Study study;
    study.name = choice.name.empty() ? joinedName(parts) : choice.name;
    study.objectives = *std::move(objectives);
    names.insert(names.begin(), origin);
    for (const std::string &name : names)
        addDimension(study, name, joined.trials);
    if (study.space.size() > sweep::maxDimensions)
        return makeError(ErrorCode::BadInput, "these sweeps have " + std::to_string(study.space.size() - 1)
                                                  + " parameters; a join can have at most "
                                                  + std::to_string(sweep::maxDimensions - 1));
    joined.note = "Joined from " + enumerated(counts) + ".";
    if (unfinished > 0)
        joined.note += " " + countedTrials(unfinished) + " that " + (unfinished == 1 ? "has" : "have") + " not ended "
                       + (unfinished == 1 ? "was" : "were") + " left out.";
    for (const std::string &note : study.notes)
        joined.note += " " + note;
    study.origin = joined.note;
    study.notes.clear();  // part of the note
    study.trials.resize(joined.trials.size());
    joined.imported = sweepOf(study);
    for (ImportNote &note : joined.imported.notes) {
        if (note.key == "run.command")
            note.text = "A joined sweep has trials of other sweeps and starts none.";
    }
    return joined;
}

}  // namespace sweepscope::importing
