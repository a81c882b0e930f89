#include "sweepwords.h"

#include "sweep/sweepfile.h"
#include "sweep/trialtime.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <ctime>

namespace sweepscope::ctl {

namespace {

template <typename... Values>
std::string format(const char *pattern, Values... values)
{
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), pattern, values...);
    return text.data();
}

}  // namespace

std::string titleInWords(const sweep::SweepRecord &sweep)
{
    const std::size_t dash = sweep.folder.find('-');
    const bool isSpelled = dash != std::string::npos && sweep.folder.substr(dash + 1) == sweep.name;
    return isSpelled ? sweep.folder : sweep.folder + " \"" + sweep.name + "\"";
}

std::string parametersInWords(const sweep::ParameterSet &parameters)
{
    std::string words;
    for (const auto &[name, value] : parameters)
        words += (words.empty() ? "" : " ") + name + "=" + sweep::toText(value);
    return words;
}

std::string durationInWords(double seconds)
{
    if (!(seconds >= 0))
        return "?";
    if (seconds < 60)
        return format("%.1f s", seconds);
    const auto whole = static_cast<long long>(std::llround(seconds));
    if (whole < 3600)
        return format("%lld min %lld s", whole / 60, whole % 60);
    return format("%lld h %lld min", whole / 3600, whole % 3600 / 60);
}

std::string timeLeftInWords(double seconds)
{
    constexpr double minute = 60;
    constexpr double hour = 60 * minute;
    if (seconds <= 5)
        return "a few seconds left";
    if (seconds < minute)
        return "about " + std::to_string(static_cast<int>(std::ceil(seconds / 5)) * 5) + " s left";
    const auto minutes = static_cast<int>(std::lround(seconds / minute));
    if (seconds < hour)
        return "about " + std::to_string(minutes) + " min left";
    return "about " + std::to_string(minutes / 60) + " h " + std::to_string(minutes % 60) + " min left";
}

std::string localTimeInWords(WallNs time)
{
    const auto seconds = static_cast<std::time_t>(time / 1'000'000'000);
    std::tm parts{};
    std::array<char, 64> text{};
    if (::localtime_r(&seconds, &parts) == nullptr)
        return toIso8601(time);
    std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S", &parts);
    return text.data();
}

std::string numberInWords(double value)
{
    return format("%.6g", value);
}

std::string meanInWords(const sweep::PointMean &mean)
{
    if (mean.runs == 1)
        return numberInWords(mean.value) + " (1 run)";
    return numberInWords(mean.value) + " ± " + format("%.2g", mean.error) + " (" + std::to_string(mean.runs) + " runs)";
}

std::string objectiveInWords(const std::string &name, const sweep::TrialRecord &trial)
{
    if (!trial.objectiveLast)
        return {};
    std::string words = name + " " + numberInWords(trial.objectiveLast->value);
    if (trial.objectiveBest)
        words += " (best " + numberInWords(trial.objectiveBest->value) + " at step "
                 + std::to_string(trial.objectiveBest->step) + ")";
    return words;
}

std::string metricsInWords(const sweep::TrialRecord &trial)
{
    constexpr int most = 3;
    std::string words;
    int shown = 0;
    for (const sweep::MetricValue &metric : trial.metrics) {
        if (shown < most && !sweep::isAboutSteps(metric.name)) {
            words += (words.empty() ? "" : ", ") + metric.name + " " + numberInWords(metric.last);
            ++shown;
        }
    }
    return words;
}

std::optional<double> secondsOf(const sweep::TrialRecord &trial, WallNs now)
{
    return sweep::runningSeconds(trial, now);
}

std::string stateInWords(const sweep::TrialRecord &trial)
{
    return sweep::waitsAsJob(trial) ? "queued in Slurm" : std::string(sweep::toString(trial.state));
}

std::map<sweep::TrialState, int> countStates(const std::vector<sweep::TrialRecord> &trials)
{
    std::map<sweep::TrialState, int> counts;
    for (const sweep::TrialRecord &trial : trials) {
        if (!sweep::isRemoved(trial))
            ++counts[trial.state];
    }
    return counts;
}

std::string countsInWords(const std::map<sweep::TrialState, int> &counts)
{
    using sweep::TrialState;
    std::string words;
    for (const TrialState state :
         {TrialState::Completed, TrialState::Pruned, TrialState::Failed, TrialState::Lost, TrialState::Stopped,
          TrialState::Running, TrialState::Starting, TrialState::Paused, TrialState::Queued}) {
        const auto count = counts.find(state);
        if (count != counts.end())
            words += (words.empty() ? "" : ", ") + std::to_string(count->second) + " " + sweep::toString(state);
    }
    return words;
}

std::vector<const sweep::TrialRecord *> bestFirst(const std::vector<sweep::TrialRecord> &trials, sweep::Goal goal)
{
    std::vector<const sweep::TrialRecord *> sorted;
    sorted.reserve(trials.size());
    for (const sweep::TrialRecord &trial : trials)
        sorted.push_back(&trial);
    std::stable_sort(sorted.begin(), sorted.end(), [goal](const sweep::TrialRecord *a, const sweep::TrialRecord *b) {
        return sweep::isBetter(*a, *b, goal);
    });
    return sorted;
}

std::optional<double> secondsLeft(const sweep::SweepRecord &sweep, const std::vector<sweep::TrialRecord> &trials)
{
    if (sweep.ended)
        return std::nullopt;
    return sweep::estimateSecondsLeft(sweep, trials, sweep::parseSweep(sweep.toml).spec.devices.concurrent, wallNow());
}

}  // namespace sweepscope::ctl
