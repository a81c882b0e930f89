#include "sweep/launchpreparation.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <system_error>

namespace sweepscope::sweep {

namespace {

const std::vector<FolderDataset> &allFolderDatasets()
{
    static const std::vector<std::string> idx{"train-images-idx3-ubyte", "train-labels-idx1-ubyte",
                                              "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"};
    static const std::vector<FolderDataset> all{
        {"mnist", "SWEEPSCOPE_MNIST", idx},
        {"fashion_mnist", "SWEEPSCOPE_FASHION_MNIST", idx},
        {"cifar10",
         "SWEEPSCOPE_CIFAR10",
         {"data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin", "data_batch_4.bin", "data_batch_5.bin",
          "test_batch.bin"}},
    };
    return all;
}

bool hasDimension(const SweepSpec &spec, const char *name)
{
    return std::any_of(spec.space.begin(), spec.space.end(),
                       [name](const Dimension &dimension) { return dimension.name == name; });
}

/// 0 when it is no number: OpenMP knows more than that, and then knows what to do.
int asThreads(const std::string &text)
{
    constexpr int most = 4096;
    int threads = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), threads);
    return read.ec == std::errc() ? std::clamp(threads, 0, most) : 0;
}

}  // namespace

std::vector<FolderDataset> folderDatasets(const SweepSpec &spec)
{
    if (spec.run.worker != WorkerKind::Builtin)
        return {};
    std::vector<ParameterValue> used;
    if (const auto fixed = spec.run.settings.find("dataset"); fixed != spec.run.settings.end())
        used = {fixed->second};
    for (const Dimension &dimension : spec.space) {
        if (dimension.name == "dataset")
            used = dimension.values;
    }
    std::vector<FolderDataset> found;
    for (const FolderDataset &dataset : allFolderDatasets()) {
        if (std::find(used.begin(), used.end(), ParameterValue(dataset.name)) != used.end())
            found.push_back(dataset);
    }
    return found;
}

std::filesystem::path dataFolder(const SweepSpec &spec, const FolderDataset &dataset)
{
    const auto given = spec.run.settings.find("data_folder");
    if (given != spec.run.settings.end()) {
        const auto *text = std::get_if<std::string>(&given->second);
        if (text != nullptr && !text->empty())
            return *text;
    }
    const char *fromEnvironment = std::getenv(dataset.variable.c_str());
    if (fromEnvironment == nullptr || fromEnvironment[0] == '\0')
        return {};
    std::error_code error;
    std::filesystem::path absolute = std::filesystem::absolute(fromEnvironment, error);
    return error ? std::filesystem::path(fromEnvironment) : absolute;
}

void resolveForLaunch(SweepSpec &spec)
{
    const std::vector<FolderDataset> used = folderDatasets(spec);
    if (used.size() != 1 || hasDimension(spec, "data_folder"))
        return;
    const std::filesystem::path folder = dataFolder(spec, used.front());
    if (!folder.empty())
        spec.run.settings["data_folder"] = folder.string();
}

int requestedThreads(const SweepSpec &spec, const ParameterSet &parameters)
{
    if (spec.run.worker == WorkerKind::Builtin) {
        const ParameterValue *setting = find(parameters, "threads");
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

}  // namespace sweepscope::sweep
