#pragma once

#include "base/filedescriptor.h"
#include "schedule/gpuleases.h"
#include "schedule/sharedfolder.h"

#include <string>
#include <vector>

/// Which trial of which workspace has what of the CPUs, for the engines of one machine to count slots together and to
/// keep off each other's cores:
///
///     cores.0    the holder's line, then  0-3;4-7    a list of CPUs for each rank, empty where it is not bound
///                                         0;4        the cores of its CPU slots, where it has some
///
/// A note is the agent's and its ranks' as a lease is, and gone with the last of them.
namespace sweepscope::schedule {

/// Of all workspaces but this one. With the gate.
std::vector<CpuUse> cpusOfOthers(const SharedFolder &folder, const std::string &workspace);

/// The note that says it, for whoever is to have it. With the gate.
Expected<FileDescriptor> noteCpus(const SharedFolder &folder, const std::string &workspace, const CpuUse &use);

/// Who has it from now on.
void signCpus(const FileDescriptor &note, pid_t pid, const std::string &workspace, const TrialName &trial);

}  // namespace sweepscope::schedule
