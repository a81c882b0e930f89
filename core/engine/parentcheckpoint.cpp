#include "engine/parentcheckpoint.h"

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

/// A trial may remove older checkpoints while they are copied.
constexpr int mostTries = 10;

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

Expected<void> copyFile(const fs::path &from, const fs::path &to, const std::atomic<bool> &cancelled)
{
    const auto source = openRegularFile(from, O_RDONLY);
    if (!source)
        return tl::unexpected(source.error());
    const auto target = openRegularFile(to, O_WRONLY | O_CREAT | O_EXCL);
    if (!target)
        return tl::unexpected(target.error());
    constexpr std::size_t most = std::size_t{1} << 26U;
    ssize_t copied = 0;
    do {  // the first shares the data where the file system can
        copied = ::copy_file_range(source->get(), nullptr, target->get(), nullptr, most, 0);
        if (copied < 0)
            copied = ::sendfile(target->get(), source->get(), nullptr, most);
    } while (copied > 0 && !cancelled);
    return copied >= 0 ? Expected<void>() : makeErrnoError("cannot write " + to.string(), errno);
}

Expected<void> linkOrCopyFile(const fs::path &from, const fs::path &to, const std::atomic<bool> &cancelled)
{
    std::error_code error;
    fs::create_hard_link(from, to, error);
    return error ? copyFile(from, to, cancelled) : Expected<void>();
}

using CopyFile = Expected<void> (*)(const fs::path &from, const fs::path &to, const std::atomic<bool> &cancelled);

/// What is still being written, by the convention of the documentation; writeFileAtomically() follows it, too.
bool isUnfinished(const fs::path &path)
{
    return path.filename().string().find(".tmp") != std::string::npos;
}

/// Copies folders, links and regular files. Returns how many files and links; NotFound if one vanished meanwhile.
Expected<int> copyFiles(const fs::path &from, const fs::path &to, CopyFile copyOne, const std::atomic<bool> &cancelled)
{
    int files = 0;
    std::error_code error;
    for (const fs::path &folder : {to.parent_path(), to}) {  // not the sweep's, which may be deleted meanwhile
        if (fs::create_directory(folder, error); error)
            return makeErrnoError("cannot create the folder " + folder.string(), error.value());
    }
    fs::recursive_directory_iterator entry(from, error);
    for (; !error && !cancelled && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
        const fs::path copy = to / entry->path().lexically_relative(from);
        const fs::file_type type = entry->symlink_status(error).type();
        if (isUnfinished(entry->path())) {
            entry.disable_recursion_pending();
            error.clear();  // renamed meanwhile
        } else if (type == fs::file_type::directory) {
            fs::create_directory(copy, error);
        } else if (type == fs::file_type::symlink) {
            fs::copy_symlink(entry->path(), copy, error);
            ++files;
        } else if (type == fs::file_type::regular) {
            if (const auto copied = copyOne(entry->path(), copy, cancelled); !copied)
                return tl::unexpected(copied.error());
            ++files;
        }
        if (error)
            break;
    }
    if (error)
        return makeErrnoError("cannot copy " + from.string(), error.value());
    return files;
}

tl::expected<void, Fact> copyNewest(const WorkspaceLayout &workspace, const std::string &sweepFolder, int parent,
                                    int child, CopyFile copyOne, const std::atomic<bool> &cancelled)
{
    const fs::path target = workspace.parentCheckpoint(sweepFolder, child);
    const auto refused = [parent](const std::string &why) {
        return tl::unexpected(Fact(Code::CheckpointNotCopied).with(Field::Trial, parent).with(Field::Detail, why));
    };
    for (const auto &[number, folder] : checkpointFolders(workspace.trialFolder(sweepFolder, parent))) {
        std::error_code error;
        for (int tries = 0; tries < mostTries && !cancelled && fs::is_directory(folder, error); ++tries) {
            fs::remove_all(target, error);
            if (error)
                return refused("cannot remove " + target.string() + ": " + error.message());
            const Expected<int> copied = copyFiles(folder, target, copyOne, cancelled);
            if (copied && *copied > 0 && !cancelled)
                return {};
            fs::remove_all(target, error);
            if (!copied && copied.error().code != ErrorCode::NotFound)
                return refused(copied.error().message);
            if (copied)
                break;
        }
    }
    return tl::unexpected(Fact(Code::CheckpointAwaited).with(Field::Trial, parent));
}

}  // namespace

tl::expected<void, Fact> copyParentCheckpoint(const WorkspaceLayout &workspace, const std::string &sweepFolder,
                                              int parent, int child, const std::atomic<bool> &cancelled)
{
    return copyNewest(workspace, sweepFolder, parent, child, copyFile, cancelled);
}

tl::expected<void, Fact> linkParentCheckpoint(const WorkspaceLayout &workspace, const std::string &sweepFolder,
                                              int parent, int child)
{
    auto linked = copyNewest(workspace, sweepFolder, parent, child, linkOrCopyFile, false);
    if (!linked && linked.error().code == Code::CheckpointAwaited)
        return tl::unexpected(Fact(Code::InvalidInput)
                                  .with(Field::Detail, "trial " + std::to_string(parent) + " has saved no checkpoint"));
    return linked;
}

}  // namespace sweepscope::engine
