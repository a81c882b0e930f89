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

/// Who would get what on which machine, or why nobody would.
struct AllocationPreview {
    schedule::SweepPlan plan;
    std::vector<device::Device> devices;  ///< of the machine
    QString impossible;                   ///< the sweep can never run here: why; empty: it can
    QString note;                         ///< what is wrong with the machine
    bool isPaused = false;                ///< the sweep, which is under way
    facts::Facts edit;                    ///< what a changed definition does to its trials
};

/// Plans a sweep on this machine as it is now (schedule::planSweep), off the GUI thread. Nothing is taken.
class AllocationPlanner : public QObject {
    Q_OBJECT

public:
    using Look = std::function<schedule::MachineNow()>;
    using History = std::function<std::vector<schedule::FinishedSweep>()>;
    using Launched = std::function<std::optional<schedule::FinishedSweep>()>;

    explicit AllocationPlanner(QObject *parent = nullptr);

    /// How the machine is looked at, on any thread; schedule::lookAtMachine by itself.
    void setLook(Look look);
    /// What has run before, for the time; asked on the GUI thread at each request.
    void setHistory(History history) { m_history = std::move(history); }

    /// The sweep whose definition is planned, with its trials, if it was launched; asked like the history.
    void setLaunched(Launched launched) { m_launched = std::move(launched); }
    /// Of the engine that would run it.
    void setWorkspace(std::function<std::filesystem::path()> workspace) { m_workspace = std::move(workspace); }

    void request(const sweep::SweepSpec &spec);
    /// The same again, looking anew: the machine may have changed.
    void repeat();
    void drop();  ///< there is nothing to plan
    /// Of the newest request; null until it is there.
    const AllocationPreview *preview() const { return m_job.isPending() ? nullptr : m_preview.get(); }

Q_SIGNALS:
    void planned();

private:
    struct Seen;

    std::shared_ptr<Seen> m_seen;  ///< of the thread alone
    Look m_look;
    History m_history;
    Launched m_launched;
    std::function<std::filesystem::path()> m_workspace;
    NewestJob m_job;
    std::optional<sweep::SweepSpec> m_spec;
    std::shared_ptr<const AllocationPreview> m_preview;
};

}  // namespace sweepscope::ui
