#include "engine/folderremoval.h"

#include <system_error>
#include <utility>

namespace sweepscope::engine {

namespace {

constexpr const char *deletedName = ".deleted-";

}  // namespace

FolderRemoval::FolderRemoval(std::filesystem::path parent) : m_parent(std::move(parent))
{
    std::error_code error;
    for (std::filesystem::directory_iterator entry(m_parent, error), end; !error && entry != end;
         entry.increment(error)) {
        if (entry->path().filename().string().starts_with(deletedName))
            m_folders.push_back(entry->path());
    }
    m_thread = std::thread([this] { work(); });
}

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
    return m_parent / (deletedName + folderName);
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
    for (std::filesystem::directory_iterator trial(folder / "trials", error), end; !error && trial != end;
         trial.increment(error)) {
        if (mustEnd())
            return;
        std::error_code ignored;  // what cannot be removed now is tried again by the next engine
        std::filesystem::remove_all(trial->path(), ignored);
    }
    std::filesystem::remove_all(folder, error);
}

}  // namespace sweepscope::engine
