#include "engine/attemptlaunch.h"

#include "base/installation.h"
#include "sweep/builtinsettings.h"
#include "sweep/trialplan.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <map>
#include <system_error>
#include <type_traits>
#include <variant>

namespace sweepscope::engine {

namespace {

/// TrialPlan took these two out of the parameters already.
bool isPlanParameter(const std::string &name)
{
    return name == "seed" || name == "ranks";
}

/// 0 when it is no number: OpenMP knows more than that, and then knows what to do.
int asThreads(const std::string &text)
{
    constexpr int most = 4096;
    int threads = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), threads);
    return read.ec == std::errc() ? std::clamp(threads, 0, most) : 0;
}

std::filesystem::path absolute(const std::filesystem::path &path, const std::filesystem::path &baseFolder)
{
    return (baseFolder / path).lexically_normal();  // an absolute path stays as it is
}

}  // namespace

std::string parametersAsJson(const sweep::ParameterSet &parameters)
{
    QJsonObject object;
    for (const auto &[name, value] : parameters) {
        const QJsonValue json = std::visit(
            [](const auto &plain) {
                if constexpr (std::is_same_v<std::decay_t<decltype(plain)>, std::string>)
                    return QJsonValue(QString::fromStdString(plain));
                else if constexpr (std::is_same_v<std::decay_t<decltype(plain)>, std::int64_t>)
                    return QJsonValue(qint64{plain});
                else
                    return QJsonValue(plain);
            },
            value);
        object.insert(QString::fromStdString(name), json);
    }
    return QJsonDocument(object).toJson(QJsonDocument::Compact).toStdString();
}

Programs Programs::installed()
{
    const std::filesystem::path folder = executableFolder();
    return {folder / "sweepscope-agent", folder / "sweepscope-worker", shareFolder() / "python"};
}

std::vector<std::string> builtinCommand(const std::filesystem::path &worker, const sweep::SweepSpec &spec,
                                        const sweep::TrialRecord &trial, const std::filesystem::path &baseFolder)
{
    std::map<std::string, sweep::ParameterValue> settings = spec.run.settings;
    for (const auto &[name, value] : trial.parameters) {
        if (!isPlanParameter(name))
            settings.insert_or_assign(name, value);
    }
    std::vector<std::string> argv{worker.string(), "--seed", std::to_string(trial.seed), "--backend", spec.run.backend};
    for (const auto &[name, value] : settings) {
        std::string text = sweep::toText(value);
        if (sweep::isPathSetting(name) && !text.empty())
            text = absolute(text, baseFolder).string();
        argv.insert(argv.end(), {"--set", name + "=" + text});
    }
    return argv;
}

int threadsAsked(const sweep::SweepSpec &spec, const sweep::ParameterSet &parameters)
{
    if (spec.run.worker == sweep::WorkerKind::Builtin) {
        const sweep::ParameterValue *setting = sweep::find(parameters, "threads");
        if (const auto fixed = spec.run.settings.find("threads");
            setting == nullptr && fixed != spec.run.settings.end())
            setting = &fixed->second;
        const auto *threads = setting != nullptr ? std::get_if<std::int64_t>(setting) : nullptr;
        if (threads != nullptr && *threads > 0)
            return asThreads(std::to_string(*threads));
    }
    if (const auto given = spec.run.environment.find("OMP_NUM_THREADS"); given != spec.run.environment.end())
        return asThreads(given->second);
    const char *inherited = std::getenv("OMP_NUM_THREADS");
    return inherited != nullptr ? asThreads(inherited) : 0;
}

Expected<launch::LaunchSpec> makeLaunchSpec(const Programs &programs, const sweep::SweepRecord &sweep,
                                            const sweep::SweepSpec &spec, const sweep::TrialRecord &trial,
                                            const std::string &attemptId, const device::Allocation &devices)
{
    launch::LaunchSpec launch;
    launch.attemptId = attemptId;
    launch.sweepName = sweep.name;
    launch.trial = trial.number;
    launch.attempt = trial.attempts;
    if (spec.run.worker == sweep::WorkerKind::Builtin) {
        launch.argv = builtinCommand(programs.worker, spec, trial, sweep.baseFolder);
    } else {
        Expected<std::vector<std::string>> argv = sweep::expandCommand(spec, trial.parameters, trial.seed, trial.ranks);
        if (!argv)
            return tl::unexpected<Error>(argv.error());
        launch.argv = std::move(*argv);
    }
    // Of the built-in worker these are plain texts: what it trains with are its settings.
    const auto expanded = [&](const std::string &text) -> Expected<std::string> {
        if (spec.run.worker == sweep::WorkerKind::Builtin)
            return text;
        return sweep::expandText(spec, text, trial.parameters, trial.seed, trial.ranks);
    };
    for (const auto &[name, text] : spec.run.environment) {
        Expected<std::string> value = expanded(text);
        if (!value)
            return tl::unexpected<Error>(value.error());
        launch.environment[name] = std::move(*value);
    }
    const Expected<std::string> workingFolder = expanded(spec.run.workingFolder);
    if (!workingFolder)
        return tl::unexpected<Error>(workingFolder.error());
    launch.workingFolder = absolute(*workingFolder, sweep.baseFolder).string();
    launch.environment["SWEEPSCOPE_PARAMS"] = parametersAsJson(trial.parameters);
    launch.ranks = trial.ranks;
    launch.devices = devices.perRank;
    launch.cpus = devices.cpu.cpus;
    launch.ompThreads = devices.cpu.threads;
    if (spec.run.timeout)
        launch.timeout = *spec.run.timeout;
    launch.pythonPath = programs.pythonPath.string();
    launch.metrics = spec.run.metrics;
    launch.hangFactor = spec.run.policy.hangFactor;
    launch.hangAfter = spec.run.policy.hangAfter;
    launch.exitGrace = spec.run.policy.exitGrace;
    return launch;
}

}  // namespace sweepscope::engine
