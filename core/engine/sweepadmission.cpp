#include "engine/sweepadmission.h"

#include "base/files.h"
#include "sweep/sweepfile.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <sys/stat.h>
#include <utility>

namespace sweepscope::engine {

namespace {

/// Of the sweeps whose folders are there, those that are being removed included; a database that was put back, or begun
/// anew, may not know them.
std::int64_t highestNumberIn(const std::filesystem::path &sweepsFolder)
{
    std::int64_t highest = 0;
    std::error_code error;
    for (const auto &entry : std::filesystem::directory_iterator(sweepsFolder, error)) {
        const std::string name = entry.path().filename().string();
        const std::size_t begin = std::min(name.find_first_of("0123456789"), name.size());
        std::int64_t number = 0;
        const auto [end, problem] = std::from_chars(name.data() + begin, name.data() + name.size(), number);
        constexpr std::int64_t most = 1'000'000'000;  // what is larger is nobody's sweep
        if (problem == std::errc() && end != name.data() + name.size() && *end == '-' && number < most)
            highest = std::max(highest, number);
    }
    return highest;
}

}  // namespace

std::vector<sweep::Problem> machineProblems(const sweep::SweepSpec &spec, const sweep::Capacity &capacity,
                                            const std::filesystem::path &worker,
                                            const std::filesystem::path &baseFolder)
{
    std::vector<sweep::Problem> problems = sweep::checkMachine(spec, capacity, baseFolder);
    std::error_code error;
    if (spec.run.worker == sweep::WorkerKind::Builtin && !std::filesystem::exists(worker, error))
        problems.push_back({"run.worker", "the built-in worker is not there (" + worker.string()
                                              + "): this Sweepscope was built without LibTorch; build with it, or give "
                                                "run.command"});
    return problems;
}

tl::expected<Admission, std::vector<sweep::Problem>> admitSweep(const std::string &toml, const std::string &baseFolder,
                                                                const sweep::Capacity &capacity,
                                                                const Programs &programs, WallNs now)
{
    using Problems = std::vector<sweep::Problem>;
    std::error_code error;
    if (baseFolder.empty() || baseFolder.front() != '/' || !std::filesystem::is_directory(baseFolder, error))
        return tl::unexpected<Problems>(Problems{{"", "the sweep's folder '" + baseFolder + "' is not there"}});
    sweep::ParsedSweep parsed = sweep::parseSweep(toml);
    if (parsed.problems.empty())
        parsed.problems = machineProblems(parsed.spec, capacity, programs.worker, baseFolder);
    if (!parsed.problems.empty())
        return tl::unexpected<Problems>(std::move(parsed.problems));
    Expected<std::vector<sweep::TrialPlan>> plans = sweep::planTrials(parsed.spec);
    if (!plans)
        return tl::unexpected<Problems>(Problems{{"space", plans.error().message}});

    Admission admission;
    admission.plans = std::move(*plans);
    sweep::SweepRecord &record = admission.record;
    record.name = parsed.spec.name;
    record.objective = parsed.spec.objective;
    record.goal = parsed.spec.goal;
    for (const sweep::Dimension &dimension : parsed.spec.space)
        record.parameterNames.push_back(dimension.name);
    record.toml = toml;
    record.baseFolder = baseFolder;
    record.created = now;
    admission.spec = std::move(parsed.spec);
    return admission;
}

Expected<std::vector<TrialRow>> storeSweep(Store &store, const WorkspaceLayout &workspace, Admission &admission)
{
    const auto saveFile = [&workspace](const sweep::SweepRecord &made) -> Expected<void> {
        const std::filesystem::path folder = workspace.sweepFolder(made.folder);
        std::error_code error;
        std::filesystem::create_directory(folder.parent_path(), error);
        // One that is there holds another sweep's results.
        if (::mkdir(folder.c_str(), 0777) != 0)
            return makeErrnoError("cannot make the folder " + folder.string(), errno);
        return writeFileAtomically(folder / "sweep.toml", made.toml);
    };
    return store.insertSweep(admission.record, admission.plans, saveFile, highestNumberIn(workspace.root / "sweeps"));
}

}  // namespace sweepscope::engine
