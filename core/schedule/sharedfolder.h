#pragma once

#include "base/error.h"
#include "base/filedescriptor.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace sweepscope::schedule {

/// A folder in which all users of a machine write files that are valid while a process holds their lock. The lock
/// belongs to the open file: a process that inherits the descriptor has it too, and the kernel releases it with the
/// last of them. The folder is sticky, links in it are not followed, and the content of its files is untrusted.
class SharedFolder {
public:
    /// Creates the folder if it does not exist.
    static Expected<SharedFolder> open(const std::filesystem::path &path);
    /// Returns nullopt if it does not exist.
    static Expected<std::optional<SharedFolder>> openExisting(const std::filesystem::path &path);

    /// Takes the lock required to lock or read the files: its holder sees a consistent state of all of them. `tries`:
    /// one per millisecond. Unavailable: another process has it.
    Expected<FileDescriptor> lockGate(int tries) const;

    /// Opens the file for reading and writing; creates it if it does not exist.
    Expected<FileDescriptor> file(const std::string &name) const;
    /// Opens the file for reading; returns an empty descriptor if it does not exist or is not a regular file.
    FileDescriptor existing(const std::string &name) const;
    /// Returns false if the file was removed or replaced since it was opened: then its lock is worthless.
    bool isStillThere(const std::string &name, const FileDescriptor &file) const;

    /// Notes are files "<kind>.0", "<kind>.1" and so on; each belongs to the process that holds its lock, and a new one
    /// takes the first free name. Both functions require the gate.
    Expected<FileDescriptor> claimNote(const std::string &kind) const;
    /// Returns the content of the notes that are held.
    std::vector<std::string> notes(const std::string &kind) const;

    tl::unexpected<Error> error(const std::string &what, const std::string &name, int errnoValue) const;

private:
    SharedFolder(std::filesystem::path path, FileDescriptor folder)
        : m_path(std::move(path)), m_folder(std::move(folder))
    {}
    std::filesystem::path m_path;
    FileDescriptor m_folder;
};

/// Returns the file's content up to the size limit; empty if it cannot be read.
std::string textOf(const FileDescriptor &file);
/// Returns false if the disk is full.
bool replaceText(const FileDescriptor &file, const std::string &text);

}  // namespace sweepscope::schedule
