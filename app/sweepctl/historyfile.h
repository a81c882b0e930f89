#pragma once

#include "base/error.h"
#include "search/observation.h"
#include "sweep/sweepspec.h"

#include <cstddef>
#include <string>
#include <vector>

namespace sweepscope::ctl {

/// Reads trials for a search method from JSON lines: `number` (default: the line's number), `state` ("complete",
/// "completed", "pruned", "failed", "fail", "stopped", "running" or "queued"), `params`, `value` or `values`,
/// `intermediate` {step: value} and `constraints`, a list or an object whose positive values are violations. NaN and
/// infinite values may be written as strings.
class HistoryReader {
public:
    /// `spec` says whether larger values are better, and must outlive the reader.
    explicit HistoryReader(const sweep::SweepSpec &spec);

    /// BadInput: the line describes no trial, or one with another number of values than those before.
    Expected<search::Observation> readLine(const std::string &line);

private:
    const sweep::SweepSpec *m_spec;
    int m_linesRead = 0;
    std::size_t m_objectives = 0;  ///< 0: not known yet
};

/// Reads a whole history, ordered by number. BadInput names the line.
Expected<std::vector<search::Observation>> readSearchHistory(const std::string &text, const sweep::SweepSpec &spec);

}  // namespace sweepscope::ctl
