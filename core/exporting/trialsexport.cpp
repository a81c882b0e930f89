#include "exporting/sweepexport.h"

#include "exporting/csv.h"
#include "exporting/outputfile.h"
#include "exporting/trialsjson.h"

#include <algorithm>
#include <string>

namespace sweepscope::exporting {

namespace {

const std::vector<std::string> before{"sweep", "trial", "attempts", "state"};
const std::vector<std::string> after{"seed",           "objective",
                                     "objective_last", "objective_last_step",
                                     "objective_best", "objective_best_step",
                                     "start",          "end",
                                     "seconds",        "ranks",
                                     "devices",        "simulated",
                                     "exit_cause",     "starred",
                                     "tags",           "note"};

/// A parameter may be called like a fixed column; no two columns are.
std::string columnName(const std::string &parameter)
{
    const bool isTaken = std::find(before.begin(), before.end(), parameter) != before.end()
                         || std::find(after.begin(), after.end(), parameter) != after.end();
    return isTaken ? "parameter." + parameter : parameter;
}

void writeHeader(CsvWriter &csv, const sweep::SweepRecord &sweep)
{
    for (const std::string &name : before)
        csv.field(name);
    for (const std::string &name : sweep.parameterNames)
        csv.field(columnName(name));
    for (const std::string &name : after)
        csv.field(name);
    csv.endRow();
}

void writeParameter(CsvWriter &csv, const sweep::ParameterValue *value)
{
    if (value == nullptr)
        csv.emptyField();
    else if (const auto *real = std::get_if<double>(value))
        csv.field(*real);
    else
        csv.field(sweep::toText(*value));
}

void writeObjective(CsvWriter &csv, const std::optional<sweep::ObjectiveValue> &objective)
{
    if (objective) {
        csv.field(objective->value);
        csv.field(objective->step);
    } else {
        csv.emptyField();
        csv.emptyField();
    }
}

void writeTime(CsvWriter &csv, const std::optional<WallNs> &time)
{
    if (time)
        csv.field(toIso8601(*time));
    else
        csv.emptyField();
}

void writeTrial(CsvWriter &csv, const sweep::SweepRecord &sweep, const sweep::TrialRecord &trial)
{
    csv.field(sweep.name);
    csv.field(std::int64_t{trial.number});
    csv.field(std::int64_t{trial.attempts});
    csv.field(sweep::toString(trial.state));
    for (const std::string &name : sweep.parameterNames)
        writeParameter(csv, sweep::find(trial.parameters, name));
    csv.field(trial.seed);
    csv.field(sweep.objective);
    writeObjective(csv, trial.objectiveLast);
    writeObjective(csv, trial.objectiveBest);
    writeTime(csv, trial.started);
    writeTime(csv, trial.ended);
    if (trial.started && trial.ended)
        csv.field(static_cast<double>(*trial.ended - *trial.started) / 1e9);  // times 1e-9 would not give nine digits
    else
        csv.emptyField();
    csv.field(std::int64_t{trial.ranks});
    std::string devices;
    for (const std::string &device : trial.devices)
        devices += (devices.empty() ? "" : " ") + device;
    csv.field(devices);
    if (trial.devices.empty())
        csv.emptyField();
    else
        csv.field(trial.simulated ? "true" : "false");
    csv.field(trial.cause);
    csv.field(trial.mark.starred ? "true" : "false");
    std::string tags;  // a tag may have blanks, and no comma
    for (const std::string &tag : trial.mark.tags)
        tags += (tags.empty() ? "" : ", ") + tag;
    csv.field(tags);
    csv.field(trial.mark.note);
    csv.endRow();
}

}  // namespace

Format formatOf(const std::filesystem::path &file)
{
    return file.extension() == ".json" ? Format::Json : Format::Csv;
}

Expected<void> exportTrials(const sweep::SweepRecord &sweep, const std::vector<sweep::TrialRecord> &trials,
                            const std::filesystem::path &file)
{
    auto output = OutputFile::create(file);
    if (!output)
        return tl::unexpected(output.error());
    if (formatOf(file) == Format::Json) {
        writeTrialsJson(output->stream(), sweep, trials);
        return output->commit();
    }
    CsvWriter csv(output->stream());
    writeHeader(csv, sweep);
    for (const sweep::TrialRecord &trial : trials)
        writeTrial(csv, sweep, trial);
    return output->commit();
}

}  // namespace sweepscope::exporting
