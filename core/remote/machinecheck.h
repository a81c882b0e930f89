#pragma once

#include "base/checkrow.h"
#include "remote/machines.h"
#include "remote/portableprograms.h"
#include "remote/ssh.h"

#include <functional>
#include <string>

namespace sweepscope::remote {

/// Checks what a machine can do: connection, programs, an attempt, devices, disk, clock, folders of data and Python. Takes
/// seconds. Calls
/// `report` for each row as soon as it is known; ends after one that makes the others impossible. Returns whether trials
/// can run there.
bool checkMachine(const Machine &machine, Questions questions, const PortablePrograms &programs,
                  const std::function<void(const CheckRow &)> &report);

/// What to do about ssh's message.
std::string sshRemedy(const std::string &message, const SshTarget &target);
CheckRow dataRow(const std::string &name, const std::string &path, bool isReadable);
/// What the script of the Python check printed, as a row.
CheckRow pythonRow(const std::string &untrustedOutput, const std::string &errors, const Machine &machine, int gpus);

}  // namespace sweepscope::remote
