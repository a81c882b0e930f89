#include "engine/parentcheckpoint.h"

#include <charconv>
#include <filesystem>
#include <functional>
#include <map>
#include <system_error>

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

/// Copies folders and regular files. Returns how many files; a file that was replaced or removed meanwhile is none.
tl::expected<int, std::error_code> copyFiles(const fs::path &from, const fs::path &to)
{
    int files = 0;
    std::error_code error;
    for (const fs::path &folder : {to.parent_path(), to}) {  // not the sweep's, which may be deleted meanwhile
        if (fs::create_directory(folder, error); error)
            return tl::unexpected(error);
    }
    fs::recursive_directory_iterator entry(from, error);
    for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
        const fs::path copy = to / entry->path().lexically_relative(from);
        std::error_code problem;
        const fs::file_type type = entry->symlink_status(problem).type();
        if (type == fs::file_type::directory)
            fs::create_directory(copy, problem);
        else if (type == fs::file_type::regular && fs::copy_file(entry->path(), copy, problem))
            ++files;
        if (problem && problem != std::errc::no_such_file_or_directory)
            return tl::unexpected(problem);
    }
    if (error && error != std::errc::no_such_file_or_directory)
        return tl::unexpected(error);
    return files;
}

}  // namespace

tl::expected<void, Fact> copyParentCheckpoint(const WorkspaceLayout &workspace, const std::string &sweepFolder,
                                              int parent, int child)
{
    const fs::path target = workspace.parentCheckpoint(sweepFolder, child);
    const auto refused = [parent](const std::error_code &error) {
        return tl::unexpected(
            Fact(Code::CheckpointNotCopied).with(Field::Trial, parent).with(Field::Detail, error.message()));
    };
    for (const auto &[number, folder] : checkpointFolders(workspace.trialFolder(sweepFolder, parent))) {
        std::error_code error;
        fs::remove_all(target, error);
        if (error)
            return refused(error);
        const auto copied = copyFiles(folder, target);
        if (!copied)
            return refused(copied.error());
        if (*copied > 0)
            return {};
    }
    return tl::unexpected(Fact(Code::CheckpointAwaited).with(Field::Trial, parent));
}

}  // namespace sweepscope::engine
