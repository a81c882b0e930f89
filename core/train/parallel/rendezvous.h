#pragma once

#include "base/error.h"
#include "train/rankenvironment.h"

#include <c10/util/intrusive_ptr.h>
#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <torch/csrc/distributed/c10d/Store.hpp>

namespace sweepscope::train {

/// Where the ranks of one attempt leave each other their addresses:
///   alone                                      memory of this process
///   attempt folder, one machine, local disk    a file in that folder: nothing can clash over a port
///   else                                       TCP at MASTER_ADDR:MASTER_PORT, served by rank 0 (or torchrun's agent)
/// Every rank must come to the same choice: it depends only on what all of them see. In the TCP case waits for rank 0,
/// and throws std::runtime_error when it has not come after joinTimeout().
c10::intrusive_ptr<c10d::Store> openStore(const RankEnvironment &environment);

/// What must be the same on all ranks, by name.
using Agreement = std::map<std::string, std::string>;

/// Waits until every rank has joined `store`, so that missing ranks are named here instead of blocking the first
/// collective. Throws std::runtime_error that names the missing ranks, or a rank with another world size or agreement:
/// its collectives would not match the others'.
void awaitRanks(const c10::intrusive_ptr<c10d::Store> &store, int rank, int size,
                std::chrono::milliseconds timeout = std::chrono::minutes(5), const Agreement &agreement = {});

/// How long to wait for ranks that have not come: seconds on one machine, where all start together; minutes on several.
std::chrono::milliseconds joinTimeout(const RankEnvironment &environment);

/// False on network file systems, where the file locks of a FileStore are slow or missing.
bool isLocalFileSystem(const std::filesystem::path &folder);

}  // namespace sweepscope::train
