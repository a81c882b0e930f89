#include "train/worker.h"

#include "sweep/builtinsettings.h"
#include "train/blas.h"
#include "train/data/dataset.h"
#include "train/parallel/processgroup.h"
#include "train/parallel/rendezvous.h"
#include "train/rankenvironment.h"
#include "train/stepreporter.h"
#include "train/stoprequest.h"
#include "train/trainer.h"
#include "train/trainsettings.h"

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <torch/torch.h>

namespace sweepscope::train {

namespace {

constexpr int exitFailed = 1;
constexpr int exitBadInput = 2;
constexpr int exitStopped = 128 + SIGTERM;

struct CommandLine {
    std::uint64_t seed = 0;
    std::string backend = "auto";
    std::vector<std::string> assignments;
};

std::string settingsHelp()
{
    std::string text = "Settings (KEY=VALUE, default in brackets):\n";
    for (const sweep::BuiltinSetting &setting : sweep::builtinSettings()) {
        std::string line = "  " + setting.name;
        line.resize(std::max<std::size_t>(line.size() + 1, 24), ' ');
        text += line + setting.description + " [" + sweep::toText(setting.defaultValue) + "]\n";
    }
    return text + "\nExit codes: 0 trained to the end, 1 training failed, 2 bad input, 143 stopped on request.";
}

void describeOptions(CLI::App &app, CommandLine &line)
{
    app.add_option("--seed", line.seed, "initial weights, split and order of the data come from it")
        ->capture_default_str();
    app.add_option("--backend", line.backend, "how ranks exchange gradients; auto: nccl on GPUs, else gloo")
        ->check(CLI::IsMember({"auto", "gloo", "nccl"}))
        ->capture_default_str();
    app.add_option("--set", line.assignments, "one setting, KEY=VALUE; may be repeated")->take_all()->expected(1);
    app.footer(settingsHelp());
}

/// Says what went wrong as the last line of the log, and to the feed.
int fail(int code, StepReporter *reporter, std::int64_t step, const std::string &sentence)
{
    if (reporter != nullptr)
        reporter->event(feed::EventKind::Error, step, sentence);
    std::fflush(stdout);
    std::fprintf(stderr, "error: %s\n", sentence.c_str());
    return code;
}

/// The first line of what LibTorch says, without its stack trace.
std::string sentenceOf(const std::exception &exception)
{
    const auto *torchError = dynamic_cast<const c10::Error *>(&exception);
    const std::string text = torchError != nullptr ? torchError->what_without_backtrace() : exception.what();
    return text.substr(0, text.find('\n'));
}

/// Threads per rank when nobody says: all cores for a rank alone, one each for several on this machine (as torchrun).
void chooseThreads(const TrainSettings &settings, const RankEnvironment &environment)
{
    if (settings.threads > 0)
        setComputeThreads(static_cast<int>(settings.threads));
    else if (std::getenv("OMP_NUM_THREADS") == nullptr && environment.localWorldSize > 1)
        setComputeThreads(1);
}

void sayStart(const TrainSettings &settings, const ProcessGroup &group, Backend backend, StepReporter &reporter)
{
    if (group.rank() != 0)
        return;
    std::printf("%s on %s: %d rank%s over %s on %s, seed %llu, LibTorch %s\n", settings.model.c_str(),
                settings.dataset.c_str(), group.size(), group.size() == 1 ? "" : "s", toString(backend).c_str(),
                group.device().str().c_str(), static_cast<unsigned long long>(settings.seed), TORCH_VERSION);
    if (const auto warning = blasWarning(); warning && group.device().is_cpu()) {
        std::printf("warning: %s\n", warning->c_str());
        reporter.event(feed::EventKind::Warning, 0, *warning);
    }
}

Expected<StepReporter> openReporter()
{
    Expected<feed::FeedWriter> writer = feed::FeedWriter::openFromEnvironment();
    if (writer)
        return StepReporter(std::move(*writer));
    if (const char *ring = std::getenv("SWEEPSCOPE_RING"); ring != nullptr && *ring != '\0')
        return tl::unexpected(writer.error());
    return StepReporter(std::nullopt);
}

int train(const TrainSettings &settings, const RankEnvironment &environment, Backend backend, StepReporter &reporter)
{
    Expected<TrialData> data = loadTrialData(settings);
    if (!data)
        return fail(exitBadInput, &reporter, 0, data.error().message);

    std::string doing = "could not join the other ranks";
    if (environment.agentStore)  // its stores do not understand each other across versions
        doing += " through torchrun, which must be of this worker's PyTorch version, " TORCH_VERSION;
    std::int64_t step = 0;
    try {
        const auto store = openStore(environment);
        awaitRanks(store, environment.rank, environment.worldSize);
        ProcessGroup group(store, environment.rank, environment.worldSize, backend, environment.gpu,
                           environment.oneMachine());
        sayStart(settings, group, backend, reporter);
        rememberTermination();
        Trainer trainer(settings, std::move(*data), group, reporter,
                        {.stopRequested = [&] { return terminationRequested() || reporter.stopRequested(); },
                         .log =
                             [&](const std::string &line) {
                                 if (group.rank() == 0)
                                     std::printf("%s\n", line.c_str());
                             }});
        doing = "training failed";
        try {
            if (trainer.run() == TrainingEnd::Completed)
                return EXIT_SUCCESS;
        } catch (...) {
            step = trainer.step();
            throw;
        }
        std::printf("stopped on request after step %lld\n", static_cast<long long>(trainer.step()));
        return exitStopped;
    } catch (const TrainingError &error) {
        return fail(exitFailed, &reporter, step, error.what());
    } catch (const RankLost &error) {
        // A rank that was asked to stop may find the others gone before they could agree on the step.
        if (terminationRequested() || reporter.stopRequested())
            return exitStopped;
        return fail(exitFailed, &reporter, step,
                    "lost another rank at step " + std::to_string(step) + " (" + error.what() + "); its log says why");
    } catch (const std::exception &error) {
        return fail(exitFailed, &reporter, step,
                    doing + (step > 0 ? " at step " + std::to_string(step) : "") + ": " + sentenceOf(error));
    }
}

}  // namespace

int runWorker(int argc, char **argv)
{
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    CommandLine line;
    CLI::App app{"One rank of Sweepscope's built-in training: real data-parallel training with LibTorch.\n"
                 "Ranks find each other through torchrun's environment (RANK, WORLD_SIZE, MASTER_ADDR, MASTER_PORT);\n"
                 "without it this is one rank alone."};
    describeOptions(app, line);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError &error) {
        if (error.get_exit_code() == 0)
            return app.exit(error);
        return fail(exitBadInput, nullptr, 0, std::string(error.what()) + " (see --help)");
    }

    const Expected<RankEnvironment> environment = readRankEnvironment();
    if (!environment)
        return fail(exitBadInput, nullptr, 0, environment.error().message);
    Expected<StepReporter> reporter = openReporter();
    if (!reporter)
        return fail(exitFailed, nullptr, 0, reporter.error().message);
    const Expected<TrainSettings> settings = parseSettings(line.assignments, line.seed);
    if (!settings)
        return fail(exitBadInput, &*reporter, 0, settings.error().message);
    chooseThreads(*settings, *environment);
    const Expected<Backend> backend = chooseBackend(line.backend);
    if (!backend)
        return fail(exitBadInput, &*reporter, 0, backend.error().message);
    return train(*settings, *environment, *backend, *reporter);
}

}  // namespace sweepscope::train
