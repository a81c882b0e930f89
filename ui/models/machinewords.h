#pragma once

#include "protocol/machinestatus.h"

#include <QIcon>
#include <QString>

#include <vector>

namespace sweepscope::ui {

enum class MachineState { Good, Waiting, Wrong };
/// Waiting: not connected yet, or no trial starts there for a while.
MachineState stateOf(const protocol::MachineStatus &machine);
QIcon machineIcon(MachineState state);

/// The state in one sentence: "Connected", "Cannot be reached: Connection refused".
QString stateText(const protocol::MachineStatus &machine);
/// What to do about it, or what happens next; empty if nothing is wrong.
QString remedyText(const protocol::MachineStatus &machine);

/// "3 of 8"; empty if there are none.
QString inUseText(int free, int all);
/// "± 0.4 ms", "± 1.2 s"; empty if it is not known.
QString clockErrorText(double seconds);
/// "Its clock is 21 ms behind that of this machine."; empty if it is not known.
QString clockOffsetText(const protocol::MachineStatus &machine);

/// "gpu1's clock ± 80 ms", "gpu1's clock is 2.0 s behind", for times that are shown as the machine took them; empty if
/// the difference is too small to be seen.
QString clockNote(const protocol::MachineStatus &machine);

/// Its devices with the ids that the machine itself uses, as its readings have them.
std::vector<protocol::DeviceStatus> devicesAsThere(const protocol::MachineStatus &machine);

}  // namespace sweepscope::ui
