#include "checkrows.h"
#include "exitcode.h"
#include "subcommand.h"
#include "workspaceoption.h"

#include "base/suggestion.h"
#include "base/workspacelayout.h"
#include "remote/machines.h"
#include "remote/slurmrunner.h"
#include "slurm/clusterprobe.h"
#include "slurm/localcommand.h"
#include "sweep/deviceplace.h"

#include <algorithm>
#include <iostream>
#include <memory>
#include <unistd.h>

namespace sweepscope::ctl {

namespace {

struct ClusterOptions {
    std::string workspace;
    std::string name = sweep::thisMachine;
    bool json = false;
};

int reportProblem(const Error &error)
{
    std::cerr << error.message << '\n';
    return badInput;
}

/// Returns the place of the machine, which is added if it is this one.
Expected<remote::Machine *> machineNamed(std::vector<remote::Machine> &machines, const std::string &name)
{
    const auto known = std::ranges::find(machines, name, &remote::Machine::name);
    if (known != machines.end())
        return &*known;
    if (name == sweep::thisMachine) {
        machines.emplace_back().name = name;
        return &machines.back();
    }
    std::vector<std::string> names;
    for (const remote::Machine &machine : machines)
        names.push_back(machine.name);
    return makeError(ErrorCode::BadInput, "there is no machine '" + name + "'" + suggestion(name, names)
                                              + "; add it: sweepctl machine add " + name + " USER@HOST");
}

int probe(const ClusterOptions &options)
{
    const Expected<std::filesystem::path> workspace = writableWorkspace(options.workspace);
    if (!workspace)
        return reportProblem(workspace.error());
    const std::filesystem::path file = WorkspaceLayout{*workspace}.machinesFile();
    Expected<std::vector<remote::Machine>> machines = remote::readMachines(file);
    const Expected<remote::Machine *> found =
        machines ? machineNamed(*machines, options.name) : tl::unexpected(machines.error());
    if (!found)
        return reportProblem(found.error());
    remote::Machine &machine = **found;
    const bool isHere = machine.name == sweep::thisMachine;
    if (!options.json)
        std::cout << (isHere ? "this machine" : machine.name) << '\n';
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    const auto report = [&](const CheckRow &row) {
        if (options.json)
            rows.push_back(rowToJson(row));
        else
            printRow(row);
    };
    remote::Ssh ssh(machine.ssh,
                    ::isatty(STDIN_FILENO) == 1 ? remote::Questions::OnTerminal : remote::Questions::Refused);
    slurm::Probe result{machine.slurm.value_or(slurm::Settings()), false};
    const Expected<void> connected = isHere ? Expected<void>() : ssh.connect();
    if (connected)
        result = probeCluster(slurm::Commands(isHere ? slurm::Runner(slurm::runHere) : remote::slurmRunner(ssh)),
                              result.settings, report);
    else
        report({"ssh", Finding::Bad, connected.error().message, "run: sweepctl machine check " + machine.name});
    if (result.canSubmit) {
        machine.slurm = result.settings;
        if (const Expected<void> written = remote::writeMachines(file, *machines); !written)
            return reportProblem(written.error());
    }
    if (options.json)
        std::cout << nlohmann::ordered_json{{"machine", machine.name},
                                            {"can_submit", result.canSubmit},
                                            {"settings", slurm::toToml(result.settings)},
                                            {"checks", std::move(rows)}}
                         .dump(2)
                  << '\n';
    else if (result.canSubmit)
        std::cout << "written to " << file.string() << ":\n\n[" << machine.name << ".slurm]\n"
                  << slurm::toToml(result.settings);
    return result.canSubmit ? good : trialsFailed;
}

}  // namespace

Subcommand makeClusterCommand(CLI::App &app)
{
    auto options = std::make_shared<ClusterOptions>();
    CLI::App *command = app.add_subcommand("cluster", "Show the resources and limits of a Slurm cluster");
    command->require_subcommand(1);
    CLI::App *probing =
        command->add_subcommand("probe", "Query a cluster, and store its job settings in machines.toml");
    probing->add_option("MACHINE", options->name, "Login node, added as a machine; default: this machine");
    probing->add_flag("--json", options->json, "Print JSON");
    addWorkspaceOption(*command, options->workspace);
    probing->fallthrough();  // --workspace may come last
    probing->footer(
        "Submits no job, and keeps the settings that you have made. The exit code is 3 if jobs cannot be submitted.\n"
        "\n"
        "Examples:\n"
        "  sweepctl cluster probe\n"
        "  sweepctl machine add login1 ann@login1.hpc && sweepctl cluster probe login1");
    return {command, [=] { return probe(*options); }};
}

}  // namespace sweepscope::ctl
