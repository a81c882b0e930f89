#pragma once

#include "base/error.h"
#include "base/workspacelayout.h"
#include "launch/launchspec.h"
#include "launch/secrets.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// environment.json of an attempt: what its command ran with, besides its code. The agent writes it on the machine of the
/// ranks, once they have started. Equal files of a sweep are one file with several names (hard links): the first is
/// in environments/ in the folder of the sweep.
namespace sweepscope::launch {

struct AttemptEnvironment {
    std::string python;                              ///< the interpreter; empty: none was found
    std::map<std::string, std::string> packages{};   ///< version by name
    std::map<std::string, std::string> conda{};      ///< packages of Conda: version and build by name
    std::map<std::string, std::string> variables{};  ///< that may affect results; secrets are masked
    std::map<std::string, std::string> machine{};    ///< hostFacts()

    bool operator==(const AttemptEnvironment &) const = default;
};

/// Whether a variable that the agent inherits may affect results: CUDA_*, PYTHON*, LD_LIBRARY_PATH, ….
bool affectsResults(std::string_view variable);

/// Reads the environment of an attempt of `spec` from files. `spec.environment` must not have the variables of its
/// environment file, which may be secret; nor those of `secrets`, if they occur in other values.
AttemptEnvironment currentEnvironment(const LaunchSpec &spec, const SecretValues &secrets);

/// An error is harmless: then the environment of the attempt is unknown.
Expected<void> writeEnvironment(const AttemptEnvironment &environment, const AttemptLayout &attempt);
/// nullopt if it was not recorded.
std::optional<AttemptEnvironment> readEnvironment(const AttemptLayout &attempt);

/// A fact of the environment in which two attempts differ.
struct EnvironmentChange {
    enum class Part { Python, Package, CondaPackage, Variable, Machine };
    Part part = Part::Package;
    std::string name;
    std::optional<std::string> before;  ///< nullopt: there was none
    std::optional<std::string> after;

    bool operator==(const EnvironmentChange &) const = default;
};
/// In the order of the parts and of names.
std::vector<EnvironmentChange> changesBetween(const AttemptEnvironment &before, const AttemptEnvironment &after);

}  // namespace sweepscope::launch
