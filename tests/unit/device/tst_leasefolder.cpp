#include "device/leasefolder.h"

#include "base/files.h"
#include "device/leasenote.h"
#include "device/leasequeue.h"

#include <csignal>
#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <string>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace sweepscope;
using namespace sweepscope::device;

namespace {

struct Folder {
    Folder()
    {
        std::string name = "/tmp/sweepscope-leases-XXXXXX";
        path = ::mkdtemp(name.data());
    }
    ~Folder() { std::filesystem::remove_all(path); }
    Folder(const Folder &) = delete;
    Folder &operator=(const Folder &) = delete;
    std::filesystem::path leases() const { return path / "sweepscope"; }

    std::filesystem::path path;
};

Expected<Lease> take(GpuLeases &leases, const std::string &gpu, bool shares = false)
{
    auto taking = leases.begin("digits");
    if (!taking)
        return tl::unexpected<Error>(taking.error());
    return (*taking)->take(gpu, shares);
}

/// What a trial of this sweep is told of whose turn it is at GPU-a.
std::string before(GpuLeases &leases, const std::string &sweep)
{
    auto taking = leases.begin(sweep);
    REQUIRE(taking.has_value());
    return (*taking)->whoIsBefore("GPU-a");
}

std::int64_t fakeTime = 0;

}  // namespace

TEST_CASE("a GPU is leased to one workspace, which others are told of, until it is given up")
{
    const Folder folder;
    LeaseFolder ours(folder.leases(), "/home/anna/ws");
    LeaseFolder theirs(folder.leases(), "/home/ben/ws");
    {
        const Expected<Lease> lease = take(ours, "GPU-a");
        REQUIRE(lease.has_value());
        CHECK(lease->isFirst);
        ours.sign(*lease, ::getpid(), "digits, trial 3");
        const Expected<Lease> refused = take(theirs, "GPU-a");
        REQUIRE_FALSE(refused.has_value());
        CHECK(refused.error().code == ErrorCode::AlreadyExists);
        CHECK(refused.error().message.find("is leased to digits, trial 3 of ") == 0);
        CHECK(refused.error().message.find("(process " + std::to_string(::getpid()) + ", workspace /home/anna/ws)")
              != std::string::npos);
        CHECK(take(theirs, "GPU-b").has_value());
    }
    CHECK(take(theirs, "GPU-a").has_value());
}

TEST_CASE("a second trial joins its workspace's lease, which lasts as long as one of them")
{
    const Folder folder;
    LeaseFolder ours(folder.leases(), "/ws/1");
    LeaseFolder theirs(folder.leases(), "/ws/2");
    auto first = take(ours, "GPU-a", true);
    REQUIRE(first.has_value());
    ours.sign(*first, ::getpid(), "digits, trial 1");
    CHECK_FALSE(take(ours, "GPU-a", false).has_value());
    auto second = take(ours, "GPU-a", true);
    REQUIRE(second.has_value());
    CHECK_FALSE(second->isFirst);
    ours.sign(*second, ::getpid(), "digits, trial 2");
    CHECK_FALSE(take(theirs, "GPU-a", true).has_value());
    first->file.reset();
    CHECK_FALSE(take(theirs, "GPU-a", true).has_value());
    second->file.reset();
    auto third = take(theirs, "GPU-a");
    REQUIRE(third.has_value());
    theirs.sign(*third, ::getpid(), "other, trial 1");
    CHECK(take(ours, "GPU-a").error().message.find("is leased to other, trial 1") == 0);
}

TEST_CASE("who gets a GPU next is told whose it was, and how much of its memory was in use before")
{
    const Folder folder;
    LeaseFolder ours(folder.leases(), "/ws/1");
    LeaseFolder theirs(folder.leases(), "/ws/2");
    auto first = take(ours, "GPU-a");
    REQUIRE(first.has_value());
    CHECK_FALSE(first->former.has_value());
    first->usedBefore = 1234;
    ours.sign(*first, ::getpid(), "digits, trial 1");
    auto second = take(ours, "GPU-a", true);
    REQUIRE(second.has_value());
    CHECK_FALSE(second->former.has_value());
    second->usedBefore = 999'999;  // with the first one's memory: no measure of an empty GPU
    ours.sign(*second, ::getpid(), "digits, trial 2");
    first->file.reset();
    second->file.reset();

    auto third = take(theirs, "GPU-a");
    REQUIRE(third.has_value());
    REQUIRE(third->former.has_value());
    CHECK(third->former->usedBefore == 1234U);
    CHECK(third->former->holder.find("digits, trial 2 of ") == 0);
    CHECK_FALSE(third->former->isOurs);
    theirs.sign(*third, ::getpid(), "lm, trial 1");
    const std::string mark = third->former->mark;
    third->file.reset();
    const auto fourth = take(theirs, "GPU-a");
    REQUIRE((fourth.has_value() && fourth->former.has_value()));
    CHECK(fourth->former->isOurs);
    CHECK_FALSE(fourth->former->usedBefore.has_value());
    CHECK(fourth->former->mark != mark);
}

TEST_CASE("a note that somebody else has written into a lease's file is read as far as it can be")
{
    for (const char *untrusted :
         {"", "before\t12\n", "before\t-1\n7\tanna\t/ws\tdigits\n", "before\t12x\n7\tanna\t/ws\tdigits",
          "before\t99999999999999999999\n7\tanna\t/ws\tdigits\n", "7\tanna\t/ws\tdigits\nbefore\t12\n"}) {
        const auto former = formerLease(untrusted, "/ws");
        CHECK(former.has_value() == (std::string(untrusted).find("anna") != std::string::npos));
        CHECK((!former || !former->usedBefore));
    }
    CHECK(formerLease("before\t12\n7\tanna\t/ws\tdigits\n", "/ws")->usedBefore == 12U);
    CHECK(formerLease("before\t12\n7\tanna\t/ws\tdigits\n", "/ws")->isOurs);
}

TEST_CASE("a lease lasts as long as a process that inherited it, and ends with its death")
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

TEST_CASE("several are taken together: nobody comes in between")
{
    const Folder folder;
    LeaseFolder ours(folder.leases(), "/ws/1");
    LeaseFolder theirs(folder.leases(), "/ws/2");
    auto taking = ours.begin("digits");
    REQUIRE(taking.has_value());
    REQUIRE((*taking)->take("GPU-a", false).has_value());
    const auto meanwhile = theirs.begin("digits");
    REQUIRE_FALSE(meanwhile.has_value());
    CHECK(meanwhile.error().code == ErrorCode::Unavailable);
    taking->reset();
    CHECK(theirs.begin("digits").has_value());
}

TEST_CASE("processes that fight for GPUs never have one together, never deadlock, and all get their turns")
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
            if (auto taking = leases.begin("digits")) {
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
                    ::_exit(1);  // somebody has it
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

TEST_CASE("the folder is everybody's, whatever the umask, and nobody's files can be removed by others")
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

TEST_CASE("no link is followed, and a removed file is no lease")
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
        CHECK(lease.error().message.find(gpu) != std::string::npos);
        CHECK(lease.error().code != ErrorCode::AlreadyExists);
    }
    CHECK(readFile(victim, 100) == "precious");

    std::filesystem::create_directory_symlink(folder.leases(), folder.path / "link");
    LeaseFolder linked(folder.path / "link", "/ws");
    CHECK_FALSE(linked.begin("digits").has_value());
}

TEST_CASE("a folder that cannot be written says which, why, and what to do")
{
    LeaseFolder leases("/proc/no/such/folder", "/ws");
    const auto taking = leases.begin("digits");
    REQUIRE_FALSE(taking.has_value());
    CHECK(taking.error().message.find("/proc/no/such/folder") != std::string::npos);
    CHECK(taking.error().message.find("SWEEPSCOPE_LEASE_FOLDER") != std::string::npos);
}

TEST_CASE("garbage in a lease's file is nobody's name")
{
    const Folder folder;
    LeaseFolder ours(folder.leases(), "/ws/1");
    LeaseFolder theirs(folder.leases(), "/ws/2");
    const auto lease = take(ours, "GPU-a");
    REQUIRE(lease.has_value());
    for (const std::string &garbage :
         {std::string(100'000, 'x'), std::string("\0\t\t\t\n", 5), std::string("-1\ta\tb\tc\n99999999999\ta\tb\tc")}) {
        REQUIRE(::ftruncate(lease->file.get(), 0) == 0);
        REQUIRE(::pwrite(lease->file.get(), garbage.data(), garbage.size(), 0) > 0);
        CHECK(take(theirs, "GPU-a").error().message == "is leased to another engine of this machine");
        CHECK_FALSE(take(ours, "GPU-a", true).has_value());
    }
    const std::string tricky = std::to_string(::getpid()) + "\tanna\t/ws\x1b[2J/9\tdigits\x07\n";
    REQUIRE(::ftruncate(lease->file.get(), 0) == 0);
    REQUIRE(::pwrite(lease->file.get(), tricky.data(), tricky.size(), 0) > 0);
    CHECK(take(theirs, "GPU-a").error().message.find("digits? of anna") != std::string::npos);
}

TEST_CASE("who looks sees the leases of all workspaces, takes none and makes no folder")
{
    const Folder folder;
    const std::vector<std::string> gpus{"GPU-a", "GPU-b", "GPU-c"};
    REQUIRE(LeaseFolder::look(folder.leases(), gpus).has_value());
    CHECK(LeaseFolder::look(folder.leases(), gpus)->empty());
    CHECK_FALSE(std::filesystem::exists(folder.leases()));

    LeaseFolder ours(folder.leases(), "/home/anna/ws");
    LeaseFolder theirs(folder.leases(), "/home/ben/ws");
    Expected<Lease> lease = take(ours, "GPU-a");
    const Expected<Lease> unsigned_ = take(theirs, "GPU-b");
    REQUIRE((lease.has_value() && unsigned_.has_value()));
    ours.sign(*lease, ::getpid(), "digits, trial 3");
    auto seen = LeaseFolder::look(folder.leases(), gpus);
    REQUIRE(seen.has_value());
    REQUIRE(seen->size() == 2);
    REQUIRE(seen->at("GPU-a").size() == 1);
    CHECK(seen->at("GPU-a").front().workspace == "/home/anna/ws");
    CHECK(seen->at("GPU-a").front().pid == ::getpid());
    CHECK(seen->at("GPU-a").front().trial() == std::pair(std::string("digits"), 3));
    CHECK(seen->at("GPU-b").empty());
    CHECK(leasedInWords(seen->at("GPU-b")) == "leased to an engine that does not say for whom");
    CHECK_FALSE(take(theirs, "GPU-a").has_value());
    lease->file.reset();
    seen = LeaseFolder::look(folder.leases(), gpus);
    REQUIRE(seen.has_value());
    CHECK_FALSE(seen->contains("GPU-a"));
    CHECK(take(theirs, "GPU-a").has_value());
}

TEST_CASE("a lease names its trial, where it does")
{
    LeaseHolder holder;
    for (const char *purpose : {"", "digits", "digits, trial ", "digits, trial x", "digits, trial 0", "a, trial 3b"}) {
        holder.purpose = purpose;
        CHECK_FALSE(holder.trial().has_value());
    }
    holder.purpose = "a, trial 1, trial 12";
    CHECK(holder.trial() == std::pair(std::string("a, trial 1"), 12));
}

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
