#include "resulttable.h"

#include "sweepwords.h"
#include "textwidth.h"

#include "sweep/outcome.h"
#include "sweep/sweepfile.h"

#include <algorithm>
#include <set>
#include <string>

namespace sweepscope::ctl {

namespace {

using Row = std::vector<std::string>;

/// A terminal has room for only a few metrics, and metrics of single steps say little about a trial.
std::vector<std::string> shownMetrics(const std::vector<const sweep::TrialRecord *> &trials)
{
    constexpr std::size_t most = 4;
    std::vector<std::string> names;
    for (const sweep::TrialRecord *trial : trials) {
        for (const sweep::MetricValue &metric : trial->metrics) {
            const bool isKnown = std::find(names.begin(), names.end(), metric.name) != names.end();
            if (names.size() < most && !isKnown && !sweep::isAboutSteps(metric.name))
                names.push_back(metric.name);
        }
    }
    return names;
}

/// What only some sweeps have.
struct Extras {
    bool hasMeans = false;
    bool hasOutcome = false;  ///< several objectives, or constraints on results
    std::set<int> front;
};

Row header(const sweep::SweepRecord &sweep, const std::vector<std::string> &metrics, const Extras &extras)
{
    Row row{"trial", "state"};
    if (extras.hasOutcome)
        row.push_back("outcome");
    row.insert(row.end(), sweep.parameterNames.begin(), sweep.parameterNames.end());
    if (extras.hasMeans)
        row.push_back("mean " + sweep.objective);
    row.insert(row.end(), {"best " + sweep.objective, "at step", "last"});
    row.insert(row.end(), metrics.begin(), metrics.end());
    row.push_back("time");
    return row;
}

Row rowOf(const sweep::SweepRecord &sweep, const std::vector<std::string> &metrics, const Extras &extras,
          const sweep::TrialRecord &trial)
{
    Row row{std::to_string(trial.number), sweep::toString(trial.state)};
    if (extras.hasOutcome)
        row.push_back(extras.front.contains(trial.number) ? "Pareto front"
                      : trial.violation > 0               ? "violates a constraint"
                                                          : "-");
    for (const std::string &name : sweep.parameterNames) {
        const sweep::ParameterValue *value = sweep::find(trial.parameters, name);
        row.push_back(value != nullptr ? sweep::toText(*value) : "-");
    }
    const std::optional<double> seconds = secondsOf(trial, wallNow());
    if (extras.hasMeans)
        row.push_back(trial.pointMean ? meanInWords(*trial.pointMean) : "-");
    row.push_back(trial.objectiveBest ? numberInWords(trial.objectiveBest->value) : "-");
    row.push_back(trial.objectiveBest ? std::to_string(trial.objectiveBest->step) : "-");
    row.push_back(trial.objectiveLast ? numberInWords(trial.objectiveLast->value) : "-");
    for (const std::string &name : metrics) {
        const sweep::MetricValue *metric = sweep::find(trial.metrics, name);
        row.push_back(metric != nullptr ? numberInWords(metric->last) : "-");
    }
    row.push_back(seconds ? durationInWords(*seconds) : "-");
    return row;
}

}  // namespace

void printResultTable(std::ostream &out, const sweep::SweepRecord &sweep, const std::vector<sweep::TrialRecord> &trials,
                      std::size_t mostRows)
{
    std::vector<const sweep::TrialRecord *> sorted = bestFirst(trials, sweep.goal);
    const sweep::SweepSpec spec = sweep::parseSweep(sweep.toml).spec;
    Extras extras;
    extras.hasMeans = std::ranges::any_of(trials, [](const auto &trial) { return trial.pointMean.has_value(); });
    extras.hasOutcome = !spec.objectives.empty() || !spec.outcomeConstraints.empty();
    extras.front = sweep::paretoFront(spec, sorted);
    std::stable_partition(sorted.begin(), sorted.end(),
                          [&](const auto *trial) { return extras.front.contains(trial->number); });
    const std::vector<std::string> metrics = shownMetrics(sorted);
    std::vector<Row> rows{header(sweep, metrics, extras)};
    for (std::size_t i = 0; i < std::min(mostRows, sorted.size()); ++i)
        rows.push_back(rowOf(sweep, metrics, extras, *sorted[i]));

    std::vector<std::size_t> widths(rows.front().size(), 0);
    for (const Row &row : rows) {
        for (std::size_t column = 0; column < row.size(); ++column)
            widths[column] = std::max(widths[column], widthOf(row[column]));
    }
    for (const Row &row : rows) {
        std::string line;
        for (std::size_t column = 0; column < row.size(); ++column)
            line += row[column] + std::string(widths[column] - widthOf(row[column]) + 2, ' ');
        out << line.substr(0, line.find_last_not_of(' ') + 1) << '\n';
    }
    if (sorted.size() > mostRows)
        out << "… and " << sorted.size() - mostRows << " more trials\n";
}

}  // namespace sweepscope::ctl
