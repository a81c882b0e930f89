#include "sweep/launchpreparation.h"

#include <algorithm>
#include <cstdlib>
#include <system_error>

namespace sweepscope::sweep {

namespace {

const ParameterValue mnist = std::string("mnist");

bool hasDimension(const SweepSpec &spec, const char *name)
{
    return std::any_of(spec.space.begin(), spec.space.end(),
                       [name](const Dimension &dimension) { return dimension.name == name; });
}

}  // namespace

bool usesMnist(const SweepSpec &spec)
{
    if (spec.run.worker != WorkerKind::Builtin)
        return false;
    for (const Dimension &dimension : spec.space) {
        if (dimension.name == "dataset")
            return std::find(dimension.values.begin(), dimension.values.end(), mnist) != dimension.values.end();
    }
    const auto dataset = spec.run.settings.find("dataset");
    return dataset != spec.run.settings.end() && dataset->second == mnist;
}

std::filesystem::path mnistFolder(const SweepSpec &spec)
{
    const auto given = spec.run.settings.find("data_folder");
    if (given != spec.run.settings.end()) {
        const auto *text = std::get_if<std::string>(&given->second);
        if (text != nullptr && !text->empty())
            return *text;
    }
    const char *fromEnvironment = std::getenv("SWEEPSCOPE_MNIST");
    if (fromEnvironment == nullptr || fromEnvironment[0] == '\0')
        return {};
    std::error_code error;
    std::filesystem::path absolute = std::filesystem::absolute(fromEnvironment, error);
    return error ? std::filesystem::path(fromEnvironment) : absolute;
}

void resolveForLaunch(SweepSpec &spec)
{
    if (!usesMnist(spec) || hasDimension(spec, "data_folder"))
        return;
    const std::filesystem::path folder = mnistFolder(spec);
    if (!folder.empty())
        spec.run.settings["data_folder"] = folder.string();
}

}  // namespace sweepscope::sweep
