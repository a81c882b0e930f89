#pragma once

#include "remote/ssh.h"

#include <filesystem>
#include <functional>
#include <list>
#include <mutex>
#include <set>
#include <string>
#include <thread>

namespace sweepscope::remote {

/// Copies the files of attempts from another machine into a folder with the same layout, on a separate thread. The most
/// recently requested attempt comes first; beyond 256, the oldest request is dropped.
class FileFetcher {
public:
    struct Place {
        std::string programs;  ///< folder there of sweepscope-node
        std::string folder;    ///< the workspace there
        std::filesystem::path root;
    };
    struct Reports {
        std::function<void(const std::string &folder)> arrived;  ///< bytes of this attempt; called on the thread
        std::function<void(const std::string &why)> broken;      ///< once, and nothing follows; on the thread
        std::function<void(const std::string &why)> paused;      ///< they cannot be written here; on the thread
    };
    /// `ssh` is connected and outlives this.
    FileFetcher(const Ssh &ssh, Place place, Reports reports);
    ~FileFetcher();
    FileFetcher(const FileFetcher &) = delete;
    FileFetcher &operator=(const FileFetcher &) = delete;

    /// Fetches this attempt ("sweeps/0001-a/trials/0001/1") from now on. `whole`: also what long curves have between the points
    /// that are shown at first.
    void want(const std::string &folder, bool whole = false);

private:
    void run();

    const Ssh &m_ssh;
    Place m_place;
    Reports m_reports;
    std::mutex m_mutex;
    std::list<std::string> m_wanted;  ///< newest first; guarded by m_mutex, like the following
    std::set<std::string> m_whole;
    bool m_isChanged = true;  ///< at first: the machine's own files are always wanted
    bool m_isEnding = false;
    std::thread m_thread;
};

}  // namespace sweepscope::remote
