#include "exitcode.h"
#include "hostoption.h"
#include "subcommand.h"
#include "sweepinput.h"
#include "workspaceoption.h"

#include "base/workspacelayout.h"
#include "engine/attemptlaunch.h"
#include "engine/sweepadmission.h"
#include "search/auto.h"
#include "search/warmstart.h"
#include "sweep/deviceplace.h"
#include "sweep/problem.h"
#include "sweep/sweepfile.h"
#include "sweep/trialplan.h"
#include "wording/sentence.h"

#include <filesystem>
#include <iostream>
#include <memory>
#include <vector>

namespace sweepscope::ctl {

namespace {

std::string devicesInWords(const SweepInput &input)
{
    const sweep::DevicesSection &devices = input.spec.devices;
    if (input.cluster)
        return "those of a Slurm job per trial; sweepctl plan prints what it asks for";
    if (!sweep::usesThisMachine(devices)) {
        std::string names;
        for (const std::string &name : devices.machines)
            names += (names.empty() ? "" : ", ") + name;
        return "those of " + names;
    }
    const bool gpu =
        devices.kind == sweep::DeviceKind::Gpu || (devices.kind == sweep::DeviceKind::Auto && input.capacity.gpus > 0);
    const std::string here = gpu ? std::to_string(input.capacity.gpus) + " GPUs here"
                                 : std::to_string(input.capacity.cpuCores) + " CPU cores here";
    return std::to_string(devices.perRank) + (gpu ? " GPU" : " CPU core") + " per rank, of " + here;
}

std::string trialsInWords(const SweepInput &input)
{
    const bool isRepeated = input.spec.repeats > 1;
    const std::string repeats = isRepeated ? ", up to " + std::to_string(input.spec.repeats) + " of each point" : "";
    if (input.trials != 0)
        return (isRepeated ? "up to " : "") + std::to_string(input.trials) + repeats;
    return (input.spec.budget ? "until the budget is spent" : "until the stop rule applies") + repeats;
}

std::string searchInWords(const sweep::SweepSpec &spec)
{
    const search::Method method = search::methodOf(spec);
    if (spec.method == sweep::SearchMethod::Grid)
        return "grid";
    if (method == search::Method::Command)
        return spec.method == sweep::SearchMethod::Optuna ? "Optuna's " + spec.sampler
                                                          : "by the program " + spec.searchCommand.front();
    return method == search::Method::Auto ? wording::clause(search::chooseAutomatically(spec).reason)
                                          : search::toString(method);
}

/// ", minimizes loss, maximizes accuracy"
std::string objectivesInWords(const sweep::SweepSpec &spec)
{
    const auto words = [](const std::string &name, sweep::Goal goal) {
        return (goal == sweep::Goal::Minimize ? ", minimizes " : ", maximizes ") + name;
    };
    std::string all = words(spec.objective, spec.goal);
    for (const sweep::Objective &objective : spec.objectives)
        all += words(objective.name, objective.goal);
    return all;
}

/// "240 results of 2 files; 12 rows do not fit the space"; BadInput if none does.
Expected<std::string> warmStartInWords(const sweep::SweepSpec &spec, const std::string &file)
{
    const Expected<search::WarmStart> start =
        search::loadWarmStart(search::warmStartPaths(spec, std::filesystem::absolute(file).parent_path()), spec);
    if (!start)
        return tl::unexpected(start.error());
    if (start->results.empty())
        return makeError(ErrorCode::BadInput, "has no result of a point in the space");
    const auto counted = [](std::size_t count, const char *what) {
        return std::to_string(count) + ' ' + what + (count == 1 ? "" : "s");
    };
    std::string words = counted(start->results.size(), "result") + " of " + counted(spec.warmStart.size(), "file");
    if (start->unfit == 1)
        words += "; 1 row does not fit the space";
    else if (start->unfit > 1)
        words += "; " + std::to_string(start->unfit) + " rows do not fit the space";
    return words;
}

/// The machine that runs the sweep later may have the module.
void warnOfMissingModule(const SweepInput &input, const std::string &file)
{
    const auto missing =
        engine::missingModule(input.spec, input.baseFolder, input.capacity, engine::Programs::installed());
    if (!missing)
        return;
    std::vector<sweep::Problem> problems{*missing};
    sweep::locateProblems(problems, input.text);
    std::cerr << "warning: " << sweep::describe(problems.front(), typedFile(file)) << '\n';
}

int validate(const std::string &file, const std::string &workspace)
{
    // Machines and clusters are those of the workspace, if there is one.
    std::error_code error;
    const bool hasMachines = std::filesystem::exists(WorkspaceLayout{workspace}.machinesFile(), error);
    const std::optional<SweepInput> input = readSweepInput(file, {}, hasMachines ? workspace : std::string());
    if (!input)
        return badInput;
    const sweep::SweepSpec &spec = input->spec;
    const Expected<std::string> warmStart = spec.warmStart.empty() ? std::string() : warmStartInWords(spec, file);
    if (!warmStart) {
        std::cerr << typedFile(file) << ": search.warm_start: " << warmStart.error().message << '\n';
        return badInput;
    }
    std::cout << typedFile(file) << " is valid.\n"
              << "  sweep      " << spec.name << objectivesInWords(spec) << '\n'
              << "  search     " << searchInWords(spec) << '\n'
              << (warmStart->empty() ? "" : "  warm start " + *warmStart + '\n') << "  trials     "
              << trialsInWords(*input) << ", at most " << spec.devices.concurrent << " at once\n"
              << "  ranks      " << spec.run.ranks << " per trial\n"
              << "  devices    " << devicesInWords(*input) << '\n'
              << "  retries    " << spec.run.retries << " after a failure\n";
    warnOfMissingModule(*input, file);
    return good;
}

}  // namespace

Subcommand makeValidateCommand(CLI::App &app)
{
    auto file = std::make_shared<std::string>();
    CLI::App *command = app.add_subcommand("validate", "Check a sweep file, without running anything");
    command->add_option("FILE", *file, "Sweep file (TOML)")->required()->type_name("");
    command->footer(
        "Prints each error as file:line:column: field: message. The exit code is 2 if there are "
        "any.\n"
        "A module that a Python script imports and that is not installed here is a warning; run refuses it.\n"
        "\n"
        "Example:\n"
        "  sweepctl validate digits-mlp.toml");
    auto workspace = std::make_shared<std::string>();
    addWorkspaceOption(*command, *workspace);
    return {command, [file, workspace] { return validate(*file, *workspace); }};
}

}  // namespace sweepscope::ctl
