#include "argumentchecks.h"
#include "enginepatience.h"
#include "exitcode.h"
#include "runoutput.h"
#include "subcommand.h"
#include "sweepinput.h"
#include "sweeplaunch.h"
#include "terminationsignals.h"
#include "workspaceoption.h"

#include "base/filedescriptor.h"
#include "base/files.h"
#include "base/workspacelayout.h"
#include "device/sources.h"
#include "engine/attemptlaunch.h"
#include "engine/devicelist.h"
#include "engine/sweepadmission.h"
#include "launch/attemptevents.h"
#include "launch/carriedenvironment.h"
#include "sweep/singlerun.h"
#include "sweep/sweepfile.h"
#include "sweep/torchrun.h"
#include "wording/sentence.h"

#include <QEventLoop>
#include <QTimer>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <iostream>
#include <memory>
#include <sstream>
#include <tl/expected.hpp>
#include <unistd.h>

namespace sweepscope::ctl {

namespace {

using namespace std::chrono_literals;
using Environment = std::map<std::string, std::string>;

constexpr auto copyInterval = 50ms;
constexpr std::uint64_t mostEnvironmentBytes = 4 * 1024 * 1024;

struct ExecOptions {
    std::string workspace;
    std::string name;
    int gpus = -1;  ///< -1: not given
    std::vector<std::string> command;
};

Environment ownEnvironment()
{
    Environment environment;
    for (char **variable = environ; *variable != nullptr; ++variable)
        environment.merge(launch::environmentOf(*variable));
    return environment;
}

/// Empty if it cannot be read: then the whole environment of this shell is carried.
Environment environmentOfEngine(const WorkspaceLayout &workspace)
{
    constexpr std::uint64_t mostLockBytes = 64;
    const std::string pid = readFile(workspace.lockFile(), mostLockBytes).value_or(std::string());
    const long number = std::strtol(pid.c_str(), nullptr, 10);
    return launch::environmentOf(
        readFile("/proc/" + std::to_string(number) + "/environ", mostEnvironmentBytes).value_or(std::string()));
}

/// Holds the secret variables while the run lasts.
class SecretsFile {
public:
    SecretsFile() = default;
    SecretsFile(const SecretsFile &) = delete;
    SecretsFile &operator=(const SecretsFile &) = delete;
    ~SecretsFile()
    {
        if (!m_path.empty())
            ::unlink(m_path.c_str());
    }

    Expected<void> write(const WorkspaceLayout &workspace, const Environment &variables)
    {
        std::string path = (workspace.root / "exec-XXXXXX.env").string();
        constexpr int suffix = 4;
        const FileDescriptor file(::mkostemps(path.data(), suffix, O_CLOEXEC));  // mode 0600
        if (!file)
            return makeErrnoError("cannot create a file in the workspace " + workspace.root.string(), errno);
        m_path = path;
        return writeAll(file.get(), launch::toEnvironmentFile(variables), m_path);
    }
    const std::string &path() const { return m_path; }

private:
    std::string m_path;
};

/// Returns the Python next to torchrun, which runs its scripts.
std::string pythonOf(const std::string &torchrun)
{
    std::filesystem::path folder = std::filesystem::path(torchrun).parent_path();
    const char *const searched = std::getenv("PATH");
    std::istringstream folders(folder.empty() && searched != nullptr ? searched : "");
    for (std::string each; folder.empty() && std::getline(folders, each, ':');) {
        if (!each.empty() && ::access((each + "/" + torchrun).c_str(), X_OK) == 0)
            folder = each;
    }
    for (const char *const python : {"python3", "python"}) {
        if (::access((folder / python).c_str(), X_OK) == 0)
            return (folder / python).string();
    }
    return "python3";
}

/// The choice of GPUs in this shell. Sweepscope numbers them in the order of the PCI bus, as nvidia-smi does.
void applyVisibleDevices(sweep::DevicesSection &devices)
{
    const char *const visible = std::getenv("CUDA_VISIBLE_DEVICES");
    if (visible == nullptr)
        return;
    std::istringstream list(visible);
    for (std::string gpu; std::getline(list, gpu, ',') && !gpu.empty() && gpu != "-1";)
        devices.pin.push_back(gpu);
    if (devices.pin.empty())
        devices.kind = sweep::DeviceKind::Cpu;
}

Expected<sweep::SweepSpec> definitionOf(const ExecOptions &options, const Environment &environment,
                                        const sweep::Capacity &capacity)
{
    std::vector<std::string> command = options.command;
    const auto script = std::ranges::find_if(command, [](const std::string &word) { return word.ends_with(".py"); });
    const std::string name = sweep::runNameOf(!options.name.empty()     ? options.name
                                              : script != command.end() ? *script
                                                                        : command.front());
    int ranks = 1;
    int restarts = 0;
    auto torchrun = sweep::parseTorchrun(command, pythonOf(command.front()));
    const bool isDistributed = torchrun.has_value();
    if (isDistributed) {
        if (!*torchrun)
            return tl::unexpected<Error>((*torchrun).error());
        const std::optional<int> processes =
            sweep::processesOf((*torchrun)->processes, capacity.gpus, capacity.cpuCores);
        if (!processes)
            return makeError(ErrorCode::BadInput,
                             "torchrun: cannot start --nproc-per-node=" + (*torchrun)->processes + " processes here");
        ranks = *processes;
        restarts = (*torchrun)->restarts;
        command = (*torchrun)->command;
    }
    sweep::SweepSpec spec = sweep::makeRun(name, command, environment);
    spec.run.ranks = ranks;
    spec.run.retries = restarts;
    spec.run.distributed = isDistributed;
    applyVisibleDevices(spec.devices);
    if (options.gpus >= 0) {
        spec.devices.kind = options.gpus == 0 ? sweep::DeviceKind::Cpu : sweep::DeviceKind::Gpu;
        if (options.gpus % ranks != 0)
            return makeError(ErrorCode::BadInput, "--gpus must be a multiple of the number of processes, "
                                                      + std::to_string(ranks) + ", or 0");
        spec.devices.perRank = std::max(1, options.gpus / ranks);
    }
    const bool isOnCpu = spec.devices.kind == sweep::DeviceKind::Cpu
                         || (spec.devices.kind == sweep::DeviceKind::Auto && capacity.gpus == 0);
    if (isOnCpu && ranks > capacity.cpuCores)
        spec.devices.cpuSlots = ranks;  // as torchrun, which starts any number
    return spec;
}

/// Prints the problems and returns the exit code if there are any: badInput for wrong options, trialsFailed for a command that
/// cannot be started here.
tl::expected<SweepInput, ExitCode> inputOf(const ExecOptions &options, const Environment &environment,
                                           const std::string &environmentFile)
{
    SweepInput input;
    std::error_code error;
    input.baseFolder = std::filesystem::current_path(error);
    input.capacity = engine::capacityOf(engine::offeredOf(device::devicesOf(device::makeSources())));
    Expected<sweep::SweepSpec> spec = definitionOf(options, environment, input.capacity);
    if (!spec) {
        std::cerr << spec.error().message << '\n';
        return tl::unexpected(badInput);
    }
    spec->run.environmentFile = environmentFile;
    input.spec = std::move(*spec);
    input.text = input.toml = sweep::toToml(input.spec);
    std::vector<sweep::Problem> problems = sweep::parseSweep(input.toml).problems;
    const ExitCode exitCode = problems.empty() ? trialsFailed : badInput;
    if (problems.empty())
        problems =
            engine::machineProblems(input.spec, input.capacity, engine::Programs::installed().worker, input.baseFolder);
    for (sweep::Problem &problem : problems) {
        problem.line = problem.column = 0;  // the definition is not shown
        std::cerr << sweep::describe(problem, {}) << '\n';
    }
    if (!problems.empty())
        return tl::unexpected(exitCode);
    return input;
}

/// Returns the exit code of the rank that failed first, 128 plus the number of the signal that ended it, or 0. nullopt: none
/// has ended.
std::optional<int> exitCodeOf(const std::vector<launch::AttemptEvent> &events)
{
    using Kind = launch::AttemptEventKind;
    constexpr int bySignal = 128;
    std::optional<int> code;
    for (const launch::AttemptEvent &event : events) {
        if (event.kind == Kind::RankExited && code.value_or(0) == 0)
            code = event.signal ? bySignal + *event.signal : event.exitCode.value_or(0);
    }
    const auto first = std::ranges::find(events, Kind::FirstError, &launch::AttemptEvent::kind);
    const auto failed = std::ranges::find_if(events, [&](const launch::AttemptEvent &event) {
        return first != events.end() && event.kind == Kind::RankExited && event.rank == first->rank;
    });
    if (failed != events.end())
        code = failed->signal ? bySignal + *failed->signal : failed->exitCode.value_or(0);
    return code;
}

/// Shows the run until it has ended.
class RunWatch {
public:
    RunWatch(protocol::EngineClient &client, std::int64_t sweepId)
        : m_client(client),
          m_sweepId(sweepId),
          m_patience(client, "Reconnecting; the run is not affected.", [this](const QString &reason) {
              std::cerr << reason.toStdString() << '\n';
              m_exitCode = noEngine;
              m_loop.quit();
          })
    {
        QObject::connect(&m_timer, &QTimer::timeout, &m_loop, [this] { poll(); });
        QObject::connect(&m_client, &protocol::EngineClient::trialsChanged, &m_loop, [this] { poll(); });
        QObject::connect(&m_client, &protocol::EngineClient::sweepsChanged, &m_loop, [this] { poll(); });
        QObject::connect(&m_signals, &TerminationSignals::received, &m_loop, [this] { stop(); });
    }

    int exec()
    {
        m_timer.start(copyInterval);
        m_loop.exec();
        return m_exitCode;
    }

private:
    /// The first time SIGTERM, the second time SIGKILL.
    void stop()
    {
        sweep::Control control;
        control.stopMode = m_isStopping ? sweep::StopMode::Kill : sweep::StopMode::Now;
        m_isStopping = true;
        m_client.control(m_sweepId, control);
    }

    void poll()
    {
        if (m_hasEnded)
            return;  // quit() still lets pending events through
        const sweep::SweepRecord *const sweep = m_client.sweep(m_sweepId);
        if (sweep == nullptr && !m_client.isConnected())
            return;
        if (sweep == nullptr || m_client.trials(m_sweepId).empty()) {
            m_exitCode = trialsFailed;  // it was deleted
            m_hasEnded = true;
            return m_loop.quit();
        }
        const sweep::TrialRecord &trial = m_client.trials(m_sweepId).front();
        if (trial.attempts != m_attempt)
            beginAttempt(*sweep, trial);
        if (m_output)
            m_output->copy();
        if (trial.state == sweep::TrialState::Queued && trial.reason && trial.reason != m_reason
            && trial.reason.code != facts::Code::Queued)
            std::cerr << "sweepctl: waiting: " << wording::sentence(trial.reason) << '\n';
        m_reason = trial.reason;
        if (sweep::isFinal(trial.state) && sweep->ended)
            end(*sweep, trial);
    }

    void beginAttempt(const sweep::SweepRecord &sweep, const sweep::TrialRecord &trial)
    {
        if (m_output)
            m_output->finish();
        m_attempt = trial.attempts;
        m_output.emplace(filesOf(sweep), trial.ranks);
    }

    AttemptLayout filesOf(const sweep::SweepRecord &sweep) const
    {
        return WorkspaceLayout{m_client.workspace().toStdString()}.attempt(sweep.folder, 1, m_attempt);
    }

    void end(const sweep::SweepRecord &sweep, const sweep::TrialRecord &trial)
    {
        if (m_output)
            m_output->finish();
        const auto code = exitCodeOf(launch::readAttemptEvents(filesOf(sweep).eventsFile()));
        if (m_isStopping)
            m_exitCode = interrupted;
        else if (trial.state == sweep::TrialState::Completed)
            m_exitCode = code.value_or(good);
        else
            m_exitCode = code.value_or(0) != 0 ? *code : trialsFailed;
        std::cerr << "sweepctl: run " << sweep.folder << ' ' << sweep::toString(trial.state);
        if (trial.reason)
            std::cerr << ": " << wording::sentence(trial.reason);
        std::cerr << '\n';
        m_hasEnded = true;
        m_loop.quit();
    }

    protocol::EngineClient &m_client;
    std::int64_t m_sweepId;
    bool m_hasEnded = false;
    QEventLoop m_loop;
    QTimer m_timer;
    TerminationSignals m_signals;
    EnginePatience m_patience;
    std::optional<RunOutput> m_output;
    int m_attempt = 0;
    facts::Fact m_reason;
    bool m_isStopping = false;
    int m_exitCode = good;
};

int execute(const ExecOptions &options)
{
    protocol::EngineClient client;
    if (const int exitCode = connectToEngine(client, options.workspace); exitCode != good)
        return exitCode;
    const WorkspaceLayout workspace{client.workspace().toStdString()};
    const launch::CarriedEnvironment carried =
        launch::carriedEnvironment(ownEnvironment(), environmentOfEngine(workspace));
    for (const std::string &name : carried.left)
        std::cerr << "sweepctl: the run does not get " << name << ", whose value is secret and has line breaks\n";
    SecretsFile secrets;
    if (!carried.secret.empty()) {
        if (const Expected<void> written = secrets.write(workspace, carried.secret); !written) {
            std::cerr << written.error().message << '\n';
            return badInput;
        }
    }
    const tl::expected<SweepInput, ExitCode> input = inputOf(options, carried.plain, secrets.path());
    if (!input)
        return input.error();
    const Launch launched = requestLaunch(client, *input, {});
    if (launched.exitCode != good)
        return launched.exitCode;
    const sweep::SweepRecord *const sweep = client.sweep(launched.sweepId);
    std::cerr << "sweepctl: run " << (sweep != nullptr ? sweep->folder : input->spec.name) << ", workspace "
              << workspace.root.string() << std::endl;
    return RunWatch(client, launched.sweepId).exec();
}

}  // namespace

Subcommand makeExecCommand(CLI::App &app)
{
    auto options = std::make_shared<ExecOptions>();
    CLI::App *command = app.add_subcommand("exec", "Run a command once, and record it as a run");
    command->add_option("COMMAND", options->command, "Command with its arguments, after --")->required()->type_name("");
    command->add_option("--name", options->name, "Name of the run; by default, that of the script")
        ->check(notEmpty())
        ->type_name("NAME");
    command->add_option("--gpus", options->gpus, "GPUs of the run, 0 for the CPU; by default, one for each process")
        ->check(atLeast(0))
        ->type_name("N");
    addWorkspaceOption(*command, options->workspace);
    command->footer(
        "Runs the command in this folder with the environment of this shell, shows its output, and exits with "
        "its exit\n"
        "code, 128 plus the number of the signal that ended it, or 3 if it could not be started. Ctrl-C stops "
        "the run;\n"
        "press it twice to kill it. If the terminal is closed, the run continues. The processes of torchrun "
        "are started\n"
        "as ranks, without torchrun.\n"
        "\n"
        "Examples:\n"
        "  sweepctl exec -- python3 train.py --lr 0.1\n"
        "  sweepctl exec --name baseline -- torchrun --nproc-per-node=4 train.py");
    return {command, [options] { return execute(*options); }};
}

}  // namespace sweepscope::ctl
