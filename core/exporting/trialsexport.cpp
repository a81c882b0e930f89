#include "exporting/sweepexport.h"
#include "exporting/sweepstable.h"

#include "exporting/csv.h"
#include "exporting/outputfile.h"
#include "exporting/trialsjson.h"
#include "sweep/outcome.h"
#include "sweep/sweepfile.h"
#include "sweep/trialchain.h"
#include "sweep/trialtime.h"
#include "wording/sentence.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace sweepscope::exporting {

namespace {

using Write = void (*)(CsvWriter &csv, const sweep::SweepRecord &sweep, const sweep::TrialRecord &trial);

struct Column {
    const char *name;
    Write write;
};

void writeValue(CsvWriter &csv, const std::optional<sweep::ObjectiveValue> &objective)
{
    objective ? csv.field(objective->value) : csv.emptyField();
}

void writeStep(CsvWriter &csv, const std::optional<sweep::ObjectiveValue> &objective)
{
    objective ? csv.field(objective->step) : csv.emptyField();
}

void writeTime(CsvWriter &csv, const std::optional<WallNs> &time)
{
    if (time)
        csv.field(toIso8601(*time));
    else
        csv.emptyField();
}

/// Of trials that have ended: the same data gives the same bytes.
void writeSeconds(CsvWriter &csv, const sweep::TrialRecord &trial,
                  std::optional<WallNs> (*duration)(const sweep::TrialRecord &, WallNs))
{
    const std::optional<WallNs> time = trial.ended ? duration(trial, *trial.ended) : std::nullopt;
    if (time)
        csv.field(static_cast<double>(*time) / 1e9);  // times 1e-9 would not give nine digits
    else
        csv.emptyField();
}

void writeDeviceHours(CsvWriter &csv, const sweep::TrialRecord &trial)
{
    if (const std::optional<double> hours = deviceHours(trial))
        csv.field(*hours);
    else
        csv.emptyField();
}

void writeJoined(CsvWriter &csv, const std::vector<std::string> &texts, const char *separator)
{
    std::string joined;
    for (const std::string &text : texts)
        joined += (joined.empty() ? "" : separator) + text;
    csv.field(joined);
}

using Sweep = const sweep::SweepRecord &;
using Trial = const sweep::TrialRecord &;

/// A single run has no error that could be known.
bool hasError(Trial trial)
{
    return trial.pointMean && trial.pointMean->runs > 1;
}

const Column before[] = {
    {"sweep", [](CsvWriter &csv, Sweep sweep, Trial) { csv.field(sweep.name); }},
    {"trial", [](CsvWriter &csv, Sweep, Trial trial) { csv.field(std::int64_t{trial.number}); }},
    {"attempts", [](CsvWriter &csv, Sweep, Trial trial) { csv.field(std::int64_t{trial.attempts}); }},
    {"first_attempt",
     [](CsvWriter &csv, Sweep, Trial trial) {
         trial.attempts > 0 ? csv.field(std::int64_t{sweep::chainOf(trial).first}) : csv.emptyField();
     }},
    {"state", [](CsvWriter &csv, Sweep, Trial trial) { csv.field(sweep::toString(trial.state)); }},
};

const Column after[] = {
    {"seed", [](CsvWriter &csv, Sweep, Trial trial) { csv.field(trial.seed); }},
    {"objective", [](CsvWriter &csv, Sweep sweep, Trial) { csv.field(sweep.objective); }},
    {"objective_last", [](CsvWriter &csv, Sweep, Trial trial) { writeValue(csv, trial.objectiveLast); }},
    {"objective_last_step", [](CsvWriter &csv, Sweep, Trial trial) { writeStep(csv, trial.objectiveLast); }},
    {"objective_best", [](CsvWriter &csv, Sweep, Trial trial) { writeValue(csv, trial.objectiveBest); }},
    {"objective_best_step", [](CsvWriter &csv, Sweep, Trial trial) { writeStep(csv, trial.objectiveBest); }},
    {"objective_mean", [](CsvWriter &csv, Sweep,
                          Trial trial) { trial.pointMean ? csv.field(trial.pointMean->value) : csv.emptyField(); }},
    {"objective_error", [](CsvWriter &csv, Sweep,
                           Trial trial) { hasError(trial) ? csv.field(trial.pointMean->error) : csv.emptyField(); }},
    {"objective_runs",
     [](CsvWriter &csv, Sweep, Trial trial) {
         trial.pointMean ? csv.field(std::int64_t{trial.pointMean->runs}) : csv.emptyField();
     }},
    {"start", [](CsvWriter &csv, Sweep, Trial trial) { writeTime(csv, trial.started); }},
    {"end", [](CsvWriter &csv, Sweep, Trial trial) { writeTime(csv, trial.ended); }},
    {"seconds", [](CsvWriter &csv, Sweep, Trial trial) { writeSeconds(csv, trial, sweep::runningTime); }},
    {"seconds_with_pauses",
     [](CsvWriter &csv, Sweep, Trial trial) { writeSeconds(csv, trial, sweep::timeWithPauses); }},
    {"ranks", [](CsvWriter &csv, Sweep, Trial trial) { csv.field(std::int64_t{trial.ranks}); }},
    {"devices", [](CsvWriter &csv, Sweep, Trial trial) { writeJoined(csv, trial.devices, " "); }},
    {"simulated",
     [](CsvWriter &csv, Sweep, Trial trial) {
         trial.devices.empty() ? csv.emptyField() : csv.field(trial.simulated ? "true" : "false");
     }},
    {"device_hours", [](CsvWriter &csv, Sweep, Trial trial) { writeDeviceHours(csv, trial); }},
    {"reason", [](CsvWriter &csv, Sweep, Trial trial) { csv.field(std::string(facts::nameOf(trial.reason.code))); }},
    {"exit_cause", [](CsvWriter &csv, Sweep, Trial trial) { csv.field(wording::sentence(trial.reason)); }},
    {"chosen", [](CsvWriter &csv, Sweep, Trial trial) { csv.field(std::string(facts::nameOf(trial.chosen.code))); }},
    {"why", [](CsvWriter &csv, Sweep, Trial trial) { csv.field(wording::sentence(trial.chosen)); }},
    {"starred", [](CsvWriter &csv, Sweep, Trial trial) { csv.field(trial.mark.starred ? "true" : "false"); }},
    // a tag may have blanks, and no comma
    {"tags", [](CsvWriter &csv, Sweep, Trial trial) { writeJoined(csv, trial.mark.tags, ", "); }},
    {"note", [](CsvWriter &csv, Sweep, Trial trial) { csv.field(trial.mark.note); }},
};

void writeParameter(CsvWriter &csv, const sweep::ParameterValue *value)
{
    if (value == nullptr)
        csv.emptyField();
    else if (const auto *real = std::get_if<double>(value))
        csv.field(*real);
    else
        csv.field(sweep::toText(*value));
}

void writeMetric(CsvWriter &csv, const sweep::TrialRecord &trial, const std::string &name, MetricColumn which)
{
    const sweep::MetricValue *metric = sweep::find(trial.metrics, name);
    if (metric == nullptr)
        csv.emptyField();
    else if (which == MetricColumn::Last)
        csv.field(metric->last);
    else
        csv.field(which == MetricColumn::Lowest ? metric->lowest : metric->highest);
}

constexpr const char *energyColumn = "energy_kwh";
constexpr const char *methodColumn = "energy_method";
constexpr const char *costColumn = "cost";
constexpr const char *currencyColumn = "currency";
constexpr const char *carbonColumn = "co2_kg";

std::set<int> frontOf(const sweep::SweepSpec &spec, const std::vector<sweep::TrialRecord> &trials)
{
    std::vector<const sweep::TrialRecord *> pointers;
    for (const sweep::TrialRecord &trial : trials)
        pointers.push_back(&trial);
    return sweep::paretoFront(spec, pointers);
}

/// What the rows of a sweep need besides its trials.
struct RowsOfSweep {
    const sweep::SweepRecord &sweep;
    const launch::SweepEnergy &energy;
    std::optional<std::set<int>> front{};  ///< of several objectives
    bool hasViolations = false;
};

/// The columns of the file, from the left: header and rows have the same order.
class TrialColumns {
public:
    TrialColumns(const std::vector<SweepOfTable> &sweeps, const ColumnChoice &choice, const sweep::CostFactors &factors)
        : m_factors(factors)
    {
        const auto isChosen = [&choice](const std::string &name) { return choice.empty() || choice.contains(name); };
        for (const Column &column : before)
            if (isChosen(column.name) || std::string_view(column.name) == "trial")
                m_before.push_back(&column);
        for (const Column &column : after)
            if (isChosen(column.name))
                m_after.push_back(&column);
        m_hasEnergy = isChosen(energyColumn) || isChosen(methodColumn);
        m_hasCost = !factors.isEmpty() && (isChosen(costColumn) || isChosen(currencyColumn) || isChosen(carbonColumn));
        for (const SweepOfTable &each : sweeps) {
            for (const std::string &name : each.sweep.parameterNames)
                if (isChosen(parameterColumn(name)) && std::ranges::find(m_parameters, name) == m_parameters.end())
                    m_parameters.push_back(name);
            for (const std::string &name : metricNames(each.trials))
                for (const MetricColumn which : {MetricColumn::Last, MetricColumn::Lowest, MetricColumn::Highest})
                    if (isChosen(metricColumn(name, which)) && m_known.emplace(name, which).second)
                        m_metrics.emplace_back(name, which);
            const sweep::SweepSpec spec = sweep::parseSweep(each.sweep.toml).spec;
            RowsOfSweep rows{each.sweep, each.energy};
            if (isChosen("pareto_front") && !spec.objectives.empty())
                rows.front = frontOf(spec, each.trials);
            rows.hasViolations = isChosen("violation") && !spec.outcomeConstraints.empty();
            m_hasFront = m_hasFront || rows.front;
            m_hasViolations = m_hasViolations || rows.hasViolations;
            m_sweeps.push_back(std::move(rows));
        }
    }

    void writeHeader(CsvWriter &csv) const
    {
        for (const Column *column : m_before)
            csv.field(column->name);
        for (const std::string &name : m_parameters)
            csv.field(parameterColumn(name));
        for (const Column *column : m_after)
            csv.field(column->name);
        if (m_hasEnergy) {
            csv.field(energyColumn);
            csv.field(methodColumn);
        }
        if (m_hasCost) {
            csv.field(costColumn);
            csv.field(currencyColumn);
            csv.field(carbonColumn);
        }
        if (m_hasFront)
            csv.field("pareto_front");
        if (m_hasViolations)
            csv.field("violation");
        for (const auto &[name, which] : m_metrics)
            csv.field(metricColumn(name, which));
        csv.endRow();
    }

    /// `index`: of the sweep among those of the table.
    void writeRow(CsvWriter &csv, std::size_t index, const sweep::TrialRecord &trial) const
    {
        const RowsOfSweep &rows = m_sweeps[index];
        for (const Column *column : m_before)
            column->write(csv, rows.sweep, trial);
        for (const std::string &name : m_parameters)
            writeParameter(csv, sweep::find(trial.parameters, name));
        for (const Column *column : m_after)
            column->write(csv, rows.sweep, trial);
        if (m_hasEnergy)
            writeEnergy(csv, rows, trial);
        if (m_hasCost)
            writeCost(csv, rows, trial);
        if (m_hasFront)
            csv.field(!rows.front ? "" : rows.front->contains(trial.number) ? "true" : "false");
        if (m_hasViolations && rows.hasViolations)
            csv.field(trial.violation);
        else if (m_hasViolations)
            csv.emptyField();
        for (const auto &[name, which] : m_metrics)
            writeMetric(csv, trial, name, which);
        csv.endRow();
    }

private:
    static void writeEnergy(CsvWriter &csv, const RowsOfSweep &rows, const sweep::TrialRecord &trial)
    {
        const std::optional<series::Energy> energy = rows.energy.ofTrial(trial.number, trial.attempts);
        if (energy)
            csv.field(energy->joules / series::joulesPerKilowattHour);
        else
            csv.emptyField();
        csv.field(energy ? launch::toString(energy->method) : std::string());
    }

    void writeCost(CsvWriter &csv, const RowsOfSweep &rows, const sweep::TrialRecord &trial) const
    {
        const sweep::Cost cost = costOfTrial(trial, rows.energy, m_factors);
        const auto field = [&csv](const std::optional<double> &value) {
            if (value)
                csv.field(*value);
            else
                csv.emptyField();
        };
        field(cost.price);
        csv.field(cost.price ? m_factors.currency : std::string());
        field(cost.carbonKg);
    }

    const sweep::CostFactors &m_factors;
    std::vector<RowsOfSweep> m_sweeps;
    bool m_hasEnergy = false;
    bool m_hasCost = false;
    std::vector<const Column *> m_before;
    std::vector<std::string> m_parameters;
    std::vector<const Column *> m_after;
    bool m_hasFront = false;
    bool m_hasViolations = false;
    std::vector<std::pair<std::string, MetricColumn>> m_metrics;
    std::set<std::pair<std::string, MetricColumn>> m_known;  ///< those in m_metrics
};

void writeTable(std::ostream &out, const std::vector<SweepOfTable> &sweeps, const ColumnChoice &choice,
                const sweep::CostFactors &factors)
{
    CsvWriter csv(out);
    const TrialColumns columns(sweeps, choice, factors);
    columns.writeHeader(csv);
    for (std::size_t i = 0; i < sweeps.size(); ++i) {
        for (const sweep::TrialRecord &trial : sweeps[i].trials)
            columns.writeRow(csv, i, trial);
    }
}

/// Copies of the records whose names tell the sweeps apart.
std::vector<sweep::SweepRecord> withOwnNames(const std::vector<SweepOfTable> &sweeps)
{
    std::map<std::string, int> uses;
    for (const SweepOfTable &each : sweeps)
        ++uses[each.sweep.name];
    std::vector<sweep::SweepRecord> records;
    for (const SweepOfTable &each : sweeps) {
        records.push_back(each.sweep);
        if (uses[each.sweep.name] > 1)
            records.back().name = each.sweep.folder;
    }
    return records;
}

}  // namespace

std::string parameterColumn(const std::string &parameter)
{
    const auto isCalledSo = [&](const Column &column) { return parameter == column.name; };
    const bool isTaken = parameter == energyColumn || parameter == methodColumn || parameter == costColumn
                         || parameter == currencyColumn || parameter == carbonColumn
                         || std::any_of(std::begin(before), std::end(before), isCalledSo)
                         || std::any_of(std::begin(after), std::end(after), isCalledSo);
    return isTaken ? "parameter." + parameter : parameter;
}

std::optional<double> deviceHours(const sweep::TrialRecord &trial)
{
    constexpr double secondsPerHour = 3600;
    const std::optional<WallNs> time = trial.ended ? sweep::runningTime(trial, *trial.ended) : std::nullopt;
    if (!time || trial.devices.empty())
        return std::nullopt;
    return static_cast<double>(*time) / 1e9 * static_cast<double>(trial.devices.size()) / secondsPerHour;
}

namespace {

/// The price of energy is that of GPUs.
sweep::CostFactors withoutEnergy(sweep::CostFactors factors)
{
    factors.perKilowattHour.reset();
    return factors;
}

}  // namespace

sweep::Cost costOfTrial(const sweep::TrialRecord &trial, const launch::SweepEnergy &energies,
                        const sweep::CostFactors &factors)
{
    const std::optional<series::Energy> energy = energies.ofTrial(trial.number, trial.attempts);
    const bool usesNoGpu =
        std::ranges::all_of(trial.devices, [](const std::string &device) { return device.starts_with("cpu:"); });
    return sweep::costOf(usesNoGpu && !energy ? withoutEnergy(factors) : factors,
                         energy ? std::optional(energy->joules / series::joulesPerKilowattHour) : std::nullopt,
                         deviceHours(trial));
}

sweep::Cost costOfSweep(const sweep::SweepRecord &sweep, const launch::SweepEnergy &energies,
                        const sweep::CostFactors &factors)
{
    const std::optional<series::Energy> energy = energies.known();
    const double hours = toSeconds(sweep.deviceTime) / 3600;
    return sweep::costOf(energy ? factors : withoutEnergy(factors),
                         energy ? std::optional(energy->joules / series::joulesPerKilowattHour) : std::nullopt,
                         hours > 0 ? std::optional(hours) : std::nullopt);
}

std::string metricColumn(const std::string &metric, MetricColumn which)
{
    const char *const beginnings[] = {"metric.", "metric_min.", "metric_max."};
    return beginnings[static_cast<std::size_t>(which)] + metric;
}

std::vector<std::string> metricNames(const std::vector<sweep::TrialRecord> &trials)
{
    std::vector<std::string> names;
    std::unordered_set<std::string_view> known;
    for (const sweep::TrialRecord &trial : trials) {
        for (const sweep::MetricValue &metric : trial.metrics) {
            if (names.size() == mostMetricNames)
                return names;
            if (known.insert(metric.name).second)
                names.push_back(metric.name);
        }
    }
    return names;
}

Format formatOf(const std::filesystem::path &file)
{
    return file.extension() == ".json" ? Format::Json : Format::Csv;
}

Expected<void> exportTrials(const sweep::SweepRecord &sweep, const std::vector<sweep::TrialRecord> &trials,
                            const std::filesystem::path &file, const ColumnChoice &choice,
                            const launch::SweepEnergy &energy, const sweep::CostFactors &factors)
{
    auto output = OutputFile::create(file);
    if (!output)
        return tl::unexpected(output.error());
    if (formatOf(file) == Format::Json) {
        writeTrialsJson(output->stream(), sweep, trials, choice, energy, factors);
        return output->commit();
    }
    writeTable(output->stream(), {{sweep, trials, energy}}, choice, factors);
    return output->commit();
}

Expected<void> exportSweeps(const std::vector<SweepOfTable> &sweeps, const std::filesystem::path &file,
                            const sweep::CostFactors &factors)
{
    auto output = OutputFile::create(file);
    if (!output)
        return tl::unexpected(output.error());
    const std::vector<sweep::SweepRecord> records = withOwnNames(sweeps);
    std::vector<SweepOfTable> named;
    for (std::size_t i = 0; i < sweeps.size(); ++i)
        named.push_back({records[i], sweeps[i].trials, sweeps[i].energy});
    if (formatOf(file) != Format::Json) {
        writeTable(output->stream(), named, {}, factors);
        return output->commit();
    }
    const char *separator = "[";
    for (const SweepOfTable &each : named) {
        output->stream() << separator;
        writeTrialsJson(output->stream(), each.sweep, each.trials, {}, each.energy, factors);
        separator = ",";
    }
    output->stream() << "]\n";
    return output->commit();
}

}  // namespace sweepscope::exporting
