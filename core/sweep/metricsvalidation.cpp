#include "sweep/metricsvalidation.h"

#include "base/suggestion.h"
#include "output/outputpattern.h"
#include "sweep/outcome.h"

#include <algorithm>

namespace sweepscope::sweep {

namespace {

constexpr std::size_t mostSeries = 200;
constexpr std::size_t longestSeriesName = 200;

bool isName(const std::string &name)
{
    return !name.empty() && name.size() <= longestSeriesName && std::none_of(name.begin(), name.end(), [](char c) {
        return static_cast<unsigned char>(c) < 0x20 || c == '\x7f';
    });
}

void checkExpression(const std::string &field, const std::string &expression, std::vector<Problem> &problems)
{
    const auto pattern = output::OutputPattern::compile(expression);
    if (pattern)
        return;
    Problem problem{field, "is not a valid regular expression: " + pattern.error().message};
    problem.position = pattern.error().position;
    problems.push_back(std::move(problem));
}

std::string emptySeries(const MetricsSection &metrics)
{
    if (!metrics.tensorboard.empty())
        return "is empty: write the tag of the scalar, e.g. \"train/loss\"";
    switch (metrics.format) {
    case OutputFormat::Text:
        return "is empty: write a regular expression, e.g. 'loss=(\\S+)'";
    case OutputFormat::Json:
        return "is empty: write the key of the value, e.g. \"loss\"";
    case OutputFormat::Auto:
        return "is empty: write the printed name, e.g. \"train_loss\"";
    }
    return {};
}

void checkSeries(const MetricsSection &metrics, std::vector<Problem> &problems)
{
    const bool isText = metrics.format == OutputFormat::Text && metrics.tensorboard.empty();
    if (metrics.series.size() > mostSeries) {
        problems.push_back({"run.metrics.series", "has more than " + std::to_string(mostSeries) + " series"});
        return;  // to compile thousands of expressions takes a minute
    }
    for (const auto &[name, what] : metrics.series) {
        const std::string field = "run.metrics.series." + name;
        if (!isName(name))
            problems.push_back({field, "a series needs a name of 1 to " + std::to_string(longestSeriesName)
                                           + " bytes without control characters"});
        if (what.empty())
            problems.push_back({field, emptySeries(metrics)});
        else if (isText)
            checkExpression(field, what, problems);
    }
    if (isText && metrics.series.empty())
        problems.push_back(
            {"run.metrics.series",
             "is missing: write format = \"auto\" to recognize the usual lines, or give each series a regular "
             "expression, e.g. loss = 'loss=(\\S+)'"});
}

/// Keys of the output, which is not read.
void checkEventFiles(const MetricsSection &metrics, std::vector<Problem> &problems)
{
    const auto refuse = [&problems](bool isGiven, const char *key) {
        if (isGiven)
            problems.push_back(
                {std::string("run.metrics.") + key,
                 "has no effect with tensorboard, which reads event files instead of the output: remove it"});
    };
    refuse(metrics.format != OutputFormat::Text, "format");
    refuse(metrics.everyRank, "ranks");
    refuse(!metrics.step.empty(), "step");
    if (metrics.tensorboard.find('\0') != std::string::npos)
        problems.push_back({"run.metrics.tensorboard", "contains a zero byte"});
}

/// A command whose output is read reports nothing but these series.
void checkReported(const SweepSpec &spec, std::vector<Problem> &problems)
{
    std::vector<std::string> names;
    for (const auto &[name, what] : spec.run.metrics->series)
        names.push_back(name);
    const auto check = [&](const std::string &metric, const std::string &field) {
        if (!metric.empty() && std::ranges::find(names, metric) == names.end())
            problems.push_back({field, "'" + metric + "' is not a series of run.metrics" + suggestion(metric, names)
                                           + ": it can be " + orList(names)});
    };
    check(spec.objective, "sweep.objective");
    for (std::size_t i = 0; i < spec.objectives.size(); ++i)
        check(spec.objectives[i].name, entryField("objectives", spec.objectives[i].name, i));
    for (std::size_t i = 0; i < spec.outcomeConstraints.size(); ++i) {
        const Constraint &constraint = spec.outcomeConstraints[i];
        SweepSpec alone;
        alone.outcomeConstraints = {constraint};
        for (const std::string &metric : outcomeMetrics(alone))
            check(metric, entryField("outcome_constraints", constraint.name, i));
    }
}

}  // namespace

void checkMetrics(const SweepSpec &spec, std::vector<Problem> &problems)
{
    if (!spec.run.metrics)
        return;
    const MetricsSection &metrics = *spec.run.metrics;
    if (spec.run.worker == WorkerKind::Builtin) {
        problems.push_back(
            {"run.metrics", "is only for commands, because the built-in worker reports its own series: remove it"});
        return;
    }
    checkSeries(metrics, problems);
    if (!metrics.tensorboard.empty())
        checkEventFiles(metrics, problems);
    else if (metrics.format == OutputFormat::Text && !metrics.step.empty())
        checkExpression("run.metrics.step", metrics.step, problems);
    else if (metrics.format == OutputFormat::Auto && !metrics.step.empty())
        problems.push_back(
            {"run.metrics.step", "has no effect with format = \"auto\", which recognizes steps: remove it"});
    if (!metrics.series.empty())
        checkReported(spec, problems);
}

}  // namespace sweepscope::sweep
