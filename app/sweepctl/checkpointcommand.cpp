#include "argumentchecks.h"
#include "checkpointplace.h"
#include "exitcode.h"
#include "storedsweeps.h"
#include "subcommand.h"
#include "sweepselection.h"
#include "workspaceoption.h"

#include "base/printable.h"
#include "launch/launchspec.h"
#include "remote/foldercopy.h"
#include "remote/machines.h"
#include "remote/ssh.h"
#include "sweep/trialchain.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>

namespace sweepscope::ctl {

namespace {

struct CheckpointOptions {
    std::string workspace;
    std::string sweep;
    int trial = 0;
    std::string to;
    bool json = false;
};

/// The folder of an attempt on another machine: its launch file names a file there.
std::string folderThere(const launch::LaunchSpec &launch)
{
    const auto file = launch.environment.find("SWEEPSCOPE_PARAMS_FILE");
    return file == launch.environment.end() ? std::string()
                                            : std::filesystem::path(file->second).parent_path().string();
}

/// Of one attempt. `ssh`: null if it ran here. nullopt: it has saved none.
Expected<std::optional<CheckpointPlace>> checkpointOf(const AttemptLayout &attempt, const launch::LaunchSpec &launch,
                                                      const remote::Ssh *ssh)
{
    CheckpointPlace place{launch.trial, launch.attempt, {}, attempt.checkpointFolder().string(), {}};
    if (ssh != nullptr) {
        place.machine = launch.machine;
        place.folder = AttemptLayout{folderThere(launch)}.checkpointFolder().string();
    }
    const Expected<remote::FolderSize> size =
        ssh != nullptr ? remote::sizeOf(*ssh, place.folder) : remote::sizeOf(std::filesystem::path(place.folder));
    if (!size && ssh != nullptr)
        return tl::unexpected<Error>(size.error());
    if (!size || size->files == 0)
        return std::optional<CheckpointPlace>();
    place.size = *size;
    return std::optional(place);
}

Expected<remote::Machine> machineNamed(const StoredSweeps &stored, const std::string &name)
{
    const Expected<std::vector<remote::Machine>> machines = remote::readMachines(stored.workspace().machinesFile());
    if (!machines)
        return tl::unexpected<Error>(machines.error());
    const auto found = std::ranges::find(*machines, name, &remote::Machine::name);
    if (found == machines->end())
        return makeError(ErrorCode::NotFound,
                         "the checkpoint is on the machine " + name + ", which was removed from this workspace");
    return *found;
}

Expected<void> show(const CheckpointPlace &place, const CheckpointOptions &options, const remote::Ssh *there)
{
    std::cout << (options.json ? toJson(place) : inWords(place)) << std::endl;
    if (options.to.empty())
        return {};
    const Expected<void> copied = there != nullptr
                                      ? remote::fetchFolder(*there, place.folder, place.size.state, options.to)
                                      : remote::copyFolder(place.folder, place.size.state, options.to);
    if (copied)
        std::cout << "copied to " << printable(options.to) << '\n';
    return copied;
}

Expected<void> run(const StoredSweeps &stored, const CheckpointOptions &options)
{
    const Expected<const sweep::SweepRecord *> sweep = selectSweep(stored.sweeps(), options.sweep, Wanted::Any);
    if (!sweep)
        return tl::unexpected<Error>(sweep.error());
    const std::string name = "trial " + std::to_string(options.trial);
    const auto trials = stored.trials((*sweep)->id);
    if (!trials)
        return tl::unexpected<Error>(trials.error());
    const auto trial = std::ranges::find(*trials, options.trial, &sweep::TrialRecord::number);
    if (trial == trials->end())
        return makeError(ErrorCode::BadInput, "the sweep " + (*sweep)->folder + " has no " + name);
    std::optional<remote::Ssh> ssh;
    std::string machine;
    for (int attempt = trial->attempts; attempt >= std::max(1, sweep::chainOf(*trial).first); --attempt) {
        const AttemptLayout files = stored.workspace().attempt((*sweep)->folder, options.trial, attempt);
        const Expected<launch::LaunchSpec> launch = launch::readLaunchSpec(files.launchFile());
        if (!launch)
            continue;  // it was removed by hand
        if (!launch->machine.empty() && launch->machine != machine) {
            const Expected<remote::Machine> known = machineNamed(stored, launch->machine);
            if (!known)
                return tl::unexpected<Error>(known.error());
            machine = known->name;
            ssh.emplace(known->ssh, questionsOfCopies());
            if (const Expected<void> connected = ssh->connect(); !connected)
                return makeError(connected.error().code, machine + ": " + connected.error().message);
        }
        const remote::Ssh *const there = launch->machine.empty() ? nullptr : &*ssh;
        const auto place = checkpointOf(files, *launch, there);
        if (!place)
            return tl::unexpected<Error>(place.error());
        if (*place)
            return show(**place, options, there);
    }
    return makeError(ErrorCode::NotFound, name + " has saved no checkpoint");
}

}  // namespace

Subcommand makeCheckpointCommand(CLI::App &app)
{
    auto options = std::make_shared<CheckpointOptions>();
    CLI::App *command = app.add_subcommand("checkpoint", "Show where the last checkpoint of a trial is, or copy it");
    addSweepOption(*command, options->sweep);
    command->add_option("TRIAL", options->trial, "Number of the trial")->required()->check(atLeast(1));
    command
        ->add_option("--to", options->to,
                     "Copy it to this folder, which must be new, empty, or hold an interrupted copy")
        ->type_name("FOLDER")
        ->check(notEmpty());
    command->add_flag("--json", options->json, "Print JSON: the machine, the folder, files and bytes");
    addWorkspaceOption(*command, options->workspace);
    command->footer(
        "Needs no engine. Checkpoints of trials on other machines stay there until you ask for one: sftp copies it.\n"
        "With --host, FOLDER is on this machine.\n"
        "\n"
        "Examples:\n"
        "  sweepctl checkpoint digits-mlp 7\n"
        "  sweepctl checkpoint digits-mlp 7 --to best-model");
    return {command, [options] {
                const Expected<StoredSweeps> stored = StoredSweeps::open(options->workspace);
                if (!stored) {
                    std::cerr << stored.error().message << '\n';
                    return noEngine;
                }
                const Expected<void> done = run(*stored, *options);
                if (!done)
                    std::cerr << done.error().message << '\n';
                return done ? good : badInput;
            }};
}

}  // namespace sweepscope::ctl
