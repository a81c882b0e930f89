#pragma once

#include "base/error.h"
#include "base/filedescriptor.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace sweepscope::schedule {

/// A folder into which all users of a machine write files that say something as long as somebody has them locked. The
/// lock belongs to the open file: whoever inherits the descriptor has it too, and the kernel frees it with the last of
/// them. The folder is sticky, links in it are not followed, and what its files say was written by others.
class SharedFolder {
public:
    /// Makes it where it is not there.
    static Expected<SharedFolder> open(const std::filesystem::path &path);
    /// Empty where nobody has made it.
    static Expected<std::optional<SharedFolder>> openExisting(const std::filesystem::path &path);

    /// The lock under which files are locked and looked at: who has it knows what holds for all of them. `tries`: a
    /// millisecond each. Unavailable: another process has it.
    Expected<FileDescriptor> lockGate(int tries) const;

    /// To read and write; made where it is not there.
    Expected<FileDescriptor> file(const std::string &name) const;
    /// To read; empty when there is no such file, or something else in its place.
    FileDescriptor existing(const std::string &name) const;
    /// False when somebody has removed or replaced the file since it was opened: its lock is worth nothing.
    bool isStillThere(const std::string &name, const FileDescriptor &file) const;

    /// Notes are files "<kind>.0", "<kind>.1" and so on; each belongs to whoever has it locked, and the next one takes the
    /// first that is free. All of this with the gate.
    Expected<FileDescriptor> claimNote(const std::string &kind) const;
    /// What those say that somebody has.
    std::vector<std::string> notes(const std::string &kind) const;

    tl::unexpected<Error> error(const std::string &what, const std::string &name, int errnoValue) const;

private:
    SharedFolder(std::filesystem::path path, FileDescriptor folder)
        : m_path(std::move(path)), m_folder(std::move(folder))
    {}
    std::filesystem::path m_path;
    FileDescriptor m_folder;
};

/// All of a file, as far as anybody reads it; an empty text when it cannot be read.
std::string textOf(const FileDescriptor &file);
/// False without room on the disk.
bool replaceText(const FileDescriptor &file, const std::string &text);

}  // namespace sweepscope::schedule
