#pragma once

#include "base/lineprogram.h"
#include "search/suggestion.h"

#include <atomic>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

namespace sweepscope::search {

/// A search method that is another program, spoken to in lines of JSON on its standard input and output
/// (docs/sweep-file.md). It starts when the first point is needed, and receives all trials and one request per point. If it
/// dies, it is restarted and receives them again.
class OutsideSampler {
public:
    struct Surroundings {
        std::filesystem::path folder;      ///< in which it runs
        std::filesystem::path pythonPath;  ///< added to PYTHONPATH, for `python -m sweepscope.optuna`
    };

    /// `spec` must outlive it, and so must `cancelled`: once true, ask() returns an error at once.
    OutsideSampler(const sweep::SweepSpec &spec, Surroundings surroundings, const std::atomic<bool> &cancelled);

    /// What it will be told before the next point.
    void tell(const Observation &trial);

    /// The point that trial `number` should try. Points that a constraint forbids and those that have been tried are
    /// handed back; after several of them, the point is drawn at random. Otherwise as suggest(); SamplerFailed if the
    /// program cannot be run, ends three times in a row, or answers what is no point.
    tl::expected<Suggestion, facts::Fact> ask(const SearchHistory &history, int number);

private:
    Expected<void> start();
    Expected<void> bringUpToDate();
    Expected<std::string> exchange(int number);
    Expected<void> handBack(int number);
    /// Ends the program, which answered what is no point.
    tl::unexpected<facts::Fact> unusable(const std::string &why);

    const sweep::SweepSpec *m_spec;
    Surroundings m_surroundings;
    const std::atomic<bool> *m_cancelled;
    std::map<int, Observation> m_trials;  ///< by number
    std::set<int> m_untold;               ///< numbers of those that the running program does not know
    std::optional<LineProgram> m_program;
};

/// The command of a sweep whose method is "command" or "optuna".
std::vector<std::string> samplerCommand(const sweep::SweepSpec &spec);

}  // namespace sweepscope::search
