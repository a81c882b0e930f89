#include "argumentchecks.h"
#include "checkpointplace.h"
#include "exitcode.h"
#include "jsonvalues.h"
#include "storedsweeps.h"
#include "subcommand.h"
#include "sweepselection.h"
#include "workspaceoption.h"

#include "base/printable.h"
#include "launch/launchspec.h"
#include "remote/foldercopy.h"
#include "remote/machines.h"
#include "remote/ssh.h"
#include "sweep/besttrials.h"
#include "sweep/trialchain.h"
#include "wording/placeholders.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace sweepscope::ctl {

namespace {

struct CheckpointOptions {
    std::string workspace;
    std::string sweep;
    int trial = 0;
    std::string to;
    std::optional<int> keepBest;
    bool yes = false;
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

/// What the attempts of one trial have saved.
struct TrialCheckpoints {
    int trial = 0;
    std::vector<std::filesystem::path> folders;
    remote::FolderSize size;
};

/// Of the trials whose checkpoints may be removed, and have any on this machine.
Expected<std::vector<TrialCheckpoints>> removableFrom(const StoredSweeps &stored, const sweep::SweepRecord &sweep,
                                                      int keepBest)
{
    const auto trials = stored.trials(sweep.id);
    if (!trials)
        return tl::unexpected<Error>(trials.error());
    std::vector<TrialCheckpoints> found;
    for (const int number : sweep::trialsWithRemovableCheckpoint(*trials, sweep.goal, keepBest)) {
        TrialCheckpoints one{number, {}, {}};
        for (int attempt = 1; attempt <= (*trials)[static_cast<std::size_t>(number - 1)].attempts; ++attempt) {
            const std::filesystem::path folder =
                stored.workspace().attempt(sweep.folder, number, attempt).checkpointFolder();
            const Expected<remote::FolderSize> size = remote::sizeOf(folder);
            if (!size || size->files == 0)
                continue;
            one.folders.push_back(folder);
            one.size.files += size->files;
            one.size.bytes += size->bytes;
        }
        if (!one.folders.empty())
            found.push_back(std::move(one));
    }
    return found;
}

std::int64_t totalBytes(const std::vector<TrialCheckpoints> &checkpoints)
{
    std::int64_t bytes = 0;
    for (const TrialCheckpoints &one : checkpoints)
        bytes += one.size.bytes;
    return bytes;
}

std::string removalAsJson(const std::vector<TrialCheckpoints> &checkpoints, bool isDone)
{
    Json trials = Json::array();
    for (const TrialCheckpoints &one : checkpoints)
        trials.push_back({{"trial", one.trial}, {"files", one.size.files}, {"bytes", one.size.bytes}});
    return Json{{"removed", isDone}, {"bytes", totalBytes(checkpoints)}, {"trials", std::move(trials)}}.dump(2);
}

std::string removalInWords(const std::vector<TrialCheckpoints> &checkpoints, bool isDone)
{
    if (checkpoints.empty())
        return "no checkpoint to remove";
    std::string text;
    for (const TrialCheckpoints &one : checkpoints)
        text +=
            "trial " + std::to_string(one.trial) + ": " + wording::bytes(static_cast<double>(one.size.bytes)) + "\n";
    const std::string all =
        (checkpoints.size() == 1 ? std::string("the checkpoints of 1 trial")
                                 : "the checkpoints of " + std::to_string(checkpoints.size()) + " trials")
        + ", " + wording::bytes(static_cast<double>(totalBytes(checkpoints)));
    return text + (isDone ? "removed " + all : "nothing was removed: --yes removes " + all);
}

/// Trials may have been starred, retried or continued since the sizes were read, which can take a while.
Expected<void> removeCheckpoints(const std::vector<TrialCheckpoints> &checkpoints, const std::string &workspace,
                                 const sweep::SweepRecord &sweep, int keepBest)
{
    const Expected<StoredSweeps> stored = StoredSweeps::open(workspace);
    if (!stored)
        return tl::unexpected<Error>(stored.error());
    const auto trials = stored->trials(sweep.id);
    if (!trials)
        return tl::unexpected<Error>(trials.error());
    const std::vector<int> removable = sweep::trialsWithRemovableCheckpoint(*trials, sweep.goal, keepBest);
    for (const TrialCheckpoints &one : checkpoints) {
        if (std::ranges::find(removable, one.trial) == removable.end())
            return makeError(ErrorCode::BadInput,
                             "trial " + std::to_string(one.trial) + " has changed in the meantime; try again");
        for (const std::filesystem::path &folder : one.folders) {
            std::error_code error;
            if (std::filesystem::remove_all(folder, error); error)
                return makeErrnoError("cannot remove " + folder.string(), error.value());
        }
    }
    return {};
}

/// Prints what would be removed; only --yes removes it.
Expected<void> keepBest(const StoredSweeps &stored, const CheckpointOptions &options)
{
    const Expected<const sweep::SweepRecord *> sweep = selectSweep(stored.sweeps(), options.sweep, Wanted::Any);
    if (!sweep)
        return tl::unexpected<Error>(sweep.error());
    auto checkpoints = removableFrom(stored, **sweep, *options.keepBest);
    if (!checkpoints)
        return tl::unexpected<Error>(checkpoints.error());
    if (options.yes) {
        if (const Expected<void> removed =
                removeCheckpoints(*checkpoints, options.workspace, **sweep, *options.keepBest);
            !removed)
            return removed;
    }
    std::cout << (options.json ? removalAsJson(*checkpoints, options.yes) : removalInWords(*checkpoints, options.yes))
              << std::endl;
    return {};
}

}  // namespace

Subcommand makeCheckpointCommand(CLI::App &app)
{
    auto options = std::make_shared<CheckpointOptions>();
    CLI::App *command = app.add_subcommand(
        "checkpoint", "Show or copy the last checkpoint of a trial, or remove those of all but the best");
    addSweepOption(*command, options->sweep);
    CLI::Option *trial = command->add_option("TRIAL", options->trial, "Number of the trial")->check(atLeast(1));
    command
        ->add_option("--to", options->to,
                     "Copy it to this folder, which must be new, empty, or hold an interrupted copy")
        ->type_name("FOLDER")
        ->check(notEmpty())
        ->needs(trial);
    CLI::Option *keep = command
                            ->add_option("--keep-best", options->keepBest,
                                         "List the checkpoints of all trials except the best K, with their sizes")
                            ->type_name("K")
                            ->check(atLeast(0));
    command->add_flag("--yes", options->yes, "Remove the checkpoints that --keep-best lists")->needs(keep);
    allowOneOf(*command, {trial, keep});
    command->add_flag("--json", options->json, "Print JSON: the machine, the folder, files and bytes");
    addWorkspaceOption(*command, options->workspace);
    command->footer(
        "Needs no engine. Checkpoints of trials on other machines stay there until you ask for one: sftp copies it.\n"
        "With --host, FOLDER is on this machine.\n"
        "\n"
        "--keep-best never lists trials that have not ended, have a star, or are continued by another trial.\n"
        "A retry of a trial without checkpoints starts from scratch.\n"
        "\n"
        "Examples:\n"
        "  sweepctl checkpoint digits-mlp 7\n"
        "  sweepctl checkpoint digits-mlp 7 --to best-model\n"
        "  sweepctl checkpoint digits-mlp --keep-best 3\n"
        "  sweepctl checkpoint digits-mlp --keep-best 3 --yes");
    return {command, [options] {
                if (options->trial == 0 && !options->keepBest) {
                    std::cerr << "name a trial, or use --keep-best K\n";
                    return badInput;
                }
                const Expected<StoredSweeps> stored = StoredSweeps::open(options->workspace);
                if (!stored) {
                    std::cerr << stored.error().message << '\n';
                    return noEngine;
                }
                const Expected<void> done = options->keepBest ? keepBest(*stored, *options) : run(*stored, *options);
                if (!done)
                    std::cerr << done.error().message << '\n';
                return done ? good : badInput;
            }};
}

}  // namespace sweepscope::ctl
