#pragma once

#include "base/filedescriptor.h"
#include "schedule/gpuleases.h"
#include "schedule/leaseholder.h"
#include "schedule/sharedfolder.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace sweepscope::schedule {

/// Which of several engines has its turn at a GPU: the one with the trial that has waited for it the longest. Each
/// engine notes in the shared folder what waits, and since when; who would take a GPU for which another engine's trial
/// waits longer leaves it. A trial that starts has had its turn, and the next one of its sweep waits since then, so
/// that sweeps of several engines take turns.
///
///     queue.0    the holder's line, then  SINCE  SEEN  GPU-…  GPU-…    for each trial that waits; times in ns since boot
///
/// An engine says every second that it still waits: one that hangs keeps no GPU from anybody.
class LeaseQueue {
public:
    /// `clock`: nanoseconds that all engines of a machine have in common; for tests.
    explicit LeaseQueue(std::string workspace, std::int64_t (*clock)() = nullptr);

    /// What waits now, all of it. Takes the gate, where there is something to write.
    void update(const std::filesystem::path &path, const std::vector<GpuLeases::Waiting> &waiting);

    /// The sweep has had its turn.
    void forget(const std::string &sweep);

    /// By GPU: whose turn it is before a trial of this sweep. With the gate.
    std::map<std::string, LeaseHolder> before(const SharedFolder &folder, const std::string &sweep) const;

private:
    struct Entry {
        GpuLeases::Waiting waiting;
        std::int64_t since = 0;
    };
    std::string m_workspace;
    std::int64_t (*m_clock)();
    FileDescriptor m_note;
    std::vector<Entry> m_entries;
    bool m_changed = false;  ///< since it was written
    std::int64_t m_written = 0;
};

}  // namespace sweepscope::schedule
