#pragma once

#include "base/filedescriptor.h"
#include "device/sharedfolder.h"

#include <string>
#include <vector>

/// Which cores ranks of which workspace are bound to, for the engines of one machine to keep off each other's:
///
///     cores.0    the holder's line, then  0-3;4-7    a list of CPUs for each rank
///
/// A note is the agent's and its ranks' as a lease is, and gone with the last of them. Nobody waits for cores: where all
/// are taken they are shared.
namespace sweepscope::device {

/// Of all workspaces but this one, a list per rank. With the gate.
std::vector<std::vector<int>> coresOfOthers(const SharedFolder &folder, const std::string &workspace);

/// The note that says it, for whoever is to have it. With the gate.
Expected<FileDescriptor> noteCores(const SharedFolder &folder, const std::string &workspace, const std::string &purpose,
                                   const std::vector<std::vector<int>> &perRank);

}  // namespace sweepscope::device
