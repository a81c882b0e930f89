#include "engine/attemptlaunch.h"

#include "base/builtworker.h"
#include "base/installation.h"
#include "sweep/command.h"
#include "sweep/trialplan.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <type_traits>
#include <variant>

namespace sweepscope::engine {

namespace {

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
    return {folder / "sweepscope-agent", workerProgram(), shareFolder() / "python"};
}

std::vector<std::string> builtinCommand(const std::filesystem::path &worker, const sweep::SweepSpec &spec,
                                        const sweep::TrialRecord &trial, const std::filesystem::path &baseFolder)
{
    std::vector<std::string> argv = sweep::builtinArguments(spec, trial.parameters, trial.seed, baseFolder);
    argv.insert(argv.begin(), worker.string());
    argv.insert(argv.begin() + 3, {"--backend", spec.run.backend});  // after the seed
    return argv;
}

Expected<launch::LaunchSpec> makeLaunchSpec(const Programs &programs, const sweep::SweepRecord &sweep,
                                            const sweep::SweepSpec &spec, const sweep::TrialRecord &trial,
                                            const std::string &attemptId, const schedule::Allocation &devices)
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
    // The built-in worker uses these strings as they are: its parameters are its settings.
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
    if (!spec.run.environmentFile.empty())
        launch.environmentFile = absolute(spec.run.environmentFile, sweep.baseFolder).string();
    const Expected<std::string> workingFolder = expanded(spec.run.workingFolder);
    if (!workingFolder)
        return tl::unexpected<Error>(workingFolder.error());
    launch.workingFolder = absolute(*workingFolder, sweep.baseFolder).string();
    launch.environment["SWEEPSCOPE_PARAMS"] = parametersAsJson(trial.parameters);
    launch.ranks = trial.ranks;
    launch.devices = devices.perRank;
    launch.deviceGroup = devices.group;
    launch.cpus = devices.cpu.cpus;
    launch.ompThreads = devices.cpu.threads;
    if (spec.run.timeout)
        launch.timeout = *spec.run.timeout;
    launch.pythonPath = programs.pythonPath.string();
    launch.watch = spec.run.worker == sweep::WorkerKind::Command && spec.run.watch == sweep::Watch::Auto;
    launch.distributed = spec.run.distributed;
    launch.metrics = spec.run.metrics;
    if (launch.metrics && !launch.metrics->tensorboard.empty()) {
        const Expected<std::string> folder = expanded(launch.metrics->tensorboard);
        if (!folder)
            return tl::unexpected<Error>(folder.error());
        launch.metrics->tensorboard = absolute(*folder, launch.workingFolder).string();
    }
    launch.hangFactor = spec.run.policy.hangFactor;
    launch.hangAfter = spec.run.policy.hangAfter;
    launch.exitGrace = spec.run.policy.exitGrace;
    return launch;
}

}  // namespace sweepscope::engine
