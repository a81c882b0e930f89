#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sweepscope::launch {

/// Why an attempt failed, as far as it matters for what to do next.
enum class FailureKind {
    ExitCode,        ///< a rank ended with a code that is not 0, and nothing more is known
    Signal,          ///< a rank was killed by a signal
    OutOfMemory,     ///< of a GPU or of the machine
    NotANumber,      ///< the loss is NaN or infinite
    TimedOut,        ///< run.timeout
    Hang,            ///< it reported steps, and then none for long
    EarlyExit,       ///< a rank ended well, and others are left waiting for it
    LostPeer,        ///< all that is known is that a rank missed another one
    PortTaken,       ///< the rendezvous found its port in use
    DeviceMismatch,  ///< the device that a rank was given is not there for it
    NotStarted,      ///< a rank or its agent could not be started
    Lost,            ///< the agent is gone without a word
};
/// "exit_code", "signal", "out_of_memory", …: as sweep files, the database and messages have it.
std::string toString(FailureKind kind);
std::optional<FailureKind> failureKindFromString(const std::string &text);

/// From how the first rank failed (a signal, or an exit code) and its last words. `memoryRanOut`: the kernel has killed
/// for want of memory meanwhile.
FailureKind failureKindOf(std::optional<int> signal, std::string_view words, bool memoryRanOut);

/// How often the kernel has killed a process for want of memory, since the machine started (/proc/vmstat) and in this
/// control group (memory.events); 0 where it does not say.
std::uint64_t outOfMemoryKills();

/// Whether another try can end otherwise with the same seed and devices.
bool isWorthRetrying(FailureKind kind);

}  // namespace sweepscope::launch
