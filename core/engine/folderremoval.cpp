#include "engine/folderremoval.h"

#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace sweepscope::engine {

namespace {

constexpr std::string_view deletedName = ".deleted-";

/// Checks the path itself, without following a link.
bool isFolder(const std::filesystem::path &path)
{
    std::error_code error;
    return std::filesystem::is_directory(std::filesystem::symlink_status(path, error));
}

bool isLink(const std::filesystem::path &path)
{
    std::error_code error;
    return std::filesystem::is_symlink(std::filesystem::symlink_status(path, error));
}

/// A rank may have removed even the owner's permissions.
void openFolders(const std::filesystem::path &folder)
{
    std::error_code error;
    std::filesystem::permissions(folder, std::filesystem::perms::owner_all, std::filesystem::perm_options::add, error);
    for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        if (isFolder(entry->path()))
            openFolders(entry->path());
    }
}

/// Returns the original name of a folder renamed for deletion.
std::string originalName(const std::filesystem::path &folder)
{
    return folder.filename().string().substr(deletedName.size());
}

}  // namespace

std::filesystem::path removedFolder(const std::filesystem::path &parent, const std::string &folderName)
{
    return parent / (std::string(deletedName) + folderName);
}

FolderRemoval::FolderRemoval(std::filesystem::path parent, Report report, Removed removed)
    : m_parent(std::move(parent)),
      m_report(std::move(report)),
      m_removed(std::move(removed)),
      m_thread([this] { work(); })
{}

FolderRemoval::~FolderRemoval()
{
    {
        const std::lock_guard lock(m_mutex);
        m_ending = true;
    }
    m_changed.notify_all();
    m_thread.join();
}

std::filesystem::path FolderRemoval::placeFor(const std::string &folderName) const
{
    return removedFolder(m_parent, folderName);
}

void FolderRemoval::recover(const std::function<bool(const std::string &folderName)> &isKnown)
{
    std::vector<std::filesystem::path> left;
    std::error_code error;
    for (std::filesystem::directory_iterator entry(m_parent, error), end; !error && entry != end;
         entry.increment(error)) {
        if (entry->path().filename().string().starts_with(deletedName)
            && (isFolder(entry->path()) || isLink(entry->path())))
            left.push_back(entry->path());
    }
    for (const std::filesystem::path &folder : left) {
        const std::string name = originalName(folder);
        const bool isThere = std::filesystem::exists(std::filesystem::symlink_status(m_parent / name, error));
        if (isKnown(name) && !isThere)
            std::filesystem::rename(folder, m_parent / name, error);
        else
            remove(folder);
    }
}

void FolderRemoval::remove(const std::filesystem::path &folder)
{
    {
        const std::lock_guard lock(m_mutex);
        m_folders.push_back(folder);
    }
    m_changed.notify_all();
}

bool FolderRemoval::mustEnd()
{
    const std::lock_guard lock(m_mutex);
    return m_ending;
}

void FolderRemoval::work()
{
    for (;;) {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [this] { return m_ending || !m_folders.empty(); });
        if (m_ending)
            return;
        const std::filesystem::path folder = std::move(m_folders.front());
        m_folders.pop_front();
        lock.unlock();
        if (const std::error_code error = removeParts(folder))
            m_report("files of the deleted sweep " + originalName(folder) + " are still in " + folder.string() + ": "
                     + error.message() + "; the next engine tries again");
        else if (m_removed && !isFolder(folder))
            m_removed(m_ending);
    }
}

/// Removes trial by trial, so that the engine can end meanwhile. Returns the first error.
std::error_code FolderRemoval::removeParts(const std::filesystem::path &folder)
{
    std::error_code first;
    const auto remove = [&first](const std::filesystem::path &path) {
        std::error_code error;
        std::filesystem::remove_all(path, error);
        if (error == std::errc::permission_denied && isFolder(path)) {
            openFolders(path);
            std::filesystem::remove_all(path, error);
        }
        if (error && !first)
            first = error;
    };
    if (isLink(folder)) {  // it was in the folder's place; its target is not ours
        std::filesystem::remove(folder, first);
        return first;
    }
    if (!isFolder(folder))
        return {};
    if (const std::filesystem::path trials = folder / "trials"; isFolder(trials)) {
        std::error_code error;
        for (std::filesystem::directory_iterator trial(trials, error), end; !error && trial != end;
             trial.increment(error)) {
            if (mustEnd())
                return {};
            remove(trial->path());
        }
    }
    remove(folder);
    return isFolder(folder) ? first : std::error_code();
}

}  // namespace sweepscope::engine
