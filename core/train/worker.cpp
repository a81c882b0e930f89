#include "train/worker.h"

#include "train/blas.h"
#include "train/commandline.h"
#include "train/data/dataset.h"
#include "train/data/sampleorder.h"
#include "train/errorfile.h"
#include "train/inspect.h"
#include "train/memorymeasurement.h"
#include "train/model.h"
#include "train/models/scriptnetwork.h"
#include "train/parallel/peerwatch.h"
#include "train/parallel/processgroup.h"
#include "train/parallel/rendezvous.h"
#include "train/rankdevices.h"
#include "train/rankenvironment.h"
#include "train/stepreporter.h"
#include "train/stoprequest.h"
#include "train/torcherror.h"
#include "train/trainer.h"
#include "train/trainingerror.h"
#include "train/trainsettings.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <torch/torch.h>

namespace sweepscope::train {

namespace {

constexpr int exitFailed = 1;
constexpr int exitBadInput = 2;
constexpr int exitStopped = 128 + SIGTERM;

/// What one rank is to do, and whom it tells.
struct Job {
    CommandLine line;
    TrainSettings settings;
    RankEnvironment environment;
    torch::Device device = torch::kCPU;
    StepReporter &reporter;
};

/// Says what went wrong as the last line of the log, to the feed, and in the error file.
int fail(int code, StepReporter *reporter, std::int64_t step, const std::string &sentence,
         const std::string &stack = {})
{
    if (reporter != nullptr)
        reporter->event(feed::EventKind::Error, step, sentence);
    writeErrorFile(sentence, stack);
    std::fflush(stdout);
    std::fprintf(stderr, "error: %s\n", sentence.c_str());
    return code;
}

/// What OMP_NUM_THREADS says, where nothing else says more; 0 when there is no such number.
int threadsOfOpenMp()
{
    const char *text = std::getenv("OMP_NUM_THREADS");
    int threads = 0;
    if (text == nullptr || std::getenv("MKL_NUM_THREADS") != nullptr
        || std::from_chars(text, text + std::strlen(text), threads).ec != std::errc())
        return 0;
    return std::max(threads, 0);
}

/// Sets the number of threads. Default: all cores for a single rank, one each for several per machine (as torchrun).
void chooseThreads(const TrainSettings &settings, const RankEnvironment &environment)
{
    if (settings.threads > 0)
        setComputeThreads(static_cast<int>(settings.threads));
    else if (std::getenv("OMP_NUM_THREADS") == nullptr && environment.localWorldSize > 1)
        setComputeThreads(1);
    else if (const int threads = threadsOfOpenMp(); threads > 0 && threads != computeThreads())
        setComputeThreads(threads);  // LibTorch was loaded before this rank was forked, with another number
}

void printStart(const Job &job, const ProcessGroup &group)
{
    if (group.rank() != 0)
        return;
    const TrainSettings &settings = job.settings;
    const std::string ranks =
        group.size() == 1 ? "1 rank" : std::to_string(group.size()) + " ranks over " + toString(group.backend());
    std::printf("%s on %s: %s on %s, seed %llu, LibTorch %s%s\n", settings.model.c_str(), settings.dataset.c_str(),
                ranks.c_str(), group.device().str().c_str(), static_cast<unsigned long long>(settings.seed),
                TORCH_VERSION, Optimizer::isFused() ? "" : " (without fused optimizers)");
    if (const auto warning = blasWarning(); warning && group.device().is_cpu()) {
        std::printf("warning: %s\n", warning->c_str());
        job.reporter.event(feed::EventKind::Warning, 0, *warning);
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

/// Returns null if there are no peers or the watch is off. A failure to start it is a warning: training works without.
std::unique_ptr<PeerWatch> watchPeers(const Job &job, const c10::intrusive_ptr<c10d::Store> &store)
{
    const RankEnvironment &environment = job.environment;
    if (environment.alone() || job.settings.peerTimeout <= 0)
        return nullptr;
    const PeerWatch::Place place{
        .rank = environment.rank,
        .size = environment.worldSize,
        .timeout = std::chrono::milliseconds(std::llround(job.settings.peerTimeout * 1000)),
        .onStuck =
            [](const std::string &lost) {
                writeErrorFile("lost another rank: " + lost, {});
                std::fprintf(stderr, "error: lost another rank: %s\n", lost.c_str());
                std::_Exit(exitFailed);
            },
    };
    Expected<std::unique_ptr<PeerWatch>> watch;
    if (environment.rank == 0) {
        watch = PeerWatch::serve(place, environment.oneMachine());
        if (watch)
            (*watch)->expectAll(joinTimeout(environment));
        const std::string address = watch ? (*watch)->address() : "none";
        store->set("heartbeat", std::vector<std::uint8_t>(address.begin(), address.end()));
    } else {
        const std::vector<std::uint8_t> address = store->get("heartbeat");
        watch = PeerWatch::join(place, {address.begin(), address.end()});
    }
    if (watch)
        return std::move(*watch);
    std::printf("warning: %s; a frozen rank will not be detected\n", watch.error().message.c_str());
    return nullptr;
}

/// Paths and threads may differ from machine to machine.
Agreement agreementOf(const Job &job)
{
    Agreement agreement = job.settings.texts;
    for (const char *own : {"data_folder", "data_file", "target_file", "model_file", "loader_threads", "threads"})
        agreement.erase(own);
    agreement["seed"] = std::to_string(job.settings.seed);
    const bool hasFolder = !job.line.checkpoints.empty() || !job.environment.attemptFolder.empty();
    agreement["a folder for checkpoints"] = hasFolder ? "yes" : "no";
    return agreement;
}

/// By default LibTorch aborts the process when NCCL fails, before the worker can report why. 2 aborts only the
/// communicators. The agent sets 1, as torchrun does.
void prepareNccl()
{
    const char *name = "TORCH_NCCL_ASYNC_ERROR_HANDLING";
    const char *value = std::getenv(name);
    if (value == nullptr || std::strcmp(value, "1") == 0)
        ::setenv(name, "2", 1);
}

/// Where what NCCL was doing goes if a rank is lost. PyTorch's
/// `torchfrtrace` analyses it.
std::filesystem::path ncclTrace(const Job &job)
{
    const std::filesystem::path &attempt = job.environment.attemptFolder;
    return attempt.empty() ? attempt : attempt / ("nccl-trace-" + std::to_string(job.environment.rank) + ".pickle");
}

/// A rank that was asked to stop does not wait for long for others that do not come to the same step.
std::optional<std::string> whyToGiveUp(const PeerWatch *watch)
{
    constexpr std::chrono::seconds patience{8};  // less than the agent has
    if (auto lost = watch != nullptr ? watch->lost() : std::nullopt)
        return lost;
    if (sinceTermination() < patience)
        return std::nullopt;
    return "asked to stop, and the other ranks have not finished the step after " + std::to_string(patience.count())
           + " s";
}

Trainer::Options trainerOptions(const Job &job, std::vector<torch::Device> devices)
{
    Trainer::Options options;
    options.devices = std::move(devices);
    const std::filesystem::path &attempt = job.environment.attemptFolder;
    options.traces = attempt;
    if (!job.line.checkpoints.empty()) {
        options.checkpoints = CheckpointFolder(job.line.checkpoints);
        if (job.settings.resume)
            options.resumeFrom = options.checkpoints->existing();
    } else if (!attempt.empty()) {
        options.checkpoints = CheckpointFolder::ofAttempt(attempt);
        if (job.settings.resume)
            options.resumeFrom = findCheckpoints(attempt);
        const std::filesystem::path &parent = job.environment.parentCheckpoint;
        if (options.resumeFrom.empty() && !parent.empty()) {
            options.resumeFrom = {CheckpointFolder(parent).last(), CheckpointFolder(parent).previous()};
            options.mustResume = true;
        }
    }
    return options;
}

/// Ends the process from within: after an error a connection to a rank that is gone or frozen may never close in good
/// order.
[[noreturn]] void endNow(int code)
{
    std::fflush(nullptr);
    std::_Exit(code);
}

int runTrainer(const Job &job, Trainer &trainer, ProcessGroup &group, const PeerWatch *watch)
{
    int code = exitFailed;
    try {
        const TrainingEnd end = trainer.run();
        group.finish();
        if (end == TrainingEnd::Completed)
            return EXIT_SUCCESS;
        std::printf("stopped on request after step %lld\n", static_cast<long long>(trainer.step()));
        return exitStopped;
    } catch (const InputError &error) {
        code = fail(exitBadInput, &job.reporter, trainer.step(), error.what());
    } catch (const TrainingError &error) {
        code = fail(exitFailed, &job.reporter, trainer.step(), error.what());
    } catch (const RankLost &error) {
        if (terminationRequested() || job.reporter.stopRequested()) {
            // A rank that was asked to stop may find the others gone before they could agree on the step.
            code = exitStopped;
        } else {
            const auto named = watch != nullptr ? watch->awaitLost(std::chrono::seconds(1)) : std::nullopt;
            code = fail(exitFailed, &job.reporter, trainer.step(),
                        "lost another rank at step " + std::to_string(trainer.step()) + ": "
                            + (named ? *named : std::string(error.what()) + "; see the logs of the other ranks"));
        }
    } catch (const std::exception &error) {
        // Over NCCL a lost rank shows as an error of whatever waited for the GPU.
        const auto lost = watch != nullptr ? watch->lost() : std::nullopt;
        const std::string step = trainer.step() > 0 ? " at step " + std::to_string(trainer.step()) : "";
        code =
            fail(exitFailed, &job.reporter, trainer.step(),
                 lost ? "lost another rank" + step + ": " + *lost : "training failed" + step + ": " + sentenceOf(error),
                 stackOf(error));
    }
    trainer.finishCheckpoints();
    trainer.finishTrace();
    endNow(code);
}

/// Reports the GPU that was opened; what is wrong with it comes back.
std::string reportDevice(const Job &job, const ProcessGroup &group)
{
    if (group.gpuUuid().empty())
        return {};
    job.reporter.event(feed::EventKind::Message, 0, "opened " + group.gpuUuid());
    const char *given = std::getenv("SWEEPSCOPE_DEVICES");
    return deviceMismatch(group.rank(), group.gpuUuid(), given != nullptr ? given : "");
}

/// What this rank trains on, with samples enough, and a model that fits them.
Expected<TrialData> loadData(const TrainSettings &settings, const RankEnvironment &environment)
{
    Expected<TrialData> data = loadTrialData(settings, {.rank = environment.rank, .ranks = environment.worldSize});
    if (!data)
        return data;
    if (const Expected<void> fits = checkSampling(settings, *data, environment.worldSize); !fits)
        return tl::unexpected(fits.error());
    if (const Expected<void> known = checkBestBy(settings, *data); !known)
        return tl::unexpected(known.error());
    if (const Expected<void> fits = checkModel(settings, shapeOf(*data)); !fits)
        return tl::unexpected(fits.error());
    if (settings.model == "torchscript") {
        if (const Expected<void> fits = checkScript(settings, *data); !fits)
            return tl::unexpected(fits.error());
    }
    return data;
}

int train(const Job &job)
{
    const RankEnvironment &environment = job.environment;
    Expected<TrialData> data;
    try {
        data = loadData(job.settings, environment);
    } catch (const std::exception &error) {
        return fail(exitFailed, &job.reporter, 0, "could not load the data: " + sentenceOf(error), stackOf(error));
    }
    if (!data)
        return fail(exitBadInput, &job.reporter, 0, data.error().message);

    std::string doing = "could not join the other ranks";
    if (environment.agentStore)  // its stores do not understand each other across versions
        doing += " through torchrun, which must have this worker's PyTorch version, " TORCH_VERSION;
    try {
        const auto store = openStore(environment);
        awaitRanks(store, environment.rank, environment.worldSize, joinTimeout(environment), agreementOf(job));
        const std::unique_ptr<PeerWatch> watch = watchPeers(job, store);
        store->setTimeout(std::chrono::minutes(5));  // what NCCL exchanges over it may take its time
        prepareNccl();
        // Shared with the thread that ends it if a rank is lost.
        const auto shared = std::make_shared<ProcessGroup>(store, environment.rank, environment.worldSize,
                                                           ProcessGroup::Options{.backend = job.line.backend,
                                                                                 .device = job.device,
                                                                                 .loopback = environment.oneMachine()});
        ProcessGroup &group = *shared;
        if (watch) {
            watch->everybodyIsHere();
            watch->whenLost([shared, trace = ncclTrace(job)] { shared->abort(trace); });
        }
        group.setWaiting([&job](const std::string &collective) {
            job.reporter.event(feed::EventKind::Message, job.reporter.lastStep(), "waiting in " + collective);
        });
        group.setGiveUp([&watch] { return whyToGiveUp(watch.get()); });
        printStart(job, group);
        if (const std::string problem = reportDevice(job, group); !problem.empty())
            endNow(fail(exitFailed, &job.reporter, 0, problem));
        Expected<std::vector<torch::Device>> devices = rankDevices(job.settings, group.device());
        if (!devices)
            return fail(exitBadInput, &job.reporter, 0, devices.error().message);
        watchForTermination();
        Trainer trainer(job.settings, std::move(*data), group, job.reporter,
                        {.stopRequested = [&] { return terminationRequested() || job.reporter.stopRequested(); },
                         .log =
                             [&](const std::string &line) {
                                 if (group.rank() == 0)
                                     std::printf("%s\n", line.c_str());
                             }},
                        trainerOptions(job, std::move(*devices)));
        return runTrainer(job, trainer, group, watch.get());
    } catch (const std::exception &error) {
        return fail(exitFailed, &job.reporter, 0, doing + ": " + sentenceOf(error), stackOf(error));
    }
}

/// Prints what `report` returns.
int printReport(const std::function<Expected<std::string>()> &report)
{
    try {
        const Expected<std::string> text = report();
        if (!text)
            return fail(exitBadInput, nullptr, 0, text.error().message);
        std::printf("%s\n", text->c_str());
        return EXIT_SUCCESS;
    } catch (const InputError &error) {
        return fail(exitBadInput, nullptr, 0, error.what());
    } catch (const std::exception &error) {
        return fail(exitFailed, nullptr, 0, sentenceOf(error));
    }
}

int inspect(const CommandLine &line, const TrainSettings &settings, const RankEnvironment &environment)
{
    const InspectOptions options{.ranks = line.inspectRanks.value_or(environment.worldSize),
                                 .rank = line.inspectRank.value_or(environment.rank),
                                 .epoch = line.inspectEpoch,
                                 .values = line.inspectValues};
    if (options.ranks < 1 || options.rank < 0 || options.rank >= options.ranks)
        return fail(exitBadInput, nullptr, 0,
                    "--rank " + std::to_string(options.rank) + ": no such rank; the world size is "
                        + std::to_string(options.ranks));
    return printReport([&] { return inspectTrial(settings, options); });
}

int reportMemory(const TrainSettings &settings)
{
    return printReport(
        [&] { return measureMemory(settings).map([](const auto &profile) { return toJson(profile); }); });
}

std::string metricsFile(const std::string &pattern, int rank)
{
    const std::string placeholder = "{rank}";
    const std::size_t at = pattern.find(placeholder);
    return at == std::string::npos
               ? pattern
               : pattern.substr(0, at) + std::to_string(rank) + pattern.substr(at + placeholder.size());
}

/// Before CUDA starts, which reads the variable then.
void chooseArithmetic(const TrainSettings &settings)
{
    at::globalContext().setFloat32MatmulPrecision(settings.matmulPrecision);
    if (!settings.deterministic)
        return;
    ::setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", 0);
    at::globalContext().setDeterministicAlgorithms(true, /*warn_only=*/false);
    at::globalContext().setDeterministicCuDNN(true);
    at::globalContext().setBenchmarkCuDNN(false);
}

/// What can be refused before any other rank is waited for.
Expected<Job> makeJob(CommandLine line, const RankEnvironment &environment, StepReporter &reporter)
{
    const Expected<TrainSettings> settings = parseSettings(line.assignments, line.seed);
    if (!settings)
        return tl::unexpected(settings.error());
    if (const Expected<void> fits = checkParallel(*settings, environment.worldSize); !fits)
        return tl::unexpected(fits.error());
    chooseArithmetic(*settings);
    const Expected<torch::Device> device = openDevice(*settings, environment);
    if (!device)
        return tl::unexpected(device.error());
    // What this rank alone can see of it; the ranks agree when they have met.
    const Expected<Backend> backend =
        chooseBackend(line.backend, {device->is_cuda() ? "a GPU" : std::string()}, hasNccl());
    if (!backend)
        return tl::unexpected(backend.error());
    if (!line.metrics.empty()) {
        const Expected<void> opened = reporter.writeLinesTo(metricsFile(line.metrics, environment.rank));
        if (!opened)
            return tl::unexpected(opened.error());
    }
    return Job{std::move(line), *settings, environment, *device, reporter};
}

}  // namespace

int runWorker(int argc, char **argv)
{
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    int exitCode = EXIT_SUCCESS;
    Expected<std::optional<CommandLine>> line = readCommandLine(argc, argv, exitCode);
    if (!line)
        return fail(exitBadInput, nullptr, 0, line.error().message);
    if (!*line)
        return exitCode;
    const Expected<RankEnvironment> environment = readRankEnvironment();
    if (!environment)
        return fail(exitBadInput, nullptr, 0, environment.error().message);
    if ((*line)->preflight)
        return runPreflight(*(*line)->preflight, *environment);
    if ((*line)->inspect || (*line)->memory) {
        const Expected<TrainSettings> settings = parseSettings((*line)->assignments, (*line)->seed);
        if (!settings)
            return fail(exitBadInput, nullptr, 0, settings.error().message);
        return (*line)->memory ? reportMemory(*settings) : inspect(**line, *settings, *environment);
    }
    Expected<StepReporter> reporter = openReporter();
    if (!reporter)
        return fail(exitFailed, nullptr, 0, reporter.error().message);
    const Expected<Job> job = makeJob(std::move(**line), *environment, *reporter);
    if (!job)
        return fail(job.error().code == ErrorCode::Unavailable ? exitFailed : exitBadInput, &*reporter, 0,
                    job.error().message);
    chooseThreads(job->settings, *environment);
    return train(*job);
}

}  // namespace sweepscope::train
