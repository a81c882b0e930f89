#pragma once

#include "base/error.h"
#include "engine/decisions/decision.h"
#include "protocol/messages.h"
#include "sweep/problem.h"
#include "sweep/records.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace sweepscope::engine {

/// What the server tells its clients about, and asks to be done for them. On the server's thread.
class EngineService {
public:
    virtual ~EngineService() = default;

    /// Before anything is told to a client: what it says is on disk.
    virtual void settle() = 0;

    virtual std::vector<std::int64_t> sweepIds() const = 0;
    /// Null when there is no such sweep.
    virtual const sweep::SweepRecord *sweep(std::int64_t id) const = 0;
    virtual Expected<std::vector<sweep::TrialRecord>> trials(std::int64_t sweepId, int first, int last) = 0;
    virtual protocol::DevicesChanged devices() const = 0;

    /// The new sweep's id, or what is wrong with it.
    virtual tl::expected<std::int64_t, std::vector<sweep::Problem>> launch(const std::string &toml,
                                                                           const std::string &baseFolder) = 0;
    /// What was done, or what is wrong with the definition.
    virtual tl::expected<facts::Facts, std::vector<sweep::Problem>> edit(const protocol::EditRequest &request) = 0;
    /// What was done, or why nothing was.
    virtual Reply enqueue(std::int64_t sweepId, const std::map<std::string, std::string> &point) = 0;
    virtual Expected<sweep::TrialHistory> history(std::int64_t sweepId, int trial) = 0;
    virtual Reply control(std::int64_t sweepId, const sweep::Control &control) = 0;
};

}  // namespace sweepscope::engine
