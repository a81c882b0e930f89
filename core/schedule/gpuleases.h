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

/// What a trial has of the machine's CPUs.
struct CpuUse {
    LeaseHolder holder;                    ///< of ours: the trial alone
    std::vector<int> slots{};              ///< cores that it has CPU slots on; one with several names it several times
    std::vector<std::vector<int>> cpus{};  ///< by rank: those that it is bound to; empty: to none
};

/// A GPU that is ours until every copy of the descriptor is closed, those of heirs included; or, without one, the note of
/// what a trial has of the CPUs.
struct Lease {
    std::string gpuId;
    FileDescriptor file;
    bool isFirst = true;  ///< nobody has it; else it is shared with others of this workspace
};

/// What keeps several engines of one machine from giving the same GPU away, and off each other's cores.
class GpuLeases {
public:
    /// While one of these is there, nobody else on this machine takes devices: several are taken together or not at all.
    class Taking {
    public:
        virtual ~Taking() = default;
        /// `shares`: this workspace has it already, for another trial. GpuLeased: another workspace has it.
        /// LeasesUnavailable: nobody can tell.
        virtual tl::expected<Lease, facts::Fact> take(const std::string &gpuId, bool shares) = 0;
        /// Of trials of other workspaces.
        virtual const std::vector<CpuUse> &cpusOfOthers() = 0;
        /// Tells the others of ours.
        virtual Expected<Lease> noteCpus(const CpuUse &) { return Lease{}; }
    };

    virtual ~GpuLeases() = default;
    virtual Expected<std::unique_ptr<Taking>> begin() = 0;
    /// For others to read: what the GPU, or the CPUs, were taken for, and the process that has them.
    virtual void sign(const Lease &lease, pid_t holder, const TrialName &trial) = 0;
};

}  // namespace sweepscope::schedule
