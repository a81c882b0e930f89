#include "sweep/records.h"

#include <algorithm>
#include <array>
#include <functional>
#include <queue>
#include <string_view>
#include <utility>

namespace sweepscope::sweep {

namespace {

constexpr std::array<std::pair<TrialState, std::string_view>, 7> trialStates{{
    {TrialState::Waiting, "waiting"},
    {TrialState::Starting, "starting"},
    {TrialState::Running, "running"},
    {TrialState::Completed, "completed"},
    {TrialState::Failed, "failed"},
    {TrialState::Stopped, "stopped"},
    {TrialState::Lost, "lost"},
}};

constexpr std::array<std::pair<SweepState, std::string_view>, 4> sweepStates{{
    {SweepState::Running, "running"},
    {SweepState::Stopping, "stopping"},
    {SweepState::Completed, "completed"},
    {SweepState::Stopped, "stopped"},
}};

template <typename State, std::size_t Count>
std::string nameOf(const std::array<std::pair<State, std::string_view>, Count> &names, State state)
{
    for (const auto &[candidate, name] : names) {
        if (candidate == state)
            return std::string(name);
    }
    return {};
}

template <typename State, std::size_t Count>
std::optional<State> stateOf(const std::array<std::pair<State, std::string_view>, Count> &names,
                             const std::string &text)
{
    for (const auto &[state, name] : names) {
        if (name == text)
            return state;
    }
    return std::nullopt;
}

}  // namespace

std::string toString(TrialState state)
{
    return nameOf(trialStates, state);
}
std::optional<TrialState> trialStateFromString(const std::string &text)
{
    return stateOf(trialStates, text);
}

bool isFinal(TrialState state)
{
    return state == TrialState::Completed || state == TrialState::Failed || state == TrialState::Stopped
           || state == TrialState::Lost;
}

std::string toString(SweepState state)
{
    return nameOf(sweepStates, state);
}
std::optional<SweepState> sweepStateFromString(const std::string &text)
{
    return stateOf(sweepStates, text);
}

std::optional<double> estimateSecondsLeft(const std::vector<TrialRecord> &trials, int concurrent, WallNs now)
{
    double total = 0;
    int completed = 0;
    for (const TrialRecord &trial : trials) {
        if (trial.state == TrialState::Completed && trial.started && trial.ended) {
            total += std::max(0.0, toSeconds(*trial.ended - *trial.started));
            ++completed;
        }
    }
    if (completed == 0)
        return std::nullopt;
    const double mean = total / completed;

    // Lanes by the time at which each becomes free; the waiting trials take the first free one, in turn.
    std::priority_queue<double, std::vector<double>, std::greater<>> lanes;
    std::size_t waiting = 0;
    double last = 0;
    for (const TrialRecord &trial : trials) {
        if (trial.state == TrialState::Waiting) {
            ++waiting;
        } else if (!isFinal(trial.state)) {
            const double used = trial.started ? std::max(0.0, toSeconds(now - *trial.started)) : 0.0;
            lanes.push(std::max(0.0, mean - used));
            last = std::max(last, mean - used);
        }
    }
    const std::size_t wanted = std::min(lanes.size() + waiting, static_cast<std::size_t>(std::max(1, concurrent)));
    while (lanes.size() < wanted)
        lanes.push(0);
    for (; waiting > 0; --waiting) {
        const double end = lanes.top() + mean;
        lanes.pop();
        lanes.push(end);
        last = std::max(last, end);
    }
    return last;
}

}  // namespace sweepscope::sweep
