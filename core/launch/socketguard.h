#pragma once

#include "base/error.h"
#include "base/filedescriptor.h"

#include <filesystem>

namespace sweepscope::launch {

/// A process beside the engine that removes the engine's socket once the engine is gone, also by SIGKILL: what is left of
/// it would look like an engine to whoever lists the folder. It is a process of its own, outside the engine's session, and
/// does nothing else.
class SocketGuard {
public:
    /// `program` is sweepscope-agent; `socket` is there already.
    Expected<void> start(const std::filesystem::path &program, const std::filesystem::path &socket);

private:
    FileDescriptor m_line;  ///< that it is closed is the sign
};

/// What that process does: goes on as a child that nobody waits for, until nobody has the other end of stdin, and then
/// removes `socket`, if it is the one that was there in the beginning.
[[noreturn]] void guardSocket(const std::filesystem::path &socket);

}  // namespace sweepscope::launch
