#include "sweep/keys.h"

#include "sweep/builtinsettings.h"

#include <algorithm>
#include <limits>
#include <type_traits>
#include <utility>

namespace sweepscope::sweep {

namespace {

template <typename Type>
constexpr bool isOptional = false;
template <typename Type>
constexpr bool isOptional<std::optional<Type>> = true;

/// The member at the end of a path of members, from the sweep on; nothing in a section that is not there.
template <auto First, auto... Rest, typename Object>
KeyValue read(const Object &object)
{
    const auto &member = object.*First;
    using Member = std::remove_cvref_t<decltype(member)>;
    if constexpr (sizeof...(Rest) > 0 && isOptional<Member>)
        return member ? read<Rest...>(*member) : KeyValue();
    else if constexpr (sizeof...(Rest) > 0)
        return read<Rest...>(member);
    else if constexpr (isOptional<Member>)
        return member ? KeyValue(*member) : KeyValue();
    else if constexpr (std::is_same_v<Member, std::uint64_t>)
        return static_cast<std::int64_t>(
            std::min(member, static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())));
    else if constexpr (std::is_enum_v<Member> || std::is_integral_v<Member>)
        return static_cast<std::int64_t>(member);
    else
        return KeyValue(member);
}

template <typename Member>
void assign(Member &member, std::int64_t number)
{
    if constexpr (std::is_enum_v<Member> || std::is_same_v<Member, bool>)
        member = static_cast<Member>(number);
    else if (std::in_range<Member>(number))
        member = static_cast<Member>(number);
}

template <auto First, auto... Rest, typename Object>
void write(Object &object, const KeyValue &value)
{
    auto &member = object.*First;
    using Member = std::remove_reference_t<decltype(member)>;
    if constexpr (sizeof...(Rest) > 0 && isOptional<Member>) {
        write<Rest...>(member ? *member : member.emplace(), value);
    } else if constexpr (sizeof...(Rest) > 0) {
        write<Rest...>(member, value);
    } else if constexpr (isOptional<Member>) {
        if (const auto *held = std::get_if<typename Member::value_type>(&value))
            member = *held;
        else
            member.reset();
    } else if constexpr (std::is_enum_v<Member> || std::is_integral_v<Member>) {
        if (const auto *number = std::get_if<std::int64_t>(&value))
            assign(member, *number);
    } else if (const auto *held = std::get_if<Member>(&value)) {
        member = *held;
    }
}

/// A key that is true or false; a member that is may also be a choice of two.
template <auto... Path>
Key flagAt(Key key)
{
    key.get = [](const SweepSpec &spec) {
        const KeyValue value = read<Path...>(spec);
        const auto *const number = std::get_if<std::int64_t>(&value);
        return number != nullptr ? KeyValue(*number != 0) : value;
    };
    key.set = [](SweepSpec &spec, const KeyValue &value) {
        const auto *const flag = std::get_if<bool>(&value);
        write<Path...>(spec, flag != nullptr ? KeyValue(std::int64_t{*flag}) : value);
    };
    return key;
}

template <auto... Path>
Key at(Key key)
{
    key.get = [](const SweepSpec &spec) { return read<Path...>(spec); };
    key.set = [](SweepSpec &spec, const KeyValue &value) { write<Path...>(spec, value); };
    return key;
}

using Spec = SweepSpec;
using Run = RunSection;
using Policy = AttemptPolicy;
using Metrics = MetricsSection;
using Devices = DevicesSection;
using Prune = PruneSection;

constexpr double yearSeconds = 366 * 86'400;
constexpr double centurySeconds = 36'500.0 * 86'400;
constexpr double mostSteps = 1e12;

std::vector<Key> sweepKeys()
{
    return {
        at<&Spec::name>({.section = "sweep",
                         .name = "name",
                         .description = "name of the sweep, and part of the name of its folder",
                         .details = "At most 100 characters, no `/`, no `.` at the start.",
                         .absent = "required",
                         .isRequired = true,
                         .example = R"("digits-mlp")",
                         .label = "&Name",
                         .applies = Applies::NewSweep,
                         .isAlwaysWritten = true}),
        at<&Spec::objective>({.section = "sweep",
                              .name = "objective",
                              .description = "series that ranks trials, read from rank 0",
                              .details = "The built-in worker reports `val_loss`, `val_accuracy`, "
                                         "`val_top5_accuracy`, `val_f1`, `val_auc`, `val_mae` and `val_r2`, the same "
                                         "with `test_`, `loss`, `accuracy`, `grad_norm`, `step_time`, `data_wait`, "
                                         "`compute_time`, `comm_wait`, `samples_per_second` and `tokens_per_second`. "
                                         "A command reports series of any name.",
                              .absent = "required",
                              .isRequired = true,
                              .example = R"("val_loss")",
                              .label = "&Objective",
                              .applies = Applies::Now,
                              .isAlwaysWritten = true}),
        at<&Spec::goal>({.section = "sweep",
                         .name = "goal",
                         .type = KeyType::Choice,
                         .choices = {"minimize", "maximize"},
                         .description = "whether the best trial has the smallest or the largest objective",
                         .details = "Required when the objective's name contains `accuracy` or `per_second`.",
                         .label = "&Goal",
                         .choiceLabels = {"Minimize", "Maximize"},
                         .applies = Applies::Now,
                         .isAlwaysWritten = true}),
        at<&Spec::method>(
            {.section = "search",
             .name = "method",
             .type = KeyType::Choice,
             .choices = {"grid", "random", "sobol", "tpe", "gp", "cmaes", "nsga2", "pbt", "auto", "command", "optuna"},
             .description = "search method",
             .details = "`\"grid\"` runs every combination, `\"random\"` draws combinations, `\"sobol\"` "
                        "covers the space evenly, `\"tpe\"` learns from the results where good "
                        "combinations are, `\"gp\"` predicts them with a Gaussian process, which needs "
                        "the fewest trials, `\"cmaes\"` moves a normal distribution toward good "
                        "results, and `\"nsga2\"` crosses good combinations, for several objectives and "
                        "many trials. `\"pbt\"` lets the best trials of a population continue in place of the worst, "
                        "with changed settings. `\"auto\"` chooses the method that suits the space and `trials`. "
                        "`\"command\"` asks another program, and `\"optuna\"` an Optuna sampler.",
             .absent = "`\"auto\"` with `trials`, else `\"grid\"`",
             .label = "Searc&h",
             .choiceLabels = {"Grid", "Random", "Sobol", "TPE", "GP", "CMA-ES", "NSGA-II", "PBT", "Auto", "Command",
                              "Optuna"},
             .applies = Applies::NewSweep,
             .isAlwaysWritten = true}),
        at<&Spec::searchCommand>({.section = "search",
                                  .name = "command",
                                  .type = KeyType::Strings,
                                  .description = "program that chooses the points, with its arguments",
                                  .absent = "required",
                                  .isRequired = true,
                                  .methods = {"command"},
                                  .example = R"(["python3", "sampler.py"])",
                                  .label = "Search program",
                                  .applies = Applies::Now}),
        at<&Spec::sampler>({.section = "search",
                            .name = "sampler",
                            .type = KeyType::String,
                            .description = "class of the sampler in Optuna, with arguments if it needs any",
                            .details = "The command `python3` must find Optuna.",
                            .methods = {"optuna"},
                            .label = "Sampler",
                            .applies = Applies::Now}),
        at<&Spec::seed>({.section = "search",
                         .name = "seed",
                         .type = KeyType::Integer,
                         .minimum = 0,
                         .description = "seed of the draws and of the trials' own seeds",
                         .details = "The same seed gives the same trials with the same starting weights and splits.",
                         .label = "See&d",
                         .applies = Applies::NewTrials,
                         .isAlwaysWritten = true}),
        at<&Spec::repeats>(
            {.section = "search",
             .name = "repeats",
             .type = KeyType::Integer,
             .minimum = 1,
             .maximum = 100,
             .description = "number of times that a point runs, each with another seed",
             .details = "The mean of the runs counts. A point that is unlikely to become the best is not run again.",
             .example = "3",
             .label = "Repeats",
             .applies = Applies::Now}),
        at<&Spec::warmStart>(
            {.section = "search",
             .name = "warm_start",
             .type = KeyType::Strings,
             .description = "CSV files with results of other sweeps that the search learns from",
             .details = "Exports of `sweepctl export`, or tables with a column for each parameter and one named like "
                        "the objective. They are copied at launch. Their weight falls as results of the sweep arrive. "
                        "One in four of the first points ignores them, in case they mislead.",
             .absent = "none",
             .methods = {"tpe", "gp", "cmaes", "auto"},
             .example = R"(["earlier.csv"])",
             .label = "Warm start",
             .applies = Applies::NewSweep,
             .isUsual = false}),
        at<&Spec::trials>({.section = "search",
                           .name = "trials",
                           .type = KeyType::Integer,
                           .minimum = 1,
                           .description = "number of trials, repeats included, for every method except `\"grid\"`",
                           .details = "Without it, the search continues until a budget or a stop rule ends it.",
                           .absent = "no limit",
                           .example = "20",
                           .label = "Number of trials",
                           .applies = Applies::Now}),
    };
}

std::vector<Key> runKeysBeforeSettings()
{
    return {
        at<&Spec::run, &Run::worker>({.section = "run",
                                      .name = "worker",
                                      .type = KeyType::Choice,
                                      .choices = {"builtin", "command"},
                                      .description = "program that every rank runs",
                                      .absent = "`\"command\"` with a `command`, else `\"builtin\"`",
                                      .example = R"("builtin")",
                                      .applies = Applies::NewSweep}),
        at<&Spec::run, &Run::command>({.section = "run",
                                       .name = "command",
                                       .type = KeyType::Strings,
                                       .description = "program and its arguments, with placeholders",
                                       .details = "It starts once per rank, without a shell.",
                                       .absent = "the built-in worker",
                                       .example = R"(["python3", "train.py", "--lr", "{lr}"])",
                                       .label = "Command line"}),
    };
}

std::vector<Key> runKeys()
{
    return {
        at<&Spec::run, &Run::ranks>({.section = "run",
                                     .name = "ranks",
                                     .type = KeyType::Integer,
                                     .minimum = 1,
                                     .maximum = 4096,
                                     .description = "processes that train one trial together",
                                     .example = "2",
                                     .label = "&Ranks per trial",
                                     .applies = Applies::NewSweep,
                                     .isAlwaysWritten = true}),
        flagAt<&Spec::run, &Run::distributed>(
            {.section = "run",
             .name = "distributed",
             .type = KeyType::Boolean,
             .description = "whether a command with one rank gets torchrun's environment, too",
             .details = "Many scripts switch to distributed training when `RANK` is set. With several ranks, it is "
                        "always set.",
             .label = "torchrun environment",
             .isUsual = false}),
        at<&Spec::run, &Run::watch>(
            {.section = "run",
             .name = "watch",
             .type = KeyType::Choice,
             .choices = {"auto", "off"},
             .description = "observe a command's PyTorch script, without changing it",
             .details =
                 "Reports loss, learning rate, times, samples, epochs and mistakes. `\"auto\"` watches ranks whose "
                 "output is not read with `[run.metrics]`. Values that the script itself reports take precedence.",
             .label = "Watch scripts",
             .choiceLabels = {"Automatic", "Off"},
             .isUsual = false}),
        at<&Spec::run, &Run::backend>(
            {.section = "run",
             .name = "backend",
             .type = KeyType::Choice,
             .choices = {"auto", "gloo", "nccl"},
             .description = "how ranks exchange gradients",
             .details = "`\"nccl\"` needs a GPU for each rank. `\"auto\"` is nccl if each rank has its own GPU, "
                        "else gloo, which works on CPUs and GPUs.",
             .label = "Bac&kend",
             .choiceLabels = {"Automatic", "Gloo (CPUs and GPUs)", "NCCL (NVIDIA GPUs)"},
             .isAlwaysWritten = true}),
        at<&Spec::run, &Run::timeout>(
            {.section = "run",
             .name = "timeout",
             .type = KeyType::Duration,
             .minimum = 1,
             .maximum = centurySeconds,
             .description = "time limit of one attempt",
             .details = "Write `\"90s\"`, `\"10m\"`, `\"1h30m\"` or `\"2d\"`, or an integer number of seconds.",
             .absent = "no limit",
             .example = R"("10m")",
             .label = "Time lim&it"}),
        at<&Spec::run, &Run::retries>({.section = "run",
                                       .name = "retries",
                                       .type = KeyType::Integer,
                                       .minimum = 0,
                                       .maximum = 100,
                                       .description = "further attempts after a failed one",
                                       .details =
                                           "The pause between them doubles from 1 s to 30 s. Failures that would "
                                           "repeat are not retried: a loss that is not a number, a program that does "
                                           "not start, a device that is missing.",
                                       .example = "2",
                                       .label = "Retries",
                                       .applies = Applies::Now}),
        at<&Spec::run, &Run::policy, &Policy::hangFactor>(
            {.section = "run",
             .name = "hang_factor",
             .type = KeyType::Float,
             .minimum = 1.5,
             .maximum = 1000,
             .description = "hang threshold, as a multiple of the longest time between two steps",
             .details = "The first two steps do not count.",
             .zero = "never",
             .label = "Hang factor",
             .isUsual = false}),
        at<&Spec::run, &Run::policy, &Policy::hangAfter>(
            {.section = "run",
             .name = "hang_after",
             .type = KeyType::Duration,
             .minimum = 1,
             .maximum = yearSeconds,
             .description = "minimum time without a step that counts as a hang",
             .details = "Leave room for evaluations and checkpoints.",
             .label = "Hang after",
             .isUsual = false}),
        at<&Spec::run, &Run::policy, &Policy::exitGrace>(
            {.section = "run",
             .name = "exit_grace",
             .type = KeyType::Duration,
             .minimum = 0,
             .maximum = yearSeconds,
             .description = "time that idle ranks may remain after another rank exited with code 0",
             .details = "A rank is idle when it neither reports nor prints nor computes.",
             .zero = "no limit",
             .label = "Exit grace",
             .isUsual = false}),
        at<&Spec::run, &Run::workingFolder>(
            {.section = "run",
             .name = "working_folder",
             .description = "folder in which the ranks run",
             .details =
                 "A relative path starts in the sweep file's folder. The folder of a command may contain placeholders.",
             .absent = "the sweep file's folder",
             .example = R"("experiments")",
             .label = "Working dir&ectory"}),
        {.section = "run",
         .name = "environment",
         .type = KeyType::Table,
         .description = "further environment variables, a table of strings",
         .details = "Values for a command may contain placeholders. `RANK`, `WORLD_SIZE`, `CUDA_VISIBLE_DEVICES` and "
                    "others that "
                    "Sweepscope sets for each rank are not allowed.",
         .absent = "none",
         .example = R"({ OMP_NUM_THREADS = "2" })",
         .label = "Environment"},
        at<&Spec::run, &Run::environmentFile>(
            {.section = "run",
             .name = "environment_file",
             .description = "file with further environment variables, such as API keys",
             .details =
                 "It has lines `NAME=VALUE` and is read each time an attempt starts. Its values are not stored, and "
                 "are masked in "
                 "error messages. `environment` takes precedence. A relative path starts in the sweep file's folder.",
             .absent = "none",
             .example = R"("secrets.env")",
             .label = "Environment file",
             .isUsual = false}),
        {.section = "run",
         .name = "retry",
         .type = KeyType::Table,
         .description = "retries by kind of failure, see below",
         .absent = "`retries` for every kind",
         .example = "{ port_taken = 5 }",
         .applies = Applies::Now},
        {.section = "run",
         .name = "metrics",
         .type = KeyType::Table,
         .description = "series picked from the output of a command, see below",
         .absent = "none"},
    };
}

std::vector<Key> metricsKeys()
{
    return {
        at<&Spec::run, &Run::metrics, &Metrics::format>(
            {.section = "run.metrics",
             .name = "format",
             .type = KeyType::Choice,
             .choices = {"text", "json", "auto"},
             .description = "format of the output",
             .details = "Text is searched with regular expressions. For JSON, lines that are not objects are skipped. "
                        "`\"auto\"` recognizes the usual lines of training scripts, see below.",
             .isAlwaysWritten = true}),
        at<&Spec::run, &Run::metrics, &Metrics::everyRank>(
            {.section = "run.metrics",
             .name = "ranks",
             .type = KeyType::Choice,
             .choices = {"first", "all"},
             .description = "ranks whose output is read",
             .details = "`\"first\"` is rank 0. With `\"all\"` every rank has its own curves."}),
        at<&Spec::run, &Run::metrics, &Metrics::step>(
            {.section = "run.metrics",
             .name = "step",
             .description = "regular expression, or key, of the step",
             .details = "A step applies to all values printed after it, until the next step.",
             .absent = "values of each series are counted from 1; `\"auto\"`: recognized",
             .example = R"('epoch (\d+)')"}),
        at<&Spec::run, &Run::metrics, &Metrics::tensorboard>(
            {.section = "run.metrics",
             .name = "tensorboard",
             .description =
                 "folder in which the command writes TensorBoard event files, to be read instead of its output",
             .details = "Folders in it are searched, too. A relative path starts in the working folder. The folder may "
                        "contain placeholders.",
             .absent = "none",
             .example = R"("runs")"}),
        {.section = "run.metrics",
         .name = "series",
         .type = KeyType::Table,
         .description = "by name, the regular expression that picks the values of a series",
         .details = "For JSON its key: `\"val.loss\"` is `loss` within `val`. For `\"auto\"` its printed name, for "
                    "`tensorboard` its tag. Series can also "
                    "be written directly in `[run.metrics]`: `loss = 'loss=(\\S+)'`.",
         .absent = "required for text; JSON: every number, as `outer.inner`; `\"auto\"`: all recognized series; "
                   "`tensorboard`: all scalars",
         .isRequired = true,
         .example = R"({ loss = 'loss=(\S+)' })"},
    };
}

std::vector<Key> devicesKeys()
{
    return {
        at<&Spec::devices, &Devices::kind>({.section = "devices",
                                            .name = "kind",
                                            .type = KeyType::Choice,
                                            .choices = {"auto", "gpu", "cpu"},
                                            .description = "kind of device that trials run on",
                                            .details = "`\"auto\"` uses GPUs if there are any, else CPU cores.",
                                            .label = "R&un on",
                                            .choiceLabels = {"Automatic", "GPUs", "CPU"},
                                            .isAlwaysWritten = true}),
        at<&Spec::devices, &Devices::perRank>({.section = "devices",
                                               .name = "per_rank",
                                               .type = KeyType::Integer,
                                               .minimum = 1,
                                               .maximum = 1024,
                                               .description = "devices of each rank",
                                               .label = "Devices &per rank",
                                               .isAlwaysWritten = true}),
        at<&Spec::devices, &Devices::concurrent>({.section = "devices",
                                                  .name = "concurrent",
                                                  .type = KeyType::Integer,
                                                  .minimum = 1,
                                                  .maximum = 10'000,
                                                  .description = "maximum number of concurrent trials",
                                                  .details = "A trial waits until its devices are free.",
                                                  .example = "2",
                                                  .label = "Max concurrent trials",
                                                  .applies = Applies::Now,
                                                  .isAlwaysWritten = true}),
        at<&Spec::devices, &Devices::machines>(
            {.section = "devices",
             .name = "machines",
             .type = KeyType::Strings,
             .description = "names of the [machines](machines.md#trials-on-other-machines) that trials may use",
             .details = "A trial runs on the first one with free devices. `\"localhost\"` is this machine, `\"*\"` all "
                        "machines.",
             .absent = "this machine",
             .example = R"(["localhost"])",
             .label = "Machines",
             .isUsual = false}),
        at<&Spec::devices, &Devices::nodes>(
            {.section = "devices",
             .name = "nodes",
             .type = KeyType::Integer,
             .minimum = 1,
             .maximum = 256,
             .description = "machines that one trial [runs on](machines.md#trials-on-several-machines), or nodes of a "
                            "[cluster](machines.md#trials-as-jobs)",
             .details = "Each gets an equal share of the ranks, on GPUs of the same model.",
             .example = "1",
             .label = "Machines per trial",
             .isUsual = false}),
        at<&Spec::devices, &Devices::cpuSlots>(
            {.section = "devices",
             .name = "cpu_slots",
             .type = KeyType::Integer,
             .minimum = 0,
             .maximum = 100'000,
             .description =
                 "maximum number of ranks of [this workspace](devices.md#order-of-trials) on the CPU at a time",
             .zero = "one per core",
             .label = "Concurrent CPU ranks"}),
        at<&Spec::devices, &Devices::foreign>(
            {.section = "devices",
             .name = "foreign",
             .type = KeyType::Choice,
             .choices = {"avoid", "share", "ignore"},
             .description = "use of GPUs on which processes of other programs or workspaces compute",
             .details = "`\"avoid\"` waits until these processes end. `\"share\"` uses such a GPU if no other is free "
                        "and enough `memory` is left. `\"ignore\"` treats it as idle.",
             .label = "GPUs in use by others",
             .choiceLabels = {"Wait until they are free", "Share if no other is free", "Use them anyway"},
             .isUsual = false}),
        at<&Spec::devices, &Devices::pin>({.section = "devices",
                                           .name = "pin",
                                           .type = KeyType::Gpus,
                                           .description = "the only GPUs that trials may use",
                                           .details = "By index, UUID or its prefix, PCI bus id, or part of the name.",
                                           .absent = "all",
                                           .example = R"([0, "GPU-8a7c", "H200"])",
                                           .label = "Pinned GPUs",
                                           .isUsual = false}),
        at<&Spec::devices, &Devices::exclude>({.section = "devices",
                                               .name = "exclude",
                                               .type = KeyType::Gpus,
                                               .description = "GPUs that trials must not use, named as in `pin`",
                                               .absent = "none",
                                               .example = R"([0, "GPU-8a7c"])",
                                               .label = "Excluded GPUs",
                                               .isUsual = false}),
        at<&Spec::devices, &Devices::perGpu>({.section = "devices",
                                              .name = "per_gpu",
                                              .type = KeyType::Integer,
                                              .minimum = 1,
                                              .maximum = 1024,
                                              .description = "maximum number of ranks on one GPU",
                                              .details = "Above 1, trials share a GPU. With `backend = \"gloo\"` and "
                                                         "`per_rank = 1`, so do ranks of one trial; NCCL rejects that. "
                                                         "`\"auto\"` measures the memory of the first trial, and then "
                                                         "[lets as many trials share a GPU as fit]"
                                                         "(devices.md#sharing-by-measured-memory).",
                                              .zero = "by measured memory",
                                              .zeroWord = "auto",
                                              .example = "2",
                                              .label = "Max ranks per GPU",
                                              .isUsual = false}),
        at<&Spec::devices, &Devices::memoryBytes>(
            {.section = "devices",
             .name = "memory",
             .type = KeyType::Size,
             .minimum = 1,
             .description = "GPU memory reserved for each rank",
             .details = "Reservations never exceed the memory of a GPU. Actual use is not limited.",
             .absent = "an equal share for `per_gpu` ranks",
             .example = R"("10 GiB")",
             .label = "GPU memory per rank",
             .isUsual = false}),
        at<&Spec::devices, &Devices::coresPerRank>({.section = "devices",
                                                    .name = "cores_per_rank",
                                                    .type = KeyType::Integer,
                                                    .minimum = 0,
                                                    .maximum = 4096,
                                                    .description = "CPU cores, and threads, of each rank",
                                                    .zero = "a fair share",
                                                    .label = "Cores per rank",
                                                    .isUsual = false}),
        at<&Spec::devices, &Devices::affinity>(
            {.section = "devices",
             .name = "cpu_affinity",
             .type = KeyType::Choice,
             .choices = {"auto", "off"},
             .description = "whether ranks are bound to CPU cores",
             .details =
                 "`\"auto\"` binds them if there is a core for each rank. `\"off\"` leaves placement to the kernel.",
             .label = "CPU affinity",
             .choiceLabels = {"Bind ranks to cores", "Off"},
             .isUsual = false}),
        flagAt<&Spec::devices, &Devices::preflight>(
            {.section = "devices",
             .name = "preflight",
             .type = KeyType::Boolean,
             .description =
                 "whether the [links between a trial's GPUs](devices.md#test-of-the-links) are tested before "
                 "the first trial on them",
             .label = "Test links of GPUs",
             .isUsual = false}),
    };
}

std::vector<Key> limitKeys()
{
    return {
        at<&Spec::prune, &Prune::method>(
            {.section = "prune",
             .name = "method",
             .type = KeyType::Choice,
             .choices = {"median", "percentile", "halving", "hyperband", "patience", "threshold", "wilcoxon", "command",
                         "optuna"},
             .description = "rule that decides at a rung whether a trial ends",
             .details =
                 "`\"median\"` prunes trials worse than the median, and `\"percentile\"` those not among the best "
                 "`percentile`. `\"halving\"` keeps the best 1/`factor` (asynchronous successive halving), which "
                 "suits many trials. `\"hyperband\"` does so in brackets, of which some compare late, in case good "
                 "trials start slowly. `\"patience\"` prunes trials that no longer improve, `\"threshold\"` those "
                 "out of bounds. `\"wilcoxon\"` compares a trial step by step with the best completed one, and "
                 "suits steps that are folds or test cases. `\"command\"` asks another program, and `\"optuna\"` an "
                 "Optuna pruner.",
             .label = "Prunin&g",
             .choiceLabels = {"Below the median", "Below a percentile", "Successive halving", "Hyperband",
                              "No improvement", "Out of bounds", "Worse than the best (Wilcoxon)", "Command", "Optuna"},
             .applies = Applies::Now,
             .isAlwaysWritten = true}),
        at<&Spec::prune, &Prune::firstStep>(
            {.section = "prune",
             .name = "first_step",
             .type = KeyType::Integer,
             .minimum = 1,
             .maximum = mostSteps,
             .description = "first rung, a step of the objective",
             .absent =
                 "required; 1 with `\"patience\"`, `\"threshold\"`, `\"wilcoxon\"`, `\"command\"` and `\"optuna\"`",
             .isRequired = true,
             .example = "100",
             .label = "First rung (step)",
             .applies = Applies::Now,
             .isAlwaysWritten = true}),
        at<&Spec::prune, &Prune::every>(
            {.section = "prune",
             .name = "every",
             .type = KeyType::Integer,
             .minimum = 1,
             .maximum = mostSteps,
             .description = "steps between rungs",
             .absent = "`first_step`",
             .methods = {"median", "percentile", "patience", "threshold", "wilcoxon", "command", "optuna"},
             .example = "100",
             .label = "Rung interval (steps)",
             .applies = Applies::Now}),
        at<&Spec::prune, &Prune::factor>({.section = "prune",
                                          .name = "factor",
                                          .type = KeyType::Float,
                                          .minimum = 1.5,
                                          .maximum = 100,
                                          .description = "ratio between the steps of two rungs",
                                          .methods = {"halving", "hyperband"},
                                          .label = "Halving factor",
                                          .applies = Applies::Now}),
        flagAt<&Spec::prune, &Prune::promote>(
            {.section = "prune",
             .name = "promote",
             .type = KeyType::Boolean,
             .description = "resume a pruned trial when later trials at its rung put it among the best",
             .details = "It runs again before any new trial starts and resumes from its checkpoint, if it saved one.",
             .methods = {"halving", "hyperband"},
             .label = "Resume pruned trials",
             .applies = Applies::Now}),
        at<&Spec::prune, &Prune::maxStep>({.section = "prune",
                                           .name = "max_step",
                                           .type = KeyType::Integer,
                                           .minimum = 1,
                                           .maximum = mostSteps,
                                           .description = "steps of a full training",
                                           .details = "With `first_step` and `factor` it gives the number of brackets.",
                                           .absent = "required",
                                           .isRequired = true,
                                           .methods = {"hyperband"},
                                           .example = "8100",
                                           .label = "Steps per training",
                                           .applies = Applies::Now}),
        at<&Spec::prune, &Prune::percentile>({.section = "prune",
                                              .name = "percentile",
                                              .type = KeyType::Float,
                                              .minimum = 1,
                                              .maximum = 99,
                                              .description = "percentage of trials that continue",
                                              .absent = "required",
                                              .isRequired = true,
                                              .methods = {"percentile"},
                                              .example = "25",
                                              .label = "Continuing trials (%)",
                                              .applies = Applies::Now}),
        at<&Spec::prune, &Prune::minTrials>(
            {.section = "prune",
             .name = "min_trials",
             .type = KeyType::Integer,
             .minimum = 2,
             .maximum = 10'000,
             .description = "minimum number of trials at a rung before any of them is pruned",
             .methods = {"median", "percentile", "halving", "hyperband"},
             .label = "Min trials to compare",
             .applies = Applies::Now}),
        at<&Spec::prune, &Prune::compare>(
            {.section = "prune",
             .name = "compare",
             .type = KeyType::Choice,
             .choices = {"all", "completed"},
             .description = "trials that a trial is compared with",
             .details = "`\"all\"` includes every trial that reached the rung, whatever its final state.",
             .methods = {"median", "percentile", "halving", "hyperband"},
             .label = "Compare with",
             .choiceLabels = {"All trials", "Completed trials"},
             .applies = Applies::Now,
             .isUsual = false}),
        at<&Spec::prune, &Prune::value>(
            {.section = "prune",
             .name = "value",
             .type = KeyType::Choice,
             .choices = {"best", "last"},
             .description = "value that is compared",
             .details = "`\"best\"` is the best value up to the rung, `\"last\"` the first value reported there.",
             .methods = {"median", "percentile", "halving", "hyperband"},
             .label = "Compared value",
             .choiceLabels = {"Best value so far", "Value at the rung"},
             .applies = Applies::Now,
             .isUsual = false}),
        at<&Spec::prune, &Prune::patience>(
            {.section = "prune",
             .name = "patience",
             .type = KeyType::Integer,
             .minimum = 1,
             .maximum = 1'000'000,
             .description = "rungs without a new best value before a trial can be pruned",
             .details = "Required with `\"patience\"`. With any other method it spares trials that still improve.",
             .absent = "no condition",
             .example = "5",
             .label = "Rungs without a new best",
             .applies = Applies::Now}),
        at<&Spec::prune, &Prune::minDelta>({.section = "prune",
                                            .name = "min_delta",
                                            .type = KeyType::Float,
                                            .minimum = 0,
                                            .description = "improvement that counts as a new best",
                                            .label = "Min improvement",
                                            .applies = Applies::Now,
                                            .isUsual = false}),
        at<&Spec::prune, &Prune::above>(
            {.section = "prune",
             .name = "above",
             .type = KeyType::Float,
             .description = "upper bound of the objective: a trial above it is pruned, with any method",
             .absent = "no limit",
             .example = "10.0",
             .label = "Prune above",
             .applies = Applies::Now}),
        at<&Spec::prune, &Prune::below>(
            {.section = "prune",
             .name = "below",
             .type = KeyType::Float,
             .description = "lower bound of the objective: a trial below it is pruned, with any method",
             .absent = "no limit",
             .example = "0.1",
             .label = "Prune below",
             .applies = Applies::Now}),
        at<&Spec::prune, &Prune::pValue>({.section = "prune",
                                          .name = "p_value",
                                          .type = KeyType::Float,
                                          .minimum = 1e-6,
                                          .maximum = 0.5,
                                          .description = "significance level of the test by which a trial is pruned",
                                          .methods = {"wilcoxon"},
                                          .label = "Significance level",
                                          .applies = Applies::Now,
                                          .isUsual = false}),
        at<&Spec::prune, &Prune::command>({.section = "prune",
                                           .name = "command",
                                           .type = KeyType::Strings,
                                           .description = "program that decides about pruning, with its arguments",
                                           .absent = "required",
                                           .isRequired = true,
                                           .methods = {"command"},
                                           .example = R"(["python3", "pruner.py"])",
                                           .label = "Pruning program",
                                           .applies = Applies::Now}),
        at<&Spec::prune, &Prune::pruner>(
            {.section = "prune",
             .name = "pruner",
             .type = KeyType::String,
             .description = "class of the pruner in Optuna, with arguments if it needs any",
             .details = "The command `python3` must find Optuna.",
             .methods = {"optuna"},
             .example = "\"PercentilePruner(25.0)\"",
             .label = "Pruner",
             .applies = Applies::Now}),
        at<&Spec::budget, &BudgetSection::time>({.section = "budget",
                                                 .name = "time",
                                                 .type = KeyType::Duration,
                                                 .minimum = 1,
                                                 .maximum = centurySeconds,
                                                 .description = "wall-clock limit since launch, including pauses",
                                                 .details = "No new trial starts after it.",
                                                 .absent = "no limit",
                                                 .example = R"("8h")",
                                                 .label = "Wall-clock limit",
                                                 .applies = Applies::Now}),
        at<&Spec::budget, &BudgetSection::deviceTime>(
            {.section = "budget",
             .name = "device_time",
             .type = KeyType::Duration,
             .minimum = 1,
             .maximum = centurySeconds,
             .description = "total duration of all attempts, each multiplied by its devices",
             .details = "For example, 40 hours are 10 hours on 4 GPUs.",
             .absent = "no limit",
             .example = R"("40h")",
             .label = "Device-hours",
             .applies = Applies::Now}),
        at<&Spec::budget, &BudgetSection::kilowattHours>(
            {.section = "budget",
             .name = "energy_kwh",
             .type = KeyType::Float,
             .minimum = 0.001,
             .maximum = 1e6,
             .description = "energy of the GPUs in kWh, over all attempts that have ended",
             .details = "An attempt with an unknown [energy](devices.md#energy) does not count.",
             .absent = "no limit",
             .example = "2.5",
             .label = "Energy (kWh)",
             .applies = Applies::Now}),
        at<&Spec::stop, &StopSection::target>({.section = "stop",
                                               .name = "target",
                                               .type = KeyType::Float,
                                               .description = "value of the objective at which the sweep ends",
                                               .absent = "none",
                                               .example = "0.95",
                                               .label = "Stop at objective",
                                               .applies = Applies::Now}),
        at<&Spec::stop, &StopSection::patience>(
            {.section = "stop",
             .name = "patience",
             .type = KeyType::Integer,
             .minimum = 1,
             .maximum = 1'000'000,
             .description = "consecutive trials without a new best value before the sweep ends",
             .absent = "no limit",
             .example = "30",
             .label = "Trials without a new best",
             .applies = Applies::Now}),
        at<&Spec::stop, &StopSection::minImprovement>(
            {.section = "stop",
             .name = "min_improvement",
             .type = KeyType::Float,
             .description = "minimum expected improvement of the objective, above 0; below it, the search ends",
             .details = "Only with `\"gp\"` and `\"auto\"`, as soon as they predict results.",
             .absent = "none",
             .example = "0.001",
             .label = "Expected improvement",
             .applies = Applies::Now}),
        at<&Spec::probe, &ProbeSection::parameter>(
            {.section = "probe",
             .name = "parameter",
             .description = "parameter of `[space]` to probe; its values are numbers above 0 in ascending order",
             .details = "All other parameters have one value.",
             .label = "Batch-size parameter",
             .isAlwaysWritten = true}),
        at<&Spec::probe, &ProbeSection::measure>(
            {.section = "probe",
             .name = "measure",
             .type = KeyType::Duration,
             .minimum = 1,
             .maximum = 3600,
             .description = "duration of each measurement, from the first report of its trial",
             .label = "Measurement time",
             .isAlwaysWritten = true}),
    };
}

struct Section {
    const char *name;
    bool (*isIn)(const SweepSpec &);
    void (*add)(SweepSpec &);
};

template <auto Member>
Section optionalSection(const char *name)
{
    return {name, [](const SweepSpec &spec) { return (spec.*Member).has_value(); },
            [](SweepSpec &spec) {
                if (!(spec.*Member))
                    (spec.*Member).emplace();
            }};
}

const std::vector<Section> &sections()
{
    static const std::vector<Section> all = [] {
        const auto always = [](const SweepSpec &) { return true; };
        const auto nothing = [](SweepSpec &) {};
        return std::vector<Section>{
            {"sweep", always, nothing},
            {"search", always, nothing},
            {"run", always, nothing},
            {"run.metrics", [](const SweepSpec &spec) { return spec.run.metrics.has_value(); },
             [](SweepSpec &spec) {
                 if (!spec.run.metrics)
                     spec.run.metrics.emplace();
             }},
            {"devices", always, nothing},
            optionalSection<&Spec::prune>("prune"),
            optionalSection<&Spec::budget>("budget"),
            optionalSection<&Spec::stop>("stop"),
            optionalSection<&Spec::probe>("probe"),
        };
    }();
    return all;
}

const Section *findSection(std::string_view name)
{
    const auto found = std::ranges::find_if(sections(), [name](const Section &one) { return one.name == name; });
    return found != sections().end() ? &*found : nullptr;
}

/// Says nothing but the defaults, in every section.
const SweepSpec &emptySpec()
{
    static const SweepSpec empty = [] {
        SweepSpec spec;
        for (const Section &section : sections())
            section.add(spec);
        return spec;
    }();
    return empty;
}

KeyValue toKeyValue(const ParameterValue &value)
{
    return std::visit([](const auto &held) { return KeyValue(held); }, value);
}

std::optional<ParameterValue> toParameter(const KeyValue &value)
{
    return std::visit(
        [](const auto &held) -> std::optional<ParameterValue> {
            if constexpr (std::is_constructible_v<ParameterValue, decltype(held)>)
                return ParameterValue(held);
            else
                return std::nullopt;
        },
        value);
}

}  // namespace

const std::vector<Key> &keys()
{
    static const std::vector<Key> all = [] {
        std::vector<Key> made;
        for (auto &&part : {sweepKeys(), runKeysBeforeSettings(), builtinSettingKeys(), runKeys(), metricsKeys(),
                            devicesKeys(), limitKeys()})
            made.insert(made.end(), part.begin(), part.end());
        return made;
    }();
    return all;
}

const std::vector<FreeSection> &freeSections()
{
    static const std::vector<FreeSection> all{
        {.name = "objectives",
         .entry = "goal of a further metric that trials report: \"minimize\" or \"maximize\"",
         .details = "The key is the metric's name. sweep.objective stays the first objective.",
         .example = R"(latency = "minimize")",
         .applies = Applies::NewSweep},
        {.name = "space",
         .entry = "values of a parameter: a list, or a range",
         .details =
             "A range is a table with the key float, log, int, normal or log_normal. The key when adds a condition.",
         .example = "lr = { log = [1e-4, 1e-1], points = 4 }"},
        {.name = "constraints",
         .entry = "expression that combinations of parameters must satisfy to run",
         .details = "Any name; error messages use it.",
         .example = R"(fits = "batch_size * ranks <= 256")"},
        {.name = "outcome_constraints",
         .entry = "expression that the metrics of a trial must satisfy to be usable",
         .details = "Any name; error messages use it. A trial that violates one is never the best.",
         .example = R"(fits = "peak_memory < 40")",
         .applies = Applies::Now},
    };
    return all;
}

const Key *findKey(std::string_view path)
{
    const auto found = std::ranges::find_if(keys(), [path](const Key &key) {
        return path.size() == key.section.size() + 1 + key.name.size() && path.starts_with(key.section)
               && path[key.section.size()] == '.' && path.ends_with(key.name);
    });
    return found != keys().end() ? &*found : nullptr;
}

std::span<const Key> keysOf(std::string_view section)
{
    const auto isOf = [section](const Key &key) { return key.section == section; };
    const auto first = std::ranges::find_if(keys(), isOf);
    const auto last = std::find_if_not(first, keys().end(), isOf);
    return {first, last};
}

const std::vector<std::string> &keySections()
{
    static const std::vector<std::string> names = [] {
        std::vector<std::string> made;
        for (const Section &section : sections())
            made.emplace_back(section.name);
        return made;
    }();
    return names;
}

bool hasSection(const SweepSpec &spec, std::string_view section)
{
    const Section *found = findSection(section);
    return found != nullptr && found->isIn(spec);
}

void addSection(SweepSpec &spec, std::string_view section)
{
    if (const Section *found = findSection(section))
        found->add(spec);
}

KeyValue getValue(const Key &key, const SweepSpec &spec)
{
    if (key.get != nullptr)
        return key.get(spec);
    const auto found = spec.run.settings.find(key.name);
    return found != spec.run.settings.end() ? toKeyValue(found->second) : KeyValue();
}

void setValue(const Key &key, SweepSpec &spec, const KeyValue &value)
{
    if (key.set != nullptr)
        key.set(spec, value);
    else if (std::optional<ParameterValue> parameter = toParameter(value))
        spec.run.settings[key.name] = std::move(*parameter);
    else
        spec.run.settings.erase(key.name);
}

KeyValue defaultOf(const Key &key)
{
    return key.isSetting() ? toKeyValue(key.defaultValue) : getValue(key, emptySpec());
}

std::span<const Key> builtinSettings()
{
    const auto first = std::ranges::find_if(keys(), &Key::isSetting);
    return {first, std::find_if_not(first, keys().end(), [](const Key &key) { return key.isSetting(); })};
}

const Key *findBuiltinSetting(std::string_view name)
{
    const std::span<const Key> all = builtinSettings();
    const auto found = std::ranges::find_if(all, [name](const Key &setting) { return setting.name == name; });
    return found == all.end() ? nullptr : &*found;
}

}  // namespace sweepscope::sweep
