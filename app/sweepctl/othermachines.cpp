#include "othermachines.h"

#include "base/workspacelayout.h"
#include "protocol/engineclient.h"
#include "remote/machines.h"

#include <utility>

namespace sweepscope::ctl {

namespace {
constexpr int engineTimeoutMs = 10'000;
}  // namespace

OtherMachines readOtherMachines(const std::string &workspace)
{
    const auto known = remote::readMachines(WorkspaceLayout{workspace}.machinesFile());
    if (!known || known->empty())
        return {};
    protocol::EngineClient client;
    client.leaveOutTrials();
    if (client.connectAndWait(QString::fromStdString(workspace), false, engineTimeoutMs))
        return {client.machines(), true};
    OtherMachines others;
    for (const remote::Machine &machine : *known) {
        protocol::MachineStatus status;
        status.name = QString::fromStdString(machine.name);
        status.address = QString::fromStdString(machine.ssh.destination);
        others.machines.push_back(std::move(status));
    }
    return others;
}

}  // namespace sweepscope::ctl
