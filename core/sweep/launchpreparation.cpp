#include "sweep/launchpreparation.h"

#include <algorithm>
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

}  // namespace sweepscope::sweep
