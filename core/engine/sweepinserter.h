#pragma once

#include "base/workspacelayout.h"
#include "engine/store.h"

#include <QTimer>

#include <deque>
#include <functional>

namespace sweepscope::engine {

/// The highest number of a sweep's folder, those that are being removed included: a database that was put back, or begun
/// anew, may not know them.
std::int64_t highestSweepNumber(const WorkspaceLayout &workspace);

/// Creates the folder of a new sweep, with its definition and results of other sweeps.
Expected<void> createSweepFolder(const WorkspaceLayout &workspace, const sweep::SweepRecord &sweep,
                                 const std::vector<search::ResultsFile> &warmStart);

/// Moves what is in the folder to another folder of the same file system.
Expected<void> moveFiles(const std::filesystem::path &from, const std::filesystem::path &to);

/// Writes accepted sweeps to the database and their files to new folders. A million rows take ten seconds, so the engine
/// does its other work between parts of them. Readers see a sweep once all of it is written.
class SweepInserter {
public:
    /// Called with the sweep and its trials as they were stored.
    using Done = std::function<void(Expected<NewSweep>)>;

    SweepInserter(Store &store, WorkspaceLayout workspace);

    /// The first part is written immediately; if it is the only one, `done` is called before this returns.
    void add(NewSweep sweep, Done done);
    bool isIdle() const { return m_sweeps.empty(); }

private:
    void writePart();

    struct Insertion {
        NewSweep sweep;
        Done done;
    };
    Store &m_store;
    WorkspaceLayout m_workspace;
    std::deque<Insertion> m_sweeps;
    QTimer m_next;
};

}  // namespace sweepscope::engine
