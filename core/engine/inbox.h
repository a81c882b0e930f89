#pragma once

#include "base/workspacelayout.h"
#include "engine/foundrun.h"

#include <QFileSystemWatcher>
#include <QObject>

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace sweepscope::engine {

/// The folder `inbox` of a workspace, in which scripts that were not started by us create runs. A run that is moved from it leaves a
/// link with its name, for processes that join or still write.
class Inbox : public QObject {
    Q_OBJECT

public:
    /// Creates the folder.
    explicit Inbox(const WorkspaceLayout &workspace);

    /// Returns the runs that are there. Call again when `changed` is emitted, and from time to time.
    std::vector<FoundRun> waiting();
    /// Moves the files of a run to the folder of an attempt, which must not exist.
    Expected<void> move(const FoundRun &run, const std::filesystem::path &attempt);
    /// Returns runs to the inbox that were moved to the folder of a sweep that is not known: an earlier engine was killed before
    /// it stored the sweep.
    void restore(const std::function<bool(const std::string &sweepFolder)> &isKnown);
    /// Removes the links of runs of other sweeps.
    void removeLinks(const std::function<bool(const std::string &sweepFolder)> &isActive);

Q_SIGNALS:
    void changed();

private:
    /// Calls `visit` with each link and the name of the folder of its sweep.
    void forEachLink(
        const std::function<void(const std::filesystem::path &link, const std::string &sweepFolder)> &visit) const;

    std::filesystem::path m_folder;
    std::filesystem::path m_sweeps;
    QFileSystemWatcher m_watcher;
    std::set<std::string> m_refused;  ///< names that were reported
};

}  // namespace sweepscope::engine
