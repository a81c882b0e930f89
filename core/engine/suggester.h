#pragma once

#include "engine/decisions/suggest.h"
#include "pruning/rungs.h"
#include "search/observation.h"
#include "search/suggestion.h"

#include <tl/expected.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace sweepscope::engine {

struct SuggestionRequest {
    std::int64_t sweepId = 0;
    int number = 0;  ///< of the trial
    SearchInputs inputs;
    std::optional<sweep::SweepSpec> spec;     ///< the search begins, or its definition has changed: `trials` are all
    std::filesystem::path folder;             ///< with `spec`: where relative paths of the sweep start
    std::string sweepFolder;                  ///< name of the folder with the sweep's files
    std::vector<search::Observation> trials;  ///< that are new or tell something else than at the last request
};

struct SuggestionAnswer {
    std::int64_t sweepId = 0;
    int number = 0;
    SearchInputs inputs;
    tl::expected<search::Suggestion, facts::Fact> point;  ///< or why there is none
};

/// Asks the sweep's pruning program about a trial at a rung.
struct VerdictRequest {
    std::int64_t sweepId = 0;
    int trial = 0;
    int attempt = 0;
    pruning::RungValue value;
    int definition = 0;                       ///< SweepRecord::definition
    std::optional<sweep::SweepSpec> spec;     ///< the first request under this definition: `trials` are all
    std::filesystem::path folder;             ///< with `spec`, as above
    std::vector<search::Observation> trials;  ///< that are new or tell something else than at the last request
};

struct VerdictAnswer {
    std::int64_t sweepId = 0;
    int trial = 0;
    int attempt = 0;
    pruning::RungValue value;
    int definition = 0;
    tl::expected<std::optional<facts::Fact>, facts::Fact>
        reason;  ///< why the trial should end, if so; an error if the program failed
};

/// Chooses points for searches, and asks pruning programs, while the engine does other things. The answer to a request
/// comes later, through SweepRun::applySuggestion() or SweepRun::applyVerdict().
class Suggester {
public:
    virtual ~Suggester() = default;
    virtual void request(SuggestionRequest request) = 0;
    virtual void request(VerdictRequest request) = 0;
    /// Drops what it keeps of a sweep that has ended.
    virtual void remove(std::int64_t sweepId) = 0;
};

}  // namespace sweepscope::engine
