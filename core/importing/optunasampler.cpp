#include "importing/optunasampler.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace sweepscope::importing {

namespace {

struct KnownSampler {
    std::string_view className;
    std::string_view shortName;  ///< of Hydra's sweeper
    sweep::SearchMethod method;
};

constexpr std::array<KnownSampler, 8> knownSamplers{{
    {"TPESampler", "tpe", sweep::SearchMethod::Tpe},
    {"RandomSampler", "random", sweep::SearchMethod::Random},
    {"CmaEsSampler", "cmaes", sweep::SearchMethod::Cmaes},
    {"GPSampler", "gp", sweep::SearchMethod::Gp},
    {"NSGAIISampler", "nsgaii", sweep::SearchMethod::Nsga2},
    {"QMCSampler", "qmc", sweep::SearchMethod::Sobol},
    {"GridSampler", "grid", sweep::SearchMethod::Grid},
    {"BruteForceSampler", "bruteforce", sweep::SearchMethod::Grid},
}};

}  // namespace

void useSampler(ImportedSweep &imported, const std::string &name, const std::string &arguments)
{
    const auto known = std::ranges::find_if(knownSamplers, [&name](const KnownSampler &sampler) {
        return name.empty() || name == sampler.className || name == sampler.shortName;
    });
    const bool isKnown = known != knownSamplers.end();
    // A grid has no settings but the space.
    if (isKnown && (arguments.empty() || known->method == sweep::SearchMethod::Grid)) {
        imported.spec.method = known->method;
        if (known->method != sweep::SearchMethod::Random && known->method != sweep::SearchMethod::Grid)
            imported.note("search.method",
                          "Sweepscope's own. For that of Optuna, write method = \"optuna\" and sampler = \""
                              + std::string(known->className) + "\".");
        return;
    }
    imported.spec.method = sweep::SearchMethod::Optuna;
    imported.spec.sampler =
        (isKnown ? std::string(known->className) : name) + (arguments.empty() ? "" : "(" + arguments + ")");
    imported.note("search.sampler", "Needs Optuna in python3.");
}

}  // namespace sweepscope::importing
