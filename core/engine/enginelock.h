#pragma once

#include "base/error.h"
#include "base/filedescriptor.h"

#include <filesystem>

namespace sweepscope::engine {

/// One engine per workspace: a lock on engine.lock, which also contains the engine's pid. The kernel releases it when
/// the engine ends, however it ends.
class EngineLock {
public:
    /// AlreadyExists if another engine holds it; the message names its pid.
    static Expected<EngineLock> acquire(const std::filesystem::path &lockFile);

    /// Returns whether the file was deleted: then other processes no longer see this lock.
    bool isDeleted() const;
    /// Only for querying the file.
    const FileDescriptor &file() const { return m_file; }

private:
    explicit EngineLock(FileDescriptor file) : m_file(std::move(file)) {}
    FileDescriptor m_file;
};

}  // namespace sweepscope::engine
