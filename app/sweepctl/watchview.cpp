#include "watchview.h"

#include "machinetext.h"
#include "sweepwords.h"
#include "textwidth.h"

#include "sweep/trialtime.h"
#include "wording/sentence.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <set>

namespace sweepscope::ctl {

namespace {

using sweep::TrialRecord;
using sweep::TrialState;

constexpr std::size_t mostValues = 600;
constexpr std::size_t sparkWidth = 20;
constexpr std::size_t barWidth = 30;
constexpr std::size_t linesAround = 7;  ///< above and below the trials
constexpr std::array<const char *, 8> bars{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};

/// Cuts UTF-8 text to `width` columns, or pads it with blanks.
std::string fitted(const std::string &text, std::size_t width)
{
    std::string cut;
    std::size_t columns = 0;
    for (const char byte : text) {
        columns += beginsCharacter(byte) ? 1 : 0;
        if (columns > width)
            break;
        cut += byte;
    }
    return cut + std::string(width - std::min(width, widthOf(cut)), ' ');
}

/// What a person looks at first: running trials, then failures, what waits, and the rest.
int rankOf(TrialState state)
{
    switch (state) {
    case TrialState::Running:
        return 0;
    case TrialState::Paused:
        return 1;
    case TrialState::Failed:
    case TrialState::Lost:
        return 2;
    case TrialState::Queued:
        return 3;
    default:
        return 4;
    }
}

Style styleOf(TrialState state)
{
    switch (state) {
    case TrialState::Running:
        return Style::Running;
    case TrialState::Completed:
        return Style::Good;
    case TrialState::Failed:
    case TrialState::Lost:
        return Style::Bad;
    case TrialState::Queued:
        return Style::Dim;
    default:
        return Style::Plain;
    }
}

std::string progressBar(double share)
{
    const auto full = static_cast<std::size_t>(std::lround(std::clamp(share, 0.0, 1.0) * barWidth));
    std::string bar;
    for (std::size_t i = 0; i < barWidth; ++i)
        bar += i < full ? "█" : "░";
    return bar;
}

std::string valueOf(const std::optional<sweep::ObjectiveValue> &value)
{
    return value ? numberInWords(value->value) : "";
}

std::string headLine(const WatchState &state, const sweep::SweepRecord &sweep)
{
    std::string line = sweep.name + "  #" + std::to_string(sweep.id) + "  " + std::string(sweep::toString(sweep.state));
    if (state.sweeps.size() > 1)
        line += "  (" + std::to_string(state.sweep + 1) + " of " + std::to_string(state.sweeps.size()) + ")";
    return line;
}

std::string progressLine(const WatchState &state, const sweep::SweepRecord &sweep)
{
    double done = 0;
    int counted = 0;
    for (const TrialRecord &trial : state.trials) {
        if (sweep::isRemoved(trial))
            continue;
        ++counted;
        done += sweep::isFinal(trial.state) ? 1 : trial.progress;
    }
    const int all = counted + sweep.trialsToCome.value_or(0);
    std::string line = progressBar(all > 0 ? done / all : 0) + "  " + countsInWords(countStates(state.trials));
    if (const auto left = secondsLeft(sweep, state.trials); left && !sweep.ended)
        line += "  " + timeLeftInWords(*left);
    return line;
}

std::string bestLine(const WatchState &state, const sweep::SweepRecord &sweep)
{
    const std::vector<const TrialRecord *> ranked = bestFirst(state.trials, sweep.goal);
    if (ranked.empty() || !ranked.front()->objectiveBest)
        return "best " + sweep.objective + ": none yet";
    const TrialRecord &best = *ranked.front();
    return "best " + sweep.objective + " " + numberInWords(best.objectiveBest->value) + " in trial "
           + std::to_string(best.number) + ": " + parametersInWords(best.parameters);
}

/// "GPUs: 3 of 8 used", and CPU slots where trials use them.
std::string deviceLine(const WatchState &state)
{
    std::array<int, 2> all{};
    std::array<int, 2> used{};
    for (const protocol::DeviceStatus &device : state.devices) {
        ++all[device.gpu ? 0 : 1];
        used[device.gpu ? 0 : 1] += device.holders.empty() ? 0 : 1;
    }
    std::string line;
    if (all[0] > 0)
        line += "GPUs: " + std::to_string(used[0]) + " of " + std::to_string(all[0]) + " used  ";
    line += "CPU cores: " + std::to_string(used[1]) + " of " + std::to_string(all[1]) + " used";
    const auto others = std::ranges::count_if(state.machines, &protocol::MachineStatus::isConnected);
    if (others > 0)
        line += "  on " + std::to_string(others + 1) + " machines";
    for (const protocol::MachineStatus &machine : state.machines) {
        if (machine.isUsed && !machine.isConnected)
            line += "  " + machine.name.toStdString() + ": " + wording::clause(machine.unavailable);
    }
    return line;
}

/// Why the next trial waits, or a warning of the sweep.
std::string noticeOf(const sweep::SweepRecord &sweep)
{
    if (!sweep.warnings.empty())
        return "warning: " + wording::sentence(sweep.warnings.front());
    if (sweep.held)
        return "trial " + std::to_string(sweep.held->number) + " waits: " + wording::clause(sweep.held->reason);
    return {};
}

struct Columns {
    std::string number, state, step, best, last, course, rest;

    std::string line(std::size_t width) const
    {
        return fitted(fitted(number, 7) + fitted(state, 11) + fitted(step, 11) + fitted(best, 13) + fitted(last, 13)
                          + fitted(course, sparkWidth + 2) + rest,
                      width);
    }
};

std::string lineOf(const TrialRecord &trial, const ObjectiveTrace &trace, std::size_t width)
{
    using facts::Code;
    const Code reason = trial.reason.code;
    const bool isWhy =
        trial.state == TrialState::Failed || trial.state == TrialState::Lost
        || (sweep::isUnderWay(trial.state)
            && (reason == Code::TrialUnreachable || reason == Code::Stopping || reason == Code::Killing));
    return Columns{std::to_string(trial.number),
                   sweep::waitsAsJob(trial) ? "in queue" : std::string(sweep::toString(trial.state)),
                   trial.step > 0 ? std::to_string(trial.step) : "",
                   valueOf(trial.objectiveBest),
                   valueOf(trial.objectiveLast),
                   trace.sparkline(trial.number, sparkWidth),
                   isWhy && trial.reason ? wording::clause(trial.reason) : parametersInWords(trial.parameters)}
        .line(width);
}

std::vector<StyledLine> detailsOf(const TrialRecord &trial, const std::vector<protocol::DeviceStatus> &known,
                                  WallNs now)
{
    std::vector<StyledLine> lines{
        {"trial " + std::to_string(trial.number) + "  " + stateInWords(trial), Style::Heading}};
    const auto add = [&lines](const std::string &name, const std::string &value) {
        if (!value.empty())
            lines.push_back({"  " + fitted(name, 12) + value});
    };
    add("parameters", parametersInWords(trial.parameters));
    add("reason", trial.reason ? wording::sentence(trial.reason) : "");
    const auto seconds = secondsOf(trial, now);
    add("time", seconds ? durationInWords(*seconds) : "");
    add("ranks", std::to_string(trial.ranks));
    add("devices", deviceListInWords(trial.devices, known));
    add("attempts", std::to_string(trial.attempts));
    add("metrics", metricsInWords(trial));
    return lines;
}

const std::vector<StyledLine> &helpLines()
{
    static const std::vector<StyledLine> lines{
        {"Keys", Style::Heading},
        {"  j k, arrows        next, previous trial"},
        {"  space b, PgDn PgUp a page down, up"},
        {"  g G, Home End      first, last trial"},
        {"  n p, Tab           next, previous sweep"},
        {"  s                  order by state, result or number"},
        {"  Enter              details of the trial"},
        {"  h ?                this help"},
        {"  q Esc              back, or leave; the sweep continues"},
    };
    return lines;
}

}  // namespace

void ObjectiveTrace::add(const TrialRecord &trial)
{
    if (!trial.objectiveLast || !std::isfinite(trial.objectiveLast->value))
        return;
    Values &known = m_trials[trial.number];
    if (!known.values.empty() && trial.objectiveLast->step == known.lastStep)
        return;
    known.lastStep = trial.objectiveLast->step;
    known.values.push_back(trial.objectiveLast->value);
    if (known.values.size() > mostValues)
        known.values.erase(known.values.begin());
}

std::string ObjectiveTrace::sparkline(int trial, std::size_t width) const
{
    const auto known = m_trials.find(trial);
    if (known == m_trials.end())
        return {};
    const std::vector<double> &all = known->second.values;
    // Of more values than columns, each column shows the last one of its part.
    std::vector<double> shown;
    const std::size_t columns = std::min(width, all.size());
    for (std::size_t i = 1; i <= columns; ++i)
        shown.push_back(all[i * all.size() / columns - 1]);
    const auto [least, greatest] = std::ranges::minmax(shown);
    std::string line;
    for (const double value : shown) {
        const double share = greatest > least ? (value - least) / (greatest - least) : 0;
        line += bars[static_cast<std::size_t>(std::lround(share * (bars.size() - 1)))];
    }
    return line;
}

const char *nameOf(WatchOrder order)
{
    return order == WatchOrder::ByState ? "state" : order == WatchOrder::ByResult ? "result" : "number";
}

std::vector<const TrialRecord *> rowsOf(const WatchState &state)
{
    std::vector<const TrialRecord *> rows;
    if (state.order == WatchOrder::ByResult && state.sweep < state.sweeps.size())
        rows = bestFirst(state.trials, state.sweeps[state.sweep].goal);
    else
        std::ranges::transform(state.trials, std::back_inserter(rows), [](const TrialRecord &trial) { return &trial; });
    std::erase_if(rows, [](const TrialRecord *trial) { return sweep::isRemoved(*trial); });
    if (state.order == WatchOrder::ByState)
        std::ranges::stable_sort(rows, {}, [](const TrialRecord *trial) {
            // Ended ones: the last first.
            const int rank = rankOf(trial->state);
            return std::pair(rank, rank == 2 || rank == 4 ? -trial->number : trial->number);
        });
    return rows;
}

void moveSelection(WatchState &state, std::ptrdiff_t rows, std::size_t height)
{
    const auto count = std::ssize(rowsOf(state));
    const auto moved = std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(state.selected) + rows, 0,
                                                  std::max<std::ptrdiff_t>(count - 1, 0));
    state.selected = static_cast<std::size_t>(moved);
    const std::size_t page = height > linesAround ? height - linesAround : 1;
    state.top = std::clamp(state.top, state.selected + 1 > page ? state.selected + 1 - page : 0, state.selected);
}

std::vector<StyledLine> render(const WatchState &state, const ObjectiveTrace &trace, std::size_t width,
                               std::size_t height)
{
    std::vector<StyledLine> lines;
    const auto add = [&](const std::string &text, Style style = Style::Plain) {
        if (lines.size() < height)
            lines.push_back({fitted(text, width), style});
    };
    if (state.sweep >= state.sweeps.size()) {
        add(state.connection.empty() ? "no sweeps yet" : state.connection,
            state.connection.empty() ? Style::Dim : Style::Bad);
        return lines;
    }
    const sweep::SweepRecord &sweep = state.sweeps[state.sweep];
    add(headLine(state, sweep), Style::Heading);
    add(progressLine(state, sweep));
    add(bestLine(state, sweep));
    add(deviceLine(state), Style::Dim);
    if (state.connection.empty())
        add(noticeOf(sweep));
    else
        add(state.connection, Style::Bad);
    const std::vector<const TrialRecord *> rows = rowsOf(state);
    if (state.showsHelp) {
        for (const StyledLine &line : helpLines())
            add(line.text, line.style);
        return lines;
    }
    if (state.showsDetails && state.selected < rows.size()) {
        for (const StyledLine &line : detailsOf(*rows[state.selected], state.devices, state.now))
            add(line.text, line.style);
        return lines;
    }
    add(Columns{"trial", "state", "step", "best", "last", sweep.objective, "parameters"}.line(width), Style::Dim);
    for (std::size_t row = state.top; row < rows.size() && lines.size() + 1 < height; ++row) {
        const bool isSelected = row == state.selected;
        add(lineOf(*rows[row], trace, width), isSelected ? Style::Selected : styleOf(rows[row]->state));
    }
    while (lines.size() + 1 < height)
        add("");
    add("q quit  h help  s by " + std::string(nameOf(state.order)), Style::Dim);
    return lines;
}

}  // namespace sweepscope::ctl
