#pragma once

#include <condition_variable>
#include <deque>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>

namespace sweepscope::engine {

/// Removes folders of deleted sweeps on a thread of its own: of 100,000 trials that takes long. A folder gets another
/// name first, at once; what is left under such a name, by an engine that ended meanwhile, the next one removes. Links
/// are removed, and never what they lead to.
class FolderRemoval {
public:
    /// Called on the thread that removes, once for each folder that is still there: a sentence that says why.
    using Tell = std::function<void(const std::string &problem)>;

    /// `parent`: where the folders lie. What an earlier engine left stays until takeUp().
    FolderRemoval(std::filesystem::path parent, Tell tell);
    /// Ends after the files of one trial at most; the rest stays for the next engine.
    ~FolderRemoval();
    FolderRemoval(const FolderRemoval &) = delete;
    FolderRemoval &operator=(const FolderRemoval &) = delete;

    /// What an earlier engine left. A folder of a sweep that is known, as its end in the database never came to the
    /// disk, gets its name back; the others are removed.
    void takeUp(const std::function<bool(const std::string &folderName)> &isKnown);
    /// Where the folder of this name is put, by who then calls remove().
    std::filesystem::path placeFor(const std::string &folderName) const;
    void remove(const std::filesystem::path &folder);

private:
    void work();
    std::error_code removeParts(const std::filesystem::path &folder);
    bool mustEnd();

    std::filesystem::path m_parent;
    Tell m_tell;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<std::filesystem::path> m_folders;
    bool m_ending = false;
    std::thread m_thread;  ///< the last member: it uses the others
};

}  // namespace sweepscope::engine
