#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sweepscope::launch {

/// Why an attempt failed, as far as it matters for what to do next.
enum class FailureKind {
    ExitCode,        ///< a rank ended with a nonzero code, and the cause is unknown
    Signal,          ///< a rank was killed by a signal
    OutOfMemory,     ///< of a GPU or of the machine
    NotANumber,      ///< the loss is NaN or infinite
    TimedOut,        ///< run.timeout
    Hang,            ///< it reported steps, and then none for a long time
    EarlyExit,       ///< a rank ended normally, and then the others did nothing
    LostPeer,        ///< a rank lost its connection to another one; the cause is unknown
    PortTaken,       ///< the rendezvous found its port in use
    DeviceMismatch,  ///< the device assigned to a rank is not visible to it
    NotStarted,      ///< a rank or its agent could not be started
    Lost,            ///< the agent disappeared without reporting an end
};
/// Returns "exit_code", "signal", "out_of_memory", …: the names in sweep files, the database and messages.
std::string toString(FailureKind kind);
std::optional<FailureKind> failureKindFromString(const std::string &text);

/// Classifies how the first rank failed (a signal, or an exit code) and its last words. `memoryRanOut`: the kernel has
/// killed a process for lack of memory meanwhile.
FailureKind failureKindOf(std::optional<int> signal, std::string_view words, bool memoryRanOut);

/// Returns how often the kernel has killed a process for lack of memory, since boot (/proc/vmstat) and in this control
/// group (memory.events); 0 if unknown.
std::uint64_t outOfMemoryKills();

/// Returns whether a retry with the same seed and devices can succeed.
bool isWorthRetrying(FailureKind kind);

}  // namespace sweepscope::launch
