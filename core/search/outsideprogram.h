#pragma once

#include "base/lineprogram.h"
#include "search/observation.h"

#include <atomic>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace sweepscope::search {

/// Another program that chooses points or prunes. It reads the space, the trials and requests from standard input and writes
/// its answers to standard output, in lines of JSON (docs/sweep-file.md). It is started at the first request. If it dies, it
/// is restarted and receives everything again.
class OutsideProgram {
public:
    struct Surroundings {
        std::filesystem::path folder;      ///< in which it runs
        std::filesystem::path pythonPath;  ///< added to PYTHONPATH, for `python -m sweepscope.optuna`
    };

    /// `spec` must outlive it, and so must `cancelled`: once true, ask() returns an error at once.
    OutsideProgram(const sweep::SweepSpec &spec, std::vector<std::string> command, Surroundings surroundings,
                   const std::atomic<bool> &cancelled);

    /// What it will be told before the next request. A trial without parameters keeps those that were told before.
    void tell(const Observation &trial);

    /// Returns the line with which it answers `request`, a line of JSON. Fails if it cannot be run, ends three times in a
    /// row, is silent for ten minutes, or writes without being asked.
    Expected<std::string> ask(const std::string &request);

    /// Rejects the last answer, so that the next request repeats it.
    void handBack(const std::string &line);
    /// Ends the program, whose answer is useless. Returns `why` with its last words.
    std::string end(const std::string &why);

private:
    Expected<void> start();
    Expected<void> bringUpToDate();

    const sweep::SweepSpec *m_spec;
    std::vector<std::string> m_command;
    Surroundings m_surroundings;
    const std::atomic<bool> *m_cancelled;
    std::map<int, Observation> m_trials;  ///< by number
    std::set<int> m_untold;               ///< numbers of trials not yet sent to the running program
    std::optional<LineProgram> m_program;
};

/// The start of a long line, whole characters only.
std::string startOf(const std::string &line);

}  // namespace sweepscope::search
