#include "sweepinput.h"

#include "hostoption.h"

#include "base/files.h"
#include "base/workspacelayout.h"
#include "device/sources.h"
#include "engine/attemptlaunch.h"
#include "engine/devicelist.h"
#include "engine/sweepadmission.h"
#include "remote/machines.h"
#include "sweep/deviceplace.h"
#include "sweep/launchpreparation.h"
#include "sweep/sweepfile.h"
#include "sweep/trialplan.h"

#include <iostream>

namespace sweepscope::ctl {

namespace {

sweep::Capacity capacityHere()
{
    return engine::capacityOf(engine::offeredOf(device::devicesOf(device::makeSources())));
}

/// A file that cannot be read is the engine's to report.
std::optional<remote::Machine> clusterOf(const std::string &workspace, const sweep::SweepSpec &spec)
{
    const bool isOne = sweep::usesThisMachine(spec.devices) || spec.devices.machines.size() == 1;
    if (workspace.empty() || !isOne)
        return std::nullopt;
    const std::string name = sweep::usesThisMachine(spec.devices) ? sweep::thisMachine : spec.devices.machines.front();
    for (remote::Machine &machine :
         remote::readMachines(WorkspaceLayout{workspace}.machinesFile()).value_or(std::vector<remote::Machine>())) {
        if (machine.name == name && machine.slurm)
            return std::move(machine);
    }
    return std::nullopt;
}

std::vector<std::string> machineNames(const std::string &workspace)
{
    std::vector<std::string> names;
    for (const remote::Machine &machine :
         remote::readMachines(WorkspaceLayout{workspace}.machinesFile()).value_or(std::vector<remote::Machine>()))
        names.push_back(machine.name);
    return names;
}

/// Applies `change` to the parsed sweep, formats it as TOML and validates that as if it had been in the file.
std::vector<sweep::Problem> applyChange(SweepInput &input, const SweepChange &change)
{
    auto changed = change(std::move(input.spec));
    if (!changed)
        return {changed.error()};
    input.toml = sweep::toToml(*changed);
    sweep::ParsedSweep parsed = sweep::parseSweep(input.toml);
    input.spec = std::move(parsed.spec);
    for (sweep::Problem &problem : parsed.problems)
        problem.line = problem.column = 0;  // the generated text is never shown
    return parsed.problems;
}

}  // namespace

std::optional<SweepInput> readSweepInput(const std::string &file, const SweepChange &change,
                                         const std::string &workspace)
{
    Expected<std::string> text = readFile(file, sweep::mostSweepFileBytes, Accepted::AnyFile);
    if (!text) {
        if (text.error().code == ErrorCode::NotFound)
            std::cerr << "there is no sweep file '" << typedFile(file) << "': correct its path\n";
        else
            std::cerr << "not a sweep file: " << text.error().message << '\n';
        return std::nullopt;
    }
    SweepInput input;
    std::error_code error;
    input.baseFolder = file == "/dev/stdin" ? std::filesystem::current_path(error)
                                            : std::filesystem::absolute(file, error).lexically_normal().parent_path();
    sweep::ParsedSweep parsed = sweep::parseSweep(*text);
    std::vector<sweep::Problem> problems = std::move(parsed.problems);
    input.spec = std::move(parsed.spec);
    input.text = std::move(*text);
    input.toml = input.text;
    if (problems.empty() && change)
        problems = applyChange(input, change);
    if (problems.empty()) {
        input.cluster = clusterOf(workspace, input.spec);
        input.capacity = capacityHere();
        if (input.cluster)
            input.capacity.clusters = {input.cluster->name};
        const auto settings = input.spec.run.settings;
        sweep::resolveForLaunch(input.spec);
        if (settings != input.spec.run.settings)
            input.toml = sweep::toToml(input.spec);
        problems =
            engine::machineProblems(input.spec, input.capacity, engine::Programs::installed().worker, input.baseFolder);
        if (!workspace.empty() && problems.empty())
            problems = sweep::unknownMachines(input.spec.devices, machineNames(workspace));
        sweep::locateProblems(problems, input.text);
    }
    if (problems.empty()) {
        const Expected<std::uint64_t> trials = sweep::countTrials(input.spec);
        if (trials)
            input.trials = input.spec.repeats == 1
                               ? *trials
                               : static_cast<std::uint64_t>(sweep::trialsToSearch(input.spec).value_or(0));
        else
            problems.push_back({"space", trials.error().message});
    }
    for (const sweep::Problem &problem : problems)
        std::cerr << sweep::describe(problem, typedFile(file)) << '\n';
    if (!problems.empty())
        return std::nullopt;
    return input;
}

}  // namespace sweepscope::ctl
