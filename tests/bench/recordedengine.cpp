#include "bench/recordedengine.h"

#include "base/clock.h"
#include "base/workspacelayout.h"
#include "engine/server.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace sweepscope::bench {

namespace {

constexpr WallNs second = 1'000'000'000;

std::string folderOf(std::int64_t sweepId)
{
    return "000" + std::to_string(sweepId) + "-bench";
}

/// Eight parameters, one of them with a condition.
constexpr const char *definition = R"([sweep]
name = "table"
objective = "val_accuracy"
goal = "maximize"
method = "random"
trials = 10000

[space]
lr = { log = [1e-4, 1.2] }
hidden = [32, 64, 128, 256, 512]
optimizer = ["adam", "sgd", "adamw"]
dropout = { float = [0.0, 0.5] }
augment = [true, false]
layers = { int = [1, 6] }
momentum = { float = [0.5, 0.99], when = "optimizer == 'sgd'" }
weight_decay = { log = [1e-6, 1e-2] }

[run]
command = ["true"]
)";

sweep::SweepRecord sweepRecord(std::int64_t id, const char *name, int trials, bool runs)
{
    sweep::SweepRecord record;
    record.id = id;
    record.name = name;
    record.folder = folderOf(id);
    record.state = runs ? sweep::SweepState::Running : sweep::SweepState::Completed;
    record.objective = "val_accuracy";
    record.goal = sweep::Goal::Maximize;
    record.parameterNames = {"lr", "hidden", "optimizer", "dropout", "augment", "layers", "momentum", "weight_decay"};
    record.toml = definition;
    record.trialsTotal = trials;
    record.baseFolder = "/";
    record.created = wallNow() - 3600 * second;
    if (!runs)
        record.ended = wallNow();
    return record;
}

/// Eight in addition to the objective.
std::vector<sweep::MetricValue> metricsOf(int number)
{
    constexpr std::array<const char *, 8> names{"loss",      "accuracy",  "val_loss",  "lr",
                                                "grad_norm", "step_time", "data_wait", "samples_per_second"};
    std::vector<sweep::MetricValue> metrics;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const double value = 1.5 + std::sin(number * 0.37 + static_cast<double>(i));
        metrics.push_back({names[i], value, 1000, value / 2, value * 2});
    }
    return metrics;
}

/// Every seventh has failed, every thirteenth was pruned; the value of the others depends mostly on lr.
sweep::TrialRecord endedTrial(std::int64_t sweepId, int number)
{
    constexpr std::array<const char *, 3> optimizers{"adam", "sgd", "adamw"};
    const auto at = static_cast<std::size_t>(number);
    sweep::TrialRecord trial;
    trial.sweepId = sweepId;
    trial.number = number;
    const double rate = std::pow(10.0, -4.0 + number % 97 / 24.0);
    trial.parameters = {{"lr", rate},
                        {"hidden", std::int64_t{32} << (at % 5)},
                        {"optimizer", std::string(optimizers[at % optimizers.size()])},
                        {"dropout", static_cast<double>(number % 11) / 20},
                        {"augment", number % 2 == 0},
                        {"layers", std::int64_t{1 + number % 6}}};
    if (optimizers[at % optimizers.size()] == std::string("sgd"))
        trial.parameters.emplace_back("momentum", 0.5 + number % 89 * 0.0055);
    trial.parameters.emplace_back("weight_decay", std::pow(10.0, -6.0 + number % 83 / 20.75));
    trial.metrics = metricsOf(number);
    const bool failed = number % 7 == 0;
    trial.state = failed ? sweep::TrialState::Failed : sweep::TrialState::Completed;
    trial.seed = static_cast<std::uint64_t>(number) * 2654435761U;
    trial.attempts = 1;
    trial.devices = {"cpu:" + std::to_string(number % 64)};
    trial.started = trial.attemptStarted = wallNow() - (20'000 - number % 10'000) * second;
    trial.ended = *trial.started + (5 + number % 50) * second;
    trial.step = 1000;
    trial.progress = failed ? 0.4 : 1;
    if (failed)
        trial.reason =
            facts::Fact(facts::Code::RankExited)
                .with(facts::Field::Rank, 1)
                .with(facts::Field::ExitCode, 1)
                .with(facts::Field::IsError, 1)
                .with(facts::Field::Detail, "RuntimeError: CUDA error: an illegal memory access was encountered");
    else
        trial.objectiveLast = trial.objectiveBest =
            sweep::ObjectiveValue{0.7 - 0.12 * std::abs(std::log10(rate) + 2.4) + 0.2 * std::sin(number * 0.37)
                                      + (optimizers[at % optimizers.size()] == std::string("sgd") ? -0.05 : 0.0),
                                  1000};
    if (!failed && number % 13 == 0)
        trial.state = sweep::TrialState::Pruned;
    return trial;
}

tl::unexpected<facts::Fact> nothingIsDone()
{
    return tl::unexpected<facts::Fact>(facts::Code::NoEngine);
}

}  // namespace

RecordedEngine::RecordedEngine(const Scale &scale)
    : m_sweeps{sweepRecord(tableSweep, "table", scale.trials, false), sweepRecord(largeSweep, "large", 1, false),
               sweepRecord(streamingSweep, "streaming", 1, true)}
{
    for (int number = 1; number <= scale.trials; ++number)
        m_trials[0].push_back(endedTrial(tableSweep, number));
    sweep::TrialRecord large = endedTrial(largeSweep, 1);
    large.ranks = scale.largeRanks;
    m_trials[1].push_back(std::move(large));
    sweep::TrialRecord streaming = endedTrial(streamingSweep, 1);
    streaming.state = sweep::TrialState::Running;
    streaming.ended.reset();
    streaming.progress = 0.5;
    streaming.ranks = scale.streamingRanks;
    m_trials[2].push_back(std::move(streaming));
}

const sweep::SweepRecord *RecordedEngine::sweep(std::int64_t id) const
{
    return id >= 1 && id <= 3 ? &m_sweeps[id - 1] : nullptr;
}

Expected<std::vector<sweep::TrialRecord>> RecordedEngine::trials(std::int64_t sweepId, int first, int last)
{
    std::vector<sweep::TrialRecord> found;
    for (const sweep::TrialRecord &trial : m_trials[sweepId - 1]) {
        if (trial.number >= first && trial.number <= last)
            found.push_back(trial);
    }
    return found;
}

void RecordedEngine::launch(const std::string &, const std::string &, QObject *, Launched done)
{
    done(tl::unexpected(std::vector<sweep::Problem>{{"", "a recorded engine does nothing"}}));
}
void RecordedEngine::join(const protocol::JoinRequest &, QObject *, Launched done)
{
    done(tl::unexpected(std::vector<sweep::Problem>{{"", "a recorded engine does nothing"}}));
}
void RecordedEngine::importSweep(const protocol::ImportRequest &, QObject *, Launched done)
{
    done(tl::unexpected(std::vector<sweep::Problem>{{"", "a recorded engine does nothing"}}));
}
void RecordedEngine::edit(const protocol::EditRequest &, QObject *, Edited done)
{
    done(tl::unexpected(std::vector<sweep::Problem>{{"", "a recorded engine does nothing"}}));
}
engine::Reply RecordedEngine::enqueue(std::int64_t, const std::map<std::string, std::string> &)
{
    return nothingIsDone();
}
engine::Reply RecordedEngine::continueTrials(std::int64_t, const std::vector<int> &,
                                             const std::map<std::string, std::string> &)
{
    return nothingIsDone();
}
Expected<sweep::TrialHistory> RecordedEngine::history(std::int64_t, int)
{
    return sweep::TrialHistory();
}
engine::Reply RecordedEngine::control(std::int64_t, const sweep::Control &)
{
    return nothingIsDone();
}

std::filesystem::path attemptFolder(const std::filesystem::path &workspace, std::int64_t sweepId, int trial)
{
    return WorkspaceLayout{workspace}.attempt(folderOf(sweepId), trial, 1).folder;
}

int serveRecorded(const std::filesystem::path &workspace, const Scale &scale)
{
    RecordedEngine recorded(scale);
    engine::Server server(recorded, QString::fromStdString(workspace.string()));
    if (const Expected<void> listening = server.listen(engineSocketPath(workspace)); !listening) {
        std::fprintf(stderr, "%s\n", listening.error().message.c_str());
        return 1;
    }
    return QCoreApplication::exec();
}

}  // namespace sweepscope::bench
