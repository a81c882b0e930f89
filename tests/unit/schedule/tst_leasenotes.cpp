// Notes about CPUs in use, by which workspaces share a machine's cores.
#include "schedule/leasefolder.h"

#include "leasetesting.h"
#include "schedule/sharedfolder.h"

#include <doctest/doctest.h>
#include <filesystem>
#include <string>
#include <unistd.h>
#include <vector>

using namespace sweepscope;
using namespace sweepscope::schedule;
using namespace sweepscope::tests;

TEST_CASE("the CPUs of a trial are noted for other workspaces as long as a process holds the note")
{
    const Folder folder;
    LeaseFolder ours(folder.leases(), "/ws/1");
    LeaseFolder theirs(folder.leases(), "/ws/2");
    const auto seen = [](GpuLeases &leases) { return (*leases.begin())->cpusOfOthers(); };
    FileDescriptor agent;
    {
        auto taking = ours.begin();
        REQUIRE(taking.has_value());
        const Expected<Lease> first = (*taking)->noteCpus({{0, {}, {}, {"digits", 1}}, {}, {{0, 1}, {}, {4, 5, 6}}});
        const Expected<Lease> second = (*taking)->noteCpus({{0, {}, {}, {"digits", 2}}, {9, 9, 3}, {{}, {}}});
        REQUIRE((first.has_value() && second.has_value()));
        taking->reset();
        const std::vector<CpuUse> both = seen(theirs);
        REQUIRE(both.size() == 2);
        CHECK(both[0].holder.trial == TrialName{"digits", 1});
        CHECK(both[0].cpus == std::vector<std::vector<int>>{{0, 1}, {4, 5, 6}});
        CHECK(both[0].slots.empty());
        CHECK(both[1].cpus.empty());
        CHECK(both[1].slots == std::vector<int>{9, 9, 3});
        CHECK(seen(ours).empty());
        agent = FileDescriptor(::dup(second->file.get()));
        ours.sign(*second, 4711, {"digits", 2});
    }
    REQUIRE(seen(theirs).size() == 1);
    CHECK(seen(theirs)[0].holder.pid == 4711);
    CHECK(seen(theirs)[0].slots == std::vector<int>{9, 9, 3});
    agent.reset();
    CHECK(seen(theirs).empty());
    CHECK_MESSAGE(!std::filesystem::exists(folder.leases() / "cores.2"), "two were there at once, never more");
}

TEST_CASE("garbage in notes gives no cores")
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
         {std::string(200'000, 'x'), std::string("\0\t\n\n;;", 6),
          std::string("7\ta\t/b\tc\t1\n0-99999999999;-1;a;;\n"), std::string("7\ta\t/b\tc\t1\n\n99999999999;x;;1x\n"),
          std::string("7\ta\t/b\tc\t1\n1 1\n"), std::string("7\ta\t/b\tc\t1\n99999999999999999999\t1\tGPU-a\n"),
          std::string("7\ta\t/b\tc\t1\n"), "7\ta\t/b\tc\t1\n" + repeated("0-1048575;", 50) + "\n",
          "7\ta\t/b\tc\t1\n" + repeated("0-1023,", 9000) + "\n",
          "7\ta\t/b\tc\t1\n" + repeated("0-1023;", 9000) + "\n"}) {
        std::vector<FileDescriptor> held;
        {
            auto gate = ours.begin();
            auto note = SharedFolder::open(folder.leases())->claimNote("cores");
            REQUIRE(note.has_value());
            REQUIRE(::ftruncate(note->get(), 0) == 0);
            REQUIRE(::pwrite(note->get(), garbage.data(), garbage.size(), 0) > 0);
            held.push_back(std::move(*note));
        }
        CHECK((*ours.begin())->cpusOfOthers().empty());
    }
    std::filesystem::create_directory(folder.leases() / "elsewhere");
    std::filesystem::remove(folder.leases() / "cores.0");
    std::filesystem::create_symlink(folder.path / "victim", folder.leases() / "cores.0");
    auto taking = ours.begin();
    REQUIRE(taking.has_value());
    CHECK_FALSE((*taking)->noteCpus({{0, {}, {}, {"digits", 1}}, {}, {{1}}}).has_value());
    CHECK_FALSE(std::filesystem::exists(folder.path / "victim"));
}
