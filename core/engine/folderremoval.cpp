#include "engine/folderremoval.h"

#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace sweepscope::engine {

namespace {

constexpr std::string_view deletedName = ".deleted-";

/// Itself, and not what a link leads to.
bool isFolder(const std::filesystem::path &path)
{
    std::error_code error;
    return std::filesystem::is_directory(std::filesystem::symlink_status(path, error));
}

}  // namespace

FolderRemoval::FolderRemoval(std::filesystem::path parent) : m_parent(std::move(parent)), m_thread([this] { work(); })
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
    return m_parent / (std::string(deletedName) + folderName);
}

void FolderRemoval::takeUp(const std::function<bool(const std::string &folderName)> &isKnown)
{
    std::vector<std::filesystem::path> left;
    std::error_code error;
    for (std::filesystem::directory_iterator entry(m_parent, error), end; !error && entry != end;
         entry.increment(error)) {
        if (entry->path().filename().string().starts_with(deletedName) && isFolder(entry->path()))
            left.push_back(entry->path());
    }
    for (const std::filesystem::path &folder : left) {
        const std::string name = folder.filename().string().substr(deletedName.size());
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
        removeParts(folder);
    }
}

/// Trial by trial, so that the engine can end meanwhile.
void FolderRemoval::removeParts(const std::filesystem::path &folder)
{
    std::error_code error;
    if (!isFolder(folder))
        return;
    if (const std::filesystem::path trials = folder / "trials"; isFolder(trials)) {
        for (std::filesystem::directory_iterator trial(trials, error), end; !error && trial != end;
             trial.increment(error)) {
            if (mustEnd())
                return;
            std::error_code ignored;  // what cannot be removed now is tried again by the next engine
            std::filesystem::remove_all(trial->path(), ignored);
        }
    }
    std::filesystem::remove_all(folder, error);
}

}  // namespace sweepscope::engine
