#pragma once

#include "engine/decisions/suggest.h"
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

/// Chooses points for searches while the engine does other things. The answer to a request comes later, through
/// SweepRun::applySuggestion().
class Suggester {
public:
    virtual ~Suggester() = default;
    virtual void request(SuggestionRequest request) = 0;
    /// Drops the history of a sweep that has ended.
    virtual void remove(std::int64_t sweepId) = 0;
};

}  // namespace sweepscope::engine
