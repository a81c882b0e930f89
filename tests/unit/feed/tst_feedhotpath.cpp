// Writing a point allocates no memory and makes no system calls. A separate program, because it replaces malloc.
#include "feedtesting.h"

#include "feed/feedwriter.h"
#include "feed/sweepscope_feed.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace sweepscope::feed;
using namespace feedtesting;

namespace {

std::atomic<std::uint64_t> allocations{0};

}  // namespace

// glibc's functions, available under these names to programs that replace malloc.
extern "C" {
void *__libc_malloc(std::size_t bytes);
void *__libc_calloc(std::size_t count, std::size_t bytes);
void *__libc_realloc(void *memory, std::size_t bytes);
void __libc_free(void *memory);

void *malloc(std::size_t bytes)
{
    allocations.fetch_add(1, std::memory_order_relaxed);
    return __libc_malloc(bytes);
}
void *calloc(std::size_t count, std::size_t bytes)
{
    allocations.fetch_add(1, std::memory_order_relaxed);
    return __libc_calloc(count, bytes);
}
void *realloc(void *memory, std::size_t bytes)
{
    allocations.fetch_add(1, std::memory_order_relaxed);
    return __libc_realloc(memory, bytes);
}
void free(void *memory)
{
    __libc_free(memory);
}
}

namespace {

constexpr std::int64_t steps = 100'000;  // many times the capacity of the smallest ring: most are dropped

/// Writes every kind of record: points, steps whose high half changes, events and drops; and asks whether to stop.
void report(FeedWriter &writer, std::uint16_t loss, std::uint16_t late)
{
    for (std::int64_t step = 0; step < steps; ++step) {
        writer.write(loss, step % 7 == 0 ? step << 32 : step, 0.5);
        writer.write(late, step, 0.25);
        writer.write(noSeries, step, 0.25);
        if (step % 100 == 0)
            writer.event(EventKind::Message, step, "an epoch has ended");
        if (writer.stopRequested())
            return;
    }
}

/// Every system call except those for the clock and for the end of the process now raises SIGSYS.
bool forbidSystemCalls()
{
    const auto allowed = [](unsigned number) {
        return std::array<sock_filter, 2>{
            {{BPF_JMP | BPF_JEQ | BPF_K, 0, 1, number}, {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW}}};
    };
    std::vector<sock_filter> program{{BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)}};
    for (const unsigned number : {SYS_clock_gettime, SYS_exit_group}) {
        for (const sock_filter &instruction : allowed(number))
            program.push_back(instruction);
    }
    program.push_back({BPF_RET | BPF_K, 0, 0, SECCOMP_RET_KILL_PROCESS});
    const sock_fprog filter{static_cast<unsigned short>(program.size()), program.data()};
    return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
           && ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0) == 0;
}

struct RingWithWriter {
    RingDrain drain;
    FeedWriter writer;
    std::uint16_t loss = writer.declare("loss");
    std::uint16_t late = 0;

    explicit RingWithWriter(const TemporaryFolder &folder)
        : drain(RingDrain::create(folder / "ring", folder / "log", somePreamble(), minRingBytes).value()),
          writer(FeedWriter::open(folder / "ring").value())
    {
        writer.write(loss, 0, 0);
        while (writer.dropped() == 0)
            writer.write(loss, 0, 0);
        late = writer.declare("declared while there is no room");
    }
};

/// Returns the exit status of a process that runs `task` without system calls.
template <typename Task>
int statusOf(Task task)
{
    const pid_t child = ::fork();
    if (child == 0) {
        task();
        ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return status;
}

}  // namespace

TEST_CASE("reporting allocates no memory, whether the ring is full or not")
{
    const std::uint64_t before = allocations;
    ::operator delete(::operator new(1));  // the counter works
    REQUIRE(allocations > before);
    const TemporaryFolder folder;
    RingWithWriter ring(folder);
    for (const bool room : {false, true}) {
        if (room)
            REQUIRE(ring.drain.drain());
        const std::uint64_t counted = allocations;
        report(ring.writer, ring.loss, ring.late);
        CHECK(allocations == counted);
    }
}

TEST_CASE("reporting makes no system call except for the clock")
{
    const TemporaryFolder folder;
    const int status = statusOf([&] {
        RingWithWriter ring(folder);
        if (!forbidSystemCalls())
            ::_exit(77);
        report(ring.writer, ring.loss, ring.late);
        ::_exit(0);  // destroying the ring needs system calls
    });
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
    const int forbidden = statusOf([] {
        if (!forbidSystemCalls())
            ::_exit(77);
        (void)::getppid();
    });
    CHECK(WIFSIGNALED(forbidden));  // the filter works
    CHECK(WTERMSIG(forbidden) == SIGSYS);
}
