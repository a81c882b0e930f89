#pragma once

#include "base/error.h"
#include "base/filedescriptor.h"
#include "facts/fact.h"
#include "schedule/leaseholder.h"

#include <memory>
#include <string>
#include <sys/types.h>
#include <vector>

namespace sweepscope::schedule {

/// A trial's use of the machine's CPUs.
struct CpuUse {
    LeaseHolder holder;                    ///< of our trials: only the trial is set
    std::vector<int> slots{};              ///< cores of its CPU slots; a core with several of its slots is repeated
    std::vector<std::vector<int>> cpus{};  ///< by rank: the CPUs that it is bound to; empty: not bound
};

/// A GPU that is ours until every copy of the descriptor is closed, including inherited ones; or, without a GPU, the
/// note of a trial's CPUs.
struct Lease {
    std::string gpuId;
    FileDescriptor file;
    bool isFirst = true;  ///< not leased before; else it is shared with other trials of this workspace
};

/// Prevents several engines of one machine from assigning the same GPU or cores.
class GpuLeases {
public:
    /// While one exists, no other process on this machine takes devices: several are taken together or not at all.
    class Taking {
    public:
        virtual ~Taking() = default;
        /// `shares`: this workspace already has it for another trial. GpuLeased: another workspace has it.
        /// LeasesUnavailable: unknown.
        virtual tl::expected<Lease, facts::Fact> take(const std::string &gpuId, bool shares) = 0;
        /// Returns the CPU use of other workspaces' trials.
        virtual const std::vector<CpuUse> &cpusOfOthers() = 0;
        /// Publishes the CPU use of one of our trials.
        virtual Expected<Lease> noteCpus(const CpuUse &) { return Lease{}; }
    };

    virtual ~GpuLeases() = default;
    virtual Expected<std::unique_ptr<Taking>> begin() = 0;
    /// Records for other processes what the GPU or the CPUs are used for, and by which process.
    virtual void sign(const Lease &lease, pid_t holder, const TrialName &trial) = 0;
};

}  // namespace sweepscope::schedule
