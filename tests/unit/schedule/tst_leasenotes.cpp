// What workspaces note for each other beside leases: whose turn it is, and who has which CPUs.
#include "schedule/leasefolder.h"

#include "leasetesting.h"
#include "schedule/leasenote.h"
#include "schedule/leasequeue.h"

#include <doctest/doctest.h>
#include <filesystem>
#include <string>
#include <unistd.h>
#include <vector>

using namespace sweepscope;
using namespace sweepscope::schedule;
using namespace sweepscope::tests;

namespace {

/// What a trial of this sweep is told of whose turn it is at GPU-a.
std::string before(GpuLeases &leases, const std::string &sweep)
{
    auto taking = leases.begin(sweep);
    REQUIRE(taking.has_value());
    return (*taking)->whoIsBefore("GPU-a");
}

std::int64_t fakeTime = 0;

}  // namespace

TEST_CASE("whose trial has waited longest is next, and whoever has had its turn waits from then on")
{
    const Folder folder;
    LeaseFolder anna(folder.leases(), "/home/anna/ws");
    LeaseFolder ben(folder.leases(), "/home/ben/ws");
    const std::vector<GpuLeases::Waiting> annas{{"digits", "digits, trial 3", {"GPU-a", "GPU-b"}}};
    const std::vector<GpuLeases::Waiting> bens{{"lm", "lm, trial 1", {"GPU-a"}}};
    anna.queue(annas);
    ben.queue(bens);
    const std::string told = before(ben, "lm");
    CHECK(told.find("is next for digits, trial 3 of ") == 0);
    CHECK(told.find("workspace /home/anna/ws)") != std::string::npos);
    CHECK(before(ben, "another").find("digits, trial 3") != std::string::npos);
    CHECK(before(anna, "digits").empty());
    CHECK_MESSAGE(before(anna, "other").find("lm, trial 1") != std::string::npos, "one that has only come");
    CHECK((*ben.begin("lm"))->whoIsBefore("GPU-c").empty());

    anna.queue({{"digits", "digits, trial 1", {"GPU-a", "GPU-b"}}});  // tried again, it comes before trial 3
    CHECK(before(ben, "lm").find("digits, trial 1") != std::string::npos);
    anna.served("digits");
    anna.queue({{"digits", "digits, trial 3", {"GPU-a", "GPU-b"}}});
    CHECK(before(ben, "lm").empty());
    CHECK(before(anna, "digits").find("lm, trial 1") != std::string::npos);
    ben.queue({});
    CHECK(before(anna, "digits").empty());
}

TEST_CASE("who is killed or hangs while it waits keeps no GPU from anybody")
{
    const Folder folder;
    LeaseFolder ours(folder.leases(), "/ws/1");
    {
        LeaseFolder theirs(folder.leases(), "/ws/2");
        theirs.queue({{"digits", "digits, trial 1", {"GPU-a"}}});
        CHECK_FALSE(before(ours, "lm").empty());
    }
    CHECK(before(ours, "lm").empty());

    constexpr std::int64_t second = 1'000'000'000;
    const auto clock = [] { return fakeTime; };
    LeaseQueue hangs("/ws/3", clock);
    LeaseQueue asks("/ws/1", clock);
    const std::vector<GpuLeases::Waiting> waiting{{"digits", "digits, trial 1", {"GPU-a"}}};
    const auto shared = SharedFolder::open(folder.leases());
    REQUIRE(shared.has_value());
    const auto isBefore = [&] { return !asks.before(*shared, "lm").empty(); };
    fakeTime = 100 * second;
    hangs.update(folder.leases(), waiting);
    fakeTime = 109 * second;
    CHECK(isBefore());
    fakeTime = 111 * second;
    CHECK_FALSE(isBefore());
    hangs.update(folder.leases(), waiting);
    CHECK_MESSAGE(isBefore(), "it goes on, and has waited since it began to");
}

TEST_CASE("of several trials of an engine each has its own time, and another's start takes it from none")
{
    const Folder folder;
    fakeTime = 1;
    const auto clock = [] { return fakeTime++; };
    LeaseQueue ours("/ws/1", clock);
    LeaseQueue theirs("/ws/2", clock);
    const auto shared = SharedFolder::open(folder.leases());
    REQUIRE(shared.has_value());
    ours.update(folder.leases(),
                {{"large", "large, trial 1", {"GPU-a", "GPU-b"}}, {"small", "small, trial 1", {"GPU-c"}}});
    theirs.update(folder.leases(), {{"lm", "lm, trial 1", {"GPU-a", "GPU-c"}}});
    ours.forget("small");
    ours.update(folder.leases(),
                {{"large", "large, trial 1", {"GPU-a", "GPU-b"}}, {"small", "small, trial 2", {"GPU-c"}}});
    const auto first = theirs.before(*shared, "lm");
    REQUIRE(first.size() == 2);
    CHECK(first.at("GPU-a").purpose == "large, trial 1");
    CHECK_FALSE(first.contains("GPU-c"));
    CHECK(ours.before(*shared, "small").at("GPU-c").purpose == "lm, trial 1");
    CHECK(ours.before(*shared, "large").empty());
}

TEST_CASE("what a trial has of the CPUs is noted for as long as somebody has the note, for other workspaces")
{
    const Folder folder;
    LeaseFolder ours(folder.leases(), "/ws/1");
    LeaseFolder theirs(folder.leases(), "/ws/2");
    const auto seen = [](GpuLeases &leases) { return (*leases.begin("lm"))->cpusOfOthers(); };
    FileDescriptor agent;
    {
        auto taking = ours.begin("digits");
        REQUIRE(taking.has_value());
        const Expected<Lease> first = (*taking)->noteCpus({"digits, trial 1", {}, {{0, 1}, {}, {4, 5, 6}}});
        const Expected<Lease> second = (*taking)->noteCpus({"digits, trial 2", {9, 9, 3}, {{}, {}}});
        REQUIRE((first.has_value() && second.has_value()));
        taking->reset();
        const std::vector<CpuUse> both = seen(theirs);
        REQUIRE(both.size() == 2);
        CHECK(both[0].holder.find("digits, trial 1 of ") == 0);
        CHECK(both[0].cpus == std::vector<std::vector<int>>{{0, 1}, {4, 5, 6}});
        CHECK(both[0].slots.empty());
        CHECK(both[1].cpus.empty());
        CHECK(both[1].slots == std::vector<int>{9, 9, 3});
        CHECK(seen(ours).empty());
        agent = FileDescriptor(::dup(second->file.get()));
        ours.sign(*second, 4711, "digits, trial 2");
    }
    REQUIRE(seen(theirs).size() == 1);
    CHECK(seen(theirs)[0].holder.find("(process 4711, workspace /ws/1)") != std::string::npos);
    CHECK(seen(theirs)[0].slots == std::vector<int>{9, 9, 3});
    agent.reset();
    CHECK(seen(theirs).empty());
    CHECK_MESSAGE(!std::filesystem::exists(folder.leases() / "cores.2"), "two were there at once, never more");
}

TEST_CASE("garbage in notes is nobody's core and nobody's turn")
{
    const Folder folder;
    LeaseFolder ours(folder.leases(), "/ws/1");
    const auto repeated = [](const std::string &text, int times) {
        std::string all;
        for (int i = 0; i < times; ++i)
            all += text;
        return all;
    };
    for (const std::string &garbage :
         {std::string(200'000, 'x'), std::string("\0\t\n\n;;", 6), std::string("7\ta\t/b\tc\n0-99999999999;-1;a;;\n"),
          std::string("7\ta\t/b\tc\n\n99999999999;x;;1x\n"), std::string("7\ta\t/b\tc\n1 1\n"),
          std::string("7\ta\t/b\tc\n99999999999999999999\t1\tGPU-a\n"), std::string("7\ta\t/b\tc\n"),
          "7\ta\t/b\tc\n" + repeated("0-1048575;", 50) + "\n", "7\ta\t/b\tc\n" + repeated("0-1023,", 9000) + "\n",
          "7\ta\t/b\tc\n" + repeated("0-1023;", 9000) + "\n"}) {
        std::vector<FileDescriptor> held;
        for (const char *kind : {"queue", "cores"}) {
            auto gate = ours.begin("x");
            auto note = SharedFolder::open(folder.leases())->claimNote(kind);
            REQUIRE(note.has_value());
            REQUIRE(::ftruncate(note->get(), 0) == 0);
            REQUIRE(::pwrite(note->get(), garbage.data(), garbage.size(), 0) > 0);
            held.push_back(std::move(*note));
        }
        CHECK(before(ours, "lm").empty());
        CHECK((*ours.begin("lm"))->cpusOfOthers().empty());
    }
    std::filesystem::create_directory(folder.leases() / "elsewhere");
    std::filesystem::remove(folder.leases() / "cores.0");
    std::filesystem::create_symlink(folder.path / "victim", folder.leases() / "cores.0");
    auto taking = ours.begin("digits");
    REQUIRE(taking.has_value());
    CHECK_FALSE((*taking)->noteCpus({"digits, trial 1", {}, {{1}}}).has_value());
    CHECK_FALSE(std::filesystem::exists(folder.path / "victim"));
}
