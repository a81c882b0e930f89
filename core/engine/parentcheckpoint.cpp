#include "engine/parentcheckpoint.h"

#include "base/filedescriptor.h"
#include "base/files.h"

#include <cerrno>
#include <charconv>
#include <fcntl.h>
#include <filesystem>
#include <functional>
#include <map>
#include <sys/sendfile.h>
#include <system_error>
#include <unistd.h>

namespace sweepscope::engine {

namespace {

namespace fs = std::filesystem;
using facts::Code;
using facts::Fact;
using facts::Field;

/// Checkpoint folders of a trial's attempts by their numbers, the newest first.
std::map<int, fs::path, std::greater<>> checkpointFolders(const fs::path &trial)
{
    std::map<int, fs::path, std::greater<>> folders;
    std::error_code error;
    for (fs::directory_iterator attempt(trial, error), end; !error && attempt != end; attempt.increment(error)) {
        const std::string name = attempt->path().filename().string();
        int number = 0;
        const auto [rest, problem] = std::from_chars(name.data(), name.data() + name.size(), number);
        if (problem == std::errc() && rest == name.data() + name.size())
            folders.emplace(number, AttemptLayout{attempt->path()}.checkpointFolder());
    }
    return folders;
}

Expected<void> copyFile(const fs::path &from, const fs::path &to)
{
    const auto source = openRegularFile(from, O_RDONLY);
    if (!source)
        return tl::unexpected(source.error());
    const FileDescriptor target(::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
    if (!target)
        return makeErrnoError("cannot create " + to.string(), errno);
    constexpr std::size_t most = std::size_t{1} << 30U;
    ssize_t copied = 0;
    do {  // the first shares the data where the file system can
        copied = ::copy_file_range(source->get(), nullptr, target.get(), nullptr, most, 0);
        if (copied < 0)
            copied = ::sendfile(target.get(), source->get(), nullptr, most);
    } while (copied > 0);
    return copied == 0 ? Expected<void>() : makeErrnoError("cannot write " + to.string(), errno);
}

/// Copies folders, links and regular files. Returns how many files; a file that was replaced or removed meanwhile is none.
Expected<int> copyFiles(const fs::path &from, const fs::path &to)
{
    int files = 0;
    std::error_code error;
    for (const fs::path &folder : {to.parent_path(), to}) {  // not the sweep's, which may be deleted meanwhile
        if (fs::create_directory(folder, error); error)
            return makeErrnoError("cannot create the folder " + folder.string(), error.value());
    }
    fs::recursive_directory_iterator entry(from, error);
    for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
        const fs::path copy = to / entry->path().lexically_relative(from);
        std::error_code problem;
        const fs::file_type type = entry->symlink_status(problem).type();
        if (type == fs::file_type::directory)
            fs::create_directory(copy, problem);
        else if (type == fs::file_type::symlink)
            fs::copy_symlink(entry->path(), copy, problem);
        if (problem && problem != std::errc::no_such_file_or_directory)
            return makeErrnoError("cannot create " + copy.string(), problem.value());
        if (type != fs::file_type::regular)
            continue;
        const Expected<void> copied = copyFile(entry->path(), copy);
        if (!copied && copied.error().code != ErrorCode::NotFound)
            return tl::unexpected(copied.error());
        files += copied ? 1 : 0;
    }
    if (error && error != std::errc::no_such_file_or_directory)
        return makeErrnoError("cannot read " + from.string(), error.value());
    return files;
}

}  // namespace

tl::expected<void, Fact> copyParentCheckpoint(const WorkspaceLayout &workspace, const std::string &sweepFolder,
                                              int parent, int child)
{
    const fs::path target = workspace.parentCheckpoint(sweepFolder, child);
    const auto refused = [parent](const std::string &why) {
        return tl::unexpected(Fact(Code::CheckpointNotCopied).with(Field::Trial, parent).with(Field::Detail, why));
    };
    for (const auto &[number, folder] : checkpointFolders(workspace.trialFolder(sweepFolder, parent))) {
        std::error_code error;
        if (!fs::is_directory(folder, error))
            continue;
        fs::remove_all(target, error);
        if (error)
            return refused("cannot remove " + target.string() + ": " + error.message());
        const Expected<int> copied = copyFiles(folder, target);
        if (!copied)
            return refused(copied.error().message);
        if (*copied > 0)
            return {};
    }
    return tl::unexpected(Fact(Code::CheckpointAwaited).with(Field::Trial, parent));
}

}  // namespace sweepscope::engine
