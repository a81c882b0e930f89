#include "watchview.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace sweepscope;
using namespace sweepscope::ctl;
using sweep::TrialState;

namespace {

sweep::TrialRecord trial(int number, TrialState state, std::optional<double> value = {}, std::int64_t step = 1)
{
    sweep::TrialRecord record;
    record.number = number;
    record.state = state;
    record.parameters = {{"lr", 0.5}};
    if (value)
        record.objectiveLast = record.objectiveBest = sweep::ObjectiveValue{*value, step};
    record.step = value ? step : 0;
    return record;
}

WatchState state()
{
    WatchState watch;
    sweep::SweepRecord record;
    record.id = 3;
    record.name = "count";
    record.objective = "loss";
    record.parameterNames = {"lr"};
    watch.sweeps = {record};
    watch.trials = {trial(1, TrialState::Completed, 0.25), trial(2, TrialState::Failed), trial(3, TrialState::Queued),
                    trial(4, TrialState::Running, 0.125), trial(5, TrialState::Completed, 0.5)};
    watch.trials[1].reason =
        facts::Fact(facts::Code::RankExited).with(facts::Field::Rank, 1).with(facts::Field::ExitCode, 3);
    return watch;
}

std::string numbers(const WatchState &watch)
{
    std::string text;
    for (const sweep::TrialRecord *row : rowsOf(watch))
        text += std::to_string(row->number) + " ";
    return text;
}

std::size_t widthOf(const std::string &text)
{
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }));
}

std::string textOf(const WatchState &watch, std::size_t width = 120, std::size_t height = 24)
{
    std::string text;
    for (const StyledLine &line : render(watch, {}, width, height))
        text += line.text + "\n";
    return text;
}

bool contains(const std::string &text, const std::string &part)
{
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("rows come in the order that was chosen")
{
    WatchState watch = state();
    CHECK(numbers(watch) == "4 2 3 5 1 ");
    watch.order = WatchOrder::ByNumber;
    CHECK(numbers(watch) == "1 2 3 4 5 ");
    watch.order = WatchOrder::ByResult;
    CHECK(numbers(watch) == "4 1 5 2 3 ");
}

TEST_CASE("a sweep is shown with its progress, its best trial and a row per trial")
{
    const std::string text = textOf(state());
    CHECK(contains(text, "count  #3  running"));
    CHECK(contains(text, "best loss 0.125 in trial 4: lr=0.5"));
    CHECK(contains(text, "rank 1 exited with code 3"));
    CHECK(contains(text, "q quit"));
}

TEST_CASE("devices are named after their machine, and machines that cannot be reached are listed")
{
    WatchState watch = state();
    watch.trials[0].devices = {"cpu:3@gpu1", "cpu:4@gpu1"};
    watch.order = WatchOrder::ByNumber;
    watch.showsDetails = true;
    CHECK(contains(textOf(watch), "gpu1: cores 3-4"));
    watch.showsDetails = false;
    watch.trials[0].state = TrialState::Running;
    watch.trials[0].reason = facts::Fact(facts::Code::TrialUnreachable).with(facts::Field::Machine, "gpu1");
    CHECK(contains(textOf(watch), "no connection to gpu1"));
    protocol::MachineStatus away;
    away.name = QStringLiteral("gpu2");
    away.isUsed = true;
    away.unavailable = facts::Fact(facts::Code::MachineUnreachable).with(facts::Field::Detail, "no route");
    protocol::MachineStatus here;
    here.isUsed = here.isConnected = true;
    watch.machines = {here, away};
    CHECK(contains(textOf(watch), "on 2 machines  gpu2: cannot be reached: no route"));
}

TEST_CASE("every line fits the terminal, whatever its size")
{
    for (const std::size_t width : {1UL, 7UL, 40UL, 200UL}) {
        for (const std::size_t height : {1UL, 5UL, 24UL}) {
            for (const int shown : {0, 1, 2}) {
                WatchState watch = state();
                watch.showsHelp = shown == 1;
                watch.showsDetails = shown == 2;
                const auto lines = render(watch, {}, width, height);
                CHECK(lines.size() <= height);
                for (const StyledLine &line : lines)
                    CHECK(widthOf(line.text) == width);
            }
        }
    }
    CHECK(contains(textOf({}), "no sweeps yet"));
}

TEST_CASE("the selection stays within the rows, and in view")
{
    WatchState watch = state();
    for (int number = 6; number <= 100; ++number)
        watch.trials.push_back(trial(number, TrialState::Queued));
    moveSelection(watch, 1'000'000, 24);
    CHECK(watch.selected == 99);
    CHECK(watch.top == 99 + 1 - (24 - 7));
    CHECK(contains(textOf(watch), "\n1      completed"));
    moveSelection(watch, -1'000'000, 24);
    CHECK(watch.selected == 0);
    CHECK(watch.top == 0);
    watch.trials.clear();
    moveSelection(watch, 5, 3);
    CHECK(watch.selected == 0);
}

TEST_CASE("the course of an objective is drawn from what was seen")
{
    ObjectiveTrace trace;
    CHECK(trace.sparkline(1, 8).empty());
    for (int step = 1; step <= 8; ++step) {
        trace.add(trial(1, TrialState::Running, step, step));
        trace.add(trial(1, TrialState::Running, 100, step));  // the same step
    }
    CHECK(trace.sparkline(1, 8) == "▁▂▃▄▅▆▇█");
    CHECK(trace.sparkline(1, 4) == "▁▃▆█");
    CHECK(trace.sparkline(2, 4).empty());
    for (int step = 9; step < 5000; ++step)
        trace.add(trial(1, TrialState::Running, 1, step));
    CHECK(trace.sparkline(1, 3) == "▁▁▁");
}

TEST_CASE("a lost connection is named")
{
    WatchState watch = state();
    watch.connection = "The engine of /ws ended.";
    const auto lines = render(watch, {}, 80, 24);
    CHECK(std::ranges::any_of(lines, [](const StyledLine &line) {
        return line.style == Style::Bad && line.text.starts_with("The engine of /ws ended.");
    }));
}
