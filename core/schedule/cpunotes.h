#pragma once

#include "base/filedescriptor.h"
#include "schedule/gpuleases.h"
#include "schedule/sharedfolder.h"

#include <string>
#include <vector>

/// Notes which trial of which workspace uses which CPUs, so that the engines of one machine can count slots together
/// and avoid each other's cores:
///
///     cores.0    the holder's line, then  0-3;4-7    a list of CPUs for each rank, empty where it is not bound
///                                         0;4        the cores of its CPU slots, where it has some
///
/// A note is held by the agent and its ranks like a lease, and disappears with the last of them.
namespace sweepscope::schedule {

/// Returns the uses by all other workspaces. Requires the gate.
std::vector<CpuUse> cpusOfOthers(const SharedFolder &folder, const std::string &workspace);

/// Writes the note and returns it for its holder. Requires the gate.
Expected<FileDescriptor> noteCpus(const SharedFolder &folder, const std::string &workspace, const CpuUse &use);

/// Writes the holder into the note.
void signCpus(const FileDescriptor &note, pid_t pid, const std::string &workspace, const TrialName &trial);

}  // namespace sweepscope::schedule
