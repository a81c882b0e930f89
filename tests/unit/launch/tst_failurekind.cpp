#include "launch/failurekind.h"

#include <csignal>
#include <doctest/doctest.h>

using namespace sweepscope::launch;

TEST_CASE("the kind of a failure follows from the signal and the last error")
{
    const auto kindOf = [](const char *words) { return failureKindOf({}, words, false); };
    CHECK((kindOf("rank 0 exited with code 1: torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2 GiB")
           == FailureKind::OutOfMemory));
    CHECK((kindOf("rank 0 exited with code 1: MemoryError") == FailureKind::OutOfMemory));
    CHECK((kindOf("rank 1 exited with code 1: the loss is nan at step 40") == FailureKind::NotANumber));
    for (const char *words :
         {"rank 0 exited with code 1: gradients are not finite at step 7",
          "rank 0 exited with code 1: loss of another rank is not finite at step 7",
          "rank 0 exited with code 1: loss is infinite at step 7",
          "rank 0 exited with code 1: ValueError: The loss returned in `training_step` is nan or inf."})
        CHECK_MESSAGE((kindOf(words) == FailureKind::NotANumber), words);
    CHECK((kindOf("rank 0 exited with code 1: RuntimeError: The server socket has failed to listen. EADDRINUSE")
           == FailureKind::PortTaken));
    CHECK(
        (kindOf(
             "rank 1 exited with code 1: RuntimeError: device mismatch: rank 1 computes on GPU-b, but was given GPU-a")
         == FailureKind::DeviceMismatch));
    CHECK((kindOf("rank 0 exited with code 1: CUDA error: invalid device ordinal") == FailureKind::DeviceMismatch));
    CHECK((kindOf("rank 1 exited with code 1: Connection reset by peer") == FailureKind::LostPeer));
    CHECK((kindOf("rank 1 exited with code 3; its log is empty") == FailureKind::ExitCode));
    CHECK((failureKindOf(SIGSEGV, "rank 0 was killed by signal 11", false) == FailureKind::Signal));
    CHECK((failureKindOf(SIGKILL, "rank 0 was killed by signal 9", false) == FailureKind::Signal));
    CHECK((failureKindOf(SIGKILL, "rank 0 was killed by signal 9", true) == FailureKind::OutOfMemory));
}

TEST_CASE("failures that would repeat are not retried")
{
    CHECK_FALSE(isWorthRetrying(FailureKind::NotANumber));
    CHECK_FALSE(isWorthRetrying(FailureKind::NotStarted));
    CHECK(isWorthRetrying(FailureKind::OutOfMemory));
    CHECK(isWorthRetrying(FailureKind::Lost));
}

TEST_CASE("every kind has a name")
{
    for (int i = 0; i <= static_cast<int>(FailureKind::Lost); ++i) {
        const auto kind = static_cast<FailureKind>(i);
        CHECK_FALSE(toString(kind).empty());
        CHECK((failureKindFromString(toString(kind)) == kind));
    }
    CHECK_FALSE(failureKindFromString("something else").has_value());
}
