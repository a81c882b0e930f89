#pragma once

#include "engine/engineservice.h"

#include <filesystem>

/// A simulated engine: sends generated sweeps to a window over a real socket. bench_engine measures the real engine.
namespace sweepscope::bench {

inline constexpr std::int64_t tableSweep = 1;      ///< many trials that have ended
inline constexpr std::int64_t largeSweep = 2;      ///< one trial that has ended, with large feeds
inline constexpr std::int64_t streamingSweep = 3;  ///< one trial that runs

struct Scale {
    int trials = 10'000;
    int largeRanks = 4;
    int streamingRanks = 64;
};

class RecordedEngine : public engine::EngineService {
public:
    explicit RecordedEngine(const Scale &scale);

    void settle() override {}
    std::vector<std::int64_t> sweepIds() const override { return {tableSweep, largeSweep, streamingSweep}; }
    const sweep::SweepRecord *sweep(std::int64_t id) const override;
    Expected<std::vector<sweep::TrialRecord>> trials(std::int64_t sweepId, int first, int last) override;
    protocol::DevicesChanged devices() const override { return {}; }
    void launch(const std::string &, const std::string &, QObject *, Launched done) override;
    void edit(const protocol::EditRequest &, QObject *, Edited done) override;
    engine::Reply enqueue(std::int64_t, const std::map<std::string, std::string> &) override;
    engine::Reply continueTrials(std::int64_t, const std::vector<int> &,
                                 const std::map<std::string, std::string> &) override;
    void join(const protocol::JoinRequest &, QObject *, Launched done) override;
    void importSweep(const protocol::ImportRequest &, QObject *, Launched done) override;
    Expected<sweep::TrialHistory> history(std::int64_t, int) override;
    engine::Reply control(std::int64_t, const sweep::Control &) override;

private:
    sweep::SweepRecord m_sweeps[3];
    std::vector<sweep::TrialRecord> m_trials[3];
};

std::filesystem::path attemptFolder(const std::filesystem::path &workspace, std::int64_t sweepId, int trial = 1);

/// Serves until it is killed. Returns the exit code.
int serveRecorded(const std::filesystem::path &workspace, const Scale &scale);

}  // namespace sweepscope::bench
