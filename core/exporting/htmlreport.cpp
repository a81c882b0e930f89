#include "exporting/htmlreport.h"

#include "analysis/importance.h"
#include "analysis/trialvalues.h"
#include "exporting/costtext.h"
#include "exporting/fieldtext.h"
#include "exporting/jsontext.h"
#include "exporting/objectivecurve.h"
#include "exporting/outputfile.h"
#include "exporting/reportfacts.h"
#include "exporting/reportpage.h"
#include "exporting/trialfeeds.h"
#include "launch/energyfile.h"
#include "sweep/failuregroups.h"
#include "sweep/sweepfile.h"
#include "sweep/trialtime.h"
#include "wording/sentence.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

namespace sweepscope::exporting {

namespace {

using ReportJson = nlohmann::ordered_json;

constexpr std::size_t mostReportPoints = 100'000;
constexpr std::size_t mostReportMetrics = 12;
constexpr std::size_t mostReportFindings = 2000;

/// For elements and quoted attributes.
std::string escaped(std::string_view text)
{
    std::string repaired;
    std::string result;
    for (const char character : asUtf8(text, repaired)) {
        switch (character) {
        case '&':
            result += "&amp;";
            break;
        case '<':
            result += "&lt;";
            break;
        case '>':
            result += "&gt;";
            break;
        case '"':
            result += "&quot;";
            break;
        case '\'':
            result += "&#39;";
            break;
        case '\n':
        case '\t':
            result += character;
            break;
        default:
            result += static_cast<unsigned char>(character) < ' ' ? '?' : character;
        }
    }
    return result;
}

/// JSON that does not end the element that it is in.
std::string jsonForHtml(const ReportJson &json)
{
    std::string result;
    for (const char character : jsonLine(json))
        result += character == '<' ? "\\u003c" : std::string(1, character);
    return result;
}

ReportJson finiteOrNull(double value)
{
    return std::isfinite(value) ? ReportJson(value) : ReportJson();
}

class ReportTable {
public:
    ReportTable(const sweep::SweepRecord &sweep, const std::vector<sweep::TrialRecord> &trials,
                const launch::SweepEnergy &energy, const sweep::CostFactors &factors)
        : m_sweep(sweep), m_energy(energy), m_factors(factors)
    {
        m_metrics = metricNames(trials);
        if (m_metrics.size() > mostReportMetrics)
            m_metrics.resize(mostReportMetrics);
    }

    /// The script relies on the first three.
    ReportJson columns() const
    {
        ReportJson json = ReportJson::array();
        const auto add = [&json](const std::string &name) { json.push_back({{"name", name}}); };
        add("trial");
        add("state");
        add(m_sweep.objective);
        add("step");
        for (const std::string &name : m_sweep.parameterNames)
            json.push_back({{"name", name}, {"parameter", true}});
        add("seconds");
        if (m_energy.known())
            add("Wh");
        if (m_factors.hasPrice())
            add(m_factors.currency.empty() ? "cost" : "cost (" + m_factors.currency + ")");
        if (m_factors.carbonPerKilowattHour)
            add("CO2 (kg)");
        for (const std::string &name : m_metrics)
            add(name);
        add("attempts");
        add("tags");
        for (const char *name : {"note", "cause"})
            json.push_back({{"name", name}, {"long", true}});
        return json;
    }

    ReportJson row(const sweep::TrialRecord &trial) const
    {
        ReportJson json{trial.number, sweep::toString(trial.state)};
        json.push_back(trial.objectiveBest ? jsonValue(trial.objectiveBest->value) : ReportJson());
        json.push_back(trial.objectiveBest ? ReportJson(trial.objectiveBest->step) : ReportJson());
        for (const std::string &name : m_sweep.parameterNames) {
            const sweep::ParameterValue *value = sweep::find(trial.parameters, name);
            json.push_back(value == nullptr ? ReportJson()
                                            : std::visit([](const auto &held) { return jsonValue(held); }, *value));
        }
        const auto seconds = trial.ended ? sweep::runningSeconds(trial, *trial.ended) : std::nullopt;
        json.push_back(seconds ? ReportJson(std::round(*seconds * 1000) / 1000) : ReportJson());
        if (m_energy.known())
            json.push_back(wattHoursOf(trial));
        const sweep::Cost cost = costOfTrial(trial, m_energy, m_factors);
        if (m_factors.hasPrice())
            json.push_back(cost.price ? ReportJson(*cost.price) : ReportJson());
        if (m_factors.carbonPerKilowattHour)
            json.push_back(cost.carbonKg ? ReportJson(*cost.carbonKg) : ReportJson());
        for (const std::string &name : m_metrics) {
            const sweep::MetricValue *metric = sweep::find(trial.metrics, name);
            json.push_back(metric == nullptr ? ReportJson() : jsonValue(metric->last));
        }
        json.push_back(trial.attempts);
        json.push_back(textOrNull(marksOf(trial.mark)));
        json.push_back(textOrNull(trial.mark.note));
        json.push_back(textOrNull(wording::sentence(trial.reason)));
        return json;
    }

private:
    static std::string marksOf(const sweep::Mark &mark)
    {
        std::string text = mark.starred ? "★" : "";
        for (const std::string &tag : mark.tags)
            text += (text.empty() ? "" : ", ") + tag;
        return text;
    }
    ReportJson wattHoursOf(const sweep::TrialRecord &trial) const
    {
        const auto energy = m_energy.ofTrial(trial.number, trial.attempts);
        return energy ? ReportJson(std::round(energy->joules / series::joulesPerKilowattHour * 1e6) / 1000)
                      : ReportJson();
    }
    static ReportJson textOrNull(const std::string &text) { return text.empty() ? ReportJson() : ReportJson(text); }

    const sweep::SweepRecord &m_sweep;
    const launch::SweepEnergy &m_energy;
    const sweep::CostFactors &m_factors;
    std::vector<std::string> m_metrics;
};

ReportJson numbersOf(const std::vector<const sweep::TrialRecord *> &trials)
{
    ReportJson numbers = ReportJson::array();
    for (const sweep::TrialRecord *trial : trials)
        numbers.push_back(trial->number);
    return numbers;
}

ReportJson scatterOf(const analysis::TrialValues &values)
{
    ReportJson states = ReportJson::array();
    for (const sweep::TrialState state : values.states)
        states.push_back(sweep::toString(state));
    return {{"trials", values.trials}, {"values", values.values}, {"states", states}};
}

ReportJson scatterParameters(const analysis::TrialValues &values)
{
    ReportJson json = ReportJson::array();
    for (const analysis::Parameter &parameter : values.parameters) {
        ReportJson numbers = ReportJson::array();
        for (const double value : parameter.values)
            numbers.push_back(finiteOrNull(value));
        json.push_back({{"name", parameter.name},
                        {"log", parameter.scale == analysis::Scale::Log},
                        {"categories", parameter.categories},
                        {"low", parameter.low},
                        {"high", parameter.high},
                        {"values", numbers}});
    }
    return json;
}

ReportJson importanceJson(const analysis::TrialValues &values)
{
    const analysis::Importance importance = analysis::importanceOf(values);
    ReportJson names = ReportJson::array();
    for (const analysis::Parameter &parameter : values.parameters)
        names.push_back(parameter.name);
    std::string note = "From "
                       + plural(static_cast<std::size_t>(importance.completed), "completed trial", "completed trials")
                       + ". Lines are intervals with a probability of about 80%.";
    if (importance.problem == analysis::Importance::Problem::TooFewTrials)
        note = "Needs at least " + std::to_string(analysis::fewestTrials) + " completed trials.";
    else if (importance.problem == analysis::Importance::Problem::AllAlike)
        note = "All completed trials have the same result.";
    const bool has = importance.problem == analysis::Importance::Problem::None;
    return {{"names", names},
            {"note", note},
            {"shares", has ? importance.shares : std::vector<double>()},
            {"lows", importance.lows},
            {"highs", importance.highs}};
}

ReportJson column(const char *name)
{
    return {{"name", name}};
}

ReportJson findingsJson(const SweepFindings &found)
{
    ReportJson rows = ReportJson::array();
    for (const diagnosis::Finding &finding : found.findings) {
        if (rows.size() == mostReportFindings)
            break;
        rows.push_back({finding.trial, diagnosis::nameOf(finding.severity), finding.rule, finding.attempt,
                        finding.rank ? ReportJson(*finding.rank) : ReportJson(),
                        finding.sentence + (finding.simulated ? " (simulated GPU)" : ""), finding.hint});
    }
    ReportJson columns = {column("trial"),
                          column("severity"),
                          column("rule"),
                          column("attempt"),
                          column("rank"),
                          {{"name", "finding"}, {"long", true}},
                          {{"name", "hint"}, {"long", true}}};
    std::string note = findingCounts(found);
    if (found.findings.size() > mostReportFindings)
        note += " The table has the " + std::to_string(mostReportFindings) + " worst.";
    ReportJson groups = ReportJson::array();
    for (const ReportedFindings &group : groupedFindings(found)) {
        const bool isOne = group.trials.size() == 1;
        groups.push_back({{"title", group.title},
                          {"severity", diagnosis::nameOf(group.worst.severity)},
                          {"trials", (isOne ? "trial " : "trials ") + trialList(group.trials)},
                          {"sentence", (isOne ? "" : "Trial " + std::to_string(group.worst.trial) + ": ")
                                           + group.worst.sentence + (group.worst.simulated ? " (simulated GPU)" : "")},
                          {"hint", group.worst.hint}});
    }
    return {{"columns", columns}, {"rows", rows}, {"note", note}, {"groups", groups}};
}

class Report {
public:
    Report(std::ostream &out, const WorkspaceLayout &workspace, const sweep::SweepRecord &sweep,
           const std::vector<sweep::TrialRecord> &trials, const sweep::CostFactors &factors)
        : m_out(out),
          m_workspace(workspace),
          m_sweep(sweep),
          m_trials(trials),
          m_values(analysis::collect(sweep::parseSweep(sweep.toml).spec, sweep, trials, {{}, {}, sweep.goal})),
          m_energy(launch::readEnergy(launch::energyFile(workspace.sweepFolder(sweep.folder)))),
          m_factors(factors),
          m_best(bestTrial(sweep, trials))
    {}

    void writeHead()
    {
        m_out << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                 "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'sha256-"
              << reportScriptHash
              << "'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n"
                 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>"
              << escaped(m_sweep.name) << "</title>\n<style>" << reportStyle << "</style>\n</head>\n<body>\n<h1>"
              << escaped(m_sweep.name) << "</h1>\n";
        m_out << "<p class=\"soft\">" << stateCounts(m_trials) << ". The sweep is " << sweep::toString(m_sweep.state)
              << ". Created " << timeText(m_sweep.created);
        if (m_sweep.ended)
            m_out << ", ended " << timeText(*m_sweep.ended);
        m_out << ". Wall-clock time " << wording::duration(sweep::activeSeconds(m_sweep, wallNow()))
              << ".</p>\n<noscript><p>Open this file in a browser to see tables and plots: this viewer runs no "
                 "scripts.</p></noscript>\n";
        writeEnergy();
        writeBest();
        if (!m_sweep.mark.note.empty())
            m_out << "<p>" << escaped(m_sweep.mark.note) << "</p>\n";
    }

    void writeSections(const std::optional<ReportedRun> &run)
    {
        m_out << "<h2>Curves</h2>\n<div id=\"curves\"></div>\n";
        if (!m_values.parameters.empty() && m_values.size() > 0)
            m_out << "<h2>Parameter importance</h2>\n<div id=\"importance\"></div>\n"
                     "<h2>Objective by parameter</h2>\n<div id=\"scatter\" class=\"grid\"></div>\n";
        m_out << "<h2>Trials</h2>\n<div id=\"trials\"></div>\n";
        writeFailures();
        m_out << "<h2>Findings</h2>\n<div id=\"findings\"></div>\n";
        m_out << "<h2>Definition</h2>\n<pre>" << escaped(definitionWithoutSecrets(m_sweep.toml)) << "</pre>\n";
        if (!run)
            return;
        writeCode(*run);
        writeEnvironment(*run);
    }

    /// False: stopped by `progress`.
    bool writeData(const Progress &progress)
    {
        const auto shareOf = [&progress](double begin, double size) -> Progress {
            if (!progress)
                return {};
            return [&progress, begin, size](double share) { return progress(begin + share * size); };
        };
        const Progress examined = shareOf(0, 0.5);
        const Progress curvesRead = shareOf(0.5, 0.5);
        const std::optional<SweepFindings> findings = findingsOf(m_workspace, m_sweep, m_trials, examined);
        if (!findings)
            return false;
        addDamage(m_damage, findings->damage);
        const ReportTable table(m_sweep, m_trials, m_energy, m_factors);
        m_out << "<script type=\"application/json\" id=\"data\">{\"objective\":" << jsonForHtml(m_sweep.objective)
              << ",\"best\":" << (m_best == nullptr ? "null" : std::to_string(m_best->number))
              << ",\"ranking\":" << jsonForHtml(numbersOf(rankedTrials(m_sweep, m_trials)))
              << ",\"columns\":" << jsonForHtml(table.columns()) << ",\n\"rows\":[";
        const char *separator = "\n";
        for (const sweep::TrialRecord &trial : m_trials)
            m_out << std::exchange(separator, ",\n") << jsonForHtml(table.row(trial));
        m_out << "],\n\"scatter\":" << jsonForHtml(scatterOf(m_values))
              << ",\n\"parameters\":" << jsonForHtml(scatterParameters(m_values))
              << ",\n\"importance\":" << jsonForHtml(importanceJson(m_values))
              << ",\n\"findings\":" << jsonForHtml(findingsJson(*findings)) << ",\n\"curves\":[";
        separator = "\n";
        const std::uint64_t most =
            std::clamp<std::uint64_t>(mostReportPoints / std::max<std::size_t>(1, m_trials.size()), 20, 500);
        for (std::size_t i = 0; i < m_trials.size(); ++i) {
            const auto report = [&](double share) {
                return !curvesRead
                       || curvesRead((static_cast<double>(i) + share) / static_cast<double>(m_trials.size()));
            };
            const auto curve = objectiveCurve(m_workspace, m_sweep, m_trials[i], most, report);
            if (!curve || !report(1))
                return false;
            addDamage(m_damage, curve->damage);
            if (!curve->points.empty())
                m_out << std::exchange(separator, ",\n") << curveText(m_trials[i], curve->points);
        }
        m_out << "]}</script>\n<script>" << reportScript << "</script>\n</body>\n</html>\n";
        return true;
    }

    const std::string &damage() const { return m_damage; }

private:
    static std::string timeText(WallNs time)
    {
        return toIso8601(time).substr(0, 10) + " " + toIso8601(time).substr(11, 5) + " UTC";
    }

    /// Six digits are more than a plot shows.
    static std::string curveText(const sweep::TrialRecord &trial, const std::vector<feed::Point> &points)
    {
        std::string x;
        std::string y;
        for (const feed::Point &point : points) {
            char number[32] = "null";
            if (std::isfinite(point.value))
                std::snprintf(number, sizeof number, "%.6g", point.value);
            x += (x.empty() ? "" : ",") + std::to_string(point.step);
            y += (y.empty() ? "" : ",") + std::string(number);
        }
        return "{\"t\":" + std::to_string(trial.number) + ",\"s\":\"" + sweep::toString(trial.state) + "\",\"x\":[" + x
               + "],\"y\":[" + y + "]}";
    }

    static std::size_t linesOf(const std::string &text)
    {
        return static_cast<std::size_t>(std::ranges::count(text, '\n'));
    }

    /// Of the attempts for which it is known.
    void writeEnergy()
    {
        if (const std::optional<series::Energy> energy = m_energy.known())
            m_out << "<p>The GPUs consumed " << wording::number(energy->joules / series::joulesPerKilowattHour)
                  << " kWh, "
                  << (energy->method == series::EnergyMethod::Counter ? "measured by their energy counters"
                                                                      : "integrated from their power readings")
                  << ".</p>\n";
        const sweep::Cost cost = costOfSweep(m_sweep, m_energy, m_factors);
        if (const std::string text = costText(cost, m_factors.currency); !text.empty())
            m_out << "<p>Cost: " << escaped(text) << ", from user-defined factors.</p>\n";
    }

    void writeBest()
    {
        if (m_best == nullptr || !m_best->objectiveBest) {
            m_out << "<p>No trial has a result.</p>\n";
            return;
        }
        m_out << "<p>Best trial: " << m_best->number << ", " << escaped(m_sweep.objective) << " "
              << wording::number(m_best->objectiveBest->value) << " at step " << m_best->objectiveBest->step
              << " (goal: " << (m_sweep.goal == sweep::Goal::Minimize ? "minimize" : "maximize") << ").</p>\n<dl>";
        for (const auto &[name, value] : m_best->parameters)
            writeFact(name, sweep::toText(value));
        m_out << "</dl>\n";
    }

    void writeFact(const std::string &name, const std::string &value)
    {
        m_out << "<dt>" << escaped(name) << "</dt><dd>" << escaped(value) << "</dd>\n";
    }

    void writeFailures()
    {
        const std::vector<sweep::FailureGroup> groups = sweep::failureGroups(m_trials);
        if (groups.empty())
            return;
        m_out << "<h2>Failures</h2>\n<dl>\n";
        for (const sweep::FailureGroup &group : groups) {
            const std::string cause = wording::sentence(group.cause);
            writeFact(plural(group.trials.size(), "trial", "trials"),
                      (cause.empty() ? "Unknown cause" : cause) + ": " + trialList(group.trials));
        }
        m_out << "</dl>\n";
    }

    void writeFacts(const ReportFacts &facts)
    {
        m_out << "<dl>\n";
        for (const auto &[name, value] : facts)
            writeFact(name, value);
        m_out << "</dl>\n";
    }

    /// Closed at first.
    void writeDetails(const std::string &title, const std::string &text)
    {
        if (!text.empty())
            m_out << "<details><summary>" << escaped(title) << "</summary>\n<pre>" << escaped(text)
                  << "</pre></details>\n";
    }

    void writeCode(const ReportedRun &run)
    {
        m_out << "<h2>Code of trial " << run.trial << "</h2>\n";
        writeFacts(codeFacts(run));
        writeDetails(
            plural(linesOf(run.changedFiles), "file differs from the revision", "files differ from the revision"),
            run.changedFiles);
        writeDetails("Differences from the revision", run.codeDifference);
    }

    void writeEnvironment(const ReportedRun &run)
    {
        m_out << "<h2>Environment of trial " << run.trial << "</h2>\n";
        writeFacts(environmentFacts(run));
        const std::string packages = packageList(run);
        writeDetails(plural(linesOf(packages), "package", "packages"), packages);
    }

    std::ostream &m_out;
    const WorkspaceLayout &m_workspace;
    const sweep::SweepRecord &m_sweep;
    const std::vector<sweep::TrialRecord> &m_trials;
    analysis::TrialValues m_values;
    const launch::SweepEnergy m_energy;
    const sweep::CostFactors &m_factors;
    const sweep::TrialRecord *m_best;
    std::string m_damage;
};

}  // namespace

Expected<void> exportHtml(const WorkspaceLayout &workspace, const sweep::SweepRecord &sweep,
                          const std::vector<sweep::TrialRecord> &trials, const std::filesystem::path &file,
                          const std::optional<ReportedRun> &run, const sweep::CostFactors &factors,
                          const Progress &progress)
{
    auto output = OutputFile::create(file);
    if (!output)
        return tl::unexpected(output.error());
    Report report(output->stream(), workspace, sweep, trials, factors);
    report.writeHead();
    report.writeSections(run);
    if (!report.writeData(progress))
        return makeError(ErrorCode::Unavailable, "the export was canceled; " + file.string() + " was not written");
    return finish(*output, file, report.damage(), progress);
}

}  // namespace sweepscope::exporting
