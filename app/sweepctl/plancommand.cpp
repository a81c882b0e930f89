#include "clusterplan.h"
#include "exitcode.h"
#include "jsonvalues.h"
#include "memorytext.h"
#include "othermachines.h"
#include "storedsweeps.h"
#include "subcommand.h"
#include "sweepinput.h"
#include "sweepwords.h"
#include "workspaceoption.h"

#include "base/builtworker.h"
#include "process/cpulist.h"
#include "remote/knownmachines.h"
#include "schedule/memoryplan.h"
#include "schedule/sweepplan.h"
#include "sweep/deviceplace.h"
#include "wording/sentence.h"

#include <algorithm>
#include <iostream>
#include <memory>

namespace sweepscope::ctl {

namespace {

constexpr std::size_t mostLines = 20;
constexpr std::size_t mostInJson = 1000;

struct PlanOptions {
    std::string file;
    std::string workspace;
    bool json = false;
};

/// Returns times of earlier sweeps of the workspace, if there are any.
std::optional<schedule::TimeBasis> basisIn(const Expected<StoredSweeps> &stored, const sweep::SweepSpec &spec)
{
    std::vector<schedule::FinishedSweep> sweeps;
    for (const sweep::SweepRecord &record : stored ? stored->sweeps() : std::vector<sweep::SweepRecord>()) {
        if (Expected<std::vector<sweep::TrialRecord>> trials = stored->trials(record.id))
            sweeps.emplace_back(record, std::move(*trials));
    }
    return schedule::timeBasis(spec, sweeps);
}

/// "GPU 0", "CPU slot 3"; the name of a MIG instance.
std::string nameOf(const std::string &id, const schedule::MachineNow &machine)
{
    const std::string place = sweep::machineOf(id);
    const std::string where = place.empty() ? "" : " of " + place;
    for (const device::Device &device : schedule::allDevices(machine)) {
        if (device.id != id || !device.parentId.empty())
            continue;
        const bool isGpu = device.kind == device::Kind::Gpu;
        return (isGpu ? device.simulated ? "simulated GPU " : "GPU " : "CPU slot ") + std::to_string(device.index)
               + where;
    }
    return id;
}

std::string devicesInWords(const schedule::PlannedTrial &trial, const schedule::MachineNow &machine)
{
    std::string text;
    for (std::size_t rank = 0; rank < trial.devices.perRank.size(); ++rank) {
        text += (rank == 0 ? "rank " : "; rank ") + std::to_string(rank) + " on ";
        const std::vector<std::string> &ids = trial.devices.perRank[rank];
        for (std::size_t i = 0; i < ids.size(); ++i)
            text += (i == 0 ? "" : ", ") + nameOf(ids[i], machine);
        const std::vector<std::vector<int>> &cpus = trial.devices.cpu.cpus;  // none on other machines
        if (rank < cpus.size() && !cpus[rank].empty())
            text += ", bound to CPU " + process::cpuListText(cpus[rank]);
    }
    const int threads = trial.devices.cpu.threads;
    return text + "; " + std::to_string(threads) + (threads == 1 ? " thread each" : " threads each");
}

std::string timeInWords(const schedule::SweepPlan &plan)
{
    if (!plan.seconds)
        return "unknown: no trial with the same [run] has completed in this workspace";
    const schedule::TimeBasis &basis = *plan.basis;
    return "about " + durationInWords(*plan.seconds) + ": " + std::to_string(basis.trials)
           + (basis.trials == 1 ? " trial" : " trials") + " of the sweep " + basis.sweep + " took "
           + durationInWords(basis.secondsPerTrial) + (basis.trials == 1 ? "" : " each");
}

/// "gpu1, gpu2"
std::string leftOutInWords(const std::vector<std::string> &machines)
{
    std::string names;
    for (const std::string &machine : machines)
        names += (names.empty() ? "" : ", ") + (machine == sweep::allMachines ? "the other machines" : machine);
    return names;
}

/// What is wrong with the machine and its GPUs.
std::string noteOf(const schedule::MachineNow &machine)
{
    return machine.note + (machine.note.empty() || machine.conditions.empty() ? "" : ". ")
           + wording::sentences(machine.conditions);
}

void print(const PlanOptions &options, const schedule::SweepPlan &plan, const schedule::MachineNow &machine,
           bool isPacked)
{
    std::cout << options.file << ": ";
    if (plan.hasNoEnd)
        std::cout << "a search without a number of trials";
    else
        std::cout << plan.trials << (plan.trials == 1 ? " trial" : " trials");
    if (plan.planned.empty() && !plan.leftOut.empty())
        std::cout << '\n';
    else if (plan.planned.empty())
        std::cout << ", and none would start now\n";
    else
        std::cout << ", " << plan.atOnce << " at once"
                  << (plan.leftOut.empty() ? "\n" : " on the connected machines\n");
    for (std::size_t i = 0; i < std::min(plan.planned.size(), mostLines); ++i) {
        const schedule::PlannedTrial &trial = plan.planned[i];
        std::cout << "  trial " << trial.number << "  "
                  << (trial.after == 0 ? std::string("immediately") : "after trial " + std::to_string(trial.after));
        if (const std::string parameters = trial.parameters ? parametersInWords(*trial.parameters) : "";
            !parameters.empty())
            std::cout << "  " << parameters;
        std::cout << "\n    " << devicesInWords(trial, machine) << '\n';
        if (trial.devices.group)
            std::cout << "    " << wording::clause(trial.devices.group) << '\n';
    }
    if (!plan.planned.empty() && plan.trials > std::min(plan.planned.size(), mostLines))
        std::cout << "  and " << plan.trials - std::min(plan.planned.size(), mostLines) << " more\n";
    if (std::ranges::any_of(plan.planned, [](const auto &trial) { return !trial.parameters; }))
        std::cout << "The search chooses parameters while the sweep runs; to see its first points: sweepctl suggest "
                  << options.file << " --count 10\n";
    if (!plan.leftOut.empty())
        std::cout << (plan.planned.empty() ? "Trials run on " : "Trials also run on ") << leftOutInWords(plan.leftOut)
                  << ", which this plan does not include: no engine is connected there.\n";
    if (isPacked)
        std::cout
            << "Trials run alone on their GPUs until the memory use of one is measured. Then as many share a GPU as "
               "fit.\n";
    if (plan.waiting)
        std::cout << "Trial " << plan.waiting->number << ": " << wording::clause(plan.waiting->reason) << '\n';
    for (std::size_t i = 0; i < plan.held.size(); ++i)
        std::cout << (i == 0 ? "Now: " : "     ") << wording::clause(plan.held[i]) << '\n';
    if (plan.leftOut.empty())
        std::cout << "Time: " << timeInWords(plan) << '\n';
    if (const std::string note = noteOf(machine); !note.empty())
        std::cout << note << '\n';
}

Json toJson(const schedule::PlannedTrial &trial)
{
    Json parameters = trial.parameters ? Json::object() : Json(nullptr);
    for (const auto &[name, value] : trial.parameters.value_or(sweep::ParameterSet()))
        std::visit([&parameters, &key = name](const auto &plain) { parameters[key] = plain; }, value);
    Json cpus = Json::array();
    for (const std::vector<int> &list : trial.devices.cpu.cpus)
        cpus.push_back(list.empty() ? Json(nullptr) : Json(process::cpuListText(list)));
    return {{"number", trial.number},
            {"parameters", std::move(parameters)},
            {"after_trial", trial.after == 0 ? Json(nullptr) : Json(trial.after)},
            {"devices", trial.devices.perRank},
            {"simulated", trial.devices.simulated},
            {"device_group", reasonJson(trial.devices.group)},
            {"cpus", std::move(cpus)},
            {"omp_threads", trial.devices.cpu.threads}};
}

void printJson(const schedule::SweepPlan &plan, const schedule::MachineNow &machine,
               const Expected<schedule::MemoryPlan> &memory)
{
    Json trials = Json::array();
    for (const schedule::PlannedTrial &trial : plan.planned)
        trials.push_back(toJson(trial));
    Json held = Json::array();
    for (const facts::Fact &fact : plan.held)
        held.push_back(reasonJson(fact));
    const Json json{
        {"trials_total", plan.hasNoEnd ? Json(nullptr) : Json(plan.trials)},
        {"at_once", plan.atOnce},
        {"trials", std::move(trials)},
        {"held", std::move(held)},
        {"waiting", plan.waiting ? Json{{"trial", plan.waiting->number}, {"reason", reasonJson(plan.waiting->reason)}}
                                 : Json(nullptr)},
        {"seconds", plan.seconds ? Json(*plan.seconds) : Json(nullptr)},
        {"seconds_from", plan.basis ? Json{{"sweep", plan.basis->sweep},
                                           {"trials", plan.basis->trials},
                                           {"seconds_per_trial", plan.basis->secondsPerTrial}}
                                    : Json(nullptr)},
        {"machines_left_out", plan.leftOut},
        {"memory", memory ? memoryJson(*memory) : Json(nullptr)},
        {"note", noteOf(machine)}};
    std::cout << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

int plan(const PlanOptions &options)
{
    const std::optional<SweepInput> input = readSweepInput(options.file, {}, options.workspace);
    if (!input)
        return badInput;
    const Expected<StoredSweeps> stored = StoredSweeps::open(options.workspace);
    if (input->cluster)
        return planOnCluster(*input, options.file, basisIn(stored, input->spec), options.json);
    schedule::MachineNow machine = schedule::readMachine();
    if (sweep::usesOtherMachines(input->spec.devices))
        machine.others = remote::knownMachines(readOtherMachines(options.workspace).machines);
    std::error_code unknown;
    const tl::expected<schedule::SweepPlan, facts::Fact> plan =
        schedule::planSweep(input->spec, machine, basisIn(stored, input->spec), options.json ? mostInJson : mostLines,
                            std::filesystem::weakly_canonical(options.workspace, unknown));
    if (!plan) {
        std::cerr << wording::sentence(plan.error()) << '\n';
        return badInput;
    }
    if (!options.json)
        print(options, *plan, machine, schedule::mayPack(input->spec, machine.devices));
    const std::atomic<bool> cancelled = false;
    const auto measure = schedule::measurementBy(workerProgram(), input->spec, input->baseFolder, cancelled);
    const Expected<schedule::MemoryPlan> memory = schedule::planMemory(input->spec, machine, *plan, measure);
    if (options.json)
        printJson(*plan, machine, memory);
    else if (memory)
        std::cout << memoryInWords(*memory) << fastestInWords(stored ? &*stored : nullptr, input->spec);
    else if (memory.error().code != ErrorCode::Unsupported)
        std::cout << "Memory: unknown: " << memory.error().message << '\n';
    return good;
}

}  // namespace

Subcommand makePlanCommand(CLI::App &app)
{
    auto options = std::make_shared<PlanOptions>();
    CLI::App *command = app.add_subcommand(
        "plan", "Preview the schedule: devices of each trial, how many run at once, the duration, and the memory");
    command->add_option("FILE", options->file, "Sweep file (TOML)")->required()->type_name("");
    command->add_flag("--json", options->json, "Print JSON; unknown values are null");
    addWorkspaceOption(*command, options->workspace);
    command->footer(
        "Uses the scheduler of the engine and the current state of this machine, and of others that a running "
        "engine is\n"
        "connected to. Assumes that devices in use stay in use, and that all trials take equally long. "
        "Starts no trial. For the built-in worker, "
        "measures the\n"
        "memory of a few training steps on the CPU.\n"
        "\n"
        "Example:\n"
        "  sweepctl plan digits-mlp.toml");
    return {command, [options] { return plan(*options); }};
}

}  // namespace sweepscope::ctl
