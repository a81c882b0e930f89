#pragma once

#include "schedule/sweepplan.h"
#include "ui/models/newestjob.h"

#include <QString>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace sweepscope::ui {

/// The devices that each trial would get on which machine, or why it would get none.
struct AllocationPreview {
    sweep::SweepSpec spec;  ///< as requested
    schedule::SweepPlan plan;
    std::vector<device::Device> devices;  ///< of all machines
    std::uint64_t memoryBytes = 0;        ///< of the machine; 0 if unknown
    QString impossible;                   ///< the sweep can never run here: why; empty: it can
    QString note;                         ///< what is wrong with the machine
    facts::Facts conditions;              ///< of its GPUs
    bool isPaused = false;                ///< the sweep, which is under way
    bool isOfNextStart = false;           ///< the sweep has ended; the plan is for starting it again
    facts::Facts edit;                    ///< what a changed definition does to its trials
};

/// Plans a sweep on this machine in its current state (schedule::planSweep), off the GUI thread. Allocates nothing.
class AllocationPlanner : public QObject {
    Q_OBJECT

public:
    using MachineReader = std::function<schedule::MachineNow()>;
    using History = std::function<std::vector<schedule::FinishedSweep>()>;
    using Others = std::function<std::map<std::string, schedule::OtherMachine>()>;
    using Launched = std::function<std::optional<schedule::FinishedSweep>()>;

    explicit AllocationPlanner(QObject *parent = nullptr);

    /// Replaces the function that inspects the machine, called on any thread; default: schedule::readMachine.
    void setMachineReader(MachineReader readMachine);
    /// Sets the source of earlier sweeps, for time estimates; called on the GUI thread for each request.
    void setHistory(History history) { m_history = std::move(history); }

    /// Sets the source of the planned sweep's record and trials, if it was launched; called like the history.
    void setLaunched(Launched launched) { m_launched = std::move(launched); }
    /// Sets the source of the workspace's other machines; called like the history.
    void setOthers(Others others) { m_others = std::move(others); }
    /// Sets the source of the workspace whose engine would run the sweep.
    void setWorkspace(std::function<std::filesystem::path()> workspace) { m_workspace = std::move(workspace); }

    void request(const sweep::SweepSpec &spec);
    /// Plans again and inspects the machine again, because it may have changed.
    void repeat();
    void drop();  ///< discards the plan
    /// Of the newest request; null until it is ready.
    const AllocationPreview *preview() const { return m_job.isPending() ? nullptr : m_preview.get(); }

Q_SIGNALS:
    void planned();

private:
    struct Seen;

    std::shared_ptr<Seen> m_seen;  ///< used by the thread only
    MachineReader m_readMachine;
    History m_history;
    Launched m_launched;
    Others m_others;
    std::function<std::filesystem::path()> m_workspace;
    NewestJob m_job;
    std::optional<sweep::SweepSpec> m_spec;
    std::shared_ptr<const AllocationPreview> m_preview;
};

}  // namespace sweepscope::ui
