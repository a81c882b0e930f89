#pragma once

#include "sweep/sweepspec.h"

#include <string>
#include <string_view>
#include <vector>

/// A device of another machine has the machine's name behind its id: "cpu:3@gpu1".
namespace sweepscope::sweep {

/// How sweep files call the machine of the engine. No other machine may have this name.
inline constexpr const char *thisMachine = "localhost";
/// This one and all others that the workspace knows.
inline constexpr const char *allMachines = "*";

/// Letters, digits, '-', '_' and '.', at most 64, and none of the above.
bool isMachineName(const std::string &name);

bool usesThisMachine(const DevicesSection &devices);
bool usesOtherMachines(const DevicesSection &devices);

/// `machine`: empty for a device of this one.
std::string deviceOn(const std::string &machine, const std::string &id);
/// Returns an empty string for a device of this machine.
std::string machineOf(std::string_view device);
std::string withoutMachine(std::string_view device);

/// A device of a job, which Slurm chooses: "job:0@localhost".
std::string jobDevice(int number, const std::string &machine);
bool isJobDevice(std::string_view device);

}  // namespace sweepscope::sweep
