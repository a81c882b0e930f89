#include "engine/sweepadmission.h"

#include "sweep/sweepfile.h"

#include <utility>

namespace sweepscope::engine {

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

}  // namespace sweepscope::engine
