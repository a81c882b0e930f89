#pragma once

#include "engine/suggester.h"
#include "pruning/outsidepruner.h"

#include <atomic>
#include <memory>
#include <optional>

namespace sweepscope::engine {

/// Answers requests for verdicts about the trials of one sweep, and keeps its pruning program for the next one.
class VerdictDesk {
public:
    /// `cancelled`, which must outlive the desk, ends the wait for the program.
    explicit VerdictDesk(const std::atomic<bool> &cancelled) : m_cancelled(&cancelled) {}

    VerdictAnswer answer(VerdictRequest request);

private:
    const std::atomic<bool> *m_cancelled;
    std::unique_ptr<const sweep::SweepSpec> m_spec;
    std::optional<pruning::OutsidePruner> m_pruner;
};

}  // namespace sweepscope::engine
