#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>

namespace sweepscope::engine {

/// The place of a folder of this name that is to be removed, or that is only used for a while; recover() removes it.
std::filesystem::path removedFolder(const std::filesystem::path &parent, const std::string &folderName);

/// Removes folders of deleted sweeps on a separate thread: 100,000 trials take long. A folder is renamed first; folders
/// under such a name that an earlier engine left are removed by the next one. Links are removed, but never their
/// targets.
class FolderRemoval {
public:
    /// Called on the removing thread with a sentence for each folder that could not be removed.
    using Report = std::function<void(const std::string &problem)>;

    /// Called on the removing thread after each folder that is gone. Must return soon when `ending` becomes true.
    using Removed = std::function<void(const std::atomic<bool> &ending)>;

    /// `parent`: the folder that contains them. What an earlier engine left stays until recover().
    FolderRemoval(std::filesystem::path parent, Report report, Removed removed = {});
    /// Ends after the files of at most one trial; the rest stays for the next engine.
    ~FolderRemoval();
    FolderRemoval(const FolderRemoval &) = delete;
    FolderRemoval &operator=(const FolderRemoval &) = delete;

    /// Takes over what an earlier engine left. A folder of a sweep that is known, because its deletion never reached
    /// the disk, gets its name back; the others are removed.
    void recover(const std::function<bool(const std::string &folderName)> &isKnown);
    /// Returns the path to which the caller renames the folder of this name before it calls remove().
    std::filesystem::path placeFor(const std::string &folderName) const;
    void remove(const std::filesystem::path &folder);

private:
    void work();
    std::error_code removeParts(const std::filesystem::path &folder);
    bool mustEnd();

    std::filesystem::path m_parent;
    Report m_report;
    Removed m_removed;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<std::filesystem::path> m_folders;
    std::atomic<bool> m_ending = false;
    std::thread m_thread;  ///< the last member: it uses the others
};

}  // namespace sweepscope::engine
