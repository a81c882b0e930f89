#pragma once

#include "base/workspacelayout.h"
#include "engine/cluster.h"
#include "protocol/machinestatus.h"
#include "remote/machineconnection.h"
#include "schedule/scheduler.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace sweepscope::engine {

/// The other machines of a workspace, and clusters: reads machines.toml, connects to those that sweeps may use, and tells the
/// scheduler what they have and whether trials can start there. The cluster of this machine has the name "localhost".
class MachinePool {
public:
    /// `changed` is called when something about a machine is new.
    MachinePool(WorkspaceLayout workspace, std::filesystem::path share, schedule::Scheduler &scheduler,
                std::function<void()> changed);

    ~MachinePool();

    /// `wanted`: names, as in DevicesSection::machines. A machine that was connected once stays so; one that has something
    /// left to do from an earlier engine is connected, too.
    void poll(const std::set<std::string> &wanted);

    /// Reads machines.toml again if it has changed; poll() does so every second.
    void reload();
    /// A machine that is connected has something left to do.
    bool isBusy() const;
    /// Returns nullptr if machines.toml has no such machine.
    remote::MachineConnection *connection(const std::string &machine);
    /// See remote::Machine.
    std::optional<std::chrono::seconds> lostAfter(const std::string &machine) const;
    /// Returns nullptr if the machine is unknown. A cluster whose table was removed from machines.toml exists as long as
    /// trials are jobs of it: they go on to their ends.
    std::shared_ptr<Cluster> cluster(const std::string &machine);
    /// The names of machines where trials are jobs; "localhost": this one.
    std::vector<std::string> clusters() const;
    /// The sweep was deleted: its files are removed on all machines.
    void discard(const std::string &sweepFolder);
    /// Records that the machine could not start a trial. It gets no further trials for some time, which grows with each
    /// failure.
    void noteRefusal(const std::string &machine, const facts::Fact &reason);
    void noteStart(const std::string &machine);

    /// For clients, by name. `holderOf` names the trial behind an allocation's holder.
    std::vector<protocol::MachineStatus>
    statuses(const std::function<protocol::DeviceHolder(const std::string &)> &holderOf) const;
    std::vector<std::string> names() const;
    bool knows(const std::string &machine) const;

private:
    using Time = std::chrono::steady_clock::time_point;
    struct Known {
        remote::Machine machine;
        std::unique_ptr<remote::MachineConnection> connection{};  ///< once it was wanted
        std::shared_ptr<Cluster> cluster{};                       ///< if attempts there are jobs
        facts::Fact refusal{};
        std::chrono::seconds pause{0};  ///< after the last refusal
        Time refusesUntil{};
        std::optional<node::Machine> devices{};  ///< as the scheduler has them
        remote::MachineStatus reported{};        ///< to `changed`
        bool hasRest = false;                    ///< of an earlier engine
        bool isRemoved = false;
        bool isInScheduler = false;
    };
    bool readMachinesFile();
    void define(const remote::Machine &machine);
    static bool isHere(const std::string &machine);
    bool takeDevices(const std::string &name, Known &known, const node::Machine &devices);
    static facts::Fact unavailabilityOf(const Known &known, const remote::MachineStatus &status);
    void update(const std::string &name, Known &known);
    void retire(std::unique_ptr<remote::MachineConnection> &connection);

    WorkspaceLayout m_workspace;
    std::filesystem::path m_share;
    schedule::Scheduler &m_scheduler;
    std::function<void()> m_changed;
    std::map<std::string, Known> m_machines;
    std::vector<std::unique_ptr<remote::MachineConnection>> m_ending;  ///< of machines that were removed
    Time m_nextRead{};
    std::filesystem::file_time_type m_readTime{};
    std::string m_problem;
};

}  // namespace sweepscope::engine
