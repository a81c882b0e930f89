// The errors of sweep files, and their positions.
#include "sweepfiletext.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace sweepscope;
using namespace sweepscope::sweep;
using namespace sweepscope::tests;

TEST_CASE("reports every error in a parameter with its position")
{
    struct Case {
        const char *space;
        int column;
        const char *part;
    };
    const Case cases[] = {
        {"lr = { log = [1e-4, 1e-1], pionts = 4 }", 28, "did you mean 'points'"},
        {"lr = { log = [1e-4, 1e-1] }", 6, "has no points"},
        {"lr = { log = [1e-4, 1e-1], points = 0 }", 37, "at least 1"},
        {"lr = { log = [1e-4, 1e-1], points = -3 }", 37, "at least 1"},
        {"lr = { log = [0, 0.1], points = 3 }", 6, "greater than 0"},
        {"lr = { log = [-1.0, 0.1], points = 3 }", 6, "greater than 0"},
        {"lr = { float = [0.1, 0.01], points = 3 }", 6, "reversed range [0.1, 0.01]"},
        {"lr = { float = [0.1, 0.1], points = 3 }", 6, "empty range"},
        {"lr = { float = [0.1], points = 3 }", 16, "two ends"},
        {"lr = { float = 0.1, points = 3 }", 16, "two ends"},
        {"lr = { float = [0.1, \"x\"], points = 3 }", 22, "a string"},
        {"lr = { float = [0.1, inf], points = 3 }", 6, "finite"},
        {"lr = { float = [0.1, nan], points = 3 }", 6, "finite"},
        {"lr = { float = [0.1, 0.2], points = \"3\" }", 37, "must be an integer, not a string"},
        {"lr = { float = [0.1, 0.2], points = 2.5 }", 37, "must be an integer, not 2.5"},
        {"lr = { float = [0.1, 0.2], points = 99999999999 }", 37, "out of range"},
        {"lr = { float = [0.1, 0.2], points = 3, step = 0.05 }", 37, "both points and step"},
        {"lr = { float = [0.1, 0.2], log = [0.1, 0.2], points = 3 }", 6, "keep one"},
        {"lr = { float = [0.1, 0.2], points = 3, log = true }", 46, "write log = [min, max] for"},
        {"lr = { normal = [0.5, 0.1], points = 3, log = true }", 47, "write log_normal = [mean, deviation] for"},
        {"lr = { normal = [0.5, 0.1], step = 0.1 }", 36, "for a normal distribution use points"},
        {"lr = { values = [0.1, 0.2], step = 0.1 }", 36, "step without a range"},
        {"lr = { log = true }", 14, "write log = [min, max] for"},
        {"lr = { points = 3 }", 6, "has no values"},
        {"lr = { values = [0.1], points = 3 }", 33, "without a range"},
        {"lr = { when = \"ranks > 1\" }", 6, "has no values"},
        {"lr = {}", 6, "has no values"},
        {"lr = 0.1", 6, "several values"},
        {"lr = \"0.1\"", 6, "several values"},
        {"lr = []", 6, "no values"},
        {"lr = [0.1, \"x\"]", 6, "mixes"},
        {"lr = [0.1, [0.2]]", 12, "a list"},
        {"lr = [0.1, 2026-01-01]", 12, "a date"},
        {"lr = [0.1, 0.2, 0.1]", 6, "0.1 twice"},
        {"lr = [1, 1.0]", 6, "1 twice"},
        {"lr = [0.1, inf]", 6, "finite"},
        {"optimizer = [\"sgd\", \"sgd\"]", 13, "sgd twice"},
        {"optimizer = [\"sgd\", \"adm\"]", 13, "did you mean 'adam'"},
        {"optimizer = [1, 2]", 13, "optimizer cannot be '1'"},
        {"hidden = { int = [64, 32] }", 10, "reversed range [64, 32]"},
        {"hidden = { int = [32, 64], step = 0 }", 10, "a step of 0"},
        {"hidden = { int = [32, 64], step = -8 }", 10, "a step of -8"},
        {"hidden = { int = [32, 64.5] }", 23, "integer; for fractions use float"},
        {"hidden = { int = [0, 64] }", 10, "hidden must be an integer from 1 to 65,536, not 0"},
        {"hidden = { int = [1, 9223372036854775807] }", 22, "beyond 2^53"},
        {"hidden = { float = [1, 5], points = 3 }", 10, "takes integers"},
        {"hidden = [16, 32.5]", 10, "must be an integer from 1 to 65,536, not 16.0"},
        {"lr = [0.1, -0.1]", 6, "must be a number from 0 to 1000, not -0.1"},
        {"learning_rate = [0.1]", 17, "no setting 'learning_rate'"},
        {"epcohs = [1, 2]", 10, "did you mean 'epochs'"},
        {"\"l r\" = [0.1]", 9, "letters, digits and _"},
        {"\"\" = [0.1]", 6, "no name"},
        {"and = [0.1]", 7, "reserved in conditions"},
        {"ranks = [0, 1]", 9, "from 1 to 4096"},
        {"ranks = [1.5]", 9, "from 1 to 4096"},
        {"seed = [-1]", 8, "from 0 to 2147483647"},
        {"momentum = { values = [0.0], when = \"\" }", 37, "empty condition"},
        {"momentum = { values = [0.0], when = \"optimizer ~ 'sgd'\" }", 48, "Unexpected"},
        {"momentum = { values = [0.0], when = \"ranks > 1 and lrr > 2\" }", 52, "Did you mean \"lr\"?"},
        {"momentum = { values = [0.0], when = 3 }", 37, "must be a string, not an integer"},
    };
    for (const Case &one : cases) {
        INFO(one.space);
        const Problem problem = onlyProblem(withSpace(one.space));
        INFO(problem.message);
        CHECK(problem.line == 8);
        CHECK(problem.column == one.column);
        CHECK(contains(problem.message, one.part));
        CHECK(problem.field.rfind("space.", 0) == 0);
    }
}

TEST_CASE("reports every error in the required parts with its position")
{
    struct Case {
        const char *toml;
        const char *field;
        int line;
        int column;
        const char *part;
    };
    const Case cases[] = {
        {"[sweep]\nname = 5\nobjective = \"val_loss\"\n[run]", "sweep.name", 2, 8, "must be a string, not an integer"},
        {"[sweep]\nname = \"a/b\"\nobjective = \"val_loss\"\n[run]", "sweep.name", 2, 8, "no '/'"},
        {"[sweep]\nobjective = \"val_loss\"\n[run]", "sweep.name", 1, 1, "is missing"},
        {"[sweep]\nname = \"a\"\n[run]", "sweep.objective", 1, 1, "is missing"},
        {"[sweep]\nname = \"a\"\nobjective = \"vall_loss\"\n[run]", "sweep.objective", 3, 13,
         "did you mean 'val_loss'"},
        {"[sweep]\nname = \"a\"\nobjective = \"val_accuracy\"\n[run]", "sweep.goal", 1, 1, "goal = \"maximize\""},
        {"[sweep]\nname = \"a\"\nobjective = \"val_loss\"\ngoal = \"minimise\"\n[run]", "sweep.goal", 4, 8,
         "did you mean 'minimize'"},
        {"[sweep]\nname = \"a\"\nobjective = \"val_loss\"\nnaem = 1\n[run]", "sweep.naem", 4, 1, "did you mean 'name'"},
        {"[sweep]\nname = \"a\"\nobjective = \"val_loss\"\n", "run", 1, 1, "is missing"},
        {"run = 3\n[sweep]\nname = \"a\"\nobjective = \"val_loss\"", "run", 1, 7, "must be a section"},
        {"[sweep]\nname = \"a\"\nobjective = \"val_loss\"\n[run]\n[spaec]", "spaec", 5, 2, "did you mean 'space'"},
    };
    for (const Case &one : cases) {
        INFO(one.toml);
        const Problem problem = onlyProblem(one.toml);
        INFO(problem.message);
        CHECK(problem.field == one.field);
        CHECK(problem.line == one.line);
        CHECK(problem.column == one.column);
        CHECK(contains(problem.message, one.part));
    }
}

TEST_CASE("reports every error in search, devices and constraints with its position")
{
    struct Case {
        const char *rest;
        const char *field;
        int column;
        const char *part;
    };
    const Case cases[] = {
        {"[search]\nmethod = \"anneal\"", "search.method", 10,
         "cannot be 'anneal': it can be grid, random, sobol, tpe, gp, cmaes, nsga2, pbt, auto, command or optuna"},
        {"[search]\nmethod = \"tpe\"", "search.trials", 1, "the search needs an end"},
        {"[search]\nmethod = \"sobol\"\n[stop]\n", "stop", 1, "has no rule: add a target"},
        {"[search]\nmethod = \"tpe\"\n[stop]\nmin_improvement = 0.1", "stop.min_improvement", 19, "use the method gp"},
        {"[search]\nmethod = \"gp\"\n[stop]\nmin_improvement = 0.0", "stop.min_improvement", 19, "must be above 0"},
        {"[stop]\npatience = 0", "stop.patience", 12, "from 1 to"},
        {"[stop]\ntarget = nan", "stop.target", 10, "must be a number"},
        {"[search]\nmethod = \"gird\"", "search.method", 10, "did you mean 'grid'"},
        {"[search]\nmethod = 3", "search.method", 10, "must be a string, not an integer"},
        {"[search]\nseed = -1", "search.seed", 8, "must be an integer of at least 0, not -1"},
        {"[search]\nmethod = \"grid\"\ntrials = 5", "search.trials", 10, "does not apply to a grid"},
        {"[search]\ntrials = 0", "search.trials", 10, "of at least 1, not 0"},
        {"[search]\nmethod = \"random\"\n", "search.trials", 1, "the search needs an end"},
        {"[devices]\nkind = \"tpu\"", "devices.kind", 8, "auto, gpu or cpu"},
        {"[devices]\nper_rank = 0", "devices.per_rank", 12, "from 1 to"},
        {"[devices]\nconcurrent = 0", "devices.concurrent", 14, "from 1 to"},
        {"[devices]\ncpu_slots = -1", "devices.cpu_slots", 13, "from 0"},
        {"[devices]\ncores_per_rank = 4097", "devices.cores_per_rank", 18, "to 4096"},
        {"[devices]\ncpu_affinity = true", "devices.cpu_affinity", 16, "auto"},
        {"[devices]\nforeign = \"avid\"", "devices.foreign", 11, "did you mean 'avoid'"},
        {"[devices]\npin = 3", "devices.pin", 7, "must be a list of indexes and names, not an integer"},
        {"[devices]\npin = [0, 1.5]", "devices.pin", 11, "use the index of a GPU"},
        {"[devices]\nexclude = [-1]", "devices.exclude", 11, "'-1' cannot name a GPU"},
        {"[devices]\npin = [\"\"]", "devices.pin", 7, "cannot name a GPU"},
        {"[devices]\nper_gpu = 0", "devices.per_gpu", 11, "an integer from 1 to 1024, or \"auto\", not 0"},
        {"[devices]\nper_gpu = \"many\"", "devices.per_gpu", 11,
         "an integer from 1 to 1024, or \"auto\", not a string"},
        {"[devices]\nkind = \"cpu\"\nper_gpu = \"auto\"", "devices.kind", 8, "only apply to GPUs"},
        {"[devices]\nmemory = 10", "devices.memory", 10, "\"10 GiB\""},
        {"[devices]\nmemory = \"10 apples\"", "devices.memory", 10, "write a number and a unit"},
        {"[devices]\nkind = \"cpu\"\nper_gpu = 2", "devices.kind", 8, "only apply to GPUs"},
        {"[devices]\nconcurent = 2", "devices.concurent", 1, "did you mean 'concurrent'"},
        {"[constraints]\nfits = 5", "constraints.fits", 8, "in quotes, not an integer"},
        {"[constraints]\nfits = \"\"", "constraints.fits", 9, "empty"},
        {"[constraints]\nfits = \"a * c < 5\"", "constraints.fits", 13, "Unknown name \"c\""},
        {"[constraints]\nfits = \"a < 0\"", "constraints.fits", 8, "leaves no trial"},
        {"[constraints]\nfits = '''\na <'''", "constraints.fits", 8, "at the end"},
    };
    for (const Case &one : cases) {
        INFO(one.rest);
        const Problem problem = onlyProblem(withCommand("a = [1, 2]\nb = [1, 2]", one.rest));
        INFO(problem.message);
        CHECK(problem.field == one.field);
        CHECK(problem.column == one.column);
        CHECK(contains(problem.message, one.part));
    }
}

TEST_CASE("reports every error in the run section with its position")
{
    struct Case {
        const char *line;
        const char *field;
        int column;
        const char *part;
    };
    const Case cases[] = {
        {"ranks = 0", "run.ranks", 9, "from 1 to 4096"},
        {"ranks = \"2\"", "run.ranks", 9, "must be an integer, not a string"},
        {"ranks = 1.5", "run.ranks", 9, "must be an integer, not 1.5"},
        {"ranks = 3000000000", "run.ranks", 9, "from 1 to 4096, not 3,000,000,000"},
        {"retries = -1", "run.retries", 11, "from 0 to 100"},
        {"backend = \"mpi\"", "run.backend", 11, "auto, gloo or nccl"},
        {"backend = \"glo\"", "run.backend", 11, "did you mean 'gloo'"},
        {"timeout = \"10 minutes\"", "run.timeout", 11, "1h30m"},
        {"timeout = 0", "run.timeout", 11, "from 1s to"},
        {"timeout = -5", "run.timeout", 11, "from 1s to"},
        {"timeout = true", "run.timeout", 11, "1h30m"},
        {"hang_factor = 1", "run.hang_factor", 15, "from 1.5"},
        {"hang_factor = nan", "run.hang_factor", 15, "from 1.5"},
        {"hang_factor = \"5\"", "run.hang_factor", 15, "must be a number, not a string"},
        {"hang_after = 0", "run.hang_after", 14, "from 1s to"},
        {"hang_after = \"soon\"", "run.hang_after", 14, "1h30m"},
        {"exit_grace = -1", "run.exit_grace", 14, "from 0s (no limit) to"},
        {"retry = 2", "run.retry", 9, "retries = 2"},
        {"retry = { hnag = 2 }", "run.retry.hnag", 18, "did you mean 'hang'"},
        {"retry = { hang = -1 }", "run.retry.hang", 18, "from 0 to 100"},
        {"retry = { hang = 101 }", "run.retry.hang", 18, "from 0 to 100"},
        {"retry = { hang = \"2\" }", "run.retry.hang", 18, "from 0 to 100"},
        {"retry = { hang = { wait = 3 } }", "run.retry.hang", 18, "needs times"},
        {"retry = { hang = { times = 3, wait = \"x\" } }", "run.retry.hang.wait", 38, "1h30m"},
        {"retry = { hang = { times = 3, wait = -1 } }", "run.retry.hang.wait", 38, "from 0s to 366d, not -1s"},
        {"retry = { hang = { times = 3, pause = 1 } }", "run.retry.hang.pause", 31, "not known here"},
        {"worker = \"bulitin\"", "run.worker", 10, "did you mean 'builtin'"},
        {"worker = \"command\"", "run.command", 1, "enter a command"},
        {"command = []", "run.command", 11, "enter a command"},
        {"command = \"python3 train.py\"", "run.command", 11, "must be a list of strings, not a string"},
        {"command = [\"python3\", 3]", "run.command", 23, "must be a string in quotes"},
        {"command = [\"a\", \"{lr}\"]", "run.command", 11, "no parameter 'lr'"},
        {"command = [\"a\", \"{lr\"]", "run.command", 11, "unclosed"},
        {"command = [\"a\"]\nworker = \"builtin\"", "run.command", 11, "remove"},
        {"epochs = 5\ncommand = [\"a\"]", "run.epochs", 10, "setting of the built-in worker"},
        {"epochs = 0", "run.epochs", 10, "from 1 to"},
        {"epochs = 2.5", "run.epochs", 10, "must be an integer from 1 to 100,000, not 2.5"},
        {"epochs = [1, 2]", "run.epochs", 10, "move it to [space]"},
        {"lr = \"fast\"", "run.lr", 6, "must be a number from 0 to 1000, not 'fast'"},
        {"dataset = \"imagenet\"", "run.dataset", 11, "digits, mnist"},
        {"data_folder = 3", "run.data_folder", 15, "must be a string in quotes"},
        {"model = \"transformer\"", "run.model", 9, "needs dataset = \"text\", and dataset is digits"},
        {"dataset = \"text\"\ndata_file = \"a\"", "run.model", 1, "use transformer"},
        {"dataset = \"csv\"\ndata_file = \"a\"\nmodel = \"resnet\"", "run.model", 9, "needs images"},
        {"model = \"torchscript\"", "run.model_file", 1, "is required"},
        {"dataset = \"text\"\ndata_file = \"a\"\nmodel = \"transformer\"\nhidden = 100\nheads = 3", "run.heads", 9,
         "3 does not divide hidden = 100"},
        {"validation_fraction = 0.6\ntest_fraction = 0.5", "run.test_fraction", 17, "below 1 together"},
        {"best_by = \"val_r2\"", "run.best_by", 11, "val_r2 is not reported for dataset = \"digits\""},
        {"dataset = \"csv\"", "run.data_file", 1, "is required by dataset = \"csv\""},
        {"dataset = \"npy\"\ndata_file = \"a.npy\"", "run.target_file", 1, "is required"},
        {"in_memory = false", "run.in_memory", 13, "npy and safetensors only, and dataset is digits"},
        {"dataset = \"safetensors\"\ndata_file = \"a\"\nin_memory = false\nsampling = \"contiguous\"", "run.in_memory",
         13, "must be true with"},
        {"epocs = 3", "run.epocs", 1, "did you mean 'epochs'"},
        {"environment = { A = 1 }", "run.environment.A", 21, "in quotes"},
        {"environment = { \"A=B\" = \"1\" }", "run.environment.A=B", 25, "letters, digits and _"},
        {"environment = { RANK = \"1\" }", "run.environment.RANK", 24, "for each rank"},
        {"environment = 3", "run.environment", 15, "must be a table, not an integer"},
    };
    for (const Case &one : cases) {
        INFO(one.line);
        const Problem problem =
            onlyProblem("[sweep]\nname = \"t\"\nobjective = \"val_loss\"\n[run]\n" + std::string(one.line) + "\n");
        INFO(problem.message);
        CHECK(problem.field == one.field);
        CHECK(problem.column == one.column);
        CHECK(contains(problem.message, one.part));
    }
}

TEST_CASE("reports every error in the metrics section with its position, down to the character of an expression")
{
    struct Case {
        const char *line;
        const char *field;
        int column;
        const char *part;
    };
    const Case cases[] = {
        {"series = { loss = 'lossä=(\\S+' }", "run.metrics.series.loss", 20, "missing )"},
        {"series = { loss = 'äa(?<=x)' }", "run.metrics.series.loss", 22, "invalid perl operator"},
        {"series = { loss = \"a\\\\d**\" }", "run.metrics.series.loss", 19, "bad repetition operator"},
        {"series = { loss = '' }", "run.metrics.series.loss", 19, "is empty"},
        {"series = { loss = 3 }", "run.metrics.series.loss", 19, "in quotes"},
        {"series = 'loss'", "run.metrics.series", 10, "must be a table, not a string"},
        {"series = { los = 'x' }", "sweep.objective", 13, "did you mean 'los'"},
        {"series = { loss = '(x{1000}){1000}' }", "run.metrics.series.loss", 22, "repetition"},
        {"step = '('\nseries = { loss = 'x' }", "run.metrics.step", 9, "missing )"},
        {"step = 3\nseries = { loss = 'x' }", "run.metrics.step", 8, "must be a string"},
        {"format = \"xml\"\nseries = { loss = 'x' }", "run.metrics.format", 10, "text, json or auto"},
        {"ranks = 2\nseries = { loss = 'x' }", "run.metrics.ranks", 9, "must be a string"},
        {"step = 'x'", "run.metrics.series", 1, "is missing"},
        {"formt = 'json'\nloss = 'x'", "run.metrics.formt", 1, "not known here (did you mean 'format'?): correct it"},
        {"rank = 'x'\nloss = 'x'", "run.metrics.rank", 1, "did you mean 'ranks'?"},
        {"loss = 'lossä=(\\S+'", "run.metrics.series.loss", 9, "missing )"},
        {"loss = ''", "run.metrics.series.loss", 8, "is empty"},
        {"loss = 3", "run.metrics.series.loss", 8, "must be a string in quotes, not an integer"},
        {"accuracy = 'x'\nloss = 'x'\nseries = { loss = 'x' }", "run.metrics.series.loss", 1, "remove one of them"},
        {"format = \"auto\"\nstep = \"epoch\"", "run.metrics.step", 8, "recognizes steps"},
        {"format = \"auto\"\nloss = \"\"", "run.metrics.series.loss", 8, "printed name"},
        {"tensorboard = \"runs\"\nformat = \"json\"", "run.metrics.format", 10, "has no effect with tensorboard"},
        {"tensorboard = \"runs\"\nranks = \"all\"", "run.metrics.ranks", 9, "has no effect with tensorboard"},
        {"tensorboard = \"runs\"\nstep = '('", "run.metrics.step", 8, "has no effect with tensorboard"},
        {"tensorboard = \"runs\"\nloss = \"\"", "run.metrics.series.loss", 8, "tag of the scalar"},
        {"tensorboard = \"runs/{lr}\"", "run.metrics.tensorboard", 15, "there is no parameter 'lr'"},
    };
    for (const Case &one : cases) {
        INFO(one.line);
        const Problem problem =
            onlyProblem("[sweep]\nname = \"t\"\nobjective = \"loss\"\n[run]\ncommand = [\"a\"]\n[run.metrics]\n"
                        + std::string(one.line) + "\n");
        INFO(problem.message);
        CHECK(problem.field == one.field);
        CHECK(problem.column == one.column);
        CHECK(contains(problem.message, one.part));
    }
    const Problem builtin = onlyProblem("[sweep]\nname = \"t\"\nobjective = \"loss\"\n[run]\nworker = \"builtin\"\n"
                                        "metrics = { series = { loss = 'x' } }\n");
    CHECK(builtin.field == "run.metrics");
    CHECK(contains(builtin.message, "remove it"));
}

TEST_CASE("reports all errors of a file, in order, without errors that follow from others")
{
    const ParsedSweep parsed =
        parseSweep("[sweep]\nname = \"t\"\nobjective = \"loss\"\n[space]\nopt = [\"sgd\", 3]\n"
                   "m = { values = [0.5], when = \"opt == 'sgd'\" }\n[search]\nmethod = \"anneal\"\n"
                   "[run]\ncommand = [\"x\", \"{opt}\", \"{m}\"]\nranks = 0\n");
    INFO(textOf(parsed));
    REQUIRE(parsed.problems.size() == 3);
    CHECK(parsed.problems[0].field == "space.opt");
    CHECK(parsed.problems[1].field == "search.method");
    CHECK(parsed.problems[2].field == "run.ranks");
}

TEST_CASE("reports a grid beyond every limit at the space")
{
    const Problem problem = onlyProblem(withCommand("a = { int = [1, 1000000000] }\nb = { int = [1, 1000000000] }"));
    CHECK(problem.field == "space");
    CHECK(problem.line == 8);
    CHECK(contains(problem.message, "1,000,000,000,000,000,000 trials"));
}

TEST_CASE("a problem found after parsing gets the position of its field or section, if there is one")
{
    std::vector<Problem> problems{{"run.command", "no program"}, {"run.data_folder", "is missing"}, {"", "whatever"}};
    locateProblems(problems, withCommand("a = [1]\nb = [2]"));
    CHECK(describe(problems[0], "f") == "f:6:11: run.command: no program");
    CHECK(describe(problems[1], "f") == "f:5:1: run.data_folder: is missing");
    CHECK(describe(problems[2], "f") == "f: whatever");
}

TEST_CASE("reports a missing quote and a duplicate key in plain words")
{
    Problem problem = onlyProblem("[sweep]\nname = \"x\nobjective = \"loss\"\n");
    CHECK(describe(problem, "f") == "f:2:10: this is not TOML: a string is not closed: its closing quote is missing");
    problem = onlyProblem("[sweep]\nname = \"x");
    CHECK(contains(problem.message, "closing quote"));
    problem = onlyProblem("[sweep]\nname = \"x\"\nname = \"y\"\n");
    CHECK(problem.line == 3);
    CHECK(contains(problem.message, "defined twice"));
    CHECK(contains(onlyProblem("[sweep]\nname = \"\\q\"\n").message, "string"));
}

TEST_CASE("says in plain words what TOML expects")
{
    const auto message = [](const std::string &text) {
        const std::string prefix = "this is not TOML: ";
        const Problem problem = onlyProblem(text);
        CHECK(problem.message.starts_with(prefix));
        return problem.message.substr(prefix.size());
    };
    CHECK(message("[sweep]\nname\n") == "expected = after the key, but found the end of the line");
    CHECK(message("[sweep]\nname = \n") == "expected a value, but found the end of the line");
    CHECK(message("[sweep\nname = 1") == "expected ], but found the end of the line");
    CHECK(message("[sweep]\nname = a\n") == "this value is not a number, date, true or false; a string needs quotes");
    CHECK(message("[space]\nlr = [1, 2\n") == "the array is not closed");
    CHECK(message("[space]\nlr = [1 2]\n") == "expected a comma or ], but found '2'");
    CHECK(message("[space]\nlr = { log = [1, 2]\n}")
          == "expected a key or } on the same line, but found the end of the line");
    CHECK(message("[space]\nlr = True\n") == "write true or false in lower case; a string needs quotes");
    CHECK(message("[space]\nlr = 01\n") == "a number must not begin with 0: remove the zero");
    CHECK(message("a = 1 b = 2") == "expected the end of the line, but found 'b'");
}

TEST_CASE("a position in a condition counts characters, not bytes")
{
    const Problem problem = onlyProblem(
        withCommand("a = [\"\u00e4\", \"b\"]\nb = [1]", "[constraints]\nfits = \"a == '\u00e4' and c > 1\""));
    CHECK(problem.line == 12);
    CHECK(problem.column == 22);
}

TEST_CASE("a file that nests too deep is refused before parsing")
{
    const auto dotted = [](int parts) {
        std::string key = "a";
        for (int i = 1; i < parts; ++i)
            key += ".a";
        return key;
    };
    const Problem problem = onlyProblem("[sweep]\nname = \"x\"\n[" + dotted(40'000) + "]\n");
    CHECK(problem.line == 3);
    CHECK(problem.column == 33);
    CHECK(contains(problem.message, "nests deeper than 16 levels"));
    CHECK(contains(onlyProblem(dotted(17) + " = 1\n").message, "nests deeper"));
    CHECK(contains(onlyProblem("a = { " + dotted(17) + " = 1 }\n").message, "nests deeper"));
    CHECK(contains(onlyProblem("\"a\" . 'a'." + dotted(15) + " = 1\n").message, "nests deeper"));
    CHECK(contains(onlyProblem("a = " + std::string(17, '[') + std::string(17, ']') + "\n").message, "nests deeper"));
    std::vector<Problem> later{{"run", "whatever"}};
    locateProblems(later, dotted(40'000) + " = 1\n");  // does not crash
    CHECK(later.size() == 1);
    const std::string three = "\"\"\"";
    const std::vector<std::string> right{dotted(16) + " = 1\n",
                                         "a = \"" + dotted(40) + "\"\n",
                                         "a = '''\n" + dotted(40) + "'''\n",
                                         "a = " + three + "\n\\\"\"" + dotted(40) + three,
                                         "# " + dotted(40) + "\n",
                                         "a = [1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, "
                                         "1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5]\n"};
    for (const std::string &fine : right) {
        for (const Problem &one : parseSweep(fine).problems)
            CHECK_FALSE(contains(one.message, "nests deeper"));
    }
}

TEST_CASE("reports invalid TOML with its position")
{
    const Problem open = onlyProblem("[sweep]\nname = \"open\n");
    CHECK(open.line == 2);
    CHECK(contains(open.message, "not TOML"));
    CHECK(onlyProblem("[sweep]\nname = \"a\"\nname = \"b\"\n").line == 3);
    CHECK(onlyProblem("a = [1, 2\n").line >= 1);
    CHECK(onlyProblem("\xff\xfe").line == 1);
    CHECK(contains(onlyProblem(std::string("a = \"") + '\0' + "\"").message, "not TOML"));
}
