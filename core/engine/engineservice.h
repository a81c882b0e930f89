#pragma once

#include "base/error.h"
#include "engine/decisions/decision.h"
#include "protocol/messages.h"
#include "sweep/problem.h"
#include "sweep/records.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

class QObject;

namespace sweepscope::engine {

/// What the server needs from the engine: the state to send to clients, and the requests they make. On the server's
/// thread.
class EngineService {
public:
    /// The new sweep's id, or what is wrong with it.
    using Launched = std::function<void(tl::expected<std::int64_t, std::vector<sweep::Problem>>)>;
    /// What was done, or what is wrong with the definition.
    using Edited = std::function<void(tl::expected<facts::Facts, std::vector<sweep::Problem>>)>;

    virtual ~EngineService() = default;

    /// Syncs the database. Called before a change is sent to a client.
    virtual void settle() = 0;

    virtual std::vector<std::int64_t> sweepIds() const = 0;
    /// Returns null if there is no such sweep.
    virtual const sweep::SweepRecord *sweep(std::int64_t id) const = 0;
    virtual Expected<std::vector<sweep::TrialRecord>> trials(std::int64_t sweepId, int first, int last) = 0;
    virtual protocol::DevicesChanged devices() const = 0;

    /// `done` is called once the definition was checked, which may be later. If `client` is gone by then, nothing is
    /// done.
    virtual void launch(const std::string &toml, const std::string &baseFolder, QObject *client, Launched done) = 0;
    virtual void edit(const protocol::EditRequest &request, QObject *client, Edited done) = 0;
    /// What was done, or why nothing was.
    virtual Reply enqueue(std::int64_t sweepId, const std::map<std::string, std::string> &point) = 0;
    virtual Reply continueTrials(std::int64_t sweepId, const std::vector<int> &trials,
                                 const std::map<std::string, std::string> &changes) = 0;
    /// The id of the sweep that has the finished trials of the others. `done` is called as of launch().
    virtual void join(const protocol::JoinRequest &request, QObject *client, Launched done) = 0;
    /// The id of the sweep that was stored in a folder (studyimport.h). `done` is called as of launch().
    virtual void importSweep(const protocol::ImportRequest &request, QObject *client, Launched done) = 0;
    virtual Expected<sweep::TrialHistory> history(std::int64_t sweepId, int trial) = 0;
    virtual Reply control(std::int64_t sweepId, const sweep::Control &control) = 0;
};

}  // namespace sweepscope::engine
