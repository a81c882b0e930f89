#include "train/commandline.h"

#include "sweep/keys.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>

namespace sweepscope::train {

namespace {

std::string settingsHelp()
{
    std::string text = "Settings (KEY=VALUE, default in brackets):\n";
    for (const sweep::Key &setting : sweep::builtinSettings()) {
        std::string line = "  " + setting.name;
        line.resize(std::max<std::size_t>(line.size() + 1, 24), ' ');
        const std::string zero = setting.zero.empty() ? "" : "; 0 = " + setting.zero;
        text += line + setting.description + zero + " [" + sweep::toText(setting.defaultValue) + "]\n";
    }
    return text + "\nExit codes: 0 training completed, 1 training failed, 2 bad input, 143 stopped on request.";
}

void describeTrial(CLI::App &app, CommandLine &line)
{
    app.add_option("--seed", line.seed, "seed of the initial weights, the split and the order of the data")
        ->capture_default_str();
    app.add_option("--set", line.assignments, "a setting as KEY=VALUE; may be repeated")->take_all()->expected(1);
}

void describeTraining(CLI::App &app, CommandLine &line)
{
    describeTrial(app, line);
    app.add_option("--backend", line.backend,
                   "how ranks exchange gradients; auto: nccl if each has its own GPU, else gloo")
        ->check(CLI::IsMember({"auto", "gloo", "nccl"}))
        ->capture_default_str();
    app.add_option("--metrics", line.metrics,
                   "write the metrics of every step to this file, as one line of JSON; {rank} is replaced by the rank");
    app.add_option("--checkpoints", line.checkpoints,
                   "folder for checkpoints, from which training also resumes; under Sweepscope: the attempt's folder");
    app.footer(settingsHelp());
}

void describeInspect(CLI::App &app, CommandLine &line)
{
    CLI::App *inspect = app.add_subcommand(
        "inspect", "print what a rank would see in an epoch as JSON: split, sample indices, initial parameters");
    describeTrial(*inspect, line);
    inspect->add_option("--world-size", line.inspectRanks, "number of ranks; default: WORLD_SIZE, else 1");
    inspect->add_option("--rank", line.inspectRank, "default: RANK, else 0");
    inspect->add_option("--epoch", line.inspectEpoch, "counted from 0")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    inspect->add_flag("--values", line.inspectValues, "print all values of the parameters, not only their checksums");
    inspect->callback([&line] { line.inspect = true; });
}

void describeMemory(CLI::App &app, CommandLine &line)
{
    CLI::App *memory = app.add_subcommand(
        "memory", "print the memory of a training step as JSON, in bytes; measured on the CPU with small batches");
    describeTrial(*memory, line);
    memory->callback([&line] { line.memory = true; });
}

void describePreflight(CLI::App &app, PreflightOptions &options, CommandLine &line)
{
    CLI::App *preflight =
        app.add_subcommand("preflight", "test the links between the ranks' GPUs, then become the command after --");
    preflight->add_option("--file", options.file, "JSON: GPUs and promised bandwidths; the result goes there")
        ->required();
    preflight->add_option("--keep", options.keep, "where a complete result is copied to");
    preflight
        ->add_option_function<int>(
            "--limit", [&options](int seconds) { options.limit = std::chrono::seconds(seconds); },
            "seconds for each pair, default 30")
        ->check(CLI::PositiveNumber);
    preflight->callback([&] { line.preflight = options; });
}

}  // namespace

Expected<std::optional<CommandLine>> readCommandLine(int argc, char **argv, int &exitCode)
{
    CommandLine line;
    CLI::App app{"One rank of Sweepscope's built-in training: real data-parallel training with LibTorch.\nRanks find "
                 "each other through torchrun's environment (RANK, WORLD_SIZE, MASTER_ADDR, MASTER_PORT);\nwithout it, "
                 "the worker trains as a single rank."};
    describeTraining(app, line);
    describeInspect(app, line);
    describeMemory(app, line);
    PreflightOptions preflight;
    describePreflight(app, preflight, line);
    char **const end = argv + argc;
    char **const separator = std::find_if(argv, end, [](const char *word) { return std::string_view(word) == "--"; });
    if (separator != end)
        preflight.command.assign(separator + 1, end);
    try {
        app.parse(static_cast<int>(separator - argv), argv);
        if (line.preflight && line.preflight->command.empty())
            return makeError(ErrorCode::BadInput, "preflight: the command is missing; write it after --");
    } catch (const CLI::ParseError &error) {
        if (error.get_exit_code() != 0)
            return makeError(ErrorCode::BadInput, std::string(error.what()) + " (see --help)");
        exitCode = app.exit(error);
        return std::optional<CommandLine>();
    }
    return std::optional(line);
}

}  // namespace sweepscope::train
