#pragma once

#include "base/error.h"
#include "output/metricssection.h"

#include <filesystem>
#include <memory>
#include <set>
#include <string_view>
#include <sys/types.h>

namespace sweepscope::launch {

/// Returns whether the name of an event file of TensorBoard (`events.out.tfevents.SECONDS.HOST.PID.N`) has one of the process
/// ids; true also if it has no process id, as with tensorboardX.
bool isWrittenBy(std::string_view fileName, const std::set<pid_t> &processes);

/// Follows the event files of TensorBoard that the processes of an attempt create in a folder, and writes their scalars to the
/// ring of rank 0. Trials may share the folder: files of other processes are left out, and so are those that were there
/// before. The files are on disk, so nothing is lost if the ring must be drained first.
class EventMetrics {
public:
    /// Call before the ranks start. `metrics.tensorboard` is absolute here; the folder need not exist yet.
    static Expected<EventMetrics> create(const output::MetricsSection &metrics, const std::filesystem::path &ring);
    EventMetrics(EventMetrics &&) noexcept;
    EventMetrics &operator=(EventMetrics &&) noexcept;
    ~EventMetrics();

    /// A process of the attempt.
    void add(pid_t process);
    /// Continues for at most a few milliseconds, and writes at most the points that a ring has space for. Returns true
    /// if there is more to read.
    bool advance();
    /// Call when all processes have ended, before the last calls of advance(): looks for new files now.
    void lookAgain();
    /// Call at the end. Reports an error if there was no value.
    void finish();

private:
    struct State;
    explicit EventMetrics(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

}  // namespace sweepscope::launch
