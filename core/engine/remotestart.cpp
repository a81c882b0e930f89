#include "engine/remotestart.h"

#include "base/filedescriptor.h"
#include "base/files.h"
#include "engine/attemptparts.h"
#include "snapshot/snapshot.h"
#include "sweep/deviceplace.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <set>
#include <sys/mman.h>
#include <utility>

namespace sweepscope::engine {

namespace {

constexpr std::string_view slotPrefix = "cpu:";

/// "SWEEPSCOPE_DATA_IMAGENET_1K"
std::string variableOf(const std::string &dataset)
{
    std::string name = "SWEEPSCOPE_DATA_";
    for (const char c : dataset)
        name += std::isalnum(static_cast<unsigned char>(c)) != 0
                    ? static_cast<char>(std::toupper(static_cast<unsigned char>(c)))
                    : '_';
    return name;
}

bool isPython(const std::string &program)
{
    return program == "python" || program == "python3";
}

/// Returns the copy of the working folder there.
Expected<std::string> bringCode(const remote::Site &site, const AttemptThere &attempt)
{
    const std::filesystem::path store = attempt.workspace.codeStore();
    const auto code = snapshot::take(store, attempt.launch.workingFolder, attempt.sweepFolder, site.isCancelled);
    if (!code)
        return tl::unexpected(code.error());
    return site
        .bring("code", code->tree,
               [&]() -> Expected<QByteArray> {
                   const FileDescriptor file(::memfd_create("code", MFD_CLOEXEC));
                   if (const auto written = snapshot::archive(store, code->tree, file.get(), site.isCancelled);
                       !written)
                       return tl::unexpected(written.error());
                   return remote::contentOf(file.get());
               })
        .map([&](const std::string &folder) {
            return (std::filesystem::path(folder) / code->plan.below).lexically_normal().string();
        });
}

}  // namespace

node::Taken takenBy(const schedule::Allocation &devices, const launch::LaunchSpec &launch)
{
    node::Taken taken;
    taken.sweep = launch.sweepName;
    taken.trial = launch.trial;
    std::set<std::string> gpus;
    for (const std::string &device : devices.all()) {
        const std::string id = sweep::withoutMachine(device);
        int slot = 0;
        if (!id.starts_with(slotPrefix))
            gpus.insert(id);
        else if (std::from_chars(id.data() + slotPrefix.size(), id.data() + id.size(), slot).ec == std::errc())
            taken.slots.push_back(slot);
    }
    taken.gpus.assign(gpus.begin(), gpus.end());
    taken.shared = taken.gpus;  // whether other trials of ours have them is the scheduler's matter
    return taken;
}

launch::LaunchSpec launchThere(launch::LaunchSpec launch, const remote::Machine &machine, const std::string &code,
                               const std::string &python)
{
    launch.machine = machine.name;
    launch.sourceFolder = std::exchange(launch.workingFolder, code);
    launch.pythonPath = python;
    launch.umask.reset();
    for (std::vector<std::string> &rank : launch.devices) {
        for (std::string &device : rank)
            device = sweep::withoutMachine(device);
    }
    for (const auto &[name, path] : machine.data)
        launch.environment[variableOf(name)] = path;
    if (!launch.argv.empty() && isPython(launch.argv.front()))
        launch.argv.front() = machine.python;
    if (!machine.setup.empty() || !machine.container.empty()) {
        const std::vector<std::string> shell{
            "sh", "-c", "exec \"$(command -v bash || command -v sh)\" -lc \"$0\" \"$@\"",
            remote::setupScript(machine) + "exec " + remote::inContainer(machine) + "\"$0\" \"$@\""};
        launch.argv.insert(launch.argv.begin(), shell.begin(), shell.end());
    }
    return launch;
}

facts::Fact refusalIn(const node::Failed &failed)
{
    using facts::Code;
    using facts::Fact;
    using facts::Field;
    if (failed.fact.empty())
        return Fact(Code::MachineRefused).with(Field::Detail, failed.message);
    return Fact(Code::MachineRefused)
        .dueTo(facts::fromJson(failed.fact).value_or(Fact(Code::Unknown).with(Field::Detail, failed.fact)));
}

remote::MachineConnection::Prepare startThere(AttemptThere attempt)
{
    return [attempt = std::move(attempt)](const remote::Site &site) -> Expected<node::Start> {
        const bool needsPython = !attempt.launch.argv.empty() && isPython(attempt.launch.argv.front());
        // On a cluster the environment is that of a node.
        const Expected<void> works =
            attempt.nodesOfJob > 0 ? Expected<void>() : site.checkEnvironment(attempt.machine, needsPython);
        const Expected<std::string> code = works.and_then([&] { return bringCode(site, attempt); });
        if (!code)
            return tl::unexpected(code.error());
        launch::LaunchSpec launch = launchThere(attempt.launch, attempt.machine, *code, site.python);
        launch.environment["SWEEPSCOPE_PARAMS_FILE"] =
            AttemptLayout{std::filesystem::path(site.root) / attempt.folder}.parametersFile().string();
        node::Start start{0, attempt.folder, launch.attemptId, attempt.files, attempt.taken, attempt.nodesOfJob > 0};
        const AttemptLayout here{attempt.workspace.root / attempt.folder};
        for (const auto &[file, spec] : launchFilesOf(launch, attempt.nodesOfJob)) {
            Expected<std::string> text = launch::toJson(spec);
            if (!text)
                return tl::unexpected(text.error());
            // Here it is for the history of the trial.
            std::error_code error;
            std::filesystem::create_directories((here.folder / file).parent_path(), error);
            if (const auto written = writeFileAtomically(here.folder / file, *text, Survives::Kill); !written)
                return tl::unexpected(written.error());
            start.files[file] = std::move(*text);
        }
        return start;
    };
}

}  // namespace sweepscope::engine
