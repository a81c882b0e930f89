#pragma once

#include "base/clock.h"
#include "engine/attemptlaunch.h"
#include "engine/objectivechange.h"
#include "search/warmstart.h"
#include "sweep/machinecheck.h"
#include "sweep/problem.h"
#include "sweep/records.h"
#include "sweep/trialplan.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace sweepscope::engine {

/// Returns what is wrong with a sweep on this machine: the problems from sweep::checkMachine, and a built-in worker
/// that was not built.
std::vector<sweep::Problem> machineProblems(const sweep::SweepSpec &spec, const sweep::Capacity &capacity,
                                            const std::filesystem::path &worker,
                                            const std::filesystem::path &baseFolder);

/// A definition that may run here.
struct CheckedDefinition {
    std::string toml;
    sweep::SweepSpec spec;
    std::vector<sweep::TrialPlan> plans;           ///< all trials of it
    std::vector<search::ResultsFile> warmStart{};  ///< of a new sweep
    std::map<int, TrialReports> reports{};         ///< of an edit that changes the objective (Definition::reports)
};
using CheckResult = tl::expected<CheckedDefinition, std::vector<sweep::Problem>>;

/// Checks everything again, for every client: the text, the machine, the number of trials. Takes seconds for a large
/// definition.
CheckResult checkDefinition(const std::string &toml, const std::string &baseFolder, const sweep::Capacity &capacity,
                            const std::filesystem::path &worker);

/// The same for a sweep with the definition `before`, whose other name is valid without its folders and files.
CheckResult checkEdit(const std::string &toml, const sweep::SweepSpec &before, const std::string &baseFolder,
                      const sweep::Capacity &capacity, const std::filesystem::path &worker);

/// missingImport() of trials that run on this machine. nullopt for a single run, which reports the missing module itself.
std::optional<sweep::Problem> missingModule(const sweep::SweepSpec &spec, const std::filesystem::path &baseFolder,
                                            const sweep::Capacity &capacity, const Programs &programs);

/// The same for a new sweep: also looks for the modules that its script imports, reads the files that its search starts
/// from, and lists the code that other machines get. `codeStore`: WorkspaceLayout::codeStore().
CheckResult checkNewSweep(const std::string &toml, const std::string &baseFolder, const sweep::Capacity &capacity,
                          const Programs &programs, const std::filesystem::path &codeStore);

/// Of a new sweep, not stored yet.
sweep::SweepRecord recordOf(const CheckedDefinition &definition, const std::string &baseFolder, WallNs now);

}  // namespace sweepscope::engine
