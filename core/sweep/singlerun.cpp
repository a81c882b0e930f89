#include "sweep/singlerun.h"

#include "base/printable.h"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace sweepscope::sweep {

namespace {

/// Watched scripts report it, as do most others.
constexpr const char *usualObjective = "loss";
constexpr std::size_t longestRunName = 60;

}  // namespace

bool isRun(const SweepSpec &spec)
{
    const auto isFixed = [](const Dimension &dimension) {
        return (dimension.kind == DimensionKind::List || dimension.kind == DimensionKind::Choice)
               && dimension.values.size() == 1;
    };
    return spec.run.worker == WorkerKind::Command && spec.method == SearchMethod::Grid && spec.repeats == 1
           && std::ranges::all_of(spec.space, isFixed) && spec.run.policy.hangFactor == 0
           && spec.run.policy.exitGrace == std::chrono::seconds(0);
}

std::string withoutPlaceholders(const std::string &text)
{
    std::string doubled;
    for (const char c : text)
        doubled += c == '{' || c == '}' ? std::string(2, c) : std::string(1, c);
    return doubled;
}

std::string runNameOf(const std::string &text)
{
    const std::filesystem::path path(text);
    std::string name = (path.extension() == ".py" ? path.stem() : path.filename()).string();
    std::erase_if(name, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == '\x7f'; });
    name.erase(0, std::min(name.find_first_not_of(". "), name.size()));
    name = cutBetweenCharacters(std::move(name), longestRunName);
    return name.empty() ? "run" : name;
}

SweepSpec makeRun(const std::string &name, const std::vector<std::string> &command,
                  const std::map<std::string, std::string> &environment)
{
    SweepSpec spec;
    spec.name = name;
    spec.objective = usualObjective;
    spec.run.worker = WorkerKind::Command;
    for (const std::string &argument : command)
        spec.run.command.push_back(withoutPlaceholders(argument));
    for (const auto &[variable, value] : environment)
        spec.run.environment[variable] = withoutPlaceholders(value);
    spec.run.policy.hangFactor = 0;
    spec.run.policy.exitGrace = std::chrono::seconds(0);
    return spec;
}

}  // namespace sweepscope::sweep
