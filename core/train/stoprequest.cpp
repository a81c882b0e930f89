#include "train/stoprequest.h"

#include <atomic>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <unistd.h>

namespace sweepscope::train {

namespace {

constexpr int exitTerminated = 128 + SIGTERM;

/// Milliseconds of the monotonic clock; 0: no request. The signal's handler writes it.
std::atomic<std::int64_t> requestedAt = 0;
static_assert(std::atomic<std::int64_t>::is_always_lock_free);

std::int64_t now()
{
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return std::int64_t{time.tv_sec} * 1000 + time.tv_nsec / 1'000'000;
}

void onTerminate(int)
{
    if (requestedAt != 0)
        _exit(exitTerminated);
    requestedAt = now();
}

}  // namespace

void watchForTermination()
{
    struct sigaction action {};
    action.sa_handler = onTerminate;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(SIGTERM, &action, nullptr);
}

bool terminationRequested()
{
    return requestedAt != 0;
}

std::chrono::milliseconds sinceTermination()
{
    const std::int64_t at = requestedAt;
    return std::chrono::milliseconds(at != 0 ? now() - at : 0);
}

}  // namespace sweepscope::train
