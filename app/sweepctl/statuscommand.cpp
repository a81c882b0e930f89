#include "costs.h"
#include "diagnosiswords.h"
#include "exitcode.h"
#include "livefindings.h"
#include "statusjson.h"
#include "storedsweeps.h"
#include "subcommand.h"
#include "sweepwords.h"
#include "workspaceoption.h"

#include "base/filelock.h"
#include "engine/store.h"
#include "exporting/costtext.h"
#include "exporting/sweepexport.h"
#include "protocol/engineclient.h"
#include "sweep/deviceplace.h"
#include "sweep/failuregroups.h"
#include "sweep/outcome.h"
#include "sweep/singlerun.h"
#include "sweep/sweepfile.h"
#include "wording/failuretitle.h"
#include "wording/sentence.h"

#include <algorithm>
#include <iostream>
#include <memory>
#include <set>

namespace sweepscope::ctl {

namespace {

constexpr int connectTimeoutMs = 10'000;

struct StatusOptions {
    std::string workspace;
    bool json = false;
    bool all = false;  ///< including archived ones
};

/// "gpu1, gpu2"; empty if it has devices of this machine only.
std::string machinesInWords(const std::vector<std::string> &devices)
{
    std::vector<std::string> names;
    for (const std::string &device : devices) {
        const std::string machine = sweep::machineOf(device);
        if (std::ranges::find(names, machine) == names.end())
            names.push_back(machine);
    }
    std::string text;
    for (const std::string &name : names)
        text += (text.empty() ? "" : ", ") + (name.empty() ? std::string(sweep::thisMachine) : name);
    return text == sweep::thisMachine ? std::string() : text;
}

/// Prints a line for each unfinished trial: "  trial 7  running  45 %  lr=0.01  val_loss 0.31 (best …)".
void printRunning(const sweep::SweepRecord &sweep, const std::vector<sweep::TrialRecord> &underWay,
                  LiveFindings &findings)
{
    constexpr int most = 20;
    int printed = 0;
    for (const sweep::TrialRecord &trial : underWay) {
        if (++printed > most)
            continue;
        std::cout << "  trial " << trial.number << "  " << stateInWords(trial);
        if (trial.attempts > 1)
            std::cout << ", attempt " << trial.attempts;
        if (trial.simulated)
            std::cout << ", on simulated GPUs";
        if (const std::string machines = machinesInWords(trial.devices); !machines.empty())
            std::cout << ", on " << machines;
        if (trial.progress > 0)
            std::cout << "  " << static_cast<int>(trial.progress * 100) << "%";
        for (const std::string &words :
             {parametersInWords(trial.parameters), objectiveInWords(sweep.objective, trial), metricsInWords(trial)}) {
            if (!words.empty())
                std::cout << "  " << words;
        }
        std::cout << '\n';
        const std::optional<std::vector<diagnosis::Finding>> found = findings.of(sweep, trial);
        if (!found)
            std::cout << "    to check it for problems: sweepctl diagnose " << sweep.folder << ' ' << trial.number
                      << '\n';
        for (const diagnosis::Finding &finding : found.value_or(std::vector<diagnosis::Finding>()))
            std::cout << "    " << lineOf(finding) << '\n';
    }
    if (printed > most)
        std::cout << "  and " << printed - most << " more running\n";
}

std::optional<double> estimatedSecondsLeft(const sweep::SweepRecord &record, const engine::SweepSummary &summary)
{
    if (record.ended)
        return std::nullopt;
    std::vector<sweep::TrialRecord> counted = summary.lastCompleted;
    counted.insert(counted.end(), summary.underWay.begin(), summary.underWay.end());
    const auto waiting = summary.counts.find(sweep::TrialState::Queued);
    return sweep::estimateSecondsLeft(record, counted, sweep::parseSweep(record.toml).spec.devices.concurrent,
                                      wallNow(),
                                      waiting == summary.counts.end() ? 0 : static_cast<std::size_t>(waiting->second));
}

std::string joined(const std::vector<std::string> &words)
{
    std::string all;
    for (const std::string &word : words)
        all += (all.empty() ? "" : ", ") + word;
    return all;
}

/// "Pareto front by loss, latency: trials 3, 7, 12"; empty with a single objective. Reads all trials.
Expected<std::string> frontInWords(const StoredSweeps &stored, const sweep::SweepRecord &record)
{
    const sweep::SweepSpec spec = sweep::parseSweep(record.toml).spec;
    if (spec.objectives.empty())
        return std::string();
    const Expected<std::vector<sweep::TrialRecord>> trials = stored.trials(record.id);
    if (!trials)
        return tl::unexpected(trials.error());
    std::vector<const sweep::TrialRecord *> all;
    for (const sweep::TrialRecord &trial : *trials)
        all.push_back(&trial);
    constexpr std::size_t most = 12;
    const std::set<int> front = sweep::paretoFront(spec, all);
    std::vector<std::string> numbers;
    for (const int number : front) {
        if (numbers.size() < most)
            numbers.push_back(std::to_string(number));
    }
    if (front.size() > most)
        numbers.push_back("and " + std::to_string(front.size() - most) + " more");
    std::vector<std::string> names{spec.objective};
    for (const sweep::Objective &objective : spec.objectives)
        names.push_back(objective.name);
    return "Pareto front by " + joined(names) + ": "
           + (numbers.empty()      ? "no trial yet"
              : numbers.size() > 1 ? "trials " + joined(numbers)
                                   : "trial " + numbers.front());
}

bool lacksObjective(const engine::SweepSummary &summary)
{
    return summary.counts.contains(sweep::TrialState::Completed) && !summary.best
           && std::ranges::none_of(summary.lastCompleted,
                                   [](const sweep::TrialRecord &trial) { return trial.objectiveLast.has_value(); });
}

/// Prints the causes of failures, the most frequent first. Reads all trials, but only of a sweep with failures.
void printFailures(const StoredSweeps &stored, const sweep::SweepRecord &record, const engine::SweepSummary &summary)
{
    constexpr std::size_t mostGroups = 5;
    const auto has = [&summary](sweep::TrialState state) { return summary.counts.contains(state); };
    if (!has(sweep::TrialState::Failed) && !has(sweep::TrialState::Lost))
        return;
    const Expected<std::vector<sweep::TrialRecord>> trials = stored.trials(record.id);
    const auto groups = trials ? sweep::failureGroups(*trials) : std::vector<sweep::FailureGroup>();
    for (std::size_t i = 0; i < std::min(groups.size(), mostGroups); ++i) {
        const std::size_t count = groups[i].trials.size();
        std::cout << "  " << count << " failed: " << wording::failureTitle(groups[i].cause)
                  << (count == 1 ? " (trial " : " (first: trial ") << groups[i].trials.front() << ")\n";
    }
    if (groups.size() > mostGroups)
        std::cout << "  and " << groups.size() - mostGroups << " other causes\n";
}

/// "starred, tagged cifar, wide: the first line of the note"; empty without a mark.
std::string markInWords(const sweep::Mark &mark)
{
    std::string words = mark.starred ? "starred" : "";
    for (std::size_t i = 0; i < mark.tags.size(); ++i)
        words += (i > 0 ? ", " : words.empty() ? "tagged " : ", tagged ") + mark.tags[i];
    if (!mark.note.empty())
        words += (words.empty() ? "note: " : "; note: ") + mark.note.substr(0, mark.note.find('\n'));
    return words;
}

/// "GPUs: 1.25 kWh (energy counters)": of the attempts whose energy is known; empty if there are none. With a budget
/// "GPUs: 1.25 kWh of 2.5 kWh (energy counters)".
std::string energyInWords(const std::optional<series::Energy> &energy, const sweep::SweepSpec &spec)
{
    if (!energy)
        return {};
    const double kilowattHours = energy->joules / series::joulesPerKilowattHour;
    const bool isSmall = kilowattHours < 1;
    const bool isLimited = spec.budget && spec.budget->kilowattHours;
    return "GPUs: " + wording::number(isSmall ? kilowattHours * 1000 : kilowattHours) + (isSmall ? " Wh" : " kWh")
           + (isLimited ? " of " + wording::number(*spec.budget->kilowattHours) + " kWh" : "")
           + (energy->method == series::EnergyMethod::Counter ? " (energy counters)" : " (integrated power)");
}

/// "cost: 3.20 EUR, 0.52 kg CO2 (your factors)"; empty if unknown.
std::string costInWords(const sweep::SweepRecord &sweep, const launch::SweepEnergy &energy,
                        const sweep::CostFactors &factors)
{
    const std::string text = exporting::costText(exporting::costOfSweep(sweep, energy, factors), factors.currency);
    return text.empty() ? text : "cost: " + text + " (your factors)";
}

/// `front` is what frontInWords() returns.
void printSweep(const sweep::SweepRecord &record, const engine::SweepSummary &summary, const std::string &front,
                const std::vector<std::string> &uses, bool engineRuns, LiveFindings &findings)
{
    std::cout << titleInWords(record) << "  " << sweep::toString(record.state)
              << (record.archived ? ", archived  " : "  ")
              << (summary.counts.empty() ? "no trials yet" : countsInWords(summary.counts));
    const sweep::SweepSpec spec = sweep::parseSweep(record.toml).spec;
    if (summary.best && !spec.probe)
        std::cout << (summary.best->pointMean ? "  best mean " : "  best ") << record.objective << " "
                  << (summary.best->pointMean ? meanInWords(*summary.best->pointMean)
                                              : numberInWords(summary.best->objectiveBest->value))
                  << " (trial " << summary.best->number << (summary.best->simulated ? ", on simulated GPUs)" : ")");
    if (const std::optional<double> left = estimatedSecondsLeft(record, summary); left && engineRuns)
        std::cout << "  " << timeLeftInWords(*left);
    std::cout << '\n';
    if (const std::string mark = markInWords(record.mark); !mark.empty())
        std::cout << "  " << mark << '\n';
    if (!front.empty())
        std::cout << "  " << front << '\n';
    for (const std::string &use : uses) {
        if (!use.empty())
            std::cout << "  " << use << '\n';
    }
    for (const facts::Fact &warning : record.warnings)
        std::cout << "  warning: " << wording::sentence(warning) << '\n';
    if (lacksObjective(summary) && !spec.probe && !sweep::isRun(spec))
        std::cout << "  warning: no trial reported the objective " << record.objective
                  << "; for the cause: sweepctl diagnose " << record.folder << '\n';
    printRunning(record, summary.underWay, findings);
    if (record.held)
        std::cout << "  trial " << record.held->number << ": " << wording::clause(record.held->reason) << '\n';
}

/// Prints a few lines per sweep from the database, as fast for 100,000 trials as for ten, except with several objectives or failures. Only warnings and the reason
/// why the next trial waits come from the engine.
int printStatus(const StoredSweeps &stored, bool all)
{
    const std::string workspace = stored.workspace().root.string();
    protocol::EngineClient client;
    client.leaveOutTrials();
    const bool engineRuns = client.connectAndWait(QString::fromStdString(workspace), false, connectTimeoutMs);
    std::cout << "workspace " << workspace << '\n';
    if (!engineRuns)
        std::cout << client.errorText().toStdString() << " Showing the last state from its database.\n";
    if (!engineRuns && !isLocked(stored.workspace().lockFile()))
        std::cout << "Start one with: sweepctl serve" << workspaceArgument(workspace) << '\n';
    const std::vector<sweep::SweepRecord> &sweeps = engineRuns ? client.sweeps() : stored.sweeps();
    if (sweeps.empty())
        std::cout << "No sweeps yet. Start one with: sweepctl run FILE\n";
    LiveFindings findings(stored.workspace());
    const sweep::CostFactors factors = costFactors();
    int archived = 0;
    for (const sweep::SweepRecord &record : sweeps) {
        if (record.archived && !all) {
            ++archived;
            continue;
        }
        const Expected<engine::SweepSummary> summary = stored.summary(record);
        const Expected<std::string> front = frontInWords(stored, record);
        if (!summary || !front) {
            std::cerr << (summary ? front.error() : summary.error()).message << '\n';
            return noEngine;
        }
        const auto energy = launch::readEnergy(launch::energyFile(stored.workspace().sweepFolder(record.folder)));
        printSweep(
            record, *summary, *front,
            {energyInWords(energy.known(), sweep::parseSweep(record.toml).spec), costInWords(record, energy, factors)},
            engineRuns, findings);
        printFailures(stored, record, *summary);
    }
    for (const protocol::MachineStatus &machine : client.machines()) {
        if (machine.isUsed && !machine.isConnected)
            std::cout << machine.name.toStdString() << ": " << wording::clause(machine.unavailable) << '\n';
    }
    if (archived > 0)
        std::cout << archived << (archived == 1 ? " archived sweep is" : " archived sweeps are")
                  << " not shown; to include them: sweepctl status --all\n";
    return good;
}

/// Prints every trial as the engine has it, because its progress is more recent.
int printJson(const StoredSweeps &stored)
{
    WorkspaceStatus status;
    status.workspace = stored.workspace().root.string();
    status.factors = costFactors();
    protocol::EngineClient client;
    status.engineRuns = client.connectAndWait(QString::fromStdString(status.workspace), false, connectTimeoutMs);
    const std::vector<sweep::SweepRecord> &sweeps = status.engineRuns ? client.sweeps() : stored.sweeps();
    LiveFindings findings(stored.workspace());
    for (const sweep::SweepRecord &record : sweeps) {
        Expected<std::vector<sweep::TrialRecord>> trials =
            status.engineRuns ? client.trials(record.id) : stored.trials(record.id);
        if (!trials) {
            std::cerr << trials.error().message << '\n';
            return noEngine;
        }
        SweepStatus sweep{record,
                          std::move(*trials),
                          {},
                          launch::readEnergy(launch::energyFile(stored.workspace().sweepFolder(record.folder)))};
        for (const sweep::TrialRecord &trial : sweep.trials) {
            if (auto found = findings.of(record, trial); found && trial.state == sweep::TrialState::Running)
                sweep.findings[trial.number] = std::move(*found);
        }
        status.sweeps.push_back(std::move(sweep));
    }
    std::cout << toJson(status) << '\n';
    return good;
}

int status(const StatusOptions &options)
{
    // Without a database there is no workspace, even if a socket answers.
    const Expected<StoredSweeps> stored = StoredSweeps::open(options.workspace);
    if (!stored) {
        std::cerr << stored.error().message << '\n';
        return noEngine;
    }
    return options.json ? printJson(*stored) : printStatus(*stored, options.all);
}

}  // namespace

Subcommand makeStatusCommand(CLI::App &app)
{
    auto options = std::make_shared<StatusOptions>();
    CLI::App *command = app.add_subcommand("status", "Show the sweeps of a workspace and their progress");
    command->add_flag("--json", options->json, "Print JSON: sweeps with all their trials");
    command->add_flag("--all,-a", options->all, "Include archived sweeps");
    addWorkspaceOption(*command, options->workspace);
    command->footer("Needs no engine: without one, it reads the database of the workspace.\n"
                    "\n"
                    "Examples:\n"
                    "  sweepctl status\n"
                    "  sweepctl status --json | jq '.sweeps[].counts'");
    return {command, [options] { return status(*options); }};
}

}  // namespace sweepscope::ctl
