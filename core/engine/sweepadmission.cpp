#include "engine/sweepadmission.h"

#include "engine/scriptimports.h"
#include "launch/environmentfile.h"
#include "snapshot/snapshot.h"
#include "sweep/command.h"
#include "sweep/deviceplace.h"
#include "sweep/singlerun.h"
#include "sweep/sweepfile.h"

#include <algorithm>
#include <atomic>
#include <utility>

namespace sweepscope::engine {

std::vector<sweep::Problem> machineProblems(const sweep::SweepSpec &spec, const sweep::Capacity &capacity,
                                            const std::filesystem::path &worker,
                                            const std::filesystem::path &baseFolder)
{
    std::vector<sweep::Problem> problems = sweep::checkMachine(spec, capacity, baseFolder);
    std::error_code error;
    if (auto missing = sweep::missingWorker(spec, worker))
        problems.push_back(std::move(*missing));
    const std::filesystem::path variables = baseFolder / spec.run.environmentFile;
    if (!spec.run.environmentFile.empty() && std::filesystem::exists(variables, error)) {
        if (const auto read = launch::readEnvironmentFile(variables); !read)
            problems.push_back({"run.environment_file", read.error().message});
    }
    return problems;
}

namespace {

CheckResult planned(const std::string &toml, sweep::ParsedSweep parsed)
{
    using Problems = std::vector<sweep::Problem>;
    if (!parsed.problems.empty())
        return tl::unexpected<Problems>(std::move(parsed.problems));
    Expected<std::vector<sweep::TrialPlan>> plans = sweep::planTrials(parsed.spec);
    if (!plans)
        return tl::unexpected<Problems>(Problems{{"space", plans.error().message}});
    return CheckedDefinition{toml, std::move(parsed.spec), std::move(*plans)};
}

}  // namespace

CheckResult checkDefinition(const std::string &toml, const std::string &baseFolder, const sweep::Capacity &capacity,
                            const std::filesystem::path &worker)
{
    using Problems = std::vector<sweep::Problem>;
    std::error_code error;
    if (baseFolder.empty() || baseFolder.front() != '/' || !std::filesystem::is_directory(baseFolder, error))
        return tl::unexpected<Problems>(Problems{{"", "the sweep's folder '" + baseFolder + "' does not exist"}});
    sweep::ParsedSweep parsed = sweep::parseSweep(toml);
    if (parsed.problems.empty())
        parsed.problems = machineProblems(parsed.spec, capacity, worker, baseFolder);
    return planned(toml, std::move(parsed));
}

CheckResult checkEdit(const std::string &toml, const sweep::SweepSpec &before, const std::string &baseFolder,
                      const sweep::Capacity &capacity, const std::filesystem::path &worker)
{
    sweep::ParsedSweep parsed = sweep::parseSweep(toml);
    sweep::SweepSpec renamed = before;
    renamed.name = parsed.spec.name;
    if (renamed.name != before.name && renamed == parsed.spec)
        return planned(toml, std::move(parsed));
    return checkDefinition(toml, baseFolder, capacity, worker);
}

std::optional<sweep::Problem> missingModule(const sweep::SweepSpec &spec, const std::filesystem::path &baseFolder,
                                            const sweep::Capacity &capacity, const Programs &programs)
{
    const bool isHere = sweep::usesThisMachine(spec.devices)
                        && std::ranges::find(capacity.clusters, sweep::thisMachine) == capacity.clusters.end();
    return isHere && !sweep::isRun(spec) ? missingImport(spec, baseFolder, programs.pythonPath) : std::nullopt;
}

CheckResult checkNewSweep(const std::string &toml, const std::string &baseFolder, const sweep::Capacity &capacity,
                          const Programs &programs, const std::filesystem::path &codeStore)
{
    using Problems = std::vector<sweep::Problem>;
    CheckResult checked = checkDefinition(toml, baseFolder, capacity, programs.worker);
    if (!checked)
        return checked;
    if (auto missing = sweep::missingProgram(checked->spec))
        return tl::unexpected<Problems>(Problems{std::move(*missing)});
    if (auto missing = missingModule(checked->spec, baseFolder, capacity, programs))
        return tl::unexpected<Problems>(Problems{std::move(*missing)});
    const std::string &folder = checked->spec.run.workingFolder;
    const bool isFixed = folder.find('{') == std::string::npos;  // not a folder for each value of a parameter
    if (sweep::usesOtherMachines(checked->spec.devices) && isFixed) {
        const std::atomic<bool> neverCancelled = false;
        const auto code = snapshot::plan(codeStore, std::filesystem::path(baseFolder) / folder, neverCancelled);
        if (!code)
            return tl::unexpected<Problems>(
                Problems{{"devices.machines", "the code cannot be sent to other machines: " + code.error().message}});
    }
    if (checked->spec.warmStart.empty())
        return checked;
    auto files = search::loadResults(search::warmStartPaths(checked->spec, baseFolder));
    if (!files)
        return tl::unexpected<Problems>(Problems{{"search.warm_start", files.error().message}});
    const auto read = search::readResults(*files, checked->spec);
    if (!read)
        return tl::unexpected<Problems>(Problems{{"search.warm_start", read.error().message}});
    if (read->results.empty())
        return tl::unexpected<Problems>(Problems{{"search.warm_start", "has no result of a point in the space"}});
    checked->warmStart = std::move(*files);
    return checked;
}

sweep::SweepRecord recordOf(const CheckedDefinition &definition, const std::string &baseFolder, WallNs now)
{
    sweep::SweepRecord record;
    record.name = definition.spec.name;
    record.objective = definition.spec.objective;
    record.goal = definition.spec.goal;
    for (const sweep::Dimension &dimension : definition.spec.space)
        record.parameterNames.push_back(dimension.name);
    record.toml = definition.toml;
    record.baseFolder = baseFolder;
    record.created = now;
    record.trialsToCome = sweep::trialsToSearch(definition.spec);
    return record;
}

}  // namespace sweepscope::engine
