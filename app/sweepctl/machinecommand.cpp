#include "argumentchecks.h"
#include "checkrows.h"
#include "exitcode.h"
#include "storedsweeps.h"
#include "subcommand.h"
#include "workspaceoption.h"

#include "base/installation.h"
#include "base/suggestion.h"
#include "base/workspacelayout.h"
#include "remote/machinecheck.h"
#include "remote/machines.h"
#include "sweep/deviceplace.h"
#include "sweep/duration.h"

#include <nlohmann/json.hpp>

#include <QHostAddress>

#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <unistd.h>

namespace sweepscope::ctl {

namespace {

using Json = nlohmann::ordered_json;
using remote::Machine;

constexpr const char *noLimit = "no limit";
constexpr int mostConcurrent = 10'000;

struct MachineOptions {
    std::string workspace;
    std::string name;
    std::string ssh;
    std::optional<std::string> folder;
    std::optional<std::string> setup;
    std::optional<std::string> container;
    std::optional<std::string> python;
    std::vector<std::string> data;
    std::optional<std::string> address;
    std::optional<int> concurrent;
    std::optional<std::string> lostAfter;
    bool json = false;
};

int complainOfMachine(const Error &error)
{
    std::cerr << error.message << '\n';
    return badInput;
}

std::vector<std::string> namesOf(const std::vector<Machine> &machines)
{
    std::vector<std::string> names;
    for (const Machine &machine : machines)
        names.push_back(machine.name);
    return names;
}

Expected<void> readLostAfter(const std::string &text, Machine &machine)
{
    machine.lostAfter = sweep::parseDuration(text);
    const bool isPositive = machine.lostAfter && machine.lostAfter->count() > 0;
    if (!isPositive && text != noLimit)
        return makeError(ErrorCode::BadInput,
                         "--lost-after '" + text + "' is not a duration such as 2h, or " + std::string(noLimit));
    return {};
}

/// `before`: its settings hold unless the options have others.
Expected<Machine> machineOf(const MachineOptions &options, const Machine &before)
{
    if (!sweep::isMachineName(options.name))
        return makeError(ErrorCode::BadInput, "'" + options.name
                                                  + (options.name == sweep::thisMachine
                                                         ? "' stands for this machine: choose another name"
                                                         : "' cannot name a machine: use letters, digits, '-', '_' and "
                                                           "'.'"));
    const Expected<remote::SshTarget> target = remote::parseSshTarget(options.ssh);
    if (!target)
        return tl::unexpected(target.error());
    Machine machine = before;
    machine.name = options.name;
    machine.ssh = *target;
    machine.ssh.folder.clear();
    if (options.folder || !target->folder.empty())
        machine.folder = options.folder.value_or(target->folder);
    machine.setup = options.setup.value_or(before.setup);
    machine.container = options.container.value_or(before.container);
    machine.python = options.python.value_or(before.python);
    machine.address = options.address.value_or(before.address);
    if (!machine.address.empty() && QHostAddress(QString::fromStdString(machine.address)).isNull())
        return makeError(ErrorCode::BadInput, "--address '" + machine.address + "' is not an IP address");
    machine.concurrent = options.concurrent.value_or(before.concurrent);
    if (options.lostAfter) {
        if (const Expected<void> read = readLostAfter(*options.lostAfter, machine); !read)
            return tl::unexpected(read.error());
    }
    for (const std::string &entry : options.data) {
        const std::size_t equal = entry.find('=');
        if (equal == 0 || equal == std::string::npos)
            return makeError(ErrorCode::BadInput, "--data '" + entry + "' is not NAME=FOLDER");
        if (equal + 1 == entry.size())
            machine.data.erase(entry.substr(0, equal));
        else
            machine.data[entry.substr(0, equal)] = entry.substr(equal + 1);
    }
    return machine;
}

int add(const MachineOptions &options)
{
    const Expected<std::filesystem::path> workspace = writableWorkspace(options.workspace);
    if (!workspace)
        return complainOfMachine(workspace.error());
    const std::filesystem::path file = WorkspaceLayout{*workspace}.machinesFile();
    Expected<std::vector<Machine>> machines = remote::readMachines(file);
    if (!machines)
        return complainOfMachine(machines.error());
    const auto known = std::ranges::find(*machines, options.name, &Machine::name);
    const bool replaces = known != machines->end();
    const Expected<Machine> machine = machineOf(options, replaces ? *known : Machine());
    if (!machine)
        return complainOfMachine(machine.error());
    if (replaces)
        *known = *machine;
    else
        machines->push_back(*machine);
    if (const Expected<void> written = remote::writeMachines(file, *machines); !written)
        return complainOfMachine(written.error());
    std::cout << (replaces ? "changed " : "added ") << machine->name << " (" << toString(machine->ssh) << ") in "
              << file.string() << "\nCheck it with: sweepctl machine check " << machine->name
              << workspaceArgument(options.workspace) << '\n';
    return good;
}

int list(const MachineOptions &options)
{
    const std::filesystem::path file = WorkspaceLayout{options.workspace}.machinesFile();
    const Expected<std::vector<Machine>> machines = remote::readMachines(file);
    if (!machines)
        return complainOfMachine(machines.error());
    if (machines->empty())
        std::cerr << "no machines yet: sweepctl machine add NAME USER@HOST\n";
    else
        std::cout << remote::toToml(*machines);
    return good;
}

/// The machine of this name, or, for a name that is none, at this address.
Expected<Machine> findMachine(const std::vector<Machine> &machines, const std::string &name)
{
    const auto known = std::ranges::find(machines, name, &Machine::name);
    if (known != machines.end())
        return *known;
    if (name.find('@') == std::string::npos && name.find("://") == std::string::npos)
        return makeError(ErrorCode::BadInput, "there is no machine '" + name + "'" + suggestion(name, namesOf(machines))
                                                  + "; an address is user@host or ssh://host");
    return remote::parseSshTarget(name).map([&name](remote::SshTarget &&target) {
        Machine machine{name, std::move(target)};
        machine.folder = std::exchange(machine.ssh.folder, {});
        return machine;
    });
}

/// How many trials of the workspace run on the machine.
int trialsOn(const std::string &machine, const std::string &workspace)
{
    const Expected<StoredSweeps> stored = StoredSweeps::open(workspace);
    std::ptrdiff_t count = 0;
    for (const sweep::SweepRecord &sweep : stored ? stored->sweeps() : std::vector<sweep::SweepRecord>()) {
        const auto trials = sweep.ended ? std::vector<sweep::TrialRecord>()
                                        : stored->trials(sweep.id).value_or(std::vector<sweep::TrialRecord>());
        count += std::ranges::count_if(trials, [&machine](const sweep::TrialRecord &trial) {
            return sweep::isUnderWay(trial.state)
                   && std::ranges::any_of(trial.devices, [&machine](const std::string &device) {
                          return sweep::machineOf(device) == machine;
                      });
        });
    }
    return static_cast<int>(count);
}

int remove(const MachineOptions &options)
{
    const std::filesystem::path file = WorkspaceLayout{options.workspace}.machinesFile();
    Expected<std::vector<Machine>> machines = remote::readMachines(file);
    if (!machines)
        return complainOfMachine(machines.error());
    const std::vector<std::string> names = namesOf(*machines);
    if (std::erase_if(*machines, [&](const Machine &machine) { return machine.name == options.name; }) == 0)
        return complainOfMachine(
            {ErrorCode::BadInput, "there is no machine '" + options.name + "'" + suggestion(options.name, names)});
    if (const Expected<void> written = remote::writeMachines(file, *machines); !written)
        return complainOfMachine(written.error());
    const int trials = trialsOn(options.name, options.workspace);
    std::cout << "removed " << options.name << "; the files there were kept\n";
    if (trials > 0)
        std::cout << (trials == 1 ? "1 running trial continues there until it finishes\n"
                                  : std::to_string(trials) + " running trials continue there until they finish\n");
    return good;
}

/// What to do, with the command that changes the setting.
std::string remedyOf(const CheckRow &row, const Machine &machine, const std::string &workspace)
{
    if (row.setting.empty())
        return row.remedy;
    const std::map<std::string, std::string> values{
        {"folder", "FOLDER"}, {"setup", "'COMMANDS'"}, {"data", "NAME=FOLDER"}};
    const auto value = values.find(row.setting);
    const std::string address = machine.ssh.port == 0 ? machine.ssh.destination : toString(machine.ssh);
    return row.remedy + ": sweepctl machine add " + (sweep::isMachineName(machine.name) ? machine.name : "NAME") + " "
           + address + " --" + row.setting + " " + (value != values.end() ? value->second : "VALUE")
           + workspaceArgument(workspace);
}

int check(const MachineOptions &options)
{
    const Expected<std::vector<Machine>> known =
        remote::readMachines(WorkspaceLayout{options.workspace}.machinesFile());
    if (!known)
        return complainOfMachine(known.error());
    std::vector<Machine> machines = *known;
    if (!options.name.empty()) {
        const Expected<Machine> one = findMachine(*known, options.name);
        if (!one)
            return complainOfMachine(one.error());
        machines = {*one};
    }
    std::erase_if(machines, [](const Machine &machine) { return machine.name == sweep::thisMachine; });
    if (machines.empty())
        return complainOfMachine({ErrorCode::BadInput, "no machines yet: sweepctl machine add NAME USER@HOST"});
    const Expected<remote::PortablePrograms> programs = remote::portablePrograms(shareFolder());
    if (!programs)
        return complainOfMachine(programs.error());
    const remote::Questions questions =
        ::isatty(STDIN_FILENO) == 1 ? remote::Questions::OnTerminal : remote::Questions::Refused;
    bool allRun = true;
    Json json = Json::array();
    for (const Machine &machine : machines) {
        Json rows = Json::array();
        if (!options.json)
            std::cout << machine.name << '\n';
        const bool runs = remote::checkMachine(machine, questions, *programs, [&](const CheckRow &row) {
            CheckRow shown = row;
            shown.remedy = remedyOf(row, machine, options.workspace);
            if (!options.json)
                return printRow(shown);
            rows.push_back(rowToJson(shown));
        });
        allRun = allRun && runs;
        json.push_back({{"machine", machine.name},
                        {"ssh", toString(machine.ssh)},
                        {"can_run_trials", runs},
                        {"checks", std::move(rows)}});
    }
    if (options.json)
        std::cout << json.dump(2) << '\n';
    return allRun ? good : trialsFailed;
}

}  // namespace

Subcommand makeMachineCommand(CLI::App &app)
{
    auto options = std::make_shared<MachineOptions>();
    CLI::App *command = app.add_subcommand("machine", "Add and check machines reached over ssh");
    command->require_subcommand(1);
    command->footer(
        "Machines are stored in WORKSPACE/machines.toml, which holds no secrets and can be shared. A machine needs\n"
        "sshd, a POSIX shell, and a Python with torch for trials. Sweepscope copies its own programs there.\n"
        "\n"
        "Examples:\n"
        "  sweepctl machine add gpu1 ann@gpu1.lab --setup 'source ~/venv/bin/activate'\n"
        "  sweepctl machine check gpu1\n"
        "  sweepctl machine check ann@gpu2.lab");

    CLI::App *adding = command->add_subcommand("add", "Add a machine, or change it");
    adding->add_option("NAME", options->name, "Name used in sweep files")->required();
    adding->add_option("SSH", options->ssh, "Address: user@host, a host of ~/.ssh/config, or ssh://user@host:port")
        ->required();
    adding->add_option("--folder", options->folder,
                       "Folder on the machine for programs and attempts; default: in the home folder");
    adding->add_option("--setup", options->setup, "Shell commands that set up the environment of trials");
    adding->add_option("--container", options->container,
                       "Prefix of the command of a trial, e.g. 'apptainer exec --nv torch.sif'");
    adding->add_option("--python", options->python, "Python of trials; default: " + Machine().python);
    adding
        ->add_option("--data", options->data,
                     "Folder of a data set on the machine, NAME=FOLDER; may be repeated; NAME= removes one")
        ->take_all()
        ->expected(1);
    adding->add_option("--address", options->address,
                       "IP address for ranks on other machines; default: the one that ssh reached");
    adding->add_option("--concurrent", options->concurrent, "Max concurrent trials there; 0, the default: no limit")
        ->check(between(0, mostConcurrent));
    adding->add_option("--lost-after", options->lostAfter,
                       "Time without a connection after which its attempts count as lost, e.g. 2h; default: "
                           + std::string(noLimit));
    adding->footer("A known machine keeps the settings that you leave out.");
    CLI::App *listing = command->add_subcommand("list", "List the machines with their settings");
    CLI::App *removing = command->add_subcommand("remove", "Remove a machine");
    removing->add_option("NAME", options->name, "Name of the machine")->required();
    CLI::App *checking = command->add_subcommand("check", "Check what a machine can do; copies the programs there");
    checking->add_option("NAME", options->name, "Name of a machine, or an address; default: all machines");
    checking->add_flag("--json", options->json, "Print JSON");
    addWorkspaceOption(*command, options->workspace);
    for (CLI::App *one : {adding, listing, removing, checking})
        one->fallthrough();  // --workspace may come last
    checking->footer("The exit code is 3 if one of them cannot run trials.");

    return {command, [=] {
                return adding->parsed()     ? add(*options)
                       : listing->parsed()  ? list(*options)
                       : removing->parsed() ? remove(*options)
                                            : check(*options);
            }};
}

}  // namespace sweepscope::ctl
