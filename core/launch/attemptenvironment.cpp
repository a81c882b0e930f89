#include "launch/attemptenvironment.h"

#include "base/environmentname.h"
#include "base/files.h"
#include "launch/hostfacts.h"
#include "launch/pythonpackages.h"
#include "launch/untrustedjson.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace sweepscope::launch {

namespace {

namespace fs = std::filesystem;
using Names = std::map<std::string, std::string>;

constexpr std::uint64_t mostEnvironmentBytes = 4 * 1024 * 1024;

fs::path environmentFileOf(const AttemptLayout &attempt)
{
    return attempt.folder / "environment.json";
}

Names inheritedVariables()
{
    Names variables;
    for (char **variable = environ; *variable != nullptr; ++variable) {
        const std::string text(*variable);
        const std::size_t equals = text.find('=');
        if (equals != std::string::npos && equals > 0)
            variables.emplace(text.substr(0, equals), text.substr(equals + 1));
    }
    return variables;
}

/// FNV-1a. The content is compared as well.
std::string contentName(std::string_view content)
{
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const char byte : content)
        hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3U;
    std::array<char, 17> digits{};
    std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(hash));
    return std::string(digits.data()) + ".json";
}

/// Where the sweep of an attempt keeps them; empty if the folder is not in a workspace.
fs::path sharedEnvironments(const AttemptLayout &attempt)
{
    const fs::path trials = attempt.folder.parent_path().parent_path();
    return trials.filename() == "trials" ? trials.parent_path() / "environments" : fs::path();
}

/// False: the file must be written whole, for example on a file system without links.
bool linkSharedEnvironment(const fs::path &folder, std::string_view content, const fs::path &file)
{
    if (folder.empty())
        return false;
    std::error_code error;
    fs::create_directory(folder, error);
    const fs::path shared = folder / contentName(content);
    // A rank may have changed it.
    if (readFile(shared, mostEnvironmentBytes).value_or(std::string()) != content
        && !writeFileAtomically(shared, content, Survives::Kill))
        return false;
    return ::link(shared.c_str(), file.c_str()) == 0;
}

Names variablesFrom(const nlohmann::json &object, const char *key)
{
    Names names;
    const auto found = object.find(key);
    if (found == object.end() || !found->is_object())
        return names;
    for (const auto &[name, value] : found->items()) {
        if (value.is_string())
            names.emplace(name, value.get<std::string>());
    }
    return names;
}

void addChanges(EnvironmentChange::Part part, const Names &before, const Names &after,
                std::vector<EnvironmentChange> &changes)
{
    Names all = before;
    all.insert(after.begin(), after.end());
    for (const auto &[name, unused] : all) {
        const auto old = before.find(name);
        const auto now = after.find(name);
        EnvironmentChange change{part, name, {}, {}};
        if (old != before.end())
            change.before = old->second;
        if (now != after.end())
            change.after = now->second;
        if (change.before != change.after)
            changes.push_back(std::move(change));
    }
}

}  // namespace

bool affectsResults(std::string_view variable)
{
    constexpr std::array<std::string_view, 16> starts{"CUDA_",      "CUDNN_", "CUBLAS_", "NVIDIA_",  "NCCL_",  "OMP_",
                                                      "MKL_",       "KMP_",   "TORCH_",  "PYTORCH_", "PYTHON", "CONDA_",
                                                      "SLURM_JOB_", "HIP_",   "ROCR_",   "RCCL_"};
    constexpr std::array<std::string_view, 3> names{"LD_LIBRARY_PATH", "LD_PRELOAD", "VIRTUAL_ENV"};
    return std::find(names.begin(), names.end(), variable) != names.end()
           || std::any_of(starts.begin(), starts.end(),
                          [&](std::string_view start) { return variable.starts_with(start); });
}

AttemptEnvironment currentEnvironment(const LaunchSpec &spec, const SecretValues &secrets)
{
    Names all = inheritedVariables();
    AttemptEnvironment environment;
    for (const auto &[name, value] : all) {
        if (affectsResults(name) && !isSetForRanks(name))
            environment.variables.emplace(name, value);
    }
    for (const auto &[name, value] : spec.environment) {
        all.insert_or_assign(name, value);
        if (!isSetForRanks(name) && !name.starts_with("SWEEPSCOPE_"))
            environment.variables.insert_or_assign(name, value);
    }
    environment.variables = withoutSecrets(environment.variables);
    for (auto &[name, value] : environment.variables)
        value = secrets.masked(std::move(value));
    // The setup or container of another machine decides which Python the name means there.
    const bool isUnknown = !spec.machine.empty() && !spec.argv.empty() && spec.argv.front() == "sh";
    const fs::path python = isUnknown ? fs::path() : pythonOf(spec.argv, spec.workingFolder, all);
    PythonPackages packages = packagesOf(python, all);
    environment.python = python.string();
    environment.packages = std::move(packages.ofPython);
    environment.conda = std::move(packages.ofConda);
    environment.machine = hostFacts();
    return environment;
}

Expected<void> writeEnvironment(const AttemptEnvironment &environment, const AttemptLayout &attempt)
{
    const nlohmann::ordered_json object{{"version", 1},
                                        {"python", environment.python},
                                        {"packages", environment.packages},
                                        {"conda", environment.conda},
                                        {"variables", environment.variables},
                                        {"machine", environment.machine}};
    const std::string content = object.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
    const fs::path file = environmentFileOf(attempt);
    if (linkSharedEnvironment(sharedEnvironments(attempt), content, file))
        return {};
    return writeFileAtomically(file, content, Survives::Kill);
}

std::optional<AttemptEnvironment> readEnvironment(const AttemptLayout &attempt)
{
    const Expected<std::string> content = readFile(environmentFileOf(attempt), mostEnvironmentBytes);
    const nlohmann::json object = content ? parseUntrustedJson(*content) : nlohmann::json();
    if (!object.is_object())
        return std::nullopt;
    AttemptEnvironment environment;
    if (const auto python = object.find("python"); python != object.end() && python->is_string())
        environment.python = python->get<std::string>();
    environment.packages = variablesFrom(object, "packages");
    environment.conda = variablesFrom(object, "conda");
    environment.variables = variablesFrom(object, "variables");
    environment.machine = variablesFrom(object, "machine");
    return environment;
}

std::vector<EnvironmentChange> changesBetween(const AttemptEnvironment &before, const AttemptEnvironment &after)
{
    using Part = EnvironmentChange::Part;
    const auto pythonIn = [](const AttemptEnvironment &environment) {
        return environment.python.empty() ? Names() : Names{{"python", environment.python}};
    };
    std::vector<EnvironmentChange> changes;
    addChanges(Part::Python, pythonIn(before), pythonIn(after), changes);
    addChanges(Part::Package, before.packages, after.packages, changes);
    addChanges(Part::CondaPackage, before.conda, after.conda, changes);
    addChanges(Part::Variable, before.variables, after.variables, changes);
    addChanges(Part::Machine, before.machine, after.machine, changes);
    return changes;
}

}  // namespace sweepscope::launch
