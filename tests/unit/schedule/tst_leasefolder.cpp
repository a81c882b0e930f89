// Leases of GPUs, their holders, and the folder that contains them.
#include "schedule/leasefolder.h"

#include "base/files.h"
#include "leasetesting.h"
#include "schedule/refusal.h"
#include "wording/sentence.h"

#include <csignal>
#include <doctest/doctest.h>
#include <filesystem>
#include <string>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace sweepscope;
using namespace sweepscope::schedule;
using namespace sweepscope::tests;
using facts::Code;
using facts::Fact;

namespace {

tl::expected<Lease, Fact> take(GpuLeases &leases, const std::string &gpu, bool shares = false)
{
    auto taking = leases.begin();
    if (!taking)
        return tl::unexpected<Fact>(leaseProblem(taking.error()));
    return (*taking)->take(gpu, shares);
}

}  // namespace

TEST_CASE("a GPU is leased to one workspace, visible to others, until it is released")
{
    const Folder folder;
    LeaseFolder ours(folder.leases(), "/home/anna/ws");
    LeaseFolder theirs(folder.leases(), "/home/ben/ws");
    {
        const tl::expected<Lease, Fact> lease = take(ours, "GPU-a");
        REQUIRE(lease.has_value());
        CHECK(lease->isFirst);
        ours.sign(*lease, ::getpid(), {"digits", 3});
        const tl::expected<Lease, Fact> refused = take(theirs, "GPU-a");
        REQUIRE_FALSE(refused.has_value());
        CHECK(refused.error().code == Code::GpuLeased);
        CHECK(wording::clause(refused.error()).find("leased to digits, trial 3 of ") == 0);
        CHECK(wording::clause(refused.error())
                  .find("(process " + std::to_string(::getpid()) + ", workspace /home/anna/ws)")
              != std::string::npos);
        CHECK(take(theirs, "GPU-b").has_value());
    }
    CHECK(take(theirs, "GPU-a").has_value());
}

TEST_CASE("a second trial joins its workspace's lease, which lasts until both have ended")
{
    const Folder folder;
    LeaseFolder ours(folder.leases(), "/ws/1");
    LeaseFolder theirs(folder.leases(), "/ws/2");
    auto first = take(ours, "GPU-a", true);
    REQUIRE(first.has_value());
    ours.sign(*first, ::getpid(), {"digits", 1});
    CHECK_FALSE(take(ours, "GPU-a", false).has_value());
    auto second = take(ours, "GPU-a", true);
    REQUIRE(second.has_value());
    CHECK_FALSE(second->isFirst);
    ours.sign(*second, ::getpid(), {"digits", 2});
    CHECK_FALSE(take(theirs, "GPU-a", true).has_value());
    first->file.reset();
    CHECK_FALSE(take(theirs, "GPU-a", true).has_value());
    second->file.reset();
    auto third = take(theirs, "GPU-a");
    REQUIRE(third.has_value());
    theirs.sign(*third, ::getpid(), {"other", 1});
    CHECK(wording::clause(take(ours, "GPU-a").error()).find("leased to other, trial 1") == 0);
}

TEST_CASE("a lease lasts as long as a process that inherited it, and ends when that dies")
{
    const Folder folder;
    LeaseFolder ours(folder.leases(), "/ws/1");
    LeaseFolder theirs(folder.leases(), "/ws/2");
    auto lease = take(ours, "GPU-a");
    REQUIRE(lease.has_value());
    const pid_t heir = ::fork();
    if (heir == 0) {
        for (;;)
            ::pause();
    }
    lease->file.reset();
    CHECK_FALSE(take(theirs, "GPU-a").has_value());
    ::kill(heir, SIGKILL);
    ::waitpid(heir, nullptr, 0);
    CHECK(take(theirs, "GPU-a").has_value());
}

TEST_CASE("several GPUs are leased atomically")
{
    const Folder folder;
    LeaseFolder ours(folder.leases(), "/ws/1");
    LeaseFolder theirs(folder.leases(), "/ws/2");
    auto taking = ours.begin();
    REQUIRE(taking.has_value());
    REQUIRE((*taking)->take("GPU-a", false).has_value());
    const auto meanwhile = theirs.begin();
    REQUIRE_FALSE(meanwhile.has_value());
    CHECK(meanwhile.error().code == ErrorCode::Unavailable);
    taking->reset();
    CHECK(theirs.begin().has_value());
}

TEST_CASE("competing processes never hold the same GPU, never deadlock, and all get their turn")
{
    constexpr int processes = 6, rounds = 40, gpus = 3;
    const Folder folder;
    std::vector<pid_t> children;
    for (int process = 0; process < processes; ++process) {
        const pid_t child = ::fork();
        if (child != 0) {
            children.push_back(child);
            continue;
        }
        LeaseFolder leases(folder.leases(), "/ws/" + std::to_string(process));
        for (int done = 0; done < rounds;) {
            std::vector<Lease> held;
            if (auto taking = leases.begin()) {
                for (int gpu = 0; gpu < gpus && held.size() < 2; ++gpu) {
                    if (auto lease = (*taking)->take("GPU-" + std::to_string((gpu + process) % gpus), false))
                        held.push_back(std::move(*lease));
                }
            }
            if (held.size() < 2)
                continue;  // all or nothing
            std::vector<std::filesystem::path> marks;
            struct stat info {};
            for (const Lease &lease : held) {
                ::fstat(lease.file.get(), &info);
                marks.push_back(folder.path / ("has-" + std::to_string(info.st_ino)));
                if (::mkdir(marks.back().c_str(), 0700) != 0)
                    ::_exit(1);  // another process holds it, too
            }
            ::sched_yield();
            for (const auto &mark : marks)
                ::rmdir(mark.c_str());
            ++done;
        }
        ::_exit(0);
    }
    for (const pid_t child : children) {
        int status = -1;
        ::waitpid(child, &status, 0);
        CHECK(WIFEXITED(status));
        CHECK(WEXITSTATUS(status) == 0);
    }
}

TEST_CASE("the folder is open to all users, whatever the umask, but only owners can remove their files")
{
    const Folder folder;
    const mode_t before = ::umask(0077);
    LeaseFolder leases(folder.leases(), "/ws");
    const auto lease = take(leases, "GPU-a");
    ::umask(before);
    REQUIRE(lease.has_value());
    struct stat info {};
    REQUIRE(::stat(folder.leases().c_str(), &info) == 0);
    CHECK((info.st_mode & 07777) == 01777);
    REQUIRE(::stat((folder.leases() / "GPU-a.lease").c_str(), &info) == 0);
    CHECK((info.st_mode & 07777) == 0666);
}

TEST_CASE("links are not followed, and a removed file is not a lease")
{
    const Folder folder;
    std::filesystem::create_directory(folder.leases());
    const auto victim = folder.path / "victim";
    REQUIRE(writeFileAtomically(victim, "precious"));
    std::filesystem::create_symlink(victim, folder.leases() / "GPU-a.lease");
    std::filesystem::create_hard_link(victim, folder.leases() / "GPU-b.lease");
    std::filesystem::create_directory(folder.leases() / "GPU-c.lease");
    LeaseFolder leases(folder.leases(), "/ws");
    for (const char *gpu : {"GPU-a", "GPU-b", "GPU-c"}) {
        const auto lease = take(leases, gpu);
        REQUIRE_FALSE(lease.has_value());
        CHECK(lease.error().text(facts::Field::Detail).find(gpu) != std::string::npos);
        CHECK(lease.error().code == Code::LeasesUnavailable);
    }
    CHECK(readFile(victim, 100) == "precious");

    std::filesystem::create_directory_symlink(folder.leases(), folder.path / "link");
    LeaseFolder linked(folder.path / "link", "/ws");
    CHECK_FALSE(linked.begin().has_value());
}

TEST_CASE("a folder that is not writable is reported with its name, the reason and a remedy")
{
    LeaseFolder leases("/proc/no/such/folder", "/ws");
    const auto taking = leases.begin();
    REQUIRE_FALSE(taking.has_value());
    CHECK(taking.error().message.find("/proc/no/such/folder") != std::string::npos);
    CHECK(taking.error().message.find("SWEEPSCOPE_LEASE_FOLDER") != std::string::npos);
}

TEST_CASE("garbage in a lease's file gives no holder")
{
    const Folder folder;
    LeaseFolder ours(folder.leases(), "/ws/1");
    LeaseFolder theirs(folder.leases(), "/ws/2");
    const auto lease = take(ours, "GPU-a");
    REQUIRE(lease.has_value());
    for (const std::string &garbage :
         {std::string(100'000, 'x'), std::string("\0\t\t\t\n", 5),
          std::string("-1\ta\tb\tc\t1\n99999999999\ta\tb\tc\t1\n7\ta\tb\tc\n7\ta\tb\tc\t0\n7\ta\tb\tc\t3b")}) {
        REQUIRE(::ftruncate(lease->file.get(), 0) == 0);
        REQUIRE(::pwrite(lease->file.get(), garbage.data(), garbage.size(), 0) > 0);
        CHECK(wording::clause(take(theirs, "GPU-a").error()) == "leased to another engine on this machine");
        CHECK_FALSE(take(ours, "GPU-a", true).has_value());
    }
    const std::string tricky = std::to_string(::getpid()) + "\tanna\t/ws\x1b[2J/9\tdigits\x07\t3\n";
    REQUIRE(::ftruncate(lease->file.get(), 0) == 0);
    REQUIRE(::pwrite(lease->file.get(), tricky.data(), tricky.size(), 0) > 0);
    CHECK(wording::clause(take(theirs, "GPU-a").error()).find("digits?, trial 3 of anna") != std::string::npos);
}

TEST_CASE("a reader sees the leases of all workspaces, without leasing or creating a folder")
{
    const Folder folder;
    const std::vector<std::string> gpus{"GPU-a", "GPU-b", "GPU-c"};
    REQUIRE(LeaseFolder::readLeases(folder.leases(), gpus).has_value());
    CHECK(LeaseFolder::readLeases(folder.leases(), gpus)->empty());
    CHECK_FALSE(std::filesystem::exists(folder.leases()));

    LeaseFolder ours(folder.leases(), "/home/anna/ws");
    LeaseFolder theirs(folder.leases(), "/home/ben/ws");
    tl::expected<Lease, Fact> lease = take(ours, "GPU-a");
    const tl::expected<Lease, Fact> unsigned_ = take(theirs, "GPU-b");
    REQUIRE((lease.has_value() && unsigned_.has_value()));
    ours.sign(*lease, ::getpid(), {"digits", 3});
    auto seen = LeaseFolder::readLeases(folder.leases(), gpus);
    REQUIRE(seen.has_value());
    REQUIRE(seen->size() == 2);
    REQUIRE(seen->at("GPU-a").size() == 1);
    CHECK(seen->at("GPU-a").front().workspace == "/home/anna/ws");
    CHECK(seen->at("GPU-a").front().pid == ::getpid());
    CHECK(seen->at("GPU-a").front().trial == TrialName{"digits", 3});
    CHECK(seen->at("GPU-b").empty());
    CHECK(leasedTo(seen->at("GPU-b")) == Fact(Code::GpuLeased));
    CHECK_FALSE(take(theirs, "GPU-a").has_value());
    lease->file.reset();
    seen = LeaseFolder::readLeases(folder.leases(), gpus);
    REQUIRE(seen.has_value());
    CHECK_FALSE(seen->contains("GPU-a"));
    CHECK(take(theirs, "GPU-a").has_value());
}

TEST_CASE("a lease names its trial, whatever the sweep's name")
{
    const LeaseHolder holder{4711, "anna", "/ws", {"a, trial 1", 12}};
    const auto read = parseLeaseHolders(holder.line());
    REQUIRE(read.size() == 1);
    CHECK(read.front().trial == holder.trial);
    CHECK(read.front().workspace == "/ws");
}
