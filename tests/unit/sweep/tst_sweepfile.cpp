// Parsing sweep files.
#include "sweepfiletext.h"

#include "sweep/trialplan.h"

#include <doctest/doctest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

using namespace sweepscope;
using namespace sweepscope::sweep;
using namespace sweepscope::tests;

TEST_CASE("the shortest sweep file needs a name, an objective and a run section")
{
    const ParsedSweep parsed = parseSweep("[sweep]\nname = \"t\"\nobjective = \"val_loss\"\n[run]\n");
    INFO(textOf(parsed));
    CHECK(parsed.problems.empty());
    CHECK((parsed.spec.run.worker == WorkerKind::Builtin));
    CHECK(countTrials(parsed.spec).value() == 1);

    CHECK(textOf(parseSweep(""))
          == "f.toml:1:1: run: is missing: add a section [run] with worker = \"builtin\" or command = "
             "[\"python3\", \"train.py\"]\n"
             "f.toml:1:1: sweep.name: is missing: give the sweep a name, e.g. digits-mlp\n"
             "f.toml:1:1: sweep.objective: is missing: name the series to compare trials by, e.g. val_loss\n");
}

TEST_CASE("a file that is too long is not parsed")
{
    const std::string longest = std::string(mostSweepFileBytes, '#');
    CHECK(parseSweep(longest).problems.size() > 1);  // everything that a sweep needs is missing
    const ParsedSweep parsed = parseSweep(longest + "#");
    REQUIRE(parsed.problems.size() == 1);
    CHECK(parsed.problems.front().message.find("1 MiB") != std::string::npos);
}

TEST_CASE("parameters keep the order of the file, whatever their names")
{
    const ParsedSweep parsed = parseSweep(withCommand("b = [1, 2]\na = [1, 2]\nseed = [1, 2]\nranks = [1, 2]\n"));
    REQUIRE(parsed.spec.space.size() == 4);
    CHECK(parsed.spec.space[0].name == "b");
    CHECK(parsed.spec.space[1].name == "a");
    CHECK(parsed.spec.space[2].name == "seed");
    CHECK(parsed.spec.space[3].name == "ranks");
    CHECK(textOf(parsed)
          == "f.toml:11:8: space.seed: is not used by the command, which uses other parameters, so its trials would be "
             "identical: add {seed} to the command or the environment, or remove it\n");
}

TEST_CASE("a command without placeholders reads the parameters itself")
{
    const std::string space = "[sweep]\nname = \"a\"\nobjective = \"loss\"\n[space]\nlr = [0.1, 0.2]\nranks = [1, 2]\n";
    CHECK(parseSweep(space + "[run]\ncommand = [\"python3\", \"train.py\"]\n").problems.empty());
    CHECK(parseSweep(space + "[run]\ncommand = [\"train\", \"{ranks}\", \"{seed}\"]\n").problems.empty());
    const ParsedSweep one = parseSweep(space + "wd = [0, 1]\n[run]\ncommand = [\"train\", \"{lr}\"]\n");
    REQUIRE(one.problems.size() == 1);
    CHECK(contains(one.problems[0].message, "add {wd} to the command"));
}

TEST_CASE("the reaction to failed and hanging attempts is read")
{
    const ParsedSweep parsed =
        parseSweep("[sweep]\nname = \"t\"\nobjective = \"val_loss\"\n[run]\nhang_factor = 3\nhang_after = \"2m\"\n"
                   "exit_grace = 0\n[run.retry]\nout_of_memory = { times = 2, wait = \"10s\" }\nhang = 0\n");
    INFO(textOf(parsed));
    REQUIRE(parsed.problems.empty());
    const AttemptPolicy &policy = parsed.spec.run.policy;
    CHECK(policy.hangFactor == 3);
    CHECK(policy.hangAfter == std::chrono::minutes(2));
    CHECK(policy.exitGrace == std::chrono::seconds(0));
    CHECK(policy.retry.at("out_of_memory") == RetryRule{2, std::chrono::seconds(10)});
    CHECK(policy.retry.at("hang") == RetryRule{0, {}});
}

TEST_CASE("the metrics section is read")
{
    const ParsedSweep parsed =
        parseSweep("[sweep]\nname = \"t\"\nobjective = \"loss\"\n[run]\ncommand = [\"a\"]\n"
                   "[run.metrics]\nranks = \"all\"\nstep = 'epoch (\\d+)'\nseries = { loss = 'loss=(\\S+)' }\n");
    INFO(textOf(parsed));
    REQUIRE(parsed.problems.empty());
    REQUIRE(parsed.spec.run.metrics.has_value());
    CHECK(parsed.spec.run.metrics->format == OutputFormat::Text);
    CHECK(parsed.spec.run.metrics->everyRank);
    CHECK(parsed.spec.run.metrics->step == "epoch (\\d+)");
    CHECK(parsed.spec.run.metrics->series.at("loss") == "loss=(\\S+)");

    const ParsedSweep json = parseSweep("[sweep]\nname = \"t\"\nobjective = \"loss\"\n[run]\ncommand = [\"a\"]\n"
                                        "metrics = { format = \"json\", step = \"epoch\" }\n");
    INFO(textOf(json));
    CHECK(json.problems.empty());
    CHECK(json.spec.run.metrics->format == OutputFormat::Json);
}

TEST_CASE("series are read directly in the metrics section and from its table")
{
    const std::string head = "[sweep]\nname = \"t\"\nobjective = \"loss\"\n[run]\ncommand = [\"a\"]\n[run.metrics]\n";
    const ParsedSweep parsed = parseSweep(head + "loss = 'loss=(\\S+)'\nstep = 's (\\d+)'\n\"val/acc\" = 'acc (\\S+)'\n"
                                          + "[run.metrics.series]\nstep = 'x (\\S+)'\n");
    INFO(textOf(parsed));
    REQUIRE(parsed.problems.empty());
    CHECK(parsed.spec.run.metrics->step == "s (\\d+)");
    CHECK(parsed.spec.run.metrics->series
          == std::map<std::string, std::string>{
              {"loss", "loss=(\\S+)"}, {"val/acc", "acc (\\S+)"}, {"step", "x (\\S+)"}});

    const ParsedSweep usual = parseSweep(head + "format = \"auto\"\n");
    CHECK(usual.problems.empty());
    CHECK(usual.spec.run.metrics->format == OutputFormat::Auto);
}

TEST_CASE("a file is read from disk, and an unreadable one is an error")
{
    char folderName[] = "/tmp/sweepscope-sweepfile-XXXXXX";
    const std::filesystem::path folder = ::mkdtemp(folderName);
    std::ofstream(folder / "good.toml") << "[sweep]\nname = \"t\"\nobjective = \"val_loss\"\n[run]\n";
    std::ofstream(folder / "large.toml") << std::string(1024 * 1024 + 1, '#');

    CHECK(readSweepFile(folder / "good.toml")->problems.empty());
    CHECK(contains(readSweepFile(folder / "large.toml").error().message, "larger than"));
    CHECK((readSweepFile(folder / "none.toml").error().code == ErrorCode::NotFound));
    CHECK_FALSE(readSweepFile(folder).has_value());
    std::filesystem::remove_all(folder);
}

TEST_CASE("rules that end trials early are read, and their errors are reported with position")
{
    const std::string values = "a = [1, 2]\nb = [1]";
    const ParsedSweep parsed =
        parseSweep(withCommand(values, "[prune]\nmethod = \"halving\"\nfirst_step = 50\nfactor = 4\nmin_trials = 8\n"
                                       "[budget]\ntime = \"1h30m\"\ndevice_time = 7200\nenergy_kwh = 2.5"));
    INFO(textOf(parsed));
    REQUIRE(parsed.problems.empty());
    PruneSection prune;
    prune.method = PruneMethod::Halving;
    prune.firstStep = 50;
    prune.factor = 4;
    prune.minTrials = 8;
    CHECK((parsed.spec.prune == prune));
    CHECK((parsed.spec.budget == BudgetSection{std::chrono::seconds(5400), std::chrono::seconds(7200), 2.5}));

    const auto problem = [&](const std::string &section) { return onlyProblem(withCommand(values, section)); };
    CHECK(problem("[prune]").field == "prune.first_step");
    CHECK(contains(problem("[prune]\nfirst_step = -3").message, "not -3"));
    CHECK(contains(problem("[prune]\nfirst_step = 5\nmethod = \"mean\"").message, "median"));
    CHECK(problem("[prune]\nfirst_step = 5\nmethod = \"halving\"\nevery = 5").field == "prune.every");
    CHECK(problem("[prune]\nfirst_step = 5\nmethod = \"halving\"\nfactor = 1").line == 14);
    CHECK(problem("[prune]\nfirst_step = 5\nfactor = 4").field == "prune.factor");
    CHECK(problem("[prune]\nfirst_step = 5\nmethod = \"percentile\"").field == "prune.percentile");
    CHECK(problem("[prune]\nfirst_step = 5\nmethod = \"hyperband\"\nmax_step = 4").field == "prune.max_step");
    CHECK(problem("[prune]\nmethod = \"patience\"").field == "prune.patience");
    CHECK(problem("[prune]\nmethod = \"threshold\"").field == "prune.above");
    CHECK(problem("[prune]\nmethod = \"threshold\"\nabove = 1\nbelow = 1").field == "prune.above");
    for (const char *const valid : {"method = \"patience\"\npatience = 3", "method = \"threshold\"\nbelow = 0.1",
                                    "method = \"wilcoxon\"\np_value = 0.05\npatience = 2",
                                    "method = \"hyperband\"\nfirst_step = 10\nmax_step = 810\nabove = 9"})
        CHECK(parseSweep(withCommand(values, "[prune]\n" + std::string(valid))).problems.empty());
    CHECK(problem("[prune]\nfirst_step = 5\nmin_trials = 1").field == "prune.min_trials");
    CHECK(problem("[budget]").field == "budget");
    CHECK(contains(problem("[budget]\ntime = 5\nspace = 1").message, "known keys are time, device_time or energy_kwh"));
    CHECK(contains(problem("[budget]\ntime = 10000000000").message, "from 1s to 36500d"));
    CHECK(problem("[budget]\nenergy_kwh = 0").field == "budget.energy_kwh");
    CHECK(problem("[budget]\ntime = 0").field == "budget.time");
    CHECK(contains(problem("[budget]\ntime = \"150000d\"").message, "at most 36500d"));
    CHECK(problem("[budget]\ndevice_time = \"an hour\"").field == "budget.device_time");
}
