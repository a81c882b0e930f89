#include "launch/earlyexitwatch.h"
#include "launch/hangwatch.h"
#include "launch/ranksteps.h"

#include <doctest/doctest.h>

using namespace sweepscope;
using namespace sweepscope::launch;
using namespace std::chrono_literals;

namespace {

/// A watch that is polled every 100 ms, on a simulated clock.
struct Steps {
    HangWatch watch;
    HangWatch::Clock::time_point now = HangWatch::Clock::now();

    Steps(double factor, std::chrono::milliseconds least) : watch(factor, least) {}
    void pass(std::chrono::milliseconds time)
    {
        for (auto passed = 0ms; passed < time; passed += 100ms)
            watch.update(false, now += 100ms);
    }
    void step(std::chrono::milliseconds after)
    {
        pass(after);
        watch.update(true, now);
    }
};

}  // namespace

TEST_CASE("a hang is five times the longest time between two steps without a step")
{
    Steps steps(5, 1s);
    for (int i = 0; i < 10; ++i)
        steps.step(1s);
    steps.step(2s);
    steps.pass(9800ms);
    CHECK_FALSE(steps.watch.hangs());
    steps.pass(400ms);
    CHECK(steps.watch.hangs());
    CHECK(steps.watch.longest() >= 2000ms);
    CHECK(steps.watch.longest() <= 2100ms);
    steps.step(0ms);
    CHECK_FALSE(steps.watch.hangs());
}

TEST_CASE("the first steps are not representative")
{
    Steps steps(5, 1s);
    steps.step(100s);
    steps.step(50s);
    CHECK_FALSE(steps.watch.hangs());
    for (int i = 0; i < 3; ++i)
        steps.step(200ms);
    CHECK(steps.watch.longest() < 1s);
    steps.pass(1500ms);
    CHECK(steps.watch.hangs());
}

TEST_CASE("an evaluation longer than many steps is no hang if it is short enough")
{
    Steps steps(5, 60s);
    for (int i = 0; i < 100; ++i)
        steps.step(100ms);
    steps.pass(59s);
    CHECK_FALSE(steps.watch.hangs());
    steps.pass(2s);
    CHECK(steps.watch.hangs());
}

TEST_CASE("a rank without enough steps never hangs, and a factor of zero disables the check")
{
    Steps silent(5, 1s);
    silent.pass(1000s);
    CHECK_FALSE(silent.watch.hangs());
    for (int i = 0; i < 3; ++i)
        silent.step(100ms);
    silent.pass(1000s);
    CHECK_FALSE(silent.watch.hangs());
    Steps off(0, 1s);
    for (int i = 0; i < 10; ++i)
        off.step(100ms);
    off.pass(1000s);
    CHECK_FALSE(off.watch.hangs());
}

TEST_CASE("time between missed or skipped polls does not count")
{
    Steps steps(5, 10s);
    for (int i = 0; i < 10; ++i)
        steps.step(100ms);
    steps.now += 1h;
    steps.watch.update(false, steps.now);  // the machine was suspended
    CHECK_FALSE(steps.watch.hangs());
    for (int i = 0; i < 1000; ++i) {
        steps.now += 100ms;
        steps.watch.skip(steps.now);  // frozen
    }
    CHECK_FALSE(steps.watch.hangs());
    CHECK(steps.watch.silence() <= 2s);
}

TEST_CASE("remaining ranks may run as long as they are active")
{
    EarlyExitWatch watch(10s);
    auto now = EarlyExitWatch::Clock::now();
    const auto pass = [&](int seconds, bool active, double cpuPercent) {
        for (int i = 0; i < 2 * seconds; ++i)
            watch.update(active, cpuPercent, now += 500ms);
    };
    pass(100, true, 0);
    CHECK_FALSE(watch.isOver());
    pass(100, false, 30);
    CHECK_FALSE(watch.isOver());
    pass(9, false, 0.3);
    CHECK_FALSE(watch.isOver());
    pass(2, false, 0.3);
    CHECK(watch.isOver());
    pass(1, true, 0);
    CHECK_FALSE(watch.isOver());

    EarlyExitWatch patient(0s);
    for (int i = 0; i < 1000; ++i)
        patient.update(false, 0, now += 1s);
    CHECK_FALSE(patient.isOver());
}

TEST_CASE("a hang names the ranks that are behind, and those that are stopped")
{
    using facts::Code;
    using facts::Fact;
    using facts::Field;
    const auto describe = [](const std::vector<RankStep> &steps) { return describeHang(steps, 300s, 250ms); };
    const Fact hung = Fact(Code::Hung).with(Field::Seconds, 300.0).with(Field::Longest, 0.25);
    const auto behind = [](std::string ranks, int step, double others) {
        return Fact(Code::RanksBehind)
            .with(Field::Step, step)
            .with(Field::Bound, others)
            .with(Field::Ranks, std::move(ranks));
    };
    CHECK(describe({{0, 7, false}, {1, 5, false}, {2, 7, false}}).reason == Fact(hung).dueTo(behind("1", 5, 7)));
    CHECK(describe({{0, 7, false}, {1, 5, false}, {2, 7, false}}).rank == 1);
    CHECK(describe({{0, 4, false}, {1, 5, false}, {2, 4, true}}).reason
          == Fact(hung).dueTo(behind("0,2", 4, 5)).dueTo(Fact(Code::RanksStopped).with(Field::Ranks, "2")));
    CHECK(describe({{0, 4, false}, {1, 5, false}, {2, 4, true}}).rank == 2);
    CHECK(describe({{0, 7, false}, {1, {}, false}}).reason
          == Fact(hung).dueTo(Fact(Code::LastStep).with(Field::Step, 7)));
    CHECK(describe({{0, 7, false}, {1, 7, false}}).rank == -1);
    CHECK(describe({}).reason == hung);
}

TEST_CASE("of a rank that exited and others that do nothing, the one that stopped first is at fault")
{
    using facts::Code;
    using facts::Field;
    const auto describe = [](const RankStep &left, const std::vector<RankStep> &idle) {
        return describeEarlyExit(left, idle, 60s, "");
    };
    RankStep waiting{1, 30};
    waiting.isWaiting = true;

    CHECK(describe({0, 30}, {{1, 8}}).rank == 1);
    CHECK(describe({0, 30}, {{1, 8}}).reason.because
          == std::vector{
              facts::Fact(Code::RanksBehind).with(Field::Step, 8).with(Field::Bound, 30.0).with(Field::Ranks, "1")});
    CHECK_MESSAGE(describe({0, {}}, {{1, {}}}).rank == 1, "nothing shows that it waits for rank 0");
    CHECK(describe({0, 30}, {{1, 30}}).rank == 1);
    CHECK(describe({0, 30}, {{1, 30}}).reason.because.empty());
    CHECK_MESSAGE(describe({0, 30}, {{1, 29}}).reason.because.empty(), "it may be in the last step");
    CHECK_MESSAGE(describe({0, 30}, {{1, 31}}).rank == 0, "rank 0 left before its last step");
    CHECK(describe({0, 30}, {waiting}).rank == 0);
    CHECK(describe({0, 30}, {{1, 8}, {2, 30}}).rank == 1);
    CHECK_MESSAGE(describe({1, {}}, {{0, {}}, {2, {}}}).rank == -1, "any of them may be the first");

    const facts::Fact reason = describeEarlyExit({0, {}}, {{1, {}}}, 60s, "epoch 8 loss=0.1").reason;
    CHECK(reason
          == facts::Fact(Code::ExitedEarly)
                 .with(Field::Rank, 0)
                 .with(Field::Seconds, 60.0)
                 .with(Field::Ranks, "1")
                 .with(Field::Detail, "epoch 8 loss=0.1"));
}
