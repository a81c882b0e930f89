#include "argumentchecks.h"
#include "exitcode.h"
#include "storedsweeps.h"
#include "subcommand.h"
#include "sweepselection.h"
#include "workspaceoption.h"

#include "base/printable.h"
#include "launch/launchspec.h"
#include "remote/machines.h"
#include "remote/remotefolder.h"
#include "remote/ssh.h"
#include "sweep/trialchain.h"
#include "wording/placeholders.h"

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
};

/// Of the last attempt that saved one.
struct Checkpoint {
    int attempt = 0;
    std::string folder;  ///< absolute, on its machine
    remote::FolderSize size;
};

/// The folder of an attempt on another machine: its launch file names a file there.
std::string folderThere(const launch::LaunchSpec &launch)
{
    const auto file = launch.environment.find("SWEEPSCOPE_PARAMS_FILE");
    return file == launch.environment.end() ? std::string()
                                            : std::filesystem::path(file->second).parent_path().string();
}

Expected<remote::FolderSize> sizeHere(const std::filesystem::path &folder)
{
    remote::FolderSize size;
    std::error_code error;
    for (std::filesystem::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        if (!entry->is_regular_file(error))
            continue;
        ++size.files;
        size.bytes += static_cast<std::int64_t>(entry->file_size(error));
    }
    if (error)
        return makeError(ErrorCode::Io, "cannot read " + folder.string() + ": " + error.message());
    return size;
}

/// `ssh`: null if the attempt ran here. nullopt: there is none.
Expected<std::optional<Checkpoint>> checkpointOf(const AttemptLayout &attempt, int number,
                                                 const launch::LaunchSpec &launch, const remote::Ssh *ssh)
{
    Checkpoint checkpoint{number, attempt.checkpointFolder().string(), {}};
    if (ssh != nullptr)
        checkpoint.folder = AttemptLayout{folderThere(launch)}.checkpointFolder().string();
    const Expected<remote::FolderSize> size =
        ssh != nullptr ? remote::sizeOf(*ssh, checkpoint.folder) : sizeHere(checkpoint.folder);
    if (!size && ssh != nullptr)
        return tl::unexpected<Error>(size.error());
    if (!size || size->files == 0)
        return std::optional<Checkpoint>();
    checkpoint.size = *size;
    return std::optional(checkpoint);
}

Expected<void> copyHere(const std::string &from, const std::string &to)
{
    std::error_code error;
    std::filesystem::copy(
        from, to, std::filesystem::copy_options::recursive | std::filesystem::copy_options::overwrite_existing, error);
    return error ? makeError(ErrorCode::Io, "cannot copy " + from + " to " + to + ": " + error.message())
                 : Expected<void>();
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
            ssh.emplace(known->ssh, remote::Questions::OnTerminal);
            if (const Expected<void> connected = ssh->connect(); !connected)
                return makeError(connected.error().code, machine + ": " + connected.error().message);
        }
        const remote::Ssh *const there = launch->machine.empty() ? nullptr : &*ssh;
        const auto checkpoint = checkpointOf(files, attempt, *launch, there);
        if (!checkpoint)
            return tl::unexpected<Error>(checkpoint.error());
        if (!*checkpoint)
            continue;
        std::cout << name << ", attempt " << attempt << ": " << (*checkpoint)->size.files
                  << ((*checkpoint)->size.files == 1 ? " file, " : " files, ")
                  << wording::bytes(static_cast<double>((*checkpoint)->size.bytes)) << ", in "
                  << (machine.empty() || there == nullptr ? std::string() : machine + ":")
                  << printable((*checkpoint)->folder) << std::endl;
        if (options.to.empty())
            return {};
        const Expected<void> copied = there != nullptr ? remote::fetchFolder(*there, (*checkpoint)->folder, options.to)
                                                       : copyHere((*checkpoint)->folder, options.to);
        if (copied)
            std::cout << "copied to " << printable(options.to) << '\n';
        return copied;
    }
    return makeError(ErrorCode::NotFound, name + " has saved no checkpoint");
}

}  // namespace

Subcommand makeCheckpointCommand(CLI::App &app)
{
    auto options = std::make_shared<CheckpointOptions>();
    CLI::App *command = app.add_subcommand("checkpoint", "Show where the last checkpoint of a trial is, or copy it");
    addSweepOption(*command, options->sweep);
    command->add_option("TRIAL", options->trial, "The number of the trial")->required()->check(atLeast(1));
    command->add_option("--to", options->to, "Copy it into this folder, or resume an interrupted copy")
        ->type_name("FOLDER")
        ->check(notEmpty());
    addWorkspaceOption(*command, options->workspace);
    command->footer(
        "Needs no engine. Checkpoints of trials on other machines stay there until you ask for one: sftp copies it.\n"
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
