#include "schedule/sweepplan.h"
#include "sweep/budgetuse.h"
#include "sweep/sweepfile.h"
#include "sweep/trialplan.h"
#include "wording/sentence.h"

#include "clients/fakenvml/fakedriver.h"

#include <doctest/doctest.h>
#include <unistd.h>

using namespace sweepscope;
using namespace sweepscope::device;
using namespace sweepscope::schedule;

namespace {

std::string waitsFor(const SweepPlan &plan)
{
    return plan.waiting ? wording::clause(plan.waiting->reason) : std::string();
}

std::vector<std::string> wordsOf(const facts::Facts &facts)
{
    std::vector<std::string> words;
    for (const facts::Fact &fact : facts)
        words.push_back(wording::clause(fact));
    return words;
}

sweep::SweepSpec specWith(const std::string &devices, int trials, const std::string &run = "ranks = 2\n")
{
    const auto parsed = sweep::parseSweep("[sweep]\nname = \"planned\"\nobjective = \"loss\"\n[space]\nn = { int = [1, "
                                          + std::to_string(trials) + "] }\n[run]\ncommand = [\"true\", \"{n}\"]\n" + run
                                          + "[devices]\n" + devices);
    REQUIRE(parsed.problems.empty());
    return parsed.spec;
}

/// Four GPUs, connected in pairs: 0 with 2, 1 with 3.
MachineNow fourGpus()
{
    MachineNow machine;
    for (int i = 0; i < 4; ++i)
        machine.devices.push_back({"GPU-" + std::to_string(i), Kind::Gpu, i, "H200", 1000});
    machine.topology.set("GPU-0", "GPU-2", {GpuPath::NvLink, 4});
    machine.topology.set("GPU-1", "GPU-3", {GpuPath::NvLink, 4});
    return machine;
}

sweep::TrialRecord completed(double seconds)
{
    sweep::TrialRecord trial;
    trial.state = sweep::TrialState::Completed;
    trial.attemptStarted = 1;
    trial.ended = 1 + static_cast<WallNs>(seconds * 1e9);
    return trial;
}

FinishedSweep finished(const std::string &name, const sweep::SweepSpec &spec, const std::vector<double> &seconds)
{
    FinishedSweep sweep;
    sweep.first.name = name;
    sweep.first.toml = sweep::toToml(spec);
    for (const double each : seconds)
        sweep.second.push_back(completed(each));
    return sweep;
}

sweep::EditPlan editOf(const SweepSoFar &soFar, const sweep::SweepSpec &after, const sweep::BudgetUse &used = {})
{
    std::vector<const sweep::TrialRecord *> trials;
    for (const sweep::TrialRecord &trial : soFar.trials)
        trials.push_back(&trial);
    auto plan = sweep::planEdit(soFar.spec, after, trials, sweep::spentBudget(after.budget, used));
    REQUIRE(plan.has_value());
    return std::move(*plan);
}

/// Of six trials the first has completed in 100 s, the second is at a quarter of that, the third at three quarters.
SweepSoFar twoOfSixRun()
{
    SweepSoFar soFar{specWith("kind = \"gpu\"\nconcurrent = 2\n", 6), {}, {}, WallNs{1'000'000'000'000}};
    const Expected<std::vector<sweep::TrialPlan>> plans = sweep::planTrials(soFar.spec);
    REQUIRE(plans.has_value());
    for (const sweep::TrialPlan &plan : *plans) {
        sweep::TrialRecord trial;
        trial.number = plan.number;
        trial.parameters = plan.parameters;
        trial.ranks = plan.ranks;
        soFar.trials.push_back(trial);
    }
    soFar.trials[0].state = sweep::TrialState::Completed;
    soFar.trials[0].attemptStarted = soFar.now - 300'000'000'000;
    soFar.trials[0].ended = soFar.now - 200'000'000'000;
    const auto run = [&](std::size_t at, std::vector<std::string> devices, WallNs seconds) {
        soFar.trials[at].state = sweep::TrialState::Running;
        soFar.trials[at].attempts = 1;
        soFar.trials[at].devices = std::move(devices);
        soFar.trials[at].attemptStarted = soFar.now - seconds * 1'000'000'000;
    };
    run(1, {"GPU-0", "GPU-2"}, 25);
    run(2, {"GPU-1", "GPU-3"}, 75);
    soFar.edit = editOf(soFar, soFar.spec);
    return soFar;
}

}  // namespace

TEST_CASE("the plan of a search has no parameters, which are chosen while it runs")
{
    sweep::SweepSpec spec = specWith("kind = \"gpu\"\nconcurrent = 2\n", 6);
    spec.method = sweep::SearchMethod::Tpe;
    spec.trials = 4;
    const auto plan = planSweep(spec, fourGpus(), std::nullopt);
    REQUIRE(plan.has_value());
    REQUIRE(plan->planned.size() == 4);
    for (const PlannedTrial &trial : plan->planned)
        CHECK_FALSE(trial.parameters.has_value());
}

TEST_CASE("trials are planned on other machines that are known")
{
    MachineNow machine = fourGpus();
    OtherMachine &gpu1 = machine.others["gpu1"];
    for (int i = 0; i < 4; ++i)
        gpu1.devices.push_back({"GPU-" + std::to_string(i) + "@gpu1", Kind::Gpu, i, "H200", 1000});
    gpu1.taken["5:1"] = {"GPU-0@gpu1"};
    gpu1.states["GPU-1@gpu1"].unusable = facts::Code::GpuLost;
    const std::string all = "kind = \"gpu\"\nconcurrent = 9\nmachines = ";
    const auto plan = planSweep(specWith(all + "[\"gpu1\", \"localhost\"]\n", 5), machine, TimeBasis{10, 1, "digits"});
    REQUIRE(plan.has_value());
    CHECK(plan->leftOut.empty());
    CHECK(plan->atOnce == 3);
    REQUIRE(plan->planned.size() == 5);
    CHECK(plan->planned[0].devices.machine == "gpu1");
    CHECK(plan->planned[0].devices.all() == std::vector<std::string>{"GPU-2@gpu1", "GPU-3@gpu1"});
    CHECK(plan->planned[1].devices.machine.empty());
    CHECK(plan->planned[3].after == 1);
    CHECK(plan->planned[3].devices.machine == "gpu1");
    CHECK(plan->seconds == 20);
    CHECK(planSweep(specWith(all + "[\"*\"]\n", 5), machine, std::nullopt)->atOnce == 3);
    gpu1.concurrent = 1;
    CHECK_MESSAGE(planSweep(specWith(all + "[\"*\"]\n", 5), machine, std::nullopt)->atOnce == 2, "it has one trial");

    // Another one is not connected.
    machine.others["gpu2"];
    const auto part = planSweep(specWith(all + "[\"*\"]\n", 5), machine, TimeBasis{10, 1, "digits"});
    REQUIRE(part.has_value());
    CHECK(part->leftOut == std::vector<std::string>{"gpu2"});
    CHECK(part->planned.size() == 5);
    CHECK_FALSE(part->seconds.has_value());
}

TEST_CASE("a trial that spans machines is planned on all of them")
{
    MachineNow machine = fourGpus();
    for (const char *name : {"gpu1", "gpu2"}) {
        for (int i = 0; i < 2; ++i)
            machine.others[name].devices.push_back(
                {"GPU-" + std::to_string(i) + "@" + name, Kind::Gpu, i, "H200", 1000});
    }
    const auto plan =
        planSweep(specWith("kind = \"gpu\"\nnodes = 2\nmachines = [\"gpu1\", \"gpu2\"]\n", 2, "ranks = 4\n"), machine,
                  std::nullopt);
    REQUIRE(plan.has_value());
    REQUIRE(plan->planned.size() == 2);
    CHECK(plan->planned[0].devices.nodes == std::vector<std::string>{"gpu1", "gpu2"});
    CHECK(plan->planned[1].after == 1);
}

TEST_CASE("machines that are not known are no part of a plan, which names them")
{
    const auto both = planSweep(specWith("kind = \"gpu\"\nconcurrent = 2\nmachines = [\"gpu1\", \"localhost\"]\n", 2),
                                fourGpus(), TimeBasis{10, 1, "digits"});
    REQUIRE(both.has_value());
    CHECK(both->leftOut == std::vector<std::string>{"gpu1"});
    CHECK(both->planned.size() == 2);
    CHECK_FALSE(both->seconds.has_value());
    CHECK_FALSE(both->waiting.has_value());
    const auto there = planSweep(specWith("kind = \"gpu\"\nmachines = [\"gpu1\", \"gpu2\"]\n", 3), fourGpus(),
                                 TimeBasis{10, 1, "digits"});
    REQUIRE(there.has_value());
    CHECK(there->leftOut == std::vector<std::string>{"gpu1", "gpu2"});
    CHECK(there->planned.empty());
    CHECK(there->trials == 3);
    CHECK_FALSE(there->seconds.has_value());
    const auto notHere = planSweep(specWith("kind = \"gpu\"\nmachines = [\"*\"]\n", 2), MachineNow(), std::nullopt);
    REQUIRE_MESSAGE(notHere.has_value(), "another machine may have GPUs");
    CHECK(notHere->leftOut == std::vector<std::string>{"*"});
    CHECK(notHere->planned.empty());
}

TEST_CASE("the plan shows each trial's devices, and when the next one starts")
{
    const auto plan = planSweep(specWith("kind = \"gpu\"\nconcurrent = 3\n", 5), fourGpus(), std::nullopt);
    REQUIRE(plan.has_value());
    CHECK(plan->trials == 5);
    CHECK(plan->atOnce == 2);
    REQUIRE(plan->planned.size() == 5);
    CHECK(plan->planned[0].after == 0);
    CHECK(plan->planned[0].devices.all() == std::vector<std::string>{"GPU-0", "GPU-2"});
    CHECK(plan->planned[0].devices.group.integer(facts::Field::Links) == 4);
    CHECK(plan->planned[1].after == 0);
    CHECK(plan->planned[1].devices.all() == std::vector<std::string>{"GPU-1", "GPU-3"});
    CHECK(plan->planned[2].after == 1);
    CHECK(plan->planned[3].after == 2);
    CHECK(plan->planned[4].after == 3);
    CHECK(plan->planned[4].parameters == sweep::ParameterSet{{"n", std::int64_t{5}}});
    CHECK(waitsFor(*plan) == "waits for 2 of 4 GPUs: 4 are in use");
    CHECK_FALSE(plan->seconds.has_value());
    const auto one = planSweep(specWith("kind = \"gpu\"\n", 3), fourGpus(), std::nullopt);
    CHECK(one->atOnce == 1);
    CHECK(one->waiting->reason == facts::Fact(facts::Code::ConcurrencyLimit).with(facts::Field::Limit, 1));
}

TEST_CASE("devices in use by others are not planned, and are the reason if no trial could start")
{
    MachineNow machine = fourGpus();
    machine.leases["GPU-0"] = {{4711, "anna", "/home/anna/ws", {"digits", 3}}};
    machine.states["GPU-1"].foreign = usedBy({1, 0, DeviceProcess{99, "ben", std::nullopt, std::nullopt, true}});
    const auto plan = planSweep(specWith("kind = \"gpu\"\nconcurrent = 3\n", 4), machine, std::nullopt);
    REQUIRE(plan.has_value());
    CHECK(plan->atOnce == 1);
    CHECK(plan->planned.front().devices.all() == std::vector<std::string>{"GPU-2", "GPU-3"});
    machine.states["GPU-2"].unusable = facts::Code::GpuLost;
    const auto none = planSweep(specWith("kind = \"gpu\"\n", 4), machine, TimeBasis{10, 1, "digits"});
    REQUIRE(none.has_value());
    CHECK(none->planned.empty());
    CHECK(none->waiting->number == 1);
    const facts::Facts &causes = none->waiting->reason.because;
    REQUIRE(causes.size() == 3);
    CHECK(causes[0].code == facts::Code::GpuLeased);
    CHECK(causes[0].because.at(0).text(facts::Field::Workspace) == "/home/anna/ws");
    CHECK(causes[1].code == facts::Code::GpuUsed);
    CHECK(causes[1].integer(facts::Field::Pid) == 99);
    CHECK(causes[2].code == facts::Code::GpuLost);
    CHECK_FALSE(none->seconds.has_value());
    CHECK_MESSAGE(!planSweep(specWith("kind = \"gpu\"\n", 2, "ranks = 5\n"), machine, std::nullopt).has_value(),
                  "it can never run here");
}

TEST_CASE("other holders are named, even if there are free devices")
{
    MachineNow machine = fourGpus();
    machine.leases["GPU-0"] = {{4711, "anna", "/home/anna/ws", {"digits", 3}}};
    machine.leases["GPU-1"] = {{4712, "ben", "/home/ben/ws", {"lm", 1}}};
    const auto plan = planSweep(specWith("kind = \"gpu\"\n", 4), machine, std::nullopt);
    REQUIRE(plan.has_value());
    REQUIRE(!plan->planned.empty());
    CHECK(plan->planned.front().devices.all() == std::vector<std::string>{"GPU-2", "GPU-3"});
    CHECK(wordsOf(plan->held)
          == std::vector<std::string>{
              "GPU 0 is leased to digits, trial 3 of anna (process 4711, workspace /home/anna/ws)",
              "GPU 1 is leased to lm, trial 1 of ben (process 4712, workspace /home/ben/ws)"});
    const auto pinned = planSweep(specWith("kind = \"gpu\"\npin = [\"2\", \"3\"]\n", 4), machine, std::nullopt);
    CHECK_MESSAGE(pinned->held.empty(), "it may not have those");
    machine.leases["GPU-2"] = machine.leases["GPU-1"];
    const auto none = planSweep(specWith("kind = \"gpu\"\n", 4), machine, std::nullopt);
    CHECK(none->planned.empty());
    CHECK(none->waiting->number == 1);
    CHECK(waitsFor(*none)
          == "waits for 2 of 4 GPUs: GPU 0 is leased to digits, trial 3 of anna (process 4711, workspace "
             "/home/anna/ws); GPU 1 is leased to lm, trial 1 of ben (process 4712, workspace /home/ben/ws); GPU 2 is "
             "leased to lm, trial 1 of ben (process 4712, workspace /home/ben/ws)");
}

TEST_CASE("CPU slots in use by others are named, but not waited for")
{
    MachineNow machine;
    for (int i = 0; i < 4; ++i)
        machine.devices.push_back({"cpu:" + std::to_string(i), Kind::Cpu, i, "core", 0, false});
    machine.cpuUses = {{{4711, "anna", "/home/anna/ws", {"digits", 3}}, {0, 1, 2}}};
    const sweep::SweepSpec spec = specWith("kind = \"cpu\"\nconcurrent = 4\n", 4);
    const auto plan = planSweep(spec, machine, std::nullopt);
    REQUIRE(plan.has_value());
    CHECK(plan->atOnce == 2);
    CHECK(wordsOf(plan->held)
          == std::vector<std::string>{
              "3 CPU slots are used by digits, trial 3 of anna (process 4711, workspace /home/anna/ws)"});
    REQUIRE(!plan->planned.empty());
    CHECK(plan->planned.front().devices.all() == std::vector<std::string>{"cpu:3", "cpu:0"});
}

TEST_CASE("CPU slots in use by another sweep of the workspace are unavailable")
{
    MachineNow machine;
    for (int i = 0; i < 4; ++i)
        machine.devices.push_back({"cpu:" + std::to_string(i), Kind::Cpu, i, "core", 0, false});
    machine.cpuUses = {{{4711, "anna", "/home/anna/ws", {"digits", 3}}, {0, 1, 2}}};
    const sweep::SweepSpec spec = specWith("kind = \"cpu\"\nconcurrent = 1\n", 4);
    const auto others = planSweep(spec, machine, std::nullopt, 100, "/home/ben/ws");
    REQUIRE(others.has_value());
    CHECK(others->planned.size() == 4);
    const auto own = planSweep(spec, machine, std::nullopt, 100, "/home/anna/ws");
    REQUIRE(own.has_value());
    CHECK(own->planned.empty());
    CHECK(waitsFor(*own) == "waits for 2 of 4 CPU slots: 3 are in use");
    CHECK(own->held == others->held);
}

TEST_CASE("a running sweep keeps the devices of its trials, and only the remaining trials are planned")
{
    const SweepSoFar soFar = twoOfSixRun();
    MachineNow machine = fourGpus();
    for (const std::string gpu : {"GPU-0", "GPU-2"})
        machine.leases[gpu] = {{4711, "anna", "/home/anna/ws", {"planned", 2}}};
    for (const std::string gpu : {"GPU-1", "GPU-3"})
        machine.leases[gpu] = {{4712, "anna", "/home/anna/ws", {"planned", 3}}};
    machine.cpuUses = {{{4711, "anna", "/home/anna/ws", {"planned", 2}}, {}, {{0, 1}, {2, 3}}}};
    const auto plan = planSweep(soFar.spec, machine, ownTimeBasis(soFar.spec, soFar), 100, "/home/anna/ws", soFar);
    REQUIRE(plan.has_value());
    CHECK(plan->isUnderWay);
    CHECK(plan->trials == 5);
    CHECK(plan->atOnce == 2);
    CHECK(plan->held.empty());
    REQUIRE(plan->planned.size() == 5);
    CHECK(plan->planned[0].number == 2);
    CHECK(plan->planned[0].isThere);
    CHECK(plan->planned[0].devices.perRank == std::vector<std::vector<std::string>>{{"GPU-0"}, {"GPU-2"}});
    CHECK(plan->planned[0].devices.cpu.cpus == machine.cpuUses[0].cpus);
    CHECK(plan->planned[2].number == 4);
    CHECK(plan->planned[2].after == 3);  // which ends sooner
    CHECK(plan->planned[3].after == 2);
    CHECK(plan->seconds == doctest::Approx(25 + 100 + 100));

    const auto anew = planSweep(soFar.spec, machine, std::nullopt, 100, "/home/anna/ws");
    REQUIRE(anew.has_value());
    CHECK(anew->planned.empty());
    machine.leases["GPU-1"][0].trial.sweep = "other";
    const auto withOther = planSweep(soFar.spec, machine, std::nullopt, 100, "/home/anna/ws", soFar);
    REQUIRE(withOther.has_value());
    REQUIRE(withOther->held.size() == 1);
    CHECK(wordsOf(withOther->held)[0].starts_with("GPU 1 is leased to other, trial 3"));
}

TEST_CASE("another definition of a running sweep adds trials and removes queued ones")
{
    SweepSoFar soFar = twoOfSixRun();
    const auto numbers = [&](const sweep::SweepSpec &after, const sweep::BudgetUse &used = {}) {
        std::vector<int> found;
        soFar.edit = editOf(soFar, after, used);
        const auto plan = planSweep(after, fourGpus(), std::nullopt, 100, {}, soFar);
        REQUIRE(plan.has_value());
        for (const PlannedTrial &trial : plan->planned)
            found.push_back(trial.number);
        return found;
    };
    CHECK(numbers(specWith("kind = \"gpu\"\nconcurrent = 2\n", 8)) == std::vector{2, 3, 4, 5, 6, 7, 8});
    CHECK(numbers(specWith("kind = \"gpu\"\nconcurrent = 2\n", 4)) == std::vector{2, 3, 4});

    sweep::TrialRecord &enqueued = soFar.trials.emplace_back();
    enqueued.number = 7;
    enqueued.parameters = {{"n", std::int64_t{99}}};
    enqueued.ranks = 2;
    enqueued.priority = 1;
    enqueued.enqueued = true;
    CHECK(numbers(specWith("kind = \"gpu\"\nconcurrent = 2\n", 4)) == std::vector{2, 3, 7, 4});
    sweep::SweepSpec spent = soFar.spec;
    spent.budget = sweep::BudgetSection{std::chrono::seconds(60), std::nullopt};
    CHECK(numbers(spent, {60'000'000'000, 0}) == std::vector{2, 3});
}

TEST_CASE("a frozen trial keeps its devices for an unknown time")
{
    SweepSoFar soFar = twoOfSixRun();
    soFar.trials[1].state = sweep::TrialState::Paused;
    soFar.trials[2].state = sweep::TrialState::Paused;
    const auto plan = planSweep(soFar.spec, fourGpus(), ownTimeBasis(soFar.spec, soFar), 100, {}, soFar);
    REQUIRE(plan.has_value());
    CHECK(plan->planned.size() == 2);
    CHECK(plan->waiting->reason.integer(facts::Field::Limit) == 2);
    CHECK_FALSE(plan->seconds.has_value());
}

TEST_CASE("only the first of many trials are listed individually")
{
    const auto plan =
        planSweep(specWith("kind = \"gpu\"\nconcurrent = 2\n", 100'000), fourGpus(), TimeBasis{60, 5, "digits"}, 10);
    REQUIRE(plan.has_value());
    CHECK(plan->trials == 100'000);
    CHECK(plan->planned.size() == 10);
    CHECK(plan->seconds == doctest::Approx(60.0 * 50'000));
}

TEST_CASE("the duration is that of equal earlier trials, otherwise unknown")
{
    const sweep::SweepSpec spec = specWith("kind = \"gpu\"\nconcurrent = 2\n", 4);
    const sweep::SweepSpec other = specWith("kind = \"gpu\"\n", 4, "ranks = 1\n");
    CHECK_FALSE(timeBasis(spec, {}).has_value());
    CHECK_FALSE(timeBasis(spec, {finished("other", other, {5})}).has_value());
    CHECK_FALSE(timeBasis(spec, {finished("same", spec, {})}).has_value());
    const auto basis = timeBasis(spec, {finished("first", spec, {1, 1, 1}), finished("second", spec, {30, 10, 20}),
                                        finished("other", other, {5})});
    REQUIRE(basis.has_value());
    CHECK(basis->sweep == "second");
    CHECK(basis->trials == 3);
    CHECK(basis->secondsPerTrial == doctest::Approx(20));
    const auto plan = planSweep(spec, fourGpus(), basis);
    CHECK(plan->seconds == doctest::Approx(40));
}

TEST_CASE("the machine is read with its topology, its leases and their holders")
{
    char name[] = "/tmp/sweepscope-leases-XXXXXX";
    const std::filesystem::path folder = ::mkdtemp(name);
    const Variable where("SWEEPSCOPE_LEASE_FOLDER", folder / "leases");
    const FakeDriver driver(R"({"paths": [["GPU-a", "GPU-b", 10]], "gpus": [
      {"uuid": "GPU-a", "memory": 1000, "processes": [{"pid": 1, "memory": 10}]},
      {"uuid": "GPU-b", "memory": 1000, "processes": [{"pid": 1, "memory": 10}, {"pid": 4000001, "memory": 90}]}]})");
    LeaseFolder leases(folder / "leases", "/home/anna/ws");
    auto taking = leases.begin();
    REQUIRE(taking.has_value());
    const auto lease = (*taking)->take("GPU-a", false);
    REQUIRE(lease.has_value());
    leases.sign(*lease, ::getpid(), {"digits", 3});
    const auto note = (*taking)->noteCpus({{0, {}, {}, {"digits", 3}}, {0}, {}});
    taking->reset();

    const MachineNow machine = readMachine();
    CHECK(machine.topology.between("GPU-a", "GPU-b").path == GpuPath::Switch);
    REQUIRE(machine.leases.contains("GPU-a"));
    CHECK(machine.leases.at("GPU-a").front().trial == TrialName{"digits", 3});
    CHECK_FALSE(machine.leases.contains("GPU-b"));
    CHECK_MESSAGE(machine.states.at("GPU-a").foreign == facts::Fact(), "it is leased: that says more");
    CHECK(machine.states.at("GPU-b").foreign.code == facts::Code::GpuUsed);
    REQUIRE(machine.cpuUses.size() == 1);
    CHECK(machine.cpuUses.front().slots == std::vector<int>{0});
    CHECK_MESSAGE((*leases.begin())->take("GPU-b", false).has_value(), "a look takes nothing");
    std::filesystem::remove_all(folder);
}
