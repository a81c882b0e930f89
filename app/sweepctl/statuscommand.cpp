#include "exitcode.h"
#include "statusjson.h"
#include "storedsweeps.h"
#include "subcommand.h"
#include "sweepwords.h"
#include "workspaceoption.h"

#include "client/engineclient.h"

#include <iostream>
#include <memory>

namespace sweepscope::ctl {

namespace {

constexpr int connectTimeoutMs = 10'000;

struct StatusOptions {
    std::string workspace;
    bool json = false;
};

/// A line for each trial that is under way: "  trial 7  running  45 %  lr=0.01  val_loss 0.31 (best …)".
void printRunning(const SweepStatus &status)
{
    constexpr int most = 20;
    int printed = 0;
    for (const sweep::TrialRecord &trial : status.trials) {
        if (sweep::isFinal(trial.state) || trial.state == sweep::TrialState::Waiting)
            continue;
        if (++printed > most)
            continue;
        std::cout << "  trial " << trial.number << "  " << sweep::toString(trial.state);
        if (trial.attempts > 1)
            std::cout << ", attempt " << trial.attempts;
        if (trial.progress > 0)
            std::cout << "  " << static_cast<int>(trial.progress * 100) << " %";
        for (const std::string &words :
             {parametersInWords(trial.parameters), objectiveInWords(status.sweep.objective, trial)}) {
            if (!words.empty())
                std::cout << "  " << words;
        }
        std::cout << '\n';
    }
    if (printed > most)
        std::cout << "  and " << printed - most << " more that run\n";
}

void print(const WorkspaceStatus &status)
{
    std::cout << "workspace " << status.workspace << '\n';
    if (!status.engineRuns)
        std::cout << "No engine runs here; this is what its database says. Start one with: sweepctl serve --workspace "
                  << status.workspace << '\n';
    if (status.sweeps.empty())
        std::cout << "No sweeps yet. Start one with: sweepctl run FILE\n";
    for (const SweepStatus &entry : status.sweeps) {
        const sweep::SweepRecord &record = entry.sweep;
        std::cout << record.folder << "  " << sweep::toString(record.state) << "  "
                  << countsInWords(countStates(entry.trials));
        const auto best = bestFirst(entry.trials, record.goal);
        if (!best.empty() && best.front()->objectiveBest)
            std::cout << "  best " << record.objective << " " << numberInWords(best.front()->objectiveBest->value)
                      << " (trial " << best.front()->number << ")";
        if (const std::optional<double> left = secondsLeft(record, entry.trials); left && status.engineRuns)
            std::cout << "  about " << durationInWords(*left) << " left";
        std::cout << '\n';
        for (const std::string &warning : record.warnings)
            std::cout << "  warning: " << warning << '\n';
        printRunning(entry);
    }
}

int status(const StatusOptions &options)
{
    // No database, no workspace: whatever a socket might say.
    Expected<StoredSweeps> stored = StoredSweeps::open(options.workspace);
    if (!stored) {
        std::cerr << stored.error().message << '\n';
        return noEngine;
    }
    WorkspaceStatus status;
    status.workspace = stored->workspace().root.string();
    client::EngineClient client;
    status.engineRuns = client.connectAndWait(QString::fromStdString(status.workspace), false, connectTimeoutMs);
    const std::vector<sweep::SweepRecord> &sweeps = status.engineRuns ? client.sweeps() : stored->sweeps();
    for (const sweep::SweepRecord &record : sweeps) {
        Expected<std::vector<sweep::TrialRecord>> trials =
            status.engineRuns ? client.trials(record.id) : stored->trials(record.id);
        if (!trials) {
            std::cerr << trials.error().message << '\n';
            return noEngine;
        }
        status.sweeps.push_back({record, std::move(*trials)});
    }
    if (options.json)
        std::cout << toJson(status) << '\n';
    else
        print(status);
    return good;
}

}  // namespace

Subcommand makeStatusCommand(CLI::App &app)
{
    auto options = std::make_shared<StatusOptions>();
    CLI::App *command = app.add_subcommand("status", "Show the sweeps of a workspace and how far they are");
    command->add_flag("--json", options->json, "Everything, for scripts: sweeps with all their trials");
    addWorkspaceOption(*command, options->workspace);
    command->footer("Works without an engine too, from the workspace's database.\n\n"
                    "Examples:\n  sweepctl status\n  sweepctl status --json | jq '.sweeps[].counts'");
    return {command, [options] { return status(*options); }};
}

}  // namespace sweepscope::ctl
