#pragma once

#include "schedule/memoryplan.h"
#include "ui/editor/allocationplanner.h"
#include "ui/models/newestjob.h"

#include <QStringList>

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>

namespace sweepscope::ui {

/// Estimates the memory of the sweep in the form from a measured step, off the GUI thread. The worker runs for a few seconds
/// when settings that change the memory have changed.
class MemoryPlanner : public QObject {
    Q_OBJECT

public:
    /// Makes the measurement of a sweep, on any thread; `cancelled` outlives it.
    using Measurer = std::function<schedule::MemoryMeasurement(
        const sweep::SweepSpec &spec, const std::filesystem::path &baseFolder, const std::atomic<bool> &cancelled)>;

    explicit MemoryPlanner(QObject *parent = nullptr);
    ~MemoryPlanner() override;

    /// Replaces the installed worker.
    void setMeasurer(Measurer measurer) { m_measurer = std::move(measurer); }
    /// `preview`: the sweep, the machine and the schedule. `baseFolder`: the sweep file's.
    void request(const AllocationPreview &preview, const std::filesystem::path &baseFolder);
    void drop();
    /// One line per layout and GPU model, the sweep's own layout first, or one that says why the memory is unknown. Empty if
    /// the sweep runs a command.
    const QStringList &lines() const { return m_lines; }

Q_SIGNALS:
    void planned();

private:
    void cancel();
    struct Measured;

    std::shared_ptr<Measured> m_measured;  ///< used by the thread only
    Measurer m_measurer;
    NewestJob m_job;
    std::shared_ptr<std::atomic<bool>> m_cancelled;  ///< of the newest request
    QStringList m_lines;
};

}  // namespace sweepscope::ui
