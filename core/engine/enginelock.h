#pragma once

#include "base/error.h"
#include "base/filedescriptor.h"

#include <filesystem>

namespace sweepscope::engine {

/// One engine per workspace: a lock on engine.lock, which also holds the engine's pid. The kernel lets go of it when
/// the engine ends, however it ends.
class EngineLock {
public:
    /// AlreadyExists when another engine has it; the message names its pid.
    static Expected<EngineLock> acquire(const std::filesystem::path &lockFile);

    /// The file was deleted: nobody else sees this lock any more.
    bool isDeleted() const;
    /// For questions about the file alone.
    const FileDescriptor &file() const { return m_file; }

private:
    explicit EngineLock(FileDescriptor file) : m_file(std::move(file)) {}
    FileDescriptor m_file;
};

}  // namespace sweepscope::engine
